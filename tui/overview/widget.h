/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widget.h - a part of the overview: asks one question, keeps the answer, draws it in a few lines
 *
 * A block has a title line and, under it, lines that can be selected. It wants as many as it has, and gets what there is room for.
 */
#ifndef RS_TUI_WIDGET_H
#define RS_TUI_WIDGET_H

#include "tui/toolkit/screens.h"

struct rs_widget;

struct rs_widget_ops {
	void (*ask)(struct rs_widget *widget);
	size_t (*nr_rows)(struct rs_widget *widget);   /* that it has to show; 0: it is left out */
	uint64_t (*nr_all)(struct rs_widget *widget);  /* and that there are; NULL: the same */
	/* The lines under the title, area.height of them; selected: a row, -1 none. */
	void (*draw)(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected);
	/* What follows the title, used columns wide, in its line. May be NULL */
	void (*aside)(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used);
	/* Columns of that line that nothing may take from it: headings. May be NULL */
	int (*headings_width)(struct rs_widget *widget, struct rs_canvas *c);
	/* What a row is about; false: nothing that can be opened. May be NULL */
	bool (*selection)(struct rs_widget *widget, size_t row, struct rs_screen_selection *out);
	/* Names a row however it moves, so that the selection follows it; NULL: the selection stays where it is. */
	uint64_t (*identity)(struct rs_widget *widget, size_t row);
	/* Enter; NULL: all about the subject. */
	struct rs_screen *(*open)(struct rs_widget *widget, size_t row);
	/* Of a panel: do its rows say anything? Bars of no length, or of unknown alone, do not. NULL: it is no panel */
	bool (*has_data)(struct rs_widget *widget);
	void (*help)(struct rs_widget *widget, struct rs_buf *out); /* lines: what is in it. May be NULL */
	void (*free)(struct rs_widget *widget);        /* NULL: free() does */
};

/* First in what each block keeps. */
struct rs_widget {
	const struct rs_widget_ops *ops;
	struct rs_app *app;
	struct rs_tui_machine *machine; /* whose engine it asks */
	const char *title;
	bool asked;               /* and not answered */
	bool answered;            /* once, at least */
	bool otherwise;           /* shown only where no panel has anything, see has_data */
	uint64_t from_ns, to_ns;  /* the time that the answer covers; 0, 0: its title says it */
	unsigned int place;       /* blocks come in this order */
	bool left, wide;          /* of two columns; else right; over both */
	size_t least, most;       /* rows: what it is not shown without; what it is given at most, 0 all */
};

/* NULL: no memory. */
struct rs_widget *rs_widget_rates_new(struct rs_tui_machine *machine);
struct rs_widget *rs_widget_findings_new(struct rs_tui_machine *machine);
struct rs_widget *rs_widget_in_flight_new(struct rs_tui_machine *machine);
struct rs_widget *rs_widget_slowest_new(struct rs_tui_machine *machine);
struct rs_widget *rs_widget_panel_new(struct rs_tui_machine *machine, const struct rs_catalogue_view *view);

/* Asks, once at a time; answers come to reply with the widget. */
void rs_widget_ask(struct rs_widget *widget, const char *op, const void *request, rs_client_reply *reply);
/* The answer's message; NULL: it was refused. */
const void *rs_widget_answered(struct rs_widget *widget, const struct rs_reply *reply);
void rs_widget_note_time(struct rs_widget *widget, struct rs_value from_ns, struct rs_value to_ns); /* that the answer covers */
/*
 * Words of a row, in this order; where they do not fit the least important go first, and what is left is cut with a mark:
 * at its end, or before its last part. worth 0: it stays to the last.
 */
struct rs_widget_word {
	const char *text;
	enum rs_style_id style_id;
	int worth, least;         /* least: columns that it is padded to */
	int need;                 /* columns of it that say the most: for more than these no other word goes; 0: all */
	const char *last;         /* a part of text, to its end, that is whole where all before it is cut; NULL: none */
};
void rs_widget_put_words(struct rs_canvas *c, struct rs_area line, struct rs_widget_word *words, size_t nr);
const char *rs_widget_text(const char *text); /* "-" where there is none */

#endif
