// SPDX-License-Identifier: GPL-2.0-or-later
/* test-track-cells - what spans emitted by hand style like in cells */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "query/find-span.h"
#include "query/track-cells.h"

enum { CALL, WAIT, STATE, REQUEST, FAULT };

static const char *letter(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%c", (char)arg);
	return buf;
}

static const struct rs_span_kind kinds[] = {
	[CALL] = { .name = "call", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE, .label = letter },
	[WAIT] = { .name = "wait", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE },
	[STATE] = { .name = "state", .track = RS_TRACK_CPU, .shape = RS_SPAN_STATE, .label = letter },
	[REQUEST] = { .name = "request", .track = RS_TRACK_DISK, .shape = RS_SPAN_ASYNC, .label = letter },
	[FAULT] = { .name = "fault", .track = RS_TRACK_CPU, .shape = RS_SPAN_INSTANT, .label = letter },
};

static struct rs_timelines *t;
static struct rs_opens opens;
static char text[4096];

static void begin(void)
{
	struct rs_error err = { 0 };
	struct rs_ctx c = { 0 };
	struct rs_span_sink *sink;

	t = rs_timelines_new(8 << 20, 0, &err);
	ck_assert_msg(t, "%s", err.text);
	sink = rs_timelines_sink(t);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		sink->kind(sink, &c, &kinds[i]);
	opens = (struct rs_opens){ .nr = 0 };
}

static void end(void)
{
	rs_timelines_free(t);
}

static void emit(unsigned int kind, uint64_t start_ns, uint64_t end_ns, char arg)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	uint32_t track = rs_timeline_track(tl, rs_track_type(kinds[kind].track, kinds[kind].shape), 0);

	ck_assert(rs_timeline_add_span(tl, track, &(struct rs_timeline_span){
		.start_ns = start_ns, .end_ns = end_ns, .kind = (uint16_t)kind, .arg = (uint64_t)arg }));
}

/* "0[2-5 call:a x1 8]": depth, cells, kind and argument, how many, how full. */
static void write_run(void *arg, unsigned int depth, const struct rs_cell_run *run)
{
	size_t len = strlen(text);
	char style[4] = { run->style ? ':' : '\0', (char)run->style };

	snprintf(text + len, sizeof text - len, "%s%u[%u-%u %s%s x%llu %u]", len ? " " : "", depth, run->from, run->to,
		 kinds[run->kind].name, style, (unsigned long long)run->nr, run->eighths);
}

static const char *shown(unsigned int kind, uint64_t from_ns, uint64_t to_ns, unsigned int cells)
{
	struct rs_track_cells_request ask = { .ref = { kinds[kind].track, 0 }, .shape = kinds[kind].shape, .opens = &opens,
				   .cells = rs_track_cells_count(from_ns, to_ns, cells), .run = write_run };

	*text = '\0';
	ck_assert(rs_track_cells_draw(t, &ask));
	return text;
}

START_TEST(nothing)
{
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "");
	emit(CALL, 500, 600, 'a');
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "");
	ck_assert_str_eq(shown(CALL, 600, 700, 10), ""); /* only touches */
}
END_TEST

START_TEST(one_over_all_cells)
{
	emit(CALL, 0, 1000, 'a');
	ck_assert_str_eq(shown(CALL, 100, 200, 10), "0[0-10 call:a x1 8]");
}
END_TEST

/* 15 to 47 in cells of 10: half a cell, two whole ones, the most of one. */
START_TEST(ends_within_cells)
{
	emit(CALL, 15, 47, 'a');
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "0[1-2 call:a x1 4] 0[2-4 call:a x1 8] 0[4-5 call:a x1 6]");
}
END_TEST

