// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-picture - a canvas as SVG: letters at their columns, bars as rectangles, nothing that is not XML
 */
#include <check.h>
#include <locale.h>

#include "tui/toolkit/svg.h"

/* Between the frame's own rectangle and the end. Cells are 9 wide and 19 high, from 10,10; letters stand 14 below. */
static void check_svg(const struct rs_canvas *c, enum rs_theme theme, const char *expected)
{
	struct rs_buf out = RS_BUF_INIT;
	char *body, *end;

	rs_svg_draw(c, theme, "a <title>", &out);
	ck_assert(!out.failed);
	ck_assert_ptr_nonnull(strstr(out.data, "<title>a &lt;title&gt;</title>\n"));
	body = strstr(out.data, "rx=");
	ck_assert_ptr_nonnull(body);
	body = strchr(body, '\n') + 1;
	end = strstr(body, "</svg>\n");
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	ck_assert_str_eq(body, expected);
	rs_buf_done(&out);
}

static struct rs_canvas *canvas(int height, int width)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	return rs_canvas_new(height, width, false);
}

START_TEST(letters_of_one_style_are_one_text)
{
	struct rs_canvas *c = canvas(2, 20);

	rs_put(c, 1, 1, 20, RS_STYLE_TEXT, "a<b c  d&");
	rs_put(c, 1, 10, 20, RS_STYLE_BAD, "x");
	check_svg(c, RS_THEME_DARK,
		  "<text x=\"19\" y=\"43\" textLength=\"45\" fill=\"#d4d4d8\">a&lt;b c</text>\n"
		  "<text x=\"82\" y=\"43\" textLength=\"18\" fill=\"#d4d4d8\">d&amp;</text>\n"
		  "<text x=\"100\" y=\"43\" textLength=\"9\" fill=\"#ff8787\" font-weight=\"bold\">x</text>\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(wide_and_combining_at_their_columns)
{
	struct rs_canvas *c = canvas(1, 20);

	rs_put(c, 0, 0, 20, RS_STYLE_TEXT, "\xe6\xbc\xa2" "ae\xcc\x81");
	check_svg(c, RS_THEME_LIGHT,
		  "<text x=\"10\" y=\"24\" textLength=\"18\" fill=\"#24292f\">\xe6\xbc\xa2</text>\n"
		  "<text x=\"28\" y=\"24\" textLength=\"18\" fill=\"#24292f\">ae\xcc\x81</text>\n");
	rs_canvas_free(c);
}
END_TEST

/* RUN in dark is 65: 5f875f; SLEEP 117: 87d7ff */
START_TEST(bars_are_rectangles_that_meet)
{
	struct rs_canvas *c = canvas(1, 20);

	rs_put_glyph(c, 0, 0, RS_STYLE_RUN, RS_GLYPH_BAR + 8);
	rs_put_glyph(c, 0, 1, RS_STYLE_RUN, RS_GLYPH_BAR + 8);
	rs_put_glyph(c, 0, 2, RS_STYLE_RUN, RS_GLYPH_BAR + 4);
	rs_put_glyph(c, 0, 3, RS_STYLE_SLEEP, RS_GLYPH_SPARK + 2);
	rs_put_glyph(c, 0, 4, RS_STYLE_SLEEP, RS_GLYPH_SHADE + 1);
	check_svg(c, RS_THEME_DARK,
		  "<rect x=\"10\" y=\"10\" width=\"18\" height=\"19\" fill=\"#5f875f\"/>\n"
		  "<rect x=\"28\" y=\"10\" width=\"4.5\" height=\"19\" fill=\"#5f875f\"/>\n"
		  "<rect x=\"37\" y=\"24.25\" width=\"9\" height=\"4.75\" fill=\"#87d7ff\"/>\n"
		  "<rect x=\"46\" y=\"10\" width=\"9\" height=\"19\" fill=\"#87d7ff\" fill-opacity=\"0.25\"/>\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(a_selected_row_is_a_rectangle_behind_its_text)
{
	struct rs_canvas *c = canvas(1, 10);

	rs_put_padded(c, 0, 0, 10, RS_STYLE_SELECTED, "ab");
	check_svg(c, RS_THEME_DARK,
		  "<rect x=\"10\" y=\"10\" width=\"90\" height=\"19\" fill=\"#005faf\"/>\n"
		  "<text x=\"10\" y=\"24\" textLength=\"18\" fill=\"#ffffff\" font-weight=\"bold\">ab</text>\n");
	check_svg(c, RS_THEME_MONO,
		  "<rect x=\"10\" y=\"10\" width=\"90\" height=\"19\" fill=\"#24292f\"/>\n"
		  "<text x=\"10\" y=\"24\" textLength=\"18\" fill=\"#ffffff\">ab</text>\n");
	rs_canvas_free(c);
}
END_TEST

START_TEST(of_an_empty_canvas_an_empty_picture)
{
	struct rs_canvas *c = canvas(0, 0);

	check_svg(c, RS_THEME_DARK, "");
	ck_assert(rs_canvas_resize(c, 3, 3));
	check_svg(c, RS_THEME_DARK, "");
	rs_canvas_free(c);
}
END_TEST

Suite *rs_suite_picture(void)
{
	Suite *s = suite_create("picture");
	TCase *t = tcase_create("picture");

	tcase_add_test(t, letters_of_one_style_are_one_text);
	tcase_add_test(t, wide_and_combining_at_their_columns);
	tcase_add_test(t, bars_are_rectangles_that_meet);
	tcase_add_test(t, a_selected_row_is_a_rectangle_behind_its_text);
	tcase_add_test(t, of_an_empty_canvas_an_empty_picture);
	suite_add_tcase(s, t);
	return s;
}
