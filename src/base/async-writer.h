/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * async-writer.h - full buffers are written by a thread of their own, while the next ones are filled
 *
 *	struct rs_behind *w = rs_async_writer_new(write_it, arg, 1 << 18, &err);
 *	... rs_async_writer_put(w, &buf) whenever buf is large enough
 *	rs_async_writer_end(w, &err);
 *
 * The kernel takes as long to copy an export into its page cache as it takes to make it. Buffers change hands and are
 * not copied; where all are waiting, so does who fills them. Where no thread can be made, writing is done at once.
 */
#ifndef RS_BASE_ASYNC_WRITER_H
#define RS_BASE_ASYNC_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct rs_async_writer;

/* Writes what b holds, one at a time; -1: no more can be written, with err set if that is an error. */
typedef int rs_async_writer_write(void *arg, struct rs_buf *b, struct rs_error *err);

/* Buffers have room for so many bytes from the beginning. NULL: no memory. */
struct rs_async_writer *rs_async_writer_new(rs_async_writer_write *write, void *arg, size_t bytes,
					    struct rs_error *err);

/* Takes what b holds, for an empty one; false where it is of no use any more, for a write has failed. */
bool rs_async_writer_put(struct rs_async_writer *w, struct rs_buf *b);

/* After the last one is written: -1 if one could not be, with err set if that is an error. NULL is fine. */
int rs_async_writer_end(struct rs_async_writer *w, struct rs_error *err);

#endif
