/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - rows of a view on both sides, and whether they differ
 *
 *	struct rs_change_list list;
 *
 *	rs_change_compare(&list, a, b, 2);           // the third view of the sides, which have the same views
 *	for (size_t i = 0; i < list.nr; i++)         // what costs most first
 *		...
 *	rs_change_list_done(&list);
 */
#ifndef RS_COMPARE_CHANGE_H
#define RS_COMPARE_CHANGE_H

#include "compare/dist.h"

enum rs_change_verdict {
	RS_CHANGE_NONE,             /* no difference was found */
	RS_CHANGE_UNDETERMINED,     /* too few blocks or values to find one */
	RS_CHANGE_SLOWER,
	RS_CHANGE_FASTER,
	RS_CHANGE_MORE,             /* as slow, and more of it each second */
	RS_CHANGE_LESS,
	RS_CHANGE_NEW,              /* on b alone */
	RS_CHANGE_ABSENT,             /* on a alone */
	RS_NR_CHANGE_VERDICTS
};

struct rs_change {
	const struct rs_side_row *a, *b;        /* NULL: it is not on that side */
	enum rs_change_verdict verdict;
	struct rs_estimate rate_a, rate_b;      /* how many a second, or in a run of a command */
	struct rs_estimate total_a, total_b;    /* how much of it likewise: ns, or what the view counts */
	struct rs_estimate above;               /* rs_dist_rank_test */
	struct rs_interval_ns p50_a, p50_b, p99_a, p99_b;
	struct rs_interval_ns p50, p99;         /* b - a */
	double cost;                            /* change of the total */
};

struct rs_change_list {
	const struct rs_side_view *view;
	struct rs_change *at;
	size_t nr, room;
	bool failed;
};

/*
 * What is told is told by a test that assumes no shape, with the level of rs_estimate_told, and changes the
 * median or the 99th percentile (or, of what is counted, the rate) by RS_CHANGE_LEAST_SHARE at least.
 */
#define RS_CHANGE_LEAST_SHARE 0.05
/*
 * Of less than this a latency changes from run to run of the same program, by the CPU that a task comes to
 * and the speed that it has at that time: told is what is more, or half of what it was.
 */
#define RS_CHANGE_LEAST_NS 10000
#define RS_CHANGE_HALF 0.5
#define RS_CHANGE_LEAST_VALUES 30u
#define RS_CHANGE_LEAST_TAIL 500u /* values, of which 5 are above the 99th percentile */

void rs_change_compare(struct rs_change_list *list, const struct rs_side *a, const struct rs_side *b,
		       size_t view);
void rs_change_list_done(struct rs_change_list *list);
const char *rs_change_word(enum rs_change_verdict verdict); /* "slower" */

#endif
