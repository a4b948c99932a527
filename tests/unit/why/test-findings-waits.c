// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-findings-waits - who waits for whom, where several run: who takes is never told as who suffers
 *
 * Traces of one second, in ten rounds of 100 ms.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define ROUNDS 10
#define MS 1000000u

static void put_begin(void)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("seed b/12 pid=12");
	made_line("seed x/13 pid=13");
	made_line("1 cpu1 sched_switch idle/0 R -> x/13 next_prio=120");
	made_line("1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120");
}

/* In each round a is woken while b runs, waits for wait_ms, runs for run_ms and sleeps; two b take turns all the time. */
static void put_sleeper(unsigned int wait_ms, unsigned int run_ms)
{
	put_begin();
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int at = round * 100 * MS + 10 * MS, b = 11 + round % 2;

		made_line("%u cpu0 sched_waking a/10 target=0 by b/%u", at, b);
		made_line("%u cpu0 sched_switch b/%u R -> a/10 next_prio=120", at + wait_ms * MS, b);
		made_line("%u cpu0 sched_switch a/10 S -> b/%u next_prio=120", at + (wait_ms + run_ms) * MS, 11 + (round + 1) % 2);
	}
	made_line("1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120");
	made_line("1000000002 cpu1 sched_switch x/13 R -> x/13 next_prio=120");
}

/*
 * Two processes take turns, and a waits 30 % of what it wants: on average less than half a task waits for each of the two
 * CPUs, and yet a is kept from its work. The two are not: they would run all the time.
 */
START_TEST(one_that_sleeps_in_between)
{
	put_sleeper(15, 35);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-saturated text='a (10) waits 30 % of its time for a CPU: 2 b processes run meanwhile'"));
	put_sleeper(10, 40);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* 95 waits of 8 ms are more than are looked at one by one: all of their 760 ms count, and are the hog's. */
START_TEST(all_waits_count)
{
	put_begin();
	for (unsigned int round = 1; round <= 95; round++) {
		unsigned int at = round * 10 * MS;

		made_line("%u cpu0 sched_waking a/10 target=0 by b/11", at);
		made_line("%u cpu0 sched_switch b/11 R -> a/10 next_prio=120", at + 8 * MS);
		made_line("%u cpu0 sched_switch a/10 S -> b/11 next_prio=120", at + 10 * MS - 1000);
	}
	made_line("1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120");
	made_line("1000000002 cpu1 sched_switch x/13 R -> x/13 next_prio=120");
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-hog victim=a culprit=b cost_ms=760"));
}
END_TEST

/*
 * a runs for 800 ms, of which softirqs take ten times loss_ms; s, on the other CPU, sends each time. Where a itself is in
 * a call that sends, the softirqs are of its own packets.
 */
static void put_softirqs(unsigned int loss_ms, bool is_own)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed s/20 pid=20");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> s/20 next_prio=120");
	made_line("2 cpu0 sys_exit t=10 nr=read ret=1");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int at = round * 80 * MS + MS;

		made_line("%u cpu1 sys_enter t=20 nr=sendto 3", at);
		made_line("%u cpu1 sys_exit t=20 nr=sendto ret=64", at + 1000);
		if (is_own)
			made_line("%u cpu0 sys_enter t=10 nr=sendto 3", at + 1500);
		made_line("%u cpu0 softirq_entry t=10 3", at + 2000);
		made_line("%u cpu0 softirq_exit t=10 3", at + 2000 + loss_ms * MS);
		if (is_own)
			made_line("%u cpu0 sys_exit t=10 nr=sendto ret=64", at + 3000 + loss_ms * MS);
	}
	made_line("800000001 cpu0 sched_switch a/10 S -> idle/0");
	made_line("1000000001 cpu1 sched_switch s/20 R -> s/20 next_prio=120");
}

