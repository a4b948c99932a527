// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * glyphs.c - the glyphs that pictures consist of, each one column wide, and their ASCII substitutes
 */
#include "tui/toolkit/canvas-parts.h"

static const struct {
	const char *utf8, *ascii;
} glyphs[RS_NR_GLYPHS] = {
	[RS_GLYPH_BAR] = { " ", " " }, { "▏", "." }, { "▎", "." }, { "▍", "." }, { "▌", ":" },
	{ "▋", ":" }, { "▊", ":" }, { "▉", "|" }, { "█", "#" },
	[RS_GLYPH_SPARK] = { " ", " " }, { "▁", "_" }, { "▂", "." }, { "▃", "." }, { "▄", "-" },
	{ "▅", "-" }, { "▆", "=" }, { "▇", "*" }, { "█", "#" },
	[RS_GLYPH_SHADE] = { " ", " " }, { "░", "." }, { "▒", ":" }, { "▓", "+" }, { "█", "#" },
	[RS_GLYPH_HLINE] = { "─", "-" },
	[RS_GLYPH_VLINE] = { "│", "|" },
	[RS_GLYPH_UP] = { "▲", "^" },
	[RS_GLYPH_DOWN] = { "▼", "v" },
	[RS_GLYPH_LEFT] = { "◀", "<" },
	[RS_GLYPH_RIGHT] = { "▶", ">" },
	[RS_GLYPH_ELLIPSIS] = { "…", "~" },
	[RS_GLYPH_DOT] = { "·", "." },
	[RS_GLYPH_CURSOR] = { "▸", ">" },
	[RS_GLYPH_CRUMB] = { "›", ">" },
};

const char *rs_glyph_text(unsigned int glyph, bool ascii)
{
	if (glyph >= RS_NR_GLYPHS)
		return " ";
	return ascii ? glyphs[glyph].ascii : glyphs[glyph].utf8;
}
