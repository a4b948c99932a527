/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * panel.h - what a screen may make of a view's columns: a panel of the overview, a histogram, a heat map
 *
 *	static const struct rs_part parts[] = {       // of each row a bar
 *		{ "run_ns", RS_CAUSE_RUN }, { "idle_ns", RS_CAUSE_IDLE }, { 0 },
 *	};
 *	static const struct rs_panel panel = { .kind = RS_PANEL_SPLIT, .title = "CPUs",
 *					       .columns = "cpu,runq_avg", .parts = parts, .place = 10 };
 *	static const struct rs_latencies lengths[] = {
 *		{ "avg_ns,p99_ns,max_ns", .kind = "syscall", .label_column = "syscall" }, { 0 },
 *	};
 *
 * From these follow the overview and what a screen opens from a latency: no screen names a view.
 */
#ifndef RINGSIDE_PANEL_H
#define RINGSIDE_PANEL_H

#include <stdbool.h>

#include "cause.h"

#define RS_MAX_PARTS 16

/* A column of durations that is a part of its row's whole. */
struct rs_part {
	const char *column;
	enum rs_cause cause;
};

enum rs_panel_kind {
	RS_PANEL_SPLIT = 1, /* a bar for each row: the parts, which sum to the row's whole */
	RS_PANEL_TABLE,     /* the first rows of some columns */
};

/* What the overview shows of a view. */
struct rs_panel {
	enum rs_panel_kind kind;
	const char *title;             /* "CPUs" */
	const char *columns;           /* beside the bar, or of the table: "comm,pid" */
	/* SPLIT: drawn by the causes' rank; ends with a NULL column; a null value is no part */
	const struct rs_part *parts;
	const char *sort;              /* which rows come first, as a view's .sort; NULL: the view's */
	unsigned int place;            /* the panels of all views in this order, from the top: 1, 2, ... */
	/*
	 * Columns: rows of one name that were there for less than half of the time are one row (true x312);
	 * NULL: none are
	 */
	const char *fold_by, *fold_lifetime;
	bool every;                    /* every row is wanted (CPUs), else the first few */
	bool otherwise;                /* shown only where no other panel has anything */
};

/*
 * Which spans (span.h) columns of a view are the lengths of: what a histogram, a heat map or the slowest are
 * taken from. In a row kind and labels may come from columns. The first row of .latencies is also that of
 * columns named in none.
 */
struct rs_latencies {
	const char *columns;           /* "avg_ns,p99_ns,max_ns": of RS_TYPE_DURATION */
	const char *kind;              /* of span, of any analysis: "syscall" */
	const char *kind_column;       /* or the column that says which: then kind is NULL */
	/* of the label that the row has there; NULL, or null there: of those below */
	const char *label_column;
	const char *labels;            /* of these labels alone: "delay,preempted"; NULL any */
	/* of the track that the row is about (a device), where it is no task's */
	const char *track_column;
};

#endif