/* 120 ms of 800 are 15 %, 70 ms 9 %. */
START_TEST(softirqs_of_what_another_sends)
{
	put_softirqs(12, false);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-in-interrupts text='a (10) loses 15 % of its time to interrupts: softirq NET_RX takes CPU 0, for what s (20) sends'"));
	put_softirqs(7, false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	put_softirqs(12, true);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* 25 % in interrupts of a disk are 2500 a second that are short, or 250 that are long: the latter are a virtual device's. */
START_TEST(interrupts_that_take_long)
{
	for (unsigned int len_us = 1000; len_us >= 100; len_us /= 10) {
		made_lines_begin();
		made_line("seed a/10 pid=10");
		made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
		for (unsigned int i = 1; i < 300; i++) {
			made_line("%" PRIu64 " cpu0 irq_handler_entry t=10 9 disk", (uint64_t)i * len_us * 4000);
			made_line("%" PRIu64 " cpu0 irq_handler_exit t=10 9", (uint64_t)i * len_us * 4000 + len_us * 1000);
		}
		made_line("%" PRIu64 " cpu0 sched_switch a/10 S -> idle/0", (uint64_t)300 * len_us * 4000);
		check_rows(FINDINGS, made_lines, len_us == 1000 ? NO_ROWS : ROWS("rule=cpu-in-interrupts text='a (10) loses 25 % of its time to interrupts: irq disk takes CPU 0'"));
	}
}
END_TEST

/* ---- peers ---- */

static void put_switch(unsigned int at_us, unsigned int cpu, const char *from, const char *letter, const char *to)
{
	made_line("%u000 cpu%u sched_switch %s %s -> %s next_prio=120", at_us, cpu, from, letter, to);
}

/* The task sleeps in a call from then on; and is woken by another, and on its CPU again. */
static void put_asleep(unsigned int at_us, unsigned int cpu, const char *task, const char *call)
{
	made_line("%u000 cpu%u sys_enter t=%s nr=%s", at_us, cpu, strchr(task, '/') + 1, call);
	put_switch(at_us, cpu, task, "S", "idle/0");
}

static void put_awake(unsigned int at_us, unsigned int cpu, const char *task, const char *call, const char *waker)
{
	made_line("%u000 cpu%u sched_waking %s target=%u by %s", at_us, !strcmp(waker, "idle/0") ? cpu : 1 - cpu, task, cpu, waker);
	put_switch(at_us + 1, cpu, "idle/0", "R", task);
	made_line("%u000 cpu%u sys_exit t=%s nr=%s", at_us + 1, cpu, strchr(task, '/') + 1, call);
}

/*
 * a reads from d, b from a, and d, which sleeps for 80 ms of each 100, from b: all of them wait for d. Without b it is a
 * that may ask d at its leisure: nobody is slow.
 */
static void put_relay(bool through_b)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("seed d/13 pid=13");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> d/13 next_prio=120");
	put_asleep(1, 0, "a/10", "read 3 4 5");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		put_asleep(us, 1, "d/13", "nanosleep 1 0");
		put_awake(us + 80000, 1, "d/13", "nanosleep ret=0", "idle/0");
		put_awake(us + 81000, 0, "a/10", "read ret=5", "d/13");
		put_asleep(us + 82000, 1, "d/13", "read 3 4 5");
		if (through_b && round) {
			made_line("%u000 cpu1 sched_waking b/11 target=1 by a/10", us + 85000);
			put_switch(us + 85001, 1, "idle/0", "R", "b/11");
			made_line("%u000 cpu1 sys_exit t=11 nr=read ret=5", us + 85001);
		} else if (through_b) {
			put_switch(us + 85001, 1, "idle/0", "R", "b/11");
		}
		if (through_b)
			made_line("%u000 cpu1 sched_waking d/13 target=1 by b/11", us + 96000);
		put_asleep(us + 95000, 0, "a/10", "read 3 4 5");
		if (through_b)
			made_line("%u000 cpu1 sys_enter t=11 nr=read 3 4 5", us + 96000);
		else
			made_line("%u000 cpu1 sched_waking d/13 target=1 by a/10", us + 94000);
		put_switch(us + 96001, 1, through_b ? "b/11" : "idle/0", through_b ? "S" : "R", "d/13");
		made_line("%u000 cpu1 sys_exit t=13 nr=read ret=5", us + 96001);
	}
	made_line("1000100000 cpu1 sched_switch d/13 S -> idle/0");
}

