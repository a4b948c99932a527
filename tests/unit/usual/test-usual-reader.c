// SPDX-License-Identifier: GPL-2.0-or-later
/* test-usual-reader - which series the rows of an interval make: of whom, how often, and what can be unusual in them */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "usual/usual-parts.h"
#include "usual/usual-reader.h"
#include "usual/usual-sources.h"

struct reading {
	struct rs_usual_reader *reader;
	struct rs_usual *usual;
};

static void reading_end_step(void *arg, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct reading *r = arg;

	rs_usual_begin_interval(r->usual);
	rs_usual_reader_add(r->reader, s, r->usual);
}

/* The series of a recording of one interval. without: the view of this name is not run. */
static struct rs_usual *reading_run(const char *const *lines, const char *without)
{
	struct rs_error err = { 0 };
	struct reading r = { .usual = rs_usual_new(&err) };
	struct rs_session_config config = { .step_ns = 1000000000, .end_step = reading_end_step, .step_arg = &r };
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[0]);
	struct rs_session *session;
	struct rs_view_ref ref;

	for (unsigned int i = 0; rs_usual_sources[i].view; i++) {
		ck_assert(rs_requirements_find_view(rs_usual_sources[i].view, &ref, &err));
		if (!without || strcmp(rs_usual_sources[i].view, without))
			config.analyses[config.nr_analyses++] = ref.analysis;
	}
	r.reader = rs_usual_reader_new(&config, &err);
	ck_assert_msg(r.reader != NULL, "%s", err.text);
	session = rs_session_new(&config, &err);
	ck_assert_msg(session && rs_session_attach(session, source, &err) == 0, "%s", err.text);
	while (rs_session_run(session, 10000, &err) == RS_RUN_MORE)
		;
	rs_session_end(session);
	rs_session_free(session);
	source->ops->close(source);
	rs_usual_reader_free(r.reader);
	return r.usual;
}

/* "fsync by db: slow less, 2, p99 about 1000" */
static const char *reading_says(const struct rs_usual *u, const char *what)
{
	static char text[200];
	struct rs_buf name = RS_BUF_INIT;

	snprintf(text, sizeof text, "none");
	for (size_t i = 0; i < u->nr_series; i++) {
		const struct rs_series *s = u->series[i];
		const struct rs_short_dist *d = &s->intervals[u->slot];

		rs_buf_clear(&name);
		rs_usual_sources_put_what(&name, s->source, s->key, s->key_bytes);
		if (!strcmp(name.data, what))
			snprintf(text, sizeof text, "%s%s%s%llu of %llu, p99 %llu", s->can_be_slow ? "slow " : "",
				 s->can_be_less ? "less " : "", s->can_be_more ? "more " : "",
				 (unsigned long long)d->nr, (unsigned long long)d->sum,
				 (unsigned long long)rs_short_dist_quantile(d, 990));
	}
	rs_buf_done(&name);
	return text;
}

/*
 * db/10 and db/20, of which one writes and syncs, and one reads for a while; the sync waits for the disk. b runs
 * on its CPU meanwhile, and it has to wait for that.
 */
#define LOAD \
	"seed db/10 pid=10", "seed db/20 pid=20", "seed b/11 pid=11", "args 10 db", "args 20 db", \
	"1000 cpu0 sched_switch idle/0 R -> db/10", "2000 cpu0 sys_enter t=10 nr=fsync 3", \
	"3000 cpu0 block_rq_issue t=10 8,0 W 4096 sector=100 nr=8 comm=db", \
	"4000 cpu0 sched_switch db/10 D -> b/11", \
	"5000 cpu1 sys_enter t=20 nr=read 3 0 10", \
	"104000 cpu0 block_rq_complete t=11 8,0 W sector=100 nr=8", "104000 cpu0 sched_waking db/10 target=0 by b/11", \
	"154000 cpu0 sched_switch b/11 S -> db/10", "162000 cpu0 sys_exit t=10 nr=fsync ret=0", \
	"164000 cpu0 sys_enter t=10 nr=fsync 3", "166000 cpu0 sys_exit t=10 nr=fsync ret=0", \
	"900000 cpu1 sys_exit t=20 nr=read ret=1"

static const struct { const char *what, *says, *without; } rows[] = {
	{ "fsync by db", "slow less 2 of 162000, p99 155648" },
	{ "read by db", "less 1 of 895000, p99 0" },   /* until somebody writes: how long is not judged */
	{ "run-queue waits of db", "slow 1 of 50000, p99 51200" },
	{ "waits of db for disk", "slow 1 of 100000, p99 102400" },
	{ "waits of db for sleep", "none" },
	{ "requests W to disk 8,0", "slow 1 of 101000, p99 102400" },
	{ "b", "more 1 of 150000, p99 0" },
	{ "fsync by db", "none", "syscall-latency" },
};

START_TEST(series_of_rows)
{
	struct rs_usual *u = reading_run(LINES(LOAD), rows[_i].without);

	ck_assert_str_eq(reading_says(u, rows[_i].what), rows[_i].says);
	ck_assert_int_eq(u->skipped != 0, rows[_i].without != NULL);
	rs_usual_free(u);
}
END_TEST

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

Suite *rs_suite_usual_reader(void)
{
	Suite *s = suite_create("usual-reader");
	TCase *tc = tcase_create("usual-reader");

	tcase_add_loop_test(tc, series_of_rows, 0, NR(rows));
	suite_add_tcase(s, tc);
	return s;
}
