// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-instances - names, lives, exec, and switches that the kernel left out
 */
#include <check.h>

#include "ask.h"

/* ---- Names and lives ---- */

/* "fork of a known tid begins its next life": two rows of one tid, with a name and numbers each. */
START_TEST(tid_used_again)
{
	check_rows(ASK("sched", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1400 cpu0 sched_process_exit a/10",
			 "1500 cpu0 sched_switch a/10 X -> idle/0",
			 "3000 cpu0 sched_process_fork p/5 -> p/10",
			 "3100 cpu0 sched_wakeup_new p/10 target=1 by p/5",
			 "3200 cpu1 sched_switch idle/0 R -> p/10",
			 "3250 cpu1 sched_process_exec /usr/bin/b pid=10 old=10",
			 "3300 cpu1 sched_switch b/10 S -> idle/0"),
		   ROWS("tid=10 comm=a run_ns=500 switches=1 delay_count=- open_ns=-",
			"tid=10 comm=b run_ns=100 switches=1 delay_count=1 delay_total_ns=100"));
}
END_TEST

/* ... also where its exit was not seen: what was open of the first life is not the second's. */
START_TEST(tid_used_again_without_an_exit)
{
	check_rows(ASK("sched", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "3000 cpu0 sched_process_fork p/5 -> p/10",
			 "3200 cpu1 sched_switch idle/0 R -> p/10",
			 "3300 cpu1 sched_switch p/10 S -> idle/0"),
		   ROWS("tid=10 comm=a run_ns=500 sleep_ns=-", "tid=10 comm=p run_ns=100 sleep_ns=-"));
}
END_TEST

/* task_newtask comes just before sched_process_fork of the same task: one life, not two. */
START_TEST(newtask_and_fork_are_one_birth)
{
	check_rows(ASK("sched", .some = true),
		   LINES("900 cpu0 sched_waking n/20 target=0 by idle/0",
			 "950 cpu0 sched_switch idle/0 R -> n/20",
			 "960 cpu0 sched_process_exit n/20",
			 "970 cpu0 sched_switch n/20 X -> p/5",
			 "1000 cpu0 task_newtask p/20 flags=0 by p/5",
			 "1010 cpu0 sched_process_fork p/5 -> p/20",
			 "1020 cpu0 sched_wakeup_new p/20 target=1 by p/5",
			 "1200 cpu1 sched_switch idle/0 R -> p/20",
			 "1300 cpu1 sched_switch p/20 S -> idle/0",
			 "1300 cpu0 sched_switch p/5 S -> idle/0"),
		   ROWS("tid=20 comm=n run_ns=20", "tid=20 comm=p pid=20 run_ns=100 delay_count=1 "
			"delay_total_ns=180",
			"tid=5 comm=p run_ns=330"));
}
END_TEST

START_TEST(newtask_and_fork_are_one_birth_number_of_rows)
{
	check_rows(ASK("sched"),
		   LINES("900 cpu0 sched_switch idle/0 R -> p/5",
			 "1000 cpu0 task_newtask p/20 flags=0 by p/5",
			 "1010 cpu0 sched_process_fork p/5 -> p/20",
			 "1020 cpu0 sched_wakeup_new p/20 target=1 by p/5",
			 "1200 cpu1 sched_switch idle/0 R -> p/20",
			 "1300 cpu1 sched_switch p/20 S -> idle/0",
			 "1300 cpu0 sched_switch p/5 S -> idle/0"),
		   ROWS("tid=20 run_ns=100", "tid=5 run_ns=400"));
}
END_TEST

/* "pid is the tgid, tid the thread": CLONE_THREAD (0x10000) tells a thread of the parent's process. */
START_TEST(pid_is_the_process)
{
	check_rows(ASK("sched", .some = true),
		   LINES("seed p/5 pid=5",
			 "900 cpu0 sched_switch idle/0 R -> p/5",
			 "1000 cpu0 task_newtask p/20 flags=3d0f00 by p/5",
			 "1010 cpu0 sched_process_fork p/5 -> p/20",
			 "1030 cpu0 task_newtask p/21 flags=1200000 by p/5",
			 "1040 cpu0 sched_process_fork p/5 -> p/21",
			 "1200 cpu1 sched_switch idle/0 R -> p/20",
			 "1300 cpu1 sched_switch p/20 S -> p/21",
			 "1500 cpu1 sched_switch p/21 S -> idle/0"),
		   ROWS("tid=20 pid=5 run_ns=100", "tid=21 pid=21 run_ns=200", "tid=5 pid=5"));
}
END_TEST

/* "Never a bare number": what nothing told is null, not 0. */
START_TEST(pid_unknown)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			"1100 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 pid=- comm=a"));
}
END_TEST

/* "exec sets the file's base name", as a comm can hold it: 15 bytes. */
START_TEST(exec_sets_the_base_name)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_process_exec /opt/bin/a-very-long-program-name pid=10 old=10",
			 "1200 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 comm=a-very-long-pro"));
}
END_TEST

