/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * responder.h - what a daemon does when a condition fires: a recording, a command, the journal
 *
 * The process that analyzes has no right to write files or to start programs. A process of its own, begun
 * before, does that as the same user, and is a client of the daemon like any other: it asks which conditions
 * fired, and has the time around that saved to files that it opened. It ends when the daemon does. It is
 * there before there are conditions: the daemon cannot begin a process once it serves, and SIGHUP may bring
 * some.
 *
 * It does one thing after another: thousand firings a second cost what one costs. A recording is of all that
 * fired up to its end.
 */
#ifndef RS_DAEMON_RESPONDER_H
#define RS_DAEMON_RESPONDER_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/keep-recording.h"

#define RS_RESPONDER_FOLDER "/var/lib/ringside/incidents"

struct rs_responder_config {
	bool is_idle;                /* no conditions yet, and perhaps never: it costs next to nothing */
	/* of recordings; made if it is not there, which must not fail unless it is idle */
	const char *folder;
	unsigned int most;           /* 0: keeps none */
	uint64_t most_bytes;
	uint64_t before_ns, after_ns; /* of what fired */
	const char *formats[RS_KEEP_FORMATS + 1]; /* of "save", and "findings"; ends with NULL */
	const char *command;         /* NULL: none */
	bool journal;                /* it is told there; else on standard error */
};

/*
 * Begins it. Returns the daemon's end of its connection, for rs_serve_config.client_fd, or -1. Call it while
 * there is one thread, and before files are opened that it does not need.
 */
int rs_responder_start(const struct rs_responder_config *config, struct rs_error *err);

#endif
