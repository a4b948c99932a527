/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency.h - shared by the latency screens: durations of spans as a histogram, as a heat map, and the slowest
 */
#ifndef RS_TUI_LATENCY_H
#define RS_TUI_LATENCY_H

#include "tui/toolkit/axis.h"
#include "tui/toolkit/list.h"
#include "tui/toolkit/screens.h"

#define RS_LEN_LABELS 16
#define RS_LEN_TEXT 72

/* A set of spans. */
struct rs_latency_of {
	char kind[RS_LEN_TEXT];
	char labels[RS_LEN_LABELS][RS_LEN_TEXT];
	unsigned int nr_labels;    /* 0: any */
	int64_t pid, tid;          /* 0: any */
	char track[40];            /* "": any */
	char owner[RS_LEN_TEXT];   /* for the breadcrumb: "postgres (4242)" */
	/* the time range while the app shows "now"; otherwise the app's time range is used: */
	uint64_t last_ns;          /* this long before now; 0: half a minute */
	uint64_t from_ns, to_ns;   /* if to_ns is not 0: this instead */
};

/* From the selected row and column of a view. Returns false after showing the reason. */
bool rs_latency_of_selection(struct rs_app *app, const struct rs_screen_selection *selection,
			     struct rs_latency_of *of);
/*
 * Likewise for the details of a row; what: "syscall read". Returns false, writing nothing, if the view declares no spans
 * or no row is selected.
 */
bool rs_latency_of_row(const struct rs_catalogue *c, const struct rs_screen_selection *selection, struct rs_latency_of *of,
		       struct rs_buf *what);
/* A request for these spans; its texts belong to `of`. The caller sets the time and the other members. */
struct rs_latency_question {
	struct rs_latencies_request request;
	const char *labels[RS_LEN_LABELS];
};
void rs_latency_ask(const struct rs_latency_of *of, enum rs_latencies_as as, struct rs_latency_question *q);
/* "syscall read of postgres (4242)" */
void rs_latency_title(const struct rs_latency_of *of, struct rs_buf *out);
struct rs_asked_time rs_latency_asked_time(const struct rs_app *app, const struct rs_latency_of *of);
/* Writes " of the last 30.0s" if live; otherwise nothing. */
void rs_latency_put_range(const struct rs_app *app, const struct rs_latency_of *of, struct rs_buf *out);
/*
 * Returns true if a new request is due. asked_ns: time of the last event at the last request, 0: none; updated if
 * due. A long time range costs more and changes less, so it is requested less often: the cost per second stays the
 * same.
 */
bool rs_latency_is_due(const struct rs_app *app, const struct rs_latency_of *of, uint64_t *asked_ns);
/* Doubles or halves the live time range. Returns false if another time range is shown. */
bool rs_latency_zoom(const struct rs_app *app, struct rs_latency_of *of, bool longer);
/* Live: extends the time range to cover from_ns to to_ns, as the calling screen shows. */
void rs_latency_cover(const struct rs_app *app, struct rs_latency_of *of, uint64_t from_ns, uint64_t to_ns);
/* Switches to the next kind of span, for all tasks. Returns false if there is only one. */
bool rs_latency_next_kind(struct rs_app *app, struct rs_latency_of *of);

/* Returns NULL without memory, after showing a message. */
struct rs_screen *rs_latency_histogram_new(struct rs_app *app, const struct rs_latency_of *of);
struct rs_screen *rs_heat_map_new(struct rs_app *app, const struct rs_latency_of *of, bool beside_histogram);

/* The slowest spans with min_ns <= duration < max_ns that end in a time range; to_ns 0: the shown time. */
struct rs_slowest_range {
	uint64_t min_ns, max_ns, from_ns, to_ns;
};
struct rs_screen *rs_slowest_new(struct rs_app *app, const struct rs_latency_of *of,
				 const struct rs_slowest_range *range);

#endif
