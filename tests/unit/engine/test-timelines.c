// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timelines - what a session's analyses lay is on the track that it belongs to */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/track-cells.h"
#include "engine/session.h"
#include "engine/timelines.h"
#include "lines.h"
#include "sample-lines.h"

static struct rs_timelines *timelines;
static struct rs_session *session;
static struct rs_source *source;
static char text[4096];

/* With all analyses. samples: of the CPUs, with room for two frames of stacks; NULL: none */
static void open_session(const char *const *lines, const char *const *samples)
{
	struct rs_session_config config = { 0 };
	struct rs_error err = { 0 };

	source = rs_lines_source(lines, &rs_layouts[0]);
	source->samples = samples ? sample_lines_open(samples, false) : NULL;
	config.max_stacks = samples ? 4 : 0;
	for (size_t i = 0; rs_plugins_all()[i]; i++)
		config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	timelines = rs_timelines_new(1 << 20, 0, &err);
	session = rs_session_new(&config, &err);
	ck_assert_msg(timelines && session, "%s", err.text);
	ck_assert_int_eq(rs_session_emit_span(session, rs_timelines_sink(timelines)), 0);
	ck_assert_msg(rs_session_attach(session, source, &err) == 0, "%s", err.text);
}

/* Reads the lines; the end is not told. */
static void read_on(const char *const *lines)
{
	struct rs_error err = { 0 };

	open_session(lines, NULL);
	while (rs_session_run(session, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	ck_assert_int_eq(err.status, RS_OK);
}

static void read_lines(const char *const *lines)
{
	read_on(lines);
	rs_session_end(session);
}

static void done(void)
{
	rs_session_free(session);
	if (source->samples)
		source->samples->ops->close(source->samples);
	source->ops->close(source);
	rs_timelines_free(timelines);
}

static bool write_span(void *arg, const struct rs_timeline_span *s)
{
	const struct rs_span_kind *kind = rs_timelines_kind(timelines, s);
	size_t len = strlen(text);
	char buf[64];

	ck_assert_ptr_nonnull(kind);
	snprintf(text + len, sizeof text - len, "%s%s:%s:%llu-%llu%s", len ? " " : "", kind->name,
		 rs_timelines_label(timelines, s, buf, sizeof buf), (unsigned long long)s->start_ns,
		 (unsigned long long)s->end_ns, s->kind & RS_KIND_OPEN ? "+" : "");
	return true;
}

static const char *on_track(enum rs_track_type of, enum rs_span_shape shape, uint64_t id)
{
	struct rs_timeline *tl = rs_timelines_of(timelines);

	*text = '\0';
	rs_timeline_query(tl, rs_timeline_find(tl, rs_track_type(of, shape), id),
			  &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, write_span, NULL);
	return text;
}

START_TEST(each_instance_of_a_tid_has_its_own_calls)
{
	read_lines(LINES("1000 cpu0 sys_enter t=7 nr=read 1 2 3",
			 "1500 cpu0 sys_exit t=7 nr=read ret=0",
			 "2000 cpu0 sched_process_exit a/7",
			 "3000 cpu1 task_newtask b/7 flags=0 by a/9",
			 "4000 cpu0 sys_enter t=7 nr=write 1 2 3",
			 "5000 cpu0 sys_exit t=7 nr=write ret=0",
			 "6000 cpu0 sys_enter t=7 nr=read 1 2 3",
			 "7000 cpu0 sys_enter t=8 nr=read 1 2 3"));
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_SLICE, rs_task_track(7, 0)), "syscall:read:1000-1500");
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_SLICE, rs_task_track(7, 1)),
			 "syscall:write:4000-5000 syscall:read:6000-7000+");
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_SLICE, rs_task_track(8, 0)), "syscall:read:7000-7000+");
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_SLICE, rs_task_track(6, 0)), "");
}
END_TEST

