// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-matcher - what the engine decides for every pair of a task or CPU: room, exit, exec, eviction of halves
 *
 * By contention (four places in a task) and mmap_lock; check_rows also verifies the sums of --check.
 */
#include <check.h>

#include "ask.h"

/* Of five in one task the end of the oldest was not seen: it is unmatched, and its late end, too. The others are pairs. */
START_TEST(the_oldest_makes_room)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 1", "1001 cpu0 contention_begin t=10 8192 1",
			 "1002 cpu0 contention_begin t=10 12288 1", "1003 cpu0 contention_begin t=10 16384 1",
			 "1004 cpu0 contention_begin t=10 20480 1", "1010 cpu0 contention_end t=10 20480",
			 "1011 cpu0 contention_end t=10 4096"),
		   ROWS("lock_addr=0x5000 contended=1 total_ns=6", "_quality unmatched=2 in_flight=3"));
}
END_TEST

/* An end takes its begin out of the middle: the others keep their order and what is known of them. */
START_TEST(ends_out_of_order)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 1", "1010 cpu0 contention_begin t=10 8192 32",
			 "1020 cpu0 contention_begin t=10 12288 4", "1100 cpu0 contention_end t=10 8192",
			 "1200 cpu0 contention_end t=10 12288", "1300 cpu0 contention_end t=10 4096"),
		   ROWS("lock_addr=0x1000 type=spinlock total_ns=300", "lock_addr=0x2000 type=mutex total_ns=90",
			"lock_addr=0x3000 type=rwsem:W total_ns=180", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* Nothing of a task that has exited is in flight at the end. */
START_TEST(a_task_exits)
{
	check_rows(ASK("locks"), LINES("1000 cpu0 contention_begin t=10 4096 32", "1100 cpu0 sched_process_exit a/10",
				       "1200 cpu0 contention_begin t=11 4096 32"),
		   ROWS("_quality unmatched=1 in_flight=1"));
}
END_TEST

/* What a thread is in when it execs ends under the leader's tid; what the leader was in never ends. */
START_TEST(exec_moves_it)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=11 4096 32", "1010 cpu1 contention_begin t=10 8192 32",
			 "1100 cpu0 sched_process_exec /bin/x t=10 pid=10 old=11", "1500 cpu0 contention_end t=10 4096"),
		   ROWS("lock_addr=0x1000 contended=1 total_ns=500", "_quality unmatched=1 in_flight=0"));
}
END_TEST

/* A begin of the same key ends the wait before it unseen, where pairs restart; the wait from 2000 on counts. */
START_TEST(restarts)
{
	check_rows(ASK("mmaplock"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 0", "2000 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "2100 cpu0 mmap_lock_acquire_returned t=10 4096 0 0"),
		   ROWS("waits=1 wait_total_ns=100 holds=0", "_quality unmatched=1 in_flight=0"));
}
END_TEST

Suite *rs_suite_matcher(void)
{
	Suite *s = suite_create("matcher");
	TCase *t = tcase_create("matcher");

	tcase_add_test(t, the_oldest_makes_room);
	tcase_add_test(t, ends_out_of_order);
	tcase_add_test(t, a_task_exits);
	tcase_add_test(t, exec_moves_it);
	tcase_add_test(t, restarts);
	suite_add_tcase(s, t);
	return s;
}
