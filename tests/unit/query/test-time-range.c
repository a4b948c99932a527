// SPDX-License-Identifier: GPL-2.0-or-later
/* test-time-range - a part of the past, analysed anew: of a window and of a file, beside the whole */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captured.h"
#include "decode/time-range-source.h"
#include "decode/merge.h"
#include "lines.h"

Suite *rs_suite_time_range(void);

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

static struct taken rows_of(const struct rs_time_range_source_config *history, const struct rs_time_range_config *config, const char *view,
			    const char *columns, struct rs_quality *quality)
{
	struct taken t = { .sink.row = take_row, .columns = columns };
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_view_ref ref;
	struct rs_time_range *st = rs_time_range_open(history, config, &why, &err);

	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert(rs_requirements_find_view(view, &ref, &err));
	t.view = ref.view;
	if (ref.view->kind == RS_VIEW_STREAM)
		rs_session_subscribe(st->session, &ref, &(struct rs_query){ 0 }, &t.sink);
	ck_assert_msg(rs_time_range_run(st, NULL, NULL, &err) == 0, "%s", err.text);
	if (ref.view->kind != RS_VIEW_STREAM)
		rs_session_rows(st->session, &ref, &(struct rs_query){ 0 }, &t.sink);
	rs_session_quality(st->session, quality);
	rs_time_range_free(st);
	return t;
}

/* ---- what is cut ---- */

/* Of a page that begins long before, nothing of then is seen: what else happened then is not known. */
START_TEST(nothing_of_before)
{
	struct rs_quality quality;
	struct rs_time_range_config config = captured_config(5000, 7000);
	struct taken t;

	captured_begin_lines(LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
				   "5100 cpu1 sched_waking a/10 target=1 by b/11",
				   "5300 cpu1 sched_switch b/11 S -> a/10",
				   "5400 cpu1 sched_switch a/10 S -> b/11",
				   "5500 cpu1 sched_waking a/10 target=1 by b/11",
				   "5600 cpu1 sched_switch b/11 R -> a/10",
				   "6000 cpu0 sys_enter t=12 nr=read 1 2 3",
				   "9000 cpu1 sched_switch a/10 S -> b/11"), _i);
	t = rows_of(&captured_history, &config, "sched", "tid,run_ns,sleep_ns,open_ns", &quality);
	/* not 4000 of sleep: it may have run in between on cpu1; what is open at 7000, where the stretch ends, counts up to there */
	ck_assert_str_eq(t.text, "11 200 0 0\n10 1500 100 0\n12 0 0 -\n");
	ck_assert_uint_eq(quality.from_ns, 5100);
	ck_assert_uint_eq(quality.to_ns, 7000);
	ck_assert_uint_eq(quality.events, 6);
	captured_end();
}
END_TEST

/* What ends in the stretch and began before it is an unmatched end; with .before_ns it is known, and is told of. */
START_TEST(what_was_on_its_way)
{
	struct rs_quality quality;
	struct rs_time_range_config config = captured_config(5000, 7000);
	struct taken t;

	captured_begin_lines(LINES("4000 cpu0 sys_enter t=10 nr=read 1 2 3",
				   "5200 cpu0 sys_exit t=10 nr=read ret=0",
				   "5300 cpu0 sys_enter t=10 nr=write 1 2 3",
				   "5400 cpu0 sys_exit t=10 nr=write ret=0",
				   "8000 cpu0 sys_enter t=10 nr=write 1 2 3"), _i);
	t = rows_of(&captured_history, &config, "syscalls", "start_ns,lat_ns", &quality);
	ck_assert_str_eq(t.text, "5300 100\n");
	ck_assert_uint_eq(quality.unmatched, 1);
	config.before_ns = 1000;
	t = rows_of(&captured_history, &config, "syscalls", "start_ns,lat_ns", &quality);
	ck_assert_str_eq(t.text, "4000 1200\n5300 100\n");
	ck_assert_uint_eq(quality.unmatched, 0);
	config.before_ns = 999;
	t = rows_of(&captured_history, &config, "syscalls", "start_ns,lat_ns", &quality);
	ck_assert_str_eq(t.text, "5300 100\n");
	captured_end();
}
END_TEST

