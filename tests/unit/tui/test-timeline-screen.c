// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-screen - tracks over time: what is asked for, what is drawn of an answer, from span to span */
#include <check.h>
#include <string.h>

#include "timeline-stage.h"

/* " ? Help  q Quit  Enter Select  x Waker": x does nothing without a selected slice, q always something. */
START_TEST(keys_that_do_nothing_are_dim)
{
	struct stage *s = timeline_stage_begin();

	ck_assert_int_eq(rs_stage_style(s, HEIGHT - 1, 9), RS_STYLE_KEY);
	ck_assert_int_eq(rs_stage_style(s, HEIGHT - 1, 31), RS_STYLE_DIM);
	rs_stage_keys(s, KEYS('n'));
	ck_assert_int_eq(rs_stage_style(s, HEIGHT - 1, 31), RS_STYLE_KEY);
	rs_stage_free(s);
}
END_TEST

/* All of the file, from 100 s to 110 s; of what is in sight and not more. */
START_TEST(a_whole_picture)
{
	struct stage *s = timeline_stage_begin();

	check_asked(s, "\"tracks\":[\"cpu:0\",\"task:7.0\",\"task:8.0\"],\"from_ns\":100000000000,\"to_ns\":110000000000,"
		       "\"cells\":40}");
	check_screen(s, 3,
		     "250ms a cell |0.0                v5.0",
		     "CPU 0        sh/7----: make/8----",
		     "sh         7 RRRRDDDDDDDD^wRRppssssssssssssssssssssss",
		     "  job           read---------",
		     "  job            wait--",
		     "  job             ' + *",
		     "make       8", "", "", "",
		     "5.000000 s", "", "", "",
		     "R runs  w run-queue wait  p preempted  D disk  ~",
		     " ? Help  q Quit  Enter Select  x Waker  c Path");
	rs_stage_keys(s, KEYS('L')); /* without who woke whom */
	check_screen(s, 5, "sh         7 RRRRDDDDDDDDwwRRppssssssssssssssssssssss");
	rs_stage_free(s);
}
END_TEST

#define STATE_OF(events, ended) \
	REPLY("state", NULL, "\"from_ns\":100000000000,\"oldest_ns\":100000000000,\"now_ns\":110000000000,\"events\":" events \
	      ",\"lost\":0,\"ended\":" ended)

/* Which threads are busiest is known when a file has been read: it is asked once more then, and not again. */
START_TEST(tracks_of_a_whole_file)
{
	static const struct reply part[] = { STATE_OF("1", "false"), REPLY("tracks", NULL, "\"tracks\":[]"), { 0 } };
	static const struct reply whole[] = { STATE_OF("2", "true"), REPLY("tracks", NULL, "\"tracks\":[]"), { 0 } };
	struct stage *s = rs_stage_new_file(20, 53, "timeline", part);

	rs_stage_text(s);
	rs_stage_settle(s);
	check_asked(s, "\"op\":\"tracks\"");
	rs_stage_replies(s, whole);
	rs_stage_later(s, 2000000000);
	rs_stage_later(s, 2000000000);
	check_asked(s, "\"op\":\"tracks\"");
	rs_stage_later(s, 2000000000);
	check_not_asked(s, "\"op\":\"tracks\"");
	rs_stage_free(s);
}
END_TEST

