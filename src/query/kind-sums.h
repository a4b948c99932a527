/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind-sums.h - how many spans of each kind ended in a time range, and their time, by what they waited for
 *
 *	struct rs_kind_sums *k = rs_kind_sums_new(timelines, &ask, &err);
 *	while (rs_kind_sums_go(k, 200000))
 *		;
 *	... rs_kind_sums_at(k, kind, cause) ...
 *	rs_kind_sums_free(k);
 *
 * A task's states are summed by their cause, other kinds have one each (rs_span_kind.cause).
 */
#ifndef RS_QUERY_KIND_SUMS_H
#define RS_QUERY_KIND_SUMS_H

#include "query/span-walk.h"

struct rs_kind_sums_ask {
	int32_t pid, tid;         /* 0: all. With one of them, only kinds whose spans have a task */
	bool one_track;
	struct rs_track_ref track;
	uint64_t from_ns, to_ns;
	/* Which of these spans; called with `where`. NULL: all */
	bool (*passes)(const void *where, const struct rs_track_ref *ref, const struct rs_timeline_span *s);
	const void *where;
};

struct rs_kind_sum {
	uint64_t count, ns;       /* ns UINT64_MAX: that or more */
};

struct rs_kind_sums {
	struct rs_kind_sums_ask ask;
	struct rs_span_walk walk;
	unsigned int nr_kinds;
	struct rs_kind_sum (*sums)[RS_NR_CAUSES]; /* by the number of the kind */
};

/* Returns NULL with err. */
struct rs_kind_sums *rs_kind_sums_new(struct rs_timelines *t, const struct rs_kind_sums_ask *ask,
				      struct rs_error *err);
bool rs_kind_sums_go(struct rs_kind_sums *k, uint64_t nr_spans); /* false: it is done */
void rs_kind_sums_free(struct rs_kind_sums *k);

#endif
