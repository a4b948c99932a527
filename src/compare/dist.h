/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dist.h - distributions of two sides, compared without a shape assumed; errors as in estimate.h */
#ifndef RS_COMPARE_DIST_H
#define RS_COMPARE_DIST_H

#include "compare/estimate.h"

/* Of one row: what it counted, sorted by value. */
struct rs_dist {
	const struct rs_side_point *points;
	size_t nr_points;
	uint64_t nr;                /* values */
	unsigned int nr_blocks;
};

/* Sorts the row's points, once. */
struct rs_dist rs_dist_of(struct rs_side_row *row, unsigned int nr_blocks);

/*
 * rs_dist_rank_test - how likely a value of b is above one of a, ties half: 0.5 where they are alike
 *
 * Mann and Whitney's U / (nr_a * nr_b). Its error is from placements, by blocks: DeLong, DeLong and
 * Clarke-Pearson, Biometrics 44, 1988; of clusters Obuchowski, Biometrics 53, 1997. 0.5 where one is empty.
 */
struct rs_estimate rs_dist_rank_test(const struct rs_dist *a, const struct rs_dist *b);

struct rs_interval_ns {
	double value, low, high;
};

/* A quantile, nearest rank, and its interval at `errors` errors of its rank: Woodruff, JASA 47, 1952. */
struct rs_interval_ns rs_dist_quantile(const struct rs_dist *d, unsigned int per_mille, double errors);
/* b - a with its interval: MOVER, Zou and Donner, Statistics in Medicine 27, 2008. */
struct rs_interval_ns rs_dist_shift(struct rs_interval_ns a, struct rs_interval_ns b);

#endif
