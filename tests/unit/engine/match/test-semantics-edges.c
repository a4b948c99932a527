// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-edges - the window's ends, what gaps leave behind in queues and depths, and tables that are full
 */
#include <check.h>

#include "ask.h"

/* ---- Ends ---- */

/* It ran before anything was seen: that it runs is known, for how long is not. */
START_TEST(a_hog_that_ran_before)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read",
			 "9000 cpu0 sys_exit t=10 nr=read ret=0"),
		   ROWS("tid=10 run_ns=0 switches=0 open_state=run open_ns=-"));
}
END_TEST

/* Up to --to all is known: what is open until there counts until there, and is in no other column. */
START_TEST(to_cuts)
{
	check_rows(ASK("sched", .to_ns = 2000),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "3000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=1000 switches=1 open_state=run open_ns=0", "_quality to_ns=2000"));
}
END_TEST

/* Past the last event nothing is known, however far --to lies. */
START_TEST(to_later_than_the_end)
{
	check_rows(ASK("sched", .to_ns = 1000000),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "3000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=2000 open_state=sleep open_ns=0", "_quality to_ns=3000"));
}
END_TEST

/* Nothing ended after --from: nothing is shown as if it had. */
START_TEST(from_later_than_the_end)
{
	check_rows(ASK("sched", .from_ns = 1000000),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "3000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=0 switches=0"));
	check_rows(ASK("cpus", .from_ns = 1000000),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "3000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("cpu=0 busy_ns=0 idle_ns=0 unknown_ns=0 switches=0 runq_avg=- util_pct=-"));
}
END_TEST

/* "Between two switches": a waking after the last switch is none, though it ends somebody's sleep there. */
START_TEST(cpus_end_with_a_switch)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "9000 cpu0 sched_waking a/10 target=0 by idle/0"),
		   ROWS("cpu=0 busy_ns=1000 idle_ns=0 unknown_ns=0"));
}
END_TEST

/* ---- Names and lives ---- */

/* -p follows children, and -c then chooses among them: the parent's own name is no reason to lose the child. */
START_TEST(pid_and_comm_together)
{
	check_rows(ASK("sched", .pid = 10, .comm_glob = "work*"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> sh/10",
			 "1100 cpu0 sched_process_fork sh/10 -> sh/11",
			 "1200 cpu0 sched_switch sh/10 S -> sh/11",
			 "1300 cpu0 sched_process_exec /bin/worker pid=11 old=11",
			 "1500 cpu0 sched_switch worker/11 S -> work-of-others/12",
			 "1600 cpu0 sched_switch work-of-others/12 S -> idle/0"),
		   ROWS("tid=11 comm=worker run_ns=300"));
}
END_TEST

