// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-cpus - who waits for a CPU, where cgroups divide it or processes come and go: traces of one second */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* Of 980 ms that a would run it gets 2 * 80 = 160; a third of an equal share of two is 163, a quarter is 122. */
#define GETS_160(group_a, group_b, group_c) GETS_160_OF("a", "b", group_a, group_b, group_c)
#define GETS_160_OF(a, b, group_a, group_b, group_c) \
	"seed " a "/10 pid=10" group_a, "seed " b "/11 pid=11" group_b, "seed " b "/12 pid=12" group_c, \
	"1 cpu0 sched_switch idle/0 R -> " b "/11 next_prio=120", \
	"1000000 cpu0 sched_waking " a "/10 target=0 by " b "/11", "411000000 cpu0 sched_switch " b "/11 R -> " a "/10 next_prio=120", \
	"491000000 cpu0 sched_switch " a "/10 R -> " b "/12 next_prio=120", "901000000 cpu0 sched_switch " b "/12 R -> " a "/10 next_prio=120", \
	"981000000 cpu0 sched_switch " a "/10 S -> " b "/11 next_prio=120", "1000000001 cpu0 sched_switch " b "/11 R -> " b "/12 next_prio=120"

/* Two cgroups share a CPU as two processes do, whatever the number of processes in them; b is of one cgroup, of two, or of that of a. */
START_TEST(weights_of_groups)
{
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/b", " cgroup=/b")), ROWS("rule=cpu-weight victim=a culprit=b"));
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/a", " cgroup=/a")), ROWS("rule=cpu-saturated victim=a culprit=b"));
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/b", " cgroup=/a")), ROWS("rule=cpu-saturated victim=a culprit=b"));
}
END_TEST

/* Processes of one interpreter are apart by what they run; where no command line is known they are of one name. */
START_TEST(programs_that_share_an_interpreter)
{
	check_rows(FINDINGS, LINES("args 10 python3 web.py", "args 11 python3 -u batch.py 1", "args 12 python3 batch.py 2",
				   GETS_160_OF("python3", "python3", "", "", "")),
		   ROWS("rule=cpu-saturated text='python3 web.py (10) waits 84 % of its time for a CPU: "
			"2 python3 batch.py processes run meanwhile'"));
	check_rows(FINDINGS, LINES("args 10 python3 web.py", "args 11 python3 batch.py", "args 12 python3 load.py",
				   GETS_160_OF("python3", "python3", "", "", "")),
		   ROWS("rule=cpu-hog text='python3 web.py (10) waits 84 % of its time for a CPU: python3 batch.py (11) runs meanwhile'",
			"rule=cpu-hog text='python3 batch.py (11) waits 57 % of its time for a CPU: python3 load.py (12) runs meanwhile'"));
	check_rows(FINDINGS, LINES(GETS_160_OF("python3", "python3", "", "", "")), ROWS("rule=cpu-own-threads victim=python3"));
}
END_TEST

/* Where the weights are known they decide, not the shares: of the groups where the paths part. */
START_TEST(known_weights)
{
#define WEIGHTS(a, b) LINES("counts /", "counts /a weight=" #a, "counts /a/x weight=1", "counts /b weight=" #b, GETS_160(" cgroup=/a", " cgroup=/b", " cgroup=/b"))
	check_rows(FINDINGS, WEIGHTS(50, 100),
		   ROWS("rule=cpu-weight confidence=measured victim=a culprit=b text='a (10) waits 84 % of its time for a CPU: 2 b processes run meanwhile, with far more "
			"weight (cpu.weight 100 against 50)'"));
	check_rows(FINDINGS, WEIGHTS(51, 100), ROWS("rule=cpu-saturated victim=a culprit=b"));
}
END_TEST

/*
 * b, which would run all the time, waits 25 % of it for a, beside a CPU that is idle: neither need wait. a itself waits for
 * wait_ms of each 100: if that is much, it is the one that suffers.
 */
