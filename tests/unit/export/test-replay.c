// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-replay - one wait in slow motion: tracks, captions and the last sentence, computed by hand; both writers escape names, and
 * none grows without bound
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/html/html-style.h"
#include "export/replay/replay.h"

#define MS 1000000ull
#define AT(ms) (1000 * MS + (ms) * MS) /* the wait is from AT(0) to AT(100) */
#define DISK_DEV (8u << 20 | 16)

static void replay_begin(struct rs_replay *r)
{
	*r = (struct rs_replay){ .begin_ns = AT(0) - 500 * MS, .from_ns = AT(0), .to_ns = AT(100) };
}

static void replay_make(struct rs_replay *r, const struct rs_wait_tree *tree, struct rs_replay_states *states)
{
	rs_replay_steps_choose(r, tree, states);
	rs_replay_steps_fill(r, states);
	rs_replay_words_make(r, tree);
	free(states->at);
	*states = (struct rs_replay_states){ .nr = 0 };
}

static void replay_add(struct rs_replay_states *s, int32_t tid, const char *comm, enum rs_cause cause, uint16_t cpu, uint64_t from_ns,
		       uint64_t to_ns)
{
	struct rs_replay_state state = { .from_ns = from_ns, .to_ns = to_ns, .tid = tid, .cause = cause, .cpu = cpu };

	rs_copy(state.comm, sizeof state.comm, comm);
	rs_replay_steps_gather(s, &state);
}

static void replay_add_request(struct rs_replay_states *s, int32_t tid, const char *comm, const char *rwbs, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_replay_state state = { .from_ns = from_ns, .to_ns = to_ns, .tid = tid, .cause = RS_CAUSE_DISK, .is_request = true,
					 .dev = DISK_DEV };

	rs_copy(state.comm, sizeof state.comm, comm);
	rs_copy(state.rwbs, sizeof state.rwbs, rwbs);
	rs_replay_steps_gather(s, &state);
}

/* "TEXT from-to": of each step, in ms. */
static void check_track(const struct rs_replay *r, unsigned int track, const char *expected)
{
	const struct rs_replay_track *at = &r->tracks[track];
	char text[1000];
	int len = snprintf(text, sizeof text, "%s%s%s:", at->name, *at->role ? ", " : "", at->role);

	for (unsigned int i = at->first; i < at->first + at->nr && len < 900; i++)
		len += snprintf(text + len, sizeof text - (size_t)len, " %s %d-%d;", r->steps[i].text, (int)((r->steps[i].from_ns - AT(0)) / MS),
				(int)((r->steps[i].to_ns - AT(0)) / MS));
	ck_assert_str_eq(text, expected);
}

static void check_caption(const struct rs_replay *r, unsigned int ms, const char *expected)
{
	const struct rs_replay_caption *caption = rs_replay_words_at(r, AT(ms));

	ck_assert_ptr_nonnull(caption);
	ck_assert_str_eq(caption->text, expected);
}

/* ---- a lock ---- */

/* order waits for audit, which has the lock and no CPU: encode has that. */
static const struct rs_wait_tree lock_tree = {
	4,
	{ { .kind = RS_WAIT_NODE_TASK, .on_path = true, .part = RS_PART_UNKNOWN, .ns = 100 * MS, .from_ns = AT(0), .to_ns = AT(100), .tid = 10,
	    .name = "order" },
	  { .kind = RS_WAIT_NODE_TASK, .depth = 1, .on_path = true, .part = RS_PART_FUTEX, .ns = 100 * MS, .from_ns = AT(0), .to_ns = AT(100),
	    .tid = 20, .name = "audit" },
	  { .kind = RS_WAIT_NODE_PART, .depth = 2, .on_path = true, .part = RS_PART_QUEUE, .ns = 60 * MS, .cpu_1 = 2 },
	  { .kind = RS_WAIT_NODE_CULPRIT, .depth = 3, .on_path = true, .part = RS_PART_QUEUE, .ns = 50 * MS, .tid = 30, .name = "encode",
	    .cpu_1 = 2 } }
};

