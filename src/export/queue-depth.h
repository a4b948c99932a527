/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue-depth.h - the depth of a CPU's run queue, for a counter: without what lasted too short to be seen
 *
 *	if (rs_queue_depth_set(&q, depth, ts_ns, &done))     // and rs_queue_depth_end at the end
 *		write done.depth since done.since_ns
 */
#ifndef RS_EXPORT_QUEUE_DEPTH_H
#define RS_EXPORT_QUEUE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#define RS_QUEUE_HELD_NS 100000      /* a shorter depth is not drawn */
#define RS_QUEUE_EVERY_NS 1000000    /* unless none was drawn for this long */

struct rs_queue_depth {
	unsigned int depth;
	bool pending;                /* it is not written yet */
	uint64_t since_ns, written_ns;
};

/* Returns true if there is a depth that is not written: it is in *last, and counts as written. */
static inline bool rs_queue_depth_end(struct rs_queue_depth *q, struct rs_queue_depth *last)
{
	*last = *q;
	if (q->pending)
		q->written_ns = q->since_ns;
	q->pending = false;
	return last->pending;
}

/* The depth from now on. Returns true if the one before is to be written. */
static inline bool rs_queue_depth_set(struct rs_queue_depth *q, unsigned int depth, uint64_t ts_ns, struct rs_queue_depth *last)
{
	bool is_seen = ts_ns - q->since_ns >= RS_QUEUE_HELD_NS || ts_ns - q->written_ns >= RS_QUEUE_EVERY_NS;
	bool is_due = is_seen && rs_queue_depth_end(q, last);

	*q = (struct rs_queue_depth){ depth, true, ts_ns, q->written_ns };
	return is_due;
}

#endif
