// SPDX-License-Identifier: GPL-2.0-or-later
/* heat.c - the cells of a heat map: hue by duration, light by the time that spans took together */
#include "tui/toolkit/heat.h"

#include "base/palette.h"

#define HEAT_NEUTRAL_DARK 250 /* of 256: grey, on a dark background and on a light one */
#define HEAT_NEUTRAL_LIGHT 240
#define HEAT_DARKER 4         /* a cell with so many times less time is one light darker */

unsigned int rs_heat_hue(uint64_t from_ns, uint64_t median_ns)
{
	if (!median_ns || from_ns <= median_ns)
		return 0;
	return from_ns / RS_HEAT_LONG < median_ns ? 1 : RS_HEAT_HUES;
}

unsigned int rs_heat_light(uint64_t ns, uint64_t most_ns)
{
	unsigned int light = RS_HEAT_LIGHTS - 1;

	for (; light && ns < most_ns / HEAT_DARKER + (most_ns % HEAT_DARKER != 0); light--)
		most_ns /= HEAT_DARKER;
	return light;
}

/* Categories without a color of their own have that of another. */
static enum rs_category heat_colored(enum rs_category category)
{
	switch (category) {
	case RS_CATEGORY_OTHER:
		return RS_CATEGORY_DISK; /* state D has the color of disks, see ringside/wait.h */
	case RS_CATEGORY_SLEEP:
		return RS_CATEGORY_PEER;
	default:
		return (unsigned int)category < RS_HEAT_COLORS ? category : RS_CATEGORY_PEER;
	}
}

enum rs_style_id rs_heat_style(enum rs_category category, unsigned int hue, unsigned int light)
{
	unsigned int row = hue ? 1 + heat_colored(category) * RS_HEAT_HUES + hue - 1 : 0;

	return RS_STYLE_HEAT + row * RS_HEAT_LIGHTS + light;
}

unsigned int rs_heat_glyph(unsigned int light)
{
	return RS_GLYPH_SHADE + 1 + light;
}

/* ---- colors ---- */

/* share of 100 of `of`, the rest of `ground` */
static uint32_t heat_mix(uint32_t of, uint32_t ground, unsigned int share)
{
	uint32_t rgb = 0;

	for (unsigned int shift = 0; shift < 24; shift += 8)
		rgb |= ((of >> shift & 255) * share + (ground >> shift & 255) * (100 - share)) / 100 << shift;
	return rgb;
}

static uint32_t heat_distance(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (unsigned int shift = 0; shift < 24; shift += 8) {
		int by = (int)(a >> shift & 255) - (int)(b >> shift & 255);

		sum += (uint32_t)(by * by);
	}
	return sum;
}

/* The first 16 colors of 256 are the terminal's own: nobody knows what they are. */
static int16_t heat_nearest(uint32_t rgb)
{
	int16_t nearest = 16;

	for (int16_t color = 17; color < 256; color++)
		if (heat_distance(rs_palette_rgb(color), rgb) < heat_distance(rs_palette_rgb(nearest), rgb))
			nearest = color;
	return nearest;
}

static int16_t heat_color_256(enum rs_theme theme, const struct rs_cause_row *cause, unsigned int hue,
			      unsigned int light)
{
	/* so that each of a row is another color of the 256, see test-heat.c */
	static const unsigned int lights[2][RS_HEAT_LIGHTS] = { { 45, 62, 80, 100 }, { 36, 52, 78, 100 } };
	bool is_light = theme == RS_THEME_LIGHT;
	uint32_t neutral = rs_palette_rgb(is_light ? HEAT_NEUTRAL_LIGHT : HEAT_NEUTRAL_DARK);
	uint32_t full = hue ? rs_palette_rgb(is_light ? cause->light : cause->dark) : neutral;

	return heat_nearest(heat_mix(heat_mix(full, neutral, hue == 1 ? 60 : 100),
				     rs_theme_paper_rgb(theme, -1), lights[is_light][light]));
}

struct rs_style rs_heat_colors(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id)
{
	static const uint8_t attrs[RS_HEAT_LIGHTS] = { RS_ATTR_DIM, 0, 0, RS_ATTR_BOLD };
	unsigned int at = style_id - RS_STYLE_HEAT, light = at % RS_HEAT_LIGHTS, row = at / RS_HEAT_LIGHTS;
	unsigned int hue = row ? 1 + (row - 1) % RS_HEAT_HUES : 0;
	const struct rs_cause_row *cause =
		rs_cause_row(rs_category_row(row ? (row - 1) / RS_HEAT_HUES : RS_CATEGORY_RUN)->color);
	int color = theme == RS_THEME_LIGHT ? cause->light_8 : cause->dark_8;

	if (theme == RS_THEME_MONO || depth == RS_DEPTH_MONO)
		return (struct rs_style){ -1, -1, attrs[light] };
	if (depth == RS_DEPTH_256)
		return (struct rs_style){ heat_color_256(theme, cause, hue, light), -1, 0 };
	return (struct rs_style){ (int16_t)(hue && color >= 0 ? color & 7 : -1), -1,
				  hue == RS_HEAT_HUES && light ? RS_ATTR_BOLD : attrs[light] };
}
