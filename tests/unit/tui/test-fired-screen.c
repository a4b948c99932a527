// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-fired-screen - conditions of a daemon that fired: the badge counts those that nobody has seen, Enter
 * goes to their time or to their recording, the timeline marks them
 */
#include <check.h>
#include <string.h>

#include "timeline-stage.h"
#include "tui-stage.h"

#define STATE(interval, last) \
	REPLY("state", NULL, "\"now_ns\":110000000000,\"oldest_ns\":104000000000,\"events\":5,\"lost\":0," \
			     "\"interval\":" interval ",\"last_alarm\":" last)
#define OLD \
	"{\"number\":1,\"when\":\"lost > 0\",\"sentence\":\"lost 9\",\"from_ns\":102000000000," \
	"\"to_ns\":103000000000,\"rows\":1,\"recording\":\"/kept/a.dat\"}"
#define NEW \
	"{\"number\":2,\"when\":\"slow: runqlat.p99 > 10ms for 2s\",\"name\":\"slow\"," \
	"\"sentence\":\"p99 12ms: comm sh\",\"from_ns\":106000000000,\"to_ns\":108000000000,\"rows\":1," \
	"\"recording\":null}"
#define ALARMS(list) \
	REPLY("alarms", NULL, "\"conditions\":[{\"text\":\"lost > 0\",\"name\":null,\"on\":true,\"fired\":1," \
			      "\"held_back\":0,\"why\":null}],\"alarms\":[" list "]")

static const struct reply both[] = { STATE("2", "2"), ALARMS(OLD "," NEW), { 0 } };

START_TEST(the_header_counts_what_was_not_seen)
{
	static const struct reply none[] = { STATE("1", "0"), ALARMS(""), { 0 } };
	struct stage *s = rs_stage_new(14, 80, "work", none);

	rs_stage_later(s, 1000000000);
	ck_assert_ptr_null(strstr(rs_stage_text(s), "fired"));
	check_not_asked(s, "alarms");
	rs_stage_replies(s, both);
	rs_stage_later(s, 1000000000);
	check_way(s, "work", "! 2 fired (I)  live 10.000000 s");
	rs_stage_keys(s, KEYS('I'));
	check_way(s, "work > fired", "live 10.000000 s");
	rs_stage_keys(s, KEYS('q'));
	check_way(s, "work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

START_TEST(enter_goes_there)
{
	struct stage *s = rs_stage_new(14, 80, "fired", both);

	rs_stage_later(s, 1000000000);
	check_screen(s, 3, "1 condition, 1 holds now",
		     "             FIRED     HELD  WHAT",
		     "        8.000000 s    2.00s  slow: p99 12ms: comm sh",
		     "        3.000000 s    1.00s  lost 9");
	check_screen(s, 11, "slow: runqlat.p99 > 10ms for 2s", "in the window");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "fired > overview", "PAST 6.000000 s to 8.000000 s");
	rs_stage_keys(s, KEYS('l', 'q', 'G'));
	check_screen(s, 11, "lost > 0", "expired, but kept as /kept/a.dat");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "it was kept as /kept/a.dat"));
	rs_stage_app(s)->can_open_files = true;
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_str_eq(rs_stage_app(s)->opens.data, "/kept/a.dat");
	rs_stage_free(s);
}
END_TEST

/* A new one comes above: the selected one keeps its line. */
START_TEST(the_selected_stays)
{
	static const struct reply one[] = { STATE("1", "1"), ALARMS(OLD), { 0 } };
	struct stage *s = rs_stage_new(14, 120, "fired", one);

	rs_stage_later(s, 1000000000);
	rs_stage_replies(s, both);
	rs_stage_later(s, 1000000000);
	check_screen(s, 5, "        8.000000 s    2.00s  slow                               p99 12ms: comm sh");
	check_screen(s, 11, "lost > 0", "expired, but kept as /kept/a.dat");
	rs_stage_free(s);
}
END_TEST

START_TEST(the_timeline_marks_it)
{
	static const struct reply replies[] = {
		REPLY("state", NULL, "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"events\":5,\"lost\":0,"
				     "\"interval\":0,\"ended\":true,\"last_alarm\":2"),
		ALARMS(OLD "," NEW), TRACKS, REPLY("spans", NULL, PICTURE), { 0 },
	};
	struct stage *s = timeline_stage_begin_with(replies);

	check_screen(s, 3, "250ms a cell |0.0        !       v5.0        !");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_fired_screen(void);
Suite *rs_suite_fired_screen(void)
{
	Suite *s = suite_create("fired-screen");
	TCase *t = tcase_create("all");

	tcase_add_test(t, the_header_counts_what_was_not_seen);
	tcase_add_test(t, enter_goes_there);
	tcase_add_test(t, the_selected_stays);
	tcase_add_test(t, the_timeline_marks_it);
	suite_add_tcase(s, t);
	return s;
}
