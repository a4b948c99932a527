/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * panel.h - shared by the files of a panel: a view on the overview, as its panel declaration asks
 */
#ifndef RS_TUI_PANEL_H
#define RS_TUI_PANEL_H

#include "tui/app/grid.h"
#include "tui/overview/strip.h"
#include "tui/overview/widget.h"

#define RS_PANEL_ROWS 64

struct rs_panel_widget {
	struct rs_widget widget;  /* first */
	const struct rs_catalogue_view *of;
	struct rs_grid grid;
	struct rs_strip strip;    /* of each row: live the last minute, else the time range */
	struct rs_question spans; /* for the latter, of this time: */
	uint64_t strip_from_ns, strip_to_ns;
	unsigned int nr_parts;
	struct { unsigned int column; enum rs_cause cause; } parts[RS_MAX_PARTS];
	/* of tasks, by what they lost: the first nr_loud rows of the order lost something, the others share a
	 * line */
	uint16_t order[RS_PANEL_ROWS];
	size_t nr_loud;
	bool by_unit;             /* processes are folded into their control groups: a row is a unit */
	unsigned int nr_read;     /* of the findings that the order is by, see struct rs_pains */
};

/* ---- rows ---- */

/* Rows of tasks have pain; those of CPUs are busy or not. */
bool rs_panel_rows_are_tasks(const struct rs_panel_widget *p);
/* Returns true for the line of those that lost nothing. */
bool rs_panel_rows_is_quiet(const struct rs_panel_widget *p, size_t row);
/* The time of a row by cause; a null part counts as 0. */
struct rs_split rs_panel_rows_split(const struct rs_panel_widget *p, size_t row);
/* NULL: unknown, or the view has no such column. */
const struct rs_value *rs_panel_rows_cell(const struct rs_panel_widget *p, size_t row, const char *name);
/* A row of several processes is known by their name. */
struct rs_ink_task rs_panel_rows_ink_task(const struct rs_panel_widget *p, size_t row);
/* Orders tasks by what they lost, again when other findings have come. */
void rs_panel_rows_sort(struct rs_panel_widget *p);

/* ---- histories ---- */

void rs_panel_strips_init(struct rs_panel_widget *p);
/* Only the current interval: a time range of the past is no part of the last minute. */
void rs_panel_strips_add(struct rs_panel_widget *p, uint64_t interval);
/* Asks once for each time range, and again while a file is loaded. */
void rs_panel_strips_ask(struct rs_panel_widget *p);

/* ---- drawing ---- */

void rs_panel_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected);
void rs_panel_draw_aside(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used);
int rs_panel_draw_headings_width(struct rs_widget *widget, struct rs_canvas *c);

#endif
