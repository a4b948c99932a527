/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bars.h - draws the rows of a histogram view as bars */
#ifndef RS_TUI_BARS_H
#define RS_TUI_BARS_H

#include "tui/table/grid.h"

/* Draws nr relative to most, in eighths of a cell. A value above 0 is always visible. */
void rs_bars_put(struct rs_canvas *c, struct rs_area line, enum rs_style_id style_id, uint64_t nr, uint64_t most);

/* Returns the number of lines: one for each bucket, a title for each group, a blank line between groups. */
size_t rs_bars_lines(const struct rs_grid *g);
void rs_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c, struct rs_area area,
		  size_t top);

#endif
