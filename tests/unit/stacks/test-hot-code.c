// SPDX-License-Identifier: GPL-2.0-or-later
/* test-hot-code - the function that a process runs most, as findings and `why` name it */
#include <check.h>
#include <stdlib.h>

#include "ask.h"
#include "sample-lines.h"

/* a is runnable from 1 ms on while b runs, and runs itself from 301 ms to 401 ms: rule cpu-hog. */
#define HOG LINES("seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", "1000000 cpu0 sched_waking a/10 target=0 by b/11", \
		  "301000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", "401000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", \
		  "1000000001 cpu0 sched_waking z/90 target=0 by idle/0")

/* The kernel's functions are start (..0000), read (..0100), lock (..0200). */
#define IN_READ "2000000 cpu0 sample 11/11 400010 kernel ffffffff81000010 ffffffff81000110"
#define IN_LOCK "2000000 cpu0 sample 11/11 kernel ffffffff81000210"
#define IN_PROGRAM "2000000 cpu0 sample 11/11 400010" /* without a name */
#define OTHERS_READ "302000000 cpu0 sample 10/10 kernel ffffffff81000110"

struct times {
	unsigned int nr;
	const char *line;
};

#define TIMES(...) repeated((const struct times[]){ __VA_ARGS__, { 0, NULL } })

/* Lines, each so many times; valid until the next call. */
static const char *const *repeated(const struct times *times)
{
	static const char *lines[512];
	unsigned int nr = 0;

	for (; times->line; times++)
		for (unsigned int i = 0; i < times->nr; i++)
			lines[nr++] = times->line;
	lines[nr] = NULL;
	return lines;
}

#define FINDINGS(...) ASK("tasks", .findings = true, .samples = TIMES(__VA_ARGS__))

START_TEST(culprit_of_a_finding)
{
	check_rows(FINDINGS({ 20, IN_READ }, { 5, IN_LOCK }, { 30, OTHERS_READ }), HOG,
		   ROWS("rule=cpu-hog text='a (10) waits 75 % of its time for a CPU: b (11) runs meanwhile' code='b (11) spends 80 % of its CPU time in read (kernel)'"));
	/* the second half is that of a program without symbols: what has no name counts in the sum */
	check_rows(FINDINGS({ 10, IN_READ }, { 20, IN_PROGRAM }), HOG, ROWS("rule=cpu-hog code='b (11) spends 33 % of its CPU time in read (kernel)'"));
	/* two addresses of a function are one */
	check_rows(FINDINGS({ 10, IN_READ }, { 10, "2000000 cpu0 sample 11/11 kernel ffffffff81000120" }, { 15, IN_LOCK }), HOG,
		   ROWS("code='b (11) spends 57 % of its CPU time in read (kernel)'"));
}
END_TEST

START_TEST(too_few_samples)
{
	check_rows(FINDINGS({ 0, IN_READ }), HOG, ROWS("rule=cpu-hog code=-"));
	check_rows(FINDINGS({ 19, IN_READ }, { 30, OTHERS_READ }), HOG, ROWS("rule=cpu-hog code=-"));
	check_rows(FINDINGS({ 20, IN_READ }), HOG, ROWS("rule=cpu-hog code='b (11) spends 100 % of its CPU time in read (kernel)'"));
	/* 6 of 40 are 15 %, with 95 % confidence at least 7 %; 9 of 40 are at least 12 % */
	check_rows(FINDINGS({ 6, IN_READ }, { 34, IN_PROGRAM }), HOG, ROWS("rule=cpu-hog code=-"));
	check_rows(FINDINGS({ 9, IN_READ }, { 31, IN_PROGRAM }), HOG, ROWS("rule=cpu-hog code='b (11) spends 23 % of its CPU time in read (kernel)'"));
	check_rows(FINDINGS({ 30, IN_PROGRAM }), HOG, ROWS("rule=cpu-hog code=-"));
}
END_TEST

/* Those before the reset are of another interval. */
START_TEST(of_the_interval)
{
	check_rows(ASK("why", .samples = TIMES({ 30, IN_LOCK }, { 30, OTHERS_READ }), .by = "part", .some = true, .resets = RESETS(301000000)), HOG,
		   ROWS("part=run code='read (kernel) 100 %'"));
}
END_TEST

START_TEST(time_on_a_cpu)
{
#define MIXED TIMES({ 30, IN_READ }, { 10, IN_LOCK }, { 20, OTHERS_READ })
	check_rows(ASK("why", .samples = MIXED, .by = "pid,part", .some = true), HOG,
		   ROWS("pid=10 part=run code='read (kernel) 100 %'", "pid=11 part=run code='read (kernel) 75 %'", "pid=10 part='run queue' code=-"));
	check_rows(ASK("why", .samples = MIXED, .by = "tid,part", .some = true), HOG, ROWS("tid=11 part=run code='read (kernel) 75 %'"));
	check_rows(ASK("why", .samples = MIXED, .some = true), HOG, ROWS("part=run culprit=itself code='read (kernel) 83 %'"));
	check_rows(ASK("why", .samples = MIXED, .some = true, .pid = 11), HOG, ROWS("part=run culprit=itself code='read (kernel) 75 %'"));
	/* of parts of the time no samples are known apart */
	check_rows(ASK("why", .samples = MIXED, .some = true, .why = { .kind = RS_ASKED_SLICE, .tid = 11, .at_ns = 350000000 }), HOG, ROWS("part='run queue' code=-"));
}
END_TEST

Suite *rs_suite_hot_code(void)
{
	Suite *s = suite_create("hot-code");
	TCase *t = tcase_create("hot-code");

	tcase_add_test(t, culprit_of_a_finding);
	tcase_add_test(t, too_few_samples);
	tcase_add_test(t, of_the_interval);
	tcase_add_test(t, time_on_a_cpu);
	suite_add_tcase(s, t);
	return s;
}
