// SPDX-License-Identifier: GPL-2.0-or-later
/* test-table - a view as a table, a log or bars: what is asked, what is drawn, what stays selected */
#include <check.h>

#include "tui-stage.h"

static const struct reply three[] = {
	REPLY("rows", "\"view\":\"work\"",
	      "\"from_ns\":109000000000,\"to_ns\":110000000000,\"interval\":1,\"of\":5,\"total\":3,"
	      "\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"],[\"make\",8,8,1000,null,\"reads\"],[\"cc\",9,10,0,12,null]],"
	      "\"totals\":[null,null,null,1501000,15,null]"),
	REPLY("rows", "\"view\":\"log\"",
	      "\"of\":2,\"total\":2,\"rows\":[[101000000000,\"sh\",7,null],[102500000000,\"make\",8,null]]"),
	REPLY("rows", "\"view\":\"dist\"",
	      "\"of\":3,\"total\":3,\"rows\":[[7,1024,2048,4],[7,2048,4096,8],[8,1024,2048,1]]"),
	{ 0 },
};

START_TEST(a_whole_frame)
{
	struct stage *s = rs_stage_new(12, 64, "work", three);

	check_screen(s, 0,
		     " live box  window 10.0s  5,000 ev/s  work      live 10.000000 s",
		     "", "", /* not in the frame: see tui-stage.h */
		     " work  who did what                     3 of 5 rows  last 1.00s",
		     "COMM       PID  RUN(ms)v CALLS WHAT",
		     "sh           7    1.500      3 waits",
		     "make         8    0.001      - reads",
		     "cc           9    0.000     12 -",
		     "", "",
		     "total             1.501     15",
		     " ? Help  q Quit  Enter Open  S Sort  / Search  C Columns");
	check_asked(s, "\"view\":\"work\",\"sort\":\"-run_ns\",\"limit\":500}");
	rs_stage_free(s);
}
END_TEST

START_TEST(sorting)
{
	struct stage *s = rs_stage_new(12, 64, "work", three);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('4'));
	check_asked(s, "\"sort\":\"-calls\"");
	rs_stage_keys(s, KEYS('r'));
	check_asked(s, "\"sort\":\"calls\"");
	rs_stage_keys(s, KEYS('<', '<'));
	check_asked(s, "\"sort\":\"pid\"");
	rs_stage_keys(s, KEYS('!'));
	check_asked(s, "\"sort\":\"comm\"");
	rs_stage_mouse(s, RS_KEY_MOUSE, 4, 19);
	check_asked(s, "\"sort\":\"-run_ns\"");
	rs_stage_keys(s, KEYS('S'));
	rs_stage_type(s, "tid");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"sort\":\"tid\"");
	check_screen(s, 4, "COMM       PID  RUN(ms)  CALLS WHAT    TID^"); /* it was not shown: now it is */
	rs_stage_free(s);
}
END_TEST

/* The heading says it while it is in sight, else the first line does, where there is room. */
/* Where rows are below those in sight it says how many; at the end it does not. */
START_TEST(rows_below)
{
	static const struct reply eight[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":8,\"total\":8,\"rows\":[[\"a\",1,1,9,1,null],[\"b\",2,2,8,1,null],[\"c\",3,3,7,1,null],"
		      "[\"d\",4,4,6,1,null],[\"e\",5,5,5,1,null],[\"f\",6,6,4,1,null],[\"g\",7,7,3,1,null],[\"h\",8,8,2,1,null]]"), { 0 },
	};
	struct stage *s = rs_stage_new(11, 64, "work", eight);

	check_screen(s, 3, " work  who did what                             3 below  8 rows");
	rs_stage_keys(s, KEYS(RS_KEY_END));
	check_screen(s, 3, " work  who did what                                      8 rows");
	rs_stage_free(s);
}
END_TEST

