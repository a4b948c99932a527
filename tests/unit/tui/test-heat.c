// SPDX-License-Identifier: GPL-2.0-or-later
/* test-heat - the cells of a heat map: hue by the median, light by the time lost, in each number of colors */
#include <check.h>

#include "base/palette.h"
#include "tui/toolkit/heat.h"

/* Of a kind whose median is 20 us: usual up to it, another color above, the full color from 160 us on. */
START_TEST(hue_by_the_median)
{
	static const struct { uint64_t from_ns, median_ns; unsigned int hue; } cases[] = {
		{ 0, 20000, 0 }, { 16384, 20000, 0 }, { 20000, 20000, 0 }, { 20001, 20000, 1 }, { 24576, 20000, 1 },
		{ 159999, 20000, 1 }, { 160000, 20000, 2 }, { 456000000, 20000, 2 },
		{ 456000000, 0, 0 }, /* the median is not known */
		{ UINT64_MAX, 1, 2 }, { UINT64_MAX, UINT64_MAX - 1, 1 }, /* nothing wraps */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(rs_heat_hue(cases[i].from_ns, cases[i].median_ns) == cases[i].hue, "case %zu", i);
}
END_TEST

/* Of at most 640 ns: full down to 160, then a quarter each, and the least is still seen. */
START_TEST(light_by_the_time_lost)
{
	static const struct { uint64_t ns, most_ns; unsigned int light; } cases[] = {
		{ 640, 640, 3 }, { 160, 640, 3 }, { 159, 640, 2 }, { 40, 640, 2 }, { 39, 640, 1 }, { 10, 640, 1 },
		{ 9, 640, 0 }, { 0, 640, 0 }, { 1, 1, 3 }, { 0, 0, 3 }, { UINT64_MAX, UINT64_MAX, 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(rs_heat_light(cases[i].ns, cases[i].most_ns) == cases[i].light, "case %zu", i);
}
END_TEST

/* 456 ms in one stall is brighter than 1,000 naps of 390 us, which are 390 ms in ten cells of 39 ms. */
START_TEST(a_stall_is_brighter_than_naps)
{
	ck_assert_uint_eq(rs_heat_light(456000000, 456000000), 3);
	ck_assert_uint_eq(rs_heat_light(39000000, 456000000), 2);
	ck_assert_uint_eq(rs_heat_hue(402653184, 390000), 2);
	ck_assert_uint_eq(rs_heat_hue(262144, 390000), 0);
}
END_TEST

START_TEST(styles_are_distinct)
{
	for (enum rs_category category = RS_CATEGORY_RUN; category < RS_NR_CATEGORIES; category++)
		for (unsigned int light = 0; light < RS_HEAT_LIGHTS; light++) {
			enum rs_style_id usual = rs_heat_style(category, 0, light);

			ck_assert_int_eq(usual, RS_STYLE_HEAT + light); /* of any category */
			for (unsigned int hue = 1; hue <= RS_HEAT_HUES; hue++) {
				enum rs_style_id id = rs_heat_style(category, hue, light);

				ck_assert_int_ge(id, RS_STYLE_HEAT + RS_HEAT_LIGHTS);
				ck_assert_int_le(id, RS_STYLE_HEAT_LAST);
			}
		}
	ck_assert_int_eq(rs_heat_style(RS_CATEGORY_PEER, RS_HEAT_HUES, RS_HEAT_LIGHTS - 1), RS_STYLE_HEAT_LAST);
	ck_assert_int_eq(rs_heat_style(RS_CATEGORY_RUN, 1, 0), RS_STYLE_HEAT + RS_HEAT_LIGHTS);
}
END_TEST

static int sum_of(uint32_t rgb)
{
	return (int)(rgb >> 16) + (int)(rgb >> 8 & 255) + (int)(rgb & 255);
}

static int color_of(enum rs_theme theme, enum rs_category category, unsigned int hue, unsigned int light)
{
	return rs_theme_style(theme, RS_DEPTH_256, rs_heat_style(category, hue, light)).fg;
}

/* The full color is that of the category elsewhere, and each light goes further from the paper. */
START_TEST(colors_of_256)
{
	ck_assert_int_eq(color_of(RS_THEME_DARK, RS_CATEGORY_LOCK, 2, 3), rs_cause_row(RS_CAUSE_LOCK)->dark);
	ck_assert_int_eq(color_of(RS_THEME_LIGHT, RS_CATEGORY_QUEUE, 2, 3), rs_cause_row(RS_CAUSE_DELAY)->light);
	ck_assert_int_eq(color_of(RS_THEME_DARK, RS_CATEGORY_OTHER, 2, 3), rs_cause_row(RS_CAUSE_OTHER_D)->dark);
	for (unsigned int hue = 0; hue <= RS_HEAT_HUES; hue++)
		for (enum rs_category category = RS_CATEGORY_RUN; category < RS_NR_CATEGORIES; category++)
			for (unsigned int light = 1; light < RS_HEAT_LIGHTS; light++) {
				int darker = sum_of(rs_palette_rgb(color_of(RS_THEME_DARK, category, hue, light - 1))),
				    brighter = sum_of(rs_palette_rgb(color_of(RS_THEME_DARK, category, hue, light)));

				ck_assert_msg(brighter > darker, "category %d hue %u light %u", category, hue, light);
				darker = sum_of(rs_palette_rgb(color_of(RS_THEME_LIGHT, category, hue, light - 1)));
				brighter = sum_of(rs_palette_rgb(color_of(RS_THEME_LIGHT, category, hue, light)));
				ck_assert_msg(brighter < darker, "on light: category %d hue %u light %u", category, hue, light);
			}
}
END_TEST

/* Of 8 colors and of none the shade tells the time lost; hue is a color, or nothing. */
START_TEST(few_colors)
{
	ck_assert_uint_eq(rs_heat_glyph(0), RS_GLYPH_SHADE + 1);
	ck_assert_uint_eq(rs_heat_glyph(RS_HEAT_LIGHTS - 1), RS_GLYPH_SHADE + 4);
	ck_assert_int_eq(rs_theme_style(RS_THEME_DARK, RS_DEPTH_8, rs_heat_style(RS_CATEGORY_DISK, 2, 2)).fg, 1);
	ck_assert_int_eq(rs_theme_style(RS_THEME_DARK, RS_DEPTH_8, rs_heat_style(RS_CATEGORY_DISK, 0, 2)).fg, -1);
	ck_assert_int_eq(rs_theme_style(RS_THEME_MONO, RS_DEPTH_256, rs_heat_style(RS_CATEGORY_DISK, 2, 3)).fg, -1);
	ck_assert_int_eq(rs_theme_style(RS_THEME_MONO, RS_DEPTH_256, rs_heat_style(RS_CATEGORY_DISK, 2, 0)).attrs,
			 RS_ATTR_DIM);
}
END_TEST

Suite *rs_suite_heat(void)
{
	Suite *s = suite_create("heat");
	TCase *t = tcase_create("heat");

	tcase_add_test(t, hue_by_the_median);
	tcase_add_test(t, light_by_the_time_lost);
	tcase_add_test(t, a_stall_is_brighter_than_naps);
	tcase_add_test(t, styles_are_distinct);
	tcase_add_test(t, colors_of_256);
	tcase_add_test(t, few_colors);
	suite_add_tcase(s, t);
	return s;
}
