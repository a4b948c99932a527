/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recurring-lines.h - traces of a, which is kept waiting by b at given times in ms, and sleeps by its own choice in between */
#ifndef TESTS_RECURRING_LINES_H
#define TESTS_RECURRING_LINES_H

#include <string.h>

#include "made-lines.h"

#define AT(...) ((const unsigned int[]){ __VA_ARGS__, 0 })
#define LOCK "futex 1000 80 2"

static void recurring_begin(const char *b_pid)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=%s", b_pid);
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
}

/* From at_ms on for ms, in that call, then on its CPU until it sleeps by its own choice. */
static void recurring_put(unsigned int at_ms, unsigned int ms, const char *call)
{
	unsigned int call_len = (unsigned int)strcspn(call, " ");
	bool is_sleep = !strncmp(call, "nanosleep", call_len);

	made_line("%u000000 cpu0 sys_enter t=10 nr=%s", at_ms, call);
	made_line("%u000100 cpu0 sched_switch a/10 S -> idle/0", at_ms);
	made_line("%u000100 cpu%u sched_waking a/10 target=0 by %s", at_ms + ms, !is_sleep, is_sleep ? "idle/0 irq" : "b/11");
	made_line("%u000200 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", at_ms + ms);
	made_line("%u000300 cpu0 sys_exit t=10 nr=%.*s ret=0", at_ms + ms, (int)call_len, call);
}

/* It sleeps in between, from 1 ms after a wait to 1 ms before the next one. */
static void recurring_put_all(const unsigned int *at_ms, unsigned int ms, const char *call, unsigned int end_ms)
{
	recurring_begin("11");
	for (; *at_ms; at_ms++) {
		recurring_put(*at_ms, ms, call);
		recurring_put(*at_ms + ms + 1, (at_ms[1] ? at_ms[1] : end_ms) - *at_ms - ms - 2, "nanosleep 1 0");
	}
	made_line("%u000000 cpu1 sched_switch b/11 S -> idle/0", end_ms);
}

#endif
