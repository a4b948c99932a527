/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heat.h - the cells of a heat map: hue by how long spans took, against what is usual; light by the time that
 * they took together
 *
 * Ten thousand short sleeps are many; one stall is what hurts. So a cell is bright for the sum of durations,
 * not for their number, and up to the median of all spans it has no color: that is how it usually goes. Above
 * it the cell goes over to the color of the category that such spans are time lost of.
 */
#ifndef RS_TUI_HEAT_H
#define RS_TUI_HEAT_H

#include "tui/toolkit/theme.h"

#define RS_HEAT_LONG 8 /* times the median: from here on it has the full color */

/* Returns 0 (usual) to RS_HEAT_HUES of durations that begin at from_ns. median_ns 0: unknown, 0. */
unsigned int rs_heat_hue(uint64_t from_ns, uint64_t median_ns);
/* Returns 0 to RS_HEAT_LIGHTS - 1: a quarter of the most is one darker, and so on. */
unsigned int rs_heat_light(uint64_t ns, uint64_t most_ns);
/* The style of a cell: see rs_canvas_cell_style, and rs_heat_glyph for its glyph. */
enum rs_style_id rs_heat_style(enum rs_category category, unsigned int hue, unsigned int light);
/* Where colors cannot tell it, shades do. */
unsigned int rs_heat_glyph(unsigned int light);

/* For theme.c: the colors of a style that rs_heat_style returns. */
struct rs_style rs_heat_colors(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id);

#endif
