/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save-window.h - what a daemon's window holds, or the part of it that --from, --to and --last name, as a
 * file
 */
#ifndef RS_CLI_SAVE_WINDOW_H
#define RS_CLI_SAVE_WINDOW_H

#include "cli/options/options.h"
#include "rpc/client.h"

/*
 * The daemon writes it to fd. format: of rs_save. The caller drops the reply (rs_message_drop); NULL: err is
 * set.
 */
const struct rs_save_reply *rs_save_window(struct rs_client *c, const struct rs_options *opt,
					   const char *format, int fd, struct rs_error *err);
/*
 * rs_save_window_as_input - the window up to the end of the time that opt names, in memory, becomes opt's
 * input
 *
 * So what was in flight at the begin of that time is known. opt->from and ->to are in the trace clock then:
 * the user counts from the daemon's begin and end, which the file does not share. The caller closes
 * opt->input_fd. -1: err is set.
 */
int rs_save_window_as_input(struct rs_client *c, struct rs_options *opt, struct rs_error *err);

struct rs_window_save {
	struct rs_client *client;
	struct rs_options *opt;
	struct rs_error err;     /* of this one: opt->input_fd is -1 then */
	bool answered;
};

/* The same of several daemons, RS_HOSTS_MAX at most, at one time: windows go on. */
void rs_save_windows_as_input(struct rs_window_save *saves, size_t nr);

#endif
