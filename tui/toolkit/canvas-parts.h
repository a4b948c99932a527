/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas-parts.h - for the canvas's own files, the terminal and the picture
 */
#ifndef RS_TUI_CANVAS_PARTS_H
#define RS_TUI_CANVAS_PARTS_H

#include "tui/toolkit/canvas.h"

/* A cell's text ("" : the second half of a wide one), terminated UTF-8. */
#define RS_CELL_BYTES 14 /* a character and what combines with it; more is left out */
struct rs_cell {
	char text[RS_CELL_BYTES];
	uint8_t style_id, width;
};

/* Bytes after a cell's text are 0: cells that look alike are equal, byte by byte. */
_Static_assert(sizeof(struct rs_cell) == 16, "no bytes between: rows are compared by memcmp");

struct rs_canvas {
	struct rs_cell *cells; /* row by row */
	int height, width;
	bool ascii;
};

static inline struct rs_cell *rs_canvas_row(const struct rs_canvas *c, int y)
{
	return c->cells + (size_t)y * (size_t)c->width;
}

/*
 * In place and field by field: a cell put together elsewhere would be read back in one piece while its bytes
 * are still on their way to memory, which costs more than all the rest of a frame.
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

/* Before cells from x on are written: a wide character of which x is the second half becomes blank. */
static inline void rs_row_open(struct rs_cell *row, int x)
{
	if (x > 0 && !row[x].width)
		rs_cells_fill(row + x - 1, 2, ' ', row[x].style_id);
}

/* After the cells before x were written: the second half that may be left of a wide one becomes blank. */
static inline void rs_row_close(struct rs_cell *row, int x, int width)
{
	if (x < width && !row[x].width)
		rs_cell_set(row + x, ' ', row[x].style_id);
}

const char *rs_glyph_text(unsigned int glyph, bool ascii);

#endif
