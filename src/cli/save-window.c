// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save-window - what a daemon's window holds, or the part of it that --from, --to and --last name, as a file
 */
#include "cli/save-window.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/close.h"
#include "cli/attach.h"
#include "cli/options/config.h"

/* Without an end the range ends now: the daemon does not wait for events that come during the save. */
static int save_window_find_range(struct rs_client *c, const struct rs_options *opt,
				  struct rs_asked_time *time, struct rs_error *err)
{
	struct rs_session_config config = { .nr_analyses = 0 };
	struct rs_moment_clock clock;

	if (!rs_options_gave(opt, "from,to,last"))
		return 0;
	if (rs_attach_clock(c, &clock, err) < 0 || rs_config_times(opt, &clock, &config, err) < 0)
		return -1;
	*time = (struct rs_asked_time){ rs_u(config.from_ns),
					rs_u(config.to_ns ? config.to_ns : clock.end_ns) };
	return 0;
}

const struct rs_save_reply *rs_save_window(struct rs_client *c, const struct rs_options *opt,
					   const char *format, int fd, struct rs_error *err)
{
	struct rs_save_request request = { .format = format };

	return save_window_find_range(c, opt, &request.time, err) < 0 ?
		       NULL :
		       rs_client_call(c, "save", &request, fd, err);
}

/* Converts the range to the trace clock. */
static int save_window_fix_range(struct rs_client *c, struct rs_options *opt, uint64_t *save_to_ns,
				 struct rs_error *err)
{
	struct rs_session_config config = { .nr_analyses = 0 };
	struct rs_moment_clock clock;

	if (rs_attach_clock(c, &clock, err) < 0 || rs_config_times(opt, &clock, &config, err) < 0)
		return -1;
	*save_to_ns = config.to_ns ? config.to_ns : clock.end_ns;
	opt->from = (struct rs_moment){ RS_MOMENT_CLOCK, config.from_ns };
	opt->to = (struct rs_moment){ config.to_ns ? RS_MOMENT_CLOCK : RS_MOMENT_NONE, config.to_ns };
	opt->last_ns = 0;
	return 0;
}

static int save_window_to_memory(struct rs_client *c, struct rs_options *opt, struct rs_error *err)
{
	struct rs_save_request request = { .format = "trace.dat", .time = { rs_u(0) } };
	const struct rs_save_reply *reply;
	uint64_t to_ns, before_ns = opt->window_before_ns;
	int fd;

	if (save_window_fix_range(c, opt, &to_ns, err) < 0)
		return -1;
	fd = memfd_create("ringside-window", MFD_CLOEXEC);
	if (fd < 0)
		return rs_fail(err, "cannot read the daemon's window: %s", strerror(errno));
	request.time.to_ns = rs_u(to_ns);
	if (before_ns && opt->from.kind == RS_MOMENT_CLOCK && opt->from.ns > before_ns)
		request.time.from_ns = rs_u(opt->from.ns - before_ns);
	reply = rs_client_call(c, "save", &request, fd, err);
	if (!reply)
		rs_close(&fd);
	rs_message_drop(reply);
	return fd;
}

int rs_save_window_as_input(struct rs_client *c, struct rs_options *opt, struct rs_error *err)
{
	opt->input = "the daemon's window";
	opt->of_window = true;
	opt->input_fd = save_window_to_memory(c, opt, err);
	return opt->input_fd < 0 ? -1 : 0;
}