/* The end may come without another event, 10 s later: the tracks of 100 to 110 s are asked for, and no others. */
START_TEST(tracks_at_an_end_without_an_event)
{
#define STATE_AT(now, rest) \
	REPLY("state", NULL, "\"now_ns\":" now ",\"oldest_ns\":100000000000,\"events\":7,\"lost\":0,\"interval\":0," rest)
	static const struct reply part[] = {
		STATE_AT("102000000000", "\"loading\":{\"done_bytes\":430,\"all_bytes\":1000},\"ended\":false"),
		REPLY("tracks", NULL, "\"tracks\":[]"), { 0 },
	};
	static const struct reply whole[] = {
		STATE_AT("110000000000", "\"loading\":null,\"ended\":true"), REPLY("tracks", NULL, "\"tracks\":[]"), { 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", part);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_replies(s, whole);
	rs_stage_later(s, 2000000000);
	rs_stage_later(s, 2000000000);
	check_asked(s, "\"op\":\"tracks\",\"limit\":64,\"from_ns\":100000000000,\"to_ns\":110");
	rs_stage_free(s);
}
END_TEST

/* The cursor goes to the call; its details are hostile. */
START_TEST(a_slice_and_its_waker)
{
	struct stage *s = timeline_stage_begin();

	for (int i = 0; i < 10; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN));
	check_screen(s, 13, "2.500000 s   job read");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_settle(s);
	check_screen(s, 13, "2.500000 s   job read",
		     "job read   3.25s   0.750000 s   sh (7)",
		     "RET -5   ARGS 0x3\\x1B[2J   CPU 1.50ms",
		     "woken by make (8)   3.100000 s   x: go there");
	check_asked(s, "\"op\":\"details\",\"track\":\"task:7.0\",\"kind\":1,\"from_ns\":100750000000,\"to_ns\":104000000000}");
	rs_stage_keys(s, KEYS('x')); /* to what make was in when it woke it */
	check_asked(s, "\"op\":\"span\",\"track\":\"task:8.0\",\"lane\":\"state\",\"at_ns\":103100000000");
	rs_stage_settle(s);
	check_screen(s, 13, "3.100000 s", "other run   200ms   3.000000 s   make (8)");
	rs_stage_keys(s, KEYS('x'));
	check_screen(s, 17, " the waker is unknown");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE)); /* the selection goes first */
	check_screen(s, 14, "", "", "");
	rs_stage_free(s);
}
END_TEST

/* A sample, and a wait, list their stack below the rows, which give it room; a low screen counts what does not fit. */
START_TEST(a_stack)
{
	static const struct reply sampled[] = {
		TRACKS, REPLY("spans", NULL, PICTURE),
		REPLY("span", NULL, "\"span\":{\"track\":\"task:7.0\",\"lane\":\"sample\",\"kind\":1,\"label\":\"work\",\"start_ns\":101400000000,"
		      "\"end_ns\":101400000000,\"depth\":0,\"open\":false,\"longer\":false,\"comm\":\"sh\",\"pid\":7,\"tid\":7},\"waker\":null"),
		REPLY("details", NULL, "\"details\":[{\"name\":\"stack\",\"heading\":\"STACK\",\"type\":\"text\",\"value\":\"main;a;b;c\\u001b[2J;work\"},"
		      "{\"name\":\"modules\",\"heading\":\"MODULES\",\"type\":\"text\",\"value\":\"sh;sh;sh;sh;[kernel]\"},"
		      "{\"name\":\"cpu\",\"heading\":\"CPU\",\"type\":\"id\",\"value\":1}]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", sampled);

	rs_stage_text(s);
	rs_stage_settle(s);
	for (int i = 0; i < 10; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_ENTER));
	rs_stage_settle(s);
	check_screen(s, 9, "2.500000 s   job read", "job work   1.400000 s   sh (7)", "CPU 1", "", "at   work ([kernel])", "from c\\x1B[2J (sh)",
		     "from b (sh)", "     and 2 more that called it");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE));
	check_screen(s, 13, "2.500000 s   job read", "", "", "");
	rs_stage_free(s);
	s = rs_stage_new_file(HEIGHT + 8, WIDTH, "timeline", sampled);
	rs_stage_text(s);
	rs_stage_settle(s);
	for (int i = 0; i < 10; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_ENTER));
	rs_stage_settle(s);
	check_screen(s, 20, "at   work ([kernel])", "from c\\x1B[2J (sh)", "from b (sh)", "from a (sh)", "from main (sh)");
	rs_stage_free(s);
}
END_TEST