START_TEST(a_relay)
{
	put_relay(true);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=peer-read text='a (10) waits 98 % of its time in read for a peer, over a pipe or a socket: d (13) sleeps voluntarily in nanosleep'",
			"rule=peer-read text='b (11) waits 88 % of its time in read for a peer, over a pipe or a socket: a waits for d, which sleeps voluntarily in nanosleep'"));
	put_relay(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/*
 * A chain of seven with long names, in which each reads from the next for 900 ms, and the last sleeps voluntarily:
 * nobody is slow, however long the sentence about it would be.
 */
START_TEST(a_long_chain)
{
	static const char *const names[] = { "a-long-name/10", "p1-a-long-name1/11", "p2-a-long-name2/12", "p3-a-long-name3/13", "p4-a-long-name4/14",
					     "p5-a-long-name5/15", "sleeper-a-name6/16" };
	enum { NR = sizeof names / sizeof *names };

	made_lines_begin();
	for (unsigned int i = 0; i < NR; i++) {
		made_line("seed %s pid=%u", names[i], 10 + i);
		put_switch(1 + 100 * i, i % 2, "idle/0", "R", names[i]);
		put_asleep(2 + 100 * i, i % 2, names[i], i == NR - 1 ? "nanosleep 1 0" : "read 3 4 5");
	}
	for (unsigned int i = NR; i-- > 0;) {
		unsigned int us = 900000 + 1000 * (NR - i);

		put_awake(us, i % 2, names[i], i == NR - 1 ? "nanosleep ret=0" : "read ret=5", i == NR - 1 ? "idle/0" : names[i + 1]);
		if (i < NR - 1)
			put_asleep(us + 100, (i + 1) % 2, names[i + 1], "nanosleep 1 0");
	}
	made_line("1000100000 cpu0 sched_switch a-long-name/10 S -> idle/0");
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

#define END "1000000001 cpu1 sched_switch z/90 S -> idle/0"

/* b, which a/10 waits for, is runnable while a/14 runs: who suffers is not told as who takes. */
START_TEST(a_victim_that_runs)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed a/14 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120",
			 "1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "100000000 cpu0 sys_enter t=10 nr=read 3 4 5", "100000001 cpu0 sched_switch a/10 S -> idle/0",
			 "150000000 cpu1 sched_switch b/11 R -> a/14 next_prio=120", "650000000 cpu1 sched_switch a/14 S -> b/11 next_prio=120",
			 "700000000 cpu1 sched_waking a/10 target=0 by b/11", "700000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120",
			 "700000002 cpu0 sys_exit t=10 nr=read ret=5", "700000003 cpu1 sched_switch b/11 S -> idle/0", "800000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=peer-read text='a (10) waits 46 % of its time in read for a peer, over a pipe or a socket: b (11) waits for a CPU'", "rule=cpu-hog victim=b culprit=a"));
}
END_TEST

/* b, which a waits for from 100 to 700 ms, is runnable beside an idle CPU for 500 ms: it is kept by its quota. */
START_TEST(a_throttled_peer)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120",
			 "100000000 cpu0 sys_enter t=10 nr=read 3 4 5", "100000001 cpu0 sched_switch a/10 S -> idle/0", "150000000 cpu1 sched_switch b/11 R -> idle/0 next_prio=120",
			 "650000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "700000000 cpu0 sched_waking a/10 target=0 by b/11",
			 "700000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "700000002 cpu0 sys_exit t=10 nr=read ret=5", "700000003 cpu1 sched_switch b/11 S -> idle/0",
			 "800000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=peer-read text='a (10) waits 75 % of its time in read for a peer, over a pipe or a socket: b (11) waits for a CPU beside an idle one, throttled by "
			"the quota of its cgroup (cpu.max)'",
			"rule=cpu-throttled"));
}
END_TEST