START_TEST(comm_stays)
{
	struct stage *s = rs_stage_new(12, 64, "work", three);

	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_RIGHT, RS_KEY_RIGHT, RS_KEY_RIGHT, RS_KEY_RIGHT)); /* to the last and no further */
	check_screen(s, 4, "COMM     WHAT", "sh       waits", "make     reads", "cc       -", "", "", "total");
	rs_stage_mouse(s, RS_KEY_MOUSE, 4, 10); /* the heading that is seen there */
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('r'));
	check_asked(s, "\"sort\":\"-what\"");
	rs_stage_keys(s, KEYS(RS_KEY_LEFT, RS_KEY_LEFT, RS_KEY_LEFT));
	check_screen(s, 4, "COMM       PID  RUN(ms)  CALLS WHAT v");
	rs_stage_free(s);
}
END_TEST

#define WORK(calls) \
	REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000," calls ",\"waits for its children\"]]")

/*
 * COMM takes 8 columns, PID 5, RUN(ms) 8, CALLS 6, WHAT 22, and a blank between: 53. Of 50 CALLS gives its place where no row has
 * any; else WHAT is cut, until less than 16 columns of it would be seen: of 40 there are 9. A wider screen brings them back.
 */
START_TEST(where_not_all_columns_fit)
{
	static const struct reply none[] = { WORK("null"), { 0 } }, some[] = { WORK("3"), { 0 } };
	struct stage *s = rs_stage_new(12, 53, "work", none);

	check_screen(s, 4, "COMM       PID  RUN(ms)v CALLS WHAT", "sh           7    1.500      - waits for its children");
	rs_stage_resize(s, 12, 50);
	check_screen(s, 4, "COMM       PID  RUN(ms)vWHAT", "sh           7    1.500 waits for its children");
	rs_stage_resize(s, 12, 53);
	check_screen(s, 4, "COMM       PID  RUN(ms)v CALLS WHAT");
	rs_stage_free(s);
	s = rs_stage_new(12, 50, "work", some);
	check_screen(s, 4, "COMM       PID  RUN(ms)v CALLS WHAT", "sh           7    1.500      3 waits for its child");
	rs_stage_resize(s, 12, 40);
	check_screen(s, 4, "COMM       PID  RUN(ms)v CALLS", "sh           7    1.500      3");
	rs_stage_free(s);
}
END_TEST

/*
 * PID takes 5 columns, STACK 35, TYPE 9, TIME 6, WEIGHT 6: 65. Of 57 TIME, which the rows are sorted by, goes before TYPE: there it
 * has place, and its arrow, up to column 48. Of 47 the arrow has none there.
 */
START_TEST(the_sorted_column_is_in_sight)
{
	static const struct reply some[] = {
		REPLY("rows", "\"view\":\"wait-stacks\"", "\"of\":1,\"total\":1,\"rows\":[[7,\"main;work;take_lock;futex_wait;wait\",\"futex\",5000,5]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(12, 57, "wait-stacks", some);

	check_screen(s, 4, "  PID STACK                                 TIMEvTYPE", "    7 main;work;take_lock;futex_wait;wait 5.00us futex");
	rs_stage_resize(s, 12, 47);
	check_screen(s, 4, "  PID   TIMEvSTACK", "    7 5.00us main;work;take_lock;futex_wait;wai");
	rs_stage_free(s);
}
END_TEST

START_TEST(what_it_is_sorted_by)
{
	struct stage *s = rs_stage_new(12, 64, "work", three);

	rs_stage_keys(s, KEYS(RS_KEY_RIGHT));
	check_screen(s, 3, " work  who did what                     3 of 5 rows  last 1.00s", "COMM      RUN(ms)v CALLS WHAT");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT));
	check_screen(s, 3, " work  who did what sorted by RUN(ms)v  3 of 5 rows  last 1.00s", "COMM      CALLS WHAT");
	rs_stage_keys(s, KEYS('r'));
	check_screen(s, 3, " work  who did what sorted by RUN(ms)^  3 of 5 rows  last 1.00s", "COMM      CALLS WHAT");
	rs_stage_resize(s, 12, 40);
	check_screen(s, 3, " work           3 of 5 rows  last 1.00s", "COMM      CALLS WHAT");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_grouping_and_its_error)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('B'));
	rs_stage_type(s, "what");
	check_screen(s, 12, "by: what");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"by\":[\"what\"]");
	check_screen(s, 3, " work by what  who did what             3 of 5 rows  last 1.00s");
	rs_stage_keys(s, KEYS('B'));
	rs_stage_type(s, ",pid");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_not_asked(s, "\"by\"");
	check_screen(s, 11, "by: what,pid", " ! work does not group by 'pid'");
	ck_assert_uint_eq(rs_stage_app(s)->prompt.cursor, strlen("what,"));
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE, 'r'));
	check_asked(s, "\"by\":[\"what\"]");
	check_screen(s, 3, " work by what  who did what             3 of 5 rows  last 1.00s",
		     "COMM       PID  RUN(ms)^ CALLS WHAT");
	rs_stage_free(s);
}
END_TEST