/* Both ends are included, and events there and just outside lie in one page. */
START_TEST(the_ends_are_included)
{
	struct rs_time_range_config config = captured_config(2000, 3000);
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_source *cut;
	struct rs_merge *m;
	struct rs_batch batch;
	char text[128] = "";

	config.exact = true;
	captured_begin(rs_lines_source(LINES("1999 cpu0 sys_enter t=1 nr=read", "2000 cpu0 sys_enter t=2 nr=read",
					    "2500 cpu0 sys_enter t=3 nr=read", "3000 cpu0 sys_enter t=4 nr=read",
					    "3001 cpu0 sys_enter t=5 nr=read", "1000 cpu1 sys_enter t=6 nr=read",
					    "4000 cpu2 sys_enter t=7 nr=read"), &rs_layouts[_i]), _i % 2 ? 1 << 20 : 0);
	captured_read_on(UINT64_MAX);
	cut = rs_time_range_source(&captured_history, &config, &why, &err);
	ck_assert_msg(cut != NULL, "%s", err.text);
	m = rs_merge_new(cut, NULL, NULL, &err);
	while (rs_merge_next_batch(m, &batch, &err))
		do
			sprintf(text + strlen(text), "%" PRIu64 " ", batch.cursor->ts_ns);
		while (rs_merge_next_record(m, &batch));
	ck_assert_str_eq(text, "2000 2500 3000 ");
	ck_assert_uint_eq(rs_merge_stats(m)->bad_pages, 0);
	rs_merge_free(m);
	cut->ops->close(cut);
	captured_end();
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
	struct rs_time_range_config config = captured_config(from_ns, to_ns);
	struct gap_taken taken = { 0 };
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_source *cut;
	struct rs_merge *m;
	struct rs_batch batch;

	config.exact = true;
	cut = rs_time_range_source(&captured_history, &config, &why, &err);
	m = rs_merge_new(cut, take_gap, &taken, &err);
	while (rs_merge_next_batch(m, &batch, &err))
		while (rs_merge_next_record(m, &batch))
			;
	rs_merge_free(m);
	cut->ops->close(cut);
	return taken;
}

/* A loss stands at a page's head: it stays where its page is cut at the end, and goes where its begin is cut off. */
START_TEST(losses_within)
{
	struct gap_taken taken;

	captured_begin(rs_lines_source(LINES("1000 cpu0 sys_enter t=1 nr=read", "cpu0 lost 5", "2000 cpu0 sys_enter t=1 nr=read",
					    "2500 cpu0 sys_enter t=1 nr=read", "3000 cpu0 sys_enter t=1 nr=read"),
				      &rs_layouts[_i]), 1 << 20);
	captured_read_on(UINT64_MAX);
	taken = gaps_between(500, 4000);
	ck_assert_uint_eq(taken.nr, 1);
	ck_assert_uint_eq(taken.from_ns, 1000);
	taken = gaps_between(500, 2600);
	ck_assert_uint_eq(taken.nr, 1);
	ck_assert_uint_eq(taken.to_ns, 2000);
	ck_assert_uint_eq(taken.nr_lost, 5);
	taken = gaps_between(2100, 4000);
	ck_assert_uint_eq(taken.nr, 0);
	captured_end();
}
END_TEST

/* ---- names ---- */

/* Events that carry no names: who it is, is known by the session that has seen all. */
#define INSTANCES \
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
	static const struct rs_initial_task nobody;
	struct rs_time_range_config config = captured_config(from_ns, to_ns);
	struct rs_task_snapshot living = { 0 }, created = { 0 };
	struct rs_quality quality;
	struct taken t;

	ck_assert_int_eq(rs_session_initial_tasks(captured_session, from_ns, to_ns, &living, &created), 0);
	config.snapshot = with_seeds ? living.row : &nobody;
	config.nr_initial = with_seeds ? living.nr : 0;
	t = rows_of(&captured_history, &config, "syscall-latency", "comm,pid,syscall", &quality);
	rs_task_snapshot_done(&living);
	rs_task_snapshot_done(&created);
	return t;
}

