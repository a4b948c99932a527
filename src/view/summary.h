/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - one page for many views: the first rows of each, then the quality line once
 *
 *	struct rs_summary *s = rs_summary_new(&options, 5);
 *	struct rs_sink *sink = rs_summary_add(s, view, &err);   // for each view, in the page's order
 *	... streams: subscribe with that sink, run; tables, histograms: pass their rows to it ...
 *	rs_summary_write(s, &out, &quality);
 *	rs_summary_clear(s, false);          // for a refresh: tables are filled again, streams continue
 *	rs_summary_free(s);
 *
 * A table shows its first rows in its own order, a stream the rows of the longest latency since it was
 * cleared, a histogram its quantiles in one line. Views without rows are named in one line at the end. Memory
 * does not grow with the number of rows.
 */
#ifndef RS_VIEW_SUMMARY_H
#define RS_VIEW_SUMMARY_H

#include "view/formatter.h"

struct rs_summary;

/* Uses time, its offsets, width and the filters of the options. NULL: no memory. */
struct rs_summary *rs_summary_new(const struct rs_formatter_options *opt, unsigned int nr_rows);
/* The sink belongs to the summary and lives as long. NULL: err is set. */
struct rs_sink *rs_summary_add(struct rs_summary *s, const struct rs_view *view, struct rs_error *err);
/* The reason why a view will be empty: "no block events in this recording". The text is copied. */
void rs_summary_explain(struct rs_summary *s, const struct rs_view *view, const char *why);
/*
 * Writes the page; the rows stay. quality NULL: no quality line. out->failed: out of memory, now or before.
 */
void rs_summary_write(struct rs_summary *s, struct rs_buf *out, const struct rs_quality *quality);
void rs_summary_clear(struct rs_summary *s, bool streams_too);
void rs_summary_free(struct rs_summary *s);

#endif