/* a writes what b reads: it waits for a quarter of the time. b is the slow one if it runs nearly all the time. */
static void put_writer(unsigned int reader_ms)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		put_switch(us, 1, "idle/0", "R", "b/11");
		put_asleep(us + 20000, 0, "a/10", "write 1 2 3");
		put_awake(us + 45000, 0, "a/10", "write ret=3", "b/11");
		put_asleep(us + reader_ms * 1000, 1, "b/11", "epoll_wait 1 2 3");
		made_line("%u000 cpu1 sched_waking b/11 target=1 by a/10", us + 99990);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

START_TEST(the_slow_member_of_a_pipeline)
{
	put_writer(80);
	check_rows(FINDINGS, made_lines, ROWS("rule=peer-write victim=a culprit=b cost_ms=250"));
	put_writer(60);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* The threads 14 and 10 stand in line for a lock: 10 is woken by 14, and 14 by 15, which had it all the while. */
START_TEST(a_line_before_a_lock)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed n/14 pid=10", "seed h/15 pid=10", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "1 cpu1 sched_switch idle/0 R -> n/14 next_prio=120",
			 "100000000 cpu0 sys_enter t=10 nr=futex 1000 80 2", "100000001 cpu0 sched_switch a/10 S -> h/15", "100000002 cpu1 sys_enter t=14 nr=futex 1000 80 2",
			 "100000003 cpu1 sched_switch n/14 S -> idle/0", "600000000 cpu0 sched_waking n/14 target=1 by h/15", "600000001 cpu1 sched_switch idle/0 R -> n/14 next_prio=120",
			 "600000002 cpu1 sys_exit t=14 nr=futex ret=0", "600000003 cpu0 sched_switch h/15 S -> idle/0", "650000000 cpu1 sched_waking a/10 target=0 by n/14",
			 "650000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "650000002 cpu0 sys_exit t=10 nr=futex ret=0", "660000000 cpu1 sched_switch n/14 S -> idle/0",
			 "700000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=futex-lock text='a (10) waits 56 % of its time for a user-space lock (futex at 0x1000): h (15) holds it (it runs on a CPU)'"));
}
END_TEST

/*
 * In each round b, which has lock 0x1000, waits for lock 0x2000, which c has in its sleep of 45 ms, and a waits for b; then a
 * has the first for 40 ms, and b waits for it. Each 100 ms c costs 45 of b and 45 of a, more than a costs b.
 */
static void put_two_locks(const char *a, const char *b, const char *c, bool is_thread)
{
	made_lines_begin();
	made_line("seed %s pid=10", a);
	made_line("seed %s pid=10", b);
	made_line("seed %s%s", c, is_thread ? " pid=10" : "");
	made_line("1 cpu0 sched_switch idle/0 R -> %s next_prio=120", c);
	made_line("1 cpu1 sched_switch idle/0 R -> %s next_prio=120", b);
	put_asleep(1, 0, c, "nanosleep 1 0");
	put_switch(2, 0, "idle/0", "R", a);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		put_asleep(us, 0, a, "futex 1000 80 2");
		put_asleep(us, 1, b, "futex 2000 80 2");
		put_awake(us + 44000, 0, c, "nanosleep ret=0", "idle/0");
		put_awake(us + 45000, 1, b, "futex ret=0", c);
		put_asleep(us + 46000, 0, c, "nanosleep 1 0");
		put_awake(us + 60000, 0, a, "futex ret=0", b);
		put_asleep(us + 60010, 1, b, "futex 1000 80 2");
		put_awake(us + 99980, 1, b, "futex ret=0", a);
	}
	made_line("1000100000 cpu0 sched_switch %s S -> idle/0", a);
}

