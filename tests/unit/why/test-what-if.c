// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-what-if - waits as they would have been without one of their culprits: each computed by hand
 *
 * Of the changes those that are on the critical path for a 50th of the wait, or more, are asked about.
 */
#include <check.h>

#include "ask.h"
#include "wake-lines.h"

#define THREE_PROCESSES(a, b, c) "seed " a "/10 pid=10", "seed " b "/11 pid=11", "seed " c "/12 pid=12"
#define QUEUED(ns, task, by) ns " cpu0 sched_waking " task " target=0 by " by

/* a is preempted for 300 us by b, and for 250 by c, which stood in line from the begin on; it runs for 350. */
START_TEST(two_in_turn)
{
	check_rows(ASK("what-if"),
		   LINES(THREE_PROCESSES("a", "b", "c"), RUNS("cpu0", "a/10"), CALL("1000000", "cpu0", "10", "read"),
			 QUEUED("1090000", "b/11", "a/10"), QUEUED("1095000", "c/12", "a/10"),
			 "1100000 cpu0 sched_switch a/10 R -> b/11", "1400000 cpu0 sched_switch b/11 S -> c/12",
			 "1650000 cpu0 sched_switch c/12 S -> a/10", EXIT("1900000", "cpu0", "10", "read")),
		   ROWS("comm=a pid=10 wait=read peer=- culprit=queue kind=category change=gone waits=1 changed=1 "
			"p99_ns=900000 p99_after_ns=350000 saved_ns=550000 known=100000",
			"comm=a culprit=b kind=task change=gone p99_after_ns=600000 saved_ns=300000 "
			"text='without b: the wait of read 900 us to 600 us, saves 300 us, 15.7 % of its wall time'",
			"comm=a culprit=c change=gone p99_after_ns=650000 saved_ns=250000",
			"comm=a culprit=itself change='twice as fast' p99_after_ns=725000 saved_ns=175000",
			/* c waits for b to leave the CPU, for 305 us */
			"comm=c wait=delay culprit=queue saved_ns=305000", "comm=c culprit=b saved_ns=300000"));
}
END_TEST

/* The same, but c comes when b has had the CPU for 250 us: without b, a has long been back. */
START_TEST(later_takes_no_turn)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES(THREE_PROCESSES("a", "b", "c"), RUNS("cpu0", "a/10"), CALL("1000000", "cpu0", "10", "read"),
			 QUEUED("1090000", "b/11", "a/10"), "1100000 cpu0 sched_switch a/10 R -> b/11",
			 QUEUED("1350000", "c/12", "b/11"), "1400000 cpu0 sched_switch b/11 S -> c/12",
			 "1650000 cpu0 sched_switch c/12 S -> a/10", EXIT("1900000", "cpu0", "10", "read")),
		   ROWS("culprit=queue saved_ns=550000", "culprit=b saved_ns=550000", "culprit=c saved_ns=250000",
			"culprit=itself saved_ns=175000"));
}
END_TEST

/*
 * a waits from 1.1 to 5.5 ms for a mutex that holder has, which runs 300 us, reads from a disk for 4 ms, and runs 190;
 * to wake up takes each of them 10 us. a runs 100 us before, and 90 after.
 */
START_TEST(holder_waits_for_a_disk)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES(THREE_PROCESSES("a", "holder", "c"), RUNS("cpu0", "a/10"), RUNS("cpu1", "holder/11"),
			 "1000000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100000", "cpu0", "a/10"),
			 CALL("1200000", "cpu1", "11", "read"), "1300000 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=holder",
			 "1300000 cpu1 sched_switch holder/11 D -> idle/0", "5300000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "5300000 cpu1 sched_waking holder/11 target=1 by idle/0", BACK("5310000", "cpu1", "holder/11"),
			 EXIT("5320000", "cpu1", "11", "read"), WAKES("5500000", "cpu1", "holder/11", "a/10"),
			 BACK("5510000", "cpu0", "a/10"), EXIT("5600000", "cpu0", "10", "futex")),
		   ROWS("wait=futex peer=- culprit=holder change=gone p50_ns=4600000 p50_after_ns=200000 saved_ns=4400000",
			"culprit=lock change=gone saved_ns=4400000", "culprit=disk change=gone p50_after_ns=600000 saved_ns=4000000",
			"culprit=8,0 kind=disk change='twice as fast' p50_after_ns=2600000 saved_ns=2000000",
			"culprit=holder change='twice as fast' p50_after_ns=4355000 saved_ns=245000"));
}
END_TEST

/*
 * first waits for a mutex that third has for 7 ms and then second for 100 us: without second, third still has it. Without third
 * it is second that has it from the begin on, for 300 us: it runs 200, wakes up, and runs 90.
 */
