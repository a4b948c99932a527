// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-forks - who starts processes: too many that live for a moment, or one that it waits for. Traces of one second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* p was there before the recording, or is started in it. */
static void forks_begin(bool is_lasting)
{
	made_lines_begin();
	if (is_lasting)
		made_line("seed p/10 pid=10");
	else
		made_line("1 cpu1 sched_process_fork z/90 -> p/10");
	made_line("2 cpu0 sched_switch idle/0 R -> p/10 next_prio=120");
}

/* a waits for its child for 800 ms of the second: it is told so if it lives longer than that itself. */
static void forks_put_parent(bool is_lasting)
{
	forks_begin(is_lasting);
	made_line("10000000 cpu0 sched_process_fork p/10 -> p/11");
	made_line("10000001 cpu0 sys_enter t=10 nr=wait4 b 0 0");
	made_line("10000002 cpu0 sched_switch p/10 S -> p/11 next_prio=120");
	made_line("10000003 cpu0 sched_process_exec /bin/work t=11 pid=11 old=11");
	made_line("%u cpu0 sched_waking p/10 target=0 by work/11", is_lasting ? 810000000 : 400000000);
	made_line("%u cpu0 sched_switch work/11 X -> p/10 next_prio=120", is_lasting ? 810000001 : 400000001);
	made_line("%u cpu0 sys_exit t=10 nr=wait4 ret=11", is_lasting ? 810000002 : 400000002);
	made_line("%u cpu0 sched_switch p/10 %s -> idle/0", is_lasting ? 820000000 : 410000000, is_lasting ? "S" : "X");
	made_line("1000000001 cpu1 sched_switch z/90 S -> idle/0");
}

/* p starts one each 20 ms, or 100 ms, which waits for two before it, and runs as long. */
static void forks_put_short_lived(unsigned int each_ms)
{
	made_lines_begin();
	made_line("seed p/10 pid=10");
	made_line("1 cpu1 sched_switch idle/0 R -> p/10 next_prio=120");
	for (unsigned int i = 0; i < 1000 / each_ms; i++) {
		unsigned int us = i * each_ms * 1000 + 10;
		char from[24] = "idle/0";

		made_line("%u000 cpu1 task_newtask p/%u flags=0 by p/10", us, 100 + i);
		made_line("%u000 cpu1 sched_process_fork p/10 -> p/%u", us, 100 + i);
		made_line("%u001 cpu1 sched_wakeup_new p/%u target=0 by p/10", us, 100 + i);
		if (i < 2)
			continue;
		if (i > 2)
			snprintf(from, sizeof from, "b/%u", 100 + i - 3);
		made_line("%u002 cpu0 sched_switch %s X -> p/%u next_prio=120", us, from, 100 + i - 2);
		made_line("%u003 cpu0 sched_process_exec /bin/b t=%u pid=%u old=%u", us, 100 + i - 2, 100 + i - 2, 100 + i - 2);
	}
	made_line("1000000000 cpu1 sched_switch p/10 S -> idle/0");
}

START_TEST(short_lived_ones_that_wait_for_one_another)
{
	forks_put_short_lived(20);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=fork-storm text='p (10) starts 48 short-lived b processes a second (fork, exec): they wait 66 % of their time for a CPU'"));
	forks_put_short_lived(100);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-own-threads victim=b"));
}
END_TEST

