/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slowest-kept.h - the longest spans of a kind, collected as they are emitted, so that a query need not walk
 * all
 *
 * They are grouped by the second in which they ended, for the last few seconds; with width_ns 0 in one group
 * for all times. Most spans are shorter than those already stored and cost one comparison.
 */
#ifndef RS_MODEL_SLOWEST_KEPT_H
#define RS_MODEL_SLOWEST_KEPT_H

#include "model/timeline.h"

#define RS_SLOWEST_OF_EACH 4   /* for each slot of time */
#define RS_SLOWEST_TIMES 16

struct rs_long_span {
	uint32_t type;           /* type and id of its track, as rs_timeline_find takes them */
	uint64_t id;
	struct rs_timeline_span span;
};

struct rs_slowest_time {
	uint64_t number;         /* each slot covers width_ns */
	uint64_t least_ns;       /* the shortest stored duration if the slot is full, else 0 */
	unsigned int nr;
	struct rs_long_span spans[RS_SLOWEST_OF_EACH];
};

struct rs_slowest_kept {
	uint64_t width_ns;
	struct rs_slowest_time times[RS_SLOWEST_TIMES];
};

static inline struct rs_slowest_time *rs_slowest_kept_at(struct rs_slowest_kept *l, uint64_t end_ns)
{
	return &l->times[l->width_ns ? end_ns / l->width_ns % RS_SLOWEST_TIMES : 0];
}

/* Returns true if rs_slowest_kept_add would store it. */
static inline bool rs_slowest_kept_accepts(struct rs_slowest_kept *l, const struct rs_timeline_span *s)
{
	const struct rs_slowest_time *t = rs_slowest_kept_at(l, s->end_ns);

	return s->end_ns - s->start_ns > t->least_ns || (l->width_ns && s->end_ns / l->width_ns > t->number);
}

void rs_slowest_kept_add(struct rs_slowest_kept *l, const struct rs_long_span *span);
/* Copies those that ended at from_ns or later, longest first, at most max; returns how many. */
size_t rs_slowest_kept_get(const struct rs_slowest_kept *l, uint64_t from_ns, struct rs_long_span *to,
			   size_t max);

#endif
