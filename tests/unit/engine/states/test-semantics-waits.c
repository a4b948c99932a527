// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-waits - why a task was off its CPU: each cause, and what looks like it
 */
#include <check.h>

#include "ask.h"

#define A_RUNS "1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11"
#define A_LEAVES(letter) "1200 cpu0 sched_switch a/10 " letter " -> idle/0"
#define A_WOKEN "1900 cpu1 sched_waking a/10 target=0 by b/11"
#define A_BACK "2000 cpu0 sched_switch idle/0 R -> a/10"

/* ---- locks ---- */

START_TEST(lock_open_at_the_switch_out)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 contention_begin t=10 4096 32", A_LEAVES("D"), A_WOKEN, A_BACK,
			 "2100 cpu0 contention_end t=10 4096"),
		   ROWS("tid=10 comm=a state=D kind=block cause=lock count=1 total_ns=700 max_ns=700 top_waker=b/11"));
}
END_TEST

START_TEST(lock_had_before_the_switch_out)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 contention_begin t=10 4096 32", "1150 cpu0 contention_end t=10 4096",
			 A_LEAVES("D"), A_WOKEN, A_BACK),
		   ROWS("tid=10 state=D cause='other D' total_ns=700"));
}
END_TEST

/* After the switch's event and before the switch itself more may fire in its context: an interrupt's lock, say. */
START_TEST(lock_after_the_switch_out)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_LEAVES("D"), "1201 cpu0 contention_begin t=10 4096 1", A_WOKEN, A_BACK,
			 "2100 cpu0 contention_end t=10 4096"),
		   ROWS("tid=10 cause='other D' total_ns=700"));
}
END_TEST

START_TEST(stall_after_the_switch_out)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_LEAVES("D"), "1201 cpu0 mm_vmscan_direct_reclaim_begin t=10 0", A_WOKEN, A_BACK),
		   ROWS("tid=10 cause='other D' total_ns=700"));
}
END_TEST

/* Woken and asleep again while it waits for the lock: twice off its CPU for it. */
START_TEST(lock_and_two_sleeps)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 contention_begin t=10 4096 2", A_LEAVES("S"), A_WOKEN, A_BACK,
			 "2200 cpu0 sched_switch a/10 S -> idle/0",
			 "2500 cpu1 sched_waking a/10 target=0 by b/11",
			 "2600 cpu0 sched_switch idle/0 R -> a/10", "2700 cpu0 contention_end t=10 4096"),
		   ROWS("tid=10 state=S cause=lock count=2 total_ns=1000"));
}
END_TEST

/* Contention in the middle of a stall is what it sleeps for: the inner one. */
START_TEST(lock_inside_a_stall)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1050 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1100 cpu0 contention_begin t=10 4096 32", A_LEAVES("D"), A_WOKEN, A_BACK,
			 "2100 cpu0 contention_end t=10 4096", "2200 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("tid=10 cause=lock total_ns=700"));
}
END_TEST

START_TEST(stall_open_at_the_switch_out)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1050 cpu0 mm_vmscan_direct_reclaim_begin t=10 0", A_LEAVES("D"), A_WOKEN, A_BACK,
			 "2200 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("tid=10 cause=reclaim kind=block total_ns=700"));
}
END_TEST

/* ---- disks ---- */

#define A_ISSUES "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a"

START_TEST(request_completed_inside)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_ISSUES, A_LEAVES("D"), "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8",
			 A_WOKEN, A_BACK),
		   ROWS("tid=10 state=D kind=block cause=disk count=1 total_ns=700"));
}
END_TEST

START_TEST(request_completed_before)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_ISSUES, "1150 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8",
			 A_LEAVES("D"), A_WOKEN, A_BACK),
		   ROWS("tid=10 cause='other D'"));
}
END_TEST

START_TEST(request_completed_after)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_ISSUES, A_LEAVES("D"), A_WOKEN,
			 "1950 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", A_BACK),
		   ROWS("tid=10 cause='other D'"));
}
END_TEST

START_TEST(request_of_another)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=b", A_LEAVES("D"),
			 "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", A_WOKEN, A_BACK),
		   ROWS("tid=10 cause='other D'"));
}
END_TEST

/* The tid issued it in a life before this one. */
START_TEST(request_of_an_earlier_instance)
{
	check_rows(ASK("offcpu", .some = true),
		   LINES("900 cpu0 sched_switch idle/0 R -> a/10",
			 "910 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "950 cpu0 sched_switch a/10 X -> p/5",
			 "960 cpu0 sched_process_fork p/5 -> p/10",
			 "1000 cpu0 sched_switch p/5 R -> p/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1200 cpu0 sched_switch p/10 D -> idle/0",
			 "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8",
			 "1900 cpu1 sched_waking p/10 target=0 by b/11"),
		   ROWS("tid=10 comm=p cause='other D' total_ns=700"));
}
END_TEST

