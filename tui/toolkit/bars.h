/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bars.h - distributions as bars: a histogram view's rows */
#ifndef RS_TUI_BARS_H
#define RS_TUI_BARS_H

#include "tui/table/grid.h"

/* nr of most in eighths of a cell; what is not nothing is seen. */
void rs_bars_put(struct rs_canvas *c, struct rs_area line, uint64_t nr, uint64_t most);

/* A line for each bucket, one above each group, one between groups. */
size_t rs_bars_lines(const struct rs_grid *g);
void rs_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c, struct rs_area area,
		  size_t top);

#endif
