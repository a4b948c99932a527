// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-mmaplock - waits for and holds of the lock of a memory map; #mm, to write, success */
#include <check.h>

#include "ask.h"

START_TEST(wait_and_hold)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "1100 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1400 cpu1 mmap_lock_released t=10 4096 0",
			 "2000 cpu0 mmap_lock_start_locking t=10 4096 1",
			 "2050 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "2060 cpu0 mmap_lock_released t=10 4096 1"),
		   ROWS("tid=10 waits=2 wait_total_ns=150 wait_max_ns=100 holds=2 hold_total_ns=310 hold_max_ns=300",
			"_quality unmatched=0 in_flight=0 discarded=0"));
}
END_TEST

/* "Trylocks have no start": one that succeeds is a hold, one that fails nothing. */
START_TEST(trylocks)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1400 cpu0 mmap_lock_released t=10 4096 0",
			 "1500 cpu0 mmap_lock_acquire_returned t=10 4096 0 0",
			 "1600 cpu0 mmap_lock_acquire_returned t=11 4096 0 0"),
		   ROWS("tid=10 waits=0 wait_total_ns=0 wait_max_ns=- holds=1 hold_total_ns=400",
			"_quality unmatched=0 in_flight=0"));
}
END_TEST

/* Killed while it waited: a wait, and no hold. */
START_TEST(given_up)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 1",
			 "1300 cpu0 mmap_lock_acquire_returned t=10 4096 1 0"),
		   ROWS("waits=1 wait_total_ns=300 holds=0 hold_total_ns=0 hold_max_ns=-", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* From write to read without letting go. */
START_TEST(downgraded)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 1",
			 "1100 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "1200 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1500 cpu0 mmap_lock_released t=10 4096 0"),
		   ROWS("waits=1 holds=1 hold_total_ns=400", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* A fork holds two maps; two threads hold one, to read. */
START_TEST(by_task_and_map)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "1100 cpu0 mmap_lock_acquire_returned t=10 8192 1 1",
			 "1200 cpu1 mmap_lock_acquire_returned t=11 4096 0 1",
			 "1300 cpu0 mmap_lock_released t=10 8192 1",
			 "1400 cpu0 mmap_lock_released t=10 4096 1",
			 "1500 cpu1 mmap_lock_released t=11 4096 0"),
		   ROWS("tid=10 holds=2 hold_total_ns=600 hold_max_ns=400", "tid=11 holds=1 hold_total_ns=300",
			"_quality unmatched=0"));
}
END_TEST

START_TEST(by_process)
{
	check_rows(ASK("mmaplock"),
		   LINES("500 cpu0 sched_process_exec /bin/p t=10 pid=10 old=10",
			 "600 cpu0 task_newtask t=10 p/11 flags=10000",
			 "1000 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1200 cpu1 mmap_lock_acquire_returned t=11 4096 0 1",
			 "1300 cpu0 mmap_lock_released t=10 4096 0",
			 "1600 cpu1 mmap_lock_released t=11 4096 0"),
		   ROWS("comm=p pid=10 tid=- holds=2 hold_total_ns=700 hold_max_ns=400"));
}
END_TEST

START_TEST(halves)
{
	/* released without having been had; a start that comes twice; waiting, and holding, at the end */
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_released t=10 4096 0",
			 "1100 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "1200 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "1300 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1400 cpu0 mmap_lock_start_locking t=11 4096 0"),
		   ROWS("tid=10 waits=1 wait_total_ns=100 holds=0", "_quality unmatched=2 in_flight=2"));
}
END_TEST

/* Nobody waits for what he holds, nor is it had twice: the release was another's (or is missing). */
START_TEST(release_missing)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1100 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "1200 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1300 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1500 cpu0 mmap_lock_released t=10 4096 0"),
		   ROWS("waits=1 wait_total_ns=100 holds=1 hold_total_ns=200", "_quality unmatched=2 in_flight=0"));
}
END_TEST

