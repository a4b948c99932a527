// SPDX-License-Identifier: GPL-2.0-or-later
/* test-queue-depth - which depths of a run queue an export draws */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "export/scene/queue-depth.h"

/* Sets each depth at its time, in us, and compares what is written: "depth@us ..." */
static void check_depths(const unsigned int (*set)[2], size_t nr, const char *expected)
{
	struct rs_queue_depth q = { 0 }, last;
	char text[200] = "";

	for (size_t i = 0; i <= nr; i++)
		if (i < nr ? rs_queue_depth_set(&q, set[i][0], set[i][1] * 1000ull, &last) : rs_queue_depth_end(&q, &last))
			snprintf(text + strlen(text), sizeof text - strlen(text), "%u@%u ", last.depth, (unsigned int)(last.since_ns / 1000));
	ck_assert_str_eq(text, expected);
}

/* Five wait for 20 us: the peak is there, and where it ends; what lies below it is not. */
START_TEST(a_short_peak)
{
	check_depths((const unsigned int[][2]){ { 1, 10000 }, { 5, 10200 }, { 1, 10220 }, { 2, 10230 }, { 1, 10240 }, { 0, 10500 } }, 6,
		     "1@10000 5@10200 1@10220 1@10240 0@10500 ");
}
END_TEST

/* Depths that follow each other in microseconds, none higher than the one that is drawn: they are not written. */
START_TEST(a_short_depth)
{
	check_depths((const unsigned int[][2]){ { 3, 10000 }, { 2, 10200 }, { 1, 10210 }, { 2, 10220 }, { 3, 10230 }, { 0, 10500 } }, 6,
		     "3@10000 3@10230 0@10500 ");
}
END_TEST

Suite *rs_suite_queue_depth(void)
{
	Suite *s = suite_create("queue-depth");
	TCase *t = tcase_create("queue-depth");

	tcase_add_test(t, a_short_peak);
	tcase_add_test(t, a_short_depth);
	suite_add_tcase(s, t);
	return s;
}