/* p starts one each 20 ms, 50 a second, which takes it 1 ms on a CPU, and runs for a while on the other one. */
static void forks_put_many(unsigned int run_us)
{
	made_lines_begin();
	made_line("seed p/10 pid=10");
	made_line("1 cpu1 sched_switch idle/0 R -> p/10 next_prio=120");
	made_line("2 cpu0 sched_switch z/90 S -> idle/0");
	for (unsigned int i = 0; i < 50; i++) {
		unsigned int us = i * 20000 + 10;

		made_line("%u000 cpu1 sys_enter t=10 nr=clone 11 0 0 0 0 0", us);
		made_line("%u000 cpu1 task_newtask p/%u flags=0 by p/10", us + 1000, 100 + i);
		made_line("%u000 cpu1 sched_process_fork p/10 -> p/%u", us + 1000, 100 + i);
		made_line("%u000 cpu1 sched_wakeup_new p/%u target=0 by p/10", us + 1000, 100 + i);
		made_line("%u000 cpu1 sys_exit t=10 nr=clone ret=%u", us + 1000, 100 + i);
		made_line("%u001 cpu0 sched_switch idle/0 R -> p/%u next_prio=120", us + 1000, 100 + i);
		made_line("%u001 cpu0 sched_switch p/%u X -> idle/0", us + 1000 + run_us, 100 + i);
	}
	made_line("1000000000 cpu1 sched_switch p/10 S -> idle/0");
}