/* "comm is the last known ... before the first: that first" */
START_TEST(comm_is_the_last_known)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read",
			 "1100 cpu0 sys_exit t=10 nr=read ret=0",
			 "1200 cpu0 sched_switch old/10 S -> idle/0",
			 "1300 cpu0 sched_waking old/10 target=0 by idle/0",
			 "1400 cpu0 sched_switch idle/0 R -> old/10",
			 "1500 cpu0 task_rename old/10 -> new",
			 "1600 cpu0 block_bio_queue t=10 8,0 R sector=8 nr=8 comm=new"),
		   ROWS("tid=10 comm=new"));
}
END_TEST

/* "(sched, block and task events say it in order ...)" */
START_TEST(comm_from_a_block_event)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> old/10",
			 "1100 cpu0 block_bio_queue t=10 8,0 R sector=8 nr=8 comm=new"),
		   ROWS("tid=10 comm=new"));
}
END_TEST

START_TEST(comm_from_the_files_list)
{
	check_rows(ASK("sched", .some = true),
		   LINES("seed zz/10", "seed zz/11",
			 "1000 cpu0 sys_enter t=10 nr=read",
			 "1200 cpu0 sched_switch a/11 S -> idle/0"),
		   ROWS("tid=10 comm=zz", "tid=11 comm=a"));
}
END_TEST

/* Awkward names pass as they are: escaping is the face's work. */
START_TEST(comm_awkward)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> kworker/0:1-ev/10",
			 "1100 cpu0 sched_switch kworker/0:1-ev/10 S -> a b=c/11",
			 "1200 cpu0 sched_switch a b=c/11 S -> x<&>\"/12",
			 "1300 cpu0 sched_switch x<&>\"/12 S -> idle/0"),
		   ROWS("tid=10 comm=kworker/0:1-ev", "tid=11 comm='a b=c'", "tid=12 comm=x<&>\""));
}
END_TEST

/*
 * "Exec by a thread moves its state to the leader's tid": the thread 11 execs, from
 * then on it is 10. Its slice and its execve go on; no switch is missing.
 */
START_TEST(exec_by_a_thread_moves_the_slice)
{
	check_rows(ASK("sched", .some = true),
		   LINES("900 cpu0 sched_switch idle/0 R -> thr/11",
			 "1200 cpu0 sched_process_exec /bin/prog pid=10 old=11",
			 "1500 cpu0 sched_switch prog/10 S -> idle/0"),
		   ROWS("tid=10 comm=prog run_ns=600", "_quality inferred=0 discarded=0"));
}
END_TEST

START_TEST(exec_by_a_thread_moves_the_call)
{
	check_rows(ASK("syscall-latency", .by = "tid,syscall", .some = true),
		   LINES("900 cpu0 sched_switch idle/0 R -> thr/11",
			 "1000 cpu0 sys_enter t=11 nr=execve",
			 "1200 cpu0 sched_process_exec /bin/prog pid=10 old=11",
			 "1300 cpu0 sys_exit t=10 nr=execve ret=0",
			 "1500 cpu0 sched_switch prog/10 S -> idle/0"),
		   ROWS("tid=10 syscall=execve calls=1 total_ns=300 cpu_ns=300", "_quality unmatched=0 "
			"in_flight=0"));
}
END_TEST

/*
 * One exec after the other: 11's slice, since 900, moves to 10, which was born at 1000, and from there to 12. So 10 lived
 * from 1000 to 1200 by itself, then as what had been 11, and kept nothing of that: 200, all unknown.
 */
START_TEST(exec_by_a_thread_that_was_given_a_slice)
{
	check_rows(ASK("tasks", .by = "tid", .some = true),
		   LINES("900 cpu0 sched_switch idle/0 R -> thr/11",
			 "1000 cpu1 task_newtask prog/10 flags=1200000 by m/9",
			 "1200 cpu0 sched_process_exec /bin/prog pid=10 old=11",
			 "1400 cpu0 sched_process_exec /bin/last pid=12 old=10",
			 "1500 cpu0 sched_switch last/12 S -> idle/0"),
		   ROWS("tid=10 life_ns=200 unknown_ns=200 run_ns=0", "tid=12 run_ns=600"));
}
END_TEST

/* "Idle (tid 0) is never a row." */
START_TEST(idle_is_no_row)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu0 sched_switch idle/0 R -> a/10",
			 "1300 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=200"));
}
END_TEST

/* ---- A missing switch ---- */

#define MISSING_SWITCH \
	"1000 cpu0 sched_switch a/10 S -> idle/0", \
	"1200 cpu0 sched_waking a/10 target=0 by idle/0", \
	/* here the switch from idle to a is missing */ \
	"1300 cpu0 sys_enter t=10 nr=read", \
	"1500 cpu0 sched_switch a/10 S -> idle/0", \
	"1600 cpu0 sched_waking a/10 target=0 by idle/0", \
	"1700 cpu0 sched_switch idle/0 R -> a/10", \
	"1800 cpu0 sched_switch a/10 S -> idle/0"

