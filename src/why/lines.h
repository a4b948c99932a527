/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - divides a wait in line, for a lock, among those who had it meanwhile and did not stand in line
 * themselves
 *
 *	struct rs_line line;
 *	struct rs_line_part part;
 *
 *	rs_line_begin(&line, c, seg, from_ns, to_ns);
 *	while (rs_line_next(&line, &part))
 *		...                                        // newest first; who ended part.seg had the lock in
 *		                                           // that part
 *
 * A wait that is for nothing that is handed on has one part: all of it, of the waker.
 */
#ifndef RS_WHY_LINES_H
#define RS_WHY_LINES_H

#include "why/history.h"

struct rs_line {
	struct rs_ctx *c;
	const struct rs_segment *seg; /* the wait that is handed down next; NULL: no more */
	uint64_t from_ns, to_ns;      /* what is left of the time */
	unsigned int steps;           /* segments that were looked at */
	bool is_line;                 /* what it waits for is handed from one to the next */
};

/* seg: BLOCKED, of this task or of one before it in the line. */
struct rs_line_part {
	const struct rs_segment *seg;
	uint64_t from_ns, to_ns;
};

void rs_line_begin(struct rs_line *line, struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns,
		   uint64_t to_ns);
/* Is what the segment waits for handed from one task to the next: a lock, a futex, a semaphore? */
bool rs_line_is_handed_on(struct rs_ctx *c, const struct rs_segment *seg);
/* Does b wait in the same line as a, which is handed on? */
bool rs_line_is_same(const struct rs_segment *a, const struct rs_segment *b);
/* Returns false if there are no more. */
bool rs_line_next(struct rs_line *line, struct rs_line_part *part);

#endif
