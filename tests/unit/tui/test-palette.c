// SPDX-License-Identifier: GPL-2.0-or-later
/* test-palette - the command palette: a few letters find keys, screens, views and settings */
#include <check.h>
#include <string.h>

#include "tui-stage.h"
#include "tui/toolkit/fuzzy.h"

static const struct reply rows[] = {
	REPLY("rows", "\"view\":\"work\"",
	      "\"of\":2,\"total\":2,\"rows\":[[\"sh\",7,null,1500000,3,\"waits\"],[\"make\",8,9,1000,null,\"reads\"]]"),
	REPLY("rows", "\"view\":\"log\"", "\"of\":0,\"total\":0,\"rows\":[]"),
	{ 0 },
};

/* ---- a name by a few letters ---- */

START_TEST(a_name_by_its_letters)
{
	ck_assert_int_eq(rs_fuzzy_rank("runqlat", "RUNQLAT"), 0);
	ck_assert_int_eq(rs_fuzzy_rank("runqlat", "runq"), 1);
	ck_assert_int_eq(rs_fuzzy_rank("theme light", "light"), 2);
	ck_assert_int_eq(rs_fuzzy_rank("slight light", "light"), 2); /* the second one begins a word */
	ck_assert_int_eq(rs_fuzzy_rank("syscall-latency", "call"), 3);
	ck_assert_int_eq(rs_fuzzy_rank("histogram", "hst"), 5);      /* 4, and "i" between h and s */
	ck_assert_int_eq(rs_fuzzy_rank("theme light", "tl"), 4 + 5); /* "heme " between */
	ck_assert_int_eq(rs_fuzzy_rank("flame", "lf"), -1);
	ck_assert_int_eq(rs_fuzzy_rank("flame", "flames"), -1);
	ck_assert_int_eq(rs_fuzzy_rank("", "a"), -1);
	ck_assert_int_ge(rs_fuzzy_rank("flame", ""), 0);
}
END_TEST

/* ---- the palette ---- */

static struct stage *palette(const char *typed)
{
	struct stage *s = rs_stage_new(20, 80, "work", rows);

	rs_stage_keys(s, KEYS(':'));
	rs_stage_type(s, typed);
	return s;
}

/* The name, then those that begin with it, then what has its letters in their order; keys as elsewhere. */
START_TEST(a_key_of_this_screen)
{
	struct stage *s = palette("sort");

	check_screen(s, 3, " commands  contains: sort",
		     " this screen    Sort               S            choose the column to sort by",
		     "                Sort left          <            sort by the column to the left",
		     "                Sort right         >            sort by the column to the right",
		     " everywhere     Shorter            {            half the range");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "work > sort by", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_screen_and_a_view)
{
	struct stage *s = palette("timel");

	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "work > threads of sh (7)", "live 10.000000 s");
	rs_stage_free(s);
	s = palette("log");
	check_screen(s, 4, " calls          log                log          each thing");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "work > log", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_setting_and_its_value)
{
	struct stage *s = palette("theme l");

	check_screen(s, 4, " settings       theme light                     the colors: for a dark terminal,");
	ck_assert_int_eq(rs_stage_app(s)->theme, RS_THEME_DARK);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_int_eq(rs_stage_app(s)->theme, RS_THEME_LIGHT);
	check_screen(s, 18, " theme: light");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_setting_with_any_text)
{
	struct stage *s = palette("refresh 2500ms");

	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_uint_eq(rs_stage_app(s)->refresh_ms, 2500);
	rs_stage_keys(s, KEYS(':'));
	rs_stage_type(s, "refresh 1h");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_uint_eq(rs_stage_app(s)->refresh_ms, 2500);
	check_screen(s, 18, " refresh: '1h' is no time from 100ms to 60s");
	/* without the value it is asked for, with the present one to be changed */
	rs_stage_keys(s, KEYS(':'));
	rs_stage_type(s, "refresh");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 18, "refresh: 2.50s");
	rs_stage_keys(s, KEYS('u' & 0x1f));
	rs_stage_type(s, "1");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_uint_eq(rs_stage_app(s)->refresh_ms, 1000);
	rs_stage_free(s);
}
END_TEST

START_TEST(quit_by_name_and_nothing_by_none)
{
	struct stage *s = palette("quit");

	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert(rs_stage_app(s)->quit);
	rs_stage_free(s);
	s = palette("no such thing");
	check_screen(s, 4, " no match");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, RS_KEY_ESCAPE, RS_KEY_ESCAPE));
	check_way(s, "work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_palette(void)
{
	Suite *s = suite_create("palette");
	TCase *t = tcase_create("palette");

	tcase_add_test(t, a_name_by_its_letters);
	tcase_add_test(t, a_key_of_this_screen);
	tcase_add_test(t, a_screen_and_a_view);
	tcase_add_test(t, a_setting_and_its_value);
	tcase_add_test(t, a_setting_with_any_text);
	tcase_add_test(t, quit_by_name_and_nothing_by_none);
	suite_add_tcase(s, t);
	return s;
}
