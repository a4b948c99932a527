/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formatter.h - how rows are shown: text, json, csv; each is one file and one row of rs_faces
 *
 * A printer takes the rows of one view, filters, sorts and cuts them as the user
 * asked, and writes them to a buffer in one format. All the formats derive from
 * the view's columns: none knows an analysis.
 */
#ifndef RS_VIEW_FORMATTER_H
#define RS_VIEW_FORMATTER_H

#include "base/buf.h"
#include "base/error.h"
#include "model/quality.h"
#include "ringside/table.h"
#include "view/cell.h"

struct rs_formatter_options {
	const char *format;      /* "text", "json", "csv" */
	const char *columns;     /* --columns; NULL: text's default set, all in json and csv */
	const char *sort;        /* -s; NULL: the view's */
	uint64_t nr_rows;        /* -n; 0 all */
	bool min_known;
	uint64_t min_ns;         /* -m: on the column with RS_COLUMN_LATENCY */
	const char *dev, *type, *syscall; /* --dev ...: on the column of that name; NULL all */
	const char *where;       /* --where: an expression (expression.h); NULL all */
	const char *disk;        /* unused by faces */
	bool failed_only;        /* -x: rows whose errno is known */
	/*
	 * Where csv writes what is no row, as lines of text, so that its rows alone are in the output; NULL: behind
	 * the rows, as tables of their own. Other formats have a place for it.
	 */
	struct rs_buf *aside;
	bool largest_first;      /* sort: numbers the largest first, and '-' reverses; else '-' is what does that */
	bool narrowed;           /* to some tasks: a summary says which view is of the whole machine all the same */
	enum rs_time_mode time;
	uint64_t begin_ns;       /* for RS_TIME_REL */
	int64_t realtime_offset_ns; /* for RS_TIME_WALL */
	const char *counts;      /* see rs_cell_style */
	bool view_key;           /* json of --view all: a _view key first; csv: the view's name before each row and before its header */
	const char *machine;     /* json: a _machine key first; csv: a cell before each row; NULL: there is but one */
	bool no_header;          /* text, csv */
	const char *as_tool;     /* --as: headings as that tool's, where the view's table has them */
	unsigned int width;      /* of the terminal: text cuts the last column to it; 0: no limit */
};

/*
 * The options' strings must outlive the printer. -m, --dev and the like filter by
 * the columns that the view has and are ignored where it has none: which options
 * a view takes is for the caller to check. A view's default_min_ns holds without -m.
 */
struct rs_printer;

/*
 * rs_printer_new - NULL with err set (wrong usage) for an unknown format or column, or no expression.
 * Rows go in by rs_printer_sink(p)->row and come out in `out`, which the caller
 * empties when it likes: a stream's header at once, each of its rows as it comes.
 * If memory runs out, out->failed is set.
 */
struct rs_printer *rs_printer_new(const struct rs_view *view, const struct rs_formatter_options *opt,
				  struct rs_buf *out, struct rs_error *err);
struct rs_sink *rs_printer_sink(struct rs_printer *p);
/* All that passed the filter since it was made, or cleared. */
uint64_t rs_printer_nr_rows(const struct rs_printer *p);
/* True once -n rows of an unsorted stream are written: no later row will be. */
bool rs_printer_full(const struct rs_printer *p);
/* Writes what was held back for sorting or for the columns' widths. Once, after the last row. */
void rs_printer_finish(struct rs_printer *p);
/*
 * The footer, or the _meta line; one for all: view is the name of what was asked for ("all"). They share format
 * and buffer; nr > 0.
 */
void rs_printers_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			 const struct rs_quality *quality);
void rs_printer_free(struct rs_printer *p);

/*
 * Why there is no row, where --dev, --type or --syscall refused all that came: a line in *notes. Before
 * rs_printer_finish, which forgets them.
 */
void rs_printer_explain(const struct rs_printer *p, struct rs_buf *warnings);

/* For --columns help: each column's name, heading and help; a star marks what text shows by default. */
void rs_columns_list(const struct rs_view *view, struct rs_buf *out);

#endif