START_TEST(names_as_of_then)
{
	captured_begin_lines(INSTANCES, _i);
	/* the tid means another task by now; of the process that work belongs to no event tells */
	ck_assert_str_eq(calls_between(1400, 1900, true).text, "a 10 -\nlead 30 -\na 10 read\nlead 30 read\n");
	ck_assert_str_eq(calls_between(3400, 3900, true).text, "b 10 -\nb 10 write\n");
	ck_assert_str_eq(calls_between(3400, 3900, false).text, "- - -\n- - write\n");
	/* both in one: each life by its own name */
	ck_assert_str_eq(calls_between(1400, 3900, true).text, "a 10 -\nlead 30 -\na 10 read\nlead 30 read\nb 10 write\n");
	/* it had gone when this begins, and its next life has its own birth */
	ck_assert_str_eq(calls_between(2500, 3900, true).text, "b 10 -\nb 10 write\n");
	captured_end();
}
END_TEST

static bool has_row(const struct rs_task_snapshot *seeds, int32_t tid, const char *comm)
{
	for (size_t i = 0; i < seeds->nr; i++)
		if (seeds->row[i].tid == tid && !strcmp(seeds->row[i].comm, comm))
			return true;
	return false;
}

START_TEST(tasks_seen_and_forked)
{
	struct rs_task_snapshot living = { 0 }, created = { 0 };

	captured_begin_lines(INSTANCES, 0);
	ck_assert_int_eq(rs_session_initial_tasks(captured_session, 1500, 3500, &living, &created), 0);
	ck_assert(has_row(&living, 10, "a"));
	ck_assert(!has_row(&living, 10, "b"));
	ck_assert(has_row(&living, 30, "lead")); /* no event named it */
	ck_assert(has_row(&living, 5, "p"));
	ck_assert_uint_eq(created.nr, 1);
	ck_assert(has_row(&created, 10, "b"));
	rs_task_snapshot_done(&living);
	rs_task_snapshot_done(&created);
	ck_assert_int_eq(rs_session_initial_tasks(captured_session, 5000, 6000, &living, &created), 0);
	ck_assert_uint_eq(living.nr, 0); /* so far it has not come */
	captured_end();
}
END_TEST

static char letter_of(const struct rs_task_snapshot *seeds, int32_t tid)
{
	for (size_t i = 0; i < seeds->nr; i++)
		if (seeds->row[i].tid == tid)
			return seeds->row[i].letter ? seeds->row[i].letter : '-';
	return 0;
}

/* a slept when the capture began, and ran since; when it has ended, and is forgotten, it is not asleep again in what came before. */
START_TEST(ended_tasks_do_not_sleep)
{
	struct rs_task_snapshot living = { 0 };

	captured_begin_lines(LINES("seed a/10 pid=10 at=900 asleep=S", "seed c/20 pid=20 at=900 asleep=S",
				   "1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_process_exit a/10",
				   "2010 cpu0 sched_switch a/10 Z -> idle/0", "4000 cpu0 sched_switch idle/0 R -> b/30"), 0);
	captured_read_on(UINT64_MAX);
	rs_session_expire_tasks(captured_session, 3000);
	ck_assert_int_eq(rs_session_initial_tasks(captured_session, 1500, 1900, &living, NULL), 0);
	ck_assert_int_eq(letter_of(&living, 10), '-');
	ck_assert(has_row(&living, 10, "a"));
	ck_assert_int_eq(letter_of(&living, 20), 'S');
	rs_task_snapshot_done(&living);
	captured_end();
}
END_TEST