START_TEST(gaps)
{
	/* in a wait: the hold after it is whole; in a hold; open at the end. Each has a slice that is void, too. */
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "cpu0 lost 1",
			 "1200 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1300 cpu0 mmap_lock_released t=10 4096 0"),
		   ROWS("waits=0 holds=1 hold_total_ns=100", "_quality unmatched=0 discarded=2"));
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 0",
			 "1100 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "cpu0 lost 1",
			 "1200 cpu0 mmap_lock_released t=10 4096 0"),
		   ROWS("waits=1 wait_total_ns=100 holds=0", "_quality unmatched=0 discarded=2"));
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "cpu0 lost 1",
			 "1200 cpu0 mmap_lock_acquire_returned t=10 4096 0 1"), /* no downgrade, for all that is known */
		   ROWS("_quality unmatched=0 in_flight=1 discarded=2"));
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "cpu0 lost 1",
			 "1200 cpu0 sched_waking b/11 target=0 by a/10"),
		   ROWS("_quality unmatched=0 in_flight=0 discarded=2"));
}
END_TEST

START_TEST(tid_reused)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1100 cpu1 sched_process_fork b/11 -> c/10",
			 "1200 cpu1 mmap_lock_released t=10 4096 0",
			 "1300 cpu1 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1400 cpu1 mmap_lock_released t=10 4096 0"),
		   ROWS("tid=10 comm=c holds=1 hold_total_ns=100", "_quality unmatched=2 in_flight=0"));
}
END_TEST

/* An exec by a thread that holds the new map: it goes on under the leader's tid. */
START_TEST(exec_by_a_thread)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=11 4096 1 1",
			 "1100 cpu0 mmap_lock_released t=11 4096 1",
			 "1150 cpu0 mmap_lock_acquire_returned t=11 8192 1 1",
			 "1200 cpu0 sched_process_exec /bin/x t=10 pid=10 old=11",
			 "1300 cpu0 mmap_lock_released t=10 8192 1"),
		   ROWS("tid=10 holds=2 hold_total_ns=250", "_quality unmatched=0"));
}
END_TEST

/* More maps at once than any task deals with: the oldest goes, as one that was never released. */
START_TEST(too_many_maps)
{
	check_rows(ASK("mmaplock", .by = "tid"),
		   LINES("1000 cpu0 mmap_lock_acquire_returned t=10 1 0 1",
			 "1010 cpu0 mmap_lock_acquire_returned t=10 2 0 1",
			 "1020 cpu0 mmap_lock_acquire_returned t=10 3 0 1",
			 "1030 cpu0 mmap_lock_acquire_returned t=10 4 0 1",
			 "1040 cpu0 mmap_lock_released t=10 1 0",
			 "1050 cpu0 mmap_lock_acquire_returned t=10 5 0 1",
			 "1060 cpu0 mmap_lock_acquire_returned t=10 6 0 1", /* 2 is the oldest now */
			 "1100 cpu0 mmap_lock_released t=10 5 0",
			 "1110 cpu0 mmap_lock_released t=10 4 0",
			 "1120 cpu0 mmap_lock_released t=10 3 0",
			 "1130 cpu0 mmap_lock_released t=10 2 0"),
		   ROWS("holds=4 hold_total_ns=270", "_quality unmatched=2 in_flight=1"));
}
END_TEST

START_TEST(emitted)
{
	check_rows(ASK("mmaplock", .span = "mmaplock"),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 1",
			 "1100 cpu0 mmap_lock_acquire_returned t=10 4096 1 1",
			 "1200 cpu0 mmap_lock_released t=10 4096 1"),
		   ROWS("tid=10 from=1000 to=1100 label='mmap_lock to write'"));
}
END_TEST

Suite *rs_suite_semantics_mmaplock(void)
{
	Suite *s = suite_create("semantics-mmaplock");
	TCase *t = tcase_create("mmaplock");

	tcase_add_test(t, wait_and_hold);
	tcase_add_test(t, trylocks);
	tcase_add_test(t, given_up);
	tcase_add_test(t, downgraded);
	tcase_add_test(t, by_task_and_map);
	tcase_add_test(t, by_process);
	tcase_add_test(t, halves);
	tcase_add_test(t, release_missing);
	tcase_add_test(t, gaps);
	tcase_add_test(t, tid_reused);
	tcase_add_test(t, exec_by_a_thread);
	tcase_add_test(t, too_many_maps);
	tcase_add_test(t, emitted);
	suite_add_tcase(s, t);
	return s;
}
