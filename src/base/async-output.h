/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * async-output.h - bytes on their way to a file descriptor that may be slow
 *
 *	struct rs_outbox *box = rs_async_output_new(STDOUT_FILENO, 8 << 20, &err);
 *	// one thread, at normal priority:
 *	rs_async_output_run(box);                // writes until the end
 *	// another one, the analysis:
 *	rs_async_output_put(box, &buf);          // waits only where 8 MiB are waiting already
 *	rs_async_output_end(box);
 *	// after both:
 *	rs_async_output_free(box, &err);
 *
 * The analysis runs at nice -20 and must not stand still because a terminal
 * scrolls. The threads are the caller's, who has to keep their work out of what
 * is traced.
 */
#ifndef RS_BASE_ASYNC_OUTPUT_H
#define RS_BASE_ASYNC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct rs_async_output;

struct rs_async_output *rs_async_output_new(int fd, size_t max_bytes, struct rs_error *err);

/* Writes what is put, until the end or until a write fails. */
void rs_async_output_run(struct rs_async_output *box);

/* Takes what b holds and clears it; false where that is of no use any more: nobody reads, or a write failed. */
bool rs_async_output_put(struct rs_async_output *box, struct rs_buf *b);

/* Nothing more will be put. */
void rs_async_output_end(struct rs_async_output *box);

/* Has writing come to an end before the bytes did? Any thread may ask. */
bool rs_async_output_broken(struct rs_async_output *box);

/* -1 with err set where a write failed; that the reader has gone away is no error. NULL is fine. */
int rs_async_output_free(struct rs_async_output *box, struct rs_error *err);

#endif
