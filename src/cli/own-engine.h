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
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "cli/options.h"

struct rs_own_engine {
	int fd;                  /* the socket, its user's */
	pid_t pid;               /* the child's */
};

/*
 * rs_own_engine_begin - of opt->input where that is given, else live. Before any thread is made. 0, or -1 with err set.
 * With the nr that were begun before it has nothing to do: it does not hold their sockets open.
 */
int rs_own_engine_begin(const struct rs_options *opt, struct rs_own_engine *engine, const struct rs_own_engine *before,
			size_t nr, struct rs_error *err);
/* Without waiting; rs_own_engine_end must still be called. */
bool rs_own_engine_has_ended(pid_t pid);
/*
 * The socket has been closed: waits until the engine has cleaned up behind itself. -1: it ended otherwise than it
 * should, which err says.
 */
int rs_own_engine_end(pid_t pid, struct rs_error *err);

#endif