static void replay_lock(struct rs_replay *r, const struct rs_wait_tree *tree, const char *encode)
{
	struct rs_replay_states s = { .nr = 0 };

	replay_begin(r);
	replay_add(&s, 10, "order", RS_CAUSE_FUTEX, 0, AT(0), AT(100));
	replay_add(&s, 20, "audit", RS_CAUSE_PREEMPTED, 1, AT(0) - 5 * MS, AT(60));
	replay_add(&s, 30, encode, RS_CAUSE_RUN, 1, AT(0) - 10 * MS, AT(50));
	replay_add(&s, 20, "audit", RS_CAUSE_RUN, 1, AT(60), AT(130));
	replay_add(&s, 40, "other", RS_CAUSE_RUN, 0, AT(0), AT(100));
	replay_make(r, tree, &s);
}

/* From 50 ms to 60 nobody that is known runs on CPU 1. Nobody asked about CPU 0 and `other`. */
START_TEST(the_lock_and_the_cpu)
{
	struct rs_replay *r = malloc(sizeof *r);

	replay_lock(r, &lock_tree, "encode");
	ck_assert_uint_eq(r->nr_tracks, 4);
	check_track(r, 0, "order (10), victim: waits for a lock (futex) 0-100;");
	check_track(r, 1, "audit (20), holder: waits for CPU 1 0-60; runs on CPU 1 60-100;");
	check_track(r, 2, "encode (30), takes the CPU: runs on CPU 1 0-50;");
	check_track(r, 3, "CPU 1: encode (30) runs 0-50; audit (20) runs 60-100;");
	ck_assert_uint_eq(r->nr_captions, 3);
	check_caption(r, 49, "audit (20) has the lock, waits for CPU 1: encode (30) runs");
	check_caption(r, 50, "audit (20) has the lock, waits for CPU 1");
	check_caption(r, 60, "audit (20) has the lock, runs on CPU 1");
	ck_assert_str_eq(r->last, "order (10) waited 100ms. Most of that, step by step: audit (20), holder, 100ms; run queue, 60.0ms; "
				  "encode (30) ran in its place, 50.0ms");
	free(r);
}
END_TEST

/* ---- a disk ---- */

/* The request that was issued first is at the head until it completes, at 40 ms. */
START_TEST(the_head_of_the_queue)
{
	static const struct rs_wait_tree tree = {
		2,
		{ { .kind = RS_WAIT_NODE_TASK, .on_path = true, .ns = 100 * MS, .from_ns = AT(0), .to_ns = AT(100), .tid = 10, .name = "order" },
		  { .kind = RS_WAIT_NODE_PART, .depth = 1, .on_path = true, .part = RS_PART_DISK_DEVICE, .ns = 90 * MS, .dev = DISK_DEV } }
	};
	struct rs_replay *r = malloc(sizeof *r);
	struct rs_replay_states s = { .nr = 0 };

	replay_begin(r);
	replay_add(&s, 10, "order", RS_CAUSE_DISK, 0, AT(0), AT(100));
	replay_add_request(&s, 10, "order", "R", AT(10), AT(70));
	replay_add_request(&s, 7, "db", "WS", AT(5), AT(40));
	replay_make(r, &tree, &s);
	ck_assert_uint_eq(r->nr_tracks, 2);
	check_track(r, 1, "8,16: WS of db (7) is first 5-40; R of order (10) is first 40-70;");
	check_caption(r, 4, "order (10) waits for a disk");
	check_caption(r, 39, "order (10) waits for a disk: 8,16, WS of db (7) is first");
	check_caption(r, 40, "order (10) waits for a disk: 8,16, R of order (10) is first");
	check_caption(r, 70, "order (10) waits for a disk");
	ck_assert_str_eq(r->last, "order (10) waited 100ms. Most of that, step by step: disk: in device, 90.0ms");
	free(r);
}
END_TEST

