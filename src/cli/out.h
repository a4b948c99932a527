/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - standard output: whole writes, checked; a reader who went away ends the program quietly; warnings
 * on stderr
 *
 *	if (rs_out(&buf, &err) < 0)
 *		goto out;        // err is set, or the reader is gone: main knows
 */
#ifndef RS_CLI_OUT_H
#define RS_CLI_OUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/* Writes what the buffer holds and clears it; -1 where it cannot, with err set unless the reader is gone. */
int rs_out(struct rs_buf *b, struct rs_error *err);

/* Likewise, and frees the buffer; returns err->status. */
enum rs_exit rs_out_end(struct rs_buf *b, struct rs_error *err);

/*
 * The same to a file that is open, or a FIFO whose reader may go. left: what an error leaves of it, "it is
 * not whole".
 */
int rs_out_file(int fd, const char *path, const char *left, struct rs_buf *b, struct rs_error *err);

/* The reader of standard output has closed it ("| head"): nothing more is of use. */
bool rs_out_closed(void);

/* -q: no warnings, no progress. main sets it from the options. */
extern bool rs_out_quiet;
/*
 * "ringside: note: ..." on stderr for each line of the text, which may be hostile, or NULL; a line that was
 * printed before is not printed again. A note is printed under -q, too.
 */
void rs_out_note(const char *lines);
void rs_out_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Writes its lines to stderr as they stand, and empties it. once: without those that were printed before. */
void rs_out_aside(struct rs_buf *aside, bool once);

#endif