/* A preempted slice says who was given the CPU, and x goes to what that one did then. */
START_TEST(a_preempted_slice)
{
	static const struct reply taken[] = {
		TRACKS, REPLY("spans", NULL, PICTURE),
		REPLY("span", "task:7.0", "\"span\":{\"track\":\"task:7.0\",\"lane\":\"state\",\"kind\":0,\"label\":\"preempted\","
		      "\"start_ns\":104000000000,\"end_ns\":104500000000,\"comm\":\"sh\",\"pid\":7,\"tid\":7},\"waker\":null,"
		      "\"taker\":{\"track\":\"task:8.0\",\"tid\":8,\"comm\":\"make\",\"ran_ns\":300000000}"),
		REPLY("span", NULL, "\"span\":null"), REPLY("details", NULL, "\"details\":[]"), { 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", taken);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_mouse(s, RS_KEY_MOUSE, 5, 13 + 16);
	rs_stage_settle(s);
	check_screen(s, 14, "other preempted   500ms   4.000000 s   sh (7)", "",
		     "preempted by make (8), which ran for 300ms   x: go th");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('x'));
	check_asked(s, "\"op\":\"span\",\"track\":\"task:8.0\",\"lane\":\"state\",\"at_ns\":104000000000,\"for_ns\":1}");
	rs_stage_free(s);
}
END_TEST

/* The threads of a process, at the moment and as large as before. */
START_TEST(threads_at_the_same_zoom)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'w'));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('p'));
	check_way(s, "timeline > threads of sh (7)", "all of the file");
	rs_stage_settle(s);
	const char *asked = rs_stage_asked(s);

	ck_assert_ptr_nonnull(strstr(asked, "\"op\":\"tracks\",\"pid\":7,"));
	ck_assert_ptr_nonnull(strstr(asked, "\"from_ns\":101500000203,\"to_ns\":108166666883,\"cells\":40}"));
	check_screen(s, 13, "5.000000 s   other S (sleep)");
	rs_stage_keys(s, KEYS('p')); /* and no further */
	check_way(s, "timeline > threads of sh (7)", "all of the file");
	rs_stage_free(s);
}
END_TEST

/* A name is there whole or not at all: without its number before that, and where not even that fits, a line with a begin. */
START_TEST(names_where_they_fit)
{
	static const struct reply narrow[] = {
		TRACKS,
		REPLY("spans", NULL,
		      "\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"tracks\":["
		      "{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,6,0,0,0,1,8],[6,11,0,0,0,1,8],"
		      "[11,15,0,0,0,1,8],[15,18,0,0,0,1,8],[18,19,0,0,0,1,8],[20,30,0,0,0,3,2]]}]}],\"labels\":[\"make/8\"],\"arrows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", narrow);

	rs_stage_text(s);
	rs_stage_settle(s);
	check_screen(s, 4, "CPU 0        make/8make-make|--- ::::::::::");
	rs_stage_free(s);
}
END_TEST

START_TEST(zoom_and_pan)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('w')); /* two thirds of a cell of 250 ms, about the cursor at 105 s, at a multiple of that */
	check_asked(s, "\"from_ns\":101500000203,\"to_ns\":108166666883,\"cells\":40}");
	rs_stage_keys(s, KEYS('a')); /* a quarter and a cell back */
	check_asked(s, "\"cells\":40}");
	rs_stage_keys(s, KEYS('0'));
	check_asked(s, "\"from_ns\":100000000000,\"to_ns\":110000000000,\"cells\":40}");
	rs_stage_keys(s, KEYS('s', 's', 's', 's', 's')); /* no further than there is, and a bit */
	check_asked(s, "\"cells\":40}");
	check_screen(s, 3, "281ms a cell   |0.0       v                        |1");
	rs_stage_free(s);
}
END_TEST

/* Until the new answer is there the old one is seen where it belongs: the answers here stay those of all the file. */
START_TEST(an_old_picture_is_stretched)
{
	struct stage *s = timeline_stage_begin();

	for (int i = 0; i < 12; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT)); /* to 2 s: the column stays as it is zoomed */
	rs_stage_keys(s, KEYS('w', 'w'));
	check_screen(s, 3, "111ms a cell          v                          |5.0",
		     "CPU 0        sh/7-----:::: make/8-----------------",
		     "sh         7 DDDDDDDDDDDDDDDDDDw^wwwRRRRpppppssssssss");
	rs_stage_free(s);
}
END_TEST

START_TEST(marks)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_keys(s, KEYS('m', RS_KEY_RIGHT, RS_KEY_RIGHT));
	check_screen(s, 13, "5.500000 s   from the mark: 500ms");
	rs_stage_keys(s, KEYS('m', RS_KEY_RIGHT));
	check_screen(s, 13, "5.750000 s   between the marks: 500ms");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('u')); /* that time, for all screens */
	ck_assert_uint_eq(rs_stage_app(s)->time.from_ns, 105000000000u);
	ck_assert_uint_eq(rs_stage_app(s)->time.to_ns, 105500000000u);
	rs_stage_keys(s, KEYS('m'));
	check_screen(s, 13, "5.750000 s");
	rs_stage_free(s);
}
END_TEST

