// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-hidden-cpus - -C leaves CPUs out: what a task may have done there is not known, and no wait is made of it
 *
 * All times are ns. CPU 0 is not seen.
 */
#include <check.h>

#include "ask.h"

/* Pulled to CPU 0 while it is preempted, and back again: in between it ran, and nothing says so. */
START_TEST(moved_away_and_back)
{
	check_rows(ASK("sched", .cpus = "1"),
		   LINES("500 cpu1 sched_switch b/11 S -> a/10",
			 "1000 cpu1 sched_switch a/10 R -> m/12",
			 "1100 cpu1 sched_migrate_task a/10 1 -> 0 by m/12",
			 "1200 cpu1 sched_switch m/12 S -> idle/0",
			 "90000 cpu1 sched_migrate_task a/10 0 -> 1 by idle/0",
			 "91000 cpu1 sched_switch idle/0 R -> a/10",
			 "91500 cpu1 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=1000 delay_count=- preempt_count=0", "tid=11", "tid=12 run_ns=200"));
}
END_TEST

/* Its last CPU was one that is not seen: so it has run there, whatever it was seen to do before. */
START_TEST(woken_where_nothing_is_seen)
{
	check_rows(ASK("sched", .cpus = "1"),
		   LINES("500 cpu1 sched_switch b/11 S -> a/10",
			 "1000 cpu1 sched_switch a/10 S -> idle/0",
			 "50000 cpu1 sched_waking a/10 target=0 by idle/0",
			 "91000 cpu1 sched_switch idle/0 R -> a/10",
			 "91500 cpu1 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=1000 delay_count=0 sleep_ns=0", "tid=11"));
}
END_TEST

/* Who waits for a CPU is not woken again: it has run and slept in between. The wait that is known is the second. */
START_TEST(woken_twice)
{
	check_rows(ASK("runqslower", .cpus = "1"),
		   LINES("500 cpu1 sched_switch b/11 S -> a/10",
			 "1000 cpu1 sched_switch a/10 S -> idle/0",
			 "50000 cpu1 sched_waking a/10 target=1 by idle/0",
			 "90000 cpu1 sched_waking a/10 target=1 by idle/0",
			 "91000 cpu1 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 lat_ns=1000"));
}
END_TEST

/* With all CPUs the first one counts, also where they are all named. */
START_TEST(woken_twice_where_all_is_seen)
{
	static const char *const all[] = { NULL, "0-1" };

	for (unsigned int i = 0; i < 2; i++)
		check_rows(ASK("runqslower", .cpus = all[i]),
			   LINES("500 cpu1 sched_switch b/11 S -> a/10",
				 "1000 cpu1 sched_switch a/10 S -> idle/0",
				 "50000 cpu1 sched_waking a/10 target=1 by idle/0",
				 "90000 cpu1 sched_waking a/10 target=1 by idle/0",
				 "91000 cpu1 sched_switch idle/0 R -> a/10"),
			   ROWS("tid=10 lat_ns=41000"));
}
END_TEST

/* And who stays is as well known as without -C; of the CPU that is left out there is no row. */
START_TEST(clients_that_stay)
{
	check_rows(ASK("sched", .cpus = "1"),
		   LINES("500 cpu1 sched_switch b/11 S -> a/10",
			 "1000 cpu1 sched_switch a/10 S -> idle/0",
			 "2000 cpu1 sched_waking a/10 target=1 by idle/0",
			 "2500 cpu1 sched_switch idle/0 R -> a/10",
			 "3000 cpu1 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=1000 delay_count=1 delay_total_ns=500 sleep_ns=1000", "tid=11"));
	check_rows(ASK("cpus", .cpus = "1"),
		   LINES("500 cpu1 sched_switch b/11 S -> a/10", "1000 cpu1 sched_switch a/10 S -> idle/0",
			 "1500 cpu1 sched_switch idle/0 R -> a/10"),
		   ROWS("cpu=1 busy_ns=500 idle_ns=500"));
}
END_TEST

Suite *rs_suite_hidden_cpus(void)
{
	Suite *s = suite_create("hidden-cpus");
	TCase *t = tcase_create("hidden");

	tcase_add_test(t, moved_away_and_back);
	tcase_add_test(t, woken_where_nothing_is_seen);
	tcase_add_test(t, woken_twice);
	tcase_add_test(t, woken_twice_where_all_is_seen);
	tcase_add_test(t, clients_that_stay);
	suite_add_tcase(s, t);
	return s;
}
