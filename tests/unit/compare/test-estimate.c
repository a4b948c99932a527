// SPDX-License-Identifier: GPL-2.0-or-later
/* test-estimate - figures with their errors, from blocks: hand-computed, and how often they are wrong by chance */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "compare/dist.h"

#define NR_BLOCKS 16u

/* 8 blocks of 1 and 3 in turn over 1: 2, and sqrt(8 * 1 * 8 / 7) / 8 = 0.378; of two thirds of x over y no error at all. */
START_TEST(error_of_a_ratio)
{
	static const double ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, turns[8] = { 1, 3, 1, 3, 1, 3, 1, 3 }, alike[8] = { 2, 6, 2, 6, 2, 6, 2, 6 };
	struct rs_estimate e = rs_estimate_ratio(turns, ones, 8);

	ck_assert_double_eq(e.value, 2);
	ck_assert_double_eq_tol(e.error, 0.37796, 0.0001);
	e = rs_estimate_ratio(alike, turns, 8);
	ck_assert_double_eq(e.value, 2);
	ck_assert_double_eq(e.error, 0);
}
END_TEST

/* What came in 7 blocks, or in none, has no error that is known. */
START_TEST(too_few_blocks)
{
	static const double x[9] = { 1, 2, 1, 2, 1, 2, 1 }, y[9] = { 1, 1, 1, 1, 1, 1, 1 }, none[9];

	ck_assert(isinf(rs_estimate_ratio(x, y, 9).error));
	ck_assert(isinf(rs_estimate_ratio(x, none, 9).error));
	ck_assert(isinf(rs_estimate_change((struct rs_estimate){ 1, INFINITY }, (struct rs_estimate){ 2, 0 }).error));
}
END_TEST

/* t of 31, 15 and 7 degrees of freedom, as tables have it; more than 0.00005 from there on are 4.5, 5.4 and 7.9 for large, 15, 7. */
START_TEST(quantiles_of_t)
{
	ck_assert_double_eq_tol(rs_estimate_interval(32), 2.0395, 0.002);
	ck_assert_double_eq_tol(rs_estimate_interval(16), 2.1314, 0.003);
	ck_assert_double_eq_tol(rs_estimate_interval(8), 2.3646, 0.01);
	ck_assert_double_eq_tol(rs_estimate_told(32), 4.4755, 0.05);
}
END_TEST

/* ---- distributions ---- */

static struct rs_side_row row_a, row_b;

static void dist_clear(struct rs_side_row *row)
{
	free(row->points);
	*row = (struct rs_side_row){ 0 };
}

static void dist_add(struct rs_side_row *row, uint64_t value, unsigned int block)
{
	row->points = realloc(row->points, (row->nr_points + 1) * sizeof *row->points);
	row->points[row->nr_points++] = (struct rs_side_point){ value, 1, block };
}

static void dist_setup(void)
{
	row_a = row_b = (struct rs_side_row){ 0 };
}

static void dist_teardown(void)
{
	dist_clear(&row_a);
	dist_clear(&row_b);
}

/* a: 1, 2, 3, 4, b: 2, 3, 4, 5 in each block. Of 16 pairs b is above in 10, and alike in 3: 11.5 / 16. */
START_TEST(ranks)
{
	struct rs_dist a, b;

	for (unsigned int i = 0; i < NR_BLOCKS; i++)
		for (unsigned int v = 1; v <= 4; v++) {
			dist_add(&row_a, 5 - v, i); /* in any order */
			dist_add(&row_b, v + 1, i);
		}
	a = rs_dist_of(&row_a, NR_BLOCKS);
	b = rs_dist_of(&row_b, NR_BLOCKS);
	ck_assert_double_eq(rs_dist_rank_test(&a, &b).value, 11.5 / 16);
	ck_assert_double_eq(rs_dist_rank_test(&b, &a).value, 4.5 / 16);
	ck_assert_double_eq(rs_dist_rank_test(&a, &a).value, 0.5);
	ck_assert_double_eq(rs_dist_quantile(&a, 500, 2).value, 2);
	ck_assert_double_eq(rs_dist_quantile(&a, 990, 2).value, 4);
}
END_TEST

