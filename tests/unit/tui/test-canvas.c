// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-canvas - text is cut at every edge, wide characters are whole or not there, hostile bytes never reach a cell
 */
#include <check.h>
#include <locale.h>
#include <stdlib.h>

#include "tui/toolkit/canvas-parts.h"

#define WIDE "\xe6\xbc\xa2"    /* two columns */
#define ACUTE "\xcc\x81"       /* combines */
#define BROKEN "\xef\xbf\xbd"

static void utf8_locale(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

/* A row of dots: what is not written stays visible. */
static struct rs_canvas *dots(int height, int width)
{
	struct rs_canvas *c = rs_canvas_new(height, width, false);

	ck_assert_ptr_nonnull(c);
	rs_cells_fill(c->cells, c->height * c->width, '.', RS_STYLE_TEXT);
	return c;
}

static const struct rs_cell *cell_at(const struct rs_canvas *c, int y, int x)
{
	return x < c->width ? rs_canvas_row(c, y) + x : NULL;
}

/* Every wide character has its second half, looking alike, and no byte of a cell is what a terminal would obey. */
static void check_cells(const struct rs_canvas *c)
{
	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			const struct rs_cell *cell = cell_at(c, y, x), *next = cell_at(c, y, x + 1);

			ck_assert_msg(cell->width != 2 || (next && !next->width &&
							   next->style_id == cell->style_id),
				      "half a character at %d", x);
			ck_assert_msg(cell->width || (x && cell_at(c, y, x - 1)->width == 2), "unmatched end at %d", x);
			ck_assert_int_eq(!cell->text[0], !cell->width);
			for (const char *b = cell->text; *b; b++)
				ck_assert_msg((unsigned char)*b >= ' ' && *b != 127, "a control character at %d", x);
			ck_assert_int_eq(cell->text[RS_CELL_BYTES - 1], 0);
		}
}

static void check_text(const struct rs_canvas *c, const char *expected)
{
	struct rs_buf out = RS_BUF_INIT;

	check_cells(c);
	rs_canvas_text(c, &out);
	ck_assert_str_eq(out.data, expected);
	rs_buf_done(&out);
}

