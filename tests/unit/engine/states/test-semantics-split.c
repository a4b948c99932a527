// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-split - tasks: where each nanosecond of a life went; that they add up is an invariant that check_rows() asks for
 */
#include <check.h>

#include "ask.h"

/* 100 run, 700 lock, 100 delay, 200 run, 300 preempted, 100 run, 400 idle, 50 delay, 50 run that is open. */
START_TEST(each_part)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1050 cpu0 contention_begin t=10 4096 32", "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "1800 cpu1 sched_waking a/10 target=0 by b/11", "1900 cpu0 sched_switch idle/0 R -> a/10",
			 "1950 cpu0 contention_end t=10 4096", "2100 cpu0 sched_switch a/10 R -> c/12",
			 "2400 cpu0 sched_switch c/12 S -> a/10", "2450 cpu0 sys_enter t=10 nr=nanosleep",
			 "2500 cpu0 sched_switch a/10 S -> idle/0", "2900 cpu1 sched_waking a/10 target=0 by b/11 irq",
			 "2950 cpu0 sched_switch idle/0 R -> a/10", "3000 cpu1 sched_switch b/11 R -> b/11"),
		   ROWS("comm=a tid=10 run_ns=400 delay_ns=150 preempted_ns=300 lock_ns=700 idle_ns=400 disk_ns=0 futex_ns=0 "
			"reclaim_ns=0 other_d_ns=0 sleep_ns=0 unknown_ns=0 open_state=run open_ns=50 life_ns=2000 threads=1"));
}
END_TEST

/* The time before the first sight is life, and unknown. Without system calls its sleep is one for no recorded cause. */
START_TEST(unseen)
{
	check_rows(ASK("tasks", .by = "tid"),
		   LINES("1000 cpu0 block_bio_queue t=0 8,0 R sector=8 nr=8", "1400 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0", "1700 cpu0 sched_waking a/10 target=0 by idle/0"),
		   ROWS("tid=10 run_ns=100 sleep_ns=200 unknown_ns=400 open_state=delay open_ns=0 life_ns=700"));
}
END_TEST

/* A task that was born and died within lived that long, and has nothing open. */
START_TEST(forked_and_exited)
{
	check_rows(ASK("tasks", .by = "tid", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> p/5", "1100 cpu0 sched_process_fork p/5 -> p/10",
			 "1150 cpu0 sched_wakeup_new p/10 target=1 by p/5", "1250 cpu1 sched_switch idle/0 R -> p/10",
			 "1450 cpu1 sched_process_exit p/10", "1550 cpu1 sched_switch p/10 X -> idle/0",
			 "1900 cpu0 sched_switch p/5 R -> p/5"),
		   ROWS("tid=10 run_ns=300 delay_ns=100 unknown_ns=50 open_state=- open_ns=0 life_ns=450"));
}
END_TEST

/* What a gap overlaps is unknown, whole; what came after it is not. */
START_TEST(over_a_gap)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1050 cpu0 sys_enter t=10 nr=nanosleep",
			 "1100 cpu0 sched_switch a/10 S -> idle/0", "1200 cpu1 sched_switch idle/0 R -> b/11", "cpu1 lost 2",
			 "1300 cpu1 sched_switch b/11 R -> b/11", "1400 cpu1 sched_waking a/10 target=0 by b/11",
			 "1500 cpu0 sched_switch idle/0 R -> a/10", "1700 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=300 delay_ns=100 idle_ns=0 unknown_ns=300 open_state=sleep open_ns=0 life_ns=700"));
}
END_TEST

/* Open, and a gap since: what it is in nobody knows. */
START_TEST(open_over_a_gap)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu1 sched_switch idle/0 R -> b/11", "cpu1 lost 2", "1300 cpu1 sched_switch b/11 R -> b/11"),
		   ROWS("tid=10 run_ns=100 unknown_ns=200 open_state=- open_ns=0 life_ns=300"));
}
END_TEST

/* It ran before anything was seen of it: that it runs is known, since when is not. */
START_TEST(a_hog)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "hog"),
		   LINES("seed hog/9", "1000 cpu0 sys_enter t=9 nr=read", "1600 cpu0 sched_waking hog/9 target=0 by hog/9"),
		   ROWS("tid=9 run_ns=0 unknown_ns=600 open_state=run open_ns=0 life_ns=600"));
}
END_TEST

/* What is open says what for, where that can be told: a D may yet be a disk. */
START_TEST(open_causes)
{
	check_rows(ASK("tasks", .by = "tid", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu0 sys_enter t=10 nr=futex 7f00 80",
			 "1100 cpu0 sched_switch a/10 S -> b/11", "1150 cpu0 contention_begin t=11 4096 32",
			 "1200 cpu0 sched_switch b/11 D -> c/12", "1250 cpu0 sys_enter t=12 nr=read",
			 "1300 cpu0 sched_switch c/12 D -> d/13", "1350 cpu0 sched_switch d/13 R -> e/14"),
		   ROWS("tid=10 open_state=sleep open_cause=futex open_syscall=futex open_ns=250",
			"tid=11 open_state=blocked open_cause=lock open_syscall=- open_ns=150",
			"tid=12 open_state=blocked open_cause=- open_syscall=read open_ns=50",
			"tid=13 open_state=preempted open_cause=- open_syscall=-", "tid=14 open_state=run open_cause=-"));
}
END_TEST

