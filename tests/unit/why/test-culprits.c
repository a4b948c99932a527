// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-culprits - who had what a task waited for: each wait divided by hand, by SEMANTICS "Culprits"
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"

#define QUESTION ASK("antagonists", .by = "tid,part,dev,culprit,culprit_pid")

/* ---- run-queue waits ---- */

/* a waits from 1200 to 2000: b has the CPU up to 1500, c after it. b waits from then on, for c, and still does. */
START_TEST(cpu_of_two_others)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch idle/0 R -> b/11", "1200 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch b/11 R -> c/12", "2000 cpu0 sched_switch c/12 S -> a/10"),
		   ROWS("tid=10 comm=a part='run queue' culprit=b culprit_pid=11 count=1 total_ns=300 max_ns=300 at_ns=1200 share=37500",
			"tid=10 part='run queue' culprit=c culprit_pid=12 total_ns=500 at_ns=1500 share=62500",
			"tid=11 part='run queue' culprit=c count=1 total_ns=500 p99_ns=-"));
}
END_TEST

/*
 * Fifty have the CPU for 10 each, x0 before them for 500, each of another name: there is room for 33, the newest, and the
 * rest is of others: 500 + 17 * 10. Of one name they are one. Together they are the 1000 of the wait.
 */
START_TEST(cpu_of_too_many)
{
	const char *lines[60] = { NULL, "1000 cpu1 sched_waking a/10 target=0 by idle/0" };
	char text[52][96];

	for (int one_name = 0; one_name < 2; one_name++) {
		snprintf(text[50], sizeof text[50], "1000 cpu0 sched_switch idle/0 R -> x%d/100", 0);
		lines[0] = text[50];
		for (int i = 0; i < 50; i++) {
			int before = one_name ? 0 : i, next = one_name ? 0 : i + 1;

			snprintf(text[i], sizeof text[i], "%d cpu0 sched_switch x%d/%d S -> x%d/%d", 1500 + 10 * i, before, 100 + i, next, 101 + i);
			lines[2 + i] = text[i];
		}
		snprintf(text[51], sizeof text[51], "2000 cpu0 sched_switch x%d/150 S -> a/10", one_name ? 0 : 50);
		lines[52] = text[51];
		check_rows(ASK("antagonists", .by = "part"), lines,
			   one_name ? ROWS("part='run queue' total_ns=1000 count=33") : ROWS("part='run queue' total_ns=1000 count=34"));
		check_rows(ASK("antagonists", .by = "culprit", .some = true), lines,
			   one_name ? ROWS("culprit=x0 total_ns=1000") : ROWS("culprit=others total_ns=670", "culprit=x50 total_ns=10"));
	}
}
END_TEST

/*
 * x and y have the CPU for 10 each, 5000 times: the newest 4096 slices of a wait are looked at, and the rest, 904 times 10, is of
 * several.
 */
START_TEST(cpu_of_many_slices)
{
	static const char *lines[5004] = { "1000 cpu0 sched_switch idle/0 R -> y/11", "1000 cpu1 sched_waking a/10 target=0 by idle/0" };
	static char text[5000][56];

	for (int i = 0; i < 5000; i++) {
		bool is_last = i == 4999;

		snprintf(text[i], sizeof text[i], "%d cpu0 sched_switch %s S -> %s", 1010 + 10 * i, i % 2 ? "x/12" : "y/11",
			 is_last ? "a/10" : i % 2 ? "y/11" : "x/12");
		lines[2 + i] = text[i];
	}
	check_rows(ASK("antagonists", .by = "culprit", .some = true), lines,
		   ROWS("culprit=x total_ns=20480", "culprit=y total_ns=20480", "culprit=others total_ns=9040"));
	check_rows(ASK("antagonists", .by = "part"), lines, ROWS("part='run queue' total_ns=50000 count=3"));
}
END_TEST

/* A preempted wait, twice interrupted by the same task: one row, one wait, the longer stretch. b waits once, for a, 200. */
START_TEST(cpu_of_one_twice)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_switch a/10 R -> b/11",
			 "1300 cpu0 sched_switch b/11 R -> c/12", "1400 cpu0 sched_switch c/12 S -> b/11",
			 "1800 cpu0 sched_switch b/11 S -> a/10"),
		   ROWS("tid=10 part='run queue' culprit=b count=1 total_ns=600 max_ns=600 at_ns=1400",
			"tid=10 part='run queue' culprit=c count=1 total_ns=100",
			"tid=11 part='run queue' culprit=c total_ns=100"));
}
END_TEST

