// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-tall - on the timeline of a wait the states of the victim are two lines high, where there is room */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

/* Of cells of 23 ms: a sleep, the wait for a disk in a call, a run. */
static const struct reply tall[] = {
	REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
	REPLY("rows", "\"view\":\"wait-tree\"", "\"of\":1,\"total\":1,\"rows\":["
	      "[0,\"task\",\"sh\",7,7,\"read\",null,102000000000,103000000000,1000000000,\"sh reads\",\"victim\"]]"),
	REPLY("spans", NULL, "\"from_ns\":101844000000,\"cell_ns\":23000000,\"cells\":58,\"tracks\":["
	      "{\"track\":\"task:7.0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,7,0,0,676612,1,8],[7,50,0,0,279556,1,8],"
	      "[50,54,0,0,1,1,8]]},{\"lane\":\"slice\",\"depth\":0,\"runs\":[[7,50,1,1,0,1,8]]}]}],\"labels\":[\"run\",\"read\"],\"arrows\":[]"),
	REPLY("span", NULL, "\"span\":null"), REPLY("findings", NULL, "\"findings\":[]"), { 0 },
};

static struct stage *tall_stage(int height)
{
	struct stage *s = rs_stage_new_trees(height, 90, "work", tall);

	rs_stage_keys(s, KEYS('W'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('t'));
	rs_stage_settle(s);
	rs_stage_text(s);
	rs_stage_settle(s);
	return s;
}

/* The words are in the upper line, sleep and what ran in the lower one alone. */
START_TEST(two_lines)
{
	struct stage *s = tall_stage(22);

	check_screen(s, 4, "victim  sh                  7         DDDDDDDDDDDDDDDD disk 989ms DDDDDDDDDDDDDDDDD",
		     "                              ________DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDRRRRR",
		     "  job                                 read-----------------------------------------", "");
	rs_stage_free(s);
}
END_TEST

/* In a call over all of it the sleep is dim, the wait and the run are not. */
START_TEST(a_call_that_cost_nothing_at_first)
{
	static const struct reply all[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
		REPLY("rows", "\"view\":\"wait-tree\"", "\"of\":1,\"total\":1,\"rows\":["
		      "[0,\"task\",\"sh\",7,7,\"read\",null,102000000000,103000000000,1000000000,\"sh reads\",\"victim\"]]"),
		REPLY("spans", NULL, "\"from_ns\":101844000000,\"cell_ns\":23000000,\"cells\":58,\"tracks\":["
		      "{\"track\":\"task:7.0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,7,0,0,676612,1,8],[7,50,0,0,279556,1,8],"
		      "[50,54,0,0,1,1,8]]},{\"lane\":\"slice\",\"depth\":0,\"runs\":[[0,54,1,1,0,1,8]]}]}],\"labels\":[\"run\",\"read\"],\"arrows\":[]"),
		REPLY("findings", NULL, "\"findings\":[]"), { 0 },
	};
	struct stage *s = rs_stage_new_trees(22, 90, "work", all);

	rs_stage_keys(s, KEYS('W'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('t'));
	rs_stage_settle(s);
	rs_stage_text(s);
	for (int x = 30; x < 37; x++)
		ck_assert_int_eq(rs_stage_style(s, 6, x), RS_STYLE_DIM);
	for (int x = 39; x < 84; x++)
		ck_assert_int_ge(rs_stage_style(s, 6, x), RS_STYLE_SLICE);
	rs_stage_free(s);
}
END_TEST

/* Another state shares the first cell of the wait: its length is that of the wait, not that of cells. */
START_TEST(the_length_of_the_wait)
{
	static const struct reply shared[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
		REPLY("rows", "\"view\":\"wait-tree\"", "\"of\":1,\"total\":1,\"rows\":["
		      "[0,\"task\",\"sh\",7,7,\"read\",null,102000000000,103000000000,1000000000,\"sh reads\",\"victim\"]]"),
		REPLY("spans", NULL, "\"from_ns\":101844000000,\"cell_ns\":23000000,\"cells\":58,\"tracks\":["
		      "{\"track\":\"task:7.0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,6,0,0,676612,1,8],[6,50,0,0,279556,2,8],"
		      "[50,54,0,0,1,1,8]]}]}],\"labels\":[\"run\",\"read\"],\"arrows\":[]"),
		REPLY("findings", NULL, "\"findings\":[]"), { 0 },
	};
	struct stage *s = rs_stage_new_trees(22, 90, "work", shared);

	rs_stage_keys(s, KEYS('W'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('t'));
	rs_stage_settle(s);
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "DDD disk 1.00s DDD"));
	rs_stage_free(s);
}
END_TEST

/* Both lines are one row: a click on the lower one selects the state, the next row below is that of the calls. */
START_TEST(a_row_of_two_lines)
{
	struct stage *s = tall_stage(22);

	rs_stage_asked(s);
	rs_stage_mouse(s, RS_KEY_MOUSE, 5, 60);
	check_asked(s, "\"op\":\"span\",\"track\":\"task:7.0\",\"lane\":\"state\"");
	rs_stage_settle(s);
	ck_assert_int_eq(rs_stage_style(s, 4, 8), RS_STYLE_SELECTED);
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), " other run"));
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	ck_assert_int_eq(rs_stage_style(s, 6, 4), RS_STYLE_SELECTED);
	rs_stage_keys(s, KEYS(RS_KEY_UP));
	ck_assert_int_eq(rs_stage_style(s, 4, 8), RS_STYLE_SELECTED);
	rs_stage_settle(s);
	ck_assert_int_eq(rs_stage_style(s, 4, 8), RS_STYLE_SELECTED);
	rs_stage_free(s);
}
END_TEST

/* Two rows of three lines and less; with all tracks none is high. */
START_TEST(no_room)
{
	struct stage *s = tall_stage(10);

	check_screen(s, 4, "victim  sh                  7 ssssssssDDDDDDDDDDDDDDDD disk 989ms DDDDDDDDDDDDDDDDRRRRR",
		     "  job                                 read-----------------------------------------");
	rs_stage_free(s);
}
END_TEST

START_TEST(storm)
{
	struct stage *s = tall_stage(22);

	rs_stage_storm(s, (unsigned int)_i + 1, 300);
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_tall(void)
{
	Suite *s = suite_create("timeline-tall");
	TCase *t = tcase_create("timeline-tall");

	tcase_add_test(t, two_lines);
	tcase_add_test(t, the_length_of_the_wait);
	tcase_add_test(t, a_call_that_cost_nothing_at_first);
	tcase_add_test(t, a_row_of_two_lines);
	tcase_add_test(t, no_room);
	tcase_add_loop_test(t, storm, 0, 10);
	suite_add_tcase(s, t);
	return s;
}
