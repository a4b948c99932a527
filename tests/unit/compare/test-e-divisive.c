// SPDX-License-Identifier: GPL-2.0-or-later
/* test-e-divisive - where a series changed: the statistic by hand, a shift that is found, and alarms where nothing changed */
#include <check.h>
#include <math.h>
#include <stdint.h>

#include "compare/e-divisive.h"

#define ARRAY(...) (const double[]){ __VA_ARGS__ }, sizeof(double[]){ __VA_ARGS__ } / sizeof(double)

/* By hand: m n / (m + n) * (2 * mean between - mean within left - mean within right). */
START_TEST(statistic)
{
	ck_assert_double_eq_tol(rs_e_divisive_statistic(ARRAY(1, 1, 1, 3, 3, 3), 3), 1.5 * (2 * 2 - 0 - 0), 1e-9);
	ck_assert_double_eq_tol(rs_e_divisive_statistic(ARRAY(0, 1, 4, 5), 2), 1.0 * (2 * 4 - 1 - 1), 1e-9);
	ck_assert_double_eq_tol(rs_e_divisive_statistic(ARRAY(0, 4, 1), 1), 2.0 / 3 * (2 * 2.5 - 0 - 3), 1e-9);
	ck_assert_double_eq_tol(rs_e_divisive_statistic(ARRAY(2, 2, 2, 2), 1), 0, 1e-9);
}
END_TEST

static uint64_t seed;

/* about normal, deviation 1: twelve of a multiply-with-carry generator */
static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		seed = (seed & 0xffffffff) * 4294957665u + (seed >> 32);
		sum += (double)(seed & 0xffffffff) / 4294967296.0;
	}
	return sum - 6;
}

/* The same 200 times, of every length: fewer than 1 % have a change. */
START_TEST(the_same)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 200; i++) {
		struct rs_e_divisive_point points[8];
		double values[60];
		size_t len = 16 + i % 45;

		seed = 88172645463325252u + i * 7919;
		for (size_t v = 0; v < len; v++)
			values[v] = 100 + 5 * noise();
		nr += rs_e_divisive(values, len, points, 8) > 0;
	}
	ck_assert_uint_lt(nr, 2);
}
END_TEST

/* 3 deviations more from the 20th of 40 on: found 50 times, nearly always to the place. */
START_TEST(a_shift)
{
	unsigned int nr = 0, nr_near = 0;

	for (unsigned int i = 0; i < 50; i++) {
		struct rs_e_divisive_point points[8];
		double values[40];

		seed = 362436069362436069u + i * 104729;
		for (size_t v = 0; v < 40; v++)
			values[v] = 100 + 5 * noise() + (v >= 20 ? 15 : 0);
		if (rs_e_divisive(values, 40, points, 8) < 1)
			continue;
		nr++;
		nr_near += points[0].at >= 19 && points[0].at <= 21;
		ck_assert_double_le(points[0].share, RS_E_DIVISIVE_LEVEL);
	}
	ck_assert_uint_eq(nr, 50);
	ck_assert_uint_ge(nr_near, 48);
}
END_TEST

/* Up and down again: two points, in their order. An spike alone is none. */
START_TEST(two_shifts_and_a_spike)
{
	struct rs_e_divisive_point points[8];
	double values[60];

	seed = 1;
	for (size_t v = 0; v < 60; v++)
		values[v] = 100 + noise() + (v >= 20 && v < 40 ? 10 : 0);
	ck_assert_uint_eq(rs_e_divisive(values, 60, points, 8), 2);
	ck_assert_uint_eq(points[0].at, 20);
	ck_assert_uint_eq(points[1].at, 40);
	ck_assert_uint_eq(rs_e_divisive(values, 60, points, 1), 1);
	for (size_t v = 0; v < 60; v++)
		values[v] = 100 + noise() + (v == 30 ? 1000 : 0);
	ck_assert_uint_eq(rs_e_divisive(values, 60, points, 8), 0);
}
END_TEST

/* Too few to tell, all alike, and more than there is room for. */
START_TEST(no_change)
{
	static const double many[RS_E_DIVISIVE_MOST + 1];
	struct rs_e_divisive_point points[8];

	ck_assert_uint_eq(rs_e_divisive(ARRAY(1, 1, 1, 1, 1, 9, 9, 9, 9, 9), points, 8), 0);
	ck_assert_uint_eq(rs_e_divisive(many, 100, points, 8), 0);
	ck_assert_uint_eq(rs_e_divisive(many, RS_E_DIVISIVE_MOST + 1, points, 8), 0);
	ck_assert_uint_eq(rs_e_divisive(ARRAY(1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9), points, 8), 1);
	ck_assert_uint_eq(points[0].at, 8);
}
END_TEST

Suite *rs_suite_e_divisive(void);
Suite *rs_suite_e_divisive(void)
{
	Suite *s = suite_create("e-divisive");
	TCase *t = tcase_create("e-divisive");

	tcase_add_test(t, statistic);
	tcase_add_test(t, the_same);
	tcase_add_test(t, a_shift);
	tcase_add_test(t, two_shifts_and_a_spike);
	tcase_add_test(t, no_change);
	suite_add_tcase(s, t);
	return s;
}