/* No row has the first stack any more when there is no room for the next; the timeline still shows it. */
START_TEST(stacks_of_samples_stay)
{
	struct rs_error err = { 0 };

	open_session(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_waking b/11 target=0 by a/10", "cpu0 page",
			   "9000 cpu0 sched_switch a/10 S -> idle/0"),
		     SAMPLES("1100 cpu0 sample 10/10 400010 400020", "3100 cpu0 sample 10/10 400030 400040"));
	ck_assert_int_eq(rs_session_run(session, 1, &err), RS_RUN_MORE);
	ck_assert_int_eq(rs_session_run(session, 1, &err), RS_RUN_MORE); /* up to 2000 */
	rs_session_reset(session);
	ck_assert_int_eq(rs_session_run(session, UINT64_MAX, &err), RS_RUN_END);
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_SAMPLE, rs_task_track(10, 0)), "sample:[unknown]:1100-1100 sample:[others]:3100-3100");
}
END_TEST

START_TEST(requests_are_on_their_disk)
{
	read_lines(LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=10 8,16 W 4096 sector=100 nr=8 comm=a",
			 "3000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "4000 cpu1 block_rq_complete t=0 8,16 W sector=100 nr=8"));
	ck_assert_str_eq(on_track(RS_TRACK_DISK, RS_SPAN_ASYNC, 8 << 20), "request:R 4096:1000-3000");
	ck_assert_str_eq(on_track(RS_TRACK_DISK, RS_SPAN_ASYNC, 8 << 20 | 16), "request:W 4096:1100-4000");
}
END_TEST

static void write_open(void *arg, uint32_t type, uint64_t id, const struct rs_timeline_span *s)
{
	if (id == *(uint64_t *)arg)
		write_span(NULL, s);
}

static const char *open_on(uint64_t id)
{
	*text = '\0';
	rs_timelines_open(timelines, session, write_open, &id);
	return text;
}

/* The disks there are, and how many spans of each ended. */
static const char *disks(void)
{
	struct rs_opens opens = { .nr = 0 };
	struct rs_track_ask ask = { .of = RS_TRACK_DISK, .to_ns = UINT64_MAX, .limit = 2, .opens = &opens };
	struct rs_track_info *tracks;
	size_t nr;

	ck_assert(rs_track_cells_add_in_flight(&opens, timelines, session));
	tracks = rs_tracks_list(timelines, &ask, &nr);
	rs_track_cells_free_in_flight(&opens);
	*text = '\0';
	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof text - len, "%s%s:%llu%s", len ? " " : "", tracks[i].label,
			 (unsigned long long)tracks[i].nr_spans, (tracks[i].shapes & ~(1u << RS_SPAN_STATE)) == 1u << RS_SPAN_ASYNC ? "" : "?");
	}
	free(tracks);
	return text;
}

/* It has no span that ended, but it is there (of one that did: the request, and that it was served); each once, by number, and so many as were asked for. */
START_TEST(disks_that_do_not_answer)
{
	read_on(LINES("1000 cpu0 block_rq_issue t=10 8,16 R 4096 sector=100 nr=8 comm=a",
		      "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
		      "1200 cpu0 block_rq_issue t=10 8,16 R 4096 sector=200 nr=8 comm=a",
		      "1300 cpu0 block_rq_issue t=10 8,32 R 4096 sector=300 nr=8 comm=a",
		      "3000 cpu1 block_rq_complete t=0 8,16 R sector=100 nr=8"));
	ck_assert_str_eq(disks(), "8,0:0 8,16:2");
	ck_assert_str_eq(open_on(8 << 20), "request:R 4096:1100-3000+");
	ck_assert_str_eq(open_on(8 << 20 | 16), "request:R 4096:1200-3000+");
	ck_assert_str_eq(on_track(RS_TRACK_DISK, RS_SPAN_ASYNC, 8 << 20 | 16), "request:R 4096:1000-3000");
}
END_TEST

static const char *name_at(uint64_t at_ns)
{
	static struct rs_track_info info;

	rs_track_details(timelines, &(struct rs_track_ref){ RS_TRACK_TASK, rs_task_track(7, 0) }, at_ns, &info);
	return info.label;
}

