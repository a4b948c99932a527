// SPDX-License-Identifier: GPL-2.0-or-later
/* test-trend - measures of rows over many sides: a latency that changed, a row that is new, and what is too little to tell */
#include <check.h>
#include <string.h>

#include "compare/trend.h"

#define NR_SIDES 20u
#define NR_BLOCKS 10u

static struct rs_trend trend;

/* "a" reads 60 times in each block of a second, each time_us; from the 12th side on "b" writes twice in a block. */
static struct rs_side *trend_make_side(unsigned int n, uint64_t time_us)
{
	struct rs_side_asked asked = { .by = "comm,syscall" };
	struct rs_error err = { 0 };
	struct rs_side *side;

	ck_assert(rs_requirements_find_view("syscall-latency", &asked.ref, &err));
	side = rs_side_new(&asked, 1, &err);
	ck_assert_msg(side != NULL, "%s", err.text);
	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		struct rs_side_row *a = rs_side_get_row(side, &side->views[0], "a\0read", 7);
		struct rs_side_row *b = n >= 12 ? rs_side_get_row(side, &side->views[0], "b\0write", 8) : NULL;

		rs_side_add_sums(side, a, 60, 60 * time_us * 1000);
		rs_side_add_value(side, a, time_us * 1000, 60);
		if (b)
			rs_side_add_sums(side, b, 2, 2000);
		rs_side_end_block(side, 1000000000);
	}
	rs_side_end(side);
	return side;
}

static void trend_fill(uint64_t before_us, uint64_t after_us)
{
	ck_assert(rs_trend_begin(&trend, NR_SIDES));
	for (unsigned int n = 0; n < NR_SIDES; n++) {
		struct rs_side *side = trend_make_side(n, (n < 10 ? before_us : after_us) + n % 3);

		rs_trend_add(&trend, n, side, 0);
		rs_side_free(side);
	}
	ck_assert(!trend.failed);
	ck_assert_uint_eq(trend.nr, 2);
}

static size_t trend_nr(const char *key, enum rs_trend_measure measure, struct rs_trend_point points[RS_TREND_POINTS])
{
	for (size_t i = 0; i < trend.nr; i++)
		if (!strcmp(trend.at[i]->key, key))
			return rs_trend_find(&trend, trend.at[i], measure, points);
	ck_abort_msg("no %s", key);
}

START_TEST(a_latency)
{
	struct rs_trend_point points[RS_TREND_POINTS];

	trend_fill(1000, 2000);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_P50, points), 1);
	ck_assert_uint_eq(points[0].at, 10);
	ck_assert_double_eq_tol(points[0].before, 1001000, 1);
	ck_assert_double_eq_tol(points[0].after, 2001000, 1);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_P99, points), 1);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_TOTAL, points), 1);
	ck_assert_double_eq_tol(points[0].before, 60 * 1001000, 1);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_RATE, points), 0);
	rs_trend_done(&trend);
}
END_TEST

/* It came 0 times before; its latencies are not known, and of few values neither later. */
START_TEST(a_new_row)
{
	struct rs_trend_point points[RS_TREND_POINTS];

	trend_fill(1000, 1000);
	ck_assert_uint_eq(trend_nr("b write", RS_TREND_RATE, points), 1);
	ck_assert_uint_eq(points[0].at, 12);
	ck_assert_double_eq(points[0].before, 0);
	ck_assert_double_eq_tol(points[0].after, 2, 1e-6);
	ck_assert_uint_eq(trend_nr("b write", RS_TREND_P50, points), 0);
	rs_trend_done(&trend);
}
END_TEST

/* Certain, but less than 5 %, or of a latency less than 10 us. */
START_TEST(too_little)
{
	struct rs_trend_point points[RS_TREND_POINTS];

	trend_fill(1000, 1040);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_P50, points), 0);
	rs_trend_done(&trend);
	trend_fill(30, 39);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_P50, points), 0);
	rs_trend_done(&trend);
	trend_fill(30, 50);
	ck_assert_uint_eq(trend_nr("a read", RS_TREND_P50, points), 1);
	rs_trend_done(&trend);
}
END_TEST

Suite *rs_suite_trend(void);
Suite *rs_suite_trend(void)
{
	Suite *s = suite_create("trend");
	TCase *t = tcase_create("trend");

	tcase_add_test(t, a_latency);
	tcase_add_test(t, a_new_row);
	tcase_add_test(t, too_little);
	suite_add_tcase(s, t);
	return s;
}
