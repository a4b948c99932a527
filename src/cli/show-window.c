// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show-window.c - the window is saved to memory up to the range's end, and read as any recording is: what was in flight
 * at the range's begin is known, and every option of a recording works
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/attach.h"
#include "cli/config.h"
#include "cli/show.h"

static int show_window_check_options(const struct rs_view_ref *ref, const struct rs_options *opt,
				     struct rs_error *err)
{
	const char *name = ref->view->name;

	if (opt->command)
		return rs_fail_usage(err, "%s: a time that has passed is shown, no command is run ('%s')", name, opt->command[0]);
	if (opt->interval_ns || opt->duration_ns)
		return rs_fail_usage(err, "%s: %s is for live capture, --from, --to and --last are for what has passed", name,
				     opt->interval_ns ? "-I" : "-d");
	if (opt->own || opt->clock || opt->buffer_kib)
		return rs_fail_usage(err, "%s: --from, --to and --last are for a recording (-i FILE), or the daemon's window: not for a "
				     "capture that begins now", name);
	return 0;
}

/* The file, 0 on an error; a recording of the window's begin up to to_ns. */
static int save_window(struct rs_client *client, uint64_t to_ns, struct rs_error *err)
{
	int fd = memfd_create("ringside-window", MFD_CLOEXEC);
	const struct rs_save_reply *answer;

	if (fd < 0) {
		rs_fail(err, "cannot read the daemon's window: %s", strerror(errno));
		return 0;
	}
	answer = rs_client_call(client, "save", &(struct rs_save_request){ .format = "trace.dat", .time = { rs_u(0), rs_u(to_ns) } }, fd, err);
	if (!answer)
		close(fd);
	rs_message_drop(answer);
	return answer ? fd : 0;
}

/* Converts the range to the trace clock: the user counts from the daemon's begin and end, which the file does not share. */
static int fix_range(struct rs_client *client, struct rs_options *opt, uint64_t *save_to_ns, struct rs_error *err)
{
	struct rs_session_config config = { .nr_analyses = 0 };
	struct rs_moment_clock clock;

	if (rs_attach_clock(client, &clock, err) < 0 || rs_config_times(opt, &clock, &config, err) < 0)
		return -1;
	*save_to_ns = config.to_ns ? config.to_ns : clock.end_ns;
	opt->from = (struct rs_moment){ RS_MOMENT_CLOCK, config.from_ns };
	opt->to = (struct rs_moment){ config.to_ns ? RS_MOMENT_CLOCK : RS_MOMENT_NONE, config.to_ns };
	opt->last_ns = 0;
	return 0;
}

enum rs_exit rs_show_window(const struct rs_view_ref *ref, const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;
	struct rs_error none = { 0 };
	struct rs_client *client;
	uint64_t to_ns;

	if (show_window_check_options(ref, &opt, err) < 0)
		return RS_USAGE;
	client = rs_attach(&opt, &none);
	if (!client)
		return rs_fail(err, "%s: --from, --to and --last are for a recording (-i FILE), or the daemon's window: %s",
			       ref->view->name, none.text), err->status;
	opt.input = "the daemon's window";
	if (fix_range(client, &opt, &to_ns, err) == 0)
		opt.input_fd = save_window(client, to_ns, err);
	rs_client_free(client);
	if (opt.input_fd > 0) {
		rs_show_file(RS_SHOW_ROWS, ref, 1, &opt, err);
		close(opt.input_fd);
	}
	return err->status;
}
