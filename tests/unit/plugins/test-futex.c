// SPDX-License-Identifier: GPL-2.0-or-later
/* test-futex - waits in futex(2) by address */
#include <check.h>

#include "ask.h"

/* One call: a sleeps in it, b wakes it. */
START_TEST(a_wait_and_its_waker)
{
	check_rows(ASK("futex"),
		   LINES("seed p/10 pid=10", "1000 cpu0 sched_switch idle/0 R -> p/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1100 cpu0 sys_enter t=10 nr=futex 7f00 80", "1200 cpu0 sched_switch p/10 S -> idle/0",
			 "1900 cpu1 sched_waking p/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> p/10",
			 "2100 cpu0 sys_exit t=10 nr=futex ret=0"),
		   ROWS("comm=p pid=10 tid=- uaddr=0x7f00 waits=1 failed_at_once=0 timeouts=0 total_ns=1000 max_ns=1000 "
			"top_waker=b/11 in_flight=0"));
}
END_TEST

/* EAGAIN never leaves the CPU, ETIMEDOUT is ended by a timer: both are waits, and nobody ended them. */
START_TEST(failed_and_timed_out)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1100 cpu0 sys_enter t=10 nr=futex 7f00 80", "1110 cpu0 sys_exit t=10 nr=futex ret=-11",
			 "1150 cpu0 sys_enter t=10 nr=futex 7f00 89", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11 irq", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2150 cpu0 sys_exit t=10 nr=futex ret=-110"),
		   ROWS("tid=10 uaddr=0x7f00 waits=2 failed_at_once=1 timeouts=1 total_ns=1010 max_ns=1000 top_waker=-"));
}
END_TEST

/* A signal's sender did not release it. */
START_TEST(interrupted)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1150 cpu0 sys_enter t=10 nr=futex 7f00 80", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2150 cpu0 sys_exit t=10 nr=futex ret=-512"),
		   ROWS("tid=10 waits=1 total_ns=1000 top_waker=-"));
}
END_TEST

/* Who woke it in a call whose end was not seen did not end the next one. */
START_TEST(waker_of_another_call)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1150 cpu0 sys_enter t=10 nr=futex 7f00 80", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 sys_enter t=10 nr=futex 7f00 80", "2150 cpu0 sys_exit t=10 nr=futex ret=0"),
		   ROWS("tid=10 waits=1 total_ns=50 top_waker=-"));
}
END_TEST

/* "op & 127 in WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2": 0 6 9 11 13, and none of the others. */
START_TEST(operations_that_wait)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sys_enter t=10 nr=futex 7f00 0", "1001 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1010 cpu0 sys_enter t=10 nr=futex 7f00 6", "1011 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1020 cpu0 sys_enter t=10 nr=futex 7f00 189", "1021 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1030 cpu0 sys_enter t=10 nr=futex 7f00 8b", "1031 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1040 cpu0 sys_enter t=10 nr=futex 7f00 d", "1041 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1050 cpu0 sys_enter t=10 nr=futex 7f00 1", "1051 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1060 cpu0 sys_enter t=10 nr=futex 7f00 7", "1061 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1070 cpu0 sys_enter t=10 nr=futex 7f00 5", "1071 cpu0 sys_exit t=10 nr=futex ret=0"),
		   ROWS("uaddr=0x7f00 waits=5 total_ns=5"));
}
END_TEST

/* Threads of a process share an address, other processes do not; who is of no known process is one for itself. */
START_TEST(by_process_and_address)
{
	check_rows(ASK("futex"),
		   LINES("seed p/10 pid=10", "seed w/11 pid=10", "seed q/20 pid=20",
			 "1000 cpu0 sys_enter t=10 nr=futex 7f00 0", "1001 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1010 cpu0 sys_enter t=11 nr=futex 7f00 0", "1012 cpu0 sys_exit t=11 nr=futex ret=0",
			 "1020 cpu0 sys_enter t=20 nr=futex 7f00 0", "1024 cpu0 sys_exit t=20 nr=futex ret=0",
			 "1030 cpu0 sys_enter t=10 nr=futex 7f08 0", "1038 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1040 cpu0 sys_enter t=30 nr=futex 7f00 0", "1056 cpu0 sys_exit t=30 nr=futex ret=0",
			 "1060 cpu0 sys_enter t=31 nr=futex 7f00 0", "1092 cpu0 sys_exit t=31 nr=futex ret=0"),
		   ROWS("pid=10 tid=- comm=p uaddr=0x7f00 waits=2 total_ns=3", "pid=20 comm=q uaddr=0x7f00 waits=1 total_ns=4",
			"pid=10 uaddr=0x7f08 waits=1 total_ns=8", "pid=- tid=30 uaddr=0x7f00 waits=1 total_ns=16",
			"pid=- tid=31 uaddr=0x7f00 waits=1 total_ns=32"));
}
END_TEST

