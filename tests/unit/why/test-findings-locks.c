// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-locks - who holds a lock, and what that task does meanwhile: traces of one second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define ROUNDS 10

static void locks_begin(const char *a_seed, const char *b_seed, const char *c_seed)
{
	made_lines_begin();
	made_line("seed a/10 %s", a_seed);
	made_line("seed b/11 %s", b_seed);
	made_line("seed c/12 %s", c_seed);
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
}

static void locks_put_asleep(unsigned int us, unsigned int cpu, const char *task, const char *call)
{
	made_line("%u000 cpu%u sys_enter t=%s nr=%s", us, cpu, strchr(task, '/') + 1, call);
	made_line("%u001 cpu%u sched_switch %s S -> idle/0", us, cpu, task);
}

static void locks_put_awake(unsigned int us, unsigned int cpu, const char *task, const char *ret, const char *by, unsigned int by_cpu)
{
	made_line("%u000 cpu%u sched_waking %s target=%u by %s", us, by_cpu, task, cpu, by);
	made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", us, cpu, task);
	made_line("%u002 cpu%u sys_exit t=%s nr=%s", us, cpu, strchr(task, '/') + 1, ret);
}

/* In each round a waits for 80 ms for a lock that b of another process has, while c has its CPU for the first 60 of them. */
static void locks_put_preempted(void)
{
	locks_begin("pid=10", "pid=11", "pid=12");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		locks_put_asleep(us, 0, "a/10", "futex 1000 80 2");
		made_line("%u000 cpu1 sched_switch b/11 R -> c/12 next_prio=120", us + 1);
		made_line("%u000 cpu1 sched_switch c/12 S -> b/11 next_prio=120", us + 60000);
		locks_put_awake(us + 80000, 0, "a/10", "futex ret=0", "b/11", 1);
		made_line("%u000 cpu1 sched_waking c/12 target=1 by b/11", us + 99000);
	}
	made_line("1000100000 cpu1 sched_switch b/11 S -> idle/0");
}

/* The wait for a CPU of who holds it is its own, not the victim's: who preempts it is who runs in its place. */
START_TEST(a_holder_of_another_process_that_is_preempted)
{
	locks_put_preempted();
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock text='a (10) waits 80 % of its time for a lock that processes share (futex at 0x1000): b (11) holds it while it is preempted by c'",
			"rule=cpu-hog victim=b culprit=c"));
}
END_TEST

/* In each round b, which has the lock of its process, waits in write for c for peer_ms of 60, and a waits for b all the while. */
static void locks_put_writer(unsigned int peer_ms)
{
	locks_begin("pid=10", "pid=10", "pid=12");
	made_line("2 cpu2 sched_switch idle/0 R -> c/12 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		locks_put_asleep(us, 0, "a/10", "futex 1000 80 2");
		locks_put_asleep(us + 10, 2, "c/12", "nanosleep 1 0");
		locks_put_asleep(us + 20, 1, "b/11", "write 3 4 5");
		locks_put_awake(us + peer_ms * 1000 - 500, 2, "c/12", "nanosleep ret=0", "idle/0 irq", 2);
		locks_put_awake(us + peer_ms * 1000, 1, "b/11", "write ret=5", "c/12", 2);
		locks_put_awake(us + 60000, 0, "a/10", "futex ret=0", "b/11", 1);
	}
	made_line("1000100000 cpu1 sched_switch b/11 S -> idle/0");
}

/* The lock is held for as long as another does not read: that one is slow. 600 ms of 1500 that both run, b's 500 in write of 1400. */
START_TEST(a_holder_that_waits_for_a_reader)
{
	locks_put_writer(50);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock culprit=c text='a (10) waits 40 % of its time for a user-space lock (futex at 0x1000): its thread b holds it and waits in write for c (12), which sleeps voluntarily in nanosleep'",
			"rule=peer-write victim=a/b culprit=c"));
	locks_put_writer(20);
	check_rows(FINDINGS, made_lines, ROWS("rule=futex-lock culprit=b"));
}
END_TEST

