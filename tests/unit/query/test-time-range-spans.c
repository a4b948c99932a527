// SPDX-License-Identifier: GPL-2.0-or-later
/* test-time-range-spans - the spans of a part of the past beside those of the whole, and while more comes */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "captured.h"

#define MAX_SPANS 200000

struct span {
	uint64_t start_ns, end_ns, arg, id;
	const struct rs_span_kind *kind;
};

struct spans {
	struct rs_span_sink sink; /* first */
	uint64_t from_ns;         /* those that end then or later */
	const char *kind;         /* NULL: any */
	uint64_t not_before_ns;   /* those that begin then or later */
	size_t nr;
	struct span *span;
};

static void take_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct spans *s = (struct spans *)(void *)sink;

	if (rs_api_is_muted(c) || (s->kind && strcmp(s->kind, kind->name)) ||
	    span->start_ns < s->not_before_ns)
		return;
	ck_assert_uint_lt(s->nr, MAX_SPANS);
	s->span[s->nr++] = (struct span){ span->start_ns, span->end_ns, span->arg, span->id, kind };
}

static struct spans spans_of_all(const char *file, const struct rs_time_range_config *config, const struct spans *wanted)
{
	struct spans s = *wanted;
	struct rs_error err = { 0 };
	struct rs_source *f = captured_file(file);
	struct rs_session *all = rs_session_new(&config->session, &err);

	s.sink.span = take_span;
	s.span = malloc(MAX_SPANS * sizeof *s.span);
	rs_session_emit_span(all, &s.sink);
	ck_assert_int_eq(rs_session_attach(all, f, &err), 0);
	while (rs_session_run(all, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	rs_session_end(all);
	rs_session_free(all);
	f->ops->close(f);
	return s;
}

static struct spans spans_of_range(const struct rs_time_range_config *config, const struct spans *wanted)
{
	struct spans s = *wanted;
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_time_range *st = rs_time_range_open(&captured_history, config, &why, &err);

	ck_assert_msg(st != NULL, "%s", err.text);
	s.sink.span = take_span;
	s.span = malloc(MAX_SPANS * sizeof *s.span);
	rs_session_emit_span(st->session, &s.sink);
	ck_assert_msg(rs_time_range_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	rs_time_range_free(st);
	return s;
}

static int by_time(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : (x->arg > y->arg) - (x->arg < y->arg);
}

/* Those that are open at the end come task by task, in the order in which the tasks were seen first. */
static void same_spans(const struct spans *a, const struct spans *b)
{
	ck_assert_uint_eq(a->nr, b->nr);
	ck_assert_uint_gt(a->nr, 20);
	qsort(a->span, a->nr, sizeof *a->span, by_time);
	qsort(b->span, b->nr, sizeof *b->span, by_time);
	for (size_t i = 0; i < a->nr; i++) {
		ck_assert_uint_eq(a->span[i].start_ns, b->span[i].start_ns);
		ck_assert_uint_eq(a->span[i].end_ns, b->span[i].end_ns);
		ck_assert_uint_eq(a->span[i].arg, b->span[i].arg);
		ck_assert_ptr_eq(a->span[i].kind, b->span[i].kind);
	}
	free(a->span);
	free(b->span);
}

static const char *const files[] = { "debian-6.1-amd64-mixed", "debian-6.1-s390x-v6", "debian-6.1-amd64-lost" };

/* As --from --to of the whole, where as much before is read: of a file by seeking, and of a window. */
START_TEST(as_in_the_whole_recording)
{
	const char *file = files[_i / 2];
	struct rs_time_range_config config = captured_config(0, 0);
	struct spans wanted = { 0 }, whole, part;
	struct rs_quality quality;
	uint64_t length_ns;

	captured_begin(captured_file(file), _i % 2 ? 8 << 20 : 0);
	captured_read_on(UINT64_MAX);
	rs_session_quality(captured_session, &quality);
	length_ns = quality.to_ns - quality.from_ns;
	for (unsigned int i = 0; i < 3; i++) {
		config = captured_config(quality.from_ns + length_ns / 4 * i + 1, quality.from_ns + length_ns / 4 * (i + 2));
		config.before_ns = UINT64_MAX;
		whole = spans_of_all(file, &config, &wanted);
		part = spans_of_range(&config, &wanted);
		same_spans(&whole, &part);
	}
	/* system calls are pairs of two events and need nothing else of before */
	config.before_ns = 0;
	wanted.kind = "syscall";
	wanted.not_before_ns = config.session.from_ns;
	whole = spans_of_all(file, &config, &wanted);
	part = spans_of_range(&config, &wanted);
	same_spans(&whole, &part);
	captured_end();
}
END_TEST

/* ---- one analyses the capture, another one its past ---- */

static _Atomic bool all_read;

static void *capture_all(void *arg)
{
	struct rs_error err = { 0 };

	while (rs_session_run(captured_session, 1000, &err) == RS_RUN_MORE)
		;
	ck_assert_int_eq(err.status, RS_OK);
	atomic_store(&all_read, true);
	return NULL;
}

static uint64_t read_history(void)
{
	struct rs_time_range_config config = captured_config(1, 0);
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_time_range *st;
	struct rs_quality quality;

	config.ahead = true;
	st = rs_time_range_open(&captured_history, &config, &why, &err);
	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert_msg(rs_time_range_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	rs_session_quality(st->session, &quality);
	rs_time_range_free(st);
	ck_assert_uint_eq(quality.bad_pages, 0);
	return quality.events;
}

START_TEST(history_is_read_while_the_capture_goes_on)
{
	pthread_t thread;

	captured_begin(captured_file("debian-6.1-amd64-mixed"), _i ? 32 * 4200 : 8 << 20);
	captured_read_on(1);
	all_read = false;
	ck_assert_int_eq(pthread_create(&thread, NULL, capture_all, NULL), 0);
	while (!atomic_load(&all_read))
		read_history();
	pthread_join(thread, NULL);
	ck_assert_uint_gt(read_history(), 1000);
	captured_end();
}
END_TEST

Suite *rs_suite_time_range_spans(void);
Suite *rs_suite_time_range_spans(void)
{
	Suite *s = suite_create("time-range-spans");
	TCase *t = tcase_create("stretch-spans");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, as_in_the_whole_recording, 0, 6);
	tcase_add_loop_test(t, history_is_read_while_the_capture_goes_on, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
