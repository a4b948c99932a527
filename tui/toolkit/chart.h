/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart.h - a time axis over a line of cells, with marks at multiples of 1, 2 and 5; bars; a total with its
 * parts as one bar
 */
#ifndef RS_TUI_TOOLKIT_CHART_H
#define RS_TUI_TOOLKIT_CHART_H

#include "base/buf.h"
#include "ringside/table.h"
#include "tui/toolkit/canvas.h"

struct rs_axis {
	uint64_t from_ns, cell_ns;
	unsigned int nr_cells;
};

/* Writes a moment as the user wants to read it: "12.345 s". */
typedef void rs_chart_moment_fn(const void *arg, uint64_t ts_ns, struct rs_buf *out);

/*
 * Draws the labels of the marks into a line, each above its cell. Marks are at multiples of the step from
 * origin_ns.
 */
void rs_chart_axis_draw(struct rs_canvas *c, struct rs_area line, const struct rs_axis *a, uint64_t origin_ns,
			rs_chart_moment_fn *moment, const void *arg);
/* Returns the cell of a moment; -1: before the axis, nr_cells: after it. */
int rs_chart_axis_cell(const struct rs_axis *a, uint64_t ts_ns);

/* Draws nr relative to most, in eighths of a cell. A value above 0 is always visible. */
void rs_chart_bars_put(struct rs_canvas *c, struct rs_area line, enum rs_style_id style_id, uint64_t nr,
		       uint64_t most);

struct rs_split {
	unsigned int nr;
	struct { enum rs_cause cause; uint64_t ns; } parts[RS_MAX_PARTS];
};

/*
 * Draws a cell of a bar or a timeline by rs_cause_ink. begins: the cell before it is of something else: time
 * that is not known is blank, but for its letter there.
 */
void rs_chart_put_cell(struct rs_canvas *c, int y, int x, enum rs_cause cause, const struct rs_ink_task *task,
		       bool begins);
/*
 * The cells of all parts add up to the width; a part below half a cell may get no cell. A total of 0 draws
 * nothing.
 */
void rs_chart_draw_split(const struct rs_split *split, const struct rs_ink_task *task, struct rs_canvas *c,
			 struct rs_area line);
/*
 * Writes the largest parts that are not idle, as many as fit: "disk 71%  run 12%". Returns the columns taken.
 */
int rs_chart_put_split(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);

#endif
