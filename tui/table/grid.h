/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.h - the rows of a view as an answer gave them, kept, and drawn in columns: of a table, of a panel
 */
#ifndef RS_TUI_GRID_H
#define RS_TUI_GRID_H

#include "tui/toolkit/screen.h"
#include "view/cell.h"
#include "view/columns.h"

struct rs_grid {
	const struct rs_view *view;
	unsigned int nr_columns;       /* of the view */
	struct rs_columns shown;
	bool shows_default;            /* nobody chose these */
	struct rs_sort sort;
	struct rs_value *values;       /* nr rows of nr_columns */
	size_t nr, size;               /* rows, room for rows */
	int fold_by;                   /* column with the name of folded rows; -1: none are */
	uint64_t *folded;              /* how many are in each row; NULL: one each */
	bool has_totals;
	struct rs_value totals[RS_MAX_COLUMNS];
	struct rs_buf text;            /* what values' .s point into */
	int widths[RS_MAX_COLUMNS];    /* grown by what was in sight, never narrower: columns do not jump */
	bool answered;
	uint64_t nr_of, nr_total;      /* rows there are; that pass the filter */
	bool from_known;
	uint64_t from_ns, to_ns, interval;
};

/* With the view's own columns and sort. */
void rs_grid_init(struct rs_grid *g, const struct rs_view *view);
void rs_grid_done(struct rs_grid *g);
/* The rows of an answer instead of those before; false: it is not what the protocol says, and nothing changed. */
bool rs_grid_read(struct rs_grid *g, const struct rs_rows_reply *reply);
/* How many rows are in one: of more than one, "true x312" is in the column fold_by. */
uint64_t rs_grid_nr_of(const struct rs_grid *g, size_t at);
/* Of a row that stands for several: their name, whole; the row's own text may be cut for the number. */
const char *rs_grid_folded_name(const struct rs_grid *g, size_t at);
const struct rs_value *rs_grid_row(const struct rs_grid *g, size_t at);
const struct rs_value *rs_grid_cell(const struct rs_grid *g, size_t at, unsigned int column);
/* Names a row however it moves: equal for the same row of a later answer. */
uint64_t rs_grid_identity(const struct rs_grid *g, size_t at);
/* "-total_ns,comm" of g->sort, and "comm,pid" of g->shown. */
void rs_grid_sort_text(const struct rs_grid *g, struct rs_buf *out);
void rs_grid_columns_text(const struct rs_grid *g, struct rs_buf *out);
/* A cell as text, not escaped, terminated; buf has RS_UNIT_TEXT + 2 bytes at least. */
const char *rs_grid_text(const struct rs_grid *g, const struct rs_cell_style *style, size_t row, unsigned int column,
			 char *buf);

struct rs_grid_style {
	struct rs_cell_style style;
	unsigned int first;            /* column of those shown that is leftmost, but for COMM, which stays */
	long selected;                 /* row, -1 none */
	bool dim_selected;             /* another panel has the keys */
	bool ascii;                    /* as the canvas */
	const char *mark;              /* cells with this in them are marked; NULL none */
};

/* Of those shown the one that is at the left: who a row is about is always seen. */
unsigned int rs_grid_leftmost(const struct rs_grid *g, unsigned int first);
/* The line of headings. */
void rs_grid_draw_heading(struct rs_grid *g, struct rs_canvas *c, struct rs_area line, const struct rs_grid_style *style_id);
/* Rows from `top` on, as many as area has lines. */
void rs_grid_draw_rows(struct rs_grid *g, struct rs_canvas *c, struct rs_area area, size_t top,
		       const struct rs_grid_style *style_id);
void rs_grid_draw_totals(struct rs_grid *g, struct rs_canvas *c, struct rs_area line, const struct rs_grid_style *style_id);
/* Grows the columns for the rows that will be seen: before the headings are drawn. */
void rs_grid_measure(struct rs_grid *g, size_t top, size_t nr, const struct rs_grid_style *style_id);
/* In a line so wide: has a heading the sign of what the rows are sorted by? Of rows without an order it has. */
bool rs_grid_shows_sort(const struct rs_grid *g, unsigned int first, int width);
/* Which of the shown columns is at x, -1 none. */
int rs_grid_column_at(const struct rs_grid *g, unsigned int first, int x);
/* Does a cell have the text in it, upper and lower case alike? */
bool rs_grid_has(const struct rs_grid *g, const struct rs_cell_style *style, size_t row, const char *text);

#endif
