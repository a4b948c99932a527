// SPDX-License-Identifier: GPL-2.0-or-later
/* test-latency-screens - histogram, heat map and the longest: what is asked of a row's column, what is drawn */
#include <check.h>
#include <string.h>

#include "tui-stage.h"
#include "tui/toolkit/heat.h"

#define CELL(category, hue, light) (rs_heat_style(category, hue, light) - RS_STYLE_CAUSE + RS_STYLE_CELL)

/* A histogram of [1us, 2us) 4, none, [4us, 8us) 1; a heat map of 30 columns; the longest two. */
#define KINDS REPLY("kinds", NULL, "\"kinds\":[{\"kind\":0,\"cause\":null,\"count\":1266,\"total_ns\":9000}," \
	      "{\"kind\":1,\"cause\":null,\"count\":5,\"total_ns\":12500}]")

static const struct reply replies[] = {
	KINDS,
	REPLY("rows", "\"view\":\"work\"",
	      "\"of\":2,\"total\":2,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"],[\"make\",8,9,1000,null,null]]"),
	REPLY("latencies", "\"as\":\"histogram\"",
	      "\"count\":5,\"avg_ns\":2500,\"p50_ns\":1500,\"p95_ns\":7000,\"p99_ns\":7000,\"max_ns\":7000,"
	      "\"buckets\":[[1024,2048,4],[2048,4096,0],[4096,8192,1]]"),
	REPLY("latencies", "\"as\":\"heat\"",
	      "\"count\":111,\"p50_ns\":1200,\"from_ns\":100000000000,\"cell_ns\":500000000,\"rows\":["
	      "{\"from_ns\":1024,\"to_ns\":1536,\"counts\":[1,0,100],\"sums_ns\":[1100,0,120000]},{\"from_ns\":1536,\"to_ns\":2048,\"counts\":[0,0,0],\"sums_ns\":[0,0,0]},"
	      "{\"from_ns\":2048,\"to_ns\":3072,\"counts\":[0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3],"
	      "\"sums_ns\":[0,480000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,29999]}]"),
	REPLY("latencies", "\"as\":\"slowest\"",
	      "\"spans\":[{\"track\":\"task:7.0\",\"lane\":\"slice\",\"kind\":1,\"label\":\"waits\\u0007\",\"start_ns\":101000000000,"
	      "\"end_ns\":101000007000,\"comm\":\"sh\",\"pid\":7,\"tid\":7},"
	      "{\"track\":\"disk:8:0\",\"lane\":\"async\",\"kind\":0,\"label\":\"R\",\"start_ns\":102000000000,"
	      "\"end_ns\":102000001500,\"on\":\"vd\",\"comm\":null,\"pid\":null,\"tid\":9},"
	      "{\"track\":\"disk:8:0\",\"lane\":\"async\",\"kind\":0,\"label\":\"W\",\"start_ns\":102000000000,"
	      "\"end_ns\":102000001000,\"on\":null,\"comm\":null,\"pid\":null,\"tid\":null}]"),
	{ 0 },
};

static struct stage *begin(uint32_t key)
{
	struct stage *s = rs_stage_new_file(12, 60, "work", replies);

	rs_stage_text(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(key));
	rs_stage_text(s);
	rs_stage_settle(s);
	return s;
}

START_TEST(a_histogram)
{
	struct stage *s = begin('h');

	check_asked(s, "\"op\":\"latencies\",\"kind\":\"job\",\"label\":[\"waits\"],\"tid\":7,\"as\":\"histogram\"}");
	check_way(s, "work > job waits of sh (7)", "all of the file");
	check_screen(s, 3, " job 5  other 1,266", "  5   avg 2.50us   p50 1.50us   p95 7.00us   p99 7.00us   ma",
		     "  1.02us .. 2.05us            4   #########################",
		     "  2.05us .. 4.10us            0",
		     "  4.10us .. 8.19us            1   ######.");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER)); /* the last bar: what took longest */
	check_asked(s, "\"as\":\"slowest\",\"limit\":200,\"min_ns\":4096,\"max_ns\":8192}");
	rs_stage_free(s);
}
END_TEST

