/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakers.h - the waker that ended a wait: a state keeps its tid, the rest follows from the tracks
 */
#ifndef RS_QUERY_WAKERS_H
#define RS_QUERY_WAKERS_H

#include "query/latency-dist.h"

struct rs_waker {
	int32_t tid;              /* 0: an interrupt */
	bool track_known;         /* of an interrupt, or a task that is forgotten, it is not */
	struct rs_track_ref ref;
	uint64_t at_ns;           /* when it woke */
};

/*
 * Of a state, or an on-CPU slice: the waker of the task; of a call or wait: the task that woke it
 * last meanwhile. False: no task did, or it is not known.
 */
bool rs_wakers_find(struct rs_timelines *t, const struct rs_slowest_span *s, struct rs_waker *waker);

struct rs_taker {
	int32_t tid;
	struct rs_track_ref ref;
	uint64_t ran_ns;          /* of the wait, before somebody else had the CPU, or the one who waited */
};

/* Of a preempted wait: the task that the CPU was given to. False: it is another span, or that is not known. */
bool rs_wakers_find_preemptor(struct rs_timelines *t, const struct rs_slowest_span *s,
			      struct rs_taker *taker);

#endif
