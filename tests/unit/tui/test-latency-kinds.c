// SPDX-License-Identifier: GPL-2.0-or-later
/* test-latency-kinds - the kinds of spans of a task, what cost most first; which of them is shown first */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tui/latency/latency-kinds.h"

enum { STATE, CALL, FUTEX, REQUEST, SLICE };

static const struct rs_catalogue_kind kinds_of_engine[] = {
	{ .name = "state", .number = STATE, .track = RS_TRACK_TASK, .shape = RS_SPAN_STATE, .rate = "switches",
	  .slowest = "run-queue wait" },
	{ .name = "syscall", .number = CALL, .track = RS_TRACK_TASK, .rate = "calls", .slowest = "system call" },
	{ .name = "futex wait", .number = FUTEX, .track = RS_TRACK_TASK, .slowest = "futex", .cause = "futex" },
	{ .name = "request", .number = REQUEST, .track = RS_TRACK_DISK, .shape = RS_SPAN_ASYNC, .slowest = "block request",
	  .cause = "disk" },
	{ .name = "slice", .number = SLICE, .track = RS_TRACK_CPU, .shape = RS_SPAN_STATE },
};
static const struct rs_catalogue catalogue = { .kinds = kinds_of_engine,
					       .nr_kinds = sizeof kinds_of_engine / sizeof *kinds_of_engine };

/*
 * A thread that waits 50 ms for futexes, 12 + 3 ms for a CPU and 20 ms for a disk, whose requests took 18 ms; it polls for
 * 900 ms and runs for 40. The state of the futexes is told better by their kind, what its CPUs ran by its state.
 */
static const struct rs_wire_kind answered[] = {
	{ STATE, "run", 2000, 40000000 }, { STATE, "delay", 1200, 12000000 }, { STATE, "preempted", 66, 3000000 },
	{ STATE, "disk", 3, 20000000 }, { STATE, "futex", 15, 48000000 }, { STATE, "idle", 40, 900000000 },
	{ STATE, "unknown", 7, 5000000000 }, { STATE, NULL, 1, 1 }, { CALL, NULL, 900, 970000000 },
	{ FUTEX, "futex", 16, 50000000 }, { REQUEST, "disk", 9, 18000000 }, { SLICE, NULL, 2000, 40000000 },
	{ 77, NULL, 1, 1 }, /* of a newer engine */
};
static const struct rs_kinds_reply reply = { answered, sizeof answered / sizeof *answered };

static struct rs_latency_kind kinds[RS_LATENCY_MAX_KINDS];
static size_t nr_kinds;

static const char *in_order(const struct rs_ink_task *task)
{
	static char text[512];
	char count[RS_SCREEN_TEXT];
	size_t len = 0;

	nr_kinds = rs_latency_kinds_read(&reply, &catalogue, task, kinds);
	for (size_t i = 0; i < nr_kinds; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s", i ? ", " : "",
					rs_latency_kinds_name(&kinds[i]), rs_screen_grouped(kinds[i].count, count));
	return text;
}

/* What was lost for sure; then what a finding may tell of; then work and calls; then what was wanted. */
START_TEST(what_cost_most_first)
{
	static const struct rs_ink_task victim = { .pains = 1u << RS_CATEGORY_LOCK }, own = { .own = true };

	ck_assert_str_eq(in_order(NULL),
			 "disk 3, block request 9, run queue 1,266, futex 16, system call 900, run 2,000, idle 40");
	ck_assert_str_eq(in_order(&victim), /* a finding says that its futexes cost it time: 50 ms */
			 "futex 16, disk 3, block request 9, run queue 1,266, system call 900, run 2,000, idle 40");
	in_order(&own);
	ck_assert_int_eq(kinds[0].ink, RS_INK_DIM); /* ringside's own costs nobody */
}
END_TEST

