// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-path - the critical path of a call, drawn over the tracks */
#include <check.h>
#include <string.h>

#include "timeline-stage.h"

static const struct reply path[] = {
	TRACKS, REPLY("spans", NULL, PICTURE), REPLY("step", NULL, SPAN_OF("")), REPLY("span", NULL, SPAN_OF("")),
	REPLY("rows", "critical-path", "\"view\":\"critical-path\",\"of\":3,\"total\":3,\"rows\":["
	      "[\"sh\",7,7,0,\"read\",100750000000,104000000000,3250000000,\"pipe\",null,\"make\",\"sh reads\",1000000],"
	      "[\"make\",7,8,0,null,101000000000,103100000000,2100000000,\"futex\",null,\"db\",\"make waits\",1000000],"
	      "[\"db\",9,9,2,null,101500000000,102500000000,1000000000,\"run\",null,null,\"db runs\",1000000]]"),
	{ 0 },
};

static bool is_on_path(const struct stage *s, int y, int cell)
{
	int style = rs_stage_style(s, y, 13 + cell);

	return style >= RS_STYLE_ON_PATH && style <= RS_STYLE_ON_PATH_LAST;
}

/*
 * The call of sh, 0.75 to 4.0, waits from 1.0 to 3.1 for make, which waits from 1.5 to 2.5 for db. Each link has its number
 * and its own part of the time; db, which was not listed, comes behind make.
 */
START_TEST(a_critical_path)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_replies(s, path);
	rs_stage_keys(s, KEYS('n', 'c'));
	check_asked(s, "\"view\":\"critical-path\",\"limit\":10,\"tid\":7,\"from_ns\":100750000000,\"to_ns\":104000000000");
	check_screen(s, 5,
		     "sh        7 1RRRR|DDDDDDD^wRRppssssssssssssssssssssss",
		     "  job           r|ad-----|---",
		     "  job            |ait--  |",
		     "  job            |' + *  |",
		     "make      8 2    v |   ^",
		     "db        9 3      v", "");
	/* its own time in the color of its states, where somebody was woken an arrow: sh runs, waits after 3.1 s;
	 * nothing is known of make */
	ck_assert_int_eq(rs_stage_style(s, 5, 13 + 3), RS_STYLE_ON_PATH + RS_CAUSE_RUN);
	ck_assert_int_eq(rs_stage_style(s, 5, 13 + 13), RS_STYLE_ON_PATH + RS_CAUSE_DELAY);
	ck_assert_int_eq(rs_stage_style(s, 5, 13 + 14), RS_STYLE_ON_PATH + RS_CAUSE_RUN);
	ck_assert_int_eq(rs_stage_style(s, 5, 13 + 15), RS_STYLE_ON_PATH + RS_CAUSE_RUN);
	for (int cell = 0; cell < 18; cell++) {
		ck_assert_msg(is_on_path(s, 5, cell) == (cell == 3 || cell == 13 || cell == 14 || cell == 15), "sh: %d", cell);
		ck_assert_msg((rs_stage_style(s, 9, 13 + cell) == RS_STYLE_ON_PATH + RS_CAUSE_NOT_SEEN) == (cell == 5 || cell == 11 || cell == 12), "make: %d", cell);
	}
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "critical path, 1 of 3: sh reads"));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "sh <- make <- db"));
	rs_stage_keys(s, KEYS('>', '>', '>'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "critical path, 3 of 3: db runs"));
	rs_stage_keys(s, KEYS('<', 'c'));
	ck_assert_ptr_null(strstr(rs_stage_text(s), "critical path"));
	rs_stage_keys(s, KEYS('>'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "no critical path is shown (c)"));
	rs_stage_free(s);
}
END_TEST

START_TEST(storm)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_replies(s, path);
	rs_stage_keys(s, KEYS('n', 'c'));
	rs_stage_storm(s, (unsigned int)_i + 1, 300);
	rs_stage_free(s);
}
END_TEST

/* Without a selection there is nothing to follow; of what was not recorded there is no path. */
START_TEST(no_critical_path)
{
	static const struct reply none[] = {
		TRACKS, REPLY("spans", NULL, PICTURE), REPLY("step", NULL, SPAN_OF("")), REPLY("span", NULL, SPAN_OF("")),
		REPLY("rows", "critical-path", "\"view\":\"critical-path\",\"of\":0,\"total\":0,\"rows\":[]"), { 0 },
	};
	struct stage *s = timeline_stage_begin();

	rs_stage_keys(s, KEYS('c'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "select a call or a wait"));
	rs_stage_replies(s, none);
	rs_stage_keys(s, KEYS('n', 'c'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "no critical path: its states"));
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_path(void)
{
	Suite *s = suite_create("timeline-path");
	TCase *t = tcase_create("timeline-path");

	tcase_add_test(t, a_critical_path);
	tcase_add_test(t, no_critical_path);
	tcase_add_loop_test(t, storm, 0, 10);
	suite_add_tcase(s, t);
	return s;
}
