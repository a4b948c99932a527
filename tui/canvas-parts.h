/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas-parts.h - for the canvas's own files, the terminal and the picture
 */
#ifndef RS_TUI_CANVAS_PARTS_H
#define RS_TUI_CANVAS_PARTS_H

#include "tui/canvas.h"

/* Bytes after a cell's text are 0: cells that look alike are equal, byte by byte. */
_Static_assert(sizeof(struct rs_cell) == 16, "one store writes a cell, and rows are compared by memcmp");

struct rs_canvas {
	struct rs_cell *cells; /* row by row */
	int height, width;
	bool ascii;
};

static inline struct rs_cell *rs_canvas_row(const struct rs_canvas *c, int y)
{
	return c->cells + (size_t)y * (size_t)c->width;
}

static inline struct rs_cell rs_cell_of(char ch, enum rs_look look)
{
	return (struct rs_cell){ .text = { ch }, .look = (uint8_t)look, .width = 1 };
}

static inline void rs_cells_fill(struct rs_cell *cells, int nr, char ch, enum rs_look look)
{
	struct rs_cell cell = rs_cell_of(ch, look);

	for (int i = 0; i < nr; i++)
		cells[i] = cell;
}

/* Before cells from x on are written: a wide character of which x is the second half becomes blank. */
static inline void rs_row_open(struct rs_cell *row, int x)
{
	if (x > 0 && !row[x].width)
		row[x] = row[x - 1] = rs_cell_of(' ', row[x].look);
}

/* After the cells before x were written: the second half that may be left of a wide one becomes blank. */
static inline void rs_row_close(struct rs_cell *row, int x, int width)
{
	if (x < width && !row[x].width)
		row[x] = rs_cell_of(' ', row[x].look);
}

/* As wide as the canvas at most, from 0: an area that is elsewhere becomes empty. */
struct rs_area rs_canvas_clip(const struct rs_canvas *c, struct rs_area area);

const char *rs_glyph_text(unsigned int glyph, bool ascii);

#endif