/* It asks for the longest of all, goes there, and asks who woke it; then for the next. */
START_TEST(the_slowest)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('n'));
	rs_stage_settle(s);
	check_asked(s, "\"op\":\"step\",\"by\":\"length\"}");
	check_screen(s, 14, "job read   3.25s   0.750000 s   sh (7)");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('N'));
	check_asked(s, "\"op\":\"step\",\"by\":\"length\",\"back\":true,"
		       "\"than\":{\"start_ns\":100750000000,\"end_ns\":104000000000}}");
	rs_stage_free(s);
}
END_TEST

/* The longest is of a thread that is not among the busiest: a row comes. A second n at once is the next one's. */
START_TEST(the_slowest_of_others)
{
	static const struct reply other[] = {
		TRACKS,
		REPLY("spans", NULL, PICTURE),
		REPLY("step", NULL, "\"span\":{\"track\":\"task:9.0\",\"lane\":\"slice\",\"kind\":1,\"label\":\"read\",\"start_ns\":101000000000,"
		      "\"end_ns\":106000000000,\"depth\":0,\"open\":false,\"longer\":false,\"comm\":\"rare\",\"pid\":9,\"tid\":9}"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", other);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_key_unanswered(s, 'n');
	rs_stage_key_unanswered(s, 'n');
	rs_stage_settle(s);
	check_asked(s, "\"than\":{\"start_ns\":101000000000,\"end_ns\":106000000000}}");
	rs_stage_later(s, 2000000000);
	check_asked(s, "\"tracks\":[\"cpu:0\",\"task:7.0\",\"task:8.0\",\"task:9.0\"]");
	rs_stage_free(s);
}
END_TEST

/* A recording without any: that is said, and not that there are no more. p: where no row is, nothing is selected. */
START_TEST(no_slowest)
{
	static const struct reply none[] = {
		TRACKS,
		REPLY("spans", NULL, PICTURE),
		REPLY("step", NULL, "\"span\":null"),
		REPLY("span", NULL, SPAN_OF("")),
		{ 0 },
	};
	static const struct reply no_pid[] = {
		REPLY("tracks", NULL, "\"tracks\":[{\"track\":\"task:7.0\",\"of\":\"task\",\"label\":\"sh\",\"pid\":null,\"tid\":7,\"lanes\":[]}]"),
		REPLY("spans", NULL, PICTURE),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", none);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('n'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "no call, wait or request with a duration"));
	rs_stage_keys(s, KEYS('p')); /* on a CPU's row */
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "this slice has no task"));
	rs_stage_free(s);

	s = rs_stage_new_file(HEIGHT, 80, "timeline", no_pid);
	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'p'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "unknown process"));
	rs_stage_free(s);
}
END_TEST

/* Begun with it: it is on the stack once all the same. */
START_TEST(begun_with_it)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_keys(s, KEYS('o', 't'));
	check_way(s, "overview > timeline", "all of the file");
	rs_stage_keys(s, KEYS('o'));
	check_way(s, "overview", "all of the file");
	rs_stage_free(s);
}
END_TEST

START_TEST(the_mouse)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_asked(s);
	rs_stage_mouse(s, RS_KEY_MOUSE, 6, 13 + 5); /* the call, 1.25 s after the begin */
	check_asked(s, "\"op\":\"span\",\"track\":\"task:7.0\",\"lane\":\"slice\",\"at_ns\":101250000000,\"for_ns\":250000000,"
		       "\"depth\":0}");
	rs_stage_mouse(s, RS_KEY_WHEEL_UP, 6, 13); /* in, where the mouse is: it begins there as before */
	check_asked(s, "\"from_ns\":99833333533,");
	rs_stage_free(s);
}
END_TEST