/* A request that a gap overlaps is not used: where its completion went nobody knows. */
START_TEST(request_that_is_discarded)
{
	check_rows(ASK("offcpu"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1050 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1060 cpu1 sched_switch idle/0 R -> b/11", "cpu1 lost 1",
			 "1150 cpu1 sched_switch b/11 R -> b/11",
			 A_LEAVES("D"), "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", A_WOKEN),
		   ROWS("tid=10 cause='other D'"));
}
END_TEST

/* S is no wait for a disk, whatever completes, but in a call that waits for input and output begun before. */
START_TEST(request_completed_while_it_slept)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_ISSUES, "1150 cpu0 sys_enter t=10 nr=wait4", A_LEAVES("S"),
			 "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", A_WOKEN, A_BACK),
		   ROWS("tid=10 state=S syscall=wait4 cause=sleep kind=block"));
}
END_TEST

START_TEST(io_getevents)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, A_ISSUES, "1150 cpu0 sys_enter t=10 nr=io_getevents", A_LEAVES("S"),
			 "1800 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", A_WOKEN, A_BACK),
		   ROWS("tid=10 state=S syscall=io_getevents cause=disk kind=block"));
}
END_TEST

START_TEST(io_getevents_of_nothing)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1150 cpu0 sys_enter t=10 nr=io_getevents", A_LEAVES("S"), A_WOKEN, A_BACK),
		   ROWS("tid=10 syscall=io_getevents cause=sleep"));
}
END_TEST

/* ---- calls ---- */

START_TEST(in_futex)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=futex 7000 80", A_LEAVES("S"), A_WOKEN, A_BACK),
		   ROWS("tid=10 state=S syscall=futex cause=futex kind=block top_waker=b/11"));
}
END_TEST

/* Who wakes others does not wait for them: FUTEX_WAKE is 1. */
START_TEST(in_futex_but_not_to_wait)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=futex 7000 81", A_LEAVES("S"), A_WOKEN, A_BACK),
		   ROWS("tid=10 syscall=futex cause=sleep"));
}
END_TEST

/* A tracer or a signal stopped it in the middle of its wait: it is woken from the stop, not from the futex. */
START_TEST(stopped_in_futex)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=futex 7000 80", A_LEAVES("T"), A_WOKEN, A_BACK),
		   ROWS("tid=10 state=T syscall=futex cause=sleep kind=block"));
}
END_TEST

START_TEST(idle_calls)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=epoll_wait", A_LEAVES("S"), A_WOKEN, A_BACK,
			 "2100 cpu0 sys_exit t=10 nr=epoll_wait ret=1", "2150 cpu0 sys_enter t=10 nr=nanosleep",
			 "2200 cpu0 sched_switch a/10 S -> idle/0",
			 "2500 cpu1 sched_waking a/10 target=0 by b/11 irq"),
		   ROWS("tid=10 syscall=epoll_wait cause=idle kind=idle total_ns=700 top_waker=b/11",
			"tid=10 syscall=nanosleep cause=idle kind=idle total_ns=300 top_waker=<irq>"));
}
END_TEST

/* A task sleeps while it exits: the call is known, though it never returns. */
START_TEST(in_a_call_that_never_returns)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=exit_group", A_LEAVES("S"), A_WOKEN, A_BACK),
		   ROWS("tid=10 syscall=exit_group cause=sleep"));
}
END_TEST

