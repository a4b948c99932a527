// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-theme - every look can be read in every theme, and what warns differs without colour, too
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "ringside/wait.h"
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
			/* an idle CPU should not shout */
			bool faint = (answer >= RS_STYLE_CAUSE && answer <= RS_STYLE_CAUSE_LAST) || answer == RS_STYLE_QUIET;
			double c = contrast(rs_theme_ink_rgb(theme, s.fg), rs_theme_paper_rgb(theme, s.bg));

			if (answer >= RS_STYLE_CELL && answer <= RS_STYLE_CELL_LAST) /* a cell hides its letter */
				ck_assert(s.bg < 0 || s.bg == s.fg);
			else if (answer >= RS_STYLE_HEAT && answer <= RS_STYLE_HEAT_LAST) /* a shade, dark where little was lost */
				ck_assert_msg(c >= 1.1, "theme %d heat %d: contrast %.2f", theme, answer, c);
			else
				ck_assert_msg(c >= (faint ? 2.0 : 4.5), "theme %d look %d: contrast %.2f", theme, answer, c);
		}
	/* black on white is 21:1 */
	ck_assert_double_eq_tol(contrast(0, 0xffffff), 21, 0.01);
}
END_TEST

/* ---- colors that must differ, also for those who see two of three ---- */

/*
 * Machado, Oliveira, Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.0:
 * of linear RGB.
 */
static const struct { const char *name; double of[3][3]; } sights[] = {
	{ "normal", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	{ "protanopia", { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } } },
	{ "deuteranopia", { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } } },
	{ "tritanopia", { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } } },
};

static void multiply(const double of[3][3], const double in[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = of[i][0] * in[0] + of[i][1] * in[1] + of[i][2] * in[2];
}

/* CIE L*a*b* of an sRGB color as that sight has it, white D65. */
static void lab_of(uint32_t rgb, const double sight[3][3], double lab[3])
{
	static const double xyz_of_rgb[3][3] = { { 0.4124564, 0.3575761, 0.1804375 }, { 0.2126729, 0.7151522, 0.0721750 },
						 { 0.0193339, 0.1191920, 0.9503041 } };
	static const double white[3] = { 0.95047, 1, 1.08883 };
	double linear[3], seen[3], xyz[3], f[3];

	for (int i = 0; i < 3; i++) {
		double v = (double)(rgb >> (16 - 8 * i) & 255) / 255;

		linear[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
	}
	multiply(sight, linear, seen);
	for (int i = 0; i < 3; i++)
		seen[i] = fmin(1, fmax(0, seen[i]));
	multiply(xyz_of_rgb, seen, xyz);
	for (int i = 0; i < 3; i++) {
		double t = xyz[i] / white[i];

		f[i] = t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
	}
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

/* CIE76 */
static double difference(uint32_t a, uint32_t b, const double sight[3][3])
{
	double x[3], y[3];

	lab_of(a, sight, x);
	lab_of(b, sight, y);
	return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

static uint32_t cause_rgb(enum rs_theme theme, enum rs_cause cause)
{
	return rs_theme_ink_rgb(theme, rs_theme_style(theme, RS_DEPTH_256, RS_STYLE_CAUSE + cause).fg);
}

/* Two causes of one category, or of state D, may share a color; those of others are 28 apart or more. */
START_TEST(causes_differ_in_every_sight)
{
	static const enum rs_cause causes[] = { RS_CAUSE_RUN, RS_CAUSE_DELAY, RS_CAUSE_DISK, RS_CAUSE_LOCK, RS_CAUSE_RECLAIM,
						RS_CAUSE_SLEEP, RS_CAUSE_IRQ };

	for (enum rs_theme theme = RS_THEME_DARK; theme <= RS_THEME_LIGHT; theme++)
		for (size_t sight = 0; sight < sizeof sights / sizeof *sights; sight++)
			for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
				for (size_t j = 0; j < i; j++) {
					double apart = difference(cause_rgb(theme, causes[i]), cause_rgb(theme, causes[j]),
								  sights[sight].of);

					ck_assert_msg(apart >= 28, "%s, %s: %s and %s are %.1f apart", rs_theme_name(theme),
						      sights[sight].name, rs_cause_row(causes[i])->name,
						      rs_cause_row(causes[j])->name, apart);
				}
	/* black and white are 100 apart; red and green of deuteranopia are near each other, as published */
	ck_assert_double_eq_tol(difference(0, 0xffffff, sights[0].of), 100, 0.01);
	ck_assert(difference(0xb04040, 0x707030, sights[2].of) < difference(0xb04040, 0x707030, sights[0].of) / 2);
}
END_TEST

/* Of one category: one color, two letters. */
START_TEST(a_category_has_one_color)
{
	for (enum rs_theme theme = RS_THEME_DARK; theme <= RS_THEME_LIGHT; theme++) {
		ck_assert_uint_eq(cause_rgb(theme, RS_CAUSE_DELAY), cause_rgb(theme, RS_CAUSE_PREEMPTED));
		ck_assert_uint_eq(cause_rgb(theme, RS_CAUSE_LOCK), cause_rgb(theme, RS_CAUSE_FUTEX));
	}
	ck_assert_int_ne(rs_cause_row(RS_CAUSE_DELAY)->letter, rs_cause_row(RS_CAUSE_PREEMPTED)->letter);
	ck_assert_int_ne(rs_cause_row(RS_CAUSE_LOCK)->letter, rs_cause_row(RS_CAUSE_FUTEX)->letter);
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

/* Of a state and of a wait alike: the color stays, the letter is seen, and something else than the color tells it. */
START_TEST(the_path_keeps_the_color)
{
	for (enum rs_theme theme = RS_THEME_DARK; theme <= RS_THEME_LIGHT; theme++)
		for (int cause = RS_CAUSE_RUN; cause < RS_NR_CAUSES; cause++) {
			struct rs_style on = rs_theme_style(theme, RS_DEPTH_256, RS_STYLE_ON_PATH + cause),
					off = rs_theme_style(theme, RS_DEPTH_256, RS_STYLE_CELL + cause);

			if (rs_cause_row(cause)->rank == RS_RANK_UNKNOWN || cause == RS_CAUSE_IDLE)
				continue;
			ck_assert_msg(on.bg == off.bg && on.fg != on.bg && off.fg == off.bg, "theme %d cause %d", theme, cause);
		}
	for (int depth = 0; depth < RS_NR_DEPTHS; depth++)
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			ck_assert_int_ne(rs_theme_style(RS_THEME_DARK, depth, RS_STYLE_ON_PATH + cause).attrs & RS_ATTR_UNDERLINE, 0);
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
	tcase_add_test(t, causes_differ_in_every_sight);
	tcase_add_test(t, a_category_has_one_color);
	tcase_add_test(t, without_colour_what_warns_differs);
	tcase_add_test(t, the_path_keeps_the_color);
	tcase_add_test(t, names_are_found);
	tcase_add_test(t, the_palette_is_xterms);
	suite_add_tcase(s, t);
	return s;
}
