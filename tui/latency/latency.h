/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency.h - shared by the latency screens: durations of spans as a histogram, as a heat map, and the
 * slowest
 */
#ifndef RS_TUI_LATENCY_H
#define RS_TUI_LATENCY_H

#include "tui/toolkit/chart.h"
#include "tui/app/question.h"
#include "tui/app/screen.h"
#include "tui/toolkit/list.h"

#define RS_LEN_LABELS 16
#define RS_LEN_TEXT 72

/* A set of spans. */
struct rs_latency_of {
	char kind[RS_LEN_TEXT];    /* "": that cost most, which the kinds that there are tell */
	char labels[RS_LEN_LABELS][RS_LEN_TEXT];
	unsigned int nr_labels;    /* 0: any */
	char name[40];             /* of kind and labels together: "run queue"; "": they say it */
	enum rs_category category; /* that such spans are time lost of; RS_CATEGORY_RUN: none, or unknown */
	/* .kind "": the kind of the wait of that time, if wait_to_ns is not 0 */
	uint64_t wait_from_ns, wait_to_ns;
	int64_t pid, tid;          /* 0: any */
	char track[40];            /* "": any */
	char owner[RS_LEN_TEXT];   /* for the breadcrumb: "postgres (4242)" */
	/* the time range while the app shows "now"; otherwise the app's time range is used: */
	uint64_t last_ns;          /* this long before now; 0: half a minute */
	uint64_t from_ns, to_ns;   /* if to_ns is not 0: this instead */
	/* if zoom_to_ns is not 0: of all that, what the user zoomed to, while the app shows zoom_time */
	uint64_t zoom_from_ns, zoom_to_ns;
	struct rs_shown_time zoom_time;
};

/* Adds labels, a comma between. */
void rs_latency_add_labels(struct rs_latency_of *of, const char *list);
/*
 * From the selected column of a view, whose kind of spans the view declares; of a wait, a finding, a process
 * or all, the kind is left open. Returns false after showing the reason.
 */
bool rs_latency_of_selection(struct rs_app *app, const struct rs_screen_selection *selection,
			     struct rs_latency_of *of);
/*
 * Likewise for the details of a row; what: "syscall read". Returns false, writing nothing, if the view
 * declares no spans or no row is selected.
 */
bool rs_latency_of_row(const struct rs_catalogue *c, const struct rs_screen_selection *selection,
		       struct rs_latency_of *of, struct rs_buf *what);
/* All waits for a CPU; leaves *of as it is if the engine has none. */
void rs_latency_of_waits(const struct rs_catalogue *c, struct rs_latency_of *of);
/* The calls of that name; leaves *of as it is if the engine has none. */
void rs_latency_of_calls(const struct rs_catalogue *c, const char *name, struct rs_latency_of *of);
/* The kind of that name; NULL: the engine has none. */
const struct rs_catalogue_kind *rs_latency_kind(const struct rs_catalogue *c, const char *name);
/* A request for these spans; its texts belong to `of`. The caller sets the time and the other members. */
struct rs_latency_question {
	struct rs_latencies_request request;
	const char *labels[RS_LEN_LABELS];
};
void rs_latency_ask(const struct rs_latency_of *of, enum rs_latencies_as as, struct rs_latency_question *q);

/* ---- the screens ---- */

#define RS_LATENCY_MAX_KINDS 64

struct rs_latency_kind {
	const struct rs_catalogue_kind *kind;
	enum rs_cause cause;     /* of its waits; 0: they are none */
	bool is_state;           /* of all that .kind has, those of .cause */
	enum rs_ink ink;         /* RS_INK_FULL: this time was lost */
	uint64_t count, ns;      /* how many, together */
};

/* First member of each screen. */
struct rs_latency_screen {
	struct rs_screen screen;   /* first */
	struct rs_latency_of of;
	struct rs_question question; /* "latencies" */
	void (*answered)(void *screen, const struct rs_reply *reply); /* of .question, for the chosen kind */
	struct rs_question kinds_question;
	bool is_former;            /* the pending ones were asked of another kind than the chosen one */
	struct rs_latency_kind kinds[RS_LATENCY_MAX_KINDS]; /* that there are, what cost most first */
	size_t nr_kinds;
	bool is_panel;             /* of another screen: says nothing, has no cursor */
	struct rs_list list;
	unsigned int filter_changes; /* of the app's filter, at the last request */
	struct rs_selection_keys given; /* the task of .of */
	uint64_t asked_ns;         /* time of the last event at the last request; 0: none */
};

enum { RS_LATENCY_KIND = 100, RS_LATENCY_SHORTER, RS_LATENCY_LONGER };

/* Keys that the histogram and the heat map share. */
#define RS_LATENCY_KEYS \
	{ { RS_KEY_TAB }, RS_LATENCY_KIND, "Kind", "the next kind of span, what cost most first" }, \
	{ { '{' }, RS_LATENCY_SHORTER, "Shorter", "live: half as much of the past", RS_KEY_RARE }, \
	{ { '}' }, RS_LATENCY_LONGER, "Longer", "live: twice as much, up to the whole window", \
	  RS_KEY_RARE }, \
	{ .help = NULL }

