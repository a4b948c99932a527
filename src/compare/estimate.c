// SPDX-License-Identifier: GPL-2.0-or-later
/* estimate - figures with their errors, from blocks of time, without a distribution assumed */
#include "compare/estimate.h"

#include <math.h>

#define TOLD_Z 3.8906     /* two-sided 0.0001 of the normal distribution, of which t is a correction */
#define INTERVAL_Z 1.9600 /* 0.05 */

struct rs_estimate rs_estimate_ratio(const double *x, const double *y, unsigned int nr_blocks)
{
	double all_x = 0, all_y = 0, squares = 0, ratio;
	unsigned int nr = 0; /* blocks that have any: the others are of no help */

	for (unsigned int i = 0; i < nr_blocks; i++) {
		all_x += x[i];
		all_y += y[i];
		nr += y[i] > 0;
	}
	if (!nr)
		return (struct rs_estimate){ 0, INFINITY };
	ratio = all_x / all_y;
	for (unsigned int i = 0; i < nr_blocks; i++)
		squares += (x[i] - ratio * y[i]) * (x[i] - ratio * y[i]);
	return (struct rs_estimate){
		ratio, nr < RS_SIDE_LEAST_BLOCKS ? INFINITY : sqrt(squares * nr / (nr - 1)) / all_y,
	};
}

struct rs_estimate rs_estimate_of_counts(const uint64_t *x, const uint64_t *y, unsigned int nr_blocks)
{
	double dx[RS_SIDE_MAX_BLOCKS], dy[RS_SIDE_MAX_BLOCKS];

	for (unsigned int i = 0; i < nr_blocks; i++) {
		dx[i] = (double)x[i];
		dy[i] = (double)y[i];
	}
	return rs_estimate_ratio(dx, dy, nr_blocks);
}

struct rs_estimate rs_estimate_change(struct rs_estimate a, struct rs_estimate b)
{
	return (struct rs_estimate){ b.value - a.value, hypot(a.error, b.error) };
}

/* Cornish and Fisher's expansion of t's quantile about the normal one: Abramowitz and Stegun, 26.7.5. */
static double estimate_t(double z, unsigned int nr_blocks)
{
	double df = nr_blocks > 2 ? nr_blocks - 1 : 1, z2 = z * z;

	return z * (1 + (z2 + 1) / (4 * df) + ((5 * z2 + 16) * z2 + 3) / (96 * df * df));
}

double rs_estimate_told(unsigned int nr_blocks)
{
	return estimate_t(TOLD_Z, nr_blocks);
}

double rs_estimate_interval(unsigned int nr_blocks)
{
	return estimate_t(INTERVAL_Z, nr_blocks);
}
