/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printer.h - shared by printer.c and the formats only
 */
#ifndef RS_VIEW_PRINTER_H
#define RS_VIEW_PRINTER_H

#include "ringside/hist.h"
#include "view/columns.h"
#include "view/formatter.h"
#include "view/rows.h"
#include "view/stack-rows.h"
#include "view/quality-line.h"

/* A format. A callback that is NULL has nothing to do. */
struct rs_formatter {
	const char *name;
	bool has_text_columns;   /* shows the view's text_columns by default, else all */
	bool measures;           /* reads a table's rows before it writes the first */
	bool of_stacks;          /* writes rows of a view of stacks alone */
	bool takes_stacks;       /* as numbers: see struct rs_sink */
	const struct rs_formatter *picture; /* shows a histogram view without --columns */

	void (*header)(struct rs_printer *p);
	void (*measure)(struct rs_printer *p, const struct rs_value *values);
	void (*row)(struct rs_printer *p, const struct rs_value *values);
	void (*hist)(struct rs_printer *p, const char *label, const struct rs_hist *hist);
	void (*finish)(struct rs_printer *p);
	void (*quality)(struct rs_printer *const *printers, size_t nr, const char *view,
			const struct rs_quality *quality);
};

extern const struct rs_formatter rs_formatter_text, rs_formatter_json, rs_formatter_csv, rs_formatter_folded,
	rs_formatter_svg, rs_formatter_html, rs_formatter_picture;

#define RS_MAX_BUCKETS 64 /* powers of two in 64 bits */

struct rs_bucket {
	uint64_t from, to, nr;   /* [from, to) */
};

/* A picture that is collected from rows. */
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
	struct rs_rows *rows;    /* NULL: each row is written as it comes */
	uint64_t nr_written, nr_dropped;
	uint64_t nr_refused;     /* by the filter */
	char refused[64];        /* the first row that a pattern refused: "type WS", its value */
	bool has_header;
	/* .nr > 0: the header is that of an empty table, without some of these */
	struct rs_columns all_columns;
	bool group_passed;       /* of a histogram: a row of the current group passed */

	struct rs_cell_style style; /* text: of the options */
	unsigned int indent;     /* text: blanks before each line */
	int widths[RS_MAX_COLUMNS]; /* text: by the view's columns */
	struct rs_buf quantiles; /* json: objects for _meta; csv: comment lines */
	struct rs_buckets buckets;
	uint64_t nr_pictures;
	struct rs_stack_columns stack;
	struct rs_frame_tree *frames; /* svg: NULL before the first row */
	bool frames_have_time;
};

/* From now on rows are stored, as for a sorted table, until they are flushed. False: no memory. */
bool rs_printer_keep(struct rs_printer *p);
/* Drops the stored rows. */
void rs_printer_clear(struct rs_printer *p);
/* Writes the rows stored so far, in order, with the header; they stay. */
void rs_printer_flush(struct rs_printer *p);

/* ---- stacks ---- */

/* Writes the quality line aside: readers take each line of the output for a stack. */
void rs_folded_put_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			   const struct rs_quality *quality);

/* ---- text ---- */

/* "# 12 rows more ..." if memory was too small for rows. */
void rs_quality_line_dropped(struct rs_buf *out, const struct rs_printer *p);

/* ---- histograms (hist-picture.c) ---- */

/*
 * Draws a line for each bucket, bars of 40 columns, numbers divided by unit_ns. Both ends
 * are inclusive, as in bcc: "2 -> 3".
 */
void rs_hist_picture_draw(struct rs_buf *out, const char *unit_name, uint64_t unit_ns,
			  const struct rs_bucket *buckets, unsigned int nr);
/* Fills the rows of powers of two, from the first non-empty one to the last; returns how many. */
unsigned int rs_hist_picture_buckets(const struct rs_hist *hist, uint64_t unit_ns,
				     struct rs_bucket buckets[RS_MAX_BUCKETS]);

#define RS_HIST_COLUMNS 7
/*
 * A histogram in numbers: label, count, avg_ns, p50_ns ... max_ns; null but the first two where nothing was
 * counted.
 */
extern const struct rs_column rs_hist_picture_columns[];
void rs_hist_picture_values(const struct rs_hist *hist, const char *label,
			    struct rs_value values[RS_HIST_COLUMNS]);
/* "R: count 15  avg 12.3us  p50 9.88us  p95 31.2us  p99 40.1us  max 41.0us\n"; counts: see rs_cell_style */
void rs_hist_picture_line(struct rs_buf *out, const char *label, const struct rs_hist *hist,
			  const char *counts);

#endif
