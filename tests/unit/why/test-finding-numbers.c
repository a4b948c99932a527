// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-finding-numbers - what findings say was measured, not what they are ranked by
 *
 * Traces of one second, in ten rounds of 100 ms. "measured" is in the rule's unit: %, or ms that are lost each second.
 */
#include <check.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define ROUNDS 10

static void numbers_put_asleep(unsigned int us, unsigned int cpu, const char *task, const char *state)
{
	made_line("%u001 cpu%u sched_switch %s %s -> idle/0", us, cpu, task, state);
}

static void numbers_put_awake(unsigned int us, unsigned int cpu, const char *task, const char *by)
{
	made_line("%u000 cpu%u sched_waking %s target=%u by %s", us, cpu, task, cpu, by);
	made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", us, cpu, task);
}

/* In each round a waits 30 ms for a page from swap, and runs for 70; it ranks as twice that, for the page that had to go. */
START_TEST(pages_from_swap)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1 cpu1 sched_process_fork kthreadd/2 -> kswapd0/70");
	made_line("2 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("3 cpu0 sys_exit t=10 nr=read ret=1");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10, sector = 1000 * round + 8;

		made_line("%u000 cpu1 block_rq_issue t=70 8,0 W 4096 sector=%u nr=8 comm=kswapd0", us, sector + 500);
		made_line("%u000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=%u nr=8 comm=a", us + 10, sector);
		numbers_put_asleep(us + 10, 0, "a/10", "D");
		made_line("%u000 cpu0 block_rq_complete t=0 8,0 R sector=%u nr=8", us + 30010, sector);
		numbers_put_awake(us + 30010, 0, "a/10", "idle/0 irq");
		made_line("%u000 cpu1 block_rq_complete t=0 8,0 W sector=%u nr=8", us + 30020, sector + 500);
	}
	made_line("1000010001 cpu0 sched_switch a/10 S -> idle/0");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=swap-in text='a (10) waits 30 % of its time for pages from swap (disk 8,0): its memory does not fit, or its memory limit is too low' "
			"cost_ms=600 lost_ms=300 measured=30"));
}
END_TEST

static void numbers_put_threads(void)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=10");
	made_line("seed c/12 pid=12");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	made_line("2 cpu1 sys_exit t=11 nr=read ret=1");
}

/*
 * In each round a waits 60 ms for a lock of b, which c preempts for 40 of these. Its process runs for 400 and 600 ms, waits 400
 * for a CPU, and 600 for the lock: of 2000 these 600. It ranks as both waits.
 */
START_TEST(a_holder_that_is_preempted)
{
	numbers_put_threads();
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		made_line("%u000 cpu0 sys_enter t=10 nr=futex 1000 80 2", us);
		numbers_put_asleep(us, 0, "a/10", "S");
		made_line("%u000 cpu1 sched_switch b/11 R -> c/12 next_prio=120", us + 10);
		made_line("%u000 cpu1 sched_switch c/12 S -> b/11 next_prio=120", us + 40010);
		made_line("%u000 cpu1 sched_waking a/10 target=0 by b/11", us + 60000);
		made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us + 60000);
		made_line("%u002 cpu0 sys_exit t=10 nr=futex ret=0", us + 60000);
		made_line("%u000 cpu1 sched_waking c/12 target=1 by b/11", us + 99000);
	}
	made_line("1000020000 cpu1 sched_switch b/11 S -> idle/0");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock text='a (10) waits 30 % of its time for a user-space lock (futex at 0x1000): b (11) holds it while it is preempted by c' "
			"cost_ms=1000 lost_ms=600 measured=600"));
}
END_TEST

/* Two threads wait 80 ms of each 100 for b, which runs all the time: 1600 ms are lost each second, of 1600 + 400 + 1000 that they have. */
START_TEST(threads_that_wait)
{
	numbers_put_threads();
	made_line("seed d/13 pid=10");
	made_line("3 cpu2 sched_switch idle/0 R -> d/13 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		for (unsigned int cpu = 0; cpu <= 2; cpu += 2) {
			made_line("%u000 cpu%u sys_enter t=%u nr=futex 1000 80 2", us + cpu, cpu, cpu ? 13 : 10);
			numbers_put_asleep(us + cpu, cpu, cpu ? "d/13" : "a/10", "S");
		}
		for (unsigned int cpu = 0; cpu <= 2; cpu += 2) {
			made_line("%u000 cpu1 sched_waking %s target=%u by b/11", us + 80000 + cpu, cpu ? "d/13" : "a/10", cpu);
			made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", us + 80000 + cpu, cpu, cpu ? "d/13" : "a/10");
			made_line("%u002 cpu%u sys_exit t=%u nr=futex ret=0", us + 80000 + cpu, cpu, cpu ? 13 : 10);
		}
	}
	made_line("1000020000 cpu0 sched_switch a/10 S -> idle/0");
	made_line("1000020000 cpu1 sched_switch b/11 S -> idle/0");
	made_line("1000020000 cpu2 sched_switch d/13 S -> idle/0");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock text='a (10) waits 53 % of its time for a user-space lock (futex at 0x1000): b (11) holds it (it runs on a CPU)' "
			"cost_ms=1600 lost_ms=1600 measured=1600"));
}
END_TEST

/* Each of two threads is held up for 100 of the 250 ms that it runs: 40 % of 500, 200 ms each second. It ranks with a ms for each of the ten stalls. */
START_TEST(stalls_of_threads)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed a/11 pid=10");
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		made_line("%u cpu%u sched_switch idle/0 R -> a/%u next_prio=120", 1 + cpu, cpu, 10 + cpu);
		for (unsigned int ms = 10; ms < 60; ms += 10) {
			made_line("%u00000%u cpu%u mm_vmscan_memcg_reclaim_begin t=%u 0", 40 * ms / 10, cpu, cpu, 10 + cpu);
			made_line("%u00000%u cpu%u mm_vmscan_memcg_reclaim_end t=%u", 40 * ms / 10 + 20, cpu, cpu, 10 + cpu);
		}
		made_line("25000000%u cpu%u sched_switch a/%u S -> idle/0", 1 + cpu, cpu, 10 + cpu);
	}
	made_line("1000000001 cpu0 sched_waking z/90 target=0 by idle/0");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=memory-limit text='a (10) waits 40 % of its time for memory, in direct reclaim, 5 times a second: its cgroup is at its memory limit (memory.max or memory.high)' "
			"cost_ms=210 lost_ms=200 measured=200"));
}
END_TEST

Suite *rs_suite_finding_numbers(void);
Suite *rs_suite_finding_numbers(void)
{
	Suite *s = suite_create("finding-numbers");
	TCase *t = tcase_create("finding-numbers");

	tcase_add_test(t, pages_from_swap);
	tcase_add_test(t, a_holder_that_is_preempted);
	tcase_add_test(t, threads_that_wait);
	tcase_add_test(t, stalls_of_threads);
	suite_add_tcase(s, t);
	return s;
}