/*
 * A wait of the past, divided at the end of the range: since then cpu0 has switched 200 times between x and y, and an interrupt
 * of 50 was in the slice before. a waited 1000 to 2000: 350 for b, 50 for the interrupt, 600 for the idle CPU, at last.
 */
START_TEST(cpu_long_ago)
{
	const char *lines[220] = { "900 cpu0 sched_switch idle/0 R -> b/11", "1000 cpu1 sched_waking a/10 target=0 by idle/0",
				   "1100 cpu0 irq_handler_entry t=11 28 ahci", "1150 cpu0 irq_handler_exit t=11 28",
				   "1400 cpu0 sched_switch b/11 S -> idle/0", "2000 cpu0 sched_switch idle/0 R -> a/10" };
	char text[201][96];

	for (int i = 0; i < 200; i++) {
		if (i)
			snprintf(text[i], sizeof text[i], "%d cpu0 sched_switch %s R -> %s", 3000 + 10 * i, i % 2 ? "x/12" : "y/13", i % 2 ? "y/13" : "x/12");
		else
			snprintf(text[i], sizeof text[i], "3000 cpu0 sched_switch a/10 S -> x/12");
		lines[6 + i] = text[i];
	}
	check_rows(ASK("why", .by = "tid,part,culprit", .some = true), lines,
		   ROWS("tid=10 part='run queue' culprit=b total_ns=350", "tid=10 part=irq culprit='irq 28 ahci' total_ns=50",
			"tid=10 part='wake-up' culprit=idle total_ns=600", "tid=10 part=run total_ns=1000"));
}
END_TEST

/* What ran in an interrupt is the interrupt's: of its 150 50 lie in a's wait. It takes all of them from b, which it interrupts. */
START_TEST(cpu_of_interrupts)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch idle/0 R -> b/11", "1100 cpu0 irq_handler_entry t=11 28 ahci",
			 "1200 cpu1 sched_waking a/10 target=0 by idle/0", "1250 cpu0 irq_handler_exit t=11 28",
			 "1300 cpu0 softirq_entry t=11 3", "1340 cpu0 softirq_exit t=11 3", "2000 cpu0 sched_switch b/11 S -> a/10"),
		   ROWS("tid=10 part=irq culprit='irq 28 ahci' culprit_pid=- total_ns=50",
			"tid=10 part=softirq total_ns=40",
			"tid=10 part='run queue' culprit=b total_ns=710",
			"tid=11 part=irq culprit='irq 28 ahci' total_ns=150", "tid=11 part=softirq total_ns=40"));
}
END_TEST

/* a waits for cpu0 from 1200 to 1400, where b runs, and then for cpu1 up to 1900, where d runs. */
START_TEST(cpu_after_a_migration)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch idle/0 R -> b/11", "1010 cpu1 sched_switch idle/0 R -> d/13",
			 "1020 cpu2 sched_switch idle/0 R -> e/14",
			 "1200 cpu2 sched_waking a/10 target=0 by e/14", "1400 cpu1 sched_migrate_task a/10 0 -> 1 by d/13",
			 "1900 cpu1 sched_switch d/13 S -> a/10"),
		   ROWS("tid=10 part='run queue' culprit=b total_ns=200 at_ns=1200",
			"tid=10 part='run queue' culprit=d total_ns=500 at_ns=1400"));
}
END_TEST

/* The waker places the task on another CPU before it queues it: it never waited for the first one. */
START_TEST(cpu_where_the_waker_placed_it)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch idle/0 R -> b/11", "1010 cpu1 sched_switch idle/0 R -> d/13",
			 "1020 cpu2 sched_switch idle/0 R -> e/14",
			 "1200 cpu2 sched_waking a/10 target=0 by e/14", "1210 cpu2 sched_migrate_task a/10 0 -> 1 by e/14",
			 "1900 cpu1 sched_switch d/13 S -> a/10"),
		   ROWS("tid=10 part='run queue' culprit=d total_ns=700 at_ns=1200"));
}
END_TEST

/* For 10 ms at most an idle CPU wakes up, which nobody takes; for longer nothing explains it, and nobody is billed. */
START_TEST(cpu_that_is_idle)
{
	check_rows(QUESTION,
		   LINES("1000 cpu0 sched_switch b/11 S -> idle/0", "2000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "10002000 cpu0 sched_switch idle/0 R -> a/10", "10003000 cpu0 sched_switch a/10 S -> idle/0",
			 "10004000 cpu0 sched_waking a/10 target=0 by idle/0", "20004001 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 part='idle CPU' culprit=idle culprit_pid=- count=1 total_ns=10000001"));
}
END_TEST

