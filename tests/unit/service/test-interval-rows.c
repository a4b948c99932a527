// SPDX-License-Identifier: GPL-2.0-or-later
/* test-interval-rows - rows of stacks stay what they were when the session gives the numbers of their stacks to others */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "model/named-stacks.h"
#include "sample-lines.h"
#include "service/interval-rows.h"
#include "view/columns.h"

/* The table has room for two frames. In the second interval, from 5000 on, they are others. */
#define EVENTS LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 S -> idle/0", \
		     "5000 cpu0 sched_switch idle/0 R -> a/10", "6000 cpu0 sched_switch a/10 S -> idle/0")
#define STACKS SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000110", \
		       "5100 cpu0 sample 10/10 kernel ffffffff81000210 ffffffff81000310")

struct interval_sink {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	unsigned int nr_rows;
	char stack[64], modules[64];
	uint32_t number;
};

static void interval_keep_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct interval_sink *k = (struct interval_sink *)sink;
	int stack = rs_column_named(k->view, "stack"), modules = rs_column_named(k->view, "modules");

	ck_assert(values[stack].known && values[modules].known);
	strcpy(k->stack, values[stack].s);
	strcpy(k->modules, values[modules].s);
	k->number = values[stack].stack;
	k->nr_rows++;
}

static struct rs_session *session;
static struct rs_interval_rows *rows;
static struct rs_view_ref ref;

static void interval_ask(struct interval_sink *k)
{
	struct rs_rows_range range;

	k->sink.row = interval_keep_row;
	k->view = ref.view;
	k->nr_rows = 0;
	ck_assert_int_eq(rs_interval_rows_get(rows, &ref, &(struct rs_query){ 0 }, &k->sink, &range), 0);
	ck_assert_uint_eq(k->nr_rows, 1);
}

static void interval_run_to(uint64_t until_ns)
{
	struct rs_quality quality = { 0 };
	struct rs_error err = { 0 };

	while (quality.to_ns < until_ns) {
		ck_assert_int_eq(rs_session_run(session, 1, &err), RS_RUN_MORE);
		rs_session_quality(session, &quality);
	}
}

START_TEST(rows_outlive_the_numbers_of_their_stacks)
{
	static const char kallsyms[] = "ffffffff81000000 T start\nffffffff81000100 T read\nffffffff81000200 T lock\nffffffff81000300 T end\n";
	struct rs_source *source = rs_lines_source(EVENTS, &rs_layouts[0]);
	struct rs_session_config config = { .max_stacks = 4 };
	struct interval_sink texts = { .nr_rows = 0 }, numbers = { .sink.stacks = rs_named_stacks_new(RS_STACKS_MAX) },
			     both = { .sink = { .stacks = rs_named_stacks_new(RS_STACKS_MAX), .texts = ~0ull } };
	struct rs_error err = { 0 };
	char buf[64];

	source->samples = sample_lines_open(STACKS, false);
	source->info.kallsyms = (struct rs_text){ kallsyms, sizeof kallsyms - 1 };
	ck_assert(rs_requirements_find_view("profile-stacks", &ref, &err));
	config.analyses[config.nr_analyses++] = ref.analysis;
	session = rs_session_new(&config, &err);
	rows = rs_interval_rows_new(&config, 3000, &err);
	ck_assert(session && rows && rs_interval_rows_subscribe(rows, session, &err) == 0);
	ck_assert_int_eq(rs_session_attach(session, source, &err), 0);
	rs_interval_rows_end_if_due(rows, 1000);
	interval_run_to(2000);
	interval_ask(&texts); /* of the interval that has begun: straight from the session */
	ck_assert_str_eq(texts.stack, "start;read");
	ck_assert_uint_eq(texts.number, 0);
	rs_interval_rows_end_if_due(rows, 4000);
	interval_run_to(6000);
	/* in the table of the session there are others now */
	rs_session_rows(session, &ref, &(struct rs_query){ 0 }, &texts.sink);
	ck_assert_str_eq(texts.stack, "lock;end");
	interval_ask(&texts);
	ck_assert_str_eq(texts.stack, "start;read");
	ck_assert_str_eq(texts.modules, "[kernel];[kernel]");
	ck_assert_uint_eq(texts.number, 0);
	/* another table has other numbers */
	rs_named_stacks_add(numbers.sink.stacks, RS_STACK_ROOT, "other", "");
	interval_ask(&numbers);
	ck_assert_str_eq(numbers.stack, "");
	interval_ask(&both);
	ck_assert_str_eq(both.stack, "start;read");
	rs_interval_rows_free(rows);
	rs_session_free(session);
	source->samples->ops->close(source->samples);
	source->ops->close(source);
	ck_assert_str_eq(rs_named_stacks_put(numbers.sink.stacks, numbers.number, false, buf, sizeof buf), "start;read");
	ck_assert_str_eq(rs_named_stacks_put(both.sink.stacks, both.number, false, buf, sizeof buf), "start;read");
	rs_named_stacks_free(numbers.sink.stacks);
	rs_named_stacks_free(both.sink.stacks);
}
END_TEST