/* Of a row without that label: of all labels; of a thread: of it alone. */
START_TEST(of_another_row)
{
	struct stage *s = rs_stage_new_file(12, 60, "work", replies);

	rs_stage_text(s);
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('h'));
	check_asked(s, "\"kind\":\"job\",\"tid\":9,\"as\":\"histogram\"}");
	rs_stage_keys(s, KEYS(RS_KEY_TAB)); /* the other kind of span */
	check_asked(s, "\"kind\":\"other\",\"tid\":9,\"as\":\"histogram\"}");
	rs_stage_free(s);
}
END_TEST

/*
 * 51 columns. 480 us in 7 spans are the most; 120 us in 100 spans, a quarter, have its light, 30 us in 3 are one darker,
 * 1.1 us are the darkest, and seen. The cursor, in brackets, begins at the longest and latest, and its slowest is asked for.
 */
START_TEST(a_heat_map)
{
	struct stage *s = begin('H');

	check_asked(s, "\"as\":\"heat\",\"columns\":51}");
	rs_stage_text(s);
	rs_stage_settle(s);
	check_asked(s, "\"from_ns\":114500000000,\"to_ns\":115000000000,\"as\":\"slowest\",\"limit\":1,\"min_ns\":2048,\"max_ns\":3072}");
	check_screen(s, 3, " job 5  other 1,266",
		     "         |0.0                |10.0    v          |20.0",
		     "  2.05us  #                          [:]",
		     "  1.54us",
		     "  1.02us . #", "",
		     "3 of 2.05us to 3.07us: 30.0us together, slowest 7.00us sh (7",
		     "color: above the median 1.20us   bright: most time together,");
	/* of no wait: in the color of a sleep. 30 of 480 us: a quarter of a quarter, and at 2.05 us above the median, 1.2 us, less than eight times */
	ck_assert_int_eq(rs_stage_style(s, 5, 38), CELL(RS_CATEGORY_PEER, 1, 1));
	ck_assert_int_eq(rs_stage_style(s, 5, 10), CELL(RS_CATEGORY_PEER, 1, 3));
	ck_assert_int_eq(rs_stage_style(s, 7, 9), CELL(RS_CATEGORY_PEER, 0, 0)); /* at the median: grey */
	ck_assert_int_eq(rs_stage_style(s, 7, 11), CELL(RS_CATEGORY_PEER, 0, 3));
	ck_assert_int_eq(rs_stage_style(s, 5, 37), RS_STYLE_KEY); /* the cursor is no data */
	for (int i = 0; i < 28; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	rs_stage_text(s);
	rs_stage_settle(s);
	check_screen(s, 9, "7 of 2.05us to 3.07us: 480us together, slowest 7.00us sh (7)");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"from_ns\":100500000000,\"to_ns\":101000000000,\"as\":\"slowest\",\"limit\":200,\"min_ns\":2048,\"max_ns\":3072}");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE));
	rs_stage_mouse(s, RS_KEY_MOUSE, 7, 11);
	rs_stage_text(s);
	rs_stage_settle(s);
	check_screen(s, 9, "100 of 1.02us to 1.54us: 120us together, slowest 7.00us sh ("); /* of 60 columns */
	rs_stage_free(s);
}
END_TEST

