// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack-events - --stacks=off-cpu,block,...: which events the kernel's and the program's stack is recorded
 * with
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/nearest.h"
#include "capture/capture.h"

#define OFF_CPU_WORD "off-cpu"
#define ALL_WORDS OFF_CPU_WORD ",block,faults,contention"
#define SYSCALL_WORD "syscall:"

/* A word stands for all of its rows that the kernel has, at least one. */
static const struct {
	const char *word, *system, *name, *stack_if, *missing;
} rows[] = {
	/* not of a task that yields, nor of idle; "D", "S" and, preempted, "R+" are larger than 0 */
	{ OFF_CPU_WORD, "sched", "sched_switch", "prev_state > 0", "" },
	{ "block", "block", "block_io_start", "", "" },
	{ "block", "block", "block_rq_insert", "", "" },
	{ "block", "block", "block_rq_issue", "", "" },
	{ "faults", "exceptions", "page_fault_user", "", " (x86 and RISC-V have it)" },
	{ "contention", "lock", "contention_begin", "", " (Linux 5.19 and later have it)" },
};

#define NR_ROWS (sizeof rows / sizeof *rows)

static struct rs_plan_event *stack_events_find(struct rs_capture_plan *p, const char *system,
					       const char *name)
{
	for (size_t i = 0; i < p->nr_events; i++)
		if (!strcmp(p->events[i].system, system) && !strcmp(p->events[i].name, name))
			return &p->events[i];
	return NULL;
}

/* only_planned: events that no analysis requires stay off. Returns 1 if there is such an event, or -1. */
static int stack_events_add(struct rs_capture_plan *p, const char *tracefs, const char *system,
			    const char *name, const char *stack_if, bool only_planned, struct rs_error *err)
{
	struct rs_plan_event *ev = stack_events_find(p, system, name);

	if (!ev && (only_planned || !rs_tracefs_has_event(tracefs, system, name)))
		return 0;
	if (!ev && rs_capture_plan_add_event(p, system, name, err) < 0)
		return -1;
	stack_events_find(p, system, name)->stack_if = stack_if;
	return 1;
}

/* The pair of events of one system call; their names live as long as the plan. */
static int stack_events_add_call(struct rs_capture_plan *p, const char *tracefs, const char *call, size_t len,
				 struct rs_error *err)
{
	size_t size_bytes = 2 * (sizeof "sys_enter_" + len);
	char *enter = p->nr_names < RS_MAX_STACK_CALLS ? malloc(size_bytes) : NULL,
	     *leave = enter ? enter + size_bytes / 2 : NULL;

	if (!enter)
		return rs_fail(err, "--stacks: out of memory, or too many system calls (at most %d)",
			       RS_MAX_STACK_CALLS);
	p->call_names[p->nr_names++] = enter;
	snprintf(enter, size_bytes / 2, "sys_enter_%.*s", (int)len, call);
	snprintf(leave, size_bytes / 2, "sys_exit_%.*s", (int)len, call);
	if (!rs_tracefs_has_event(tracefs, "syscalls", enter))
		return rs_fail_usage(err,
				     "--stacks=" SYSCALL_WORD
				     "%.*s: this kernel has no event syscalls:%s (see ringside list events)",
				     (int)len, call, enter);
	if (rs_capture_plan_add_event(p, "syscalls", leave, err) < 0)
		return -1;
	return stack_events_add(p, tracefs, "syscalls", enter, "", false, err);
}