/* rs_put at x with width into ten dots: what stands there then, and the columns that it says it took. */
static const struct {
	int x, width;
	const char *text, *row;
	int columns;
} puts_[] = {
	{ 0, 10, "abc", "abc.......\n", 3 },
	{ 8, 10, "abc", "........ab\n", 2 },
	{ 2, 2, "abc", "..ab......\n", 2 },
	{ -1, 10, "abc", "bc........\n", 3 },
	{ -3, 10, "abc", "..........\n", 3 },
	{ -9, 3, "abc", "..........\n", 3 },
	{ 10, 5, "abc", "..........\n", 0 },
	{ 99, 5, "abc", "..........\n", 0 },
	{ 3, 0, "abc", "..........\n", 0 },
	{ 3, -4, "abc", "..........\n", 0 },
	{ 0, 10, "", "..........\n", 0 },
	{ INT32_MAX, INT32_MAX, "a", "..........\n", 0 },
	{ 3, INT32_MAX, "a", "...a......\n", 1 },
	{ INT32_MIN, INT32_MAX, "a", "..........\n", 1 },
	/* wide: whole, or not there */
	{ 1, 10, "a" WIDE "b", ".a" WIDE "b.....\n", 4 },
	{ 1, 2, "a" WIDE "b", ".a........\n", 1 },
	{ 9, 10, WIDE, "..........\n", 0 },
	{ 8, 10, WIDE, "........" WIDE "\n", 2 },
	{ -1, 10, WIDE "b", " b........\n", 3 },
	{ -2, 10, WIDE "b", "b.........\n", 3 },
	/* combining: joins what stands before it in the same text alone */
	{ 1, 10, "e" ACUTE "x", ".e" ACUTE "x.......\n", 2 },
	{ 1, 1, "e" ACUTE "x", ".e" ACUTE "........\n", 1 },
	{ 1, 10, ACUTE "x", ". " ACUTE "x.......\n", 2 },
	{ -1, 10, "e" ACUTE "x", "x.........\n", 2 },
	{ 1, 10, WIDE ACUTE, "." WIDE ACUTE ".......\n", 2 },
	{ 0, 10, "e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "x",
	  "e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "x........\n", 2 },
	{ 0, 10, "\xc3\xa9" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "x", /* 14 bytes would leave no room for the end */
	  "\xc3\xa9" ACUTE ACUTE ACUTE ACUTE ACUTE "x........\n", 2 },
	/* escapes are whole, too */
	{ 0, 10, "a\x1b[2J", "a\\x1B[2J..\n", 8 },
	{ 0, 4, "a\x1b[2J", "a.........\n", 1 },
	{ -2, 10, "\x1b[2J", "1B[2J.....\n", 7 },
	{ 0, 10, "a\nb", "a\\x0Ab....\n", 6 },
	{ 0, 10, "\xff\xc0\xaf!", BROKEN BROKEN BROKEN "!......\n", 4 },
	{ 0, 10, "\xe6\xbc", BROKEN BROKEN "........\n", 2 },
	{ 0, 10, "\xe2\x80\xae", "\\u{202E}..\n", 8 },
	{ 0, 10, "\xc2\x9b", "\\u{9B}....\n", 6 },
};

START_TEST(put_is_cut_at_every_edge)
{
	struct rs_canvas *c;

	utf8_locale();
	c = dots(1, 10);
	ck_assert_int_eq(rs_put(c, 0, puts_[_i].x, puts_[_i].width, RS_STYLE_BOLD, puts_[_i].text), puts_[_i].columns);
	check_text(c, puts_[_i].row);
	rs_canvas_free(c);
}
END_TEST

START_TEST(above_and_below_nothing_is_written)
{
	struct rs_canvas *c;

	utf8_locale();
	c = dots(1, 4);
	ck_assert_int_eq(rs_put(c, -1, 0, 4, RS_STYLE_TEXT, "abc"), 3);
	ck_assert_int_eq(rs_put(c, 1, 0, 4, RS_STYLE_TEXT, "abc"), 3);
	rs_canvas_fill(c, (struct rs_area){ 1, 0, 9, 9 }, RS_STYLE_BAD);
	rs_canvas_fill(c, (struct rs_area){ -9, 0, 9, 9 }, RS_STYLE_BAD);
	rs_canvas_fill(c, (struct rs_area){ INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX }, RS_STYLE_BAD);
	rs_canvas_fill(c, (struct rs_area){ 0, 0, -1, -1 }, RS_STYLE_BAD);
	rs_put_glyph(c, 0, 4, RS_STYLE_TEXT, RS_GLYPH_DOT);
	rs_put_glyph(c, 0, -1, RS_STYLE_TEXT, RS_GLYPH_DOT);
	check_text(c, "....\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(padded_right_and_formatted)
{
	struct rs_canvas *c;

	utf8_locale();
	c = dots(1, 12);
	ck_assert_int_eq(rs_put_padded(c, 0, 1, 4, RS_STYLE_TEXT, "ab"), 4);
	ck_assert_int_eq(rs_put_right(c, 0, 6, 4, RS_STYLE_TEXT, WIDE), 4);
	check_text(c, ".ab  .  " WIDE "..\n");
	rs_put_padded(c, 0, 1, 3, RS_STYLE_TEXT, WIDE WIDE);
	rs_put_right(c, 0, 6, 3, RS_STYLE_TEXT, "12345");
	check_text(c, "." WIDE "  .123 ..\n"); /* half of the wide character was overwritten */
	rs_put_right(c, 0, -2, 5, RS_STYLE_TEXT, "xyz");
	check_text(c, "xyz  .123 ..\n");
	ck_assert_int_eq(rs_put_format(c, 0, 10, 9, RS_STYLE_TEXT, "%d%s", 1, "\x1b"), 1);
	check_text(c, "xyz  .123 1.\n");
	ck_assert_int_eq(rs_put_right(c, 0, 0, 12, RS_STYLE_TEXT, ""), 12);
	check_text(c, "\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(a_long_format_is_not_cut_within_a_character)
{
	char text[1400];
	struct rs_canvas *c;

	utf8_locale();
	memset(text, ' ', 1022);
	strcpy(text + 1022, WIDE "!");
	c = rs_canvas_new(1, 1100, false);
	ck_assert_int_eq(rs_put_format(c, 0, 0, 1100, RS_STYLE_TEXT, "%s", text), 1025);
	ck_assert_str_eq(cell_at(c, 0, 1022)->text, WIDE);
	rs_canvas_free(c);
}
END_TEST

START_TEST(half_of_a_wide_character_is_never_left)
{
	struct rs_canvas *c;

	utf8_locale();
	c = dots(1, 6);
	rs_put(c, 0, 1, 5, RS_STYLE_TEXT, WIDE WIDE);
	rs_put(c, 0, 2, 2, RS_STYLE_TEXT, "ab");
	check_text(c, ". ab .\n");
	rs_put(c, 0, 1, 5, RS_STYLE_TEXT, WIDE WIDE);
	rs_canvas_fill(c, (struct rs_area){ 0, 2, 1, 2 }, RS_STYLE_TEXT);
	check_text(c, ".    .\n");
	rs_put(c, 0, 1, 5, RS_STYLE_TEXT, WIDE WIDE);
	rs_put(c, 0, 2, 1, RS_STYLE_TEXT, WIDE); /* does not fit, and what it would have covered is gone */
	check_text(c, ".  " WIDE ".\n");
	rs_put(c, 0, 4, 1, RS_STYLE_TEXT, "\x01");
	check_text(c, ".    .\n");
	rs_put(c, 0, 1, 5, RS_STYLE_TEXT, WIDE WIDE);
	rs_put_glyph(c, 0, 1, RS_STYLE_TEXT, RS_GLYPH_VLINE);
	rs_put_glyph(c, 0, 4, RS_STYLE_TEXT, RS_GLYPH_VLINE);
	check_text(c, ".\xe2\x94\x82  \xe2\x94\x82.\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(a_style_covers_whole_characters)
{
	struct rs_canvas *c;

	utf8_locale();
	c = dots(1, 6);
	rs_put(c, 0, 1, 5, RS_STYLE_TEXT, WIDE WIDE);
	rs_canvas_set_style(c, (struct rs_area){ 0, 2, 1, 2 }, RS_STYLE_SELECTED);
	check_text(c, "." WIDE WIDE ".\n");
	ck_assert_int_eq(cell_at(c, 0, 1)->style_id, RS_STYLE_TEXT);
	ck_assert_int_eq(cell_at(c, 0, 3)->style_id, RS_STYLE_SELECTED);
	ck_assert_int_eq(cell_at(c, 0, 4)->style_id, RS_STYLE_SELECTED);
	ck_assert_int_eq(cell_at(c, 0, 5)->style_id, RS_STYLE_TEXT);
	rs_canvas_set_style(c, (struct rs_area){ -5, -5, 99, 99 }, RS_STYLE_DIM);
	for (int x = 0; x < 6; x++)
		ck_assert_int_eq(cell_at(c, 0, x)->style_id, RS_STYLE_DIM);
	rs_canvas_free(c);
}
END_TEST

START_TEST(ascii_has_nothing_else)
{
	struct rs_canvas *c;

	utf8_locale();
	c = rs_canvas_new(2, 20, true);
	ck_assert(rs_canvas_ascii(c));
	ck_assert_int_eq(rs_put(c, 0, 0, 20, RS_STYLE_TEXT, "a" WIDE "\xff"), 13);
	rs_put_glyph(c, 1, 0, RS_STYLE_TEXT, RS_GLYPH_BAR + 8);
	rs_put_glyph(c, 1, 1, RS_STYLE_TEXT, RS_GLYPH_CRUMB);
	check_text(c, "a\\u{6F22}\\xFF\n#>\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(in_the_c_locale_all_is_ascii)
{
	struct rs_canvas *c;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C"));
	c = rs_canvas_new(1, 20, false);
	ck_assert(rs_canvas_ascii(c));
	rs_put(c, 0, 0, 20, RS_STYLE_TEXT, WIDE);
	check_text(c, "\\u{6F22}\n");
	ck_assert_int_eq(rs_put_text_columns(WIDE, false), 8);
	rs_canvas_free(c);
}
END_TEST

START_TEST(every_glyph_takes_one_column)
{
	utf8_locale();
	for (unsigned int g = 0; g < RS_NR_GLYPHS; g++) {
		ck_assert_ptr_nonnull(rs_put_glyph_text(g, true));
		ck_assert_int_eq(rs_put_text_columns(rs_put_glyph_text(g, false), false), 1);
		ck_assert_uint_eq(strlen(rs_put_glyph_text(g, true)), 1);
	}
	ck_assert_str_eq(rs_put_glyph_text(RS_NR_GLYPHS, false), " ");
}
END_TEST

START_TEST(text_columns_are_what_put_takes)
{
	struct rs_canvas *c;

	utf8_locale();
	c = rs_canvas_new(1, 100, false);
	for (size_t i = 0; i < sizeof puts_ / sizeof puts_[0]; i++)
		ck_assert_int_eq(rs_put_text_columns(puts_[i].text, false), rs_put(c, 0, 0, 100, RS_STYLE_TEXT, puts_[i].text));
	rs_canvas_free(c);
}
END_TEST

/* Names are made of whatever bytes; places of whatever the arithmetic of a small screen gives. */
static void put_anything(struct rs_canvas *c, unsigned int *seed)
{
	static const char *const pieces[] = { WIDE, ACUTE, "a", "\xff", "\x1b", "\xe6\xbc", "\xe2\x80\x8b", "\xc2\x9b",
					      "%", "\xf0\x9f\x98\x80", " ", "\n" };
	int y = rand_r(seed) % 4 - 1, x = rand_r(seed) % 14 - 4, width = rand_r(seed) % 12 - 1;
	enum rs_style_id answer = (enum rs_style_id)(rand_r(seed) % RS_NR_STYLES);
	char text[64] = "";

	for (int i = rand_r(seed) % 8; i > 0; i--)
		strcat(text, pieces[(size_t)rand_r(seed) % (sizeof pieces / sizeof pieces[0])]);
	switch (rand_r(seed) % 6) {
	case 0:
		rs_put(c, y, x, width, answer, text);
		break;
	case 1:
		rs_put_padded(c, y, x, width, answer, text);
		break;
	case 2:
		rs_put_right(c, y, x, width, answer, text);
		break;
	case 3:
		rs_canvas_fill(c, (struct rs_area){ y, x, rand_r(seed) % 4, width }, answer);
		break;
	case 4:
		rs_canvas_set_style(c, (struct rs_area){ y, x, rand_r(seed) % 4, width }, answer);
		break;
	default:
		rs_put_glyph(c, y, x, answer, (unsigned int)rand_r(seed) % (RS_NR_GLYPHS + 1));
	}
}

START_TEST(whatever_is_put_every_row_is_as_wide_as_the_canvas)
{
	unsigned int seed = (unsigned int)_i;
	struct rs_canvas *c;

	utf8_locale();
	c = dots(2, 8);
	for (int i = 0; i < 2000; i++) {
		put_anything(c, &seed);
		check_cells(c);
	}
	rs_put(c, 0, 0, 8, RS_STYLE_TEXT, "........");
	rs_put(c, 1, 0, 8, RS_STYLE_TEXT, "........");
	check_text(c, "........\n........\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(of_any_size_also_none)
{
	static const int sizes[][2] = { { 0, 0 }, { 0, 7 }, { 7, 0 }, { 1, 1 }, { -3, -3 }, { 2, 3 } };
	struct rs_canvas *c = rs_canvas_new(0, 0, false);

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		ck_assert(rs_canvas_resize(c, sizes[i][0], sizes[i][1]));
		rs_put(c, 0, 0, 9, RS_STYLE_TEXT, "abc");
		rs_put_padded(c, 0, -1, 9, RS_STYLE_TEXT, WIDE);
		rs_put_right(c, 1, 0, 9, RS_STYLE_TEXT, "abc");
		rs_canvas_fill(c, (struct rs_area){ 0, 0, 9, 9 }, RS_STYLE_TEXT);
		rs_canvas_set_style(c, (struct rs_area){ 0, 0, 9, 9 }, RS_STYLE_TEXT);
	}
	check_text(c, "\n\n");
	ck_assert(rs_canvas_resize(c, INT32_MAX, INT32_MAX)); /* bounded */
	ck_assert(rs_canvas_area(c).width < 10000 && rs_canvas_area(c).height < 10000);
	rs_canvas_free(c);
	rs_canvas_free(NULL);
}
END_TEST

Suite *rs_suite_canvas(void)
{
	Suite *s = suite_create("canvas");
	TCase *t = tcase_create("canvas");

	tcase_add_loop_test(t, put_is_cut_at_every_edge, 0, (int)(sizeof puts_ / sizeof puts_[0]));
	tcase_add_test(t, above_and_below_nothing_is_written);
	tcase_add_test(t, padded_right_and_formatted);
	tcase_add_test(t, a_long_format_is_not_cut_within_a_character);
	tcase_add_test(t, half_of_a_wide_character_is_never_left);
	tcase_add_test(t, a_style_covers_whole_characters);
	tcase_add_test(t, ascii_has_nothing_else);
	tcase_add_test(t, in_the_c_locale_all_is_ascii);
	tcase_add_test(t, every_glyph_takes_one_column);
	tcase_add_test(t, text_columns_are_what_put_takes);
	tcase_add_loop_test(t, whatever_is_put_every_row_is_as_wide_as_the_canvas, 0, 5);
	tcase_add_test(t, of_any_size_also_none);
	suite_add_tcase(s, t);
	return s;
}
