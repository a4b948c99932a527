// SPDX-License-Identifier: GPL-2.0-or-later
/* test-shown-time - the time that the screens show: steps, jumps, all of a file */
#include <check.h>
#include <stdlib.h>
#include <time.h>

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

START_TEST(steps_through_the_window)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('['));
	check_asked(s, "\"from_ns\":108000000000,\"to_ns\":109000000000");
	check_way(s, "work", "PAST 8.000000 s to 9.000000 s");
	rs_stage_keys(s, KEYS('{'));
	check_asked(s, "\"from_ns\":108500000000,\"to_ns\":109000000000");
	rs_stage_keys(s, KEYS('['));
	check_asked(s, "\"from_ns\":108000000000,\"to_ns\":108500000000");
	rs_stage_keys(s, KEYS(']', ']', ']'));
	check_asked(s, "\"from_ns\":109500000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS(']')); /* past the last one */
	check_way(s, "work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Of the last second, 109 to 110, with the same end; then the keys [ and ] go by what is seen. */
START_TEST(a_longer_time_than_the_interval)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('}'));
	check_asked(s, "\"from_ns\":108000000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS('}'));
	check_asked(s, "\"from_ns\":106000000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS('['));
	check_asked(s, "\"from_ns\":102000000000,\"to_ns\":106000000000");
	rs_stage_keys(s, KEYS('l', '{'));
	check_asked(s, "\"from_ns\":109500000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS('}', '}', '}', '}', '}')); /* all is 10 s */
	check_asked(s, "\"from_ns\":100000000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS('}'));
	check_screen(s, 12, " this is all that there is");
	rs_stage_free(s);
}
END_TEST

/* The window moves on under what is looked at: what is answered begins later than what was asked for. */
START_TEST(history_says_what_has_expired)
{
	static const struct reply partly_expired[] = {
		REPLY("rows", "\"view\":\"work\"", "\"from_ns\":108600000000,\"to_ns\":109000000000,\"of\":0,\"total\":0,\"rows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 74, "work", rows);

	rs_stage_replies(s, partly_expired);
	rs_stage_keys(s, KEYS('['));
	check_way(s, "work", "PAST 8.600000 s to 9.000000 s, rest expired");
	rs_stage_free(s);
}
END_TEST

START_TEST(old_rows_are_not_shown_as_history)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_key_unanswered(s, '[');
	check_way(s, "work", "reading  PAST 8.000000 s to 9.000000 s");
	rs_stage_settle(s);
	check_way(s, "work", "PAST 8.000000 s to 9.000000 s");
	rs_stage_free(s);
}
END_TEST

START_TEST(jumps)
{
	static const struct {
		const char *text, *asked;
	} jumps[] = {
		{ "2.5", "\"from_ns\":102500000000,\"to_ns\":103500000000" },
		{ "-3s", "\"from_ns\":107000000000,\"to_ns\":108000000000" },
		{ "@105000000000", "\"from_ns\":105000000000,\"to_ns\":106000000000" },
		{ "22:15:06", "\"from_ns\":106000000000,\"to_ns\":107000000000" }, /* 1,700,000,000 + 106 s, UTC */
		{ "0", "\"from_ns\":100000000000,\"to_ns\":101000000000" },
		{ "99", "\"from_ns\":109000000000,\"to_ns\":110000000000" },       /* as far as there is anything */
	};
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
		rs_stage_keys(s, KEYS('b'));
		rs_stage_type(s, jumps[i].text);
		rs_stage_keys(s, KEYS(RS_KEY_ENTER));
		check_asked(s, jumps[i].asked);
		rs_stage_keys(s, KEYS('l'));
	}
	rs_stage_keys(s, KEYS('b', 'x', RS_KEY_ENTER));
	check_screen(s, 11, "go to time: x", " ! 'x' is no time (12.5, -10s, 14:03:07, @123456789)");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, '2', RS_KEY_ENTER)); /* corrected: no key of the screen */
	check_asked(s, "\"from_ns\":102000000000,\"to_ns\":103000000000");
	rs_stage_free(s);
}
END_TEST

START_TEST(no_times)
{
	static const char *const bad[] = { "", " ", "12:", "25:00", "12:61", "12:00:60", "1:2:3:4", "@", "-", "--1", "1e9", "99999999999999" };
	struct stage *s = rs_stage_new(14, 64, "work", rows);
	uint64_t ns;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(!rs_app_time_parse(rs_stage_app(s), bad[i], &ns), "'%s'", bad[i]);
	rs_stage_free(s);
}
END_TEST

START_TEST(a_file_is_walked)
{
	struct stage *s = rs_stage_new_file(14, 64, "work", rows);

	check_screen(s, 0, " trace.dat  10.0s  123,456 events  work         all of the file", "", "");
	check_way(s, "work", "all of the file");
	rs_stage_keys(s, KEYS(' '));
	check_screen(s, 12, " a file cannot be paused ([ and ] step through it)");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('[')); /* of 10 s: by half a second */
	check_asked(s, "\"from_ns\":109500000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS('l'));
	check_way(s, "work", "all of the file");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_file_that_loads)
{
	static const struct reply loading[] = {
		REPLY("state", NULL,
		      "\"now_ns\":101000000000,\"events\":5,\"lost\":0,\"interval\":0,"
		      "\"loading\":{\"done_bytes\":430,\"all_bytes\":1000}"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_file(14, 64, "work", loading);

	check_way(s, "work", "loading 43%  all of the file");
	rs_stage_replies(s, rows);
	rs_stage_later(s, 1000000000);
	check_way(s, "work", "all of the file");
	check_screen(s, 5, "sh           7    1.500      3 waits");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_shown_time(void);
Suite *rs_suite_shown_time(void)
{
	Suite *s = suite_create("shown-time");
	TCase *t = tcase_create("all");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, steps_through_the_window);
	tcase_add_test(t, a_longer_time_than_the_interval);
	tcase_add_test(t, history_says_what_has_expired);
	tcase_add_test(t, old_rows_are_not_shown_as_history);
	tcase_add_test(t, jumps);
	tcase_add_test(t, no_times);
	tcase_add_test(t, a_file_is_walked);
	tcase_add_test(t, a_file_that_loads);
	suite_add_tcase(s, t);
	return s;
}