/* Rows of up to 10 us share a line: the number and the time of each column are their sums. */
START_TEST(a_line_of_several_rows)
{
#define HEAT_ROW(from, to, counts, sums) "{\"from_ns\":" #from ",\"to_ns\":" #to ",\"counts\":[" counts "],\"sums_ns\":[" sums "]}"
	static const struct reply of_many[] = {
		KINDS,
		REPLY("latencies", "\"as\":\"heat\"",
		      "\"count\":30,\"p50_ns\":1200,\"from_ns\":100000000000,\"cell_ns\":500000000,\"rows\":["
		      HEAT_ROW(1024, 2048, "1,4", "1500,5000") "," HEAT_ROW(2048, 4096, "2,0", "6000,0") "," HEAT_ROW(4096, 8192, "4,1", "20000,5000") ","
		      HEAT_ROW(8192, 16384, "8,1", "80000,10000") "," HEAT_ROW(16384, 32768, "1,2", "20000,50000") "]"),
		{ 0 },
	};
	struct stage *s = begin('H');

	rs_stage_replies(s, of_many);
	rs_stage_resize(s, 11, 60);
	rs_stage_keys(s, KEYS(RS_KEY_TAB));
	rs_stage_settle(s);
	check_screen(s, 4, "         |v.0                |10.0               |20.0",
		     "  16.4us [#]",
		     "  8.19us #+",
		     " <8.19us #+",
		     "2 of 16.4us to 32.8us: 50.0us together   0.500000 s");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN));
	check_screen(s, 8, "5 of 1.02us to 8.19us: 10.0us together   0.500000 s");
	rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	check_screen(s, 8, "7 of 1.02us to 8.19us: 27.5us together   0.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Another kind, whose answer is not here, and keys before the frame that says so: of no cell. */
START_TEST(a_heat_map_without_its_answer)
{
	struct stage *s = begin('H');

	rs_stage_settle(s);
	for (int i = 0; i < 27; i++)
		rs_stage_keys(s, KEYS(RS_KEY_LEFT));
	rs_stage_key_unanswered(s, RS_KEY_LEFT); /* to a cell whose slowest is asked for */
	rs_stage_asked(s);
	rs_stage_keys_unseen(s, KEYS(RS_KEY_TAB, RS_KEY_ENTER, 't'));
	rs_stage_later_unseen(s, 0);
	check_not_asked(s, "\"limit\":200");
	rs_stage_free(s);
}
END_TEST

/*
 * Ctrl and the wheel at the first column of 10 s in 51: two thirds of it, the moment stays under the mouse. Out of all
 * that there is the file is shown again; so does 0. What is asked then says no time.
 */
START_TEST(a_zoom_of_the_time)
{
	static const struct reply whole[] = {
		KINDS, REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
		REPLY("latencies", "\"as\":\"heat\"", "\"count\":1,\"p50_ns\":1200,\"from_ns\":100000000000,\"cell_ns\":196078432,\"rows\":["
		      "{\"from_ns\":1024,\"to_ns\":1536,\"counts\":[1],\"sums_ns\":[1100]}]"),
		REPLY("latencies", NULL, "\"count\":0"), { 0 },
	};
	struct stage *s = rs_stage_new_file(12, 60, "work", whole);

	rs_stage_keys(s, KEYS('H'));
	rs_stage_settle(s);
	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_mouse(s, RS_KEY_ZOOM_IN, 5, 9);
	rs_stage_settle(s);
	check_asked(s, "\"from_ns\":100032679739,\"to_ns\":106699346427,\"as\":\"heat\"");
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "over time of 6.67s"));
	rs_stage_asked(s);
	rs_stage_mouse(s, RS_KEY_ZOOM_OUT, 5, 9);
	rs_stage_settle(s);
	check_asked(s, "\"kind\":\"job\",\"label\":[\"waits\"],\"tid\":7,\"as\":\"heat\"");
	rs_stage_keys(s, KEYS('+'));
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('0'));
	rs_stage_settle(s);
	check_asked(s, "\"kind\":\"job\",\"label\":[\"waits\"],\"tid\":7,\"as\":\"heat\"");
	rs_stage_free(s);
}
END_TEST