static void put_pinned(const char *other_cpu, unsigned int wait_ms)
{
	static char text[64][96];
	static const char *lines[64];
	unsigned int nr = 0;

#define PUT(...) (snprintf(text[nr], sizeof *text, __VA_ARGS__), lines[nr] = text[nr], lines[++nr] = NULL)
	PUT("seed a/10 pid=10");
	PUT("seed b/11 pid=11");
	PUT("%s", other_cpu);
	PUT("11 cpu0 sched_switch idle/0 R -> b/11 next_prio=120");
	for (unsigned int at = 10; at < 1000; at += 100) {
		PUT("%u000000 cpu0 sched_waking a/10 target=0 by b/11", at);
		PUT("%u000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", at + wait_ms);
		PUT("%u000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", at + wait_ms + 25);
	}
	PUT("1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120");
	check_rows(FINDINGS, lines, *other_cpu != '1' ? NO_ROWS : wait_ms < 4 ?
		   ROWS("rule=cpu-saturated victim=b culprit=a text='b (11) waits 25 % of its time for a CPU although CPU 1 is idle (affinity): a (10) runs meanwhile'") :
		   ROWS("rule=cpu-hog victim=a culprit=b"));
}

START_TEST(two_that_share_a_cpu_beside_an_idle_one)
{
	put_pinned("10 cpu1 sched_switch y/91 S -> idle/0", 1);
	put_pinned("10 cpu1 sched_switch y/91 S -> idle/0", 6);
	put_pinned("seed y/91 pid=91", 1); /* there is no other CPU */
}
END_TEST

/*
 * A shell that was there before starts a process each 40 or 60 ms, each of which runs for run_ms: 25 a second are
 * enough if they are a quarter of what both CPUs can do, and run for a moment each.
 */
static void check_forks(unsigned int each_ms, unsigned int run_ms, const char *const *expected)
{
	static char text[256][96];
	static const char *lines[256];
	unsigned int nr = 0, tid = 100;

	PUT("seed sh/10 pid=10");
	PUT("1 cpu0 sched_switch idle/0 R -> sh/10 next_prio=120");
	PUT("2 cpu1 sched_switch idle/0 R -> x/13 next_prio=120");
	PUT("3 cpu1 sched_switch x/13 S -> idle/0 next_prio=120");
	PUT("4 cpu0 sys_enter t=10 nr=read 3 4 5");
	PUT("5 cpu0 sys_exit t=10 nr=read ret=1");
	for (unsigned int at = 1; at < 1000; at += each_ms, tid++) {
		PUT("%u000000 cpu0 task_newtask sh/%u flags=0 by sh/10", at, tid);
		PUT("%u000000 cpu0 sched_process_fork sh/10 -> sh/%u", at, tid);
		PUT("%u000001 cpu1 sched_switch idle/0 R -> sh/%u next_prio=120", at, tid);
		PUT("%u000002 cpu1 sched_process_exit sh/%u", at + run_ms, tid);
		PUT("%u000003 cpu1 sched_switch sh/%u X -> idle/0", at + run_ms, tid);
	}
	PUT("1000000001 cpu0 sched_switch sh/10 R -> sh/10 next_prio=120");
	check_rows(FINDINGS, lines, expected);
}

START_TEST(processes_that_are_most_of_the_work)
{
	check_forks(40, 21, ROWS("rule=fork-storm victim=sh text='sh (10) starts 25 short-lived processes a second (fork, exec): their start and end takes the CPUs'"));
	check_forks(40, 19, NO_ROWS);
	check_forks(60, 40, NO_ROWS);
}
END_TEST

/* ---- beside those that take all CPUs ---- */

