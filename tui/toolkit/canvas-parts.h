/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas-parts.h - shared by the files of the canvas, the terminal and the SVG writer
 */
#ifndef RS_TUI_CANVAS_PARTS_H
#define RS_TUI_CANVAS_PARTS_H

#include "tui/toolkit/canvas.h"

/* A cell's text in UTF-8, terminated; "" is the second half of a wide character. */
#define RS_CELL_BYTES 14 /* one character and its combining marks; more are left out */
struct rs_cell {
	char text[RS_CELL_BYTES];
	uint8_t style_id, width;
};

_Static_assert(RS_NR_STYLES <= UINT8_MAX + 1, "a cell has a byte for its style");

/* The bytes after a cell's text are 0, so that cells with the same content compare equal byte by byte. */
_Static_assert(sizeof(struct rs_cell) == 16, "no bytes between: rows are compared by memcmp");

struct rs_canvas {
	struct rs_cell *cells; /* row by row */
	int height, width;
	bool ascii;
	bool letters; /* letters and shades instead of colored cells */
};

static inline struct rs_cell *rs_canvas_row(const struct rs_canvas *c, int y)
{
	return c->cells + (size_t)y * (size_t)c->width;
}

/*
 * Sets a cell in place, field by field. A cell that was composed elsewhere would be loaded as one piece
 * before its bytes are stored (a store-forwarding stall), which costs more than the rest of a frame.
 */
static inline void rs_cell_set(struct rs_cell *cell, char ch, enum rs_style_id style_id)
{
	memset(cell, 0, sizeof *cell);
	cell->text[0] = ch;
	cell->style_id = (uint8_t)style_id;
	cell->width = 1;
}

static inline void rs_cells_fill(struct rs_cell *cells, int nr, char ch, enum rs_style_id style_id)
{
	for (int i = 0; i < nr; i++)
		rs_cell_set(cells + i, ch, style_id);
}

/* Call before writing cells from x on. Blanks a wide character whose second half is at x. */
static inline void rs_row_begin_write(struct rs_cell *row, int x)
{
	if (x > 0 && !row[x].width)
		rs_cells_fill(row + x - 1, 2, ' ', row[x].style_id);
}

/* Call after writing cells up to x. Blanks a remaining second half of a wide character at x. */
static inline void rs_row_end_write(struct rs_cell *row, int x, int width)
{
	if (x < width && !row[x].width)
		rs_cell_set(row + x, ' ', row[x].style_id);
}

const char *rs_put_glyph_text(unsigned int glyph, bool ascii);

#endif
