// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-findings - what the analyses say is wrong, and of what they say nothing
 *
 * Times are in ns: an interval is judged from a tenth of a second on. The last line ends each at one second.
 */
#include <check.h>

#include "ask.h"
#include "engine/finding-list.h"

#define BEGIN "seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> z/90", "2 cpu0 sched_switch z/90 S -> idle/0"
#define END "1000000001 cpu1 sched_switch z/90 S -> idle/0"

/* 200 ms run, 600 of 800 for a disk. */
START_TEST(disk_of_a_process)
{
	check_rows(ASK("tasks", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10", "200000000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "200000001 cpu0 sched_switch a/10 D -> idle/0", "800000000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "800000001 cpu0 sched_waking a/10 target=0 by idle/0 irq", "800000001 cpu0 sched_switch idle/0 R -> a/10",
			 "900000001 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("weight=600 text='a (10) waits 75 % of its busy time for disk 8,0' view=tasks where='pid == 10' "
			"brief='a (10) waits for disk 8,0, 75 %' "
			"why='disks dev == \"8,0\", iosnoop pid == 10, tasks, offcpu pid == 10, tasks pid == 10'"));
}
END_TEST

/* It waits still, and the request is with the device: that is why. */
START_TEST(disk_that_does_not_answer)
{
	check_rows(ASK("tasks", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10", "200000001 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "200000001 cpu0 sched_switch a/10 D -> idle/0", END),
		   ROWS("weight=800 text='a (10) waits 89 % of its busy time for disk 8,0'"));
	check_rows(ASK("disks", .findings = true),
		   LINES(BEGIN, "100000001 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "100000002 cpu0 block_rq_issue t=10 8,0 R 4096 sector=200 nr=8 comm=a", END),
		   ROWS("weight=900 text='disk 8,0 is busy 90 % of the time, with 1.7 requests at once on average' view=disks where='dev == \"8,0\"'"));
}
END_TEST

/* Half of the time each, on one CPU: each waits for it half of the time. */
#define TWO_HOGS \
	BEGIN, "1000000 cpu0 sched_switch idle/0 R -> a/10", "1000000 cpu0 sched_waking b/11 target=0 by a/10", \
	"500000001 cpu0 sched_switch a/10 R -> b/11", "900000001 cpu0 sched_switch b/11 R -> a/10"
#define ONE_CPU_END "1000000001 cpu0 sched_switch a/10 R -> b/11"

START_TEST(cpus)
{
	check_rows(ASK("tasks", .findings = true), LINES(TWO_HOGS, ONE_CPU_END),
		   ROWS("weight=599 text='b (11) waits 60 % of its busy time for a CPU' where='pid == 11'",
			"weight=400 text='a (10) waits 40 % of its busy time for a CPU'"));
	check_rows(ASK("cpus", .findings = true), LINES(TWO_HOGS, ONE_CPU_END),
		   ROWS("weight=999 text='the CPUs are 99 % busy, and 0.9 tasks wait for one on average' view=cpus where=- why='tasks, cpus, tasks'"));
	/* what the one CPU did before its first switch, 22 us of a second, is not known: one task waits for it all the time */
	check_rows(ASK("cpus", .findings = true),
		   LINES("1 cpu0 sched_waking b/11 target=0 by z/90", "22001 cpu0 sched_switch z/90 S -> a/10",
			 "500000001 cpu0 sched_switch a/10 R -> b/11", "900000001 cpu0 sched_switch b/11 R -> a/10", ONE_CPU_END),
		   ROWS("weight=1000 text='the CPUs are 100 % busy, and 1.0 tasks wait for one on average'"));
	/* with another that is idle all the time they are not all busy */
	check_rows(ASK("cpus", .findings = true), LINES(TWO_HOGS, "10 cpu1 sched_switch y/91 S -> idle/0", ONE_CPU_END), NO_ROWS);
}
END_TEST

/* Where all wait for a CPU, three are named, those who wait most. */
START_TEST(the_three_that_wait_most)
{
	check_rows(ASK("tasks", .findings = true),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11", "seed d/13 pid=13", "seed e/14 pid=14", "1000000 cpu0 sched_switch idle/0 R -> a/10",
			 "100000000 cpu0 sched_waking b/11 target=0 by a/10", "200000000 cpu0 sched_waking d/13 target=0 by a/10",
			 "300000000 cpu0 sched_waking e/14 target=0 by a/10", "400000000 cpu0 sched_switch a/10 R -> z/90",
			 "1000000000 cpu0 sched_switch z/90 R -> z/90"),
		   ROWS("where='pid == 11'", "where='pid == 13'", "where='pid == 14'"));
}
END_TEST

/* One that runs all the time waits for nothing, one that sleeps neither. */
START_TEST(nothing_wrong)
{
	check_rows(ASK("tasks", .findings = true),
		   LINES(BEGIN, "1000000 cpu0 sched_switch idle/0 R -> a/10", "1000000 cpu1 sched_switch idle/0 R -> b/11",
			 "2000000 cpu1 sys_enter t=11 nr=nanosleep", "3000000 cpu1 sched_switch b/11 S -> idle/0", "1000000001 cpu0 sched_switch a/10 R -> a/10"),
		   NO_ROWS);
}
END_TEST

