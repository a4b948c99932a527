// SPDX-License-Identifier: GPL-2.0-or-later
/* test-app - what all screens share: the way down and up, the frame, the prompt */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui-stage.h"

#define WORK \
	"\"from_ns\":109000000000,\"to_ns\":110000000000,\"interval\":1,\"of\":2,\"total\":2," \
	"\"rows\":[[\"sh\",7,null,1500000,3,\"waits\"],[\"make\",8,9,1000,null,\"re\\\"ads\"]]"

static const struct reply rows[] = {
	REPLY("rows", "\"view\":\"work\"", WORK),
	REPLY("rows", "\"view\":\"log\"", "\"of\":9,\"total\":1,\"rows\":[[101000000000,\"sh\",7,null]]"),
	REPLY("rows", "\"view\":\"dist\"", "\"of\":0,\"total\":0,\"rows\":[]"),
	{ 0 },
};

/* ---- the way down and up ---- */

START_TEST(down_to_a_row_and_up)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "work > sh (7) waits", "live 10.000000 s");
	check_screen(s, 3,
		     ">work      PID  RUN(ms)v CALLS WHAT    2 rows  last 1.00s",
		     "sh           7    1.500      3 waits",
		     "make         8    0.001      - re\"ads",
		     "",
		     " log  1 row  each thing",
		     "   TIME(s) COMM       PID",
		     "  1.000000 sh           7",
		     "",
		     " no rows in dist");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_ENTER));
	check_way(s, "work > sh (7) waits > log", "live 10.000000 s");
	check_screen(s, 3, " log  where pid == 7                                1 of 9 rows");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_BACKSPACE));
	check_way(s, "work", "live 10.000000 s");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE)); /* the last one stays */
	check_way(s, "work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* "what" is a key of work and no noun of all views: it narrows work alone. The name gives way to the number. */
/* The state is asked for when the next interval may have ended; a key does not put that off. */
START_TEST(the_state_waits_for_an_interval)
{
	static const struct reply next[] = {
		REPLY("state", NULL, "\"now_ns\":111000000000,\"events\":123999,\"lost\":0,\"interval\":2"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(20, 64, "work", rows);
	const struct rs_app *app = rs_stage_app(s);
	uint64_t state_ns;

	rs_stage_later(s, 1000000000);
	rs_stage_replies(s, next);
	rs_stage_later(s, 1000000000);
	ck_assert_uint_eq(app->asked_interval, 2);
	ck_assert_uint_eq(app->next_state, app->next_ask);
	state_ns = app->next_state;
	rs_stage_later(s, 250000000);
	rs_app_refresh(rs_stage_app(s));
	rs_stage_settle(s);
	ck_assert_uint_eq(app->next_ask, state_ns + 250000000);
	ck_assert_uint_eq(app->next_state, state_ns);
	rs_stage_free(s);
}
END_TEST

START_TEST(what_each_view_is_asked)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	const char *asked = rs_stage_asked(s);

	ck_assert_ptr_nonnull(strstr(asked, "\"view\":\"work\",\"where\":\"pid == 7 && what == \\\"waits\\\"\""));
	ck_assert_ptr_nonnull(strstr(asked, "\"view\":\"log\",\"where\":\"pid == 7\""));
	ck_assert_ptr_nonnull(strstr(asked, "\"view\":\"dist\",\"where\":\"pid == 7\",\"by\":[\"pid\"]"));
	ck_assert_ptr_null(strstr(asked, "\"view\":\"off\""));
	rs_stage_free(s);
}
END_TEST

/* First the process; from there its thread. A quote in a name stays what it is. */
START_TEST(a_process_then_its_thread)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_ENTER));
	check_way(s, "work > make (8) re\"ads", "live 10.000000 s");
	check_asked(s, "pid == 8 && what == \\\"re\\\\\\\"ads\\\"\"");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, RS_KEY_DOWN));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "make (8) re\"ads > work > make (9) re\"ads", "live 10.000000 s");
	check_asked(s, "\"view\":\"work\",\"where\":\"what == \\\"re\\\\\\\"ads\\\" && tid == 9");
	rs_stage_free(s);
}
END_TEST

