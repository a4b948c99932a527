// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-calls - what is a call, an error, an unmatched end, a child's return, and what never returns */
#include <check.h>

#include "ask.h"

#define BY_TID "syscall-latency", .by = "tid,syscall"

/* "sys_enter to the next sys_exit of that tid, under the enter's number"; quantiles nearest rank, exact below 128. */
START_TEST(pairs)
{
	check_rows(ASK(BY_TID),
		   LINES("1000 cpu0 sys_enter t=10 nr=read", "1030 cpu0 sys_exit t=10 nr=read ret=0",
			 "1100 cpu0 sys_enter t=10 nr=read", "1110 cpu0 sys_exit t=10 nr=read ret=5",
			 "1200 cpu0 sys_enter t=10 nr=read", "1300 cpu0 sys_exit t=10 nr=read ret=5",
			 "1400 cpu0 sys_enter t=10 nr=read", "1420 cpu0 sys_exit t=10 nr=read ret=5",
			 "1500 cpu0 sys_enter t=10 nr=write", "1507 cpu0 sys_exit t=10 nr=write ret=5",
			 "1600 cpu0 sys_enter t=11 nr=write", "1609 cpu0 sys_exit t=11 nr=write ret=5"),
		   ROWS("tid=10 syscall=read calls=4 errors=0 total_ns=160 avg_ns=40 min_ns=10 p50_ns=20 "
			"p95_ns=100 "
			"p99_ns=100 max_ns=100 in_flight=0",
			"tid=10 syscall=write calls=1 total_ns=7 min_ns=7 p50_ns=7 max_ns=7",
			"tid=11 syscall=write calls=1 total_ns=9",
			"_quality unmatched=0 discarded=0 in_flight=0"));
}
END_TEST

/*
 * --syscall judges a call before rows merge over it: tid 10's reads alone, 30 + 10, and its write(7) is nowhere; tid 11
 * has a write alone and one in flight, so no row. A stream leaves the row of the write unmade.
 */
START_TEST(of_one_name)
{
	const char *const *lines = LINES("1000 cpu0 sys_enter t=10 nr=read", "1030 cpu0 sys_exit t=10 nr=read ret=0",
		"1100 cpu0 sys_enter t=10 nr=read", "1110 cpu0 sys_exit t=10 nr=read ret=5",
		"1500 cpu0 sys_enter t=10 nr=write", "1507 cpu0 sys_exit t=10 nr=write ret=5",
		"1600 cpu0 sys_enter t=11 nr=write", "1609 cpu0 sys_exit t=11 nr=write ret=5", "1700 cpu0 sys_enter t=11 nr=write");

	check_rows(ASK("syscall-latency", .by = "tid", .only = { "syscall", "re*" }), lines,
		   ROWS("tid=10 syscall=- calls=2 total_ns=40 in_flight=0"));
	check_rows(ASK("syscall-latency", .by = "tid,syscall", .only = { "syscall", "re* open" }), lines,
		   ROWS("tid=10 syscall=read calls=2 total_ns=40"));
	check_rows(ASK("syscalls", .only = { "syscall", "read" }), lines,
		   ROWS("tid=10 syscall=read lat_ns=30", "tid=10 syscall=read lat_ns=10"));
}
END_TEST

/* A call goes on when its task moves to another CPU. */
START_TEST(pairs_across_cpus)
{
	check_rows(ASK(BY_TID),
		   LINES("1000 cpu1 sys_enter t=10 nr=read", "1500 cpu0 sys_exit t=10 nr=read ret=0"),
		   ROWS("tid=10 syscall=read calls=1 total_ns=500"));
}
END_TEST

/* "Errors are ret -4095..-1, the restart codes -512..-516 among them." */
START_TEST(errors)
{
	check_rows(ASK(BY_TID),
		   LINES("1000 cpu0 sys_enter t=10 nr=read", "1010 cpu0 sys_exit t=10 nr=read ret=-1",
			 "1100 cpu0 sys_enter t=10 nr=read", "1110 cpu0 sys_exit t=10 nr=read ret=-4095",
			 "1200 cpu0 sys_enter t=10 nr=read", "1210 cpu0 sys_exit t=10 nr=read ret=-4096",
			 "1300 cpu0 sys_enter t=10 nr=read", "1310 cpu0 sys_exit t=10 nr=read ret=0",
			 "1400 cpu0 sys_enter t=10 nr=read", "1410 cpu0 sys_exit t=10 nr=read ret=-512",
			 "1500 cpu0 sys_enter t=10 nr=read", "1510 cpu0 sys_exit t=10 nr=read ret=-516",
			 "1600 cpu0 sys_enter t=10 nr=read", "1610 cpu0 sys_exit t=10 nr=read ret=7"),
		   ROWS("tid=10 syscall=read calls=7 errors=4"));
}
END_TEST