START_TEST(next_in_line_still_holds)
{
	check_rows(ASK("what-if", .pid = 10, .some = true),
		   LINES(THREE_PROCESSES("first", "second", "third"), RUNS("cpu0", "first/10"), RUNS("cpu1", "second/11"), RUNS("cpu2", "third/12"),
			 "1000000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100000", "cpu0", "first/10"),
			 "1000000 cpu1 sys_enter t=11 nr=futex 1000 80 2", LEAVES("1200000", "cpu1", "second/11"),
			 CALL("1100000", "cpu2", "12", "nanosleep"), LEAVES("1150000", "cpu2", "third/12"),
			 "8000000 cpu2 sched_waking third/12 target=2 by idle/0", BACK("8010000", "cpu2", "third/12"),
			 WAKES("8100000", "cpu2", "third/12", "second/11"), BACK("8110000", "cpu1", "second/11"),
			 EXIT("8120000", "cpu1", "11", "futex"), WAKES("8200000", "cpu1", "second/11", "first/10"),
			 BACK("8210000", "cpu0", "first/10"), EXIT("8220000", "cpu0", "10", "futex")),
		   ROWS("comm=first culprit=lock p99_after_ns=120000 saved_ns=7100000",
			"comm=first culprit=third change=gone p99_after_ns=320000 saved_ns=6900000",
			"comm=first culprit=second change=gone p99_after_ns=7120000 saved_ns=100000"));
}
END_TEST

/*
 * a reads what server sends after 3.5 ms. server is behind hog on its CPU for 3 ms of it, and then waits for store, which has
 * worked all the time: without hog it is store that server waits for. Twice as fast, store saves the 200 us that it comes later.
 */
#define OVERLAP \
	THREE_PROCESSES("a", "server", "store"), "seed hog/13 pid=13", RUNS("cpu0", "a/10"), RUNS("cpu1", "server/11"), RUNS("cpu2", "store/12"), \
	CALL("1000000", "cpu0", "10", "read"), LEAVES("1100000", "cpu0", "a/10"), \
	"1150000 cpu1 sched_waking hog/13 target=1 by server/11", "1200000 cpu1 sched_switch server/11 R -> hog/13", \
	"4200000 cpu1 sched_switch hog/13 S -> server/11", CALL("4250000", "cpu1", "11", "read"), LEAVES("4300000", "cpu1", "server/11"), \
	WAKES("4500000", "cpu2", "store/12", "server/11"), BACK("4510000", "cpu1", "server/11"), EXIT("4520000", "cpu1", "11", "read"), \
	WAKES("4600000", "cpu1", "server/11", "a/10"), BACK("4610000", "cpu0", "a/10"), EXIT("4620000", "cpu0", "10", "read")

START_TEST(two_that_overlap)
{
	check_rows(ASK("what-if", .pid = 10), LINES(OVERLAP),
		   ROWS("comm=a wait=read peer=server culprit=store change='twice as fast' p99_ns=3620000 p99_after_ns=3420000 saved_ns=200000",
			"comm=a culprit=server change='twice as fast' saved_ns=45000"));
}
END_TEST

/* Where an event may be missing nothing is computed. */
START_TEST(lost_events)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES(OVERLAP, "cpu1 lost 5", "4700000 cpu1 sched_switch server/11 S -> idle/0"), NO_ROWS);
}
END_TEST

/* The wait itself is known, but its call began in a gap. */
START_TEST(call_in_a_gap)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES("950000 cpu3 sched_switch idle/0 R -> store/12", "cpu3 lost 5", "1050000 cpu3 sched_switch store/12 R -> idle/0", OVERLAP),
		   NO_ROWS);
}
END_TEST

/*
 * server stands in line for a lock for 1 ms, and then waits for a condition until a time-out, for 2 ms: without locks the first is
 * saved.
 */
START_TEST(lock_and_time_out)
{
	check_rows(ASK("what-if", .pid = 10, .some = true),
		   LINES(THREE_PROCESSES("a", "server", "holder"), RUNS("cpu0", "a/10"), RUNS("cpu1", "server/11"), RUNS("cpu2", "holder/12"),
			 CALL("1000000", "cpu0", "10", "read"), LEAVES("1000000", "cpu0", "a/10"),
			 "1000000 cpu1 sys_enter t=11 nr=futex 1000 80 2", LEAVES("1000000", "cpu1", "server/11"),
			 WAKES("2000000", "cpu2", "holder/12", "server/11"), "2000000 cpu2 sched_switch holder/12 S -> idle/0",
			 BACK("2001000", "cpu1", "server/11"), EXIT("2001000", "cpu1", "11", "futex"),
			 "2001000 cpu1 sys_enter t=11 nr=futex 2000 80 2", LEAVES("2001000", "cpu1", "server/11"),
			 WAKES("4001000", "cpu1", "idle/0", "server/11"), BACK("4002000", "cpu1", "server/11"),
			 WAKES("4010000", "cpu1", "server/11", "a/10"), BACK("4011000", "cpu0", "a/10"), EXIT("4012000", "cpu0", "10", "read")),
		   ROWS("comm=a culprit=lock saved_ns=1000000", "comm=a culprit=holder change=gone saved_ns=1000000"));
}
END_TEST