static const struct reply moved[] = {
	REPLY("state", NULL, "\"now_ns\":111000000000,\"interval\":2,\"events\":1,\"lost\":0"),
	REPLY("rows", "\"view\":\"work\"",
	      "\"of\":3,\"total\":3,\"rows\":[[\"cc\",9,10,9000000,12,null],[\"sh\",7,7,1500000,3,\"waits\"],"
	      "[\"make\",8,8,1000,null,\"reads\"]]"),
	{ 0 },
};

static size_t selected_pid(struct stage *s)
{
	struct rs_screen_selection selection;
	struct rs_screen *top = rs_app_top(rs_stage_app(s));

	return top->ops->selection(top, &selection) && selection.values ? (size_t)selection.values[1].u : 0;
}

START_TEST(selection_stays_on_its_row)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	ck_assert_uint_eq(selected_pid(s), 7);
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	ck_assert_uint_eq(selected_pid(s), 8);
	rs_stage_replies(s, moved);
	rs_stage_later(s, 2000000000);
	check_screen(s, 5, "cc           9    9.000     12 -");
	ck_assert_uint_eq(selected_pid(s), 8); /* it was the second, now it is the third */
	rs_stage_free(s);
}
END_TEST

/* An exec gives a process another name: it is the same process. */
START_TEST(selection_through_an_exec)
{
	static const struct reply named[] = {
		REPLY("state", NULL, "\"now_ns\":111000000000,\"interval\":2,\"events\":1,\"lost\":0"),
		REPLY("rows", NULL, "\"of\":2,\"total\":2,\"rows\":[[\"cc1\",8,8,1000,null,\"reads\"],[\"sh\",7,7,1500000,3,\"waits\"]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_keys(s, KEYS('r', RS_KEY_DOWN));
	ck_assert_uint_eq(selected_pid(s), 8);
	rs_stage_replies(s, moved);
	rs_stage_later(s, 2000000000);
	rs_stage_replies(s, named);
	rs_stage_keys(s, KEYS('r'));
	ck_assert_uint_eq(selected_pid(s), 8);
	check_screen(s, 5, "cc1          8    0.001      - reads");
	rs_stage_free(s);
}
END_TEST

START_TEST(selection_by_line)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'F'));
	rs_stage_replies(s, moved);
	rs_stage_later(s, 2000000000);
	ck_assert_uint_eq(selected_pid(s), 7); /* the second line */
	rs_stage_free(s);
}
END_TEST

/* Who has not chosen a row looks at the top, whoever is there. */
START_TEST(no_selection_stays_at_the_top)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_replies(s, moved);
	rs_stage_later(s, 2000000000);
	ck_assert_uint_eq(selected_pid(s), 9);
	rs_stage_free(s);
}
END_TEST

START_TEST(frozen)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_keys(s, KEYS('Z'));
	rs_stage_asked(s);
	rs_stage_replies(s, moved);
	rs_stage_later(s, 2000000000);
	check_not_asked(s, "rows");
	check_screen(s, 3, " work  who did what             FROZEN  3 of 5 rows  last 1.00s");
	rs_stage_keys(s, KEYS('Z'));
	check_screen(s, 5, "cc           9    9.000     12 -");
	rs_stage_free(s);
}
END_TEST