/* What ran on the CPU before its first event is not known: 300 of the wait. */
START_TEST(cpu_not_seen)
{
	check_rows(QUESTION,
		   LINES("1200 cpu1 sched_waking a/10 target=0 by idle/0", "1500 cpu0 sched_switch b/11 S -> c/12",
			 "2000 cpu0 sched_switch c/12 S -> a/10"),
		   ROWS("tid=10 part='run queue' culprit=- culprit_pid=- total_ns=300",
			"tid=10 part='run queue' culprit=c total_ns=500"));
}
END_TEST

/* ---- disks ---- */

#define A_RUNS "1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu1 sched_switch idle/0 R -> b/11"

/*
 * a sleeps from 1200 to 2500. Its request is queued before, issued at 1500 and completes at 2400. The device completes a
 * request of b at 1400 and one at 1900; so of 1200..1500 b had 1200..1400 and 1400..1500 (for its request of 1900), of
 * 1500..2400 b had 1500..1900 and a itself the rest.
 */
START_TEST(disk_of_another)
{
	check_rows(QUESTION,
		   LINES(A_RUNS, "1100 cpu1 block_rq_issue t=11 8,0 W 4096 sector=800 nr=8 comm=b",
			 "1150 cpu1 block_rq_issue t=11 8,0 W 4096 sector=900 nr=8 comm=b",
			 "1160 cpu0 block_rq_insert t=10 8,0 R 4096 sector=100 nr=8 comm=a", "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "1400 cpu1 block_rq_complete t=11 8,0 W sector=800 nr=8",
			 "1500 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=b",
			 "1900 cpu1 block_rq_complete t=11 8,0 W sector=900 nr=8",
			 "2400 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8", "2500 cpu1 sched_waking a/10 target=0 by b/11",
			 "2600 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 part='disk: queued' culprit=b dev=8,0 total_ns=300",
			"tid=10 part='disk: in device' culprit=b total_ns=400", "tid=10 part='disk: in device' culprit=itself total_ns=500",
			"tid=10 part='disk: completed' total_ns=100"));
}
END_TEST

/*
 * io.max and stacked devices delegate: a worker asks for the data of a at 1800, and its completion at 2000 wakes a. So the
 * request is a's, for b too, whose own one completes at 2100.
 */
START_TEST(disk_by_a_worker)
{
	check_rows(QUESTION,
		   LINES("900 cpu1 sched_process_fork kthreadd/2 -> kworker/1:0/70", A_RUNS, "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "1250 cpu1 sched_switch idle/0 R -> b/11", "1300 cpu1 block_rq_issue t=11 8,0 R 4096 sector=900 nr=8 comm=b",
			 "1310 cpu1 sched_switch b/11 D -> kworker/1:0/70", "1800 cpu1 block_rq_issue t=70 8,0 R 4096 sector=100 nr=8 comm=kworker/1:0",
			 "1900 cpu1 sched_switch kworker/1:0/70 I -> idle/0",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8", "2010 cpu0 sched_waking a/10 target=0 by idle/0 irq",
			 "2100 cpu1 block_rq_complete t=0 8,0 R sector=900 nr=8", "2110 cpu1 sched_waking b/11 target=1 by idle/0 irq"),
		   ROWS("tid=10 part='disk: before request' dev=8,0 total_ns=600", "tid=10 part='disk: in device' culprit=itself total_ns=200",
			"tid=10 part='disk: completed' total_ns=10",
			"tid=11 part='disk: in device' culprit=a total_ns=690", "tid=11 part='disk: in device' culprit=itself total_ns=100",
			"tid=11 part='disk: completed' total_ns=10"));
}
END_TEST

/* The worker that the completion wakes at 2010 does the rest and wakes a at 2100: the wait is for the disk, not for the worker. */
START_TEST(disk_by_way_of_a_worker)
{
	check_rows(QUESTION,
		   LINES("900 cpu1 sched_process_fork kthreadd/2 -> kworker/1:0/70", "901 cpu1 sched_process_fork kthreadd/2 -> kworker/u4:0/71",
			 "910 cpu1 sched_switch idle/0 R -> kworker/u4:0/71", "920 cpu1 sched_switch kworker/u4:0/71 I -> kworker/1:0/70",
			 A_RUNS, "1200 cpu0 sched_switch a/10 D -> idle/0", "1800 cpu1 block_rq_issue t=70 8,0 W 4096 sector=100 nr=8 comm=kworker/1:0",
			 "1900 cpu1 sched_switch kworker/1:0/70 I -> idle/0", "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=8",
			 "2010 cpu1 sched_waking kworker/u4:0/71 target=1 by idle/0 irq", "2020 cpu1 sched_switch idle/0 R -> kworker/u4:0/71",
			 "2100 cpu1 sched_waking a/10 target=0 by kworker/u4:0/71"),
		   ROWS("tid=10 part='disk: before request' dev=8,0 total_ns=600", "tid=10 part='disk: in device' culprit=itself total_ns=200",
			"tid=10 part='disk: completed' total_ns=100"));
}
END_TEST

