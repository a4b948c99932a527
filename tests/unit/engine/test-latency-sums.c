// SPDX-License-Identifier: GPL-2.0-or-later
/* test-latency-sums - latencies of several analyses, by what they are divided, and what becomes of them with too many */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/viewers.h"
#include "lines.h"
#include "ringside/event.h"

/* The analysis again, of whose names all have one hash. */
static uint64_t hash_of_all(const void *bytes, size_t len)
{
	return 7;
}

#define rs_hash_bytes hash_of_all
#define rs_latency_sums one_hash_latency_sums
#define rs_latency_sums_view one_hash_latency_sums_view
#include "engine/store/latency-sums.c"
#undef rs_latency_sums
#undef rs_latency_sums_view

extern const struct rs_analysis rs_latency_sums;
extern const struct rs_view_ref rs_latency_sums_view;

/* ---- rows as text, sorted ---- */

struct read_rows {
	struct rs_sink sink; /* first */
	char rows[32][120];
	unsigned int nr;     /* also of those that have no room */
	uint64_t nr_others, nr_all;
};

static const char *column_text(struct rs_value v)
{
	return v.known ? v.s : "-";
}

static void read_row(struct rs_sink *sink, const struct rs_value *v, const void *measures)
{
	struct read_rows *r = (struct read_rows *)sink;
	const struct rs_latency_sum *s = measures;
	bool is_others = v[RS_LATENCY_OPERATION].known && !strcmp(v[RS_LATENCY_OPERATION].s, RS_LATENCY_OTHERS);

	r->nr_all += s->nr;
	r->nr_others += is_others ? s->nr : 0;
	if (r->nr < 32)
		snprintf(r->rows[r->nr], sizeof r->rows[0], "%s %s %s %s %s: %d %d %d", column_text(v[RS_LATENCY_KIND]),
			 column_text(v[RS_LATENCY_OPERATION]), column_text(v[RS_LATENCY_COMMAND]),
			 column_text(v[RS_LATENCY_CGROUP]), column_text(v[RS_LATENCY_DISK]), (int)s->nr, (int)s->sum_ns,
			 (int)s->max_ns);
	r->nr++;
}

static int compare_rows(const void *a, const void *b)
{
	return strcmp(a, b);
}

struct asked {
	const struct rs_view_ref *view;
	const struct rs_viewers *viewers;
	uint64_t from_ns;
	bool all_columns, resets; /* after the first page */
};

static struct read_rows read_sums(const char *const *lines, const struct layout *layout, const struct asked *asked)
{
	const struct rs_query by_all = { .by = { "kind", "operation", "command", "cgroup", "disk" }, .nr_by = 5 }, by = { 0 };
	struct rs_session_config config = { .viewers = asked->viewers, .from_ns = asked->from_ns };
	struct rs_source *source = rs_lines_source(lines, layout);
	struct read_rows r = { .sink.measures = read_row };
	struct rs_error err = { 0 };
	struct rs_session *s;

