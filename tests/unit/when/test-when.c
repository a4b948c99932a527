// SPDX-License-Identifier: GPL-2.0-or-later
/* test-when - conditions over a recording: of tables, histograms, streams, losses and findings, step by step */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "lines.h"
#include "when/when.h"

static void when_note(void *arg, const struct rs_when_event *event)
{
	rs_buf_printf(arg, "%s%s %llu-%llu %s", ((struct rs_buf *)arg)->len ? "; " : "",
		      event->event == RS_ALARM_FIRES ? "fires" : "ends", (unsigned long long)event->from_ns,
		      (unsigned long long)event->to_ns, event->sentence);
}

/* Steps of 10 us. Returns what fired and ended. */
static const char *when_run(const char *text, const char *const *lines)
{
	struct rs_session_config config = { .step_ns = 10000, .end_step = rs_when_end_step };
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[0]);
	struct rs_buf told = RS_BUF_INIT;
	static char copy[1000];
	struct rs_view_ref refs[4];
	struct rs_error err = { 0 };
	struct rs_when *w = rs_when_new(&(struct rs_when_to){ .fired = when_note, .arg = &told }, &err);
	struct rs_session *s;

	ck_assert_msg(rs_when_add(w, "--when", text, &err) == 0, "%s", err.text);
	config.nr_analyses = (unsigned int)rs_when_views(w, refs, 4);
	for (unsigned int i = 0; i < config.nr_analyses; i++)
		config.analyses[i] = refs[i].analysis;
	config.step_arg = w;
	s = rs_session_new(&config, &err);
	ck_assert_msg(s && rs_when_subscribe(w, s, &err) == 0 && rs_session_attach(s, source, &err) == 0, "%s",
		      err.text);
	while (rs_session_run(s, 10000, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	rs_session_free(s);
	source->ops->close(source);
	rs_when_free(w);
	snprintf(copy, sizeof copy, "%s", told.len ? told.data : "");
	rs_buf_done(&told);
	return copy;
}

/* Reads of 400, 600 and 100 ns in the first step, of 300 in the second, none in the third. */
#define READS \
	"seed a/10 pid=10", "seed b/20 pid=20", \
	"1000 cpu0 sys_enter t=10 nr=read 1 2 3", "1400 cpu0 sys_exit t=10 nr=read ret=1", \
	"2000 cpu0 sys_enter t=10 nr=read 1 2 3", "2600 cpu0 sys_exit t=10 nr=read ret=1", \
	"3000 cpu1 sys_enter t=20 nr=read 1 2 3", "3100 cpu1 sys_exit t=20 nr=read ret=1", \
	"12000 cpu0 sys_enter t=10 nr=read 1 2 3", "12300 cpu0 sys_exit t=10 nr=read ret=1", \
	"22000 cpu0 sys_enter t=20 nr=close 1 2 3", "22010 cpu0 sys_exit t=20 nr=close ret=1", \
	"32000 cpu0 sys_enter t=20 nr=close 1 2 3", "32010 cpu0 sys_exit t=20 nr=close ret=1"

static const struct {
	const char *text, *told;
} when_rows[] = {
	/* the row with the highest value is told, by its keys */
	{ "syscall-latency.max > 200ns", "fires 1000-11000 max_ns 600ns: comm a, pid 10, syscall read; "
					 "ends 1000-31000 max_ns 300ns: comm a, pid 10, syscall read" },
	{ "syscall-latency.max > 200ns for 20us", "fires 1000-21000 max_ns 300ns: comm a, pid 10, syscall read; "
						  "ends 1000-31000 max_ns 300ns: comm a, pid 10, syscall read" },
	{ "syscall-latency.max > 200ns for 30us", "" },
	{ "syscall-latency.max > 500ns", "fires 1000-11000 max_ns 600ns: comm a, pid 10, syscall read; "
					 "ends 1000-21000 max_ns 600ns: comm a, pid 10, syscall read" },
	{ "syscall-latency.max > 500ns until 300ns", /* not above 300 in the second step */
	  "fires 1000-11000 max_ns 600ns: comm a, pid 10, syscall read; "
	  "ends 1000-21000 max_ns 600ns: comm a, pid 10, syscall read" },
	{ "syscall-latency.max > 500ns until 299ns",
	  "fires 1000-11000 max_ns 600ns: comm a, pid 10, syscall read; "
	  "ends 1000-31000 max_ns 600ns: comm a, pid 10, syscall read" },
	{ "syscall-latency.max{comm = b} > 200ns", "" },
	{ "syscall-latency.max{comm = b} < 200ns",
	  "fires 1000-11000 max_ns 100ns: comm b, pid 20, syscall read; "
	  "ends 1000-21000 max_ns 100ns: comm b, pid 20, syscall read; "
	  "fires 21000-31000 max_ns 10ns: comm b, pid 20, syscall close" },
	/* each row of a stream */
	{ "syscalls.lat{syscall = read} > 500ns",
	  "fires 1000-11000 lat_ns 600ns: comm a, pid 10, tid 10, cpu 0; "
	  "ends 1000-21000 lat_ns 600ns: comm a, pid 10, tid 10, cpu 0" },
};

START_TEST(of_views)
{
	char text[200];

	snprintf(text, sizeof text, "%s every 1ns", when_rows[_i].text);
	ck_assert_str_eq(when_run(text, LINES(READS)), when_rows[_i].told);
}
END_TEST

/* b waits 300 ns for the CPU in the first step, 3000 in the second. */
#define WAITS \
	"seed a/10 pid=10", "seed b/11 pid=11", \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1200 cpu0 sched_waking b/11 target=0 by a/10", \
	"1500 cpu0 sched_switch a/10 R -> b/11", "2000 cpu0 sched_switch b/11 S -> a/10", \
	"12000 cpu0 sched_waking b/11 target=0 by a/10", "15000 cpu0 sched_switch a/10 S -> b/11", \
	"16000 cpu0 sched_switch b/11 S -> idle/0"

START_TEST(of_histograms)
{
	ck_assert_str_eq(when_run("runqlat.max > 2us", LINES(WAITS)), "fires 11000-16000 max_ns 3.00us");
	ck_assert_str_eq(when_run("runqlat.max{comm = b} > 2us", LINES(WAITS)),
			 "fires 11000-16000 max_ns 3.00us: comm b");
	ck_assert_str_eq(when_run("runqlat.max{comm = a} > 2us", LINES(WAITS)), "");
	ck_assert_str_eq(when_run("runqlat.p50 > 1", LINES(WAITS)), "fires 1000-11000 p50_ns 300ns");
}
END_TEST

/* The group is no key of the view: its name is what tells the row. */
START_TEST(of_control_groups)
{
	static const char *const lines[] = {
		"counts /a periods=10 throttled=4", "counts /b periods=10 throttled=1", "seed a/10 pid=10 cgroup=/a",
		"seed b/11 pid=11 cgroup=/b", "1000 cpu0 sched_switch idle/0 R -> a/10",
		"5000 cpu0 sched_switch a/10 R -> b/11", "9000 cpu0 sched_switch b/11 S -> idle/0", NULL };

	ck_assert_str_eq(when_run("cgroups.throttled_pct{cgroup ~ /*} > 20", lines),
			 "fires 1000-9000 throttled_pct 40.00: cgroup /a");
	ck_assert_str_eq(when_run("cgroups.throttled_pct{cgroup = /b} > 20", lines), "");
}
END_TEST

START_TEST(of_losses)
{
	ck_assert_str_eq(when_run("lost > 4", LINES(WAITS)), "");
	ck_assert_str_eq(when_run("lost > 4", LINES("seed a/10", "1000 cpu0 sched_switch idle/0 R -> a/10",
						    "cpu0 lost 5", "2000 cpu0 sched_switch a/10 R -> idle/0",
						    "13000 cpu0 sched_switch idle/0 R -> a/10",
						    "23000 cpu0 sched_switch a/10 R -> idle/0")),
			 "fires 1000-11000 lost 5; ends 1000-21000 lost 5");
}
END_TEST

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

Suite *rs_suite_when(void)
{
	Suite *s = suite_create("when");
	TCase *tc = tcase_create("when");

	tcase_add_loop_test(tc, of_views, 0, NR(when_rows));
	tcase_add_test(tc, of_histograms);
	tcase_add_test(tc, of_control_groups);
	tcase_add_test(tc, of_losses);
	suite_add_tcase(s, tc);
	return s;
}