/* The view says which spans its column is the length of: their distribution and the slowest come first. */
START_TEST(a_row_and_its_spans)
{
	static const struct reply spans[] = {
		REPLY("rows", "\"view\":\"work\"", WORK),
		REPLY("latencies", "\"as\":\"histogram\"",
		      "\"count\":6,\"avg_ns\":2000,\"p50_ns\":1500,\"p95_ns\":3000,\"p99_ns\":3000,\"max_ns\":3000,"
		      "\"buckets\":[[512,1024,0],[1024,2048,4],[2048,4096,2],[4096,8192,0]]"),
		REPLY("latencies", "\"as\":\"slowest\"",
		      "\"spans\":[{\"start_ns\":101000000000,\"end_ns\":101000003000,\"comm\":\"sh\",\"tid\":7,\"label\":\"waits\"}]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(20, 64, "work", spans);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 3,
		     " job waits  6 in last 1.00s  avg 2.00us  p50 1.50us  p95 3.00us",
		     "  1.02us to  2.05us        4 ##################################",
		     "  2.05us to  4.10us        2 #################",
		     " slowest, and when",
		     "  3.00us  at 1.000000 s  sh (7)  waits",
		     "",
		     ">work      PID  RUN(ms)v CALLS WHAT    2 rows  last 1.00s");
	/* live, of the very second that the table beside it is of */
	check_asked(s, "\"op\":\"latencies\",\"kind\":\"job\",\"label\":[\"waits\"],\"pid\":7,"
		       "\"from_ns\":109000000000,\"to_ns\":110000000000,\"as\":\"histogram\",\"limit\":10");
	rs_stage_free(s);
}
END_TEST

/* One of a second among many of a microsecond: neither is left out, two powers of two make a bar. */
START_TEST(a_wide_distribution)
{
	struct rs_buf members = RS_BUF_INIT;
	static struct reply spans[] = {
		REPLY("rows", "\"view\":\"work\"", WORK), REPLY("latencies", "\"as\":\"histogram\"", NULL), { 0 },
	};
	struct stage *s;

	rs_buf_puts(&members, "\"count\":9,\"buckets\":[[1000,2000,8]");
	for (int i = 0; i < 18; i++)
		rs_buf_printf(&members, ",[%llu,%llu,%d]", 2000ull << i, 4000ull << i, i == 17);
	rs_buf_putc(&members, ']');
	spans[1].members = members.data;
	s = rs_stage_new(20, 64, "work", spans);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 3, " job waits  9 in last 1.00s  avg -  p50 -  p95 -  p99 -  max -");
	check_screen(s, 4, "  1.00us to  4.00us        8 ##################################");
	check_screen(s, 13, "   262ms to   524ms        1 ####.");
	rs_stage_free(s);
	rs_buf_done(&members);
}
END_TEST

/* One key asks why of the selected process, grouped so that its rows can be told from those of others; details do not ask it. */
START_TEST(why_of_what_is_selected)
{
	static const struct reply of[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,null,1500000,3,null]]"),
		REPLY("rows", "\"view\":\"why\"", "\"of\":1,\"total\":1,\"rows\":[[7,null,\"lock\",null,38000000]]"), { 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", of);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_not_asked(s, "\"view\":\"why\"");
	rs_stage_keys(s, KEYS('W'));
	check_asked(s, "\"view\":\"why\",\"where\":\"pid == 7\",\"sort\":\"-total_ns\",\"by\":[\"pid\",\"part\",\"dev\",\"type\",\"culprit\"]");
	check_screen(s, 4, "PART      TIME(ms)v", "lock        38.000");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_BACKSPACE, 'A'));
	check_screen(s, 12, " antagonists: this engine does not have it");
	rs_stage_free(s);
}
END_TEST