/* b takes 5 of the cell, three of a 1 each: b is what is seen, and there are four. */
START_TEST(many_in_a_cell)
{
	emit(CALL, 10, 11, 'a');
	emit(CALL, 11, 12, 'a');
	emit(CALL, 12, 17, 'b');
	emit(CALL, 18, 19, 'a');
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "0[1-2 call:b x4 6]");
	ck_assert_str_eq(shown(CALL, 10, 20, 10),
			 "0[0-1 call:a x1 8] 0[1-2 call:a x1 8] 0[2-7 call:b x1 8] 0[8-9 call:a x1 8]");
}
END_TEST

/* More kinds than a cell tells apart: what takes most is not lost. */
START_TEST(more_kinds_than_places)
{
	for (int i = 0; i < 12; i++)
		emit(CALL, 100 + 2 * (uint64_t)i, 101 + 2 * (uint64_t)i, (char)('a' + i));
	emit(CALL, 130, 160, 'z');
	ck_assert_str_eq(shown(CALL, 100, 200, 1), "0[0-1 call:z x13 3]");
}
END_TEST

/* A wait in a call, and one in that: innermost first, as they end. A call beside is at the top again. */
START_TEST(nested)
{
	emit(WAIT, 30, 40, 0);
	emit(WAIT, 20, 50, 0);
	emit(CALL, 10, 60, 'a');
	emit(CALL, 70, 80, 'b');
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "0[1-6 call:a x1 8] 0[7-8 call:b x1 8] 1[2-5 wait x1 8] 2[3-4 wait x1 8]");
	/* what is around is outside of the picture, but it is still around */
	ck_assert_str_eq(shown(CALL, 30, 40, 2), "0[0-2 call:a x1 8] 1[0-2 wait x1 8] 2[0-2 wait x1 8]");
}
END_TEST

/* Those that begin or end together are one in another, too. */
START_TEST(nested_with_the_same_ends)
{
	emit(WAIT, 20, 40, 0);
	emit(WAIT, 10, 60, 0);
	emit(CALL, 10, 60, 'a');
	ck_assert_str_eq(shown(CALL, 0, 100, 10), "0[1-6 call:a x1 8] 1[1-6 wait x1 8] 2[2-4 wait x1 8]");
}
END_TEST

/* Deeper than there are rows: counted in the last, where it ends. */
START_TEST(deeper_than_rows)
{
	emit(WAIT, 40, 41, 0);
	emit(WAIT, 30, 50, 0);
	emit(WAIT, 25, 60, 0);
	emit(WAIT, 20, 70, 0);
	emit(CALL, 10, 80, 'a');
	ck_assert_str_eq(shown(CALL, 0, 100, 10),
			 "0[1-8 call:a x1 8] 1[2-7 wait x1 8] 2[2-3 wait x1 4] 2[3-6 wait x1 8] "
			 "3[3-5 wait x2 8]");
}
END_TEST

/* Requests overlap: each in the first row that is free. */
START_TEST(beside_each_other)
{
	emit(REQUEST, 10, 40, 'r');
	emit(REQUEST, 20, 50, 'w');
	emit(REQUEST, 50, 60, 'r');
	ck_assert_str_eq(shown(REQUEST, 0, 100, 10),
			 "0[2-5 request:w x1 8] 0[5-6 request:r x1 8] 1[1-4 request:r x1 8]");
}
END_TEST

START_TEST(instants)
{
	emit(FAULT, 15, 15, 'u');
	emit(FAULT, 16, 16, 'u');
	emit(FAULT, 17, 17, 'k');
	emit(FAULT, 50, 50, 'k');
	ck_assert_str_eq(shown(FAULT, 0, 100, 10), "0[1-2 fault:u x3 2] 0[5-6 fault:k x1 1]");
}
END_TEST