START_TEST(columns_selected)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_keys(s, KEYS('C'));
	check_screen(s, 3,
		     " columns  (type to narrow)",
		     " [x] comm               COMM         the process",
		     " [x] pid                PID          its number",
		     " [x] run_ns             RUN(ms)      time on a CPU",
		     " [x] calls              CALLS        calls made",
		     " [x] what               WHAT         what it did",
		     " [ ] tid                TID          the thread");
	/* off with comm; tid, the last, on and one to the left */
	rs_stage_keys(s, KEYS(' ', RS_KEY_END, ' ', '-', RS_KEY_ENTER));
	check_screen(s, 4, "  PID  RUN(ms)v CALLS   TID WHAT",
		     "    7    1.500      3     7 waits");
	rs_stage_free(s);
}
END_TEST

START_TEST(searching)
{
	struct stage *s = rs_stage_new(14, 64, "work", three);

	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "READ");
	ck_assert_uint_eq(selected_pid(s), 8);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, 'g', '/'));
	rs_stage_type(s, "e");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, 'n'));
	ck_assert_uint_eq(selected_pid(s), 8); /* "make" is the only one */
	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "zz");
	check_screen(s, 12, "search: zz");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 12, " no row has \"zz\" in it");
	rs_stage_free(s);
}
END_TEST

static const struct reply many[] = {
	REPLY("rows", "\"limit\":100000", "\"of\":3,\"total\":3,\"rows\":[[\"a\",1,1,3,0,null],[\"b\",2,2,2,0,null],[\"c\",3,3,1,0,null]]"),
	REPLY("rows", NULL, "\"of\":3,\"total\":3,\"rows\":[[\"a\",1,1,3,0,null]]"),
	{ 0 },
};

/* A server gives the first rows; who goes to the end, or looks for something, wants all. */
START_TEST(the_end_asks_for_all)
{
	struct stage *s = rs_stage_new(14, 64, "work", many);

	check_screen(s, 3, " work  who did what                           first 1 of 3 rows");
	rs_stage_keys(s, KEYS('G'));
	check_asked(s, "\"limit\":100000");
	rs_stage_keys(s, KEYS('G'));
	ck_assert_uint_eq(selected_pid(s), 3);
	rs_stage_free(s);
}
END_TEST

START_TEST(search_finds_what_is_not_here_yet)
{
	struct stage *s = rs_stage_new(14, 64, "work", many);

	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "b");
	ck_assert_uint_eq(selected_pid(s), 2);
	rs_stage_free(s);
}
END_TEST

/* Typed while the rows are on their way: what is said, or selected, follows when they are here. */
START_TEST(search_is_decided_by_the_answer)
{
	struct stage *s = rs_stage_new(14, 64, "work", many);

	for (const char *key = "/zz\r"; *key; key++)
		rs_stage_key_unanswered(s, *key == '\r' ? RS_KEY_ENTER : (uint32_t)*key);
	rs_stage_settle(s);
	check_screen(s, 12, " no row has \"zz\" in it");
	rs_stage_free(s);
	s = rs_stage_new(14, 64, "work", many);
	for (const char *key = "/c\r"; *key; key++)
		rs_stage_key_unanswered(s, *key == '\r' ? RS_KEY_ENTER : (uint32_t)*key);
	rs_stage_settle(s);
	ck_assert_uint_eq(selected_pid(s), 3);
	rs_stage_free(s);
}
END_TEST

static const struct reply grown[] = {
	REPLY("state", NULL, "\"now_ns\":111000000000,\"interval\":2,\"events\":1,\"lost\":0"),
	REPLY("rows", NULL,
	      "\"of\":3,\"total\":3,\"rows\":[[101000000000,\"sh\",7,null],[102500000000,\"make\",8,null],[103000000000,\"cc\",9,null]]"),
	{ 0 },
};

START_TEST(a_log_sticks_to_its_end)
{
	struct stage *s = rs_stage_new(11, 64, "log", three);

	check_screen(s, 4, "   TIME(s) COMM       PID", "  1.000000 sh           7", "  2.500000 make         8", "");
	rs_stage_replies(s, grown);
	rs_stage_later(s, 2000000000);
	check_screen(s, 7, "  3.000000 cc           9");
	rs_stage_free(s);
}
END_TEST

