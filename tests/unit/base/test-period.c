// SPDX-License-Identifier: GPL-2.0-or-later
/* test-period - whether times are regular: computed by hand from the formula in period.h */
#include <check.h>

#include "base/period.h"

#define PERIOD(...) rs_period_find((const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

START_TEST(period_of_few)
{
	ck_assert_uint_eq(rs_period_find(NULL, 0), 0);
	ck_assert_uint_eq(PERIOD(7), 0);
	ck_assert_uint_eq(PERIOD(0, 100), 0);
	ck_assert_uint_eq(PERIOD(0, 100, 200), 100);
}
END_TEST

START_TEST(period_with_jitter)
{
	/* intervals 100, 110: the median is 100, the other is off by a tenth; 111 is more */
	ck_assert_uint_eq(PERIOD(0, 100, 210), 100);
	ck_assert_uint_eq(PERIOD(0, 100, 211), 0);
	ck_assert_uint_eq(PERIOD(0, 110, 210), 100);
	/* 95, 103, 98, 104: the median is 98 */
	ck_assert_uint_eq(PERIOD(5, 100, 203, 301, 405), 98);
}
END_TEST

START_TEST(period_with_one_missed)
{
	/* 100, 100, 100, 200: three of four are alike. 100, 100, 200: two of three are too few */
	ck_assert_uint_eq(PERIOD(0, 100, 200, 300, 500), 100);
	ck_assert_uint_eq(PERIOD(0, 100, 200, 400), 0);
}
END_TEST

START_TEST(no_period)
{
	ck_assert_uint_eq(PERIOD(0, 50, 180, 200, 700, 760), 0);
	/* at one time: the distance is nothing, and so is the period */
	ck_assert_uint_eq(PERIOD(5, 5, 5), 0);
}
END_TEST

/* Of more than 64 times the first 64. */
START_TEST(period_of_many)
{
	uint64_t times_ns[RS_PERIOD_TIMES + 50];

	for (unsigned int i = 0; i < RS_PERIOD_TIMES + 50; i++)
		times_ns[i] = i < RS_PERIOD_TIMES ? 1000 * i : 1000 * RS_PERIOD_TIMES + i;
	ck_assert_uint_eq(rs_period_find(times_ns, RS_PERIOD_TIMES + 50), 1000);
}
END_TEST

Suite *rs_suite_period(void);
Suite *rs_suite_period(void)
{
	Suite *s = suite_create("period");
	TCase *t = tcase_create("all");

	tcase_add_test(t, period_of_few);
	tcase_add_test(t, period_with_jitter);
	tcase_add_test(t, period_with_one_missed);
	tcase_add_test(t, no_period);
	tcase_add_test(t, period_of_many);
	suite_add_tcase(s, t);
	return s;
}