/* An empty cell of the second column says nothing: it is not blank. Where there is a span it is shown. */
START_TEST(lost_events_in_a_heat_map)
{
	static const struct reply lost[] = {
		KINDS, REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
		REPLY("latencies", "\"as\":\"heat\"", "\"count\":3,\"p50_ns\":1200,\"from_ns\":100000000000,\"cell_ns\":500000000,\"rows\":["
		      "{\"from_ns\":1024,\"to_ns\":1536,\"counts\":[0,1,1],\"sums_ns\":[0,1100,1100]},"
		      "{\"from_ns\":1536,\"to_ns\":2048,\"counts\":[1,0,0],\"sums_ns\":[1600,0,0]}],\"lost\":[1]"),
		REPLY("latencies", NULL, "\"count\":0"), { 0 },
	};
	struct stage *s = rs_stage_new_file(12, 90, "work", lost);

	rs_stage_keys(s, KEYS('H'));
	rs_stage_settle(s);
	rs_stage_text(s);
	rs_stage_settle(s);
	check_screen(s, 5, "  1.54us[#]", "  1.02us  ##", "");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_RIGHT));
	check_screen(s, 5, "  1.54us #[ ]", "  1.02us  ##", "");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT));
	check_screen(s, 5, "  1.54us #?[ ]", "  1.02us  ##", "");
	ck_assert_int_eq(rs_stage_style(s, 5, 10), RS_STYLE_DIM);
	rs_stage_keys(s, KEYS(RS_KEY_LEFT, RS_KEY_LEFT));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "0 of 1.54us to 2.05us   events were lost   0.500000 s"));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "? events were lost   color: above the median"));
	rs_stage_free(s);
}
END_TEST

/* What was asked of a kind is not shown as another's. */
START_TEST(kinds_faster_than_answers)
{
	struct stage *s = begin('h');
	const char *asked;
	int nr = 0;

	for (int i = 0; i < RS_MAX_OPEN_REQUESTS; i++) /* one is asked at a time, so that there is room for the last */
		rs_stage_key_unanswered(s, RS_KEY_TAB);
	rs_stage_asked(s);
	rs_stage_settle(s);
	asked = rs_stage_asked(s);
	ck_assert_ptr_nonnull(strstr(asked, "\"kind\":\"job\",\"tid\":7,\"as\":\"histogram\"}"));
	for (const char *at = asked; (at = strstr(at, "\"op\":\"latencies\"")); at++)
		nr++;
	ck_assert_msg(nr <= 2, "%s", asked); /* the first may be late */
	rs_stage_free(s);
}
END_TEST

/* A wait opens with who takes part in it (this engine does not tell: with its process), a request on its disk. */
START_TEST(the_slowest)
{
	struct stage *s = begin('h');

	rs_stage_keys(s, KEYS('0'));
	check_screen(s, 3, "   LENGTH              BEGAN  THREAD                   WHAT",
		     "   7.00us         1.000000 s  sh 7                     waits",
		     "   1.50us         2.000000 s  - 9                      R on",
		     "   1.00us         2.000000 s  -                        W", "");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_text(s);
	rs_stage_settle(s);
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "longest > wait of sh (7)"));
	check_asked(s, "\"op\":\"tracks\",\"pid\":7");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_DOWN, RS_KEY_DOWN));
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_settle(s);
	ck_assert_msg(strstr(rs_stage_text(s), "longest > timeline"), "%s", rs_stage_text(s));
	rs_stage_free(s);
}
END_TEST

/* Rows that share a line where there are more than lines, and nothing at all. */
START_TEST(small_and_empty)
{
	static const struct reply none[] = {
		REPLY("latencies", "\"as\":\"histogram\"", "\"count\":0,\"avg_ns\":null,\"buckets\":[]"),
		REPLY("latencies", "\"as\":\"heat\"", "\"from_ns\":0,\"cell_ns\":1,\"rows\":[]"),
		REPLY("latencies", "\"as\":\"slowest\"", "\"spans\":[]"), { 0 },
	};
	struct stage *s = begin('H');

	rs_stage_resize(s, 10, 40);
	rs_stage_text(s);
	rs_stage_settle(s);
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "1.02us"));
	rs_stage_replies(s, none);
	rs_stage_keys(s, KEYS('h', RS_KEY_ENTER, '0', RS_KEY_ENTER, RS_KEY_BACKSPACE, RS_KEY_BACKSPACE, RS_KEY_TAB));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, RS_KEY_UP, RS_KEY_DOWN, RS_KEY_LEFT, RS_KEY_RIGHT));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "no spans ended in this time"));
	rs_stage_free(s);
}
END_TEST