	for (size_t i = 0; rs_plugins_all()[i]; i++)
		if (!strcmp(rs_plugins_all()[i]->name, "syscalls") || !strcmp(rs_plugins_all()[i]->name, "iosnoop"))
			config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	ck_assert_uint_eq(config.nr_analyses, 2);
	config.analyses[config.nr_analyses++] = asked->view->analysis;
	s = rs_session_new(&config, &err);
	ck_assert_msg(s && rs_session_attach(s, source, &err) == 0, "%s", err.text);
	if (asked->resets) {
		ck_assert_int_eq(rs_session_run(s, 1, &err), RS_RUN_MORE);
		rs_session_reset(s);
	}
	while (rs_session_run(s, 1000, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	ck_assert_int_eq(rs_session_rows(s, asked->view, asked->all_columns ? &by_all : &by, &r.sink), 0);
	rs_session_free(s);
	source->ops->close(source);
	qsort(r.rows, r.nr < 32 ? r.nr : 32, sizeof r.rows[0], compare_rows);
	return r;
}

#define check_sums(read, ...) check_all_sums(read, ((const char *const[]){ __VA_ARGS__, NULL }))

static void check_all_sums(const struct read_rows r, const char *const *expected)
{
	for (unsigned int i = 0; expected[i]; i++)
		ck_assert_msg(i < r.nr && !strcmp(r.rows[i], expected[i]), "%u of %u: '%s', not '%s'", i, r.nr, r.rows[i], expected[i]);
	for (unsigned int i = 0; i < r.nr; i++)
		ck_assert_msg(expected[i], "one more: '%s'", r.rows[i]);
}

/* a runs 1000 to 2000 and 2600 to 5000, and waits 500 for who wakes it and 100 for the CPU; b runs from 5000 on, in a call at the end. */
static const char *const lines[] = {
	"seed a/10 pid=10 cgroup=/a", "seed b/20 pid=20",
	"1000 cpu0 sched_switch idle/0 R -> a/10",
	"1100 cpu0 sys_enter t=10 nr=read 1 2 3",
	"1600 cpu0 sys_exit t=10 nr=read ret=1",
	"2000 cpu0 sched_switch a/10 S -> idle/0",
	"2500 cpu0 sched_waking a/10 target=0 by idle/0",
	"2600 cpu0 sched_switch idle/0 R -> a/10",
	"2700 cpu0 sys_enter t=10 nr=read 1 2 3",
	"3000 cpu0 sys_exit t=10 nr=read ret=1",
	"3100 cpu0 sys_enter t=10 nr=write 1 2 3",
	"3200 cpu0 sys_exit t=10 nr=write ret=1",
	"4000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
	"4600 cpu0 block_rq_complete t=10 8,0 R sector=100 nr=8",
	"5000 cpu0 sched_switch a/10 S -> b/20",
	"5100 cpu0 sys_enter t=20 nr=read 1 2 3",
	"5120 cpu0 sys_exit t=20 nr=read ret=1",
	"5200 cpu0 sys_enter t=20 nr=read 1 2 3",
	NULL,
};

#define BY_ALL \
	"on-cpu - a /a -: 2 3400 2400", "request R - - 8,0: 1 600 600", "run-queue - a /a -: 1 100 100", \
	"syscall read a /a -: 2 800 500", "syscall read b - -: 1 20 20", "syscall write a /a -: 1 100 100", \
	"wait unknown a /a -: 1 500 500"

START_TEST(by_all_columns)
{
	const struct asked asked = { .view = &rs_latency_sums_view, .all_columns = true };

	check_sums(read_sums(lines, &rs_layouts[_i], &asked), BY_ALL);
}
END_TEST

START_TEST(names_of_one_hash)
{
	const struct asked asked = { .view = &one_hash_latency_sums_view, .all_columns = true };

	check_sums(read_sums(lines, &rs_layouts[0], &asked), BY_ALL);
}
END_TEST

/* What rows are not divided by is null. */
START_TEST(by_kind_operation_and_command)
{
	const struct asked asked = { .view = &rs_latency_sums_view };

	check_sums(read_sums(lines, &rs_layouts[0], &asked), "on-cpu - a - -: 2 3400 2400", "request R - - -: 1 600 600",
		   "run-queue - a - -: 1 100 100", "syscall read a - -: 2 800 500", "syscall read b - -: 1 20 20",
		   "syscall write a - -: 1 100 100", "wait unknown a - -: 1 500 500");
}
END_TEST

/* From 4500 on: of a its slice and the request, which end there; of b its call. */
START_TEST(of_a_time_range)
{
	const struct asked asked = { .view = &rs_latency_sums_view, .from_ns = 4500 };

	check_sums(read_sums(lines, &rs_layouts[0], &asked), "on-cpu - a - -: 1 2400 2400", "request R - - -: 1 600 600",
		   "syscall read b - -: 1 20 20");
}
END_TEST

/* Of the second interval: names are numbered anew, and b is the first then, as a was. */
START_TEST(of_an_interval)
{
	const struct asked asked = { .view = &rs_latency_sums_view, .resets = true };

	check_sums(read_sums(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 S -> b/20", "cpu0 page",
				   "3000 cpu0 sched_switch b/20 S -> c/30", "3500 cpu0 sched_switch c/30 S -> a/10",
				   "3700 cpu0 sched_switch a/10 S -> idle/0"),
			     &rs_layouts[0], &asked),
		   "on-cpu - a - -: 1 200 200", "on-cpu - b - -: 1 1000 1000", "on-cpu - c - -: 1 500 500",
		   "wait off-CPU (sleep + delay) a - -: 1 1500 1500");
}
END_TEST

START_TEST(not_of_viewers)
{
	const struct rs_viewers viewers = { .nr = 1, .pids = { 10 } };
	const struct asked asked = { .view = &rs_latency_sums_view, .viewers = &viewers };

	check_sums(read_sums(lines, &rs_layouts[0], &asked), "request R - - -: 1 600 600", "syscall read b - -: 1 20 20");
}
END_TEST

/* 8200 operations are 8 too many: those are of no name, and nothing is lost. */
START_TEST(too_many)
{
	enum { CALLS_MADE = 8200 };
	const char **many = calloc(2 * CALLS_MADE + 1, sizeof *many);
	const struct asked asked = { .view = &rs_latency_sums_view };
	char (*texts)[64] = calloc(2 * CALLS_MADE, sizeof *texts);
	struct read_rows r;

	for (int i = 0; i < 2 * CALLS_MADE; i++) {
		snprintf(texts[i], sizeof texts[i], "%d cpu%d %s t=%d nr=%d %s", 1000 + i, i / 2 % 2, i % 2 ? "sys_exit" : "sys_enter",
			 10 + i / 2 % 2, 1000 + i / 2, i % 2 ? "ret=0" : "1 2 3");
		many[i] = texts[i];
	}
	r = read_sums(many, &rs_layouts[0], &asked);
	ck_assert_uint_eq(r.nr_all, CALLS_MADE);
	ck_assert_uint_eq(r.nr_others, CALLS_MADE - 8192);
	ck_assert_uint_eq(r.nr, 8193);
	free(texts);
	free(many);
}
END_TEST

Suite *rs_suite_latency_sums(void);
Suite *rs_suite_latency_sums(void)
{
	Suite *s = suite_create("latency-sums");
	TCase *t = tcase_create("latency-sums");

	tcase_add_loop_test(t, by_all_columns, 0, (int)rs_nr_layouts);
	tcase_add_test(t, names_of_one_hash);
	tcase_add_test(t, by_kind_operation_and_command);
	tcase_add_test(t, of_a_time_range);
	tcase_add_test(t, of_an_interval);
	tcase_add_test(t, not_of_viewers);
	tcase_add_test(t, too_many);
	suite_add_tcase(s, t);
	return s;
}
