/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme.h - the colors and attributes of each style, by the number of colors
 *
 * Without colors, the styles that carry meaning still differ: bold, underlined, reversed.
 */
#ifndef RS_TUI_THEME_H
#define RS_TUI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/toolkit/canvas.h"

enum rs_theme { RS_THEME_DARK, RS_THEME_LIGHT, RS_THEME_MONO, RS_NR_THEMES };
enum rs_depth { RS_DEPTH_MONO, RS_DEPTH_8, RS_DEPTH_256, RS_NR_DEPTHS };
enum { RS_ATTR_BOLD = 1, RS_ATTR_DIM = 2, RS_ATTR_UNDERLINE = 4, RS_ATTR_REVERSE = 8 };

struct rs_style {
	int16_t fg, bg; /* in the palette of 256 or 8; -1: the terminal's default */
	uint8_t attrs;
};

struct rs_style rs_theme_style(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id);

const char *rs_theme_name(enum rs_theme theme);
bool rs_theme_find(const char *name, enum rs_theme *theme);

/* Returns 0xRRGGBB of a color in xterm's palette of 256; for -1: the theme's foreground or background. */
uint32_t rs_theme_ink_rgb(enum rs_theme theme, int colour);
uint32_t rs_theme_paper_rgb(enum rs_theme theme, int colour);

#endif