START_TEST(a_line_before_two_locks)
{
	put_two_locks("a/10", "b/11", "c/12", true);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock text='a/b (10) waits 72 % of its time for a user-space lock (futex at 0x2000): c (12) holds it (it sleeps voluntarily in nanosleep)'"));
	/* the holder's process is unknown, and it has another name since: what it does is told by what ended the waits */
	put_two_locks("a/10", "b/11", "c/12", false);
	made_line("1000110000 cpu1 task_rename c/12 -> z");
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock text='a/b (10) waits 72 % of its time for a user-space lock (futex at 0x2000): c (12) holds it (it sleeps voluntarily)'"));
	/* of one name: the lock that is waited for most */
	put_two_locks("a/10", "a/11", "a/12", true);
	check_rows(FINDINGS, made_lines, ROWS("rule=futex-lock text='a (10) waits 72 % of its time for a user-space lock (futex at 0x1000): its threads take turns, a (11) has it most'"));
}
END_TEST

/*
 * In each round of 100 ms a waits at a semaphore of two processes for 60 ms, until h raises it. Where h too waited there
 * before, and a let it on, it is a lock; else h may be who has work for a, and a a worker of its pool.
 */
static void put_shared_semaphore(bool is_lock)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed h/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> h/11 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;

		put_asleep(us, 0, "a/10", "futex 1000 0 0");
		made_line("%u000 cpu1 sys_enter t=11 nr=futex 1000 1 1", us + 59999);
		put_awake(us + 60000, 0, "a/10", "futex ret=0", "h/11");
		made_line("%u000 cpu1 sys_exit t=11 nr=futex ret=1", us + 60002);
		put_asleep(us + 60010, 1, "h/11", is_lock ? "futex 1000 0 0" : "nanosleep 1 0");
		made_line("%u000 cpu0 sys_enter t=10 nr=futex 1000 1 1", us + 61999);
		put_awake(us + 62000, 1, "h/11", is_lock ? "futex ret=0" : "nanosleep ret=0", is_lock ? "a/10" : "idle/0");
		made_line("%u000 cpu0 sys_exit t=10 nr=futex ret=1", us + 62002);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

/* 60 ms of each round but the first, in which h has not waited yet. */
START_TEST(a_semaphore_that_is_a_lock)
{
	put_shared_semaphore(true);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=futex-lock cost_ms=540 text='a (10) waits 57 % of its time for a lock that processes share (futex at 0x1000): h (11) holds it (it runs on a CPU)'"));
	put_shared_semaphore(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* A client with a time-out waits in poll for a server that works for 60 ms of each 100; the server waits for it in peer_call. */
static void put_client(const char *peer_call)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	put_asleep(1, 1, "b/11", peer_call);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int us = round * 100000 + 10;
		char ret[40];

		snprintf(ret, sizeof ret, "%.*s ret=1", (int)strcspn(peer_call, " "), peer_call);
		made_line("%u000 cpu0 sched_waking b/11 target=1 by a/10", us + 30000);
		put_asleep(us + 30001, 0, "a/10", "pselect6 1 2 0 0");
		put_switch(us + 30002, 1, "idle/0", "R", "b/11");
		made_line("%u000 cpu1 sys_exit t=11 nr=%s", us + 30002, ret);
		put_awake(us + 90000, 0, "a/10", "pselect6 ret=1", "b/11");
		put_asleep(us + 90003, 1, "b/11", peer_call);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

START_TEST(an_answer_in_poll)
{
	put_client("epoll_wait 3 4 5");
	check_rows(FINDINGS, made_lines, ROWS("rule=peer-read text='a (10) waits 60 % of its time in pselect6 for a peer, over a pipe or a socket: b (11) runs on a CPU'"));
	put_client("pselect6 1 2 0 0");
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* A reader waits for the writer of a read-write lock of glibc: value 3, for any bit. */
START_TEST(a_read_write_lock)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed w/15 pid=10", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "100000000 cpu0 sys_enter t=10 nr=futex 1000 189 3",
			 "100000001 cpu0 sched_switch a/10 S -> idle/0", "100000002 cpu1 sched_switch idle/0 R -> w/15 next_prio=120",
			 "600000000 cpu1 sched_waking a/10 target=0 by w/15", "600000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "600000002 cpu0 sys_exit t=10 nr=futex ret=0",
			 "600000003 cpu1 sched_switch w/15 S -> idle/0", "700000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=futex-lock victim=a culprit=w cost_ms=500"));
}
END_TEST

