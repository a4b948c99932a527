// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-queue - whom a disk serves, how deep its queue is, and how many were ahead of the victim */
#include <check.h>
#include <string.h>

#include "tui/timeline/timeline-screen.h"
#include "tui/toolkit/canvas-parts.h"

#define MS 1000000ull

/* A cell is a millisecond. backup is served for 10, sh, the victim, for 4, then several in each cell. */
static const struct rs_wire_run served[] = {
	{ .from = 0, .to = 10, .label = 0, .nr = 1 }, { .from = 10, .to = 14, .label = 1, .nr = 1 },
	{ .from = 14, .to = 20, .label = 0, .nr = 5 },
};
static const struct rs_wire_run first[] = { { .from = 14, .to = 18, .nr = 1 } }, second[] = { { .from = 16, .to = 20, .nr = 1 } };
static const char *const labels[] = { "backup/9", "sh/7" };

static struct rs_tl_row rows[12];
static struct rs_timeline_screen screen;
static struct rs_canvas *canvas;

static void disk(unsigned int nr_cells)
{
	rows[0] = (struct rs_tl_row){ .shape = RS_SPAN_STATE, .runs = served, .nr = 3, .labels = labels };
	rows[1] = (struct rs_tl_row){ .shape = RS_SPAN_ASYNC, .runs = first, .nr = 1, .labels = labels };
	rows[2] = (struct rs_tl_row){ .shape = RS_SPAN_ASYNC, .runs = second, .nr = 1, .labels = labels };
	screen = (struct rs_timeline_screen){
		.axis = { .cell_ns = MS, .nr_cells = nr_cells },
		.picture = { .axis = { .cell_ns = MS, .nr_cells = nr_cells }, .rows = rows, .nr_rows = 3 },
		.cast = { .tid = 7, .only = true,
			  .queue = { .tid = 7, .comm = "sh", .end_ns = 14 * MS, .ahead = 17, .ahead_ns = 11900000, .behind = "backup" } },
	};
}

static const char *drawn(bool ahead)
{
	static struct rs_buf text = RS_BUF_INIT;

	rs_canvas_free(canvas);
	canvas = rs_canvas_new(1, 60, true);
	ck_assert_ptr_nonnull(canvas);
	for (const struct rs_wire_run *run = rows[0].runs; run < rows[0].runs + rows[0].nr; run++)
		rs_timeline_queue_draw_run(&screen, canvas, 0, &rows[0], run, run->from, run->to);
	if (ahead)
		rs_timeline_queue_draw_ahead(&screen, canvas, 0, &rows[0]);
	rs_buf_clear(&text);
	rs_canvas_text(canvas, &text);
	text.data[strcspn(text.data, "\n")] = '\0';
	return text.data;
}

static enum rs_style_id style(int x)
{
	return rs_canvas_row(canvas, 0)[x].style_id;
}

/* At 14 and 15 ms one request is in the disk, at 16 and 17 two, then one. */
START_TEST(requests_and_depth)
{
	disk(30);
	ck_assert_str_eq(drawn(false), "|backup/9 |YOU__..__");
	ck_assert_int_eq(style(12), RS_STYLE_SELECTED);
	ck_assert_int_eq(style(3), rs_timeline_slice_style("backup/9"));
	ck_assert_int_eq(style(14), RS_STYLE_DIM);
	screen.cast.only = false; /* nobody is the victim: all by name */
	ck_assert_str_eq(drawn(false), "|backup/9 |sh __..__");
}
END_TEST

START_TEST(no_room_for_a_name)
{
	static const struct rs_wire_run small[] = { { .from = 0, .to = 7, .nr = 1 }, { .from = 7, .to = 11, .nr = 1 },
						    { .from = 11, .to = 12, .nr = 1 } };

	disk(30);
	rows[0].runs = small;
	ck_assert_str_eq(drawn(false), "|backup|bac|");
}
END_TEST

/* Of nine requests in the disk as many are drawn as of eight. */
START_TEST(a_deep_queue)
{
	disk(30);
	for (int i = 1; i < 8; i++)
		rows[i] = rows[1];
	screen.picture.nr_rows = 8;
	ck_assert_str_eq(drawn(false), "|backup/9 |YOU****__");
	for (int i = 1; i < 10; i++)
		rows[i] = rows[1];
	screen.picture.nr_rows = 10;
	ck_assert_str_eq(drawn(false), "|backup/9 |YOU####__");
}
END_TEST

/* The words take 18 columns behind the request: from 14 to 32. */
START_TEST(how_many_were_ahead)
{
	char words[64];

	disk(32);
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU 17 ahead, 11.9ms");
	disk(31);
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU__..__");
	rs_timeline_queue_words(&screen.cast.queue, true, words, sizeof words);
	ck_assert_str_eq(words, "17 ahead, 11.9ms, most of it of backup");
	*screen.cast.queue.behind = '\0'; /* itself */
	rs_timeline_queue_words(&screen.cast.queue, true, words, sizeof words);
	ck_assert_str_eq(words, "17 ahead, 11.9ms");
}
END_TEST

/* Where the request shares its cell with others it is named there; so is that of a holder, by its name. */
START_TEST(a_request_among_others)
{
	disk(30);
	screen.cast.queue.end_ns = 17 * MS;
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU__YOU_");
	ck_assert_int_eq(style(16), RS_STYLE_SELECTED);
	screen.cast.queue.tid = 8;
	strcpy(screen.cast.queue.comm, "gzip");
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU__gzip");
}
END_TEST

START_TEST(an_unknown_request)
{
	char words[64] = "x";

	disk(60);
	screen.cast.queue.end_ns = 0;
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU__..__");
	rs_timeline_queue_words(&screen.cast.queue, true, words, sizeof words);
	ck_assert_str_eq(words, "");
	screen.cast.queue.end_ns = 90 * MS; /* out of sight */
	ck_assert_str_eq(drawn(true), "|backup/9 |YOU__..__");
}
END_TEST

Suite *rs_suite_timeline_queue(void)
{
	Suite *s = suite_create("timeline-queue");
	TCase *t = tcase_create("timeline-queue");

	tcase_add_test(t, requests_and_depth);
	tcase_add_test(t, no_room_for_a_name);
	tcase_add_test(t, a_deep_queue);
	tcase_add_test(t, how_many_were_ahead);
	tcase_add_test(t, a_request_among_others);
	tcase_add_test(t, an_unknown_request);
	suite_add_tcase(s, t);
	return s;
}