/* 1..1000: the error of the median's rank is 15.8 of 1000, of independent values; blocks that are alike do not make it less. */
START_TEST(interval_of_a_quantile)
{
	struct rs_interval_ns q;
	struct rs_dist a;

	for (unsigned int v = 1; v <= 1000; v++)
		dist_add(&row_a, v, v % NR_BLOCKS);
	a = rs_dist_of(&row_a, NR_BLOCKS);
	q = rs_dist_quantile(&a, 500, 2);
	ck_assert_double_eq(q.value, 500);
	ck_assert_double_eq_tol(q.low, 500 - 31.6, 1);
	ck_assert_double_eq_tol(q.high, 500 + 31.6, 1);
}
END_TEST

/* 10 (8 to 13) and 20 (16 to 25): 10, less hypot(4, 3), more hypot(5, 2). */
START_TEST(interval_of_a_shift)
{
	struct rs_interval_ns s = rs_dist_shift((struct rs_interval_ns){ 10, 8, 13 }, (struct rs_interval_ns){ 20, 16, 25 });

	ck_assert_double_eq(s.value, 10);
	ck_assert_double_eq_tol(s.low, 10 - 5, 1e-9);
	ck_assert_double_eq_tol(s.high, 10 + 5.38516, 1e-4);
}
END_TEST

/* ---- how often it is wrong ---- */

static uint64_t chance_state;

static double chance(void)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (double)(chance_state >> 11) / (double)(1ull << 53);
}

/* About 1 ms, a third of it up or down, with a tail; what a block has in common, as the load of that time, moves all of it. */
static void dist_fill(struct rs_side_row *row, unsigned int nr, double scale, double in_common)
{
	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		double block = 1 + in_common * (chance() - 0.5);

		for (unsigned int n = 0; n < nr / NR_BLOCKS; n++) {
			double v = 0.4 + 0.3 * (chance() + chance() + chance() + chance());

			dist_add(row, (uint64_t)(1e6 * scale * block * v), i);
		}
	}
}

static bool dist_differs(unsigned int nr, double scale, double in_common)
{
	struct rs_dist a, b;
	struct rs_estimate e;

	dist_clear(&row_a);
	dist_clear(&row_b);
	dist_fill(&row_a, nr, 1, in_common);
	dist_fill(&row_b, nr, scale, in_common);
	a = rs_dist_of(&row_a, NR_BLOCKS);
	b = rs_dist_of(&row_b, NR_BLOCKS);
	e = rs_dist_rank_test(&a, &b);
	return fabs(e.value - 0.5) > rs_estimate_told(NR_BLOCKS) * e.error;
}

/* The same against the same, 1000 times: whether values are independent or those of a block are alike, hardly an alarm. */
START_TEST(false_alarms)
{
	unsigned int nr = 0;

	chance_state = 88172645463325252ull;
	for (unsigned int i = 0; i < 1000; i++)
		nr += dist_differs(480, 1, i % 2 ? 0.5 : 0);
	ck_assert_uint_le(nr, 2);
}
END_TEST

/* 10 % more, of about 1000 values: found 95 times of 100. */
START_TEST(shifts_are_found)
{
	unsigned int nr = 0;

	chance_state = 88172645463325252ull;
	for (unsigned int i = 0; i < 100; i++)
		nr += dist_differs(1008, 1.1, 0);
	ck_assert_uint_ge(nr, 95);
}
END_TEST

Suite *rs_suite_estimate(void)
{
	Suite *s = suite_create("estimate");
	TCase *tc = tcase_create("estimate");

	tcase_add_checked_fixture(tc, dist_setup, dist_teardown);
	tcase_add_test(tc, error_of_a_ratio);
	tcase_add_test(tc, too_few_blocks);
	tcase_add_test(tc, quantiles_of_t);
	tcase_add_test(tc, ranks);
	tcase_add_test(tc, interval_of_a_quantile);
	tcase_add_test(tc, interval_of_a_shift);
	tcase_add_test(tc, false_alarms);
	tcase_add_test(tc, shifts_are_found);
	suite_add_tcase(s, tc);
	return s;
}