/* b is in semop for 600 ms of the second, and a, which ends it, sleeps meanwhile: it has the lock if it waits for it too. */
static void put_semaphore(bool is_lock)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	put_asleep(10, 0, "a/10", is_lock ? "semop 1 2 3" : "nanosleep 1 0");
	put_awake(50000, 0, "a/10", is_lock ? "semop ret=0" : "nanosleep ret=0", "b/11");
	put_asleep(100000, 1, "b/11", "semop 1 2 3");
	put_asleep(101000, 0, "a/10", "nanosleep 1 0");
	put_awake(690000, 0, "a/10", "nanosleep ret=0", "idle/0");
	put_awake(700000, 1, "b/11", "semop ret=0", "a/10");
	put_switch(710000, 0, "a/10", "S", "idle/0");
	made_line("1000000000 cpu1 sched_switch b/11 S -> idle/0");
}

START_TEST(a_semaphore)
{
	/* of the kernels below one alone has that call */
	put_semaphore(true);
	check_rows(ASK("tasks", .findings = true, .layout = "6.1 x86-64"), made_lines, ROWS("rule=file-lock text='b (11) waits 60 % of its time in semop for a lock (semaphore): a (10) holds it (it sleeps voluntarily in nanosleep)'"));
	put_semaphore(false);
	check_rows(ASK("tasks", .findings = true, .layout = "6.1 x86-64"), made_lines, NO_ROWS);
}
END_TEST

/* Three threads run for 3 ms each, one after the other, and wait for 6 ms for their turn, 64 % of the time with their first; or one of them runs all the time. */
static void put_turns(bool many)
{
	made_lines_begin();
	for (int t = 0; t < 3; t++)
		made_line("seed a/%d pid=10", 10 + t);
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int turn = 0; many && turn < 40; turn++) {
		unsigned int us = 10 + turn * 3000, now = 10 + turn % 3, next = 10 + (turn + 1) % 3;

		if (turn >= 2)
			made_line("%u000 cpu0 sched_waking a/%u target=0 by a/%u irq", us + 2790, next, now);
		made_line("%u000 cpu0 sys_enter t=%u nr=futex 1000 189 0", us + 2800, now);
		made_line("%u000 cpu0 sched_switch a/%u S -> a/%u next_prio=120", us + 2801, now, next);
		if (turn >= 2)
			made_line("%u000 cpu0 sys_exit t=%u nr=futex ret=-110", us + 2802, next);
	}
	made_line("130000000 cpu0 sched_switch a/%d S -> idle/0", many ? 11 : 10);
}

