/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keep-command.h - runs the command of a condition that fired: what it is told, how long it may run */
#ifndef RS_DAEMON_KEEP_COMMAND_H
#define RS_DAEMON_KEEP_COMMAND_H

#include "base/error.h"

/* Of its environment: "RINGSIDE_SENTENCE" and its value. */
struct rs_keep_variable {
	const char *name, *value;
};

/*
 * Runs it with sh -c, with these variables (which end with a NULL name) beside PATH, and /dev/null as its
 * input; waits for its end. What runs longer than limit_ms is killed, with all of its process group. -1: err
 * says so, or that it failed.
 */
int rs_keep_command_run(const char *command, const struct rs_keep_variable *variables, int limit_ms,
			struct rs_error *err);

#endif
