/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printer.h - what face.c and the formats share; nobody else includes it
 */
#ifndef RS_VIEW_PRINTER_H
#define RS_VIEW_PRINTER_H

#include "ringside/hist.h"
#include "view/columns.h"
#include "view/formatter.h"
#include "view/rows.h"
#include "view/quality-line.h"

/* A format. A callback that is NULL has nothing to do. */
struct rs_formatter {
	const char *name;
	bool has_text_columns;   /* shows the view's text_columns unless told, else all */
	bool measures;           /* wants to see a table's rows before the first is written */
	const struct rs_formatter *picture; /* shows a histogram view that --columns was not given for */

	void (*header)(struct rs_printer *p);
	void (*measure)(struct rs_printer *p, const struct rs_value *values);
	void (*row)(struct rs_printer *p, const struct rs_value *values);
	void (*hist)(struct rs_printer *p, const char *label, const struct rs_hist *hist);
	void (*finish)(struct rs_printer *p);
	void (*quality)(struct rs_printer *const *printers, size_t nr, const char *view,
			const struct rs_quality *quality);
};

extern const struct rs_formatter rs_formatter_text, rs_formatter_json, rs_formatter_csv, rs_formatter_picture;

#define RS_MAX_BUCKETS 64 /* powers of two in 64 bits */

struct rs_bucket {
	uint64_t from, to, nr;   /* [from, to) */
};

/* One picture that is being gathered from rows. */
struct rs_buckets {
	unsigned int nr;
	struct rs_bucket at[RS_MAX_BUCKETS];
};

struct rs_printer {
	struct rs_sink sink;     /* first */
	const struct rs_view *view;
	const struct rs_formatter *formatter;
	struct rs_formatter_options opt;
	struct rs_buf *out;
	struct rs_columns columns;
	struct rs_filter filter;
	int latency;             /* its column; -1 none */
	struct rs_rows *rows;    /* NULL: each is written as it comes */
	uint64_t nr_written, nr_dropped;
	uint64_t nr_refused;     /* by the filter */
	char refused[64];        /* the first that a pattern refused: "type WS", what it has there */
	bool has_header;
	bool group_passed;       /* of a histogram: a row of the group at hand did */

	unsigned int indent;     /* text: blanks before each line */
	int widths[RS_MAX_COLUMNS]; /* text: by the view's columns */
	struct rs_buf quantiles; /* json: objects for _meta; csv: comment lines */
	struct rs_buckets buckets;
	uint64_t nr_pictures;
};

/* From now on rows wait, as those of a sorted table do, until they are flushed. False: no memory. */
bool rs_printer_keep(struct rs_printer *p);
/* Forgets the rows that it keeps. */
void rs_printer_clear(struct rs_printer *p);
/* The rows kept so far, in order, with the header; they stay. */
void rs_printer_flush(struct rs_printer *p);

/* ---- text ---- */

/* "# 12 rows more ..." where rows had no room in memory. */
void rs_quality_line_dropped(struct rs_buf *out, const struct rs_printer *p);

/* ---- histograms (histogram.c) ---- */

/*
 * The picture: a line for each bucket, bars of 40 columns, numbers divided by
 * unit_ns. Ends are shown as people know them, both inclusive: "2 -> 3".
 */
void rs_hist_picture_draw(struct rs_buf *out, const char *unit_name, uint64_t unit_ns,
			  const struct rs_bucket *buckets, unsigned int nr);
/* The powers of two of a unit, from the first that is not empty to the last; returns how many. */
unsigned int rs_hist_picture_buckets(const struct rs_hist *hist, uint64_t unit_ns,
				     struct rs_bucket buckets[RS_MAX_BUCKETS]);
/* "count 15  avg 12.3us  p50 9.88us  p95 31.2us  p99 40.1us  max 41.0us"; of nothing "count 0  avg -  ..."; counts: see rs_cell_style */
void rs_hist_picture_line(struct rs_buf *out, const struct rs_hist *hist, const char *counts);

#endif