static void choose_kind(const char *name, struct rs_latency_of *of)
{
	*of = (struct rs_latency_of){ .pid = 7, .labels = { "left over" }, .nr_labels = 1 };
	for (size_t i = 0; i < nr_kinds; i++)
		if (!strcmp(rs_latency_kinds_name(&kinds[i]), name)) {
			rs_latency_kinds_choose(&kinds[i], of);
			ck_assert_ptr_eq(rs_latency_kinds_find(kinds, nr_kinds, of), &kinds[i]);
			return;
		}
	ck_abort_msg("no %s", name);
}

/* The states of a cause are asked for by their labels, and are found again. */
START_TEST(what_is_asked_for)
{
	struct rs_latency_of of;

	in_order(NULL);
	choose_kind("run queue", &of);
	ck_assert_str_eq(of.kind, "state");
	ck_assert_uint_eq(of.nr_labels, 2);
	ck_assert_str_eq(of.labels[0], "delay");
	ck_assert_str_eq(of.labels[1], "preempted");
	ck_assert_int_eq(of.category, RS_CATEGORY_QUEUE);
	ck_assert_int_eq(of.pid, 7);
	choose_kind("disk", &of);
	ck_assert_str_eq(of.labels[0], "D (disk)");
	ck_assert_str_eq(of.labels[1], "S (disk)");
	choose_kind("futex", &of);
	ck_assert_str_eq(of.kind, "futex wait");
	ck_assert_uint_eq(of.nr_labels, 0);
	choose_kind("system call", &of);
	ck_assert_str_eq(of.kind, "syscall");
	of = (struct rs_latency_of){ .kind = "pair" };
	ck_assert_ptr_null(rs_latency_kinds_find(kinds, nr_kinds, &of));
}
END_TEST

/* Within one wait: what most of it was, though polls are not sure to cost; a call that waited for nothing is itself. */
START_TEST(which_is_first)
{
	static const struct rs_wire_kind of_wait[] = { { STATE, "delay", 1, 900 }, { STATE, "idle", 1, 456000000 },
						       { STATE, "run", 2, 999000000 }, { CALL, NULL, 1, 999999999 } },
	of_call[] = { { STATE, "run", 2, 900 }, { CALL, NULL, 1, 1000 } };
	const struct rs_kinds_reply wait = { of_wait, 4 }, call = { of_call, 2 }, none = { NULL, 0 };

	in_order(NULL);
	ck_assert_str_eq(rs_latency_kinds_name(rs_latency_kinds_costliest(kinds, nr_kinds, RS_CATEGORY_RUN)), "disk");
	ck_assert_str_eq(rs_latency_kinds_name(rs_latency_kinds_costliest(kinds, nr_kinds, RS_CATEGORY_LOCK)), "futex");
	ck_assert_str_eq(rs_latency_kinds_name(rs_latency_kinds_costliest(kinds, nr_kinds, RS_CATEGORY_MEMORY)), "disk");
	nr_kinds = rs_latency_kinds_read(&wait, &catalogue, NULL, kinds);
	ck_assert_str_eq(rs_latency_kinds_name(rs_latency_kinds_of_wait(kinds, nr_kinds)), "idle");
	nr_kinds = rs_latency_kinds_read(&call, &catalogue, NULL, kinds);
	ck_assert_str_eq(rs_latency_kinds_name(rs_latency_kinds_of_wait(kinds, nr_kinds)), "system call");
	ck_assert_uint_eq(rs_latency_kinds_read(&none, &catalogue, NULL, kinds), 0);
	ck_assert_ptr_null(rs_latency_kinds_of_wait(kinds, 0));
	ck_assert_ptr_null(rs_latency_kinds_costliest(kinds, 0, RS_CATEGORY_LOCK));
}
END_TEST

Suite *rs_suite_latency_kinds(void)
{
	Suite *s = suite_create("latency-kinds");
	TCase *t = tcase_create("latency-kinds");

	tcase_add_test(t, what_cost_most_first);
	tcase_add_test(t, what_is_asked_for);
	tcase_add_test(t, which_is_first);
	suite_add_tcase(s, t);
	return s;
}
