/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.h - figures with their errors, from blocks of time, without a distribution assumed
 *
 * Events that follow one another are not independent: a slow disk is slow for many requests. So the unit that
 * is taken to be independent is the block, and each error comes from how blocks differ.
 */
#ifndef RS_COMPARE_ESTIMATE_H
#define RS_COMPARE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/side.h"

struct rs_estimate {
	/* error: its standard error; INFINITY: it is in too few blocks to say, RS_SIDE_LEAST_BLOCKS */
	double value, error;
};

/*
 * rs_estimate_ratio - sum of x / sum of y of all blocks; 0 where y is 0
 *
 * The error is that of a ratio estimator of clusters: Cochran, Sampling Techniques, 3rd ed., 1977, (6.13).
 */
struct rs_estimate rs_estimate_ratio(const double *x, const double *y, unsigned int nr_blocks);
/* The same of counts. */
struct rs_estimate rs_estimate_of_counts(const uint64_t *x, const uint64_t *y, unsigned int nr_blocks);

/* b - a, of independent sides. */
struct rs_estimate rs_estimate_change(struct rs_estimate a, struct rs_estimate b);

/*
 * How many errors a change must be to be told, and how many its 95 % interval reaches to each side: quantiles
 * of Student's t, for the degrees of freedom of the side with fewer blocks. The first is so far out (1 in
 * 20,000) because hundreds of keys are compared at once.
 */
double rs_estimate_told(unsigned int nr_blocks);
double rs_estimate_interval(unsigned int nr_blocks);

#endif
