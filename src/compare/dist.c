// SPDX-License-Identifier: GPL-2.0-or-later
/* dist - distributions of two sides, compared without a shape assumed */
#include "compare/dist.h"

#include <math.h>
#include <stdlib.h>

static int dist_compare(const void *a, const void *b)
{
	uint64_t x = ((const struct rs_side_point *)a)->value, y = ((const struct rs_side_point *)b)->value;

	return (x > y) - (x < y);
}

struct rs_dist rs_dist_of(struct rs_side_row *row, unsigned int nr_blocks)
{
	struct rs_dist d = { row->points, row->nr_points, 0, nr_blocks };

	if (row->nr_points)
		qsort(row->points, row->nr_points, sizeof *row->points, dist_compare);
	for (size_t i = 0; i < row->nr_points; i++)
		d.nr += row->points[i].nr;
	return d;
}

/*
 * Adds to each block of d the placements of its values among those of `other`: for each value the share of
 * `other` that is below it, ties half.
 */
static void dist_place(const struct rs_dist *d, const struct rs_dist *other, double *placed, double *counted)
{
	uint64_t below = 0;
	size_t at = 0;

	for (size_t i = 0; i < d->nr_points; i++) {
		const struct rs_side_point *p = &d->points[i];
		uint64_t equal = 0;

		while (at < other->nr_points && other->points[at].value < p->value)
			below += other->points[at++].nr;
		for (size_t j = at; j < other->nr_points && other->points[j].value == p->value; j++)
			equal += other->points[j].nr;
		placed[p->block] +=
			p->nr * ((double)below + (double)equal / 2) / (double)other->nr;
		counted[p->block] += p->nr;
	}
}

struct rs_estimate rs_dist_rank_test(const struct rs_dist *a, const struct rs_dist *b)
{
	double placed_a[RS_SIDE_MAX_BLOCKS] = { 0 }, nr_a[RS_SIDE_MAX_BLOCKS] = { 0 };
	double placed_b[RS_SIDE_MAX_BLOCKS] = { 0 }, nr_b[RS_SIDE_MAX_BLOCKS] = { 0 };
	struct rs_estimate above_a, above_b;

	if (!a->nr || !b->nr)
		return (struct rs_estimate){ 0.5, INFINITY };
	dist_place(a, b, placed_a, nr_a);
	dist_place(b, a, placed_b, nr_b);
	above_b = rs_estimate_ratio(placed_b, nr_b, b->nr_blocks);
	above_a = rs_estimate_ratio(placed_a, nr_a, a->nr_blocks);
	return (struct rs_estimate){ above_b.value, hypot(above_a.error, above_b.error) };
}

/* The value at or below which this share of all lies. */
static double dist_at(const struct rs_dist *d, double share)
{
	double rank = ceil(share * (double)d->nr), seen = 0;

	for (size_t i = 0; i < d->nr_points; i++) {
		seen += d->points[i].nr;
		if (seen >= rank)
			return (double)d->points[i].value;
	}
	return d->nr_points ? (double)d->points[d->nr_points - 1].value : 0;
}

/* The error of the share of values that are at most `value`. */
static double dist_share_error(const struct rs_dist *d, double value)
{
	double within[RS_SIDE_MAX_BLOCKS] = { 0 }, all[RS_SIDE_MAX_BLOCKS] = { 0 };

	for (size_t i = 0; i < d->nr_points; i++) {
		all[d->points[i].block] += d->points[i].nr;
		if ((double)d->points[i].value <= value)
			within[d->points[i].block] += d->points[i].nr;
	}
	return rs_estimate_ratio(within, all, d->nr_blocks).error;
}

struct rs_interval_ns rs_dist_quantile(const struct rs_dist *d, unsigned int per_mille, double errors)
{
	double share = per_mille / 1000.0, value = dist_at(d, share), reach;
	/* the share's error is at least that of independent values: blocks may be alike by chance */
	double least = d->nr ? sqrt(share * (1 - share) / (double)d->nr) : 0;

	reach = fmin(errors * fmax(dist_share_error(d, value), least), 1);
	return (struct rs_interval_ns){
		value,
		dist_at(d, share > reach ? share - reach : 0),
		dist_at(d, share + reach < 1 ? share + reach : 1),
	};
}

struct rs_interval_ns rs_dist_shift(struct rs_interval_ns a, struct rs_interval_ns b)
{
	double shift = b.value - a.value;

	return (struct rs_interval_ns){
		shift,
		shift - hypot(b.value - b.low, a.high - a.value),
		shift + hypot(b.high - b.value, a.value - a.low),
	};
}