/* Live: now, and from 100 s on kept. */
#define LIVE(now_ns, interval) \
	REPLY("state", NULL, "\"now_ns\":" now_ns ",\"oldest_ns\":100000000000,\"from_ns\":100000000000,\"events\":1,\"interval\":" interval)
#define BARS REPLY("latencies", "\"as\":\"histogram\"", "\"count\":1,\"buckets\":[[1024,2048,1]]")
#define CELLS REPLY("latencies", "\"as\":\"heat\"", "\"from_ns\":100000000000,\"cell_ns\":500000000,\"rows\":[]")
#define TASK REPLY("rows", NULL, "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]")

static const struct reply at_200[] = { LIVE("200000000000", "1"), KINDS, BARS, CELLS, TASK, { 0 } };
static const struct reply at_201[] = { LIVE("201000000000", "2"), KINDS, BARS, CELLS, TASK, { 0 } };
static const struct reply at_202[] = { LIVE("202000000000", "3"), KINDS, BARS, CELLS, TASK, { 0 } };

static void goes_on(struct stage *s, const struct reply *replies)
{
	rs_stage_asked(s);
	rs_stage_replies(s, replies);
	rs_stage_later(s, 1000000000);
	rs_stage_settle(s);
}

/* The last half minute; then a minute, which is asked for again each second and a half; then all that there is. */
START_TEST(a_longer_time_range)
{
	struct stage *s = rs_stage_new(12, 80, "work", at_200);

	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('h'));
	check_asked(s, "\"from_ns\":170000000000,\"to_ns\":200000000001,\"as\":\"histogram\"}");
	check_way(s, "work > job waits of sh (7) of the last 30.0s", "live 100.000000 s");
	rs_stage_keys(s, KEYS('}'));
	check_asked(s, "\"from_ns\":140000000000,\"to_ns\":200000000001,");
	goes_on(s, at_201);
	check_not_asked(s, "latencies");
	goes_on(s, at_202);
	check_asked(s, "\"from_ns\":142000000000,\"to_ns\":202000000001,");
	rs_stage_keys(s, KEYS('}'));
	check_asked(s, "\"from_ns\":100000000000,\"to_ns\":202000000001,");
	check_way(s, "work > job waits of sh (7) of all 102s", "live 102.000000 s");
	rs_stage_keys(s, KEYS('H')); /* of the same time */
	rs_stage_text(s);
	rs_stage_settle(s);
	check_asked(s, "\"from_ns\":100000000000,\"to_ns\":202000000001,\"as\":\"heat\"");
	rs_stage_keys(s, KEYS('{', '{', '{', '{', '{', '{', '{', '{', '{')); /* and no less than a second */
	check_asked(s, "\"from_ns\":200406250000,\"to_ns\":202000000001,\"as\":\"heat\"");
	check_not_asked(s, "\"from_ns\":2012");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_latency_screens(void)
{
	Suite *s = suite_create("latency-screens");
	TCase *t = tcase_create("latency-screens");

	tcase_add_test(t, a_histogram);
	tcase_add_test(t, of_another_row);
	tcase_add_test(t, a_heat_map);
	tcase_add_test(t, a_line_of_several_rows);
	tcase_add_test(t, a_heat_map_without_its_answer);
	tcase_add_test(t, a_zoom_of_the_time);
	tcase_add_test(t, lost_events_in_a_heat_map);
	tcase_add_test(t, kinds_faster_than_answers);
	tcase_add_test(t, the_slowest);
	tcase_add_test(t, small_and_empty);
	tcase_add_test(t, a_longer_time_range);
	suite_add_tcase(s, t);
	return s;
}
