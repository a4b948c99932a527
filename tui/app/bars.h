/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bars.h - the rows of a histogram view as bars */
#ifndef RS_TUI_APP_BARS_H
#define RS_TUI_APP_BARS_H

#include "tui/app/grid.h"

/* Returns the number of lines: one for each bucket, a title for each group, a blank line between groups. */
size_t rs_bars_lines(const struct rs_grid *g);
/* Draws the lines from `top` on. */
void rs_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c,
		  struct rs_area area, size_t top);

#endif
