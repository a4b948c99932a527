// SPDX-License-Identifier: GPL-2.0-or-later
/* test-gap-log - when events were lost */
#include <check.h>

#include "model/gap-log.h"

START_TEST(overlapping_gaps_are_one)
{
	static struct rs_gap_log log;

	ck_assert(!rs_gap_log_has(&log, 0, UINT64_MAX));
	rs_gap_log_add(&log, 100, 200);
	rs_gap_log_add(&log, 150, 180); /* of another CPU */
	rs_gap_log_add(&log, 200, 300);
	rs_gap_log_add(&log, 500, 600);
	ck_assert_uint_eq(log.nr, 2);
	ck_assert(!rs_gap_log_has(&log, 0, 100));
	ck_assert(rs_gap_log_has(&log, 0, 101));
	ck_assert(rs_gap_log_has(&log, 299, 300));
	ck_assert(!rs_gap_log_has(&log, 300, 500));
	ck_assert(rs_gap_log_has(&log, 400, 1000));
	ck_assert(!rs_gap_log_has(&log, 600, 1000));
}
END_TEST

/* Before the end of the last one that was dropped nobody knows. */
START_TEST(the_oldest_go)
{
	static struct rs_gap_log log;

	for (uint64_t i = 0; i < RS_GAP_LOG_MAX + 2; i++)
		rs_gap_log_add(&log, 100 * i, 100 * i + 10);
	ck_assert_uint_eq(log.nr, RS_GAP_LOG_MAX);
	ck_assert(rs_gap_log_has(&log, 50, 60));
	ck_assert(rs_gap_log_has(&log, 109, 110));
	ck_assert(!rs_gap_log_has(&log, 110, 200));
	ck_assert(rs_gap_log_has(&log, 205, 206));
	ck_assert(rs_gap_log_has(&log, 100 * (RS_GAP_LOG_MAX + 1), UINT64_MAX));
}
END_TEST

Suite *rs_suite_gap_log(void)
{
	Suite *s = suite_create("gap-log");
	TCase *t = tcase_create("gap-log");

	tcase_add_test(t, overlapping_gaps_are_one);
	tcase_add_test(t, the_oldest_go);
	suite_add_tcase(s, t);
	return s;
}
