/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-engine.h - an engine of the TUI's own: a child process that serves over a socketpair
 *
 * The child keeps what it takes to trace; this process, which draws, gives its privileges up. It begins with the first
 * question: when the terminal is ours, so that no key that is typed until then is left for the shell.
 */
#ifndef RS_CLI_OWN_ENGINE_H
#define RS_CLI_OWN_ENGINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "cli/options.h"

/*
 * rs_own_engine_begin - of opt->input where that is given, else live. Returns the socket, -1 on error; *pid is the
 * child's. Before any thread is made.
 */
int rs_own_engine_begin(const struct rs_options *opt, pid_t *pid, struct rs_error *err);
/* Without waiting; rs_own_engine_end must still be called. */
bool rs_own_engine_has_ended(pid_t pid);
/*
 * The socket has been closed: waits until the engine has cleaned up behind itself. -1: it ended otherwise than it
 * should, which err says.
 */
int rs_own_engine_end(pid_t pid, struct rs_error *err);

#endif
