/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme.h - how each look is drawn, by how many colours there are
 *
 * With no colour at all the looks that mean something still differ: bold, underlined, reversed.
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
	int16_t fg, bg; /* of the palette of 256 or 8; -1: the terminal's own */
	uint8_t attrs;
};

struct rs_style rs_theme_style(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id);

const char *rs_theme_name(enum rs_theme theme);
bool rs_theme_find(const char *name, enum rs_theme *theme);

/* 0xRRGGBB of the palette of 256, as xterm has it; of -1: the theme's ink or paper. */
uint32_t rs_theme_ink_rgb(enum rs_theme theme, int colour);
uint32_t rs_theme_paper_rgb(enum rs_theme theme, int colour);

#endif
