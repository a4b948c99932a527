/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * async-writer.h - one thread writes what another one produces
 *
 *	struct rs_async_writer *w = rs_async_writer_new(write_it, arg, 1 << 18, &err);
 *
 *	rs_async_writer_start(w);            // in a thread of its own; or in one of the caller's:
 *	                                     // rs_async_writer_run(w)
 *	rs_async_writer_put(w, &buf);        // again and again; waits only where three buffers are full
 *	rs_async_writer_close(w);
 *	rs_async_writer_free(w, &err);       // after the caller's thread has ended
 *
 * An analysis must not stand still because a terminal scrolls, and the kernel takes as long to copy an export
 * into its page cache as it takes to make it. Buffers change hands and are not copied, except small ones,
 * which are collected.
 */
#ifndef RS_BASE_ASYNC_WRITER_H
#define RS_BASE_ASYNC_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct rs_async_writer;

/* Writes what b holds, one buffer at a time; -1: no more can be written, with err set if that is an error. */
typedef int rs_async_writer_write(void *arg, struct rs_buf *b, struct rs_error *err);

/* Three buffers, each with room for so many bytes. NULL: no memory. */
struct rs_async_writer *rs_async_writer_new(rs_async_writer_write *write, void *arg, size_t buffer_bytes,
					    struct rs_error *err);

/* Writes in a thread of its own. Where none can be made rs_async_writer_put writes at once. */
void rs_async_writer_start(struct rs_async_writer *w);

/*
 * Writes in the calling thread, until rs_async_writer_close: for a thread that must be kept out of what is
 * traced.
 */
void rs_async_writer_run(struct rs_async_writer *w);

/* Takes what b holds, and leaves it empty; false: nothing is written any more, because a write has failed. */
bool rs_async_writer_put(struct rs_async_writer *w, struct rs_buf *b);

/* Has a write failed? Any thread may ask. */
bool rs_async_writer_failed(struct rs_async_writer *w);

/*
 * Returns true while a writer of this process waits for somebody to read what it has written: a pager at its
 * first page, a terminal stopped by Ctrl-S. A watchdog that looks for stalled threads asks here first.
 */
bool rs_async_writer_waits(void);

/* Nothing more will be put. */
void rs_async_writer_close(struct rs_async_writer *w);

/*
 * Closes it, and waits for its own thread. -1 if a write failed, with err set if that is an error and err
 * holds none yet. NULL is fine.
 */
int rs_async_writer_free(struct rs_async_writer *w, struct rs_error *err);

#endif
