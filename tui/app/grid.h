/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.h - checks the rows of an answer and draws them in columns, for tables and panels
 */
#ifndef RS_TUI_APP_GRID_H
#define RS_TUI_APP_GRID_H

#include "tui/app/screen.h"
#include "view/cell.h"
#include "view/columns.h"

struct rs_grid {
	const struct rs_view *view;
	unsigned int nr_columns;       /* of the view */
	struct rs_columns shown;       /* in the last frame: what a key before the next one acts on */
	bool shows_default;            /* the user has not selected columns */
	uint64_t known;                /* bit n: column n has a value in some row */
	struct rs_sort sort;
	struct rs_value *values;       /* nr rows of nr_columns values; texts point into the answer */
	size_t nr, size;               /* nr: rows; size: rows that fit */
	const uint16_t *order;         /* of the rows, nr of them, by who shows them; NULL: as they came */
	/* where column `absent` is unknown, `stand_in` is shown; -1: no columns */
	int absent, stand_in;
	int fold_by;                   /* column with the name of folded rows; -1: no rows are folded */
	/* of the answer: number of rows behind each of the first nr_folded rows */
	const uint64_t *folded;
	size_t nr_folded;
	bool has_totals;
	struct rs_value totals[RS_MAX_COLUMNS];
	/* grow with the visible rows, and never shrink: columns must not jump */
	int widths[RS_MAX_COLUMNS];
	bool answered;
	uint64_t nr_unfiltered, nr_total;      /* rows without the filter; rows that pass it */
	bool from_known;
	uint64_t from_ns, to_ns;
};

/* Starts without rows, with the view's default columns and sort order. */
void rs_grid_init(struct rs_grid *g, const struct rs_view *view);
void rs_grid_done(struct rs_grid *g);
/*
 * Replaces the rows by those of an answer, which must outlive them. Returns false, without rows, if the
 * answer is malformed.
 */
bool rs_grid_read(struct rs_grid *g, const struct rs_rows_reply *reply);
/* Returns the number of rows behind a row; if it is not 1, column fold_by shows "true x312". */
uint64_t rs_grid_folded_nr(const struct rs_grid *g, size_t at);
const struct rs_value *rs_grid_row(const struct rs_grid *g, size_t at);
const struct rs_value *rs_grid_cell(const struct rs_grid *g, size_t at, unsigned int column);
/*
 * Where the columns that are shown by default do not fit, after rs_grid_measure: those without a value in any
 * row and a last text of which little would be seen give their place to others, and the column that the rows
 * are sorted by is moved into sight.
 */
void rs_grid_fit(struct rs_grid *g, int width);
/* Likewise; unknown in a view without that column. */
const struct rs_value *rs_grid_cell_named(const struct rs_grid *g, size_t at, const char *column);
/* Returns a hash that identifies a row: equal for the same row of a later answer. */
uint64_t rs_grid_identity(const struct rs_grid *g, size_t at);
/* Write g->sort as "-total_ns,comm", and g->shown as "comm,pid". */
void rs_grid_sort_text(const struct rs_grid *g, struct rs_buf *out);
void rs_grid_columns_text(const struct rs_grid *g, struct rs_buf *out);
/*
 * Formats a cell, not escaped, terminated; of row SIZE_MAX, the totals. buf has at least RS_UNIT_TEXT + 2
 * bytes.
 */
const char *rs_grid_text(const struct rs_grid *g, const struct rs_cell_style *style, size_t row,
			 unsigned int column, char *buf);

struct rs_grid_style {
	struct rs_cell_style cell;
	unsigned int first;            /* first shown column after scrolling; COMM always stays at the left */
	long selected;                 /* selected row; -1: none */
	bool dim_selected;             /* another panel has the keyboard focus */
	bool ascii;                    /* like the canvas */
	const char *mark;              /* highlight cells that contain this text; NULL: none */
};

/* Returns the leftmost visible column: COMM stays visible when columns scroll. */
unsigned int rs_grid_leftmost(const struct rs_grid *g, unsigned int first);
/* Draws the line of headings. */
void rs_grid_draw_heading(struct rs_grid *g, struct rs_canvas *c, struct rs_area line,
			  const struct rs_grid_style *style);
/* Draws rows from `top` on, one for each line of the area. */
void rs_grid_draw_rows(struct rs_grid *g, struct rs_canvas *c, struct rs_area area, size_t top,
		       const struct rs_grid_style *style);
void rs_grid_draw_totals(struct rs_grid *g, struct rs_canvas *c, struct rs_area line,
			 const struct rs_grid_style *style);
/*
 * Shows the columns that have a value, unless the user has selected others, and grows them to fit the rows
 * that will be visible. Call before drawing the headings.
 */
void rs_grid_measure(struct rs_grid *g, size_t top, size_t nr, const struct rs_grid_style *style);
/*
 * Returns true if a heading has the arrow of the sort order in a line of this width, or if rows are unsorted.
 */
bool rs_grid_shows_sort(const struct rs_grid *g, unsigned int first, int width);
/* Returns the index of the shown column at x; -1: none. */
int rs_grid_column_at(const struct rs_grid *g, unsigned int first, int x);
/* Returns true if a cell contains the text, ignoring case. */
bool rs_grid_row_contains(const struct rs_grid *g, const struct rs_cell_style *style, size_t row,
			  const char *text);

#endif
