// SPDX-License-Identifier: GPL-2.0-or-later
/* test-stretch - a part of the past, analysed anew: of a window and of a file, beside the whole */
#include <check.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/cut.h"
#include "decode/merge.h"
#include "engine/stretch.h"
#include "lines.h"

Suite *rs_suite_stretch(void);

/* ---- rows as text ---- */

struct taken {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	const char *columns;      /* "comm,pid" */
	char text[2048];          /* a row a line */
};

static void take_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct taken *t = (struct taken *)(void *)sink;
	size_t len = strlen(t->text);
	char columns[128], *at = columns, *name;

	snprintf(columns, sizeof columns, "%s", t->columns);
	while ((name = strsep(&at, ","))) {
		const struct rs_column *c = t->view->columns;

		while (strcmp(c->name, name))
			c++;
		if (!values[c - t->view->columns].known)
			len += (size_t)snprintf(t->text + len, sizeof t->text - len, "- ");
		else if (c->type == RS_TYPE_TEXT)
			len += (size_t)snprintf(t->text + len, sizeof t->text - len, "%s ", values[c - t->view->columns].s);
		else
			len += (size_t)snprintf(t->text + len, sizeof t->text - len, "%" PRIu64 " ", values[c - t->view->columns].u);
	}
	t->text[len - 1] = '\n';
}

static struct rs_stretch_config all_analyses(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_stretch_config config = { .session = { .from_ns = from_ns, .to_ns = to_ns } };

	for (size_t i = 0; rs_analyses()[i]; i++)
		config.session.analyses[config.session.nr_analyses++] = rs_analyses()[i];
	return config;
}

static struct taken rows_of(const struct rs_past *past, const struct rs_stretch_config *config, const char *view,
			    const char *columns, struct rs_trust *trust)
{
	struct taken t = { .sink.row = take_row, .columns = columns };
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_view_ref ref;
	struct rs_stretch *st = rs_stretch_open(past, config, &why, &err);

	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert(rs_view_find(view, &ref, &err));
	t.view = ref.view;
	if (ref.view->kind == RS_VIEW_STREAM)
		rs_session_listen(rs_stretch_session(st), &ref, &(struct rs_query){ 0 }, &t.sink);
	ck_assert_msg(rs_stretch_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	if (ref.view->kind != RS_VIEW_STREAM)
		rs_session_rows(rs_stretch_session(st), &ref, &(struct rs_query){ 0 }, &t.sink);
	rs_session_trust(rs_stretch_session(st), trust);
	rs_stretch_free(st);
	return t;
}

/* ---- a capture: a session that reads, and a window behind it ---- */

static struct rs_source *source;
static struct rs_session *session;
static struct rs_past past;

static void read_on(uint64_t nr_events)
{
	struct rs_error err = { 0 };

	rs_session_run(session, nr_events, &err);
	ck_assert_int_eq(err.status, RS_OK);
}

static void begin_capture(struct rs_source *of, size_t window_bytes)
{
	struct rs_stretch_config config = all_analyses(0, 0);
	struct rs_error err = { 0 };

	source = of;
	past = (struct rs_past){ .of = source };
	if (window_bytes)
		past.window = source->window = rs_window_new(&source->info, window_bytes, 0, &err);
	session = rs_session_new(&config.session, &err);
	ck_assert_msg(session && rs_session_attach(session, source, &err) == 0, "%s", err.text);
}

static void end_capture(void)
{
	rs_session_free(session);
	rs_window_free(past.window);
	source->ops->close(source);
}

/* ---- what is cut ---- */

/* Of a page that begins long before, nothing of then is seen: what else happened then is not known. */
START_TEST(nothing_of_before)
{
	struct rs_trust trust;
	struct rs_stretch_config config = all_analyses(5000, 7000);
	struct taken t;

	begin_capture(rs_lines_source(LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
					    "5100 cpu1 sched_waking a/10 target=1 by b/11",
					    "5300 cpu1 sched_switch b/11 S -> a/10",
					    "5400 cpu1 sched_switch a/10 S -> b/11",
					    "5500 cpu1 sched_waking a/10 target=1 by b/11",
					    "5600 cpu1 sched_switch b/11 R -> a/10",
					    "6000 cpu0 sys_enter t=12 nr=read 1 2 3",
					    "9000 cpu1 sched_switch a/10 S -> b/11"), &rs_layouts[_i]), 1 << 20);
	read_on(UINT64_MAX);
	t = rows_of(&past, &config, "sched", "tid,run_ns,sleep_ns,open_ns", &trust);
	/* not 4000 of sleep: it may have run in between on cpu1; open at 7000, where the stretch ends */
	ck_assert_str_eq(t.text, "11 200 0 1400\n10 100 100 1400\n12 0 0 -\n");
	ck_assert_uint_eq(trust.from_ns, 5100);
	ck_assert_uint_eq(trust.to_ns, 7000);
	ck_assert_uint_eq(trust.events, 6);
	end_capture();
}
END_TEST