START_TEST(views_are_picked)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_keys(s, KEYS(RS_KEY_F1 + 1));
	check_screen(s, 3, " views  (type to narrow)");
	rs_stage_type(s, "who");
	check_screen(s, 3, " views  contains: who", " work               table              2  who did what", "");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE));
	rs_stage_type(s, "off"); /* names first, then what is in the help */
	check_screen(s, 3, " views  contains: off", " off                table              -  this kernel has no off", "");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 12, " off: this kernel has no off:on");
	check_screen(s, 13, " Enter Choose  Esc Back  F2 Views"); /* a letter is a letter here */
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_BACKSPACE, RS_KEY_BACKSPACE, 'l', 'o', 'g', RS_KEY_ENTER));
	check_way(s, "work > log", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Tab puts a hit in; one that is a view is opened by Enter. A row that has the text is found as ever. */
START_TEST(a_search_finds_views)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "log");
	check_screen(s, 11, " view log");
	rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_ENTER));
	check_way(s, "work > log", "live 10.000000 s");
	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "view nothing");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_screen(s, 12, " ! no view has the name 'nothing' (Tab completes)");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE, RS_KEY_BACKSPACE, '/', 'm', 'a', RS_KEY_ENTER, RS_KEY_ENTER));
	check_way(s, "work > make (8) re\"ads", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/*
 * By topic, in the order of RS_TOPICS: cpu, calls, others. work has 2 rows, dist none, of the log 9 events came; why and
 * the stacks cost an analysis each and are not counted, and off is not there.
 */
START_TEST(views_have_groups_and_counts)
{
	static const struct reply counted[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":2,\"total\":2,\"rows\":[]"),
		REPLY("rows", "\"view\":\"log\"", "\"of\":3,\"total\":3,\"interval\":9,\"rows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(24, 80, "work", counted);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_F1 + 1));
	check_screen(s, 4 + (int)rs_screens_nr(),
		     " cpu            work               table              2  who did what",
		     "                dist               histogram          0  how long",
		     " calls          log                log                9  each thing",
		     " other          why                table              -  each part",
		     "                critical-path      table              -  each link");
	rs_stage_type(s, "calls"); /* a group narrows, too */
	check_screen(s, 3, " views  contains: calls", " calls          log                log                9  each thing", "");
	rs_stage_free(s);
}
END_TEST

/* A time range would be read again for each view: nothing is asked, and no number of before stays. */
START_TEST(views_of_a_time_range_are_not_counted)
{
	struct stage *s = rs_stage_new(21, 80, "work", rows);

	rs_stage_keys(s, KEYS('['));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_F1 + 1));
	check_not_asked(s, "\"view\":\"dist\"");
	check_screen(s, 4 + (int)rs_screens_nr(), " cpu            work               table              -  who did what");
	rs_stage_free(s);
}
END_TEST

START_TEST(help_has_keys_and_columns)
{
	struct stage *s = rs_stage_new(80, 90, "work", rows);
	const char *text;

	rs_stage_keys(s, KEYS('?'));
	text = rs_stage_text(s);
	ck_assert_ptr_nonnull(strstr(text, "\n S F6         choose the column to sort by\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n F2 V         the list of views and screens\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n RUN(ms)          run_ns               time on a CPU\n"));
	rs_stage_free(s);
}
END_TEST

/* As in tig: one screen back, and out of the first. The footer says which. */
START_TEST(q_goes_back_and_out_of_the_first_screen)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER, '?'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "\n q Back  ? Help"));
	rs_stage_keys(s, KEYS('q'));
	check_way(s, "work > sh (7) waits", "live 10.000000 s");
	rs_stage_keys(s, KEYS('q'));
	ck_assert(!rs_stage_app(s)->quit);
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "\n ? Help  q Quit  Enter Open"));
	rs_stage_keys(s, KEYS('q'));
	ck_assert(rs_stage_app(s)->quit);
	rs_stage_free(s);
}
END_TEST

START_TEST(capital_q_leaves_from_any_depth)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER, '?', 'Q'));
	ck_assert(rs_stage_app(s)->quit);
	rs_stage_free(s);
}
END_TEST

