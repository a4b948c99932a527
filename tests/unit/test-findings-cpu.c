// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-findings-cpu - whose CPU is taken and by whom, where several run: who takes is never told as who suffers
 *
 * Traces of one second, in ten rounds of 100 ms.
 */
#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ask.h"

#define FINDINGS ASK("tasks", .findings = true)
#define ROUNDS 10
#define MAX_LINES 700
#define MS 1000000u

/* Lines that are made one after the other. */
static struct {
	char text[MAX_LINES][96];
	const char *lines[MAX_LINES + 1];
	unsigned int nr;
} made;

__attribute__((format(printf, 1, 2))) static void put_line(const char *format, ...)
{
	va_list args;

	ck_assert_uint_lt(made.nr, MAX_LINES);
	va_start(args, format);
	vsnprintf(made.text[made.nr], sizeof *made.text, format, args);
	va_end(args);
	made.lines[made.nr] = made.text[made.nr];
	made.lines[++made.nr] = NULL;
}

static void put_begin(void)
{
	made.nr = 0;
	put_line("seed a/10 pid=10");
	put_line("seed b/11 pid=11");
	put_line("seed b/12 pid=12");
	put_line("seed x/13 pid=13");
	put_line("1 cpu1 sched_switch idle/0 R -> x/13 next_prio=120");
	put_line("1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120");
}

/* In each round a is woken while b runs, waits for wait_ms, runs for run_ms and sleeps; two b take turns all the time. */
static void put_sleeper(unsigned int wait_ms, unsigned int run_ms)
{
	put_begin();
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int at = round * 100 * MS + 10 * MS, b = 11 + round % 2;

		put_line("%u cpu0 sched_waking a/10 target=0 by b/%u", at, b);
		put_line("%u cpu0 sched_switch b/%u R -> a/10 next_prio=120", at + wait_ms * MS, b);
		put_line("%u cpu0 sched_switch a/10 S -> b/%u next_prio=120", at + (wait_ms + run_ms) * MS, 11 + (round + 1) % 2);
	}
	put_line("1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120");
	put_line("1000000002 cpu1 sched_switch x/13 R -> x/13 next_prio=120");
}

/*
 * Two processes take turns, and a waits 30 % of what it wants: on average less than half a task waits for each of the two
 * CPUs, and yet a is kept from its work. The two are not: they would run all the time.
 */
START_TEST(one_that_sleeps_in_between)
{
	put_sleeper(15, 35);
	check_rows(FINDINGS, made.lines, ROWS("rule=cpu-saturated text='a (10) waits 30 % of its time for a CPU: 2 b processes run meanwhile'"));
	put_sleeper(10, 40);
	check_rows(FINDINGS, made.lines, NO_ROWS);
}
END_TEST

/*
 * a runs for 800 ms, of which softirqs take ten times loss_ms; s, on the other CPU, sends each time. Where a itself is in
 * a call that sends, the softirqs are of its own packets.
 */
static void put_softirqs(unsigned int loss_ms, bool is_own)
{
	made.nr = 0;
	put_line("seed a/10 pid=10");
	put_line("seed s/20 pid=20");
	put_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	put_line("1 cpu1 sched_switch idle/0 R -> s/20 next_prio=120");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int at = round * 80 * MS + MS;

		put_line("%u cpu1 sys_enter t=20 nr=sendto 3", at);
		put_line("%u cpu1 sys_exit t=20 nr=sendto ret=64", at + 1000);
		if (is_own)
			put_line("%u cpu0 sys_enter t=10 nr=sendto 3", at + 1500);
		put_line("%u cpu0 softirq_entry t=10 3", at + 2000);
		put_line("%u cpu0 softirq_exit t=10 3", at + 2000 + loss_ms * MS);
		if (is_own)
			put_line("%u cpu0 sys_exit t=10 nr=sendto ret=64", at + 3000 + loss_ms * MS);
	}
	put_line("800000001 cpu0 sched_switch a/10 S -> idle/0");
	put_line("1000000001 cpu1 sched_switch s/20 R -> s/20 next_prio=120");
}

/* 120 ms of 800 are 15 %, 70 ms 9 %. */
START_TEST(softirqs_of_what_another_sends)
{
	put_softirqs(12, false);
	check_rows(FINDINGS, made.lines, ROWS("rule=cpu-in-interrupts text='a (10) loses 15 % of its time to interrupts: softirq NET_RX takes CPU 0, for what s (20) sends'"));
	put_softirqs(7, false);
	check_rows(FINDINGS, made.lines, NO_ROWS);
	put_softirqs(12, true);
	check_rows(FINDINGS, made.lines, NO_ROWS);
}
END_TEST

/* 25 % in interrupts of a disk are 2500 a second that are short, or 250 that are long: the latter are a virtual device's. */
START_TEST(interrupts_that_take_long)
{
	for (unsigned int len_us = 1000; len_us >= 100; len_us /= 10) {
		made.nr = 0;
		put_line("seed a/10 pid=10");
		put_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
		for (unsigned int i = 1; i < 300; i++) {
			put_line("%" PRIu64 " cpu0 irq_handler_entry t=10 9 disk", (uint64_t)i * len_us * 4000);
			put_line("%" PRIu64 " cpu0 irq_handler_exit t=10 9", (uint64_t)i * len_us * 4000 + len_us * 1000);
		}
		put_line("%" PRIu64 " cpu0 sched_switch a/10 S -> idle/0", (uint64_t)300 * len_us * 4000);
		check_rows(FINDINGS, made.lines, len_us == 1000 ? NO_ROWS : ROWS("rule=cpu-in-interrupts text='a (10) loses 25 % of its time to interrupts: irq disk takes CPU 0'"));
	}
}
END_TEST

Suite *rs_suite_findings_cpu(void);
Suite *rs_suite_findings_cpu(void)
{
	Suite *s = suite_create("findings_cpu");
	TCase *t = tcase_create("findings_cpu");

	tcase_add_test(t, one_that_sleeps_in_between);
	tcase_add_test(t, softirqs_of_what_another_sends);
	tcase_add_test(t, interrupts_that_take_long);
	suite_add_tcase(s, t);
	return s;
}