/* A waking that came while the thread was on its CPU holds for the leader that it has become. */
START_TEST(exec_by_a_thread_moves_the_waking)
{
	check_rows(ASK("sched", .some = true),
		   LINES("900 cpu0 sched_switch idle/0 R -> thr/11",
			 "1000 cpu1 sched_waking thr/11 target=0 by idle/0",
			 "1200 cpu0 sched_process_exec /bin/prog pid=10 old=11",
			 "1500 cpu0 sched_switch prog/10 S -> idle/0",
			 "1700 cpu0 sched_switch idle/0 R -> prog/10"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=200 sleep_ns=0"));
}
END_TEST

/* The leader still runs as far as we saw: the exec proves that it does not, so its CPU is unknown. */
START_TEST(exec_by_a_thread_while_the_leader_is_on_a_cpu)
{
	check_rows(ASK("sched", .some = true),
		   LINES("800 cpu1 sched_switch idle/0 R -> prog/10",
			 "900 cpu0 sched_switch idle/0 R -> thr/11",
			 "1200 cpu0 sched_process_exec /bin/prog pid=10 old=11",
			 "1500 cpu0 sched_switch prog/10 R -> b/12",
			 "1600 cpu1 sched_switch prog/10 S -> c/13",
			 "1800 cpu0 sched_switch b/12 S -> idle/0"),
		   ROWS("tid=10 run_ns=600 preempt_total_ns=0", "tid=12 run_ns=300"));
}
END_TEST

/* ---- A missing switch ---- */

/*
 * --exact: b's event shows that a has left cpu0, nobody saw when. "what ran is
 * forgotten": its waking is then one of a task of unknown state, which begins a delay.
 */
START_TEST(exact_what_ran_is_forgotten_at_once)
{
	check_rows(ASK("sched", .exact = true, .some = true),
		   LINES("500 cpu1 sched_switch c/12 S -> idle/0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sys_enter t=11 nr=read",
			 "1300 cpu1 sched_waking a/10 target=1 by idle/0",
			 "1400 cpu1 sched_switch idle/0 R -> a/10",
			 "1450 cpu1 sched_switch a/10 S -> idle/0",
			 "1500 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("tid=10 run_ns=50 delay_count=1 delay_total_ns=100", "tid=11 run_ns=0"));
}
END_TEST

/* --exact: a tid that died and is there again is another life, though its fork was not recorded. */
START_TEST(exact_calls_of_the_next_instance)
{
	check_rows(ASK("sched", .exact = true, .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1300 cpu0 sched_switch idle/0 R -> b/11",
			 "2000 cpu0 sys_enter t=10 nr=read",
			 "2500 cpu0 sys_exit t=10 nr=read ret=0"),
		   ROWS("tid=10 run_ns=200 open_state=-", "tid=10 run_ns=0 open_state=run"));
}
END_TEST

/* ---- Loss ---- */

/*
 * Issued on cpu0 while cpu1's gap lasts: its completion may be in it. It is not
 * counted as being with the device, or else the device would be busy for ever.
 */
START_TEST(disks_issue_inside_of_a_gap)
{
	check_rows(ASK("disks"),
		   LINES("1000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu1 lost 1",
			 "1500 cpu0 block_rq_issue t=10 8,0 R 4096 sector=64 nr=8",
			 "2000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2500 cpu0 block_rq_complete t=0 8,0 R sector=64 nr=8",
			 "3000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=96 nr=8",
			 "3500 cpu0 block_rq_complete t=0 8,0 R sector=96 nr=8",
			 "4000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("dev=8,0 reads=1 depth_max=1 depth_avg=250 busy_pct=25000"));
}
END_TEST

/* So with a run queue: who began to wait in a gap may have been switched in there. */
START_TEST(queue_inside_of_a_gap)
{
	check_rows(ASK("cpus", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> h/9",
			 "1000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu0 lost 1",
			 "1500 cpu1 sched_waking a/10 target=0 by idle/0",
			 "2000 cpu0 sched_switch h/9 S -> idle/0",
			 "9000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("cpu=0 runq_max=0 runq_avg=0"));
}
END_TEST

/* The gaps' ends do not come in order: what is known of a new disk begins with the latest. */
START_TEST(disks_gaps_inside_of_gaps)
{
	check_rows(ASK("disks"),
		   LINES("1000 cpu0 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "cpu0 lost 1", "cpu1 lost 1",
			 "3000 cpu0 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "2000 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "4000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=64 nr=8",
			 "5000 cpu0 block_rq_complete t=0 8,0 R sector=64 nr=8"),
		   ROWS("dev=8,0 depth_avg=500 busy_pct=50000"));
}
END_TEST

/* ---- Block ---- */

/* The first of those that were merged asked first: its insert and its task. */
START_TEST(merged_inserts_the_first_counts)
{
	check_rows(ASK("iosnoop", .queue = true),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=72 nr=8 comm=a",
			 "1100 cpu0 block_rq_insert t=11 8,0 W 4096 sector=80 nr=8 comm=b",
			 "1200 cpu0 block_rq_issue t=12 8,0 W 12288 sector=64 nr=24 comm=c",
			 "2000 cpu0 block_rq_complete t=0 8,0 W sector=64 nr=24"),
		   ROWS("tid=10 comm=a start_ns=1000 lat_ns=1000 queue_ns=200"));
}
END_TEST

/* Sectors at the far end of 64 bits do not wrap round into others. */
START_TEST(merged_at_the_far_end)
{
	check_rows(ASK("iosnoop", .queue = true),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=18446744073709551608 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=12 8,0 W 4096 sector=0 nr=8 comm=c",
			 "1200 cpu0 block_rq_issue t=10 8,0 W 4096 sector=18446744073709551608 nr=8 comm=a",
			 "2000 cpu0 block_rq_complete t=0 8,0 W sector=0 nr=8",
			 "3000 cpu0 block_rq_complete t=0 8,0 W sector=18446744073709551608 nr=8"),
		   ROWS("tid=12 lat_ns=- queue_ns=-", "tid=10 lat_ns=2000 queue_ns=200"));
}
END_TEST

/* ---- Tables that are full ---- */

/* What evicted tasks did is in the merged rows; by task it is one row whose task is null. */
#define MORE_TASKS_THAN_TWO \
	"1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sys_exit t=10 nr=read ret=0", \
	"1200 cpu0 sys_enter t=11 nr=read", "1400 cpu0 sys_exit t=11 nr=read ret=0", \
	"1500 cpu0 sys_enter t=12 nr=read", \
	/* a page ends with each loss: between pages the table is trimmed */ \
	"cpu0 lost 1", "2000 cpu0 sys_enter t=13 nr=write", "2400 cpu0 sys_exit t=13 nr=write ret=0", \
	"cpu0 lost 1", "3000 cpu0 sys_enter t=14 nr=write", "3800 cpu0 sys_exit t=14 nr=write ret=0", \
	"cpu0 lost 1", "4000 cpu0 sys_enter t=14 nr=read"

START_TEST(evicted_calls_are_in_the_merged_rows)
{
	check_rows(ASK("syscall-latency", .by = "syscall", .max_tasks = 2), LINES(MORE_TASKS_THAN_TWO),
		   ROWS("comm=- pid=- tid=- syscall=read calls=2 total_ns=300 max_ns=200 in_flight=1",
			"comm=- pid=- tid=- syscall=write calls=2 total_ns=1200 max_ns=800 in_flight=0",
			"_quality evicted=3 in_flight=1"));
}
END_TEST

START_TEST(evicted_calls_by_task_are_one_row)
{
	check_rows(ASK("syscall-latency", .by = "tid", .max_tasks = 2), LINES(MORE_TASKS_THAN_TWO),
		   ROWS("tid=- calls=2 total_ns=300", "tid=13 calls=1 total_ns=400", "tid=14 calls=1 total_ns=800"));
}
END_TEST

START_TEST(evicted_waits_are_in_the_histogram)
{
	check_rows(ASK("runqlat", .max_tasks = 1, .some = true),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1010 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1300 cpu0 sched_waking b/11 target=0 by idle/0",
			 "1311 cpu0 sched_switch idle/0 R -> b/11",
			 "cpu0 lost 1",
			 "2000 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("from_ns=8 to_ns=16 count=2", "_quality evicted=1"));
}
END_TEST

/* A thousand inserts of one sector that are never issued: no event has to walk any number of them. */
START_TEST(requests_of_one_sector_are_bounded)
{
	const char *lines[1103] = { NULL };

	for (int i = 0; i < 1100; i++)
		lines[i] = "1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=64 nr=8";
	lines[1100] = "2000 cpu0 block_rq_issue t=10 8,0 W 4096 sector=64 nr=8";
	lines[1101] = "3000 cpu0 block_rq_complete t=0 8,0 W sector=64 nr=8";
	check_rows(ASK("iosnoop", .queue = true), lines,
		   ROWS("lat_ns=2000 queue_ns=1000", "_quality evicted=76 in_flight=0"));
}
END_TEST

/* The oldest goes though it lives; who is on a CPU stays, and a queue does not keep who is gone. */
START_TEST(the_living_are_evicted_too)
{
	check_rows(ASK("sched", .max_tasks = 1),
		   LINES("1000 cpu0 sched_switch idle/0 R -> hog/9",
			 "1100 cpu1 sched_waking a/10 target=1 by idle/0",
			 "cpu1 lost 1",
			 "1200 cpu1 sched_waking b/11 target=1 by idle/0",
			 "1300 cpu0 sched_switch hog/9 R -> hog/9",
			 "1400 cpu0 sched_switch hog/9 R -> hog/9"),
		   ROWS("tid=9 run_ns=400", "_quality evicted=2"));
}
END_TEST

Suite *rs_suite_semantics_edges(void);
Suite *rs_suite_semantics_edges(void)
{
	Suite *s = suite_create("semantics-edges");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, a_hog_that_ran_before);
	tcase_add_test(t, to_cuts);
	tcase_add_test(t, to_later_than_the_end);
	tcase_add_test(t, from_later_than_the_end);
	tcase_add_test(t, cpus_end_with_a_switch);
	tcase_add_test(t, pid_and_comm_together);
	tcase_add_test(t, exec_by_a_thread_moves_the_waking);
	tcase_add_test(t, exec_by_a_thread_while_the_leader_is_on_a_cpu);
	tcase_add_test(t, exact_what_ran_is_forgotten_at_once);
	tcase_add_test(t, exact_calls_of_the_next_instance);
	tcase_add_test(t, disks_issue_inside_of_a_gap);
	tcase_add_test(t, queue_inside_of_a_gap);
	tcase_add_test(t, disks_gaps_inside_of_gaps);
	tcase_add_test(t, merged_inserts_the_first_counts);
	tcase_add_test(t, merged_at_the_far_end);
	tcase_add_test(t, evicted_calls_are_in_the_merged_rows);
	tcase_add_test(t, evicted_calls_by_task_are_one_row);
	tcase_add_test(t, evicted_waits_are_in_the_histogram);
	tcase_add_test(t, requests_of_one_sector_are_bounded);
	tcase_add_test(t, the_living_are_evicted_too);
	suite_add_tcase(s, t);
	return s;
}
