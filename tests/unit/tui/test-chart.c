// SPDX-License-Identifier: GPL-2.0-or-later
/* test-chart - the bar of a split: its cells sum to its width */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tui/toolkit/chart.h"

static const char *bar(const struct rs_split *split, int width)
{
	static char text[64];
	struct rs_canvas *c = rs_canvas_new(1, 40, true);
	struct rs_buf buf = RS_BUF_INIT;

	rs_chart_draw_split(split, NULL, c, (struct rs_area){ 0, 0, 1, width });
	rs_canvas_text(c, &buf);
	snprintf(text, sizeof text, "%.*s", (int)strcspn(buf.data, "\n"), buf.data);
	rs_buf_done(&buf);
	rs_canvas_free(c);
	return text;
}

START_TEST(cells_sum_to_the_width)
{
	struct rs_split thirds = { 3, { { RS_CAUSE_RUN, 1 }, { RS_CAUSE_DISK, 1 }, { RS_CAUSE_LOCK, 1 } } };
	struct rs_split huge = { 2, { { RS_CAUSE_RUN, UINT64_MAX / 2 }, { RS_CAUSE_SLEEP, UINT64_MAX / 2 } } };
	struct rs_split over = { 2, { { RS_CAUSE_RUN, UINT64_MAX }, { RS_CAUSE_SLEEP, UINT64_MAX } } };
	struct rs_split tiny = { 2, { { RS_CAUSE_RUN, 1 }, { RS_CAUSE_FUTEX, 1000000 } } };
	struct rs_split none = { 2, { { RS_CAUSE_RUN, 0 }, { RS_CAUSE_FUTEX, 0 } } };

	ck_assert_str_eq(bar(&thirds, 9), "RRRDDDLLL");
	ck_assert_str_eq(bar(&thirds, 10), "RRRDDDDLLL");
	ck_assert_str_eq(bar(&thirds, 1), "D");
	ck_assert_str_eq(bar(&huge, 8), "RRRRssss");
	ck_assert_uint_le(strlen(bar(&over, 8)), 8);
	ck_assert_str_eq(bar(&tiny, 5), "fffff");
	ck_assert_str_eq(bar(&none, 5), "");
}
END_TEST

Suite *rs_suite_chart(void);
Suite *rs_suite_chart(void)
{
	Suite *s = suite_create("chart");
	TCase *t = tcase_create("chart");

	tcase_add_test(t, cells_sum_to_the_width);
	suite_add_tcase(s, t);
	return s;
}
