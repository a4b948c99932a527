/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * axis.h - a time axis over a line of cells, with marks at multiples of 1, 2 and 5
 */
#ifndef RS_TUI_AXIS_H
#define RS_TUI_AXIS_H

#include "tui/toolkit/screen.h"

struct rs_axis {
	uint64_t from_ns, cell_ns;
	unsigned int nr_cells;
};

/* Draws the labels of the marks into a line, each above its cell. Marks are at multiples of the step from origin_ns. */
void rs_axis_draw(struct rs_app *app, struct rs_canvas *c, struct rs_area line, const struct rs_axis *a,
		  uint64_t origin_ns);
/* Returns the cell of a moment; -1: before the axis, nr_cells: after it. */
int rs_axis_cell(const struct rs_axis *a, uint64_t ts_ns);

#endif