/* h/20 (and h/21, which has the second half of each round) would run all the time on CPU 0, h/22 (and h/23) on CPU 1. */
static void cpus_begin(bool are_many)
{
	made_lines_begin();
	for (int tid = 20; tid <= 23; tid += are_many ? 1 : 2)
		made_line("seed h/%d pid=%d", tid, tid);
	made_line("1 cpu0 sched_switch idle/0 R -> h/20 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> h/22 next_prio=120");
	for (int cpu = 0; are_many && cpu < 2; cpu++) {
		made_line("2 cpu%d sched_switch h/%d R -> h/%d next_prio=120", cpu, 20 + 2 * cpu, 21 + 2 * cpu);
		made_line("3 cpu%d sched_switch h/%d R -> h/%d next_prio=120", cpu, 21 + 2 * cpu, 20 + 2 * cpu);
	}
}

static void cpus_put_second_half(unsigned int round)
{
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		made_line("%u000000 cpu%u sched_switch h/%u R -> h/%u next_prio=120", round * 100 + 70, cpu, 20 + 2 * cpu, 21 + 2 * cpu);
		made_line("%u000000 cpu%u sched_switch h/%u R -> h/%u next_prio=120", round * 100 + 100, cpu, 21 + 2 * cpu, 20 + 2 * cpu);
	}
}

static void cpus_end(void)
{
	made_line("1000000001 cpu0 sched_switch h/20 R -> h/20 next_prio=120");
	made_line("1000000001 cpu1 sched_switch h/22 R -> h/22 next_prio=120");
}

/*
 * In each round both threads of a are woken on one CPU, which h has for 5 ms more; then one runs for 20 ms, and the other one after it: they
 * wait 30 ms of 70, 20 of these for one another. Nothing but h, which has the other CPU, makes them stand one behind the other.
 */
static void cpus_put_threads(bool are_many, bool is_pinned)
{
	cpus_begin(are_many);
	made_line("seed a/10 pid=10");
	made_line("seed a/11 pid=10");
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int ms = round * 100 + 10, cpu = is_pinned ? 0 : round % 2, other = 1 - cpu;

		for (int tid = 10; tid <= 11; tid++)
			made_line("%u00000%d cpu%u sched_waking a/%d target=%u by h/%u", ms, tid - 10, other, tid, cpu, 20 + 2 * other);
		made_line("%u000000 cpu%u sched_switch h/%u R -> a/10 next_prio=120", ms + 5, cpu, 20 + 2 * cpu);
		made_line("%u000000 cpu%u sched_switch a/10 S -> a/11 next_prio=120", ms + 25, cpu);
		made_line("%u000000 cpu%u sched_switch a/11 S -> h/%u next_prio=120", ms + 45, cpu, 20 + 2 * cpu);
		if (are_many)
			cpus_put_second_half(round);
	}
	cpus_end();
}

START_TEST(threads_that_stand_one_behind_the_other)
{
	cpus_put_threads(false, false);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-saturated text='a (10) waits 43 % of its time for a CPU: 2 h processes run meanwhile'"));
	/* if they may use one CPU alone, they are their own trouble, and too few wait */
	cpus_put_threads(false, true);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* Four that compete for two CPUs are told as such, but not beside another, which sleeps in between and suffers by them. */
START_TEST(takers_that_compete)
{
	cpus_put_threads(true, false);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-saturated victim=a culprit=h"));
	cpus_begin(true);
	for (unsigned int round = 0; round < 10; round++)
		cpus_put_second_half(round);
	cpus_end();
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-own-threads victim=h"));
}
END_TEST

/* a waits for 11 ms in each round, and runs for 44: that is 20 % of its time. Beside more than the machine has CPUs for it is enough. */
static void cpus_put_sleeper(bool are_many)
{
	cpus_begin(are_many);
	made_line("seed a/10 pid=10");
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int ms = round * 100 + 10, cpu = round % 2, other = 1 - cpu;

		made_line("%u000001 cpu%u sched_waking a/10 target=%u by h/%u", ms, other, cpu, 20 + 2 * other);
		made_line("%u000000 cpu%u sched_switch h/%u R -> a/10 next_prio=120", ms + 11, cpu, 20 + 2 * cpu);
		made_line("%u000000 cpu%u sched_switch a/10 S -> h/%u next_prio=120", ms + 55, cpu, 20 + 2 * cpu);
		if (are_many)
			cpus_put_second_half(round);
	}
	cpus_end();
}

