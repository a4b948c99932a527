// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-cpus - what a CPU was busy with, and who waited for it, by hand
 *
 * Each test is one trap of SEMANTICS, named by its words there. All times are ns.
 */
#include <check.h>

#include "ask.h"

/* "Between two switches of one CPU: busy or idle by next_pid" */
START_TEST(cpus_busy_and_idle)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1800 cpu0 sched_switch idle/0 R -> b/11",
			 "2000 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("cpu=0 busy_ns=700 idle_ns=300 unknown_ns=0 switches=4 util_pct=70000"));
}
END_TEST

/* "unknown over a gap"; what is known is less than half of the time: no share of it is told */
START_TEST(cpus_unknown_over_a_gap)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "cpu0 lost 4",
			 "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> b/11",
			 "2400 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("cpu=0 busy_ns=100 idle_ns=300 unknown_ns=1000 util_pct=-"));
}
END_TEST

/* The gap of one CPU says nothing about what another did. */
START_TEST(cpus_gap_of_another)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu1 sched_switch idle/0 R -> b/11",
			 "cpu1 lost 4",
			 "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "2000 cpu1 sched_switch b/11 S -> idle/0"),
		   ROWS("cpu=0 busy_ns=1000 idle_ns=0 unknown_ns=0", "cpu=1 busy_ns=0 idle_ns=0 "
			"unknown_ns=1000"));
}
END_TEST

/*
 * Who waits for a CPU, not the one on it. h waits from 1200: a's and b's waking
 * at 1000, 1100; a in 1200, b in 1500, h again 1600. Waiting: 100 ns one, 400 ns
 * two, 100 ns one: 1000 task-ns over the 1000 ns of the recording.
 */
START_TEST(cpus_run_queue)
{
	check_rows(ASK("cpus"),
		   LINES("600 cpu0 sched_switch idle/0 R -> h/9",
			 "1000 cpu0 sched_waking a/10 target=0 by h/9",
			 "1100 cpu0 sched_waking b/11 target=0 by h/9",
			 "1200 cpu0 sched_switch h/9 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> b/11",
			 "1600 cpu0 sched_switch b/11 S -> h/9"),
		   ROWS("cpu=0 runq_max=2 runq_avg=1000 busy_ns=1000"));
}
END_TEST

Suite *rs_suite_semantics_cpus(void)
{
	Suite *s = suite_create("semantics-cpus");
	TCase *t = tcase_create("cpus");

	tcase_add_test(t, cpus_busy_and_idle);
	tcase_add_test(t, cpus_unknown_over_a_gap);
	tcase_add_test(t, cpus_gap_of_another);
	tcase_add_test(t, cpus_run_queue);
	suite_add_tcase(s, t);
	return s;
}