/* A tid that begins another life waits elsewhere, though at the same address. */
START_TEST(tid_used_again)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sys_enter t=10 nr=futex 7f00 0", "1001 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1010 cpu1 sched_process_fork p/5 -> q/10",
			 "1020 cpu0 sys_enter t=10 nr=futex 7f00 0", "1022 cpu0 sys_exit t=10 nr=futex ret=0"),
		   ROWS("tid=10 waits=1 total_ns=1", "tid=10 waits=1 total_ns=2"));
}
END_TEST

/* The process' name is the last known, not that of its first wait. */
START_TEST(name_changed)
{
	check_rows(ASK("futex"),
		   LINES("seed p/10 pid=10", "1000 cpu0 sys_enter t=10 nr=futex 7f00 0",
			 "1001 cpu0 sys_exit t=10 nr=futex ret=0", "1010 cpu0 task_rename p/10 -> server"),
		   ROWS("comm=server pid=10 waits=1"));
}
END_TEST

START_TEST(unmatched_exit)
{
	check_rows(ASK("futex"), LINES("1000 cpu0 sys_exit t=10 nr=futex ret=0"), ROWS("_quality unmatched=1"));
}
END_TEST

START_TEST(gap_inside)
{
	check_rows(ASK("futex"),
		   LINES("1000 cpu0 sys_enter t=10 nr=futex 7f00 0", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "cpu1 lost 2", "1020 cpu1 sched_switch b/11 S -> idle/0", "1030 cpu0 sys_exit t=10 nr=futex ret=0"),
		   NO_ROWS);
}
END_TEST

/* Who still waits at the end is there, in a column of its own: also at an address that nobody has returned from. */
START_TEST(open_at_the_end)
{
	check_rows(ASK("futex"),
		   LINES("seed p/10 pid=10", "seed p/11 pid=10", "seed p/12 pid=10",
			 "1000 cpu0 sys_enter t=10 nr=futex 7f00 0", "1001 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1010 cpu0 sys_enter t=10 nr=futex 7f00 0", "1020 cpu0 sys_enter t=11 nr=futex 7f00 0",
			 "1030 cpu0 sys_enter t=12 nr=futex 7f08 0"),
		   ROWS("pid=10 uaddr=0x7f00 waits=1 total_ns=1 in_flight=2",
			"pid=10 uaddr=0x7f08 waits=0 total_ns=0 max_ns=- in_flight=1", "_quality in_flight=3"));
}
END_TEST

/* The span is the call, the name of its colour the same for all. */
START_TEST(spans)
{
	check_rows(ASK("futex", .span = "futex wait"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11",
			 "1100 cpu0 sys_enter t=10 nr=futex 7f00 80", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 sys_exit t=10 nr=futex ret=0", "2200 cpu0 sys_enter t=10 nr=futex 7f08 80",
			 "2300 cpu0 sys_enter t=11 nr=futex 7f08 81"),
		   ROWS("tid=10 from=1100 to=2100 label='futex wait' uaddr=0x7f00 ret=0 waker=b waker_tid=11 open=0",
			"tid=10 from=2200 to=2300 uaddr=0x7f08 ret=- waker=- open=1"));
}
END_TEST

Suite *rs_suite_futex(void)
{
	Suite *s = suite_create("futex");
	TCase *t = tcase_create("futex");

	tcase_add_test(t, a_wait_and_its_waker);
	tcase_add_test(t, failed_and_timed_out);
	tcase_add_test(t, interrupted);
	tcase_add_test(t, waker_of_another_call);
	tcase_add_test(t, operations_that_wait);
	tcase_add_test(t, by_process_and_address);
	tcase_add_test(t, tid_used_again);
	tcase_add_test(t, name_changed);
	tcase_add_test(t, unmatched_exit);
	tcase_add_test(t, gap_inside);
	tcase_add_test(t, open_at_the_end);
	tcase_add_test(t, spans);
	suite_add_tcase(s, t);
	return s;
}
