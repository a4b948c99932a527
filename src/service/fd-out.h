/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-out.h - writes to a descriptor that a client opened, whose reader may stop reading
 *
 * A pipe with a stopped reader must not block a thread forever. So each write waits for room first, and writes no
 * more than fits at once. The descriptor's flags stay unchanged, because they are shared with the client. The caller
 * ignores SIGPIPE.
 */
#ifndef RS_SERVICE_FD_OUT_H
#define RS_SERVICE_FD_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rs_fd_out {
	int fd;
	bool (*go_on)(void *arg);  /* called while it waits; false: the client has closed. May be NULL */
	void *arg;
	int stall_ms;              /* gives up after this time without progress; 0: ten seconds */
	bool is_file;              /* set by rs_fd_out_check */
	uint64_t bytes;            /* written */
};

/* Checks that the descriptor can be written to. */
int rs_fd_out_check(struct rs_fd_out *o, struct rs_error *err);
int rs_fd_out(struct rs_fd_out *o, const void *data, size_t len_bytes, struct rs_error *err);

#endif