/* ---- how fast ---- */

START_TEST(twenty_times_slower_within_limits)
{
	static const struct { uint64_t ns; unsigned int play_ms; const char *speed; } rows[] = {
		{ 1000, 3000, "1.00us from 0.500000 s on, 3000000 times slower than it was" },
		{ 100 * MS, 3000, "100ms from 0.500000 s on, 30 times slower than it was" },
		{ 150 * MS, 3000, "150ms from 0.500000 s on, 20 times slower than it was" },
		{ 500 * MS, 10000, "500ms from 0.500000 s on, 20 times slower than it was" },
		{ 24000 * MS, 60000, "24.0s from 0.500000 s on, 2.5 times slower than it was" },
		{ 120000 * MS, 60000, "120s from 0.500000 s on, 2.0 times faster than it was" },
	};
	struct rs_replay *r = calloc(1, sizeof *r);
	char text[RS_REPLAY_TEXT];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		replay_begin(r);
		r->to_ns = r->from_ns + rows[i].ns;
		rs_replay_words_speed(r, text, sizeof text);
		ck_assert_str_eq(text, rows[i].speed);
		ck_assert_uint_eq(rs_replay_words_play_ms(r), rows[i].play_ms);
	}
	free(r);
}
END_TEST

/* ---- hostile names, many states ---- */

static unsigned int count_controls(const struct rs_buf *b, const char *allowed)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < b->len; i++)
		nr += ((unsigned char)b->data[i] < ' ' || b->data[i] == 0x7f) && !strchr(allowed, b->data[i]);
	return nr;
}

START_TEST(names_are_escaped)
{
	struct rs_wait_tree *tree = malloc(sizeof *tree);
	struct rs_replay *r = malloc(sizeof *r);
	struct rs_buf svg = RS_BUF_INIT, cast = RS_BUF_INIT;

	*tree = lock_tree;
	strcpy(tree->at[0].name, "<script>&\"'");
	strcpy(tree->at[1].name, "\033]0;owned\007\"\\");
	replay_lock(r, tree, "\033[31m<b>\xff");
	strcpy(r->headline, "<script>\033[2J</title>");
	rs_replay_svg_put(r, &svg);
	rs_replay_cast_put(r, &cast);
	ck_assert(!svg.failed && !cast.failed);
	ck_assert_ptr_null(strstr(svg.data, "<script"));
	ck_assert_ptr_null(strstr(svg.data, "<b>"));
	ck_assert_ptr_nonnull(strstr(svg.data, "&lt;script&gt;&amp;&quot;"));
	ck_assert_uint_eq(count_controls(&svg, "\n"), 0);
	ck_assert_uint_eq(count_controls(&cast, "\n"), 0);
	ck_assert_ptr_null(strstr(cast.data, "\\u001b]0;"));
	ck_assert_ptr_null(strstr(cast.data, "\\u001b[31m"));
	ck_assert_ptr_nonnull(strstr(cast.data, "\\\\x1B]0;owned\\\\x07\\\""));
	rs_buf_done(&svg);
	rs_buf_done(&cast);
	free(tree);
	free(r);
}
END_TEST