/* What ends in the stretch and began before it is an orphan; with .before_ns it is known, and is told of. */
START_TEST(what_was_on_its_way)
{
	struct rs_trust trust;
	struct rs_stretch_config config = all_analyses(5000, 7000);
	struct taken t;

	begin_capture(rs_lines_source(LINES("4000 cpu0 sys_enter t=10 nr=read 1 2 3",
					    "5200 cpu0 sys_exit t=10 nr=read ret=0",
					    "5300 cpu0 sys_enter t=10 nr=write 1 2 3",
					    "5400 cpu0 sys_exit t=10 nr=write ret=0",
					    "8000 cpu0 sys_enter t=10 nr=write 1 2 3"), &rs_layouts[_i]), 1 << 20);
	read_on(UINT64_MAX);
	t = rows_of(&past, &config, "syscalls", "start_ns,lat_ns", &trust);
	ck_assert_str_eq(t.text, "5300 100\n");
	ck_assert_uint_eq(trust.orphans, 1);
	config.before_ns = 1000;
	t = rows_of(&past, &config, "syscalls", "start_ns,lat_ns", &trust);
	ck_assert_str_eq(t.text, "4000 1200\n5300 100\n");
	ck_assert_uint_eq(trust.orphans, 0);
	config.before_ns = 999;
	t = rows_of(&past, &config, "syscalls", "start_ns,lat_ns", &trust);
	ck_assert_str_eq(t.text, "5300 100\n");
	end_capture();
}
END_TEST

/* Both ends are included, and events there and just outside lie in one page. */
START_TEST(the_ends_are_included)
{
	struct rs_stretch_config config = all_analyses(2000, 3000);
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_source *cut;
	struct rs_merge *m;
	struct rs_run run;
	char text[128] = "";

	config.exact = true;
	begin_capture(rs_lines_source(LINES("1999 cpu0 sys_enter t=1 nr=read", "2000 cpu0 sys_enter t=2 nr=read",
					    "2500 cpu0 sys_enter t=3 nr=read", "3000 cpu0 sys_enter t=4 nr=read",
					    "3001 cpu0 sys_enter t=5 nr=read", "1000 cpu1 sys_enter t=6 nr=read",
					    "4000 cpu2 sys_enter t=7 nr=read"), &rs_layouts[_i]), _i % 2 ? 1 << 20 : 0);
	read_on(UINT64_MAX);
	cut = rs_stretch_source(&past, &config, &why, &err);
	ck_assert_msg(cut != NULL, "%s", err.text);
	m = rs_merge_new(cut, NULL, NULL, &err);
	while (rs_merge_run(m, &run, &err))
		do
			sprintf(text + strlen(text), "%" PRIu64 " ", run.cursor->ts_ns);
		while (rs_merge_step(m, &run));
	ck_assert_str_eq(text, "2000 2500 3000 ");
	ck_assert_uint_eq(rs_merge_stats(m)->bad_pages, 0);
	rs_merge_free(m);
	cut->ops->close(cut);
	end_capture();
}
END_TEST

struct gap_taken {
	uint64_t from_ns, to_ns, nr_lost;
	unsigned int nr;
};

static void take_gap(void *arg, const struct rs_gap *gap)
{
	struct gap_taken *t = arg;

	*t = (struct gap_taken){ gap->from_ns, gap->to_ns, gap->nr_lost, t->nr + 1 };
}

static struct gap_taken gaps_between(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_stretch_config config = all_analyses(from_ns, to_ns);
	struct gap_taken taken = { 0 };
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_source *cut;
	struct rs_merge *m;
	struct rs_run run;

	config.exact = true;
	cut = rs_stretch_source(&past, &config, &why, &err);
	m = rs_merge_new(cut, take_gap, &taken, &err);
	while (rs_merge_run(m, &run, &err))
		while (rs_merge_step(m, &run))
			;
	rs_merge_free(m);
	cut->ops->close(cut);
	return taken;
}

