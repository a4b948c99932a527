// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is turned on for what was asked, in a made-up tracefs: a folder with
 * the few files that a plan looks at.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/capture.h"

Suite *rs_suite_capture_plan(void);

static char root[] = "/tmp/ringside-plan-XXXXXX";
static struct rs_capture_plan plan;
static struct rs_error err;

static void put(const char *file, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", root, file);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void setup(void)
{
	static const char *const events[] = { "sched/sched_switch", "sched/sched_waking",
					      "raw_syscalls/sys_enter", "raw_syscalls/sys_exit",
					      "kmem/kmalloc" };
	char file[128];

	strcpy(root + sizeof root - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("trace_clock", "[local] global counter boot mono\n");
	put("available_events",
	    "ftrace:print\nsched:sched_switch\nsched:sched_waking\nraw_syscalls:sys_enter\n"
	    "raw_syscalls:sys_exit\nkmem:kmalloc\n");
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		snprintf(file, sizeof file, "events/%s/enable", events[i]);
		put(file, "0\n");
		snprintf(file, sizeof file, "events/%s/format", events[i]);
		put(file, "name: x\n");
	}
	err = (struct rs_error){ 0 };
}

static void teardown(void)
{
	char command[64];

	rs_capture_plan_done(&plan);
	snprintf(command, sizeof command, "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

/* "sched:sched_switch sched:sched_waking", "*" behind one that leaves own work out. */
static const char *planned(void)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < plan.nr_events; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%s%s", i ? " " : "",
					plan.events[i].system, plan.events[i].name,
					plan.events[i].skip_own ? "*" : "");
	return text;
}

static int plan_events(const char *const *events, size_t nr)
{
	const struct rs_capture_config config = { .events = events, .nr_events = nr };

	return rs_capture_plan_make(&plan, root, &config, 0, &err);
}

START_TEST(an_event_by_each_of_its_names)
{
	static const char *const events[] = { "sched_switch", "sched:sched_switch", "raw_syscalls",
					      "k*:km*" };

	ck_assert_msg(plan_events(events, 4) == 0, "%s", err.text);
	ck_assert_str_eq(planned(),
			 "sched:sched_switch raw_syscalls:sys_enter* raw_syscalls:sys_exit* kmem:kmalloc*");
	ck_assert_str_eq(plan.plan.clock, "boot");
}
END_TEST

/* Without a filter on system calls, where the engine leaves our own out. */
START_TEST(own_calls)
{
	static const char *const events[] = { "raw_syscalls", "k*:km*" };
	const struct rs_capture_config config = { .events = events, .nr_events = 2, .own_calls = true };

	unsigned int major = 0, minor = 0;
	struct utsname uts;

	uname(&uts);
	sscanf(uts.release, "%u.%u", &major, &minor);
	ck_assert_msg(rs_capture_plan_make(&plan, root, &config, 0, &err) == 0, "%s", err.text);
	ck_assert_str_eq(planned(), major * 100 + minor >= 601 ?
			 "raw_syscalls:sys_enter raw_syscalls:sys_exit kmem:kmalloc*" :
			 "raw_syscalls:sys_enter* raw_syscalls:sys_exit* kmem:kmalloc*");
}
END_TEST

START_TEST(a_misspelt_event_says_what_was_meant)
{
	static const char *const alone[] = { "sched_swich" }, *const both[] = { "shed:sched_switch" },
				 *const system[] = { "shed" };
	static const char *const none[] = { "ftrace:print" };

	ck_assert_int_eq(plan_events(alone, 1), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_str_eq(err.text, "unknown event 'sched_swich': this kernel has none of that name (did you "
				   "mean 'sched_switch'?)");
	rs_capture_plan_done(&plan);
	err = (struct rs_error){ 0 };
	ck_assert_int_eq(plan_events(both, 1), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean 'sched:sched_switch'?"));
	rs_capture_plan_done(&plan);
	err = (struct rs_error){ 0 };
	ck_assert_int_eq(plan_events(system, 1), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean 'sched'?"));
	rs_capture_plan_done(&plan);
	err = (struct rs_error){ 0 };
	ck_assert_int_eq(plan_events(none, 1), -1); /* the kernel's own entries cannot be turned on */
}
END_TEST

/* Absent: listed where optional, an error where required. A fallback: where the row before it is absent. */
START_TEST(needs_of_analyses)
{
	static const struct rs_event_requirement needs[] = {
		{ "sched", "sched_switch", RS_REQUIRED, RS_BY_ANYONE, NULL },
		{ "sched", "sched_waking", RS_OPTIONAL, RS_BY_ANYONE, NULL },
		{ "kmem", "kmalloc", RS_FALLBACK, RS_BY_ANYONE, NULL },
		{ "lock", "contention_begin", RS_OPTIONAL, RS_BY_ANYONE, NULL },
		{ "raw_syscalls", "sys_enter", RS_FALLBACK, RS_BY_TASK, NULL },
		{ "raw_syscalls", "sys_exit", RS_FALLBACK, RS_BY_TASK, NULL },
		{ "lock", "contention_end", RS_REQUIRED, RS_BY_ANYONE, NULL },
	};
	struct rs_capture_config config = { .needs = needs, .nr_requirements = 6 };

	ck_assert_msg(rs_capture_plan_make(&plan, root, &config, 0, &err) == 0, "%s", err.text);
	ck_assert_str_eq(planned(), "sched:sched_switch sched:sched_waking raw_syscalls:sys_enter*");
	ck_assert_str_eq(plan.missing.data, "lock:contention_begin (ringside)\n");
	rs_capture_plan_done(&plan);
	config.nr_requirements = 7;
	ck_assert_int_eq(rs_capture_plan_make(&plan, root, &config, 0, &err), -1);
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_ptr_nonnull(strstr(err.text, "no event lock:contention_end"));
}
END_TEST

/* Events that a kernel has another for are not missed: before 5.16 writeback told what vmscan tells now. */
START_TEST(evidence_of_another_event)
{
	static const struct rs_event_requirement needs[] = {
		{ "sched", "sched_switch", RS_OPTIONAL, RS_BY_ANYONE, NULL },
		{ "vmscan", "mm_vmscan_throttled", RS_OPTIONAL, RS_BY_TASK, NULL },
		{ "writeback", "writeback_congestion_wait", RS_OPTIONAL, RS_BY_TASK, NULL },
		{ "writeback", "writeback_wait_iff_congested", RS_OPTIONAL, RS_BY_TASK, NULL },
	};
	static const struct { const char *file, *planned, *missing; } kernels[] = {
		{ "events/none", "sched:sched_switch", "vmscan:mm_vmscan_throttled (ringside)\nwriteback:writeback_congestion_wait (ringside)\n"
				     "writeback:writeback_wait_iff_congested (ringside)\n" },
		{ "events/vmscan/mm_vmscan_throttled/enable", "sched:sched_switch vmscan:mm_vmscan_throttled", "" },
		{ "events/writeback/writeback_congestion_wait/enable", "sched:sched_switch writeback:writeback_congestion_wait",
		  "writeback:writeback_wait_iff_congested (ringside)\n" },
	};
	struct rs_capture_config config = { .needs = needs, .nr_requirements = 4 };

	put(kernels[_i].file, "0\n");
	ck_assert_msg(rs_capture_plan_make(&plan, root, &config, 0, &err) == 0, "%s", err.text);
	ck_assert_str_eq(planned(), kernels[_i].planned);
	ck_assert_str_eq(plan.missing.data ? plan.missing.data : "", kernels[_i].missing);
}
END_TEST

START_TEST(an_unknown_clock)
{
	const char *const events[] = { "sched" };
	const struct rs_capture_config config = { .events = events, .nr_events = 1, .clock = "bot" };

	ck_assert_int_eq(rs_capture_plan_make(&plan, root, &config, 0, &err), -1);
	ck_assert_str_eq(
		err.text,
		"unknown clock 'bot': this kernel has local global counter boot mono (did you mean 'boot'?)");
}
END_TEST

/* By pid only where all events are fired by the task itself: this process, with its one thread. */
START_TEST(narrows_where_that_loses_nothing)
{
	const int32_t self = getpid();
	const char *const events[] = { "raw_syscalls", "sched_switch" };
	struct rs_capture_config config = { .events = events, .nr_events = 1, .pids = &self, .nr_pids = 1 };

	ck_assert_msg(rs_capture_plan_make(&plan, root, &config, 0, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(plan.plan.nr_tids, 1);
	ck_assert_int_eq(plan.plan.tids[0], self);
	rs_capture_plan_done(&plan);
	config.nr_events = 2;
	ck_assert_msg(rs_capture_plan_make(&plan, root, &config, 0, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(plan.plan.nr_tids, 0);
}
END_TEST

Suite *rs_suite_capture_plan(void)
{
	Suite *s = suite_create("capture-plan");
	TCase *t = tcase_create("capture-plan");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_event_by_each_of_its_names);
	tcase_add_test(t, own_calls);
	tcase_add_test(t, a_misspelt_event_says_what_was_meant);
	tcase_add_test(t, needs_of_analyses);
	tcase_add_loop_test(t, evidence_of_another_event, 0, 3);
	tcase_add_test(t, an_unknown_clock);
	tcase_add_test(t, narrows_where_that_loses_nothing);
	suite_add_tcase(s, t);
	return s;
}
