/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue-depth.h - the depth of a CPU's run queue, for a counter: without what lasted too short to be seen,
 * but for peaks
 *
 *	if (rs_queue_depth_set(&q, depth, ts_ns, &done))     // and rs_queue_depth_end at the end
 *		write done.depth since done.since_ns
 */
#ifndef RS_EXPORT_QUEUE_DEPTH_H
#define RS_EXPORT_QUEUE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#define RS_QUEUE_HELD_NS 100000      /* a shorter depth is not drawn */
#define RS_QUEUE_EVERY_NS 1000000    /* unless none was drawn for this long, or none as high */

struct rs_queue_depth {
	unsigned int depth, top;     /* top: the highest one that was written since top_ns */
	bool pending;                /* it is not written yet */
	bool follows_peak;           /* the one before was a short peak: this one says where that ends */
	uint64_t since_ns, written_ns, top_ns;
};

/* Returns true if there is a depth that is not written: it is in *last, and counts as written. */
static inline bool rs_queue_depth_end(struct rs_queue_depth *q, struct rs_queue_depth *last)
{
	*last = *q;
	if (!q->pending)
		return false;
	q->written_ns = q->since_ns;
	if (q->depth >= q->top || q->since_ns - q->top_ns >= RS_QUEUE_EVERY_NS) {
		q->top = q->depth;
		q->top_ns = q->since_ns;
	}
	q->pending = false;
	return true;
}

/* The depth from now on. Returns true if the one before is to be written. */
static inline bool rs_queue_depth_set(struct rs_queue_depth *q, unsigned int depth, uint64_t ts_ns,
				      struct rs_queue_depth *last)
{
	bool is_held = ts_ns - q->since_ns >= RS_QUEUE_HELD_NS || ts_ns - q->written_ns >= RS_QUEUE_EVERY_NS;
	bool is_peak = q->pending && !is_held &&
		       q->depth > (ts_ns - q->top_ns < RS_QUEUE_EVERY_NS ? q->top : 0);
	bool is_due = (is_held || is_peak || q->follows_peak) && rs_queue_depth_end(q, last);

	q->depth = depth;
	q->since_ns = ts_ns;
	q->pending = true;
	q->follows_peak = is_peak;
	return is_due;
}

#endif