/* A picture of a time has the names of that time, whatever the task is called by now. */
START_TEST(former_names)
{
	read_on(LINES("1000 cpu0 sched_switch idle/0 R -> a/7",
		      "2000 cpu0 sched_switch a/7 S -> idle/0",
		      "2500 cpu1 task_rename a/7 -> b",
		      "3000 cpu0 sched_switch idle/0 R -> b/7",
		      "4000 cpu0 sched_switch b/7 S -> idle/0",
		      "4500 cpu1 task_rename b/7 -> c", "4600 cpu1 task_rename c/7 -> d",
		      "5000 cpu0 sched_switch idle/0 R -> d/7",
		      "6000 cpu0 sched_switch d/7 S -> idle/0"));
	ck_assert_str_eq(on_track(RS_TRACK_CPU, RS_SPAN_STATE, 0),
			 "slice:a/7:1000-2000 slice:b/7:3000-4000 slice:d/7:5000-6000");
	ck_assert_str_eq(name_at(1500), "a");
	ck_assert_str_eq(name_at(2500), "b");
	ck_assert_str_eq(name_at(4550), "c");
	ck_assert_str_eq(name_at(UINT64_MAX), "d");
	done();
	/* the last three of its former names are known, of earlier times the first of them */
	read_on(LINES("1000 cpu0 sched_switch idle/0 R -> a/7", "1500 cpu1 task_rename a/7 -> b",
		      "2000 cpu1 task_rename b/7 -> c", "3000 cpu1 task_rename c/7 -> d",
		      "4000 cpu1 task_rename d/7 -> e"));
	ck_assert_str_eq(name_at(1000), "b");
	ck_assert_str_eq(name_at(2500), "c");
}
END_TEST

static bool write_owner(void *arg, const struct rs_timeline_span *s)
{
	struct rs_track_ref disk = { RS_TRACK_DISK, 8 << 20 };
	const struct rs_task *task = rs_track_span_task(timelines, &disk, s);
	char *text_of = arg;
	size_t len = strlen(text_of);

	snprintf(text_of + len, 256 - len, "%s%d=%s.%d", len ? " " : "",
		 rs_track_span_tid(timelines, &disk, s),
		 task ? task->comm : "-", task ? (int)task->inst : -1);
	return true;
}

/* A tid is used again: the request is of the life that ran when it was issued. Of an unknown one, and a tid of none, "-". */
START_TEST(owner_of_a_request)
{
	char owners[256] = "";

	read_on(LINES("1000 cpu0 sched_switch idle/0 R -> a/7",
		      "1100 cpu0 block_rq_issue t=7 8,0 R 512 sector=1 nr=1 comm=a",
		      "1200 cpu2 block_rq_complete t=0 8,0 R sector=1 nr=1",
		      "1300 cpu0 sched_process_exit a/7",
		      "1400 cpu0 sched_switch a/7 X -> idle/0",
		      "2000 cpu2 block_rq_issue t=0 8,0 R 512 sector=2 nr=1 comm=swapper",
		      "2100 cpu2 block_rq_complete t=0 8,0 R sector=2 nr=1",
		      "3000 cpu1 task_newtask b/7 flags=0 by c/9",
		      "3100 cpu0 sched_switch idle/0 R -> b/7",
		      "3200 cpu0 block_rq_issue t=7 8,0 R 512 sector=3 nr=1 comm=b",
		      "3300 cpu2 block_rq_complete t=0 8,0 R sector=3 nr=1",
		      "4000 cpu0 sched_switch b/7 S -> idle/0"));
	rs_timeline_query(rs_timelines_of(timelines), rs_timeline_find(rs_timelines_of(timelines),
			  rs_track_type(RS_TRACK_DISK, RS_SPAN_ASYNC), 8 << 20),
			  &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, write_owner, owners);
	ck_assert_str_eq(owners, "7=a.0 0=-.-1 7=b.1");
}
END_TEST

/* Asked for twice it is the same, and the track goes on as if nobody had asked. */
START_TEST(what_is_open_now)
{
	read_on(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
		      "1100 cpu0 sys_enter t=10 nr=read 1 2 3",
		      "1500 cpu0 sched_switch a/10 S -> b/11",
		      "2000 cpu0 sched_switch b/11 S -> b/11"));
	ck_assert_str_eq(open_on(rs_task_track(10, 0)), "syscall:read:1100-2000+ state:S (sleep):1500-2000+");
	ck_assert_str_eq(open_on(rs_task_track(10, 0)), "syscall:read:1100-2000+ state:S (sleep):1500-2000+");
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_STATE, rs_task_track(10, 0)), "state:run:1000-1500");
	rs_session_end(session);
	ck_assert_str_eq(open_on(rs_task_track(10, 0)), "");
	ck_assert_str_eq(on_track(RS_TRACK_TASK, RS_SPAN_STATE, rs_task_track(10, 0)),
			 "state:run:1000-1500 state:S (sleep):1500-2000+");
}
END_TEST