/* A loss stands at a page's head: it stays where its page is cut at the end, and goes where its begin is cut off. */
START_TEST(losses_within)
{
	struct gap_taken taken;

	begin_capture(rs_lines_source(LINES("1000 cpu0 sys_enter t=1 nr=read", "cpu0 lost 5", "2000 cpu0 sys_enter t=1 nr=read",
					    "2500 cpu0 sys_enter t=1 nr=read", "3000 cpu0 sys_enter t=1 nr=read"),
				      &rs_layouts[_i]), 1 << 20);
	read_on(UINT64_MAX);
	taken = gaps_between(500, 4000);
	ck_assert_uint_eq(taken.nr, 1);
	ck_assert_uint_eq(taken.from_ns, 1000);
	taken = gaps_between(500, 2600);
	ck_assert_uint_eq(taken.nr, 1);
	ck_assert_uint_eq(taken.to_ns, 2000);
	ck_assert_uint_eq(taken.nr_lost, 5);
	taken = gaps_between(2100, 4000);
	ck_assert_uint_eq(taken.nr, 0);
	end_capture();
}
END_TEST

/* ---- names ---- */

/* Events that carry no names: who it is, is known by the session that has seen all. */
#define LIVES \
	LINES("seed p/5 pid=5", "seed a/10 pid=10", "seed lead/30 pid=30", "seed work/31 pid=30", \
	      "1000 cpu0 sched_switch idle/0 R -> a/10", \
	      "1010 cpu0 task_rename a/10 -> a", \
	      "1500 cpu0 sys_enter t=10 nr=read 1 2 3", \
	      "1600 cpu0 sys_exit t=10 nr=read ret=0", \
	      "1700 cpu0 sys_enter t=31 nr=read 1 2 3", \
	      "1800 cpu0 sys_exit t=31 nr=read ret=0", \
	      "2000 cpu0 sched_process_exit a/10", \
	      "3000 cpu0 task_newtask p/10 flags=0 by p/5", \
	      "3100 cpu0 task_rename p/10 -> b", \
	      "3500 cpu0 sys_enter t=10 nr=write 1 2 3", \
	      "3600 cpu0 sys_exit t=10 nr=write ret=0", \
	      "4000 cpu0 sys_enter t=5 nr=write 1 2 3")

static struct taken calls_between(uint64_t from_ns, uint64_t to_ns, bool with_seeds)
{
	static const struct rs_seed nobody;
	struct rs_stretch_config config = all_analyses(from_ns, to_ns);
	struct rs_seeds living = { 0 }, born = { 0 };
	struct rs_trust trust;
	struct taken t;

	ck_assert_int_eq(rs_session_seeds(session, from_ns, to_ns, &living, &born), 0);
	config.seeds = with_seeds ? living.row : &nobody;
	config.nr_seeds = with_seeds ? living.nr : 0;
	t = rows_of(&past, &config, "syscall-latency", "comm,pid,syscall", &trust);
	rs_seeds_done(&living);
	rs_seeds_done(&born);
	return t;
}

START_TEST(names_as_of_then)
{
	begin_capture(rs_lines_source(LIVES, &rs_layouts[_i]), 1 << 20);
	read_on(UINT64_MAX);
	/* the tid means another task by now; of the process that work belongs to no event tells */
	ck_assert_str_eq(calls_between(1400, 1900, true).text, "a 10 -\nlead 30 -\na 10 read\nlead 30 read\n");
	ck_assert_str_eq(calls_between(3400, 3900, true).text, "b 10 -\nb 10 write\n");
	ck_assert_str_eq(calls_between(3400, 3900, false).text, "- - -\n- - write\n");
	/* both in one: each life by its own name */
	ck_assert_str_eq(calls_between(1400, 3900, true).text, "a 10 -\nlead 30 -\na 10 read\nlead 30 read\nb 10 write\n");
	/* it had gone when this begins, and its next life has its own birth */
	ck_assert_str_eq(calls_between(2500, 3900, true).text, "b 10 -\nb 10 write\n");
	end_capture();
}
END_TEST