/* In no call: for a read it is a page fault. Where it has not returned from one since the begin, that may have begun before. */
START_TEST(disk_without_a_call)
{
	static const char *const parts[] = { "major fault", "disk: in device", "disk: in device" };

	for (int i = 0; i < 3; i++) {
		char issue[96], done[96], row[96];

		snprintf(issue, sizeof issue, "1100 cpu0 block_rq_issue t=10 8,0 %s 4096 sector=100 nr=8 comm=a", i == 1 ? "W" : "R");
		snprintf(done, sizeof done, "2000 cpu0 block_rq_complete t=0 8,0 %s sector=100 nr=8", i == 1 ? "W" : "R");
		snprintf(row, sizeof row, "tid=10 part='%s' culprit=itself total_ns=800", parts[i]);
		check_rows(ASK("antagonists", .by = "tid,part,dev,culprit,culprit_pid", .some = true),
			   LINES("900 cpu1 sys_enter t=11 nr=read 3", "910 cpu1 sys_exit t=11 nr=read ret=1", A_RUNS, i < 2 ? "1050 cpu0 sys_exit t=10 nr=read ret=1" : "1050 cpu1 sys_exit t=11 nr=read ret=1", issue, "1200 cpu0 sched_switch a/10 D -> idle/0",
				 done, "2000 cpu0 sched_waking a/10 target=0 by idle/0 irq"), ROWS(row));
	}
}
END_TEST

/* ---- locks and futexes: who released it ---- */

START_TEST(lock_of_another)
{
	check_rows(QUESTION,
		   LINES(A_RUNS, "1100 cpu0 contention_begin t=10 4096 32", "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 contention_end t=10 4096"),
		   ROWS("tid=10 part=lock culprit=b culprit_pid=11 count=1 total_ns=700 at_ns=1200"));
}
END_TEST

START_TEST(futex_of_another)
{
	check_rows(QUESTION,
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=futex 1000 0 2", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu1 sched_waking a/10 target=0 by b/11", "2000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 part=futex culprit=b total_ns=700"));
}
END_TEST

/*
 * a and b want what h has. b waits from 1200 to 1700, h lets it on; a from 1300 to 1900, b lets it on: of a's 600 h had it for 400, b for
 * 200. Where b waits for something else (a lock at 2000), or nobody let it on, it is the holder for all that is known.
 */
