// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-quiet - tracks where nothing happens are one line, until they are shown, found, or wake up */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define TASK(tid, label, activity, kernel) \
	"{\"track\":\"task:" #tid ".0\",\"of\":\"task\",\"label\":\"" label "\",\"pid\":" #tid ",\"tid\":" #tid \
	",\"kernel_thread\":" #kernel ",\"spans\":9,\"activity\":" #activity ",\"lanes\":[\"state\"]}"
#define QUIET_TRACKS \
	REPLY("tracks", NULL, "\"tracks\":[" \
	      "{\"track\":\"cpu:0\",\"of\":\"cpu\",\"label\":\"CPU 0\",\"pid\":null,\"tid\":null,\"activity\":null,\"lanes\":[\"state\"]}," \
	      TASK(7, "sh", 10, false) "," TASK(8, "who", null, false) "," TASK(9, "atd", 0, false) "," \
	      TASK(20, "kworker", 9, true) "," TASK(21, "rcu", 0, true) "," TASK(22, "ksoft", 0, true) "," \
	      TASK(23, "kswapd", 0, true) "]")
/* run is 1, a sleep by choice 4 with the cause above two bytes */
#define STATES(tid, state) \
	",{\"track\":\"task:" #tid ".0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,4,0,0," state ",1,8]]}]}"
#define QUIET_SPANS(of) \
	REPLY("spans", NULL, "\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"tracks\":[{\"track\":\"cpu:0\",\"lanes\":[]}" of \
	      "],\"labels\":[\"run\"],\"arrows\":[]")
#define QUIET_FINDINGS(of) \
	REPLY("findings", NULL, "\"from_ns\":100000000000,\"to_ns\":110000000000,\"findings\":[" of "]")

static const struct reply asleep[] = {
	QUIET_TRACKS, QUIET_SPANS(STATES(7, "1") STATES(21, "676612")), QUIET_FINDINGS(""), { 0 },
};

static struct stage *quiet_stage(const struct reply *replies)
{
	struct stage *s = rs_stage_new_file(22, 53, "timeline", replies);

	rs_stage_text(s); /* the first frame says how many cells there is room for */
	rs_stage_settle(s);
	rs_stage_text(s); /* the findings came after the tracks */
	rs_stage_settle(s);
	return s;
}

/* What is not known to be idle stays. All tracks are asked for: are they still quiet? */
START_TEST(a_line_of_them)
{
	struct stage *s = quiet_stage(asleep);

	check_asked(s, "\"task:22.0\",\"task:23.0\"],\"from_ns\"");
	check_screen(s, 4, "CPU 0", "sh         7 RRRR", "who        8", "5 quiet: atd, kworker, rcu, ksoft, kswapd", "");
	rs_stage_keys(s, KEYS('O'));
	rs_stage_settle(s);
	check_screen(s, 7, "5 quiet (Enter folds them)", "atd        9", "kworker   20", "rcu       21 ssss", "ksoft     22", "kswapd    23", "");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER)); /* the cursor is on their line */
	rs_stage_settle(s);
	check_screen(s, 7, "5 quiet: atd, kworker, rcu, ksoft, kswapd", "");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_search_shows_it)
{
	struct stage *s = quiet_stage(asleep);

	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "swap");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_settle(s);
	check_screen(s, 4, "CPU 0", "sh         7 RRRR", "who        8", "kswapd    23", "4 quiet: atd, kworker, rcu, ksoft", "");
	rs_stage_free(s);
}
END_TEST

/* A moment of it runs in what is seen now; a finding is about another. */
START_TEST(they_wake_up)
{
	static const struct reply woken[] = {
		QUIET_TRACKS, QUIET_SPANS(STATES(7, "1") STATES(22, "1")),
		QUIET_FINDINGS("{\"weight\":800,\"text\":\"atd waits\",\"victim\":\"atd\",\"victim_pids\":[9],\"category\":\"peer\"}"), { 0 },
	};
	struct stage *s = quiet_stage(woken);

	check_screen(s, 4, "atd        9", "CPU 0", "sh         7 RRRR", "who        8", "kworker   20", "rcu       21", "ksoft     22 RRRR", "kswapd    23", "");
	rs_stage_free(s);
}
END_TEST

/* Of a process each thread was asked for. */
START_TEST(not_of_a_process)
{
	struct stage *s = quiet_stage(asleep);

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'p'));
	rs_stage_settle(s);
	ck_assert_ptr_null(strstr(rs_stage_text(s), "quiet"));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "kswapd    23"));
	rs_stage_keys(s, KEYS('O'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "no tracks are folded here"));
	rs_stage_free(s);
}
END_TEST

START_TEST(storm)
{
	struct stage *s = quiet_stage(asleep);

	rs_stage_storm(s, (unsigned int)_i + 1, 300);
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_quiet(void)
{
	Suite *s = suite_create("timeline-quiet");
	TCase *t = tcase_create("timeline-quiet");

	tcase_add_test(t, a_line_of_them);
	tcase_add_test(t, a_search_shows_it);
	tcase_add_test(t, they_wake_up);
	tcase_add_test(t, not_of_a_process);
	tcase_add_loop_test(t, storm, 0, 10);
	suite_add_tcase(s, t);
	return s;
}