/* Of a selected process: its threads alone; a refusal, and nothing at all, are said. */
START_TEST(of_a_process)
{
	static const struct reply rows[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
		REPLY("tracks", NULL, "\"tracks\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "work", rows);

	rs_stage_text(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('t'));
	rs_stage_text(s);
	rs_stage_settle(s);
	check_asked(s, "\"op\":\"tracks\",\"pid\":7,\"of\":\"task\"");
	check_way(s, "work > threads of sh (7)", "all of the file");
	check_screen(s, 4, "  no data (it ended too long ago, or was not traced)");
	rs_stage_keys(s, KEYS('w', 'd', RS_KEY_ENTER, 'n', 'x', 'm', 'u', RS_KEY_DOWN)); /* and no key harms */
	rs_stage_free(s);
}
END_TEST

/* Answers that are not as the protocol says: nothing of them is drawn, and what was there stays. */
START_TEST(wrong_answers)
{
	static const char *const bad[] = {
		"", "\"cells\":40", "\"from_ns\":1,\"cell_ns\":0,\"cells\":40,\"tracks\":[]",
		"\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"labels\":[],\"arrows\":[],\"tracks\":["
		"{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,8,0,0,0,1,8]]}]}]", /* no such label */
		"\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"labels\":[\"a\"],\"arrows\":[],\"tracks\":["
		"{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[8,2,0,0,0,1,8]]}]}]",
		"\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"labels\":[\"a\"],\"arrows\":[],\"tracks\":["
		"{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,41,0,0,0,1,8]]}]}]",
		"\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":999999,\"labels\":[],\"tracks\":[]",
	};
	struct stage *s = timeline_stage_begin();

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const struct reply wrong[] = { TRACKS, REPLY("spans", NULL, bad[i]), { 0 } };

		rs_stage_replies(s, wrong);
		rs_stage_keys(s, KEYS(RS_KEY_DOWN));
		check_screen(s, 5, "sh         7 RRRRDDDDDDDD^wRRppssssssssssssssssssssss");
	}
	rs_stage_replies(s, timeline_replies);
	rs_stage_free(s);
}
END_TEST

/* Rows further down are asked for when they come into sight, and the cursor's line stays where it is. */
START_TEST(resized)
{
	static const int sizes[][2] = { { 10, 40 }, { 50, 200 }, { 11, 44 }, { 5, 20 }, { 18, 53 } };
	struct stage *s = timeline_stage_begin();

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_DOWN));
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		rs_stage_resize(s, sizes[i][0], sizes[i][1]);
		rs_stage_text(s);
		rs_stage_settle(s);
	}
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "RRRRDDDDDDDD"));
	rs_stage_free(s);
}
END_TEST

/* Live it moves on with the events; who pans away stays there. */
START_TEST(live)
{
	static const struct reply later[] = {
		REPLY("state", NULL, "\"now_ns\":112000000000,\"oldest_ns\":100000000000,\"interval\":3,\"events\":1,\"lost\":0"),
		TRACKS, REPLY("spans", NULL, PICTURE), { 0 },
	};
	struct stage *s = rs_stage_new(HEIGHT, WIDTH, "timeline", timeline_replies);

	rs_stage_text(s);
	rs_stage_settle(s);
	check_asked(s, "\"to_ns\":110000000000,\"cells\":40}"); /* the last five seconds */
	rs_stage_replies(s, later);
	rs_stage_later(s, 2000000000); /* tells how it stands */
	rs_stage_later(s, 2000000000);
	check_asked(s, "\"from_ns\":107000000000,\"to_ns\":112000000000,\"cells\":40}");
	rs_stage_keys(s, KEYS('a'));
	rs_stage_asked(s);
	rs_stage_later(s, 2000000000);
	check_not_asked(s, "\"to_ns\":112000000000");
	rs_stage_free(s);
}
END_TEST

/* Live, 100 s kept: of the selected call's others those of all that is seen, or around what is seen of the past. */
START_TEST(distribution_of_what_is_seen)
{
	static const struct reply live[] = {
		TRACKS,
		REPLY("state", NULL, "\"now_ns\":200000000000,\"oldest_ns\":100000000000,\"from_ns\":100000000000,\"events\":1,\"interval\":1"),
		REPLY("spans", NULL, PICTURE),
		REPLY("span", NULL, SPAN_OF("")),
		REPLY("step", NULL, SPAN_OF("")),
		REPLY("latencies", NULL, "\"count\":1,\"buckets\":[[1024,2048,1]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(HEIGHT, WIDTH, "timeline", live);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('n', 'h')); /* five seconds around the call are seen: half a minute is looked at, as far as it is kept */
	check_asked(s, "\"label\":[\"read\"],\"tid\":7,\"from_ns\":100000000000,\"to_ns\":117");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, '0', 'h'));
	check_asked(s, "\"tid\":7,\"from_ns\":100000000000,\"to_ns\":200000000001,\"as\":\"histogram\"");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, 'w', 'w', 'w', 'w', 'w', 'w', 'w', 'w', RS_KEY_END, 'h'));
	check_asked(s, "\"tid\":7,\"from_ns\":170000000000,\"to_ns\":200000000001,\"as\":\"histogram\"");
	rs_stage_free(s);
}
END_TEST