START_TEST(line_before_a_lock)
{
	static const struct { const char *call_a, *call_b, *waker_of_b, *rows[2]; } cases[] = {
		{ "futex 1000 80 2", "futex 1000 80 2", "h/15", { "tid=10 part=futex culprit=h total_ns=400", "tid=10 part=futex culprit=b total_ns=200" } },
		{ "futex 1000 80 2", "futex 2000 80 2", "h/15", { "tid=10 part=futex culprit=b total_ns=600" } },
		{ "futex 1000 80 2", "futex 1000 80 2", "idle/0 irq", { "tid=10 part=futex culprit=b total_ns=600" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char a[80], b[80], wakes[80];

		snprintf(b, sizeof b, "1100 cpu1 sys_enter t=11 nr=%s", cases[i].call_b);
		snprintf(a, sizeof a, "1110 cpu0 sys_enter t=10 nr=%s", cases[i].call_a);
		snprintf(wakes, sizeof wakes, "1700 cpu2 sched_waking b/11 target=1 by %s", cases[i].waker_of_b);
		check_rows(ASK("antagonists", .by = "tid,part,dev,culprit,culprit_pid", .some = true),
			   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu1 sched_switch idle/0 R -> b/11",
				 "1000 cpu2 sched_switch idle/0 R -> h/15", b, a,
				 "1200 cpu1 sched_switch b/11 S -> idle/0", "1300 cpu0 sched_switch a/10 S -> idle/0", wakes,
				 "1710 cpu1 sched_switch idle/0 R -> b/11", "1900 cpu1 sched_waking a/10 target=0 by b/11",
				 "2000 cpu0 sched_switch idle/0 R -> a/10"),
			   ((const char *const[]){ cases[i].rows[0], cases[i].rows[1], NULL }));
	}
}
END_TEST

/* A sleep of its own choice is taken by nobody. */
START_TEST(sleep_of_its_own)
{
	check_rows(QUESTION,
		   LINES(A_RUNS, "1100 cpu0 sys_enter t=10 nr=nanosleep", "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu0 sched_waking a/10 target=0 by idle/0", "2000 cpu0 sched_switch idle/0 R -> a/10"),
		   NO_ROWS);
}
END_TEST

/* ---- time ranges: the part inside ---- */

/* Of the wait 1200..2000 the range has 1400..1900: 100 of b, 400 of c. */
START_TEST(range_inside_a_wait)
{
	check_rows(ASK("antagonists", .by = "tid,part,dev,culprit,culprit_pid", .from_ns = 1400, .to_ns = 1900),
		   LINES("1000 cpu0 sched_switch idle/0 R -> b/11", "1200 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch b/11 S -> c/12", "2000 cpu0 sched_switch c/12 S -> a/10"),
		   ROWS("tid=10 part='run queue' culprit=b total_ns=100", "tid=10 part='run queue' culprit=c total_ns=400"));
}
END_TEST

/* An exec by a thread: the wait is the leader's, and what had its CPU is as before. */
START_TEST(cpu_across_an_exec)
{
	check_rows(QUESTION,
		   LINES("seed a/10 pid=9", "seed l/9 pid=9", "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_process_exec /bin/x t=10 pid=9 old=10", "1200 cpu0 sched_switch x/9 R -> b/11",
			 "1900 cpu0 sched_switch b/11 S -> x/9"),
		   ROWS("tid=9 comm=x part='run queue' culprit=b total_ns=700"));
}
END_TEST

/* A lock of its own process: the thread that holds it is named, too; of another process the process is. */
START_TEST(own_threads)
{
#define LOCK_OF(pid) \
	LINES("seed p/10 pid=10", "seed holder/11 pid=" #pid, "seed q/20 pid=20", "1000 cpu0 sched_switch idle/0 R -> p/10", \
	      "1100 cpu0 sys_enter t=10 nr=futex 7f00 80", "1200 cpu0 sched_switch p/10 S -> holder/11", \
	      "2000 cpu0 sched_waking p/10 target=0 by holder/11", "2000 cpu0 sched_switch holder/11 S -> p/10", \
	      "2100 cpu0 sys_exit t=10 nr=futex ret=0")
	check_rows(ASK("antagonists", .by = "tid,part,culprit,culprit_pid", .some = true), LOCK_OF(10),
		   ROWS("tid=10 part=futex culprit=p/holder culprit_pid=10 total_ns=800"));
	check_rows(ASK("antagonists", .by = "tid,part,culprit,culprit_pid", .some = true), LOCK_OF(20),
		   ROWS("tid=10 part=futex culprit=q culprit_pid=20 total_ns=800"));
}
END_TEST

Suite *rs_suite_culprits(void)
{
	Suite *s = suite_create("culprits");
	TCase *t = tcase_create("culprits");

	tcase_add_test(t, cpu_of_two_others);
	tcase_add_test(t, cpu_of_too_many);
	tcase_add_test(t, cpu_of_many_slices);
	tcase_add_test(t, cpu_of_one_twice);
	tcase_add_test(t, cpu_long_ago);
	tcase_add_test(t, cpu_of_interrupts);
	tcase_add_test(t, cpu_after_a_migration);
	tcase_add_test(t, cpu_where_the_waker_placed_it);
	tcase_add_test(t, cpu_that_is_idle);
	tcase_add_test(t, cpu_not_seen);
	tcase_add_test(t, disk_of_another);
	tcase_add_test(t, disk_without_a_call);
	tcase_add_test(t, disk_by_a_worker);
	tcase_add_test(t, disk_by_way_of_a_worker);
	tcase_add_test(t, lock_of_another);
	tcase_add_test(t, futex_of_another);
	tcase_add_test(t, line_before_a_lock);
	tcase_add_test(t, sleep_of_its_own);
	tcase_add_test(t, range_inside_a_wait);
	tcase_add_test(t, cpu_across_an_exec);
	tcase_add_test(t, own_threads);
	suite_add_tcase(s, t);
	return s;
}