/* hog takes 500 us of b; then b leaves its CPU, and wakes a later: what it did before that is not known, and may not be earlier. */
START_TEST(unknown_time_is_no_earlier)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES(THREE_PROCESSES("a", "b", "hog"), RUNS("cpu0", "a/10"), RUNS("cpu1", "b/11"), CALL("1000000", "cpu0", "10", "read"),
			 LEAVES("1100000", "cpu0", "a/10"), "1150000 cpu1 sched_waking hog/12 target=1 by b/11",
			 "1200000 cpu1 sched_switch b/11 R -> hog/12", "1700000 cpu1 sched_switch hog/12 S -> b/11", LEAVES("1800000", "cpu1", "b/11"),
			 WAKES("5100000", "cpu2", "b/11", "a/10"), BACK("5101000", "cpu0", "a/10"), EXIT("5102000", "cpu0", "10", "read")),
		   NO_ROWS);
}
END_TEST

/* What b did is not known: nothing can be saved of that. */
START_TEST(unknown_time_stays)
{
	check_rows(ASK("what-if", .some = true),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11", RUNS("cpu0", "a/10"), CALL("1000000", "cpu0", "10", "read"),
			 LEAVES("1100000", "cpu0", "a/10"), WAKES("5100000", "cpu1", "b/11", "a/10"), BACK("5200000", "cpu0", "a/10"),
			 EXIT("5300000", "cpu0", "10", "read")),
		   ROWS("comm=a culprit=queue saved_ns=100000 known=4651"));
}
END_TEST

/*
 * server answers in 1 ms, and waits for the next request for 100 us: it is client that waits longer, and what server waits for is
 * no loss.
 */
START_TEST(server_waits_for_input)
{
	check_rows(ASK("what-if"),
		   LINES("seed client/10 pid=10", "seed server/11 pid=11", RUNS("cpu0", "client/10"), RUNS("cpu1", "server/11"),
			 CALL("1000000", "cpu1", "11", "read"), LEAVES("1010000", "cpu1", "server/11"),
			 WAKES("1110000", "cpu0", "client/10", "server/11"), BACK("1111000", "cpu1", "server/11"),
			 EXIT("1120000", "cpu1", "11", "read"), CALL("1120000", "cpu0", "10", "read"), LEAVES("1130000", "cpu0", "client/10"),
			 WAKES("2130000", "cpu1", "server/11", "client/10"), BACK("2131000", "cpu0", "client/10"),
			 EXIT("2140000", "cpu0", "10", "read")),
		   ROWS("comm=client peer=server culprit=server change='twice as fast' p99_ns=1020000 p99_after_ns=515000"));
}
END_TEST

/* Two threads of one process: the one that has the lock is named as such. */
START_TEST(thread_of_its_own)
{
	check_rows(ASK("what-if", .some = true),
		   LINES("seed trader/10 pid=10", "seed audit/11 pid=10", RUNS("cpu0", "trader/10"), RUNS("cpu1", "audit/11"),
			 "1000000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100000", "cpu0", "trader/10"),
			 WAKES("5100000", "cpu1", "audit/11", "trader/10"), BACK("5110000", "cpu0", "trader/10"),
			 EXIT("5120000", "cpu0", "10", "futex")),
		   ROWS("comm=trader culprit=trader/audit change=gone saved_ns=4000000",
			"comm=trader culprit=trader/audit change='twice as fast' saved_ns=2050000"));
}
END_TEST

/* A condition that times out is no lock, though its value looks like one; nor is one that another thread signals. */
START_TEST(conditions_are_no_locks)
{
	check_rows(ASK("what-if", .pid = 10),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11", RUNS("cpu0", "a/10"), RUNS("cpu1", "b/11"),
			 "1000000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100000", "cpu0", "a/10"),
			 WAKES("5100000", "cpu0", "idle/0", "a/10"), BACK("5110000", "cpu0", "a/10"), EXIT("5120000", "cpu0", "10", "futex"),
			 "6000000 cpu0 sys_enter t=10 nr=futex 1000 80 7", LEAVES("6100000", "cpu0", "a/10"),
			 WAKES("8100000", "cpu1", "b/11", "a/10"), BACK("8110000", "cpu0", "a/10"), EXIT("8120000", "cpu0", "10", "futex")),
		   ROWS("comm=a peer=- culprit=itself saved_ns=55000", "comm=a peer=b culprit=b change='twice as fast' saved_ns=1050000"));
}
END_TEST

Suite *rs_suite_what_if(void)
{
	Suite *s = suite_create("what-if");
	TCase *t = tcase_create("what-if");

	tcase_add_test(t, two_in_turn);
	tcase_add_test(t, later_takes_no_turn);
	tcase_add_test(t, holder_waits_for_a_disk);
	tcase_add_test(t, next_in_line_still_holds);
	tcase_add_test(t, two_that_overlap);
	tcase_add_test(t, lost_events);
	tcase_add_test(t, call_in_a_gap);
	tcase_add_test(t, lock_and_time_out);
	tcase_add_test(t, unknown_time_is_no_earlier);
	tcase_add_test(t, unknown_time_stays);
	tcase_add_test(t, server_waits_for_input);
	tcase_add_test(t, thread_of_its_own);
	tcase_add_test(t, conditions_are_no_locks);
	suite_add_tcase(s, t);
	return s;
}