/* Ten times of what it takes to start one are as much as they may do; 250 ms of each second of both CPUs is the least they must. */
START_TEST(short_lived_ones_that_do_little)
{
	forks_put_many(10000);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=fork-storm text='p (10) starts 50 short-lived processes a second (fork, exec): their start and end takes the CPUs'"));
	forks_put_many(9900);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	forks_put_many(10100);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* p waits for cc, which waits for cc1, which runs: for 400 ms, as long as p lives, or for 800. */
static void forks_put_chain(bool is_lasting)
{
	unsigned int end_ms = is_lasting ? 810 : 400;

	forks_begin(is_lasting);
	made_line("10000000 cpu0 sched_process_fork p/10 -> cc/11");
	made_line("10000001 cpu0 sys_enter t=10 nr=wait4 b 0 0");
	made_line("10000002 cpu0 sched_switch p/10 S -> cc/11 next_prio=120");
	made_line("11000000 cpu0 sched_process_fork cc/11 -> cc/12");
	made_line("11000001 cpu0 sys_enter t=11 nr=wait4 c 0 0");
	made_line("11000002 cpu0 sched_switch cc/11 S -> cc/12 next_prio=120");
	made_line("11000003 cpu0 sched_process_exec /bin/cc1 t=12 pid=12 old=12");
	made_line("%u000000 cpu0 sched_waking cc/11 target=0 by cc1/12", end_ms);
	made_line("%u000001 cpu0 sched_switch cc1/12 X -> cc/11 next_prio=120", end_ms);
	made_line("%u000002 cpu0 sys_exit t=11 nr=wait4 ret=12", end_ms);
	made_line("%u000003 cpu0 sched_waking p/10 target=0 by cc/11", end_ms);
	made_line("%u000004 cpu0 sched_switch cc/11 X -> p/10 next_prio=120", end_ms);
	made_line("%u000005 cpu0 sys_exit t=10 nr=wait4 ret=11", end_ms);
	made_line("%u000000 cpu0 sched_switch p/10 %s -> idle/0", end_ms + 10, is_lasting ? "S" : "X");
	made_line("1000000001 cpu1 sched_switch z/90 S -> idle/0");
}

/* A build that is started over and over, one file at a time: nobody is slow. */
START_TEST(a_child_of_a_child)
{
	forks_put_chain(true);
	check_rows(FINDINGS, made_lines, ROWS("rule=peer-child victim=p culprit=cc1 cost_ms=800"));
	forks_put_chain(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

START_TEST(a_child)
{
	forks_put_parent(true);
	check_rows(FINDINGS, made_lines, ROWS("rule=peer-child victim=p culprit=work cost_ms=800"));
	forks_put_parent(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* pid forks child, which execs a program of that name, and waits for it in wait4; the child runs from then on. */
static void forks_put_child(unsigned int at_us, const char *parent, const char *child, const char *program)
{
	const char *pid = strchr(parent, '/') + 1, *tid = strchr(child, '/') + 1;

	made_line("%u000 cpu0 sched_process_fork %s -> %s", at_us, parent, child);
	made_line("%u001 cpu0 sys_enter t=%s nr=wait4 3", at_us, pid);
	made_line("%u002 cpu0 sched_switch %s S -> %s next_prio=120", at_us, parent, child);
	made_line("%u100 cpu0 sched_process_exec %s t=%s pid=%s old=%s", at_us, program, tid, tid, tid);
}

static void forks_put_end(unsigned int at_us, const char *child, const char *parent)
{
	made_line("%u000 cpu0 sched_waking %s target=0 by %s", at_us, parent, child);
	made_line("%u001 cpu0 sched_switch %s X -> %s next_prio=120", at_us, child, parent);
	made_line("%u002 cpu0 sys_exit t=%s nr=wait4 ret=1", at_us, strchr(parent, '/') + 1);
}

/*
 * app runs scripts, one after the other, of which each runs sleep, for 1,000,000 / nr us; or it runs sleep itself. The first began before the trace.
 */
static void forks_put_sleeps(unsigned int nr, bool has_script)
{
	unsigned int len_us = 990000 / nr;

	made_lines_begin();
	made_line("seed app/10 pid=10");
	made_line("1 cpu0 sched_switch idle/0 R -> app/10 next_prio=120");
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int us = i * len_us + 10;
		char script[16], sleep[16];

		snprintf(script, sizeof script, has_script ? "slow/%u" : "app/10", 20 + i);
		snprintf(sleep, sizeof sleep, "sleep/%u", 40 + i);
		if (has_script)
			forks_put_child(us, "app/10", script, "/opt/slow");
		forks_put_child(us + 100, script, sleep, "/usr/bin/sleep");
		made_line("%u000 cpu0 sys_enter t=%u nr=nanosleep 1 2", us + 200, 40 + i);
		made_line("%u001 cpu0 sched_switch %s S -> idle/0", us + 200, sleep);
		made_line("%u000 cpu0 sched_waking %s target=0 by idle/0 irq", us + len_us - 5000, sleep);
		made_line("%u001 cpu0 sched_switch idle/0 R -> %s next_prio=120", us + len_us - 5000, sleep);
		made_line("%u002 cpu0 sys_exit t=%u nr=nanosleep ret=0", us + len_us - 5000, 40 + i);
		forks_put_end(us + len_us - 4000, sleep, script);
		if (has_script)
			forks_put_end(us + len_us - 3000, script, "app/10");
	}
	made_line("1000100000 cpu0 sched_switch app/10 S -> idle/0");
}

START_TEST(children_that_wait_for_a_sleep)
{
	forks_put_sleeps(2, true);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=peer-child victim=app culprit=sleep text='app (10) waits 98 % of its time in wait4 for its child (/opt/slow): "
			"slow waits for sleep, which sleeps voluntarily in nanosleep (/usr/bin/sleep)'"));
	/* one child alone: who knows what for */
	forks_put_sleeps(1, true);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	/* it sleeps itself, by way of a child: of that it is told to whom asks about it */
	forks_put_sleeps(2, false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	check_rows(ASK("tasks", .findings = true, .pid = 10), made_lines,
		   ROWS("rule=own-sleep victim=app text='app (10) sleeps 98 % of its time voluntarily, in wait4 for its child sleep, "
			"which sleeps voluntarily in nanosleep (/usr/bin/sleep)'",
			"rule=own-sleep victim=sleep"));
}
END_TEST

Suite *rs_suite_findings_forks(void);
Suite *rs_suite_findings_forks(void)
{
	Suite *s = suite_create("findings_forks");
	TCase *t = tcase_create("all");

	tcase_add_test(t, short_lived_ones_that_wait_for_one_another);
	tcase_add_test(t, short_lived_ones_that_do_little);
	tcase_add_test(t, a_child);
	tcase_add_test(t, a_child_of_a_child);
	tcase_add_test(t, children_that_wait_for_a_sleep);
	suite_add_tcase(s, t);
	return s;
}