static int stack_events_fail_word(const char *word, size_t len, struct rs_error *err)
{
	const char
		*words[] = { "off-cpu", "block", "faults", "contention", "syscall", "kernel", "perf", NULL },
		*near;
	char text[64];

	snprintf(text, sizeof text, "%.*s", (int)len, word);
	near = rs_nearest(text, words);
	return rs_fail_usage(err,
			     "--stacks=%s: no such kind (off-cpu, block, faults, contention, syscall:NAME, "
			     "kernel, perf%s%s%s)",
			     text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int stack_events_add_word(struct rs_capture_plan *p, const char *tracefs, const char *word, size_t len,
				 bool only_planned, struct rs_error *err)
{
	const char *system = NULL, *name = NULL, *missing = NULL;
	int nr_found = 0, found;

	if (len > strlen(SYSCALL_WORD) && !strncmp(word, SYSCALL_WORD, strlen(SYSCALL_WORD)))
		return stack_events_add_call(p, tracefs, word + strlen(SYSCALL_WORD),
					     len - strlen(SYSCALL_WORD), err);
	for (size_t i = 0; i < NR_ROWS; i++) {
		if (strlen(rows[i].word) != len || memcmp(rows[i].word, word, len) != 0)
			continue;
		if (!system) {
			system = rows[i].system;
			name = rows[i].name;
			missing = rows[i].missing;
		}
		found = stack_events_add(p, tracefs, rows[i].system, rows[i].name, rows[i].stack_if,
					 only_planned, err);
		if (found < 0)
			return -1;
		nr_found += found;
	}
	if (!system)
		return stack_events_fail_word(word, len, err);
	if (nr_found || only_planned)
		return 0;
	return rs_fail(err, "--stacks=%.*s: this kernel has no event %s:%s%s", (int)len, word, system, name,
		       missing);
}

/* A word that is no kind of event. */
static bool stack_events_is_how(const char *word, size_t len)
{
	return (len == strlen("kernel") && !memcmp(word, "kernel", len)) ||
	       (len == strlen("perf") && !memcmp(word, "perf", len));
}

static int stack_events_add_words(struct rs_capture_plan *p, const char *tracefs, const char *words,
				  bool only_planned, struct rs_error *err)
{
	bool any = false;

	for (const char *word = words; *word; word += strcspn(word, ","), word += *word == ',') {
		size_t len = strcspn(word, ",");

		if (stack_events_is_how(word, len))
			continue;
		any = true;
		if (stack_events_add_word(p, tracefs, word, len,
					  only_planned && strncmp(word, OFF_CPU_WORD, len) != 0, err) < 0)
			return -1;
	}
	/* "kernel" alone: of waits */
	return any ? 0 : stack_events_add_word(p, tracefs, OFF_CPU_WORD, strlen(OFF_CPU_WORD), false, err);
}

/* perf's callchains in the place of the trigger: of waits alone, for they are found by who left the CPU. */
static int stack_events_plan_perf(struct rs_capture_plan *p, const char *tracefs, const char *words,
				  bool is_old, struct rs_error *err)
{
	struct rs_plan_event *ev;

	for (const char *word = words; *word; word += strcspn(word, ","), word += *word == ',') {
		size_t len = strcspn(word, ",");

		if (stack_events_is_how(word, len) ||
		    (len == strlen(OFF_CPU_WORD) && !memcmp(word, OFF_CPU_WORD, len)))
			continue;
		if (is_old)
			return rs_fail(err,
				       "--stacks=%.*s: before Linux 5.17 a trigger writes stacks to the "
				       "global buffer, which is not ringside's (--stacks=off-cpu "
				       "takes perf's)",
				       (int)len, word);
		return rs_fail_usage(
			err,
			"--stacks=%.*s: perf's stacks are those of off-cpu alone (leave the word perf out)",
			(int)len, word);
	}
	if (stack_events_add_words(p, tracefs, OFF_CPU_WORD, false, err) < 0)
		return -1;
	ev = stack_events_find(p, "sched", "sched_switch");
	p->plan.switch_stacks_if = ev->stack_if;
	ev->stack_if = NULL;
	return 0;
}

int rs_stack_events_plan(struct rs_capture_plan *p, const char *tracefs, const char *words,
			 struct rs_error *err)
{
	bool all = words && !*words, is_old = !rs_capture_plan_kernel_is(5, 17);

	if (!words)
		return 0;
	p->plan.user_stacks = !rs_comma_list_has(words, "kernel");
	if (is_old || rs_comma_list_has(words, "perf"))
		return stack_events_plan_perf(p, tracefs, words, is_old, err);
	/* without a list: of what the analyses require, and of waits always */
	return stack_events_add_words(p, tracefs, all ? ALL_WORDS : words, all, err);
}