/* ... but what a gap made uncertain says nothing. */
START_TEST(open_cause_over_a_gap)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu0 sys_enter t=10 nr=futex 7f00 80",
			 "1050 cpu1 sched_switch idle/0 R -> b/11", "cpu1 lost 1", "1080 cpu1 sched_switch b/11 R -> b/11",
			 "1100 cpu0 sched_switch a/10 S -> idle/0", "1200 cpu1 sched_switch b/11 R -> b/11"),
		   ROWS("tid=10 open_state=sleep open_cause=- open_syscall=- open_ns=100"));
}
END_TEST

/* A process is the sum of its threads, and has no state of its own. */
START_TEST(process)
{
	check_rows(ASK("tasks", .comm_glob = "[pw]"),
		   LINES("seed p/10 pid=10", "seed w/11 pid=10", "1000 cpu0 sched_switch idle/0 R -> p/10",
			 "1000 cpu1 sched_switch idle/0 R -> w/11", "1100 cpu0 sched_switch p/10 D -> idle/0",
			 "1200 cpu0 sched_waking p/10 target=0 by idle/0", "1300 cpu1 sched_switch w/11 R -> c/12",
			 "1400 cpu1 sched_switch c/12 S -> w/11"),
		   ROWS("comm=p pid=10 tid=- run_ns=400 other_d_ns=100 preempted_ns=100 open_state=- open_ns=200 life_ns=800 threads=2"));
}
END_TEST

/* Live: its own, its parent's where it was born later; threads that are not in one are in none. */
START_TEST(cgroup)
{
	check_rows(ASK("tasks", .comm_glob = "[pqc]"),
		   LINES("seed p/10 pid=10 cgroup=/a", "seed q/20 pid=20 cgroup=/a", "seed q/21 pid=20 cgroup=/b",
			 "seed c/30 pid=30", "1000 cpu0 sched_switch idle/0 R -> p/10",
			 "1100 cpu0 task_newtask c/40 flags=0 by p/10", "1150 cpu0 sched_wakeup_new c/40 target=0 by p/10",
			 "1200 cpu0 sched_switch p/10 S -> q/20", "1300 cpu0 sched_switch q/20 S -> q/21",
			 "1400 cpu0 sched_switch q/21 S -> c/30", "1500 cpu0 sched_switch c/30 S -> c/40"),
		   ROWS("pid=10 cgroup=/a", "pid=20 cgroup=-", "pid=30 cgroup=-", "pid=40 cgroup=/a"));
}
END_TEST

/* --from: what ended before is forgotten, of what spans it the part since then counts. */
START_TEST(from)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a", .from_ns = 1600),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "1300 cpu1 sched_waking a/10 target=0 by idle/0", "1400 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 D -> idle/0", "1700 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1750 cpu0 sched_switch idle/0 R -> a/10", "1800 cpu0 sched_switch a/10 D -> idle/0"),
		   ROWS("tid=10 run_ns=50 delay_ns=50 other_d_ns=100 unknown_ns=0 open_ns=0 life_ns=200"));
}
END_TEST

/* In D for a child, as vfork waits, and in D in another call: the one is a sleep that is known, the other is not. */
START_TEST(for_a_child)
{
	check_rows(ASK("tasks", .by = "tid"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1050 cpu0 sys_enter t=10 nr=vfork",
			 "1100 cpu0 sched_switch a/10 D -> b/11", "1150 cpu0 sys_enter t=11 nr=read 3",
			 "1200 cpu0 sched_switch b/11 D -> idle/0", "1250 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1250 cpu1 sched_waking b/11 target=0 by idle/0", "1300 cpu0 sched_switch idle/0 R -> a/10",
			 "1400 cpu0 sched_switch a/10 R -> b/11", "1500 cpu0 sched_switch b/11 R -> idle/0"),
		   ROWS("tid=10 other_d_ns=0 sleep_ns=150", "tid=11 other_d_ns=50 sleep_ns=0"));
}
END_TEST

/* Tasks that had to go are one row, and what was open of them is unknown. */
START_TEST(evicted)
{
	check_rows(ASK("tasks", .by = "tid", .max_tasks = 1),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "1900 cpu0 sched_waking a/10 target=0 by idle/0", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2050 cpu0 sched_process_exit a/10", "2100 cpu0 sched_switch a/10 X -> c/12",
			 "2200 cpu0 sched_process_exit c/12", "2300 cpu0 sched_switch c/12 X -> d/13", "cpu0 lost 1",
			 "2400 cpu0 sched_switch d/13 S -> idle/0"),
		   ROWS("comm=- tid=- run_ns=500 delay_ns=100 other_d_ns=700 unknown_ns=1100 open_ns=0 life_ns=2400 threads=-",
			"tid=13 run_ns=0 unknown_ns=1400 open_state=sleep life_ns=1400"));
}
END_TEST

Suite *rs_suite_semantics_split(void)
{
	Suite *s = suite_create("semantics-split");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, each_part);
	tcase_add_test(t, unseen);
	tcase_add_test(t, forked_and_exited);
	tcase_add_test(t, over_a_gap);
	tcase_add_test(t, open_over_a_gap);
	tcase_add_test(t, a_hog);
	tcase_add_test(t, open_causes);
	tcase_add_test(t, open_cause_over_a_gap);
	tcase_add_test(t, process);
	tcase_add_test(t, cgroup);
	tcase_add_test(t, from);
	tcase_add_test(t, evicted);
	tcase_add_test(t, for_a_child);
	suite_add_tcase(s, t);
	return s;
}