/* A state now: what is open goes to the last event. */
START_TEST(open_ones)
{
	struct rs_open_span open = {
		.type = rs_track_type(RS_TRACK_CPU, RS_SPAN_STATE),
		.span = { .start_ns = 50, .end_ns = 80, .kind = STATE | RS_KIND_OPEN, .arg = 'S' },
	};

	emit(STATE, 10, 50, 'R');
	opens = (struct rs_opens){ &open, 1, 1 };
	ck_assert_str_eq(shown(STATE, 0, 100, 10), "0[1-5 state:R x1 8] 0[5-8 state:S x1 8]");
	ck_assert_str_eq(shown(STATE, 60, 70, 1), "0[0-1 state:S x1 8]");
	opens = (struct rs_opens){ .nr = 0 };
	ck_assert_str_eq(shown(STATE, 60, 70, 1), "");
}
END_TEST

/* Where it is only glanced at, those that have lasted longest are there, one below the other. */
START_TEST(more_open_ones_than_rows)
{
	struct rs_open_span open[6];

	for (unsigned int i = 0; i < 6; i++)
		open[i] = (struct rs_open_span){
			.type = rs_track_type(RS_TRACK_DISK, RS_SPAN_ASYNC),
			.span = { .start_ns = 5000 + 10 * i, .end_ns = 10000, .kind = REQUEST | RS_KIND_OPEN, .arg = 'a' + i },
		};
	opens = (struct rs_opens){ open, 6, 6 };
	ck_assert_str_eq(shown(REQUEST, 0, 10000, 1), "0[0-1 request:a x1 4] 1[0-1 request:b x1 4] "
			 "2[0-1 request:c x1 4] 3[0-1 request:d x3 8]"); /* three of the six in the last row */
	for (uint64_t i = 0; i < 5000; i++)
		emit(REQUEST, i, i + 1, 'z');
	ck_assert_ptr_nonnull(strstr(shown(REQUEST, 0, 10000, 10), "0[5-10 request:a x1 8]"));
	ck_assert_ptr_nonnull(strstr(text, "3[5-10 request:d x1 8]"));
}
END_TEST

/* 3000 of a and b in turn for each cell, b twice as long: not walked over, but the picture says the same. */
START_TEST(dense)
{
	for (uint64_t i = 0; i < 30000; i++) {
		emit(STATE, 30 * i, 30 * i + 10, 'a');
		emit(STATE, 30 * i + 10, 30 * i + 30, 'b');
	}
	ck_assert_ptr_nonnull(strstr(shown(STATE, 0, 900000, 10), "state:b"));
	ck_assert_str_eq(text, "0[0-10 state:b x60000 8]");
	/* and one that is longer than a cell is there among them */
	emit(STATE, 900000, 1100000, 'c');
	ck_assert_str_eq(shown(STATE, 0, 1100000, 11), "0[0-9 state:b x60000 8] 0[9-11 state:c x1 8]");
}
END_TEST

/* Short ones far apart, in crowds: each cell that has any shows them, though no moment that is looked at hits one. */
START_TEST(dense_and_short)
{
	for (uint64_t i = 0; i < 1000; i++)
		emit(CALL, 1000000 + i, 1000000 + i + 1, 'a');
	for (uint64_t i = 0; i < 1000; i++)
		emit(CALL, 8000000 + i, 8000000 + i + 1, 'b');
	ck_assert_str_eq(shown(CALL, 0, 10000000, 10), "0[1-2 call:a x1000 1] 0[8-9 call:b x1000 1]");
}
END_TEST

/* The same cells style the same wherever the picture begins. */
START_TEST(a_picture_that_moves)
{
	char before[sizeof text];

	for (uint64_t i = 0; i < 5000; i++)
		emit(STATE, i * i, (i + 1) * (i + 1), (char)('a' + i % 7));
	shown(STATE, 10000000, 20000000, 100);
	memcpy(before, text, sizeof text);
	ck_assert_ptr_nonnull(strstr(before, "0[99-100 "));
	ck_assert_str_eq(strstr(shown(STATE, 19900000, 29900000, 100), "0[0-1 ") + 6, strstr(text, "0[0-1 ") + 6);
	ck_assert_int_eq(strncmp(strstr(before, "0[99-100 ") + 9, text + 6, 7), 0);
}
END_TEST