/* What call it is in was not recorded: the cause is unknown, not "no call". */
START_TEST(call_that_began_before_the_trace)
{
	check_rows(ASK("offcpu"), LINES(A_RUNS, "1010 cpu1 sys_exit t=11 nr=read ret=0", A_LEAVES("S"), A_WOKEN, A_BACK,
			 "2100 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("tid=10 state=S syscall=- cause=- kind=- total_ns=700"));
}
END_TEST

START_TEST(call_that_began_before_a_gap)
{
	check_rows(ASK("offcpu"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu0 sys_enter t=10 nr=epoll_wait",
			 "1060 cpu1 sched_switch idle/0 R -> b/11", "cpu1 lost 1",
			 "1150 cpu1 sched_switch b/11 R -> b/11", A_LEAVES("S"), A_WOKEN),
		   ROWS("tid=10 state=S syscall=- cause=- total_ns=700"));
}
END_TEST

START_TEST(gap_inside)
{
	check_rows(ASK("offcpu"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu0 sys_enter t=10 nr=epoll_wait",
			 "1060 cpu1 sched_switch idle/0 R -> b/11", A_LEAVES("S"), "cpu1 lost 1",
			 "1500 cpu1 sched_switch b/11 R -> b/11", A_WOKEN),
		   NO_ROWS);
}
END_TEST

START_TEST(kernel_thread)
{
	check_rows(ASK("offcpu"),
		   LINES("900 cpu0 sched_switch idle/0 R -> kthreadd/2",
			 "910 cpu0 sched_process_fork kthreadd/2 -> kthreadd/10",
			 "1000 cpu0 sched_switch kthreadd/2 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 A_LEAVES("S"), A_WOKEN),
		   ROWS("tid=10 state=S cause=idle kind=idle"));
}
END_TEST

START_TEST(letter_i)
{
	check_rows(ASK("offcpu"), LINES(A_RUNS, A_LEAVES("I"), A_WOKEN), ROWS("tid=10 state=I cause=idle kind=idle"));
}
END_TEST

/* ---- what is no wait, and when it begins and ends ---- */

START_TEST(preempted_is_not_off_the_cpu)
{
	check_rows(ASK("offcpu"), LINES(A_RUNS, A_LEAVES("R"), A_BACK), NO_ROWS);
}
END_TEST

/* Woken while it was still on its CPU, and not again: blocked for no time. */
START_TEST(provisional_delay)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1150 cpu1 sched_waking a/10 target=0 by b/11", A_LEAVES("S"), A_BACK), NO_ROWS);
}
END_TEST

/* ... and again: then it was blocked until that one. */
START_TEST(provisional_delay_that_was_none)
{
	check_rows(ASK("offcpu"),
		   LINES(A_RUNS, "1150 cpu1 sched_waking a/10 target=0 by b/11", A_LEAVES("D"), A_WOKEN, A_BACK),
		   ROWS("tid=10 cause='other D' count=1 total_ns=700"));
}
END_TEST

START_TEST(open_at_the_end)
{
	check_rows(ASK("offcpu"), LINES(A_RUNS, A_LEAVES("D"), "1900 cpu1 sched_switch b/11 R -> b/11"), NO_ROWS);
}
END_TEST

/* Rows merge by what is asked for, and nothing else tells them apart. */
START_TEST(by_cause)
{
	check_rows(ASK("offcpu", .by = "cause"),
		   LINES(A_RUNS, A_LEAVES("D"), A_WOKEN, A_BACK, "2100 cpu1 sched_switch b/11 D -> idle/0",
			 "2400 cpu0 sched_waking b/11 target=1 by a/10", "2500 cpu0 sys_enter t=10 nr=epoll_wait",
			 "2600 cpu0 sched_switch a/10 S -> idle/0", "2700 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("comm=- tid=- state=- syscall=- cause='other D' kind=block count=2 total_ns=1000",
			"cause=idle kind=idle count=1 total_ns=100 top_waker=<irq>"));
}
END_TEST

START_TEST(evicted_tasks_are_one_row)
{
	check_rows(ASK("offcpu", .max_tasks = 1),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", A_LEAVES("D"), "1900 cpu0 sched_waking a/10 target=0 by idle/0",
			 A_BACK, "2050 cpu0 sched_process_exit a/10", "2100 cpu0 sched_switch a/10 X -> c/12",
			 "2200 cpu0 sched_process_exit c/12", "2300 cpu0 sched_switch c/12 X -> d/13",
			 "cpu0 lost 1", "2400 cpu0 sched_switch d/13 S -> idle/0"),
		   ROWS("comm=- tid=- state=D cause='other D' count=1 total_ns=700", "_quality evicted=2"));
}
END_TEST

Suite *rs_suite_semantics_waits(void)
{
	Suite *s = suite_create("semantics-waits");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, lock_open_at_the_switch_out);
	tcase_add_test(t, lock_had_before_the_switch_out);
	tcase_add_test(t, lock_after_the_switch_out);
	tcase_add_test(t, stall_after_the_switch_out);
	tcase_add_test(t, lock_and_two_sleeps);
	tcase_add_test(t, lock_inside_a_stall);
	tcase_add_test(t, stall_open_at_the_switch_out);
	tcase_add_test(t, request_completed_inside);
	tcase_add_test(t, request_completed_before);
	tcase_add_test(t, request_completed_after);
	tcase_add_test(t, request_of_another);
	tcase_add_test(t, request_of_an_earlier_instance);
	tcase_add_test(t, request_that_is_discarded);
	tcase_add_test(t, request_completed_while_it_slept);
	tcase_add_test(t, io_getevents);
	tcase_add_test(t, io_getevents_of_nothing);
	tcase_add_test(t, in_futex);
	tcase_add_test(t, in_futex_but_not_to_wait);
	tcase_add_test(t, stopped_in_futex);
	tcase_add_test(t, idle_calls);
	tcase_add_test(t, in_a_call_that_never_returns);
	tcase_add_test(t, call_that_began_before_the_trace);
	tcase_add_test(t, call_that_began_before_a_gap);
	tcase_add_test(t, gap_inside);
	tcase_add_test(t, kernel_thread);
	tcase_add_test(t, letter_i);
	tcase_add_test(t, preempted_is_not_off_the_cpu);
	tcase_add_test(t, provisional_delay);
	tcase_add_test(t, provisional_delay_that_was_none);
	tcase_add_test(t, open_at_the_end);
	tcase_add_test(t, by_cause);
	tcase_add_test(t, evicted_tasks_are_one_row);
	suite_add_tcase(s, t);
	return s;
}