/* 100000 states of a microsecond, 1000 of 100: what is drawn is bounded, and says what it leaves out. */
START_TEST(many_states_are_bounded)
{
	struct rs_replay *r = malloc(sizeof *r);
	struct rs_replay_states s = { .nr = 0 };
	struct rs_buf svg = RS_BUF_INIT, cast = RS_BUF_INIT;

	replay_begin(r);
	replay_add(&s, 10, "order", RS_CAUSE_FUTEX, 0, AT(0), AT(100));
	for (unsigned int i = 0; i < 50000; i++) {
		replay_add(&s, 20, "audit", RS_CAUSE_RUN, 1, AT(0) + i * 2000, AT(0) + i * 2000 + 1000);
		replay_add(&s, 20, "audit", RS_CAUSE_PREEMPTED, 1, AT(0) + i * 2000 + 1000, AT(0) + i * 2000 + 2000);
		ck_assert_uint_le(s.nr, RS_REPLAY_STATES);
	}
	for (unsigned int i = 0; i < 1000; i++)
		replay_add(&s, 30, "encode", i % 2 ? RS_CAUSE_RUN : RS_CAUSE_PREEMPTED, 1, AT(0) + i * MS / 10, AT(0) + (i + 1) * MS / 10);
	replay_make(r, &lock_tree, &s);
	ck_assert_uint_le(r->nr_steps, RS_REPLAY_STEPS);
	check_track(r, 2, "encode (30), takes the CPU: many short states 0-100;");
	check_track(r, 0, "order (10), victim: waits for a lock (futex) 0-100;");
	rs_replay_svg_put(r, &svg);
	rs_replay_cast_put(r, &cast);
	ck_assert_uint_le(svg.len, 300000);
	ck_assert_uint_le(cast.len, 300000);
	rs_buf_done(&svg);
	rs_buf_done(&cast);
	free(r);
}
END_TEST

/* As many steps as there may be, each with a caption of its own. */
START_TEST(the_most_is_small_enough)
{
	struct rs_replay *r = malloc(sizeof *r);
	struct rs_replay_states s = { .nr = 0 };
	struct rs_buf svg = RS_BUF_INIT, cast = RS_BUF_INIT;

	replay_begin(r);
	replay_add(&s, 10, "order", RS_CAUSE_FUTEX, 0, AT(0), AT(100));
	for (unsigned int i = 0; i < 390; i++)
		replay_add(&s, 20, "<\"&'><\"&'><\"&'>", RS_CAUSE_RUN, (uint16_t)i, AT(0) + i * MS / 4, AT(0) + (i + 1) * MS / 4);
	replay_make(r, &lock_tree, &s);
	ck_assert_uint_ge(r->nr_steps, 390);
	ck_assert_uint_gt(r->nr_captions, 50);
	rs_replay_svg_put(r, &svg);
	rs_replay_cast_put(r, &cast);
	ck_assert_uint_le(svg.len, 300000);
	ck_assert_uint_le(cast.len, 300000);
	rs_buf_done(&svg);
	rs_buf_done(&cast);
	free(r);
}
END_TEST

/* "sleep" and "sleep (cause not recorded)" are of two colors. */
START_TEST(a_class_has_one_color)
{
	struct rs_buf classes[RS_NR_CAUSES];

	for (enum rs_cause a = RS_CAUSE_UNKNOWN; a < RS_NR_CAUSES; a++) {
		classes[a] = (struct rs_buf)RS_BUF_INIT;
		rs_html_style_put_cause(&classes[a], a);
		for (enum rs_cause b = RS_CAUSE_UNKNOWN; b < a; b++)
			if (!strcmp(classes[a].data, classes[b].data))
				ck_assert_int_eq(rs_cause_row(a)->dark, rs_cause_row(b)->dark);
	}
	for (enum rs_cause a = RS_CAUSE_UNKNOWN; a < RS_NR_CAUSES; a++)
		rs_buf_done(&classes[a]);
}
END_TEST

Suite *rs_suite_replay(void);
Suite *rs_suite_replay(void)
{
	Suite *s = suite_create("replay");
	TCase *t = tcase_create("replay");

	tcase_add_test(t, the_lock_and_the_cpu);
	tcase_add_test(t, the_head_of_the_queue);
	tcase_add_test(t, twenty_times_slower_within_limits);
	tcase_add_test(t, names_are_escaped);
	tcase_add_test(t, many_states_are_bounded);
	tcase_add_test(t, the_most_is_small_enough);
	tcase_add_test(t, a_class_has_one_color);
	suite_add_tcase(s, t);
	return s;
}
