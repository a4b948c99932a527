// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-loss - what a gap makes uncertain is void: counted, never used
 *
 * A gap is written "cpuN lost ..." before that CPU's next event: its window is
 * from the last event before to that next one.
 */
#include <check.h>

#include "ask.h"

/* "Running, irq and softirq are judged by their own CPU's gaps"; afterwards the state "starts afresh". */
START_TEST(own_cpu_voids_the_run)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "cpu0 lost 5",
			 "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "2100 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> a/10",
			 "2400 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=100 switches=2 sleep_ns=100 delay_count=1 delay_total_ns=200",
			"_quality lost=5 gaps=1 gaps_uncounted=0 discarded=1 unmatched=0"));
}
END_TEST

/* "A count that the kernel does not give is unknown, never 0 and never added" */
START_TEST(uncounted)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "cpu0 lost ?",
			 "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "cpu0 lost 3",
			 "3000 cpu0 sched_switch idle/0 R -> a/10",
			 "3100 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=100 delay_count=- sleep_ns=-", "_quality lost=3 gaps=2 "
			"gaps_uncounted=1 lost_to_ns=3000"));
}
END_TEST

/* Another CPU's gap leaves the run, but voids what can move: here the sleep, the delay, and the open sleep at the end. */
START_TEST(another_cpu_voids_what_can_move)
{
	check_rows(ASK("sched"),
		   LINES("900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1600 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1800 cpu0 sched_switch idle/0 R -> a/10",
			 "1900 cpu0 sched_switch a/10 S -> idle/0",
			 "cpu1 lost 2",
			 "2500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=600 switches=2 delay_count=0 delay_total_ns=0 delay_max_ns=- "
			"sleep_ns=0",
			"_quality lost=2 gaps=1 discarded=3"));
}
END_TEST

START_TEST(another_cpu_voids_preempted)
{
	check_rows(ASK("sched"),
		   LINES("900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "cpu1 lost 2",
			 "1300 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1500 cpu0 sched_switch b/11 S -> a/10",
			 "1700 cpu0 sched_switch a/10 R -> b/11",
			 "1800 cpu0 sched_switch b/11 S -> a/10",
			 "1900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=500 preempt_count=1 preempt_total_ns=100", "tid=11 run_ns=400"));
}
END_TEST

/* "the window from its last event before to its first event after": what ends or begins on its edges is whole. */
/*
 * Ctrl-Z: tracing off on every CPU, marked by no page. What spans it is void, what
 * ends before it is not, and nobody counted what it lost.
 */
START_TEST(a_pause_is_a_gap_of_every_cpu)
{
	check_rows(ASK("sched", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_switch a/10 S -> b/11",
			 "1200 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "pause 1500 2500",
			 "2600 cpu0 sched_switch b/11 S -> idle/0",
			 "2700 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2800 cpu0 sched_switch idle/0 R -> a/10",
			 "2900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=200 delay_count=1 delay_total_ns=100 sleep_ns=0", "tid=11 run_ns=0",
			"_quality lost=- gaps=2 gaps_uncounted=2 discarded=2"));
}
END_TEST

START_TEST(edges_are_outside)
{
	check_rows(ASK("sched"),
		   LINES("900 cpu0 sched_switch a/10 S -> idle/0",
			 "1000 cpu0 sched_waking a/10 target=1 by idle/0",
			 "1200 cpu1 sched_switch idle/0 R -> a/10",
			 "cpu1 lost 1",
			 "2000 cpu1 sched_switch b/11 S -> idle/0",
			 "2000 cpu1 sched_waking b/11 target=1 by idle/0",
			 "2300 cpu1 sched_switch idle/0 R -> b/11",
			 "2400 cpu1 sched_switch b/11 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=200 sleep_ns=100 run_ns=0",
			"tid=11 delay_count=1 delay_total_ns=300 run_ns=100"));
}
END_TEST

/* "(0 if there is none before)": all that can move is void up to the CPU's first event. */
START_TEST(gap_before_the_first_event)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch idle/0 R -> a/10",
			 "1300 cpu0 sched_switch a/10 S -> idle/0",
			 "cpu1 lost 9",
			 "2000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2100 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> a/10",
			 "2400 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=200 delay_count=1 delay_total_ns=200 delay_max_at_ns=2100 "
			"sleep_ns=0"));
}
END_TEST

/* Half a delay before a gap never pairs with a switch-in after it. */
START_TEST(no_pair_across)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1100 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=0 delay_total_ns=0 run_ns=100"));
}
END_TEST

/* After the gap it "starts afresh with the next event about it": a waking then begins a delay of its own. */
START_TEST(afresh_with_a_waking)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1100 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1700 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=300 delay_max_at_ns=1700 run_ns=100"));
}
END_TEST

