/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakers.h - finds the waker that ended a wait: a state has its tid, the rest follows from the tracks
 */
#ifndef RS_QUERY_WAKERS_H
#define RS_QUERY_WAKERS_H

#include "query/latency-dist.h"

struct rs_waker {
	int32_t tid;              /* 0: an interrupt */
	bool track_known;         /* false for an interrupt or a forgotten task */
	struct rs_track_ref ref;
	uint64_t at_ns;           /* when it woke */
};

/*
 * Of a state or an on-CPU slice: the waker of the task; of a call or wait: the last waker within it. Returns
 * false if there was none, or it is unknown.
 */
bool rs_wakers_find(struct rs_timelines *t, const struct rs_slowest_span *s, struct rs_waker *waker);

struct rs_taker {
	int32_t tid;
	struct rs_track_ref ref;
	uint64_t ran_ns;          /* of the wait, until another task, or the waiting one, got the CPU */
};

/* Of a preempted wait: the task that got the CPU. Returns false for another span, or if it is unknown. */
bool rs_wakers_find_preemptor(struct rs_timelines *t, const struct rs_slowest_span *s,
			      struct rs_taker *taker);

#endif