/* Where events were lost nothing is judged, nor in a moment. */
START_TEST(not_to_be_judged)
{
	check_rows(ASK("tasks", .findings = true), LINES(TWO_HOGS, "cpu0 lost 1", ONE_CPU_END), NO_ROWS);
	check_rows(ASK("cpus", .findings = true), LINES(TWO_HOGS, "cpu0 lost 1", ONE_CPU_END), NO_ROWS);
	check_rows(ASK("disks", .findings = true),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a", "90000000 cpu0 sched_switch z/90 S -> idle/0"), NO_ROWS);
}
END_TEST

/* A kernel thread that writes back waits for the disk: that is its work. */
START_TEST(kernel_threads)
{
	check_rows(ASK("tasks", .findings = true),
		   LINES(BEGIN, "10 cpu0 sched_process_fork kthreadd/2 -> kworker/70", "100000000 cpu0 sched_switch idle/0 R -> kworker/70",
			 "200000001 cpu0 sched_switch kworker/70 D -> idle/0", END),
		   NO_ROWS);
}
END_TEST

START_TEST(locks)
{
	check_rows(ASK("locks", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10", "200000000 cpu0 contention_begin t=10 4096 32",
			 "200000001 cpu0 sched_switch a/10 D -> b/11", "500000000 cpu0 sched_waking a/10 target=0 by b/11",
			 "500000001 cpu0 sched_switch b/11 S -> a/10", "500000001 cpu0 contention_end t=10 4096", END),
		   ROWS("weight=300 text='tasks waited 300 ms (1 time) for the mutex 0x1000, last let go by b (11)' view=locks where='lock_addr == \"0x1000\"'"));
}
END_TEST

/* 300 ms for a lock; a thread that waits for work as long is no finding. */
START_TEST(futexes)
{
	check_rows(ASK("futex", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10", "200000000 cpu0 sys_enter t=10 nr=futex 1000 80 2",
			 "200000001 cpu0 sched_switch a/10 S -> b/11", "200000002 cpu0 sys_enter t=11 nr=futex 2000 80 0",
			 "500000000 cpu0 sched_waking a/10 target=0 by b/11", "500000000 cpu0 sys_exit t=11 nr=futex ret=0",
			 "500000001 cpu0 sched_switch b/11 S -> a/10", "500000001 cpu0 sys_exit t=10 nr=futex ret=0", END),
		   ROWS("weight=300 text='a (10) waited 300 ms (1 time) for its lock at 0x1000, mostly let go by b/11' view=futex where='pid == 10 && uaddr == \"0x1000\"'"));
}
END_TEST

START_TEST(memory)
{
	check_rows(ASK("reclaim", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10", "200000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "300000000 cpu0 mm_vmscan_direct_reclaim_end t=10", END),
		   ROWS("weight=100 text='tasks waited 100 ms (1 time) for memory: reclaim' view=reclaim where=-"));
}
END_TEST

/* 250 ms of a second in one softirq: of a CPU with nothing else to do, of which it is not a third. */
START_TEST(interrupts)
{
#define A_SOFTIRQ BEGIN, "100000000 cpu0 softirq_entry t=0 3", "350000001 cpu0 softirq_exit t=0 3", END
	check_rows(ASK("irqs", .findings = true), LINES(A_SOFTIRQ),
		   ROWS("weight=250 text='softirq 3 NET_RX takes 25 % of a CPU' view=irqs where='kind == softirq && id == 3'"));
	check_rows(ASK("cpus", .findings = true), LINES(A_SOFTIRQ), NO_ROWS);
	check_rows(ASK("cpus", .findings = true),
		   LINES(BEGIN, "100000000 cpu0 softirq_entry t=0 3", "550000001 cpu0 softirq_exit t=0 3", END),
		   ROWS("weight=450 text='CPU 0 spends 45 % of its time in interrupts' where='cpu == 0'"));
}
END_TEST

/* ---- the list ---- */

START_TEST(the_heaviest_of_many)
{
	struct rs_finding_list list;
	static const unsigned int weights[] = { 10, 500, 10, 700, 3 };

	ck_assert(rs_finding_list_init(&list, 3));
	for (size_t i = 0; i < 5; i++)
		rs_finding_list_add(&list, &(struct rs_finding){ .weight = weights[i], .text = (const char[]){ (char)('a' + i), '\0' } });
	ck_assert_uint_eq(list.nr, 3);
	ck_assert_str_eq(list.items[0].text, "d");
	ck_assert_str_eq(list.items[1].text, "b");
	ck_assert_str_eq(list.items[2].text, "a");
	rs_finding_list_done(&list);
}
END_TEST

Suite *rs_suite_findings(void);
Suite *rs_suite_findings(void)
{
	Suite *s = suite_create("findings");
	TCase *t = tcase_create("findings");

	tcase_add_test(t, disk_of_a_process);
	tcase_add_test(t, disk_that_does_not_answer);
	tcase_add_test(t, cpus);
	tcase_add_test(t, the_three_that_wait_most);
	tcase_add_test(t, nothing_wrong);
	tcase_add_test(t, not_to_be_judged);
	tcase_add_test(t, kernel_threads);
	tcase_add_test(t, locks);
	tcase_add_test(t, futexes);
	tcase_add_test(t, memory);
	tcase_add_test(t, interrupts);
	tcase_add_test(t, the_heaviest_of_many);
	suite_add_tcase(s, t);
	return s;
}
