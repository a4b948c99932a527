// SPDX-License-Identifier: GPL-2.0-or-later
/* test-slowest - the longest spans of the last seconds, or of all times */
#include <check.h>

#include "model/slowest-kept.h"

#define S 1000000000ull

static struct rs_slowest_kept slowest;
static struct rs_long_span got[64];

/* As a timeline's owner does: asks, and adds. */
static void emit(uint64_t end_ns, uint64_t length_ns)
{
	struct rs_timeline_span s = { .start_ns = end_ns - length_ns, .end_ns = end_ns };

	if (rs_slowest_kept_accepts(&slowest, &s))
		rs_slowest_kept_add(&slowest, &(struct rs_long_span){ 1, 2, s });
}

static uint64_t length(size_t i)
{
	return got[i].span.end_ns - got[i].span.start_ns;
}

START_TEST(the_slowest_of_each_second_are_there)
{
	slowest = (struct rs_slowest_kept){ .width_ns = S };
	for (uint64_t i = 1; i <= 100; i++) {
		emit(100 * S + i, i % 2 ? i : 1);
		emit(101 * S + i, i);
	}
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 0, got, 64), 8);
	ck_assert_uint_eq(length(0), 100);
	ck_assert_uint_eq(length(1), 99); /* of both seconds */
	ck_assert_uint_eq(length(2), 99);
	ck_assert_uint_eq(length(7), 93);
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 101 * S, got, 64), 4);
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 0, got, 3), 3);
}
END_TEST

START_TEST(an_old_second_is_evicted)
{
	slowest = (struct rs_slowest_kept){ .width_ns = S };
	emit(100 * S, 50);
	emit((100 + RS_SLOWEST_TIMES) * S, 3);
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 0, got, 64), 1);
	ck_assert_uint_eq(length(0), 3);
	emit(100 * S, 70); /* late: its place is another's */
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 0, got, 64), 1);
	ck_assert_uint_eq(length(0), 3);
}
END_TEST

START_TEST(without_times_it_is_the_slowest_of_all)
{
	slowest = (struct rs_slowest_kept){ .width_ns = 0 };
	for (uint64_t i = 1; i <= 1000; i++)
		emit(i * S, i == 7 ? 5000 : i);
	ck_assert_uint_eq(rs_slowest_kept_get(&slowest, 0, got, 64), RS_SLOWEST_OF_EACH);
	ck_assert_uint_eq(length(0), 5000);
	ck_assert_uint_eq(length(1), 1000);
	ck_assert_uint_eq(length(3), 998);
}
END_TEST

Suite *rs_suite_slowest(void);
Suite *rs_suite_slowest(void)
{
	Suite *suite = suite_create("slowest");
	TCase *tc = tcase_create("longest");

	tcase_add_test(tc, the_slowest_of_each_second_are_there);
	tcase_add_test(tc, an_old_second_is_evicted);
	tcase_add_test(tc, without_times_it_is_the_slowest_of_all);
	suite_add_tcase(suite, tc);
	return suite;
}
