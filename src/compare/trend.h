/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trend.h - measures of rows over many sides, in the order of time, and where they changed
 *
 *	struct rs_trend trend;
 *
 *	rs_trend_begin(&trend, nr);                  // how many sides there will be
 *	rs_trend_add(&trend, n, side, 0);            // the n-th, from 0 on; it is not kept
 *	n = rs_trend_find(&trend, trend.at[i], RS_TREND_P99, points, room);
 *	rs_trend_done(&trend);
 */
#ifndef RS_COMPARE_TREND_H
#define RS_COMPARE_TREND_H

#include "compare/e-divisive.h"
#include "compare/side.h"

#define RS_TREND_POINTS 16u /* of a series; more are not looked for */

enum rs_trend_measure { RS_TREND_RATE, RS_TREND_P50, RS_TREND_P99, RS_TREND_TOTAL, RS_TREND_NR_MEASURES };

/* A row of a view over all sides. */
struct rs_trend_series {
	struct rs_map_node node;    /* private */
	const char *view;           /* lives as long as the program */
	char *key;                  /* its texts, a blank between */
	/*
	 * a value for each side: how many a second, or a run; ns; ns in a second, or a run. NAN: not known,
	 * as of too few values. A row that a side does not have came there 0 times
	 */
	double *values[RS_TREND_NR_MEASURES];
};

struct rs_trend {
	struct rs_map map;          /* private */
	struct rs_trend_series **at;
	size_t nr, room;
	size_t nr_sides;
	bool failed;                /* no memory: rows are missing */
};

/* From side `at` on it is another. */
struct rs_trend_point {
	size_t at;
	double before, after;       /* medians of the parts up to the point before, and after */
	double share;               /* see struct rs_e_divisive_point */
};

bool rs_trend_begin(struct rs_trend *trend, size_t nr_sides);
void rs_trend_done(struct rs_trend *trend);
/* Of the views from first_view on; sorts the points of their rows. */
void rs_trend_add(struct rs_trend *trend, size_t n, struct rs_side *side, size_t first_view);
/* In their order. Changes of less than RS_CHANGE_LEAST_SHARE, and of latencies of little, are none. */
size_t rs_trend_find(const struct rs_trend *trend, const struct rs_trend_series *series,
		     enum rs_trend_measure measure, struct rs_trend_point points[RS_TREND_POINTS]);
const char *rs_trend_word(enum rs_trend_measure measure); /* "p99" */

#endif