/* ---- streams ---- */

#define BUSY_SLICES 1200          /* more than the service keeps of a stream */
#define QUIET_SLICES 5            /* in each interval after the busy one */
#define NR_INTERVALS 14
#define STREAM_INTERVAL_NS 1000000

static void stream_count_row(struct rs_sink *sink, const struct rs_value *values)
{
}

/* Returns the number of rows that the stream has had. */
static uint64_t stream_ask(void)
{
	struct rs_sink sink = { .row = stream_count_row };
	struct rs_rows_range range;

	ck_assert_int_eq(rs_interval_rows_get(rows, &ref, &(struct rs_query){ 0 }, &sink, &range), 0);
	return range.interval;
}

#define NR_LINES (2 * (BUSY_SLICES + NR_INTERVALS * QUIET_SLICES) + NR_INTERVALS + 2)

static char stream_texts[NR_LINES][64];
static const char *stream_events[NR_LINES]; /* the last is NULL */
static unsigned int stream_nr_events;

/* A page of its own: the session reads to the end of one. */
static void stream_add_slices(unsigned int interval, unsigned int nr)
{
	stream_events[stream_nr_events++] = "cpu0 page";
	for (unsigned int i = 0; i < 2 * nr; i++) {
		char *text = stream_texts[stream_nr_events];

		snprintf(text, sizeof *stream_texts, "%u cpu0 sched_switch %s",
			 interval * STREAM_INTERVAL_NS + 1000 + 400 * i,
			 i & 1 ? "a/10 S -> idle/0" : "idle/0 R -> a/10");
		stream_events[stream_nr_events++] = text;
	}
}

/* Ends that interval: its slices have come. */
static void stream_end(unsigned int interval, unsigned int nr)
{
	interval_run_to(interval * STREAM_INTERVAL_NS + 1000 + 400 * (2 * nr - 1));
	rs_interval_rows_end_if_due(rows, (interval + 1) * STREAM_INTERVAL_NS);
}

static struct rs_source *stream_begin(void)
{
	struct rs_session_config config = { .max_stacks = 4 };
	struct rs_error err = { 0 };
	struct rs_source *source;

	stream_nr_events = 0;
	stream_add_slices(0, BUSY_SLICES);
	for (unsigned int i = 1; i <= NR_INTERVALS; i++)
		stream_add_slices(i, QUIET_SLICES);
	source = rs_lines_source(stream_events, &rs_layouts[0]);
	ck_assert(rs_requirements_find_view("timehist", &ref, &err));
	config.analyses[config.nr_analyses++] = ref.analysis;
	session = rs_session_new(&config, &err);
	rows = rs_interval_rows_new(&config, STREAM_INTERVAL_NS, &err);
	ck_assert(session && rows && rs_interval_rows_subscribe(rows, session, &err) == 0);
	ck_assert_int_eq(rs_session_attach(session, source, &err), 0);
	rs_interval_rows_end_if_due(rows, 0);
	stream_end(0, BUSY_SLICES);
	return source;
}

static void stream_finish(struct rs_source *source)
{
	rs_interval_rows_free(rows);
	rs_session_free(session);
	source->ops->close(source);
}

START_TEST(a_busy_stream_that_nobody_asks_for_costs_nothing)
{
	struct rs_source *source = stream_begin();

	stream_end(1, QUIET_SLICES);
	ck_assert_uint_eq(stream_ask(), BUSY_SLICES); /* none of the second interval; from now on, all */
	stream_end(2, QUIET_SLICES);
	stream_end(3, QUIET_SLICES);
	ck_assert_uint_eq(stream_ask(), BUSY_SLICES + 2 * QUIET_SLICES);
	stream_finish(source);
}
END_TEST

START_TEST(a_stream_that_was_busy_is_there_again_once_it_is_quiet)
{
	struct rs_source *source = stream_begin();

	for (unsigned int i = 1; i < NR_INTERVALS; i++)
		stream_end(i, QUIET_SLICES);
	/* from the twelfth on, ten after it was left */
	ck_assert_uint_eq(stream_ask(), BUSY_SLICES + (NR_INTERVALS - 12) * QUIET_SLICES);
	stream_finish(source);
}
END_TEST

Suite *rs_suite_interval_rows(void);
Suite *rs_suite_interval_rows(void)
{
	Suite *s = suite_create("interval-rows");
	TCase *t = tcase_create("interval-rows");

	tcase_add_test(t, rows_outlive_the_numbers_of_their_stacks);
	tcase_add_test(t, a_busy_stream_that_nobody_asks_for_costs_nothing);
	tcase_add_test(t, a_stream_that_was_busy_is_there_again_once_it_is_quiet);
	suite_add_tcase(s, t);
	return s;
}