/* A job of 100 ms, less than half a cell: "." goes there and keeps the zoom, "n" zooms to it. */
START_TEST(a_step_does_not_zoom)
{
	static const struct reply small[] = {
		TRACKS, REPLY("spans", NULL, PICTURE),
		REPLY("step", NULL, "\"span\":{\"track\":\"task:7.0\",\"lane\":\"slice\",\"kind\":1,\"label\":\"job\",\"start_ns\":101000000000,"
		      "\"end_ns\":101100000000,\"depth\":0,\"open\":false,\"longer\":false,\"comm\":\"sh\",\"pid\":7,\"tid\":7}"),
		REPLY("span", NULL, "\"span\":null"), { 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", small);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('.'));
	rs_stage_settle(s);
	check_asked(s, "\"op\":\"step\"");
	check_screen(s, 3, "250ms a cell |0.0v               |5.0");
	rs_stage_keys(s, KEYS('n'));
	rs_stage_settle(s);
	ck_assert_msg(strstr(rs_stage_text(s), "5.00ms a cel"), "%s", rs_stage_text(s));
	rs_stage_free(s);
}
END_TEST

/* How many spans a cell has, and what most of its time was; a kind whose name is that of its spans is named once. */
START_TEST(what_is_at_the_cursor)
{
	static const struct reply named[] = {
		TRACKS,
		REPLY("spans", NULL, "\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"tracks\":[{\"track\":\"cpu:0\",\"lanes\":["
		      "{\"lane\":\"state\",\"depth\":0,\"runs\":[[19,20,0,0,0,9,2],[20,30,1,1,0,1,8]]}]}],\"labels\":[\"sh/7\",\"job\"],\"arrows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(HEIGHT, WIDTH, "timeline", named);

	rs_stage_text(s);
	rs_stage_settle(s);
	check_screen(s, 13, "5.000000 s   job");
	rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	check_screen(s, 13, "4.750000 s   9 spans, mostly other sh/7");
	rs_stage_free(s);
}
END_TEST

/* Below the tracks, of the group of the cursor's thread; what had less than 1 % has no line. */
START_TEST(pressure_has_a_line)
{
	static const struct reply replies[] = {
		TRACKS, REPLY("spans", NULL, PICTURE),
		REPLY("pressure", "\"tid\":7", "\"cgroup\":\"/web.slice\",\"pressures\":[{\"resource\":\"io\",\"steps\":["
		      "[100000000000,102000000000,200000000,100000000],[102000000000,104000000000,2000000000,0],"
		      "[104000000000,106000000000,2000000,null]]}]"),
		REPLY("pressure", NULL, "\"cgroup\":\"/\",\"pressures\":[{\"resource\":\"cpu\",\"steps\":["
		      "[100000000000,110000000000,9000000,null]]}]"),
		{ 0 },
	};
	struct stage *s = timeline_stage_begin_with(replies);

	check_screen(s, 12, "", "5.000000 s"); /* the cursor is on a CPU, and the machine had 0.9 % */
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	check_screen(s, 12, "io    100/5% ________########", "5.000000 s   other S (sleep)");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_screen(void)
{
	Suite *s = suite_create("timeline-screen");
	TCase *t = tcase_create("timeline-screen");

	tcase_add_test(t, keys_that_do_nothing_are_dim);
	tcase_add_test(t, a_whole_picture);
	tcase_add_test(t, tracks_of_a_whole_file);
	tcase_add_test(t, tracks_at_an_end_without_an_event);
	tcase_add_test(t, a_slice_and_its_waker);
	tcase_add_test(t, names_where_they_fit);
	tcase_add_test(t, a_stack);
	tcase_add_test(t, a_preempted_slice);
	tcase_add_test(t, threads_at_the_same_zoom);
	tcase_add_test(t, zoom_and_pan);
	tcase_add_test(t, an_old_picture_is_stretched);
	tcase_add_test(t, marks);
	tcase_add_test(t, the_slowest);
	tcase_add_test(t, the_slowest_of_others);
	tcase_add_test(t, no_slowest);
	tcase_add_test(t, begun_with_it);
	tcase_add_test(t, the_mouse);
	tcase_add_test(t, of_a_process);
	tcase_add_test(t, wrong_answers);
	tcase_add_test(t, resized);
	tcase_add_test(t, live);
	tcase_add_test(t, distribution_of_what_is_seen);
	tcase_add_test(t, a_step_does_not_zoom);
	tcase_add_test(t, what_is_at_the_cursor);
	tcase_add_test(t, pressure_has_a_line);
	suite_add_tcase(s, t);
	return s;
}