START_TEST(cells_of_odd_ranges)
{
	struct rs_cells c = rs_track_cells_count(5, 5, 10);

	ck_assert_uint_eq(c.cell_ns, 1);
	c = rs_track_cells_count(0, 101, 10); /* the end is within */
	ck_assert_uint_eq(c.cell_ns, 11);
	c = rs_track_cells_count(UINT64_MAX - 5, UINT64_MAX, 1000);
	ck_assert_uint_lt(c.from_ns + 1000 * c.cell_ns, UINT64_MAX);
	c = rs_track_cells_count(0, UINT64_MAX, 3);
	ck_assert_uint_ge(c.from_ns + 3 * c.cell_ns, UINT64_MAX - 3);
	ck_assert_str_eq(shown(CALL, 0, UINT64_MAX, 1000), "");
}
END_TEST

/* ---- which span is at a place ---- */

static const char *found(struct rs_find_span ask)
{
	struct rs_timeline_span s;
	unsigned int depth;

	ask.opens = &opens;
	if (!rs_find_span(t, &ask, &s, &depth))
		return "none";
	snprintf(text, sizeof text, "%s %llu-%llu depth %u", kinds[s.kind & ~RS_KIND_OPEN].name, (unsigned long long)s.start_ns,
		 (unsigned long long)s.end_ns, depth);
	return text;
}

#define FOUND(...) found((struct rs_find_span){ .ref = { RS_TRACK_CPU, 0 }, __VA_ARGS__ })

START_TEST(the_span_at_a_place)
{
	emit(WAIT, 30, 40, 0);
	emit(WAIT, 20, 50, 0);
	emit(CALL, 10, 60, 'a');
	emit(CALL, 70, 72, 'b');
	emit(CALL, 75, 79, 'c');
	ck_assert_str_eq(FOUND(.at_ns = 35), "wait 30-40 depth 2");
	ck_assert_str_eq(FOUND(.at_ns = 35, .depth_known = true, .depth = 1), "wait 20-50 depth 1");
	ck_assert_str_eq(FOUND(.at_ns = 35, .depth_known = true), "call 10-60 depth 0");
	ck_assert_str_eq(FOUND(.at_ns = 55, .depth_known = true, .depth = 2), "call 10-60 depth 0");
	ck_assert_str_eq(FOUND(.at_ns = 65), "none");
	ck_assert_str_eq(FOUND(.at_ns = 65, .for_ns = 20), "call 75-79 depth 0"); /* of a cell the longest */
	ck_assert_str_eq(FOUND(.exact = true, .start_ns = 20, .end_ns = 50), "wait 20-50 depth 1");
	ck_assert_str_eq(FOUND(.exact = true, .start_ns = 20, .end_ns = 50, .kind_known = true, .kind = CALL), "none");
	ck_assert_str_eq(FOUND(.exact = true, .start_ns = 21, .end_ns = 50), "none");
}
END_TEST

Suite *rs_suite_track_cells(void)
{
	Suite *s = suite_create("track-cells");
	TCase *c = tcase_create("lanes");

	tcase_add_checked_fixture(c, begin, end);
	tcase_add_test(c, nothing);
	tcase_add_test(c, one_over_all_cells);
	tcase_add_test(c, ends_within_cells);
	tcase_add_test(c, many_in_a_cell);
	tcase_add_test(c, more_kinds_than_places);
	tcase_add_test(c, nested);
	tcase_add_test(c, nested_with_the_same_ends);
	tcase_add_test(c, deeper_than_rows);
	tcase_add_test(c, beside_each_other);
	tcase_add_test(c, instants);
	tcase_add_test(c, open_ones);
	tcase_add_test(c, more_open_ones_than_rows);
	tcase_add_test(c, dense);
	tcase_add_test(c, dense_and_short);
	tcase_add_test(c, a_picture_that_moves);
	tcase_add_test(c, cells_of_odd_ranges);
	tcase_add_test(c, the_span_at_a_place);
	suite_add_tcase(s, c);
	return s;
}
