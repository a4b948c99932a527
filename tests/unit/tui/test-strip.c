// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-strip - the last minute of a row as cells, and cells as colors or letters
 */
#include <check.h>

#include "tui/overview/strip.h"
#include "tui/toolkit/theme.h"

static void add(struct rs_strip *s, uint64_t interval, uint64_t identity, enum rs_cause cause, uint64_t ns)
{
	struct rs_split split = { .nr = 2, .parts = { { cause, ns }, { RS_CAUSE_IDLE, 100 - ns } } };

	rs_strip_add(s, interval, identity, &split, NULL);
}

static void check_strip(const struct rs_strip *s, uint64_t identity, int width, const char *wanted)
{
	struct rs_canvas *c = rs_canvas_new(1, 40, true);
	struct rs_buf text = RS_BUF_INIT;

	rs_strip_draw(s, identity, NULL, c, (struct rs_area){ 0, 0, 1, width });
	rs_canvas_text(c, &text);
	ck_assert_str_eq(text.data, wanted);
	rs_buf_done(&text);
	rs_canvas_free(c);
}

/*
 * 60 intervals in 10 cells are 6 in each: 6 to 11 and 12 to 17. Row 1 waits for a disk in 7 to 11, runs in 12 and 13; row 2
 * is seen once, in 8, with 30 of 100 on a CPU: idle for most of its cell. Row 3 has less than an eighth of its time: idle.
 */
START_TEST(cells)
{
	struct rs_strip s = { .now = 0 };

	for (uint64_t i = 7; i <= 13; i++)
		add(&s, i, 1, i < 12 ? RS_CAUSE_DISK : RS_CAUSE_RUN, 90);
	add(&s, 8, 2, RS_CAUSE_RUN, 30);
	add(&s, 13, 3, RS_CAUSE_RUN, 11);
	check_strip(&s, 1, 10, "        DR\n");
	check_strip(&s, 2, 10, "\n"); /* one of three */
	check_strip(&s, 3, 10, "\n");
	check_strip(&s, 4, 10, "\n");
	add(&s, 70, 3, RS_CAUSE_RUN, 90); /* 7 to 10 have gone with their cell; 12 and 13 are in the first one */
	check_strip(&s, 1, 10, "R\n");
}
END_TEST

/* A wait from an eighth on is the piece's, though it sleeps for most of it; then work; what is chosen only where it takes most. */
START_TEST(pieces)
{
	static const struct {
		uint64_t queue, disk, run, futex, sleep;
		unsigned int cause;
	} pieces[] = {
		{ 13, 0, 7, 0, 80, RS_CAUSE_DELAY }, { 13, 14, 40, 0, 33, RS_CAUSE_DISK }, { 11, 0, 20, 0, 69, RS_CAUSE_RUN },
		{ 11, 0, 11, 0, 78, RS_CAUSE_SLEEP }, { 0, 0, 5, 60, 35, RS_CAUSE_FUTEX }, { 0, 0, 0, 0, 0, RS_NR_CAUSES },
	};

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		ck_assert_uint_eq(rs_cause_of_piece((const uint64_t[RS_NR_CAUSES]){
			[RS_CAUSE_DELAY] = pieces[i].queue, [RS_CAUSE_DISK] = pieces[i].disk, [RS_CAUSE_RUN] = pieces[i].run,
			[RS_CAUSE_FUTEX] = pieces[i].futex, [RS_CAUSE_SLEEP] = pieces[i].sleep }), pieces[i].cause);
}
END_TEST

/* A lock that a finding says to cost is shown where it takes most, whatever else took an eighth; of others not. */
START_TEST(what_costs)
{
	const struct rs_ink_task victim = { .pains = 1u << RS_CATEGORY_LOCK }, healthy = { .pains = 0 };

	ck_assert_int_eq(rs_strip_choose(RS_CAUSE_FUTEX, RS_CAUSE_PREEMPTED, &victim), RS_CAUSE_FUTEX);
	ck_assert_int_eq(rs_strip_choose(RS_CAUSE_FUTEX, RS_CAUSE_PREEMPTED, &healthy), RS_CAUSE_PREEMPTED);
	ck_assert_int_eq(rs_strip_choose(RS_CAUSE_SLEEP, RS_CAUSE_DELAY, &victim), RS_CAUSE_DELAY);
	ck_assert_int_eq(rs_strip_choose(RS_CAUSE_SLEEP, RS_CAUSE_DELAY, NULL), RS_CAUSE_DELAY);
}
END_TEST

/* Of more rows than there is room for, the one seen last longest ago goes. */
START_TEST(rows_go)
{
	struct rs_strip s = { .now = 0 };

	for (uint64_t i = 0; i <= RS_STRIP_ROWS; i++)
		add(&s, 1 + (i == RS_STRIP_ROWS), i + 1, RS_CAUSE_RUN, 100);
	check_strip(&s, 1, 40, "\n");
	check_strip(&s, RS_STRIP_ROWS + 1, 40, "                                       R\n");
}
END_TEST

/* With 256 colors a cell hides its letter, with fewer and with letters set it does not. */
START_TEST(letters)
{
	struct rs_canvas *c = rs_canvas_new(1, 10, true);
	enum rs_style_id run = rs_canvas_cell_style(c, RS_STYLE_RUN);
	struct rs_style style = rs_theme_style(RS_THEME_DARK, RS_DEPTH_256, run);

	ck_assert_int_eq(style.fg, style.bg);
	ck_assert_int_eq(style.fg, rs_theme_style(RS_THEME_DARK, RS_DEPTH_256, RS_STYLE_RUN).fg);
	ck_assert_int_eq(rs_theme_style(RS_THEME_DARK, RS_DEPTH_8, run).bg, -1);
	ck_assert_int_eq(rs_theme_style(RS_THEME_DARK, RS_DEPTH_MONO, run).bg, -1);
	rs_canvas_set_letters(c, true);
	ck_assert_int_eq(rs_canvas_cell_style(c, RS_STYLE_RUN), RS_STYLE_RUN);
	rs_canvas_free(c);
}
END_TEST

Suite *rs_suite_strip(void)
{
	Suite *s = suite_create("strip");
	TCase *t = tcase_create("strip");

	tcase_add_test(t, cells);
	tcase_add_test(t, pieces);
	tcase_add_test(t, what_costs);
	tcase_add_test(t, rows_go);
	tcase_add_test(t, letters);
	suite_add_tcase(s, t);
	return s;
}