static void locks_put_contended(unsigned int us, unsigned int cpu, const char *task, const char *call)
{
	if (*call)
		made_line("%u000 cpu%u sys_enter t=%s nr=%s 3", us, cpu, strchr(task, '/') + 1, call);
	made_line("%u001 cpu%u contention_begin t=%s 4096 4", us, cpu, strchr(task, '/') + 1);
	made_line("%u002 cpu%u sched_switch %s D -> idle/0", us, cpu, task);
}

static void locks_put_uncontended(unsigned int us, unsigned int cpu, const char *task, const char *call, const char *by, unsigned int by_cpu)
{
	made_line("%u000 cpu%u sched_waking %s target=%u by %s", us, by_cpu, task, cpu, by);
	made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", us, cpu, task);
	made_line("%u002 cpu%u contention_end t=%s 4096", us, cpu, strchr(task, '/') + 1);
	if (*call)
		made_line("%u003 cpu%u sys_exit t=%s nr=%s ret=0", us, cpu, strchr(task, '/') + 1, call);
}

/*
 * In each round b has the mmap_lock for 70 ms, c waits for it, in munmap or in a page fault, then lets a on, which has waited for 80: of 1500 ms b
 * has 350 in each way, less than a quarter, and 700 in all, more than c's 100.
 */
START_TEST(a_holder_in_several_calls)
{
	locks_begin("pid=10", "pid=10", "pid=10");
	made_line("2 cpu2 sched_switch idle/0 R -> c/12 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		locks_put_contended(us, 0, "a/10", "munmap");
		locks_put_contended(us, 2, "c/12", round % 2 ? "munmap" : "");
		locks_put_uncontended(us + 70000, 2, "c/12", round % 2 ? "munmap" : "", "b/11", 1);
		locks_put_uncontended(us + 80000, 0, "a/10", "munmap", "c/12", 2);
	}
	made_line("1000100000 cpu1 sched_switch b/11 S -> idle/0");
	check_rows(FINDINGS, made_lines, ROWS("rule=mmap-lock culprit=b"));
}
END_TEST

/* Two of one name write to one file: one is held back as a writer for 80 ms, or waits for something unknown, the other waits for its lock. */
static void locks_put_writers(bool is_dirty)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed a/13 pid=13");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> a/13 next_prio=120");
	made_line("2 cpu2 block_rq_issue t=0 9,9 R 512 sector=1 nr=1");
	made_line("3 cpu2 block_rq_complete t=0 9,9 R sector=1 nr=1");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		made_line("%u000 cpu1 sys_enter t=13 nr=write 3 4 5", us);
		if (is_dirty)
			made_line("%u001 cpu1 balance_dirty_pages t=13 100", us);
		made_line("%u002 cpu1 sched_switch a/13 D -> idle/0", us);
		locks_put_contended(us + 10, 0, "a/10", "write");
		locks_put_awake(us + 80000, 1, "a/13", "write ret=5", "idle/0 irq", 1);
		locks_put_uncontended(us + 81000, 0, "a/10", "write", "a/13", 1);
	}
	made_line("1000100000 cpu1 sched_switch a/13 S -> idle/0");
}

START_TEST(a_lock_of_writers_that_are_held_back)
{
	locks_put_writers(true);
	check_rows(FINDINGS, made_lines, ROWS("rule=write-back victim=a"));
	locks_put_writers(false);
	check_rows(FINDINGS, made_lines, ROWS("rule=kernel-lock victim=a culprit=a", "rule=blocked victim=a"));
}
END_TEST

Suite *rs_suite_findings_locks(void);
Suite *rs_suite_findings_locks(void)
{
	Suite *s = suite_create("findings_locks");
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_holder_of_another_process_that_is_preempted);
	tcase_add_test(t, a_holder_that_waits_for_a_reader);
	tcase_add_test(t, a_holder_in_several_calls);
	tcase_add_test(t, a_lock_of_writers_that_are_held_back);
	suite_add_tcase(s, t);
	return s;
}