/* "rt_sigreturn's exit says -1, its ret means nothing" */
START_TEST(rt_sigreturn)
{
	check_rows(ASK(BY_TID),
		   LINES("1000 cpu0 sys_enter t=10 nr=rt_sigreturn", "1040 cpu0 sys_exit t=10 nr=-1 ret=-4"),
		   ROWS("tid=10 syscall=rt_sigreturn calls=1 errors=0 total_ns=40", "_quality unmatched=0 "
			"in_flight=0"));
}
END_TEST

START_TEST(rt_sigreturn_has_no_ret)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=rt_sigreturn", "1040 cpu0 sys_exit t=10 nr=-1 ret=-4"),
		   ROWS("start_ns=1000 end_ns=1040 tid=10 syscall=rt_sigreturn ret=- errno=- lat_ns=40"));
}
END_TEST

/* "Another number is a mismatch, not used": nor is it an unmatched end, and what follows pairs as ever. */
START_TEST(mismatch)
{
	check_rows(ASK(BY_TID, .some = true),
		   LINES("1000 cpu0 sys_enter t=10 nr=read", "1040 cpu0 sys_exit t=10 nr=write ret=4",
			 "1100 cpu0 sys_enter t=10 nr=write", "1150 cpu0 sys_exit t=10 nr=write ret=4"),
		   ROWS("tid=10 syscall=write calls=1 total_ns=50", "_quality unmatched=0 in_flight=0 discarded=0"));
}
END_TEST

START_TEST(mismatch_is_no_call)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read", "1040 cpu0 sys_exit t=10 nr=write ret=4",
			 "1100 cpu0 sys_enter t=10 nr=write", "1150 cpu0 sys_exit t=10 nr=write ret=4"),
		   ROWS("start_ns=1100 syscall=write ret=4 errno=-"));
}
END_TEST

/* "Exit without enter: unmatched end" */
START_TEST(unmatched_end)
{
	check_rows(ASK("syscalls"),
		   LINES("1040 cpu0 sys_exit t=10 nr=read ret=4",
			 "1100 cpu0 sys_enter t=10 nr=read", "1150 cpu0 sys_exit t=10 nr=read ret=-2"),
		   ROWS("start_ns=1100 end_ns=1150 tid=10 cpu=0 syscall=read ret=-2 errno=2 lat_ns=50",
			"_quality unmatched=1"));
}
END_TEST

/* "a new task's first exit (from fork, clone): child return, counted apart"; a second one is an unmatched end. */
START_TEST(child_return)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=5 nr=clone",
			 "1100 cpu0 sched_process_fork p/5 -> c/20",
			 "1150 cpu0 sys_exit t=5 nr=clone ret=20",
			 "1200 cpu1 sched_switch idle/0 R -> c/20",
			 "1210 cpu1 sys_exit t=20 nr=clone ret=0",
			 "1300 cpu1 sched_switch c/20 S -> idle/0"),
		   ROWS("tid=5 syscall=clone ret=20 lat_ns=150", "_quality unmatched=0 in_flight=0"));
}
END_TEST

START_TEST(child_return_only_once)
{
	check_rows(ASK("syscalls"),
		   LINES("1100 cpu0 sched_process_fork p/5 -> c/20",
			 "1210 cpu1 sys_exit t=20 nr=clone ret=0",
			 "1220 cpu1 sys_exit t=20 nr=read ret=0"),
		   ROWS("_quality unmatched=1"));
}
END_TEST

/* "exit, exit_group and a kill never return": they are not in flight, and no later exit is theirs. */
START_TEST(never_returns_exit)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=exit", "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1300 cpu0 sched_process_fork p/5 -> c/10",
			 "1400 cpu0 sys_exit t=10 nr=clone ret=0"),
		   ROWS("_quality in_flight=0 unmatched=0 discarded=0"));
}
END_TEST

START_TEST(never_returns_exit_group)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=exit_group",
			 "1300 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("_quality in_flight=0 unmatched=0 discarded=0"));
}
END_TEST

START_TEST(never_returns_killed)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0"),
		   ROWS("_quality in_flight=0 unmatched=0 discarded=0"));
}
END_TEST

/* In flight at the end: shown, not counted; what is over nothing is null, counts and sums are 0. */
START_TEST(in_flight)
{
	check_rows(ASK(BY_TID),
		   LINES("1000 cpu0 sys_enter t=10 nr=read",
			 "1300 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 syscall=read calls=0 errors=0 total_ns=0 avg_ns=- min_ns=- p50_ns=- "
			"p95_ns=- p99_ns=- "
			"max_ns=- in_flight=1",
			"_quality in_flight=1"));
}
END_TEST

/* "wall time; its on-CPU part is shown beside it": of 500 ns 100 before it sleeps and 100 after. */
START_TEST(on_cpu_part)
{
	check_rows(ASK(BY_TID),
		   LINES("900 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu0 sys_enter t=10 nr=read",
			 "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "1300 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1400 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sys_exit t=10 nr=read ret=0",
			 "1600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 syscall=read calls=1 total_ns=500 cpu_ns=200"));
}
END_TEST

