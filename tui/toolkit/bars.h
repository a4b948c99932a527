/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bars.h - draws the rows of a histogram view as bars, and a total with its parts as one bar */
#ifndef RS_TUI_BARS_H
#define RS_TUI_BARS_H

#include "ringside/panel.h"
#include "tui/table/grid.h"

/* Draws nr relative to most, in eighths of a cell. A value above 0 is always visible. */
void rs_bars_put(struct rs_canvas *c, struct rs_area line, enum rs_style_id style_id, uint64_t nr, uint64_t most);

/* Returns the number of lines: one for each bucket, a title for each group, a blank line between groups. */
size_t rs_bars_lines(const struct rs_grid *g);
void rs_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c, struct rs_area area,
		  size_t top);

struct rs_split {
	unsigned int nr;
	struct { enum rs_cause cause; uint64_t ns; } parts[RS_MAX_PARTS];
};

/* The cells of all parts add up to the width; a part below half a cell may get no cell. A total of 0 draws nothing. */
void rs_bars_draw_split(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);
/* Writes the largest parts that are not idle, as many as fit: "disk 71%  run 12%". Returns the columns taken. */
int rs_bars_put_split_words(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);

#endif
