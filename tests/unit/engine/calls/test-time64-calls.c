// SPDX-License-Identifier: GPL-2.0-or-later
/* test-time64-calls - calls of 32-bit programs for 64 bits of time, ppoll_time64, are for all that is said of calls those without */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "engine/calls/syscall.h"
#include "made-lines.h"
#include "ringside/plugin.h"

#define SUFFIX "_time64"
#define I386 .layout = "6.1 i386"

/* Of each that i386 has the same is said. */
START_TEST(facts)
{
	struct rs_syscall_names *n = rs_syscall_names_new(&(struct rs_trace_info){ .machine = "i686", .long_bytes = 4 });
	const struct rs_call_facts *facts;
	unsigned int nr_kin = 0;

	ck_assert_ptr_nonnull(n);
	facts = rs_syscall_facts(n);
	for (int64_t nr = 0; nr < RS_MAX_CALL_NUMBERS; nr++) {
		const char *name = rs_syscall_names_get(n, nr);
		size_t len = name ? strlen(name) : 0;
		char other[64];
		int at;

		if (len < strlen(SUFFIX) || strcmp(name + len - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		snprintf(other, sizeof other, "%.*s", (int)(len - strlen(SUFFIX)), name);
		at = rs_call_place(rs_syscall_number(n, RS_CALLS_NATIVE, other));
		ck_assert_msg(at < 0 || (facts->kind[nr] == facts->kind[at] && facts->sleep[nr] == facts->sleep[at] && facts->classes[nr] == facts->classes[at]),
			      "%s", name);
		nr_kin++;
	}
	ck_assert_uint_ge(nr_kin, 10);
	rs_syscall_names_free(n);
}
END_TEST

START_TEST(what_a_wait_is_for)
{
	static const struct { int nr; const char *part; } cases[] = { /* of i386 */
		{ 414 /* ppoll_time64 */, "poll" }, { 413 /* pselect6_time64 */, "poll" }, { 416 /* io_pgetevents_time64 */, "poll" },
		{ 407 /* clock_nanosleep_time64 */, "timer" }, { 421 /* rt_sigtimedwait_time64 */, "signal" },
		{ 417 /* recvmmsg_time64 */, "socket" }, { 419 /* mq_timedreceive_time64 */, "other call" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char row[80];

		made_lines_begin();
		made_line("1000 cpu0 sched_switch idle/0 R -> a/10");
		made_line("1100 cpu0 sys_enter t=10 nr=%d 3 4 5", cases[i].nr);
		made_line("1200 cpu0 sched_switch a/10 S -> idle/0");
		made_line("9000 cpu0 sched_waking a/10 target=0 by idle/0 irq");
		made_line("9100 cpu0 sched_switch idle/0 R -> a/10");
		made_line("9200 cpu0 sys_exit t=10 nr=%d ret=0", cases[i].nr);
		made_line("9300 cpu0 sched_switch a/10 S -> idle/0");
		snprintf(row, sizeof row, "tid=10 part='%s' total_ns=7800", cases[i].part);
		check_rows(ASK("why", .by = "tid,part", .some = true, I386), made_lines, ROWS(row));
	}
}
END_TEST

/* 80 sleeps of 0.3 ms in a tenth of a second, and 30 polls of 3 ms that nothing comes in. */
START_TEST(rules)
{
	for (int is_poll = 0; is_poll < 2; is_poll++) {
		int call = is_poll ? 414 : 407; /* ppoll_time64, clock_nanosleep_time64 */
		unsigned int nr = is_poll ? 30 : 80, len_us = is_poll ? 3000 : 300;

		made_lines_begin();
		made_line("seed a/10 pid=10");
		made_line("1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
		for (unsigned int i = 0; i < nr; i++) {
			unsigned int us = 10 + i * (98000 / nr);

			made_line("%u000 cpu0 sys_enter t=10 nr=%d 1", us, call);
			made_line("%u100 cpu0 sched_switch a/10 S -> idle/0", us);
			made_line("%u000 cpu0 sched_waking a/10 target=0 by idle/0 irq", us + len_us);
			made_line("%u100 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us + len_us);
			made_line("%u200 cpu0 sys_exit t=10 nr=%d ret=0", us + len_us, call);
		}
		made_line("100001000 cpu0 sched_switch a/10 S -> idle/0");
		check_rows(ASK("tasks", .findings = true, I386), made_lines, ROWS(is_poll ? "rule=timeouts victim=a" : "rule=timer-storm victim=a"));
	}
}
END_TEST

Suite *rs_suite_time64_calls(void);
Suite *rs_suite_time64_calls(void)
{
	Suite *s = suite_create("time64-calls");
	TCase *t = tcase_create("time64-calls");

	tcase_add_test(t, facts);
	tcase_add_test(t, what_a_wait_is_for);
	tcase_add_test(t, rules);
	suite_add_tcase(s, t);
	return s;
}
