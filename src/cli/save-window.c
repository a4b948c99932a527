// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save-window - what a daemon's window holds, or the part of it that --from, --to and --last name, as a file
 */
#include "cli/save-window.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>

#include "base/close.h"
#include "cli/attach.h"
#include "cli/options/config.h"
#include "link/host.h"

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

static void save_window_on_answer(void *arg, const struct rs_reply *reply)
{
	struct rs_window_save *save = arg;

	save->answered = true;
	if (!reply->message)
		rs_fail(&save->err, "%s", reply->error);
}

/* Asks for it; -1: .err is set. */
static int save_window_ask(struct rs_window_save *save)
{
	struct rs_options *opt = save->opt;
	struct rs_save_request request = { .format = "trace.dat", .time = { rs_u(0) } };
	uint64_t to_ns, before_ns = opt->window_before_ns;

	opt->input = "the daemon's window";
	opt->of_window = true;
	if (save_window_fix_range(save->client, opt, &to_ns, &save->err) < 0)
		return -1;
	opt->input_fd = memfd_create("ringside-window", MFD_CLOEXEC);
	if (opt->input_fd < 0)
		return rs_fail(&save->err, "cannot read the daemon's window: %s", strerror(errno));
	request.time.to_ns = rs_u(to_ns);
	if (before_ns && opt->from.kind == RS_MOMENT_CLOCK && opt->from.ns > before_ns)
		request.time.from_ns = rs_u(opt->from.ns - before_ns);
	if (!rs_client_ask_fd(save->client, "save", &request, opt->input_fd, save_window_on_answer, save))
		return rs_fail(&save->err, "cannot ask the engine: out of memory");
	return 0;
}

static bool save_window_is_done(const struct rs_window_save *save)
{
	return save->answered || save->err.status != RS_OK;
}

/* False: all are done. */
static bool save_window_wait(struct rs_window_save *saves, size_t nr)
{
	struct pollfd fds[RS_HOSTS_MAX];
	bool waits = false;

	for (size_t i = 0; i < nr; i++) {
		bool done = save_window_is_done(&saves[i]);

		fds[i] = (struct pollfd){ .fd = done ? -1 : rs_client_fd(saves[i].client),
					  .events = done ? 0 : rs_client_events(saves[i].client) };
		waits |= !done;
	}
	if (waits)
		poll(fds, nr, -1);
	for (size_t i = 0; waits && i < nr; i++)
		if (!save_window_is_done(&saves[i]) && fds[i].revents)
			rs_client_read(saves[i].client, &saves[i].err);
	return waits;
}

void rs_save_windows_as_input(struct rs_window_save *saves, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		save_window_ask(&saves[i]);
	while (save_window_wait(saves, nr))
		;
	for (size_t i = 0; i < nr; i++)
		if (saves[i].err.status != RS_OK)
			rs_close(&saves[i].opt->input_fd);
}

int rs_save_window_as_input(struct rs_client *c, struct rs_options *opt, struct rs_error *err)
{
	struct rs_window_save save = { .client = c, .opt = opt };

	rs_save_windows_as_input(&save, 1);
	if (save.err.status == RS_OK)
		return 0;
	*err = save.err;
	return -1;
}