static bool has_row(const struct rs_seeds *seeds, int32_t tid, const char *comm)
{
	for (size_t i = 0; i < seeds->nr; i++)
		if (seeds->row[i].tid == tid && !strcmp(seeds->row[i].comm, comm))
			return true;
	return false;
}

START_TEST(who_lived_and_who_was_born)
{
	struct rs_seeds living = { 0 }, born = { 0 };

	begin_capture(rs_lines_source(LIVES, &rs_layouts[0]), 1 << 20);
	read_on(UINT64_MAX);
	ck_assert_int_eq(rs_session_seeds(session, 1500, 3500, &living, &born), 0);
	ck_assert(has_row(&living, 10, "a"));
	ck_assert(!has_row(&living, 10, "b"));
	ck_assert(has_row(&living, 30, "lead")); /* no event named it */
	ck_assert(has_row(&living, 5, "p"));
	ck_assert_uint_eq(born.nr, 1);
	ck_assert(has_row(&born, 10, "b"));
	rs_seeds_done(&living);
	rs_seeds_done(&born);
	ck_assert_int_eq(rs_session_seeds(session, 5000, 6000, &living, &born), 0);
	ck_assert_uint_eq(living.nr, 0); /* so far it has not come */
	end_capture();
}
END_TEST

/* ---- a window that moves on ---- */

static struct rs_source *open_file(const char *name)
{
	struct rs_error err = { 0 };
	struct rs_source *s;
	char path[64];

	snprintf(path, sizeof path, "tests/traces/%s.dat", name);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}

START_TEST(what_has_gone_is_refused)
{
	struct rs_stretch_config config = all_analyses(1, 2);
	struct rs_window_stats stats;
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_stretch *st;

	begin_capture(open_file("debian-6.1-amd64-mixed"), 32 * 4200);
	read_on(UINT64_MAX);
	rs_window_stats(past.window, &stats);
	ck_assert_uint_gt(stats.nr_evicted, 0);
	ck_assert_ptr_null(rs_stretch_open(&past, &config, &why, &err));
	ck_assert_int_eq(why, RS_STRETCH_GONE);
	err = (struct rs_error){ 0 };
	config.session.to_ns = 0;
	st = rs_stretch_open(&past, &config, &why, &err); /* from what is left on */
	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert_uint_gt(rs_stretch_from_ns(st), stats.whole_after_ns);
	ck_assert_int_eq(rs_stretch_run(st, NULL, NULL, &err), 0);
	rs_stretch_free(st);
	end_capture();
}
END_TEST

START_TEST(what_is_too_much_is_refused_before_it_begins)
{
	struct rs_stretch_config config = all_analyses(1, 0);
	struct rs_error err = { 0 };
	enum rs_stretch_why why;

	begin_capture(open_file("debian-6.1-amd64-mixed"), _i ? 0 : 8 << 20);
	read_on(UINT64_MAX);
	config.max_bytes = 65536;
	ck_assert_ptr_null(rs_stretch_open(&past, &config, &why, &err));
	ck_assert_int_eq(why, RS_STRETCH_DEAR);
	end_capture();
}
END_TEST

static bool never(void *arg)
{
	return false;
}

START_TEST(who_wants_no_more_stops_it)
{
	struct rs_stretch_config config = all_analyses(1, 0);
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_stretch *st;

	begin_capture(open_file("debian-6.1-amd64-mixed"), 0);
	st = rs_stretch_open(&past, &config, &why, &err);
	ck_assert_int_eq(rs_stretch_run(st, never, NULL, &err), 1);
	rs_stretch_free(st);
	end_capture();
}
END_TEST

/* ---- spans of a stretch beside those of the whole ---- */

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

	if (rs_muted(c) || (s->kind && strcmp(s->kind, kind->name)) || span->start_ns < s->not_before_ns)
		return;
	ck_assert_uint_lt(s->nr, MAX_SPANS);
	s->span[s->nr++] = (struct span){ span->start_ns, span->end_ns, span->arg, span->id, kind };
}

static struct spans spans_of_all(const char *file, const struct rs_stretch_config *config, const struct spans *wanted)
{
	struct spans s = *wanted;
	struct rs_error err = { 0 };
	struct rs_source *f = open_file(file);
	struct rs_session *all = rs_session_new(&config->session, &err);