/* A ringside that began after this capture is in no list: its name tells it, in what is kept of a capture too. In a file it tells nothing. */
#define TWO_RUN "2000 cpu0 sched_switch idle/0 R -> ringside-engine/10", "2500 cpu0 sched_switch ringside-engine/10 S -> b/11", \
	"2900 cpu0 sched_switch b/11 S -> idle/0", "5000 cpu1 sched_switch c/12 S -> idle/0"

START_TEST(other_ringsides_stay_hidden)
{
	struct rs_time_range_config config = captured_config(1000, 4000);
	struct rs_quality quality;
	struct taken t;

	captured_begin_lines(LINES("live", TWO_RUN), 0);
	t = rows_of(&captured_history, &config, "sched", "tid,run_ns", &quality);
	ck_assert_str_eq(t.text, "11 400\n");
	captured_end();
	captured_begin_lines(LINES(TWO_RUN), 0);
	t = rows_of(&captured_history, &config, "sched", "tid,run_ns", &quality);
	ck_assert_str_eq(t.text, "10 500\n11 400\n");
	captured_end();
}
END_TEST

/* ---- a window that moves on ---- */

START_TEST(an_expired_range_is_refused)
{
	struct rs_time_range_config config = captured_config(1, 2);
	struct rs_window_stats stats;
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_time_range *st;

	captured_begin(captured_file("debian-6.1-amd64-mixed"), 32 * 4200);
	captured_read_on(UINT64_MAX);
	rs_window_stats(captured_history.window, &stats);
	ck_assert_uint_gt(stats.nr_evicted, 0);
	ck_assert_ptr_null(rs_time_range_open(&captured_history, &config, &why, &err));
	ck_assert_int_eq(why, RS_TIME_RANGE_EXPIRED);
	err = (struct rs_error){ 0 };
	config.session.to_ns = 0;
	st = rs_time_range_open(&captured_history, &config, &why, &err); /* from what is left on */
	ck_assert_msg(st != NULL, "%s", err.text);
	ck_assert_uint_gt(st->from_ns, stats.whole_after_ns);
	ck_assert_int_eq(rs_time_range_run(st, NULL, NULL, &err), 0);
	rs_time_range_free(st);
	captured_end();
}
END_TEST

START_TEST(what_is_too_much_is_refused_before_it_begins)
{
	struct rs_time_range_config config = captured_config(1, 0);
	struct rs_error err = { 0 };
	enum rs_time_range_why why;

	captured_begin(captured_file("debian-6.1-amd64-mixed"), _i ? 0 : 8 << 20);
	captured_read_on(UINT64_MAX);
	config.max_bytes = 65536;
	ck_assert_ptr_null(rs_time_range_open(&captured_history, &config, &why, &err));
	ck_assert_int_eq(why, RS_TIME_RANGE_EXPENSIVE);
	captured_end();
}
END_TEST

static bool never(void *arg)
{
	return false;
}

START_TEST(an_unsubscribe_stops_it)
{
	struct rs_time_range_config config = captured_config(1, 0);
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_time_range *st;

	captured_begin(captured_file("debian-6.1-amd64-mixed"), 0);
	st = rs_time_range_open(&captured_history, &config, &why, &err);
	ck_assert_int_eq(rs_time_range_run(st, never, NULL, &err), 1);
	rs_time_range_free(st);
	captured_end();
}
END_TEST

Suite *rs_suite_time_range(void)
{
	Suite *s = suite_create("time-range");
	TCase *t = tcase_create("stretch");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, nothing_of_before, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, what_was_on_its_way, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, the_ends_are_included, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, losses_within, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(t, names_as_of_then, 0, (int)rs_nr_layouts);
	tcase_add_test(t, tasks_seen_and_forked);
	tcase_add_test(t, ended_tasks_do_not_sleep);
	tcase_add_test(t, other_ringsides_stay_hidden);
	tcase_add_test(t, an_expired_range_is_refused);
	tcase_add_loop_test(t, what_is_too_much_is_refused_before_it_begins, 0, 2);
	tcase_add_test(t, an_unsubscribe_stops_it);
	suite_add_tcase(s, t);
	return s;
}
