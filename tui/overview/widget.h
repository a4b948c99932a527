/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widget.h - a part of the overview: sends one request, keeps the answer, draws it in a few lines
 *
 * A widget has a title line and, below it, lines that can be selected. It asks for as many lines as it has
 * rows, and gets what fits.
 */
#ifndef RS_TUI_WIDGET_H
#define RS_TUI_WIDGET_H

#include "tui/app/question.h"
#include "tui/app/screen.h"

struct rs_widget;

struct rs_widget_ops {
	void (*ask)(struct rs_widget *widget);
	/* Sets .nr_rows from an answer, which was 0 before. */
	void (*answered)(struct rs_widget *widget, const void *message);
	/*
	 * Before each drawing: chooses and sorts the rows again, for findings may have come since that say of
	 * others that they cost. May be NULL.
	 */
	void (*choose)(struct rs_widget *widget);
	uint64_t (*nr_all)(struct rs_widget *widget);  /* rows that exist; NULL: .nr_rows */
	/* Draws a line below the title; NULL: .draw draws area.height of them. selected: a row; -1: none. */
	void (*draw_row)(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row);
	void (*draw)(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected);
	/* Draws what follows the title on its line; the title took `used` columns. May be NULL. */
	void (*aside)(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used);
	/* Returns the columns of the title line that headings need. May be NULL. */
	int (*headings_width)(struct rs_widget *widget, struct rs_canvas *c);
	/* Returns the selection of a row; false: it cannot be opened. May be NULL. */
	bool (*selection)(struct rs_widget *widget, size_t row, struct rs_screen_selection *out);
	/*
	 * Identifies a row, so that the selection follows it when it moves; NULL: the selection stays on its
	 * line.
	 */
	uint64_t (*identity)(struct rs_widget *widget, size_t row);
	/* Moves the selection within the row; false: there is nothing more in this direction. May be NULL. */
	bool (*step)(struct rs_widget *widget, size_t row, int by);
	/* Opens the screen for Enter; NULL: the details of the selection. */
	struct rs_screen *(*open)(struct rs_widget *widget, size_t row);
	/*
	 * Folds its rows into those of control groups, or unfolds them: the next answer has them. Returns
	 * false if they are none that fold. May be NULL.
	 */
	bool (*fold)(struct rs_widget *widget, bool into_units);
	/* Writes a row as Markdown; false: it has no text of its own. May be NULL. */
	bool (*copy)(struct rs_widget *widget, size_t row, struct rs_buf *out);
	/*
	 * For a panel: returns true if its rows have data. Bars of length 0, or only of unknown time, do not
	 * count. NULL: not a panel.
	 */
	bool (*has_data)(struct rs_widget *widget);
	const char *help_text;       /* lines for the help; NULL: .help writes them */
	void (*help)(struct rs_widget *widget, struct rs_buf *out); /* writes the help lines. May be NULL */
	void (*free)(struct rs_widget *widget);        /* frees what belongs to it. May be NULL */
};

/* First member of each widget. */
struct rs_widget {
	const struct rs_widget_ops *ops;
	struct rs_app *app;
	struct rs_tui_machine *machine; /* the machine whose engine it asks */
	const char *title;
	struct rs_question question;
	bool answered;            /* at least once, or refused */
	size_t nr_rows;           /* rows to show; 0: hides the widget */
	bool otherwise;           /* shown only if no panel has data, see has_data */
	uint64_t from_ns, to_ns;  /* the time range of the answer; 0, 0: the title tells it */
	unsigned int place;       /* widgets are sorted by this */
	bool whole;               /* its rows are selected as one */
	bool left, wide;          /* with two columns: in the left one; across both */
	int width;                /* of its rows on the screen */
	size_t least, most;       /* rows: least: minimum to be shown; most: maximum, 0: no limit */
};

/* Copies `as` to the begin of a zeroed struct of so many bytes. NULL: no memory. */
void *rs_widget_new(struct rs_tui_machine *machine, size_t bytes, const struct rs_widget *as);
void rs_widget_free(struct rs_widget *widget);
/* Writes a row as Markdown; false: nothing, it has no text of its own. */
bool rs_widget_copy(struct rs_widget *widget, size_t row, struct rs_buf *out);
struct rs_widget *rs_widget_rates_new(struct rs_tui_machine *machine);
/*
 * slowest: the widget of the same machine whose longest span it names where there is no finding; NULL: none.
 * incidents: likewise, what comes at regular times is its first row; NULL: of a file
 */
struct rs_widget *rs_widget_findings_new(struct rs_tui_machine *machine, const struct rs_widget *slowest,
					 const struct rs_widget *incidents);
/* Returns the n-th finding, the worst first; NULL: no more. */
const struct rs_wire_finding *rs_widget_finding(const struct rs_widget *widget, size_t n);
/* Live, what the last minute had, and the last second has not. */
struct rs_widget *rs_widget_incidents_new(struct rs_tui_machine *machine);
/*
 * Returns what comes at regular times, of the last minute, and the time up to which that is known; NULL:
 * nothing does.
 */
const struct rs_wire_incident *rs_widget_incidents_regular(const struct rs_widget *incidents,
							   uint64_t *now_ns);
struct rs_widget *rs_widget_in_flight_new(struct rs_tui_machine *machine);
struct rs_widget *rs_widget_slowest_new(struct rs_tui_machine *machine);
/* Returns the longest that the widget of the slowest shows; NULL: none. */
const struct rs_wire_span *rs_widget_slowest_span(const struct rs_widget *slowest);
/* findings: the widget whose worst finding it follows */
struct rs_widget *rs_widget_heat_new(struct rs_tui_machine *machine, const struct rs_widget *findings);
struct rs_widget *rs_widget_panel_new(struct rs_tui_machine *machine, const struct rs_catalogue_view *view);

/* Selects a task; comm NULL: unknown. Returns false if it has no number. */
bool rs_widget_select_task(struct rs_screen_selection *out, const char *comm, int64_t pid, int64_t tid);
/* the time range of the answer */
void rs_widget_note_time(struct rs_widget *widget, struct rs_value from_ns, struct rs_value to_ns);
/*
 * The words of a row, in order. If they do not fit, the least important are dropped first; then one is cut
 * with a mark, at its end or before its last part. worth 0: never dropped.
 */
struct rs_widget_word {
	const char *text;
	enum rs_style_id style_id;
	int worth, least;         /* least: pads it to this many columns */
	/* its most important columns: other words are dropped to keep these; 0: all */
	int need;
	/* the tail of the text that is kept if the text before it is cut; NULL: none */
	const char *last;
};
void rs_widget_put_words(struct rs_canvas *c, struct rs_area line, struct rs_widget_word *words, size_t nr);

#endif