	s.sink.span = take_span;
	s.span = malloc(MAX_SPANS * sizeof *s.span);
	rs_session_lay(all, &s.sink);
	ck_assert_int_eq(rs_session_attach(all, f, &err), 0);
	while (rs_session_run(all, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	rs_session_end(all);
	rs_session_free(all);
	f->ops->close(f);
	return s;
}

static struct spans spans_of_stretch(const struct rs_stretch_config *config, const struct spans *wanted)
{
	struct spans s = *wanted;
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_stretch *st = rs_stretch_open(&past, config, &why, &err);

	ck_assert_msg(st != NULL, "%s", err.text);
	s.sink.span = take_span;
	s.span = malloc(MAX_SPANS * sizeof *s.span);
	rs_session_lay(rs_stretch_session(st), &s.sink);
	ck_assert_msg(rs_stretch_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	rs_stretch_free(st);
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
START_TEST(as_the_whole_tells_it)
{
	const char *file = files[_i / 2];
	struct rs_stretch_config config = all_analyses(0, 0);
	struct spans wanted = { 0 }, whole, part;
	struct rs_trust trust;
	uint64_t length_ns;

	begin_capture(open_file(file), _i % 2 ? 8 << 20 : 0);
	read_on(UINT64_MAX);
	rs_session_trust(session, &trust);
	length_ns = trust.to_ns - trust.from_ns;
	for (unsigned int i = 0; i < 3; i++) {
		config = all_analyses(trust.from_ns + length_ns / 4 * i + 1, trust.from_ns + length_ns / 4 * (i + 2));
		config.before_ns = UINT64_MAX;
		whole = spans_of_all(file, &config, &wanted);
		part = spans_of_stretch(&config, &wanted);
		same_spans(&whole, &part);
	}
	/* system calls are pairs of two events and need nothing else of before */
	config.before_ns = 0;
	wanted.kind = "syscall";
	wanted.not_before_ns = config.session.from_ns;
	whole = spans_of_all(file, &config, &wanted);
	part = spans_of_stretch(&config, &wanted);
	same_spans(&whole, &part);
	end_capture();
}
END_TEST

/* ---- one analyses the capture, another one its past ---- */

static _Atomic bool captured;

static void *capture_all(void *arg)
{
	struct rs_error err = { 0 };

	while (rs_session_run(session, 1000, &err) == RS_RUN_MORE)
		;
	ck_assert_int_eq(err.status, RS_OK);
	atomic_store(&captured, true);
	return NULL;
}

static uint64_t read_past(void)
{
	struct rs_stretch_config config = all_analyses(1, 0);
	struct rs_error err = { 0 };
	enum rs_stretch_why why;
	struct rs_stretch *st;
	struct rs_trust trust;

	config.torn = true;
	config.ahead = true;
	st = rs_stretch_open(&past, &config, &why, &err);
	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert_msg(rs_stretch_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	rs_session_trust(rs_stretch_session(st), &trust);
	rs_stretch_free(st);
	ck_assert_uint_eq(trust.bad_pages, 0);
	return trust.events;
}

START_TEST(the_past_is_read_while_the_capture_goes_on)
{
	pthread_t thread;

	begin_capture(open_file("debian-6.1-amd64-mixed"), _i ? 32 * 4200 : 8 << 20);
	read_on(1);
	captured = false;
	ck_assert_int_eq(pthread_create(&thread, NULL, capture_all, NULL), 0);
	while (!atomic_load(&captured))
		read_past();
	pthread_join(thread, NULL);
	ck_assert_uint_gt(read_past(), 1000);
	end_capture();
}
END_TEST

Suite *rs_suite_stretch(void)
{
	Suite *s = suite_create("stretch");
	TCase *t = tcase_create("stretch");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, nothing_of_before, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, what_was_on_its_way, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, the_ends_are_included, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, losses_within, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, names_as_of_then, 0, (int)rs_nr_layouts);
	tcase_add_test(t, who_lived_and_who_was_born);
	tcase_add_test(t, what_has_gone_is_refused);
	tcase_add_loop_test(t, what_is_too_much_is_refused_before_it_begins, 0, 2);
	tcase_add_test(t, who_wants_no_more_stops_it);
	tcase_add_loop_test(t, as_the_whole_tells_it, 0, 6);
	tcase_add_loop_test(t, the_past_is_read_while_the_capture_goes_on, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