/* "What is open at the end is void if any gap came since." */
START_TEST(open_at_the_end_is_discarded)
{
	check_rows(ASK("sched"),
		   LINES("800 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "900 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu1 lost 1",
			 "1400 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu0 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=100 open_state=- open_ns=-", "_quality discarded=1"));
}
END_TEST

/* A task that runs is judged by its own CPU's gaps, open or closed. */
START_TEST(open_run_beside_another_cpus_gap)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu1 lost 1",
			 "1400 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu0 block_bio_queue t=10 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=0 open_ns=1000"));
}
END_TEST

/* A call across a gap of any CPU is discarded: neither used nor an unmatched end. The next one counts. */
START_TEST(calls)
{
	check_rows(ASK("syscall-latency", .by = "tid,syscall"),
		   LINES("500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 sys_enter t=10 nr=read",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu0 sys_exit t=10 nr=read ret=1",
			 "3000 cpu0 sys_enter t=10 nr=read",
			 "3100 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("tid=10 syscall=read calls=1 errors=0 total_ns=100 min_ns=100 max_ns=100",
			"_quality unmatched=0 discarded=1 in_flight=0"));
}
END_TEST

/* In flight at the end, with a gap since: not known to be in flight any more. */
START_TEST(call_open_at_the_end)
{
	check_rows(ASK("syscall-latency", .by = "tid,syscall", .some = true),
		   LINES("500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 sys_enter t=10 nr=read",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "3000 cpu0 sys_enter t=11 nr=read",
			 "3100 cpu0 sys_exit t=11 nr=read ret=1"),
		   ROWS("tid=11 calls=1 total_ns=100", "_quality in_flight=0 discarded=1"));
}
END_TEST

/* On-CPU part of a call whose run was discarded: not known. The gap lies before the call, the run began before it. */
START_TEST(call_with_a_discarded_slice)
{
	check_rows(ASK("syscall-latency", .by = "tid,syscall"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "cpu0 lost 1",
			 "2000 cpu0 block_bio_queue t=10 8,0 R sector=8 nr=8",
			 "2100 cpu0 sys_enter t=10 nr=read",
			 "2300 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("tid=10 syscall=read calls=1 total_ns=200"));
}
END_TEST

START_TEST(block_requests)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "3000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "3100 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=3000 end_ns=3100 lat_ns=100", "_quality unmatched=0 in_flight=0 discarded=1"));
}
END_TEST

START_TEST(block_open_at_the_end)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("_quality unmatched=0 in_flight=0 discarded=1"));
}
END_TEST

/* Insert to issue is across the gap, issue to completion is not: the row is whole but for its queue time. */
START_TEST(block_only_the_insert_is_across)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu0 block_rq_insert t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "cpu1 lost 1",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1600 cpu0 block_rq_issue t=50 8,0 R 4096 sector=100 nr=8 comm=kworker",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=1600 lat_ns=400 queue_ns=-", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* A completion after a gap whose issue was lost is an unmatched end, and the issue that follows pairs as ever. */
START_TEST(block_issue_lost)
{
	check_rows(ASK("iosnoop"),
		   LINES("cpu0 lost 1",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "3000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "3100 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=3000 lat_ns=100", "_quality unmatched=1"));
}
END_TEST

/*
 * The completion of a first request is in the gap; a second, on the same sector,
 * must not be given the first one's begin.
 */
START_TEST(block_completion_lost)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "cpu0 lost 1",
			 "2000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "2300 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=2000 end_ns=2300 lat_ns=300", "_quality in_flight=0"));
}
END_TEST

Suite *rs_suite_semantics_loss(void)
{
	Suite *s = suite_create("semantics-loss");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, own_cpu_voids_the_run);
	tcase_add_test(t, uncounted);
	tcase_add_test(t, another_cpu_voids_what_can_move);
	tcase_add_test(t, another_cpu_voids_preempted);
	tcase_add_test(t, a_pause_is_a_gap_of_every_cpu);
	tcase_add_test(t, edges_are_outside);
	tcase_add_test(t, gap_before_the_first_event);
	tcase_add_test(t, no_pair_across);
	tcase_add_test(t, afresh_with_a_waking);
	tcase_add_test(t, open_at_the_end_is_discarded);
	tcase_add_test(t, open_run_beside_another_cpus_gap);
	tcase_add_test(t, calls);
	tcase_add_test(t, call_open_at_the_end);
	tcase_add_test(t, call_with_a_discarded_slice);
	tcase_add_test(t, block_requests);
	tcase_add_test(t, block_open_at_the_end);
	tcase_add_test(t, block_only_the_insert_is_across);
	tcase_add_test(t, block_issue_lost);
	tcase_add_test(t, block_completion_lost);
	suite_add_tcase(s, t);
	return s;
}
