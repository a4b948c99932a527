/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * icicle.h - the layout of a flame graph: which frame has which columns, the outermost in the first line
 *
 *	struct rs_icicle ic = { 0 };
 *
 *	rs_icicle_make(&ic, tree, RS_FRAME_ROOT, 80);
 *	for (each line)
 *		for (i = rs_icicle_first(&ic, line); i < rs_icicle_first(&ic, line + 1); i++)
 *			draw(&ic.cells[i]);
 *	rs_icicle_done(&ic);
 *
 * A frame has the columns between the places of its edges, rounded down, so that it is exactly above what it
 * called. Frames of less than a column share one cell behind their siblings.
 */
#ifndef RS_TUI_ICICLE_H
#define RS_TUI_ICICLE_H

#include "model/frame-tree.h"

struct rs_icicle_cell {
	uint32_t node;           /* of merged frames: their caller */
	uint32_t nr_merged;      /* 0: it is one frame */
	uint32_t first_merged;   /* the first child of the caller among them */
	uint32_t line;
	int x, width;
};

struct rs_icicle {
	struct rs_icicle_cell *cells; /* line by line, from left to right */
	size_t nr, room;
	size_t *lines;           /* the first cell of each line; one more than there are lines */
	size_t nr_lines, lines_room;
	uint32_t zoomed;
};

/* Callers of the zoomed frame take a whole line each. False: no memory, it is empty then. */
bool rs_icicle_make(struct rs_icicle *ic, const struct rs_frame_tree *tree, uint32_t zoomed, int width);
void rs_icicle_done(struct rs_icicle *ic);

/* Returns the index of the first cell of a line; of a line below all: the number of cells. */
size_t rs_icicle_first(const struct rs_icicle *ic, size_t line);
/* Returns the index of the cell at that place; SIZE_MAX: none. */
size_t rs_icicle_at(const struct rs_icicle *ic, size_t line, int x);
/* Returns the cell of a frame, or the one that it is merged into; else that of its nearest caller. */
size_t rs_icicle_find(const struct rs_icicle *ic, const struct rs_frame_tree *tree, uint32_t node);

enum rs_icicle_step { RS_ICICLE_OUTWARD, RS_ICICLE_INWARD, RS_ICICLE_LEFT, RS_ICICLE_RIGHT };
/*
 * Returns the neighbor: the caller, the heaviest that it called, the cell beside it in its line. The same
 * cell: none.
 */
size_t rs_icicle_step(const struct rs_icicle *ic, size_t cell, enum rs_icicle_step step);

#endif
