// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-theme - every look can be read in every theme, and what warns differs without colour, too
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "tui/toolkit/theme.h"

static const int most_colours[RS_NR_DEPTHS] = { 0, 8, 256 };

START_TEST(every_style_has_colors_of_its_palette)
{
	for (int theme = 0; theme < RS_NR_THEMES; theme++)
		for (int depth = 0; depth < RS_NR_DEPTHS; depth++)
			for (int answer = 0; answer < RS_NR_STYLES; answer++) {
				struct rs_style s = rs_theme_style(theme, depth, answer);

				ck_assert_int_ge(s.fg, -1);
				ck_assert_int_ge(s.bg, -1);
				ck_assert_int_lt(s.fg, most_colours[depth]);
				ck_assert_int_lt(s.bg, most_colours[depth]);
			}
}
END_TEST

/* Relative luminance and contrast as WCAG 2 defines them. */
static double luminance(uint32_t rgb)
{
	double sum = 0;
	static const double weights[] = { 0.0722, 0.7152, 0.2126 };

	for (int i = 0; i < 3; i++, rgb >>= 8) {
		double v = (rgb & 255) / 255.0;

		sum += weights[i] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
	double la = luminance(a), lb = luminance(b);

	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

START_TEST(ink_can_be_read_on_paper)
{
	for (int theme = 0; theme < RS_NR_THEMES; theme++)
		for (int answer = 0; answer < RS_NR_STYLES; answer++) {
			struct rs_style s = rs_theme_style(theme, RS_DEPTH_256, answer);
			/* of a heat map the coldest may be faint, and an idle CPU should not shout */
			bool faint = (answer >= RS_STYLE_HEAT && answer <= RS_STYLE_HEAT_LAST) ||
				     (answer >= RS_STYLE_CAUSE && answer <= RS_STYLE_CAUSE_LAST) || answer == RS_STYLE_QUIET;
			double c = contrast(rs_theme_ink_rgb(theme, s.fg), rs_theme_paper_rgb(theme, s.bg));

			if (answer >= RS_STYLE_CELL && answer <= RS_STYLE_CELL_LAST) /* a cell hides its letter */
				ck_assert(s.bg < 0 || s.bg == s.fg);
			else
				ck_assert_msg(c >= (faint ? 2.0 : 4.5), "theme %d look %d: contrast %.2f", theme, answer, c);
		}
	/* black on white is 21:1 */
	ck_assert_double_eq_tol(contrast(0, 0xffffff), 21, 0.01);
}
END_TEST

START_TEST(without_colour_what_warns_differs)
{
	static const enum rs_style_id answers[] = { RS_STYLE_TEXT, RS_STYLE_WARN, RS_STYLE_BAD, RS_STYLE_SELECTED, RS_STYLE_MARKED };

	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_int_ne(rs_theme_style(RS_THEME_DARK, RS_DEPTH_MONO, answers[i]).attrs,
					 rs_theme_style(RS_THEME_DARK, RS_DEPTH_MONO, answers[j]).attrs);
	for (int i = RS_STYLE_SLICE; i < RS_STYLE_SLICE_LAST; i++)
		ck_assert_int_ne(rs_theme_style(RS_THEME_MONO, RS_DEPTH_256, i).attrs,
				 rs_theme_style(RS_THEME_MONO, RS_DEPTH_256, i + 1).attrs);
	ck_assert_int_eq(rs_theme_style(RS_THEME_MONO, RS_DEPTH_256, RS_STYLE_BAD).fg, -1);
}
END_TEST

START_TEST(names_are_found)
{
	enum rs_theme theme;

	for (int i = 0; i < RS_NR_THEMES; i++) {
		ck_assert(rs_theme_find(rs_theme_name(i), &theme));
		ck_assert_int_eq(theme, i);
	}
	ck_assert(!rs_theme_find("solarized", &theme));
}
END_TEST

START_TEST(the_palette_is_xterms)
{
	ck_assert_uint_eq(rs_theme_ink_rgb(RS_THEME_DARK, 16), 0x000000);
	ck_assert_uint_eq(rs_theme_ink_rgb(RS_THEME_DARK, 231), 0xffffff);
	ck_assert_uint_eq(rs_theme_ink_rgb(RS_THEME_DARK, 208), 0xff8700);
	ck_assert_uint_eq(rs_theme_ink_rgb(RS_THEME_DARK, 255), 0xeeeeee);
	ck_assert_uint_eq(rs_theme_ink_rgb(RS_THEME_DARK, 1), 0xcd0000);
}
END_TEST

Suite *rs_suite_theme(void)
{
	Suite *s = suite_create("theme");
	TCase *t = tcase_create("theme");

	tcase_add_test(t, every_style_has_colors_of_its_palette);
	tcase_add_test(t, ink_can_be_read_on_paper);
	tcase_add_test(t, without_colour_what_warns_differs);
	tcase_add_test(t, names_are_found);
	tcase_add_test(t, the_palette_is_xterms);
	suite_add_tcase(s, t);
	return s;
}