START_TEST(turns)
{
	put_turns(true);
	check_rows(FINDINGS, made_lines, ROWS("rule=futex-lock text='a (10) waits 64 % of its time for a user-space lock (futex): the threads of a (10) take turns, one runs at a time'", "rule=timeouts"));
	put_turns(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* ---- calls that tell of waits ---- */

/* nr calls of a in 100 ms, 900 us each, and nr_others short ones after each. b sends signals meanwhile. */
static void put_calls(unsigned int nr, const char *call, const char *ret, const char *other, unsigned int nr_others, unsigned int nr_kills)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int us = 100 + i * (100000 / nr), len_us = 900;

		made_line("%u000 cpu0 sys_enter t=10 nr=%s", us, call);
		made_line("%u000 cpu0 sys_exit t=10 nr=%.*s %s", us + len_us, (int)strcspn(call, " "), call, ret);
		for (unsigned int n = 0; n < nr_others; n++) {
			made_line("%u000 cpu0 sys_enter t=10 nr=%s", us + len_us + 10 * n + 1, other);
			made_line("%u000 cpu0 sys_exit t=10 nr=%.*s ret=0", us + len_us + 10 * n + 2, (int)strcspn(other, " "), other);
		}
	}
	for (unsigned int i = 0; i < nr_kills; i++) {
		made_line("%u000 cpu1 sys_enter t=11 nr=kill a a", 50 + i * 1500);
		made_line("%u000 cpu1 sys_exit t=11 nr=kill ret=0", 51 + i * 1500);
	}
	made_line("110000000 cpu0 sched_switch a/10 S -> idle/0");
	made_line("110000001 cpu1 sched_switch b/11 S -> idle/0");
}

/* select(2) of no descriptor is a sleep. Each futex wait that ends by its time-out is followed by an unlock. */
START_TEST(time_outs)
{
	/* an editor looks for keys many times before it waits for one: the waits alone take long */
	put_calls(60, "pselect6 1 2 0 0", "ret=0", "pselect6 1 2 0 0", 3, 0);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	put_calls(20, "pselect6 1 2 0 0", "ret=0", NULL, 0, 0);
	check_rows(FINDINGS, made_lines, ROWS("rule=timeouts text='a (10) makes 181 pselect6 calls a second that end by their time-out, after 900 us'"));
	put_calls(20, "pselect6 0 0 0 0", "ret=0", NULL, 0, 0);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	put_calls(60, "futex 1000 80 2", "ret=-110", "futex 2000 81 1", 1, 0);
	check_rows(FINDINGS, made_lines, ROWS("rule=timeouts text='a (10) makes 545 futex calls a second that end by their time-out'"));
	put_calls(10, "futex 1000 80 2", "ret=-110", "futex 2000 81 1", 1, 0); /* 91 */
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* 181 signals a second are handled of 636 that b sends: the others were merged. */
START_TEST(merged_signals)
{
	put_calls(20, "rt_sigreturn", "ret=0", NULL, 0, 70);
	check_rows(FINDINGS, made_lines, ROWS("rule=signal-storm text='a (10) handles 181 signals a second: b (11) sends them'"));
	put_calls(20, "rt_sigreturn", "ret=0", NULL, 0, 25);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

Suite *rs_suite_findings_waits(void);
Suite *rs_suite_findings_waits(void)
{
	Suite *s = suite_create("findings_waits");
	TCase *t = tcase_create("findings_waits");

	tcase_add_test(t, one_that_sleeps_in_between);
	tcase_add_test(t, all_waits_count);
	tcase_add_test(t, softirqs_of_what_another_sends);
	tcase_add_test(t, interrupts_that_take_long);
	tcase_add_test(t, a_relay);
	tcase_add_test(t, a_long_chain);
	tcase_add_test(t, a_throttled_peer);
	tcase_add_test(t, a_victim_that_runs);
	tcase_add_test(t, the_slow_member_of_a_pipeline);
	tcase_add_test(t, a_line_before_a_lock);
	tcase_add_test(t, a_line_before_two_locks);
	tcase_add_test(t, a_semaphore_that_is_a_lock);
	tcase_add_test(t, an_answer_in_poll);
	tcase_add_test(t, a_read_write_lock);
	tcase_add_test(t, a_semaphore);
	tcase_add_test(t, turns);
	tcase_add_test(t, time_outs);
	tcase_add_test(t, merged_signals);
	suite_add_tcase(s, t);
	return s;
}
