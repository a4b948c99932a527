// SPDX-License-Identifier: GPL-2.0-or-later
/* e-divisive - where a series of values changed, without a shape assumed */
#include "compare/e-divisive.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct e_cut {
	size_t at;
	double statistic;
};

/* ---- the statistic ---- */

/* How far values are from each other: sums of all pairs within each part, and between them. */
struct e_sums {
	double within_left, within_right, between;
};

static double e_statistic(const struct e_sums *s, size_t nr_left, size_t nr_right)
{
	double m = (double)nr_left, n = (double)nr_right;
	double left = nr_left > 1 ? s->within_left / (m * (m - 1) / 2) : 0;
	double right = nr_right > 1 ? s->within_right / (n * (n - 1) / 2) : 0;

	return m * n / (m + n) * (2 * s->between / (m * n) - left - right);
}

/* Of all pairs, which does not depend on their order. */
static double e_sum(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = i + 1; j < nr; j++)
			sum += fabs(values[i] - values[j]);
	return sum;
}

/* The first value of the right part comes to the left one. */
static void e_step(struct e_sums *s, const double *values, size_t nr, size_t at)
{
	double to_left = 0, to_right = 0;

	for (size_t i = 0; i < at; i++)
		to_left += fabs(values[at] - values[i]);
	for (size_t i = at + 1; i < nr; i++)
		to_right += fabs(values[at] - values[i]);
	s->within_left += to_left;
	s->within_right -= to_right;
	s->between += to_right - to_left;
}

double rs_e_divisive_statistic(const double *values, size_t nr, size_t at)
{
	struct e_sums s = { .within_right = e_sum(values, nr) };

	for (size_t i = 0; i < at; i++)
		e_step(&s, values, nr, i);
	return e_statistic(&s, at, nr - at);
}

static struct e_cut e_find_cut(const double *values, size_t nr, double sum)
{
	struct e_sums s = { .within_right = sum };
	struct e_cut best = { 0, -1 };

	for (size_t i = 0; i + RS_E_DIVISIVE_LEAST < nr; i++) {
		double statistic;

		e_step(&s, values, nr, i);
		statistic = e_statistic(&s, i + 1, nr - i - 1);
		if (i + 1 >= RS_E_DIVISIVE_LEAST && statistic > best.statistic)
			best = (struct e_cut){ i + 1, statistic };
	}
	return best;
}

/* ---- is it more than chance ---- */

/* xorshift64*: Vigna, ACM TOMS 42, 2016. */
static uint64_t e_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545F4914F6CDD1D);
}

static void e_shuffle(double *values, size_t nr, uint64_t *state)
{
	for (size_t i = nr - 1; i > 0; i--) {
		size_t j = (size_t)((e_random(state) >> 32) * (i + 1) >> 32);
		double v = values[i];

		values[i] = values[j];
		values[j] = v;
	}
}

/* The share of orders that could be cut as well; once that is too large it is not found out how large. */
static double e_share(const double *values, size_t nr, double sum, double statistic, double *scratch)
{
	uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
	unsigned int nr_as_good = 1; /* the order that there is */

	memcpy(scratch, values, nr * sizeof *values);
	for (unsigned int i = 0; i < RS_E_DIVISIVE_ORDERS; i++) {
		e_shuffle(scratch, nr, &state);
		/* sums in another order differ in their last bits */
		nr_as_good += e_find_cut(scratch, nr, sum).statistic >= statistic * (1 - 1e-9);
		if (nr_as_good > RS_E_DIVISIVE_LEVEL * (RS_E_DIVISIVE_ORDERS + 1))
			return 1;
	}
	return (double)nr_as_good / (RS_E_DIVISIVE_ORDERS + 1);
}

/* ---- all cuts ---- */

struct e_found {
	struct rs_e_divisive_point *points;
	size_t nr, room;
	double *scratch;
};

/* The left part first, so that points come in their order. Recursion ends: each part is shorter. */
static void e_divide(struct e_found *found, const double *values, size_t from, size_t to)
{
	struct e_cut cut;
	double sum, share;

	if (to - from < RS_E_DIVISIVE_LEAST_VALUES)
		return;
	sum = e_sum(values + from, to - from);
	cut = e_find_cut(values + from, to - from, sum);
	if (cut.statistic <= 0)
		return;
	share = e_share(values + from, to - from, sum, cut.statistic, found->scratch);
	if (share > RS_E_DIVISIVE_LEVEL)
		return;
	e_divide(found, values, from, from + cut.at);
	if (found->nr < found->room)
		found->points[found->nr++] = (struct rs_e_divisive_point){ from + cut.at, share };
	e_divide(found, values, from + cut.at, to);
}

size_t rs_e_divisive(const double *values, size_t nr, struct rs_e_divisive_point *points, size_t room)
{
	struct e_found found = { .points = points, .room = room };

	if (nr > RS_E_DIVISIVE_MOST || nr < RS_E_DIVISIVE_LEAST_VALUES)
		return 0;
	found.scratch = malloc(nr * sizeof *values);
	if (found.scratch)
		e_divide(&found, values, 0, nr);
	free(found.scratch);
	return found.nr;
}