static bool keep_waker(void *arg, const struct rs_timeline_span *s)
{
	size_t len = strlen(text);

	(void)arg;
	snprintf(text + len, sizeof text - len, "%s%d", len ? " " : "", rs_state_waker(s->arg));
	return true;
}

/* Run, blocked, delay, run, blocked by an interrupt, delay, run: by nobody, b (11), an interrupt. */
START_TEST(its_waker)
{
	struct rs_timeline *tl;

	read_lines(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1800 cpu1 sched_waking a/10 target=0 by b/11",
			 "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2300 cpu0 sched_switch a/10 S -> idle/0",
			 "2700 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2900 cpu0 sched_switch idle/0 R -> a/10",
			 "3000 cpu0 sched_switch a/10 S -> idle/0"));
	tl = rs_timelines_of(timelines);
	*text = '\0';
	rs_timeline_query(tl, rs_timeline_find(tl, rs_track_type(RS_TRACK_TASK, RS_SPAN_STATE), rs_task_track(10, 0)),
			  &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, keep_waker, NULL);
	ck_assert_str_eq(text, "-1 11 11 11 0 0 0 -1");
}
END_TEST

START_TEST(a_wakers_tid_goes_in_and_comes_out)
{
	static const int32_t tids[] = { -1, 0, 1, 255, 256, 4194304, 0xfffffe };
	uint64_t arg = rs_state_arg(RS_BLOCKED, 'D', RS_CAUSE_DISK, 0xffff);

	for (size_t i = 0; i < sizeof tids / sizeof *tids; i++) {
		arg = rs_state_woken_by(arg, tids[i]);
		ck_assert_int_eq(rs_state_waker(arg), tids[i]);
		ck_assert_int_eq(rs_state_of(arg), RS_BLOCKED);
		ck_assert_int_eq(rs_state_letter(arg), 'D');
		ck_assert_int_eq(rs_state_cause(arg), RS_CAUSE_DISK);
		ck_assert_int_eq(rs_state_cpu(arg), 0xffff);
	}
	ck_assert_int_eq(rs_state_waker(rs_state_woken_by(arg, 0xffffff)), -1); /* another system's */
	ck_assert_int_eq(rs_state_waker(rs_state_woken_by(arg, -5)), -1);
}
END_TEST

START_TEST(a_number_that_no_kind_has)
{
	struct rs_timeline_span s = { .kind = 0x7fff };
	char buf[16];

	read_lines(LINES("1000 cpu0 sched_switch a/10 S -> idle/0"));
	ck_assert_ptr_null(rs_timelines_kind(timelines, &s));
	ck_assert_str_eq(rs_timelines_label(timelines, &s, buf, sizeof buf), "");
}
END_TEST

Suite *rs_suite_timelines(void)
{
	Suite *s = suite_create("timelines");
	TCase *t = tcase_create("timelines");

	tcase_add_checked_fixture(t, NULL, done);
	tcase_add_test(t, each_instance_of_a_tid_has_its_own_calls);
	tcase_add_test(t, stacks_of_samples_stay);
	tcase_add_test(t, requests_are_on_their_disk);
	tcase_add_test(t, what_is_open_now);
	tcase_add_test(t, former_names);
	tcase_add_test(t, disks_that_do_not_answer);
	tcase_add_test(t, owner_of_a_request);
	tcase_add_test(t, its_waker);
	tcase_add_test(t, a_number_that_no_kind_has);
	suite_add_tcase(s, t);
	t = tcase_create("args");
	tcase_add_test(t, a_wakers_tid_goes_in_and_comes_out);
	suite_add_tcase(s, t);
	return s;
}