static size_t selected_row_time(struct stage *s)
{
	struct rs_screen_selection selection;
	struct rs_screen *top = rs_app_top(rs_stage_app(s));

	return top->ops->selection(top, &selection) && selection.values ? (size_t)(selection.values[0].u / 1000000) : 0;
}

START_TEST(a_log_that_is_scrolled_stays)
{
	struct stage *s = rs_stage_new(11, 64, "log", three);

	ck_assert_uint_eq(selected_row_time(s), 102500);
	rs_stage_keys(s, KEYS(RS_KEY_UP));
	rs_stage_replies(s, grown);
	rs_stage_later(s, 2000000000);
	ck_assert_uint_eq(selected_row_time(s), 101000);
	rs_stage_keys(s, KEYS('G'));
	ck_assert_uint_eq(selected_row_time(s), 103000);
	rs_stage_free(s);
}
END_TEST

START_TEST(bars)
{
	struct stage *s = rs_stage_new(14, 64, "dist", three);

	check_screen(s, 4,
		     " 7  12 in all",
		     "  1.02us to  2.05us         4 ################:",
		     "  2.05us to  4.10us         8 #################################",
		     "",
		     " 8  1 in all",
		     "  1.02us to  2.05us         1 #################################");
	rs_stage_free(s);
}
END_TEST

/* What a hostile server, or a broken one, may say. */
START_TEST(answers_that_are_none)
{
	static const struct reply bad[][2] = {
		{ REPLY("rows", NULL, "\"rows\":7") },
		{ REPLY("rows", NULL, "\"rows\":[[\"sh\"]]") },
		{ REPLY("rows", NULL, "\"rows\":[[\"sh\",\"x\",1,1,1,null]]") },
		{ REPLY("rows", NULL, "\"rows\":[7,{},null]") },
		{ REPLY("rows", NULL, "\"rows\":[],\"totals\":[1]") },
		{ REPLY("rows", NULL, "\"rows\":[[\"\\u001b[2J\\ud83d\\ude00\",1,1,1,1,\"\\n\"]],\"of\":\"many\",\"total\":-1") },
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct stage *s = rs_stage_new(12, 64, "work", bad[i]);

		rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_END, 'r', RS_KEY_ENTER));
		ck_assert_ptr_null(strchr(rs_stage_text(s), '\033'));
		rs_stage_free(s);
	}
}
END_TEST

Suite *rs_suite_table(void);
Suite *rs_suite_table(void)
{
	Suite *s = suite_create("table");
	TCase *t = tcase_create("table");

	tcase_set_timeout(t, 60); /* for a machine that has much else to do */
	tcase_add_test(t, a_whole_frame);
	tcase_add_test(t, sorting);
	tcase_add_test(t, where_not_all_columns_fit);
	tcase_add_test(t, the_sorted_column_is_in_sight);
	tcase_add_test(t, what_it_is_sorted_by);
	tcase_add_test(t, rows_below);
	tcase_add_test(t, comm_stays);
	tcase_add_test(t, a_grouping_and_its_error);
	tcase_add_test(t, selection_stays_on_its_row);
	tcase_add_test(t, selection_through_an_exec);
	tcase_add_test(t, selection_by_line);
	tcase_add_test(t, no_selection_stays_at_the_top);
	tcase_add_test(t, frozen);
	tcase_add_test(t, columns_selected);
	tcase_add_test(t, searching);
	tcase_add_test(t, the_end_asks_for_all);
	tcase_add_test(t, search_finds_what_is_not_here_yet);
	tcase_add_test(t, search_is_decided_by_the_answer);
	tcase_add_test(t, a_log_sticks_to_its_end);
	tcase_add_test(t, a_log_that_is_scrolled_stays);
	tcase_add_test(t, bars);
	tcase_add_test(t, answers_that_are_none);
	suite_add_tcase(s, t);
	return s;
}
