/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formatter.h - formats of rows: text, json, csv; each is one file and one row of a table in printer.c
 *
 * A printer takes the rows of one view, filters, sorts and limits them by the user's
 * options, and writes them to a buffer in one format. All formats derive from the
 * view's columns; none knows an analysis.
 */
#ifndef RS_VIEW_FORMATTER_H
#define RS_VIEW_FORMATTER_H

#include "base/buf.h"
#include "base/error.h"
#include "model/quality.h"
#include "ringside/table.h"
#include "view/cell.h"

struct rs_formatter_options {
	const char *format;      /* "text", "json", "csv", "html"; of stacks "folded", "svg" */
	const char *columns;     /* --columns; NULL: text's default set, all in json and csv */
	const char *by;          /* --by: its keys are shown, whatever the view's default; NULL none */
	const char *sort;        /* -s; NULL: the view's */
	uint64_t nr_rows;        /* -n; 0 all */
	const struct rs_terms *terms; /* of options: -m, --dev; NULL all */
	const char *where;       /* --where: an expression (expression.h); NULL all */
	/*
	 * Where csv writes quantiles and data quality, as lines of text, so that the output has rows only;
	 * NULL: behind the rows, as tables of their own. Other formats have a place for them.
	 */
	struct rs_buf *aside;
	/* sort: numbers descend, and '-' reverses; otherwise '-' makes them descend */
	bool largest_first;
	/* to some tasks: a summary marks views that cover the whole machine anyway */
	bool narrowed;
	enum rs_time_mode time;
	/* added to times of rows: of another machine's clock, where several stand side by side */
	int64_t shift_ns;
	uint64_t begin_ns;       /* for RS_TIME_REL, shifted */
	int64_t realtime_offset_ns; /* for RS_TIME_WALL */
	const char *counts;      /* see rs_cell_style */
	/* .columns are those that --starts and --ends put before the default ones */
	bool has_default_columns;
	bool knows_samples;      /* and those of samples: see RS_COLUMN_OF_SAMPLES */
	bool knows_stacks;       /* and those of stacks of events: see RS_COLUMN_OF_STACKS */
	bool knows_files;        /* default columns are also those of files: see RS_COLUMN_OF_FILE */
	/*
	 * json of --view all: a _view key first; csv: the view's name before each row and before its header
	 */
	bool view_key;
	/* json: a _machine key first; csv: a cell before each row; NULL: there is one machine */
	const char *machine;
	bool no_header;          /* text, csv */
	unsigned int most_frames; /* svg: draws the widest, at most so many; 0: all that can be seen */
	unsigned int width;      /* of the terminal: text cuts the last column to it; 0: no limit */
};

/*
 * The options' strings and terms must outlive the printer. A view's default_min_ns applies
 * where no term is about its latency.
 */
struct rs_printer;

/*
 * rs_printer_new - NULL with err set (wrong usage) for an unknown format or column, or a bad expression.
 * Rows enter by rs_printer_sink(p)->row and are written to `out`, which the caller may
 * empty at any time: a stream's header at once, each of its rows as it comes.
 * If memory runs out, out->failed is set.
 */
struct rs_printer *rs_printer_new(const struct rs_view *view, const struct rs_formatter_options *opt,
				  struct rs_buf *out, struct rs_error *err);
struct rs_sink *rs_printer_sink(struct rs_printer *p);
/* Rows that passed the filter since rs_printer_new, or since it was cleared. */
uint64_t rs_printer_nr_rows(const struct rs_printer *p);
/* True once -n rows of an unsorted stream are written: no later row will be. */
bool rs_printer_full(const struct rs_printer *p);
/* Writes rows that were held back for sorting or for column widths. Call once, after the last row. */
void rs_printer_finish(struct rs_printer *p);
/*
 * Writes the footer, or the _meta line, once for all printers, which share format and buffer; nr > 0. view:
 * the name that was requested ("all").
 */
void rs_printers_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			 const struct rs_quality *quality);
void rs_printer_free(struct rs_printer *p);

/*
 * If --dev, --type or --syscall refused every row, adds a line to *warnings that says so. Call before
 * rs_printer_finish, which drops the reason.
 */
void rs_printer_explain(const struct rs_printer *p, struct rs_buf *warnings);

/* For --columns help: each column's name, heading and help; a star marks what text shows by default. */
void rs_columns_list(const struct rs_view *view, struct rs_buf *out);

struct rs_json;
/* Writes a value of that column, as rows have it. */
void rs_json_rows_put_cell(struct rs_json *j, const struct rs_column *c, struct rs_value value);
/* Writes the data quality as members of an object that is open, as the last line of --json has them. */
void rs_json_rows_put_quality(struct rs_json *j, const struct rs_quality *quality);

#endif
