// SPDX-License-Identifier: GPL-2.0-or-later
/* test-faults - page faults are counted to the task that had them; those that waited for a disk by its books */
#include <check.h>

#include "ask.h"

START_TEST(of_each_task)
{
	check_rows(ASK("faults"),
		   LINES("seed a/10 pid=9",
			 "1000 cpu0 page_fault_user t=10",
			 "1100 cpu0 page_fault_kernel t=10",
			 "1200 cpu1 page_fault_user t=10",
			 "1300 cpu1 page_fault_kernel t=11",
			 "1400 cpu1 page_fault_kernel t=0"), /* idle is no row */
		   ROWS("comm=a pid=9 tid=10 user=2 kernel=1 major=-",
			"comm=- pid=- tid=11 user=0 kernel=1 major=-",
			"_quality unmatched=0 discarded=0"));
}
END_TEST

/* A task that is only seen to run has no row; its name comes from what the switch says. */
START_TEST(only_tasks_that_faulted)
{
	check_rows(ASK("faults"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 page_fault_user t=10",
			 "1200 cpu0 sched_switch a/10 S -> b/11"),
		   ROWS("comm=a tid=10 user=1 kernel=0"));
}
END_TEST

START_TEST(a_tid_that_is_used_again_is_another_task)
{
	check_rows(ASK("faults"),
		   LINES("seed sh/7 pid=7",
			 "1000 cpu0 page_fault_user t=10",
			 "1100 cpu0 sched_process_exit old/10",
			 "1200 cpu0 sched_process_fork sh/7 -> sh/10",
			 "1300 cpu0 page_fault_user t=10",
			 "1400 cpu0 page_fault_user t=10"),
		   ROWS("comm=old tid=10 user=1", "comm=sh tid=10 user=2"));
}
END_TEST

/* What was counted on both sides of a gap stands; what was lost is in the quality line. */
START_TEST(a_gap_takes_nothing_back)
{
	check_rows(ASK("faults"),
		   LINES("1000 cpu0 page_fault_user t=10",
			 "cpu0 lost 3",
			 "2000 cpu0 page_fault_user t=10"),
		   ROWS("tid=10 user=2 kernel=0", "_quality lost=3 gaps=1"));
}
END_TEST

START_TEST(merged)
{
	const char *const *lines = LINES(
		"seed a/10 pid=10", "seed a-thread/11 pid=10", "seed b/12 pid=12",
		"1000 cpu0 page_fault_user t=10",
		"1100 cpu0 page_fault_user t=11",
		"1200 cpu0 page_fault_kernel t=11",
		"1300 cpu0 page_fault_user t=12");

	check_rows(ASK("faults", .by = "pid"), lines,
		   ROWS("comm=a pid=10 tid=- user=2 kernel=1", "comm=b pid=12 user=1 kernel=0"));
	check_rows(ASK("faults", .by = "comm"), lines,
		   ROWS("comm=a pid=- user=1", "comm=a-thread user=1 kernel=1", "comm=b user=1"));
	check_rows(ASK("faults", .pid = 10), lines, ROWS("tid=10 user=1", "tid=11 user=1 kernel=1"));
}
END_TEST

START_TEST(evicted_tasks_are_in_the_rest)
{
	check_rows(ASK("faults", .max_tasks = 1),
		   LINES("1000 cpu0 page_fault_user t=10",
			 "cpu0 lost 1", /* the next event is in a page of its own: there tasks are evicted */
			 "1100 cpu0 page_fault_user t=11",
			 "1200 cpu0 page_fault_kernel t=11"),
		   ROWS("tid=11 user=1 kernel=1 major=-", "comm=- tid=- user=1 kernel=0 major=-", "_quality evicted=1"));
}
END_TEST

/* exec by a thread: it goes on under its leader's tid, and the books there are no longer the leader's. */
START_TEST(exec_by_a_thread)
{
	check_rows(ASK("faults"),
		   LINES("live", "seed a/10 pid=10 majors=5 start=50", "seed a/11 pid=10 majors=0 start=60",
			 "1000 cpu0 page_fault_user t=10",
			 "1100 cpu0 page_fault_user t=11",
			 "1200 cpu0 sched_process_exec /bin/new t=10 pid=10 old=11",
			 "1300 cpu0 page_fault_user t=10",
			 "proc new/10 majors=7 start=50 at=2000"),
		   ROWS("comm=new pid=10 tid=10 user=3 major=-"));
}
END_TEST

/* ---- major: the task's books at the end, less those of the begin ---- */