/* d is a key of all screens; in a table Enter on a wait opens why instead. */
START_TEST(details_of_the_selected_row)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'd'));
	check_way(s, "work > make (8) re\"ads", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* More screens than there is room for: the way back is shorter, nothing else. */
START_TEST(a_long_way_down)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	for (int i = 0; i < 100; i++)
		rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	for (int i = 0; i < 100; i++)
		rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE));
	check_way(s, "work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* ---- the frame ---- */

START_TEST(what_is_wrong_is_seen)
{
	static const struct reply bad[] = {
		REPLY("state", NULL,
		      "\"now_ns\":110000000000,\"from_ns\":100000000000,\"to_ns\":110000000000,\"events\":5,\"lost\":12,"
		      "\"lost_by_cpu\":[10,2],\"gaps\":2,\"interval\":1,\"warning\":\"7.1% of a CPU, over 5% (turn x off)\""),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", bad);

	check_screen(s, 0,
		     " live box  window 10.0s  5 events  work        live 10.000000 s",
		     " ! 7.1% of a CPU, over 5% (turn x off)",
		     " 10.00 s 5 events lost 12 (cpu0 10, cpu1 2) unmatched 0 discard~");
	rs_stage_free(s);
}
END_TEST

/* What was lost before the window begins, at 100 s, is in nothing that can be looked at: it is told, not shouted. */
START_TEST(loss_that_has_left_the_window)
{
#define LOST_UP_TO(interval, to_ns) \
	{ REPLY("state", NULL, "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"events\":5,\"lost\":12,\"lost_by_cpu\":[0,12],\"gaps\":1," \
		"\"interval\":" interval ",\"lost_to_ns\":" to_ns), { 0 } }
	static const struct reply within[] = LOST_UP_TO("1", "100000000001"), before[] = LOST_UP_TO("2", "99999999999");
	struct stage *s = rs_stage_new(14, 64, "work", within);

	check_screen(s, 1, " 0.00 s 5 events lost 12 (cpu1 12) unmatched 0 discarded 0 infe~", "");
	ck_assert_int_eq(rs_stage_style(s, 1, 2), RS_STYLE_BAD);
	rs_stage_replies(s, before);
	rs_stage_later(s, 1000000000);
	check_screen(s, 1, "", ""); /* the help has it */
	rs_stage_keys(s, KEYS('?', RS_KEY_END));
	check_screen(s, 10, " quality      0.00 s  5 events  lost 12 (cpu1 12)  unmatched 0");
	rs_stage_free(s);
}
END_TEST

/* 12 were lost, and none of them in the time that is shown: until that is known nothing is said of the others either. */
START_TEST(loss_of_another_time)
{
	static const struct reply bad[] = {
		REPLY("state", NULL,
		      "\"now_ns\":110000000000,\"from_ns\":100000000000,\"to_ns\":110000000000,\"events\":5,\"lost\":12,"
		      "\"lost_by_cpu\":[10,2],\"gaps\":2,\"interval\":1"),
		REPLY("rows", "\"from_ns\":105000000000", /* a later time has lost some */
		      "\"from_ns\":105000000000,\"to_ns\":106000000000,\"of\":0,\"total\":0,\"rows\":[],"
		      "\"quality\":{\"events\":9,\"lost\":2,\"lost_by_cpu\":[0,2],\"gaps\":1,\"from_ns\":105000000000,\"to_ns\":106000000000}"),
		REPLY("rows", "\"to_ns\"",
		      "\"from_ns\":109000000000,\"to_ns\":110000000000,\"of\":0,\"total\":0,\"rows\":[],"
		      "\"quality\":{\"events\":7,\"lost\":0,\"from_ns\":109000000000,\"to_ns\":110000000000}"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(14, 80, "work", bad);

	check_screen(s, 1, " 10.00 s 5 events lost 12 (cpu0 10, cpu1 2) unmatched 0 discarded 0 inferred 0 ~");
	rs_stage_key_unanswered(s, '[');
	check_screen(s, 1, "", "");
	rs_stage_settle(s);
	check_screen(s, 1, "", "");
	rs_app_show_time(rs_stage_app(s), &(struct rs_shown_time){ .from_ns = 105000000000, .to_ns = 106000000000 });
	rs_stage_settle(s);
	check_screen(s, 1, " 1.00 s 9 events lost 2 (cpu1 2) unmatched 0 discarded 0 inferred 0 in flight 0");
	rs_stage_keys(s, KEYS('l'));
	check_screen(s, 1, " 10.00 s 5 events lost 12 (cpu0 10, cpu1 2) unmatched 0 discarded 0 inferred 0 ~");
	rs_stage_free(s);
}
END_TEST

START_TEST(loss_that_was_not_counted)
{
	static const struct reply bad[] = {
		REPLY("state", NULL, "\"now_ns\":1,\"events\":5,\"lost\":null,\"lost_by_cpu\":[null,0],\"gaps\":1,\"gaps_uncounted\":1"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", bad);

	check_screen(s, 1, " 0.00 s 5 events lost ? (1 gap uncounted) unmatched 0 discarded~");
	rs_stage_free(s);
}
END_TEST

START_TEST(tracing_that_is_off_is_told)
{
	static const struct reply off[] = {
		REPLY("state", NULL, "\"now_ns\":1,\"events\":5,\"events_per_s\":0,\"lost\":0,\"tracing\":false"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", off);

	check_screen(s, 0, " live box  0 ev/s  work          TRACING OFF  live -99.999999 s");
	rs_stage_free(s);
}
END_TEST

START_TEST(every_size)
{
	struct stage *s = rs_stage_new(20, 64, "work", rows);

	for (int height = 1; height < 16; height++)
		for (int width = 1; width < 60; width += 3) {
			rs_stage_resize(s, height, width);
			rs_stage_keys(s, KEYS(RS_KEY_ENTER, 'C', RS_KEY_ESCAPE, RS_KEY_BACKSPACE, RS_KEY_DOWN, '?', 'q'));
		}
	rs_stage_resize(s, 9, 40);
	check_screen(s, 3, "40x7: too small (40x8)");
	rs_stage_resize(s, 10, 40);
	check_screen(s, 0, " live box  work        live 10.000000 s");
	check_screen(s, 9, " ? Help  q Quit  Enter Open  S Sort");
	rs_stage_free(s);
}
END_TEST

/* ---- the prompt ---- */

START_TEST(a_line_is_edited)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, "pid > 1 && commm");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_HOME, RS_KEY_DELETE, 't', RS_KEY_END, ' ', '~', ' ', 'x'));
	check_screen(s, 12, "filter: tid > 1 && comm ~ x");
	rs_stage_keys(s, KEYS(RS_KEY_END, 'w' & 0x1f, 'w' & 0x1f, RS_KEY_LEFT, RS_KEY_LEFT, 'u' & 0x1f));
	check_screen(s, 12, "filter: m");
	rs_stage_keys(s, KEYS('k' & 0x1f, 0xE9, 0x20AC, RS_KEY_BACKSPACE)); /* a character, not a byte, goes */
	ck_assert_str_eq(rs_stage_app(s)->prompt.text, "\xC3\xA9");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE));
	check_screen(s, 3, " work  who did what                          2 rows  last 1.00s");
	rs_stage_free(s);
}
END_TEST

START_TEST(history_is_of_the_question)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_keys(s, KEYS('/', 's', RS_KEY_ENTER, '/', 'm', RS_KEY_ENTER, 'b', '7', RS_KEY_ENTER, '/', 'c'));
	rs_stage_keys(s, KEYS(RS_KEY_UP));
	check_screen(s, 12, "search: m");
	rs_stage_keys(s, KEYS(RS_KEY_UP));
	check_screen(s, 12, "search: s");
	rs_stage_keys(s, KEYS(RS_KEY_UP, RS_KEY_DOWN, RS_KEY_DOWN));
	check_screen(s, 12, "search: c");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_line_has_an_end)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_keys(s, KEYS('\\'));
	for (int i = 0; i < 2000; i++)
		rs_app_key(rs_stage_app(s), &(struct rs_key_event){ .key = i % 2 ? 0x1F600 : 'x' });
	rs_stage_keys(s, KEYS('y'));
	check_screen(s, 11, "", "filter: x\\u{1F600}x\\u{1F600}x\\u{1F600}x\\u{1F600}x\\u{1F600}xxx");
	rs_stage_keys(s, KEYS(RS_KEY_HOME, RS_KEY_ENTER));
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_app(void);
Suite *rs_suite_app(void)
{
	Suite *s = suite_create("app");
	TCase *t = tcase_create("way");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, down_to_a_row_and_up);
	tcase_add_test(t, the_state_waits_for_an_interval);
	tcase_add_test(t, what_each_view_is_asked);
	tcase_add_test(t, a_process_then_its_thread);
	tcase_add_test(t, a_row_and_its_spans);
	tcase_add_test(t, a_wide_distribution);
	tcase_add_test(t, why_of_what_is_selected);
	tcase_add_test(t, a_search_finds_views);
	tcase_add_test(t, views_are_picked);
	tcase_add_test(t, views_have_groups_and_counts);
	tcase_add_test(t, views_of_a_time_range_are_not_counted);
	tcase_add_test(t, help_has_keys_and_columns);
	tcase_add_test(t, q_goes_back_and_out_of_the_first_screen);
	tcase_add_test(t, capital_q_leaves_from_any_depth);
	tcase_add_test(t, details_of_the_selected_row);
	tcase_add_test(t, a_long_way_down);
	tcase_add_test(t, what_is_wrong_is_seen);
	tcase_add_test(t, loss_that_was_not_counted);
	tcase_add_test(t, loss_of_another_time);
	tcase_add_test(t, loss_that_has_left_the_window);
	tcase_add_test(t, tracing_that_is_off_is_told);
	tcase_add_test(t, every_size);
	tcase_add_test(t, a_line_is_edited);
	tcase_add_test(t, history_is_of_the_question);
	tcase_add_test(t, a_line_has_an_end);
	suite_add_tcase(s, t);
	return s;
}
