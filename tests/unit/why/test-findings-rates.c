// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-rates - much in little time: calls that fail or come to nothing, and processes that are started */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"

#define FINDINGS ASK("tasks", .findings = true)

#define MAX_REPEATS 200

static unsigned int asked = 5; /* the third argument of calls */

/* a runs for 100 ms and makes nr calls meanwhile, each of len_ns, in which it stays on its CPU; after each one that does not fail, or not. */
static void check_calls_among(const char *call, int nr, unsigned int len_ns, int ret, const char *other, const char *const *expected)
{
	static char text[4 * MAX_REPEATS][80];
	const char *lines[4 * MAX_REPEATS + 8] = { "seed a/10 pid=10", "1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120" };
	unsigned int at = 2, step_ns = 99000000u / (unsigned int)nr;

	ck_assert_int_le(nr, MAX_REPEATS);
	for (int i = 0; i < nr; i++) {
		unsigned int from_ns = 2000 + (unsigned int)i * step_ns;

		snprintf(text[4 * i], sizeof *text, "%u cpu0 sys_enter t=10 nr=%s %d 4 %x", from_ns, call, strcmp(call, "pselect6") != 0, asked);
		snprintf(text[4 * i + 1], sizeof *text, "%u cpu0 sys_exit t=10 nr=%s ret=%d", from_ns + len_ns, call, ret);
		snprintf(text[4 * i + 2], sizeof *text, "%u cpu0 sys_enter t=10 nr=%s 1", from_ns + len_ns + 10, other);
		snprintf(text[4 * i + 3], sizeof *text, "%u cpu0 sys_exit t=10 nr=%s ret=1", from_ns + len_ns + 20, other);
		for (int line = 0; line < (*other ? 4 : 2); line++)
			lines[at++] = text[4 * i + line];
	}
	lines[at++] = "101000000 cpu0 sched_switch a/10 S -> idle/0";
	check_rows(FINDINGS, lines, expected);
}

static void check_calls(const char *call, int nr, unsigned int len_ns, int ret, const char *const *expected)
{
	check_calls_among(call, nr, len_ns, ret, "", expected);
}

START_TEST(calls)
{
	check_calls("openat", 40, 300000, -2, ROWS("rule=calls-fail text='a (10) makes 396 openat calls a second that fail: ENOENT' where='pid == 10'"));
	check_calls_among("openat", 40, 300000, -2, "getppid", ROWS("rule=calls-fail"));
	check_calls_among("openat", 28, 300000, -2, "getppid", NO_ROWS);
	check_calls("openat", 40, 300000, 5, NO_ROWS);
	/* 4 % of its time: it gets nowhere if it asks for nothing else, and else does its work */
	check_calls("openat", 40, 100000, -2, ROWS("rule=calls-fail text='a (10) makes 396 openat calls a second that fail: ENOENT'"));
	check_calls_among("openat", 40, 100000, -2, "getppid", NO_ROWS);
	check_calls_among("openat", 40, 100000, -2, "nanosleep", ROWS("rule=calls-fail"));
	/* that there is something to accept is told each time, and each time there is no descriptor for it */
	check_calls_among("accept4", 40, 100000, -24, "epoll_wait", ROWS("rule=calls-fail text='a (10) makes 396 accept4 calls a second that fail: EMFILE'"));
	check_calls("openat", 11, 100000, -2, ROWS("rule=calls-fail"));
	check_calls("openat", 9, 100000, -2, NO_ROWS);
	check_calls("wait4", 120, 100000, 0, ROWS("rule=busy-poll"));
	check_calls("wait4", 90, 100000, 0, NO_ROWS);
	check_calls("wait4", 120, 100000, 7, NO_ROWS);
	check_calls("read", 120, 100000, -11, ROWS("rule=calls-again text='a (10) makes 1188 read calls a second that fail with EAGAIN: it polls in a busy loop, and keeps a CPU busy'"));
	check_calls("read", 80, 200000, -11, NO_ROWS);
	check_calls("epoll_wait", 120, 100000, 0, ROWS("rule=busy-poll text='a (10) makes 1188 epoll_wait calls a second, and nothing to do: it polls in a busy loop, and keeps a CPU busy'"));
	check_calls("epoll_wait", 120, 100000, 1, NO_ROWS);
	check_calls("read", 160, 60000, 1, ROWS("rule=tiny-io text='a (10) makes 1584 read calls a second of 1 byte each: too small'"));
	check_calls("read", 160, 60000, 4096, NO_ROWS);
	asked = 100; /* a peer or a pipe has no more for it */
	check_calls("read", 160, 60000, 1, NO_ROWS);
	check_calls("write", 160, 60000, 1, ROWS("rule=tiny-io"));
	asked = 0x40000000; /* MSG_CMSG_CLOEXEC: no number of bytes */
	check_calls("recvmsg", 160, 60000, 1, ROWS("rule=tiny-io"));
	asked = 5;
	check_calls("epoll_wait", 8, 10000000, 0, ROWS("rule=timeouts text='a (10) makes 79 epoll_wait calls a second that end by their time-out, after 10 ms'"));
	check_calls("epoll_wait", 2, 10000000, 0, NO_ROWS);
	check_calls("pselect6", 8, 10000000, 0, NO_ROWS); /* select(0, ...): it sleeps */
}
END_TEST

/* Twenty processes that a forks in a tenth of a second are 200 a second; nineteen are not. */
START_TEST(forks)
{
	static char text[40][80];

	for (int nr = 19; nr <= 20; nr++) {
		const char *lines[48] = { "seed a/10 pid=10", "1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120" };

		for (int i = 0; i < nr; i++) {
			snprintf(text[2 * i], sizeof *text, "%d cpu0 task_newtask a/%d flags=0 by a/10", 2000 + i * 1000000, 100 + i);
			snprintf(text[2 * i + 1], sizeof *text, "%d cpu0 sched_process_fork a/10 -> a/%d", 2001 + i * 1000000, 100 + i);
			lines[2 + 2 * i] = text[2 * i];
			lines[3 + 2 * i] = text[2 * i + 1];
		}
		lines[2 + 2 * nr] = "100001000 cpu0 sched_switch a/10 S -> idle/0";
		check_rows(FINDINGS, lines, nr == 20 ? ROWS("rule=fork-storm text='a (10) starts 200 short-lived processes a second (fork, exec): their start and end takes the CPUs'") : NO_ROWS);
	}
}
END_TEST

Suite *rs_suite_findings_rates(void);
Suite *rs_suite_findings_rates(void)
{
	Suite *s = suite_create("findings_rates");
	TCase *t = tcase_create("findings_rates");

	tcase_set_timeout(t, 60); /* with sanitizers, beside other tests */
	tcase_add_test(t, calls);
	tcase_add_test(t, forks);
	suite_add_tcase(s, t);
	return s;
}
