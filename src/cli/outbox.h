/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox.h - bytes on their way to a file descriptor that may be slow
 *
 *	struct rs_outbox *box = rs_outbox_new(STDOUT_FILENO, 8 << 20, &err);
 *	rs_outbox_put(box, &buf);          // the analysis: waits only where 8 MiB are waiting already
 *	rs_outbox_close(box, &err);        // waits until all is written
 *
 * The analysis runs at nice -20 and must not stand still because a terminal
 * scrolls: a thread of its own, at normal priority, writes. One thread puts.
 */
#ifndef RS_CLI_OUTBOX_H
#define RS_CLI_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct rs_outbox;

/* Makes the writing thread with the priority and signal mask of the caller. NULL on error. */
struct rs_outbox *rs_outbox_new(int fd, size_t max_bytes, struct rs_error *err);

/* Takes what b holds and clears it; false where it is of no use any more: the reader is gone, or a write failed. */
bool rs_outbox_put(struct rs_outbox *box, struct rs_buf *b);

/* Has writing come to an end before the bytes did? Any thread may ask. */
bool rs_outbox_broken(struct rs_outbox *box);

/*
 * rs_outbox_close - writes the rest, ends the thread, frees. -1 with err set where
 * a write failed; that the reader has gone away is no error. NULL is fine.
 */
int rs_outbox_close(struct rs_outbox *box, struct rs_error *err);

#endif
