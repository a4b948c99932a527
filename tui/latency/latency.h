/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency.h - what the files of these screens share: how long spans were, as a histogram, over time, and the longest
 */
#ifndef RS_TUI_LATENCY_H
#define RS_TUI_LATENCY_H

#include "tui/toolkit/axis.h"
#include "tui/toolkit/list.h"
#include "tui/toolkit/screens.h"

#define RS_LEN_LABELS 16
#define RS_LEN_TEXT 72

/* Which spans. */
struct rs_latency_of {
	char kind[RS_LEN_TEXT];
	char labels[RS_LEN_LABELS][RS_LEN_TEXT];
	unsigned int nr_labels;    /* 0: any */
	int64_t pid, tid;          /* 0: any */
	char track[40];            /* "": any */
	char owner[RS_LEN_TEXT];   /* for the breadcrumb: "postgres (4242)" */
	/* which time, where live now is shown, else it is the time that all screens show: */
	uint64_t last_ns;          /* the last so much; 0 half a minute */
	uint64_t from_ns, to_ns;   /* to_ns not 0: this instead */
};

/* From a view's selected row and column; false: it said why not. */
bool rs_latency_of_selection(struct rs_app *app, const struct rs_screen_selection *selection,
			     struct rs_latency_of *of);
/* A request for them, owner texts are those of `of`; time and the rest are the caller's to set. */
struct rs_latency_question {
	struct rs_latencies_request request;
	const char *labels[RS_LEN_LABELS];
};
void rs_latency_ask(const struct rs_latency_of *of, enum rs_latencies_as as, struct rs_latency_question *q);
/* "syscall read of postgres (4242)" */
void rs_latency_title(const struct rs_latency_of *of, struct rs_buf *out);
struct rs_asked_time rs_latency_asked_time(const struct rs_app *app, const struct rs_latency_of *of);
/* How much of the past, live: " of the last 30.0s"; else nothing. */
void rs_latency_put_range(const struct rs_app *app, const struct rs_latency_of *of, struct rs_buf *out);
/*
 * Is it worth asking again? asked_ns: the last event's time when it was asked last, 0 not yet; becomes that of now. A
 * picture of hours costs more, and changes less: all cost the same over time.
 */
bool rs_latency_is_due(const struct rs_app *app, const struct rs_latency_of *of, uint64_t *asked_ns);
/* Twice or half as much of the past. False: live now is not shown, it is not this that says how much. */
bool rs_latency_zoom(const struct rs_app *app, struct rs_latency_of *of, bool longer);
/* Live, from a screen that shows from_ns to to_ns: of no less than that. */
void rs_latency_cover(const struct rs_app *app, struct rs_latency_of *of, uint64_t from_ns, uint64_t to_ns);
/* The next kind that there is, of all tasks: false where there is one alone. */
bool rs_latency_next_kind(struct rs_app *app, struct rs_latency_of *of);

/* NULL: no memory, which was said. */
struct rs_screen *rs_latency_histogram_new(struct rs_app *app, const struct rs_latency_of *of);
struct rs_screen *rs_heat_map_new(struct rs_app *app, const struct rs_latency_of *of, bool beside_histogram);

/* The longest within min_ns <= length < max_ns, that ended within a time; to_ns 0: the time that is shown. */
struct rs_slowest_range {
	uint64_t min_ns, max_ns, from_ns, to_ns;
};
struct rs_screen *rs_slowest_new(struct rs_app *app, const struct rs_latency_of *of,
				 const struct rs_slowest_range *range);

#endif