/* "begins, at the latest, with the first event in that task's context on that CPU: by default that bound is used" */
START_TEST(missing_switch_bound)
{
	check_rows(ASK("sched"), LINES(MISSING_SWITCH),
		   ROWS("tid=10 run_ns=300 delay_count=2 delay_total_ns=200 delay_max_ns=100 sleep_ns=300",
			"_quality inferred=1 discarded=0 gaps=0"));
}
END_TEST

/* "with --exact the interval is unknown, what ran is forgotten, and the task gets no run and no delay for it" */
START_TEST(missing_switch_exact)
{
	check_rows(ASK("sched", .exact = true), LINES(MISSING_SWITCH),
		   ROWS("tid=10 run_ns=100 delay_count=1 delay_total_ns=100 sleep_ns=300",
			"_quality inferred=0"));
}
END_TEST

START_TEST(missing_switch_cpus_bound)
{
	check_rows(ASK("cpus"), LINES(MISSING_SWITCH), ROWS("cpu=0 idle_ns=500 busy_ns=300 unknown_ns=0"));
}
END_TEST

START_TEST(missing_switch_cpus_exact)
{
	check_rows(ASK("cpus", .exact = true), LINES(MISSING_SWITCH), ROWS("cpu=0 idle_ns=200 busy_ns=100 "
			"unknown_ns=500"));
}
END_TEST

/* No event of its own before it leaves: the switch-out itself is the first in its context, so it ran for 0. */
START_TEST(missing_switch_bound_is_the_switch_out)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=0 delay_count=1 delay_total_ns=300 sleep_ns=200", "_quality "
			"inferred=1"));
}
END_TEST

/* An event of the same task on another CPU is no bound here: only "on that CPU" counts. */
START_TEST(missing_switch_between_two_tasks)
{
	check_rows(ASK("sched", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_waking b/11 target=0 by idle/0",
			 "1300 cpu0 sys_enter t=11 nr=read",
			 "1500 cpu0 sched_switch b/11 S -> c/12",
			 "1600 cpu0 sched_switch c/12 S -> idle/0"),
		   ROWS("tid=11 run_ns=200 delay_count=1 delay_total_ns=200", "tid=12 run_ns=100", "_quality "
			"inferred=1"));
}
END_TEST

/* A gap on the CPU explains the switch: nothing is inferred across it. */
START_TEST(no_missing_switch_over_a_gap)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "cpu0 lost 2",
			 "1500 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=0 delay_count=- sleep_ns=-", "_quality inferred=0 gaps=1"));
}
END_TEST

/* An interrupt in idle's context is no event of a task, and one in a task's context shows that task on the CPU. */
START_TEST(no_missing_switch_in_idle)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu0 sched_waking a/10 target=0 by idle/0 irq",
			 "1250 cpu0 block_rq_complete t=0 8,0 R sector=8 nr=8 irq",
			 "1300 cpu0 sched_switch idle/0 R -> a/10",
			 "1350 cpu0 sched_waking a/10 target=0 by a/10 irq",
			 "1400 cpu0 sched_switch a/10 R -> idle/0"),
		   ROWS("tid=10 run_ns=100 delay_count=1 delay_total_ns=100 sleep_ns=200", "_quality "
			"inferred=0"));
}
END_TEST

Suite *rs_suite_semantics_instances(void)
{
	Suite *s = suite_create("semantics-instances");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, tid_used_again);
	tcase_add_test(t, tid_used_again_without_an_exit);
	tcase_add_test(t, newtask_and_fork_are_one_birth);
	tcase_add_test(t, newtask_and_fork_are_one_birth_number_of_rows);
	tcase_add_test(t, pid_is_the_process);
	tcase_add_test(t, pid_unknown);
	tcase_add_test(t, exec_sets_the_base_name);
	tcase_add_test(t, comm_is_the_last_known);
	tcase_add_test(t, comm_from_a_block_event);
	tcase_add_test(t, comm_from_the_files_list);
	tcase_add_test(t, comm_awkward);
	tcase_add_test(t, exec_by_a_thread_moves_the_slice);
	tcase_add_test(t, exec_by_a_thread_moves_the_call);
	tcase_add_test(t, exec_by_a_thread_that_was_given_a_slice);
	tcase_add_test(t, idle_is_no_row);
	tcase_add_test(t, missing_switch_bound);
	tcase_add_test(t, missing_switch_exact);
	tcase_add_test(t, missing_switch_cpus_bound);
	tcase_add_test(t, missing_switch_cpus_exact);
	tcase_add_test(t, missing_switch_bound_is_the_switch_out);
	tcase_add_test(t, missing_switch_between_two_tasks);
	tcase_add_test(t, no_missing_switch_over_a_gap);
	tcase_add_test(t, no_missing_switch_in_idle);
	suite_add_tcase(s, t);
	return s;
}