/*
 * Of two calls the first began before anything was seen of its task on a CPU: 100 ns are known of the other, and said to
 * be of one call. A call alone whose part is not known has none.
 */
START_TEST(on_cpu_part_of_those_known)
{
	check_rows(ASK(BY_TID),
		   LINES("700 cpu0 sys_enter t=10 nr=read",
			 "900 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu0 sys_exit t=10 nr=read ret=0",
			 "1100 cpu0 sys_enter t=10 nr=read", "1200 cpu0 sys_exit t=10 nr=read ret=0",
			 "1300 cpu0 sched_switch a/10 S -> idle/0",
			 "1400 cpu1 sys_enter t=11 nr=write",
			 "1500 cpu1 sched_switch idle/0 R -> b/11",
			 "1600 cpu1 sys_exit t=11 nr=write ret=0"),
		   ROWS("tid=10 syscall=read calls=2 total_ns=400 cpu_ns=100 cpu_calls=1",
			"tid=11 syscall=write calls=1 total_ns=200 cpu_ns=- cpu_calls=0"));
}
END_TEST

/* "Keys of --by come first, null where merged": the threads of a process in one row. */
START_TEST(by_process)
{
	check_rows(ASK("syscall-latency", .by = "pid"),
		   LINES("seed p/5 pid=5", "seed q/6 pid=5", "seed r/7 pid=7",
			 "1000 cpu0 sys_enter t=5 nr=read", "1010 cpu0 sys_exit t=5 nr=read ret=0",
			 "1100 cpu0 sys_enter t=6 nr=write", "1130 cpu0 sys_exit t=6 nr=write ret=-9",
			 "1200 cpu0 sys_enter t=7 nr=write", "1205 cpu0 sys_exit t=7 nr=write ret=1"),
		   ROWS("pid=5 tid=- syscall=- nr=- calls=2 errors=1 total_ns=40 min_ns=10 max_ns=30",
			"pid=7 tid=- syscall=- calls=1 errors=0 total_ns=5"));
}
END_TEST

START_TEST(by_syscall)
{
	check_rows(ASK("syscall-latency", .by = "syscall"),
		   LINES("1000 cpu0 sys_enter t=5 nr=read", "1010 cpu0 sys_exit t=5 nr=read ret=0",
			 "1100 cpu0 sys_enter t=6 nr=write", "1130 cpu0 sys_exit t=6 nr=write ret=-9",
			 "1200 cpu0 sys_enter t=7 nr=write", "1205 cpu0 sys_exit t=7 nr=write ret=1"),
		   ROWS("pid=- tid=- comm=- syscall=read calls=1", "pid=- tid=- comm=- syscall=write "
			"calls=2 errors=1 total_ns=35"));
}
END_TEST

/* A new life of a tid does not get the old one's call. */
START_TEST(call_of_an_earlier_instance)
{
	check_rows(ASK("syscalls"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read",
			 "1100 cpu1 sched_process_fork p/5 -> c/10",
			 "1200 cpu0 sys_exit t=10 nr=clone ret=0",
			 "1300 cpu0 sys_enter t=10 nr=read", "1400 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("start_ns=1300 lat_ns=100", "_quality unmatched=0"));
}
END_TEST

/* A recording of calls alone: all but their on-CPU part is known. */
START_TEST(calls_without_switches)
{
	check_rows(ASK("syscall-latency", .by = "tid,syscall"),
		   LINES("without sched_switch", "without sched_waking", "without sched_wakeup",
			 "1000 cpu0 sys_enter t=10 nr=read", "1300 cpu0 sys_exit t=10 nr=read ret=5"),
		   ROWS("tid=10 syscall=read calls=1 total_ns=300 cpu_ns=- cpu_calls=0"));
}
END_TEST

Suite *rs_suite_semantics_calls(void)
{
	Suite *s = suite_create("semantics-calls");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, pairs);
	tcase_add_test(t, of_one_name);
	tcase_add_test(t, pairs_across_cpus);
	tcase_add_test(t, errors);
	tcase_add_test(t, rt_sigreturn);
	tcase_add_test(t, rt_sigreturn_has_no_ret);
	tcase_add_test(t, mismatch);
	tcase_add_test(t, mismatch_is_no_call);
	tcase_add_test(t, unmatched_end);
	tcase_add_test(t, child_return);
	tcase_add_test(t, child_return_only_once);
	tcase_add_test(t, never_returns_exit);
	tcase_add_test(t, never_returns_exit_group);
	tcase_add_test(t, never_returns_killed);
	tcase_add_test(t, in_flight);
	tcase_add_test(t, on_cpu_part);
	tcase_add_test(t, on_cpu_part_of_those_known);
	tcase_add_test(t, by_process);
	tcase_add_test(t, by_syscall);
	tcase_add_test(t, call_of_an_earlier_instance);
	tcase_add_test(t, calls_without_switches);
	suite_add_tcase(s, t);
	return s;
}