/* answered: called with the screen. Returns NULL without memory, after showing a message. */
void *rs_latency_screen_new(struct rs_app *app, const struct rs_screen_ops *ops, size_t bytes,
			    const struct rs_latency_of *of,
			    void (*answered)(void *screen, const struct rs_reply *reply));
void rs_latency_screen_free(struct rs_screen *s);
/* What the filter asks of these spans, see .filtered of the ops of a screen. */
const struct rs_view *rs_latency_screen_filtered(struct rs_screen *s, const struct rs_selection_keys **given);
/* Sends a request of the screen, with the filter. */
void rs_latency_screen_send(struct rs_latency_screen *s, struct rs_latencies_request *request);
/* The spans that a histogram or a heat map shows. */
const struct rs_latency_of *rs_latency_screen_of(const struct rs_screen *s);
/*
 * Asks if a new request is due. A long time range costs more and changes less, so it is requested less often:
 * the cost per second stays the same.
 */
void rs_latency_screen_ask(struct rs_latency_screen *s, enum rs_latencies_as as, unsigned int columns);
/* Handles RS_LATENCY_KEYS. Returns false for a key that the app handles. */
bool rs_latency_screen_act(struct rs_latency_screen *s, int action);
/* The kinds that Tab goes through, and how many there are of each. */
void rs_latency_screen_draw_kinds(const struct rs_latency_screen *s, struct rs_canvas *c,
				  struct rs_area line);
/* "...", or empty: what to draw without an answer, or without what it could have. */
void rs_latency_screen_draw_empty(const struct rs_latency_screen *s, struct rs_canvas *c, struct rs_area area,
				  const char *empty);
/*
 * Selects the clicked row, or the row that a key leads to; the list begins at line y. Returns false for other
 * keys.
 */
bool rs_latency_screen_key(struct rs_latency_screen *s, const struct rs_key_event *event, int y);
/* "syscall read of postgres (4242)" */
void rs_latency_title(const struct rs_latency_of *of, struct rs_buf *out);
struct rs_asked_time rs_latency_asked_time(const struct rs_app *app, const struct rs_latency_of *of);
/* Writes " of the last 30.0s" if live; otherwise nothing. */
void rs_latency_put_range(const struct rs_app *app, const struct rs_latency_of *of, struct rs_buf *out);
/* Live, doubles or halves the time range. Returns false if another time range is shown. */
bool rs_latency_lengthen(const struct rs_app *app, struct rs_latency_of *of, bool longer);
/* Is it time to ask again? Then *asked_ns is now. */
bool rs_latency_is_due(const struct rs_app *app, const struct rs_latency_of *of, uint64_t *asked_ns);
/*
 * Zooms the shown time around a moment; out of all that there is to show, the zoom ends. axis: what is shown.
 */
void rs_latency_zoom(const struct rs_app *app, struct rs_latency_of *of, const struct rs_axis *axis,
		     uint64_t at_ns, bool in);
/* Ends the zoom. Returns false if there was none. */
bool rs_latency_unzoom(struct rs_latency_of *of);
/* Live: extends the time range to cover from_ns to to_ns, as the calling screen shows. */
void rs_latency_cover(const struct rs_app *app, struct rs_latency_of *of, uint64_t from_ns, uint64_t to_ns);

struct rs_screen *rs_latency_histogram_new(struct rs_app *app, const struct rs_latency_of *of);
struct rs_screen *rs_heat_map_new(struct rs_app *app, const struct rs_latency_of *of, bool beside_histogram);
/* To be drawn and asked by another screen, which frees it by its ops. */
struct rs_screen *rs_heat_map_new_panel(struct rs_app *app, const struct rs_latency_of *of);

/* The slowest spans with min_ns <= duration < max_ns that end in a time range; to_ns 0: the shown time. */
struct rs_slowest_range {
	uint64_t min_ns, max_ns, from_ns, to_ns;
};
struct rs_screen *rs_slowest_new(struct rs_app *app, const struct rs_latency_of *of,
				 const struct rs_slowest_range *range);

/* ---- the panel: a distribution, with the slowest spans beside or below it ---- */

struct rs_latency_panel {
	struct rs_app *app;
	struct rs_latency_of of; /* kind "": no spans */
	char what[96];           /* "syscall read" */
	uint64_t from_ns, to_ns; /* of the last request; 0: all data, or the app's time */
	struct rs_question histogram, slowest;
};

void rs_latency_panel_init(struct rs_latency_panel *s, struct rs_app *app,
			   const struct rs_screen_selection *selection);
void rs_latency_panel_done(struct rs_latency_panel *s);
/* Asks for a time range; from 0 to 0: the app's time. Live, pass the range of the tables beside the panel. */
void rs_latency_panel_ask(struct rs_latency_panel *s, uint64_t from_ns, uint64_t to_ns);
/* Returns the number of lines; 0: nothing to show. */
int rs_latency_panel_lines(const struct rs_latency_panel *s, int width);
void rs_latency_panel_draw(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area);

#endif
