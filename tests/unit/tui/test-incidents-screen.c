// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-incidents-screen - findings over time: the newest first, and the selected one keeps its line while new ones come; of the
 * last minute, on the overview, what comes at regular times first
 */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define STATE REPLY("state", NULL, "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"events\":5,\"lost\":0,\"interval\":1")
#define FINDING(text) "\"finding\":{\"weight\":800,\"text\":\"" text "\",\"victim\":\"sh\",\"victim_pids\":[7],\"view\":\"works\"}"
#define ONE \
	"{\"number\":4,\"begin_ns\":101000000000,\"end_ns\":104500000000,\"open\":false,\"often\":\"4 times 300ms, every 1.00s\"," \
	"\"slowest\":{\"tid\":8,\"from_ns\":102000000000,\"to_ns\":102300000000}," FINDING("sh (7) waits 30 % for a lock") "}"
#define TWO "{\"number\":5,\"begin_ns\":105000000000,\"end_ns\":106000000000,\"open\":true," FINDING("sh (7) waits 80 % for disk vda") "}"

#define OLDER(n) "{\"number\":" n ",\"begin_ns\":100500000000,\"end_ns\":100600000000,\"open\":false," FINDING("sh (7) sleeps") "},"
#define OLD OLDER("1") OLDER("2") OLDER("3")
#define THREE "{\"number\":6,\"begin_ns\":106500000000,\"end_ns\":107000000000,\"open\":true," FINDING("sh (7) runs") "}"

START_TEST(the_newest_first)
{
	static const struct reply all[] = {
		STATE,
		REPLY("incidents", NULL, "\"from_ns\":100000000000,\"to_ns\":106000000000,\"incidents\":[" ONE "," TWO "]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(12, 120, "incidents", all);

	rs_stage_later(s, 1000000000);
	check_asked(s, "\"op\":\"incidents\"");
	check_screen(s, 3, "2 of the time from 0.000000 s to 6.000000 s",
		     "             BEGAN   LASTED  HOW OFTEN                          WHAT",
		     "        5.000000 s    1.00s                                     sh (7) waits 80 % for disk vda",
		     "        1.000000 s    3.50s  4 times 300ms, every 1.00s         sh (7) waits 30 % for a lock");
	rs_stage_free(s);
}
END_TEST

/* The selected one stays on its line, the second: the newest is above what is seen. */
START_TEST(the_list_stays_where_it_is)
{
	static const struct reply before[] = {
		STATE,
		REPLY("incidents", NULL, "\"from_ns\":100000000000,\"to_ns\":106000000000,\"incidents\":[" OLD ONE "," TWO "]"),
		{ 0 },
	};
	static const struct reply after[] = {
		REPLY("state", NULL, "\"now_ns\":111000000000,\"oldest_ns\":100000000000,\"events\":6,\"lost\":0,\"interval\":2"),
		REPLY("incidents", NULL, "\"from_ns\":100000000000,\"to_ns\":107000000000,\"incidents\":[" OLD ONE "," TWO "," THREE "]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(10, 120, "incidents", before);

	rs_stage_later(s, 1000000000);
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	rs_stage_replies(s, after);
	rs_stage_later(s, 2000000000);
	check_screen(s, 3, "6 of the time from 0.000000 s to 7.000000 s",
		     "             BEGAN   LASTED  HOW OFTEN                          WHAT",
		     "        5.000000 s    1.00s                                     sh (7) waits 80 % for disk vda",
		     "        1.000000 s    3.50s  4 times 300ms, every 1.00s         sh (7) waits 30 % for a lock");
	rs_stage_free(s);
}
END_TEST

/* A term of comm or pid is one of victim and culprit; one of a column that incidents have not does nothing here. */
START_TEST(those_that_the_filter_leaves)
{
	static const struct reply filtered[] = {
		STATE,
		REPLY("incidents", "\"where\":\"comm ~ cart\"", "\"from_ns\":100000000000,\"to_ns\":106000000000,\"incidents\":[]"),
		REPLY("incidents", NULL, "\"from_ns\":100000000000,\"to_ns\":106000000000,\"incidents\":[" ONE "]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(12, 120, "incidents", filtered);

	rs_stage_later(s, 1000000000);
	check_asked(s, "\"op\":\"incidents\"");
	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, "latency > 1ms");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_not_asked(s, "where");
	check_screen(s, 5, "        1.000000 s    3.50s  4 times 300ms, every 1.00s         sh (7) waits 30 % for a lock");
	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, "cart");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"where\":\"comm ~ cart\"");
	check_screen(s, 3, "0 of the time from 0.000000 s to 6.000000 s");
	check_screen(s, 5, "the filter leaves none");
	rs_stage_keys(s, KEYS('|')); /* none of them holds any more */
	check_screen(s, 5, "        1.000000 s    3.50s  4 times 300ms, every 1.00s         sh (7) waits 30 % for a lock");
	rs_stage_free(s);
}
END_TEST

#define ENDED(n, from, to, more) "{\"number\":" n ",\"begin_ns\":" from ",\"end_ns\":" to ",\"open\":false," more "}"

/* What was found in the last interval is in the verdict; what comes at regular times begins it. 61 s are no minute. */
START_TEST(of_the_last_minute)
{
	static const struct reply all[] = {
		REPLY("state", NULL, "\"now_ns\":200000000000,\"oldest_ns\":100000000000,\"events\":5,\"lost\":0,\"interval\":1"),
		REPLY("incidents", NULL, "\"from_ns\":100000000000,\"to_ns\":200000000000,\"incidents\":["
		      ENDED("1", "110000000000", "139000000000", "\"lost_ns\":9000000000," FINDING("long ago")) ","
		      ENDED("2", "150000000000", "190000000000", "\"lost_ns\":8000000000," FINDING("sh (7) waits for a CPU")) ","
		      ENDED("3", "150000000000", "197000000000", "\"lost_ns\":1200000000,\"period_ns\":5000000000,"
			    "\"often\":\"4 times 300ms, every 5.00s\"," FINDING("sh (7) waits for a lock")) ","
		      TWO "]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 100, all);
	const char *at;

	rs_stage_later(s, 1000000000);
	check_screen(s, 3, "Verdict", "3.00s ago  4 times 300ms, every 5.00s: sh (7) waits for a lock");
	at = strstr(rs_stage_text(s), "Last minute");
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_null(strstr(at, "every 5.00s"));
	ck_assert_ptr_nonnull(strstr(at, "10.0s ago  sh (7) waits for a CPU"));
	ck_assert_ptr_null(strstr(rs_stage_text(s), "long ago"));
	ck_assert_ptr_null(strstr(rs_stage_text(s), "disk vda"));
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_incidents_screen(void);
Suite *rs_suite_incidents_screen(void)
{
	Suite *s = suite_create("incidents-screen");
	TCase *t = tcase_create("all");

	tcase_add_test(t, the_newest_first);
	tcase_add_test(t, the_list_stays_where_it_is);
	tcase_add_test(t, those_that_the_filter_leaves);
	tcase_add_test(t, of_the_last_minute);
	suite_add_tcase(s, t);
	return s;
}