START_TEST(major_faults_of_an_earlier_task)
{
	check_rows(ASK("faults"),
		   LINES("live", "seed a/10 pid=10 majors=3 start=50 at=900",
			 "1000 cpu0 page_fault_user t=10",
			 "proc a/10 majors=7 start=50 at=2000"),
		   ROWS("tid=10 user=1 major=4"));
}
END_TEST

START_TEST(major_faults_of_a_new_task)
{
	check_rows(ASK("faults"),
		   LINES("live", "seed sh/7 pid=7 majors=9 start=1 at=900",
			 "1000 cpu0 sched_process_fork sh/7 -> sh/10",
			 "1100 cpu0 page_fault_user t=10",
			 "proc sh/7 majors=9 start=1 at=2000", "proc sh/10 majors=2 start=50 at=2000"),
		   ROWS("tid=10 user=1 major=2"));
}
END_TEST

/* Faults that the kernel made for it without an exception are in its books alone. */
START_TEST(major_alone_makes_a_row)
{
	check_rows(ASK("faults"),
		   LINES("live", "seed a/10 pid=10 majors=3 start=50 at=900",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "proc a/10 majors=4 start=50 at=2000"),
		   ROWS("tid=10 user=0 kernel=0 major=1"));
}
END_TEST

START_TEST(major_is_unknown)
{
	const char *const fault = "1000 cpu0 page_fault_user t=10", *const before = "seed a/10 pid=10 majors=3 start=50 at=900";

	/* it has gone */
	check_rows(ASK("faults"), LINES("live", before, fault), ROWS("tid=10 user=1 major=-"));
	/* /proc was closed to us at the begin */
	check_rows(ASK("faults"), LINES("live", fault, "proc a/10 majors=7 start=50 at=2000"),
		   ROWS("tid=10 user=1 major=-"));
	/* another task has its tid, and nothing told of its birth */
	check_rows(ASK("faults"), LINES("live", before, fault, "proc b/10 majors=7 start=99 at=2000"),
		   ROWS("tid=10 user=1 major=-"));
	/* the row is of the life before */
	check_rows(ASK("faults"),
		   LINES("live", before, "1000 cpu0 sched_process_fork sh/7 -> sh/10", "1100 cpu0 page_fault_user t=10",
			 "proc a/10 majors=7 start=50 at=950"),
		   ROWS("tid=10 user=1 major=-"));
	/* books that go back */
	check_rows(ASK("faults"), LINES("live", before, fault, "proc a/10 majors=2 start=50 at=2000"),
		   ROWS("tid=10 user=1 major=-"));
}
END_TEST

/* Of two threads one has gone: what the process had in all is unknown, not what is left of it. */
START_TEST(major_of_a_process_needs_all_its_threads)
{
	const char *const *lines = LINES(
		"live", "seed a/10 pid=10 majors=3 start=50 at=900", "seed a/11 pid=10 majors=0 start=50 at=900",
		"seed b/12 pid=12 majors=0 start=50 at=900", "seed b/13 pid=12 majors=0 start=50 at=900",
		"1000 cpu0 page_fault_user t=10", "1000 cpu0 page_fault_user t=11",
		"1000 cpu0 page_fault_user t=12", "1000 cpu0 page_fault_user t=13",
		"proc a/10 majors=4 start=50 at=2000", "proc b/12 majors=1 start=50 at=2000",
		"proc b/13 majors=2 start=50 at=2000");

	check_rows(ASK("faults", .by = "pid"), lines, ROWS("pid=10 user=2 major=-", "pid=12 user=2 major=3"));
}
END_TEST

Suite *rs_suite_faults(void)
{
	Suite *s = suite_create("faults");
	TCase *t = tcase_create("faults");

	tcase_add_test(t, of_each_task);
	tcase_add_test(t, only_tasks_that_faulted);
	tcase_add_test(t, a_tid_that_is_used_again_is_another_task);
	tcase_add_test(t, a_gap_takes_nothing_back);
	tcase_add_test(t, merged);
	tcase_add_test(t, evicted_tasks_are_in_the_rest);
	tcase_add_test(t, exec_by_a_thread);
	tcase_add_test(t, major_faults_of_an_earlier_task);
	tcase_add_test(t, major_faults_of_a_new_task);
	tcase_add_test(t, major_alone_makes_a_row);
	tcase_add_test(t, major_is_unknown);
	tcase_add_test(t, major_of_a_process_needs_all_its_threads);
	suite_add_tcase(s, t);
	return s;
}