START_TEST(beside_more_than_there_are_cpus)
{
	cpus_put_sleeper(true);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-saturated victim=a culprit=h"));
	cpus_put_sleeper(false);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/*
 * The thread audit/13 of a waits for 600 ms of the second, at nice 19, while b runs; its thread a/10 is at nice 0 and never waits. Where it is
 * a/10 that is nice, which does not wait, the nice level is no reason.
 */
#define AUDIT(prio_audit, prio_a) \
	"seed a/10 pid=10", "seed audit/13 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", \
	"2 cpu1 sched_switch idle/0 R -> a/10 next_prio=" #prio_a, "1000000 cpu0 sched_waking audit/13 target=0 by b/11", \
	"301000000 cpu0 sched_switch b/11 R -> audit/13 next_prio=" #prio_audit, "401000000 cpu0 sched_switch audit/13 S -> b/11 next_prio=120", \
	"501000000 cpu0 sched_waking audit/13 target=0 by b/11", "801000000 cpu0 sched_switch b/11 R -> audit/13 next_prio=" #prio_audit, \
	"901000000 cpu0 sched_switch audit/13 S -> b/11 next_prio=120", "901000001 cpu1 sched_switch a/10 S -> idle/0", "1000000001 cpu0 sched_switch b/11 S -> idle/0"

START_TEST(a_thread_that_is_nice)
{
	check_rows(FINDINGS, LINES(AUDIT(139, 120)),
		   ROWS("rule=cpu-nice text='a (10) waits 35 % of its time for a CPU: its thread audit (13) is at nice 19, b (11) runs meanwhile at nice 0'"));
	check_rows(FINDINGS, LINES(AUDIT(120, 139)), ROWS("rule=cpu-hog text='a (10) waits 35 % of its time for a CPU: b (11) runs meanwhile'"));
}
END_TEST

/* Likewise b has a thread at a real-time priority, which runs, and one that is at nice 0. */
START_TEST(a_thread_of_real_time)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed b/11 pid=11", "seed loop/14 pid=11", "1 cpu0 sched_switch idle/0 R -> loop/14 next_prio=49",
			 "2 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "1000000 cpu0 sched_waking a/10 target=0 by loop/14",
			 "501000000 cpu0 sched_switch loop/14 S -> a/10 next_prio=120", "601000000 cpu0 sched_switch a/10 S -> idle/0",
			 "601000001 cpu1 sched_switch b/11 S -> idle/0", "1000000001 cpu0 sched_waking a/10 target=0 by idle/0"),
		   ROWS("rule=cpu-realtime text='a (10) waits 83 % of its time for a CPU: b (11) runs meanwhile, in its thread loop (14), at real-time priority 50'"));
}
END_TEST

Suite *rs_suite_findings_cpus(void);
Suite *rs_suite_findings_cpus(void)
{
	Suite *s = suite_create("findings_cpus");
	TCase *t = tcase_create("findings_cpus");

	tcase_add_test(t, weights_of_groups);
	tcase_add_test(t, programs_that_share_an_interpreter);
	tcase_add_test(t, known_weights);
	tcase_add_test(t, two_that_share_a_cpu_beside_an_idle_one);
	tcase_add_test(t, processes_that_are_most_of_the_work);
	tcase_add_test(t, threads_that_stand_one_behind_the_other);
	tcase_add_test(t, takers_that_compete);
	tcase_add_test(t, beside_more_than_there_are_cpus);
	tcase_add_test(t, a_thread_that_is_nice);
	tcase_add_test(t, a_thread_of_real_time);
	suite_add_tcase(s, t);
	return s;
}
