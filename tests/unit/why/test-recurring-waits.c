// SPDX-License-Identifier: GPL-2.0-or-later
/* test-recurring-waits - who is kept waiting at regular times: a waits for what b has, at times in ms */
#include <check.h>
#include <string.h>

#include "ask.h"
#include "recurring-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define CONDITION "futex 1000 80 7"

/* 300 ms each 5 s: 1200 ms of 20 s, less than what other rules ask for. */
START_TEST(at_an_exact_period)
{
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, LOCK, 20000);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=recurring-wait victim=a culprit=b cost_ms=1200 measured=4 view=offcpu "
			"text='a (10) waits 300 ms for a user-space lock in futex, every 5000 ms, 4 times: b (11) holds it'"));
}
END_TEST

/* Within a tenth of 5 s, all but one of four, and three times at least. */
START_TEST(at_a_period_with_jitter)
{
	recurring_put_all(AT(1000, 6400, 11400, 16100, 25000), 300, LOCK, 30000);
	check_rows(FINDINGS, made_lines, ROWS("rule=recurring-wait measured=5"));
	recurring_put_all(AT(1000, 6000, 11000), 300, LOCK, 20000);
	check_rows(FINDINGS, made_lines, ROWS("rule=recurring-wait measured=3"));
}
END_TEST

START_TEST(at_no_period)
{
	recurring_put_all(AT(1000, 6000), 300, LOCK, 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	recurring_put_all(AT(1000, 4000, 11000, 12000), 300, LOCK, 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* 99 ms are not noticed; a condition, a sleep, a read are as long as they are asked to be, or as another thread takes. */
START_TEST(of_no_matter)
{
	recurring_put_all(AT(1000, 6000, 11000, 16000), 99, LOCK, 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, CONDITION, 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, "nanosleep 1 0", 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, "read 3 4 8", 20000);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* More than half of the time: that is how it works, and the rule of locks tells. */
START_TEST(of_most_of_the_time)
{
	recurring_put_all(AT(1000, 1500, 2000, 2500), 260, LOCK, 3000);
	check_rows(FINDINGS, made_lines, ROWS("rule=futex-lock"));
	recurring_put_all(AT(1000, 1500, 2000, 2500), 240, LOCK, 3000);
	check_rows(FINDINGS, made_lines, ROWS("rule=futex-lock", "rule=recurring-wait"));
}
END_TEST

/* Two threads of a wait for the same lock, one a little later: four times, not eight, of 310 ms. */
START_TEST(of_several_threads)
{
	recurring_begin("10");
	made_line("seed c/12 pid=10");
	made_line("2 cpu2 sched_switch idle/0 R -> c/12 next_prio=120");
	for (unsigned int ms = 1000; ms < 20000; ms += 5000) {
		made_line("%u000000 cpu0 sys_enter t=10 nr=" LOCK, ms);
		made_line("%u000100 cpu0 sched_switch a/10 S -> idle/0", ms);
		made_line("%u000100 cpu2 sys_enter t=12 nr=" LOCK, ms + 10);
		made_line("%u000200 cpu2 sched_switch c/12 S -> idle/0", ms + 10);
		made_line("%u000000 cpu1 sched_waking a/10 target=0 by b/11", ms + 300);
		made_line("%u000100 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", ms + 300);
		made_line("%u000200 cpu0 sys_exit t=10 nr=futex ret=0", ms + 300);
		made_line("%u000100 cpu1 sched_waking c/12 target=2 by b/11", ms + 310);
		made_line("%u000150 cpu2 sched_switch idle/0 R -> c/12 next_prio=120", ms + 310);
		made_line("%u000200 cpu2 sys_exit t=12 nr=futex ret=0", ms + 310);
	}
	made_line("20000000000 cpu1 sched_switch b/11 S -> idle/0");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=recurring-wait culprit=b measured=4 "
			"text='a (10) waits 310 ms for a user-space lock in futex, every 5000 ms, 4 times: its thread b (11) holds it'"));
}
END_TEST

/* What was lost may have been another wait: two after it have no period. */
START_TEST(events_were_lost)
{
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, LOCK, 20000);
	for (unsigned int i = 0; made_lines[i]; i++)
		if (!strncmp(made_lines[i], "11000000000", 11)) {
			unsigned int last = i;

			while (made_lines[last])
				last++;
			memmove(&made_lines[i + 1], &made_lines[i], (last - i + 1) * sizeof *made_lines);
			made_lines[i] = "cpu0 lost 5";
			break;
		}
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* --from leaves two of them. */
START_TEST(of_a_time_range)
{
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, LOCK, 20000);
	check_rows(ASK("tasks", .findings = true, .from_ns = 5500000000), made_lines, ROWS("rule=recurring-wait measured=3"));
	check_rows(ASK("tasks", .findings = true, .from_ns = 8000000000), made_lines, NO_ROWS);
}
END_TEST

/* An interval ends after each wait: the last has none of them, and the finding is that of all. */
START_TEST(beyond_an_interval)
{
	recurring_put_all(AT(1000, 6000, 11000, 16000), 300, LOCK, 20000);
	check_rows(ASK("tasks", .findings = true, .resets = RESETS(6000000100, 11000000100, 16000000100, 16300000100)), made_lines,
		   ROWS("rule=recurring-wait measured=4"));
}
END_TEST

Suite *rs_suite_recurring_waits(void);
Suite *rs_suite_recurring_waits(void)
{
	Suite *s = suite_create("recurring-waits");
	TCase *t = tcase_create("all");

	tcase_add_test(t, at_an_exact_period);
	tcase_add_test(t, at_a_period_with_jitter);
	tcase_add_test(t, at_no_period);
	tcase_add_test(t, of_no_matter);
	tcase_add_test(t, of_most_of_the_time);
	tcase_add_test(t, of_several_threads);
	tcase_add_test(t, events_were_lost);
	tcase_add_test(t, of_a_time_range);
	tcase_add_test(t, beyond_an_interval);
	tcase_set_timeout(t, 30);
	suite_add_tcase(s, t);
	return s;
}
