/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-out.h - bytes to a descriptor that somebody else has opened and may not read from
 *
 * A pipe whose reader sleeps must not hold a thread for ever: it is asked whether it takes more, and given no more
 * than it takes at once. Its flags stay as they are, for they are shared with whoever passed it. SIGPIPE is
 * taken to be ignored.
 */
#ifndef RS_SERVICE_FD_OUT_H
#define RS_SERVICE_FD_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rs_fd_out {
	int fd;
	bool (*go_on)(void *arg);  /* asked while it waits; false: the client is gone. May be NULL */
	void *arg;
	int stall_ms;              /* so long nothing may be taken; 0: ten seconds */
	bool is_file;              /* set by rs_fd_out_check */
	uint64_t bytes;            /* written */
};

/* Can it be written to at all? */
int rs_fd_out_check(struct rs_fd_out *o, struct rs_error *err);
int rs_fd_out(struct rs_fd_out *o, const void *data, size_t len_bytes, struct rs_error *err);

#endif
