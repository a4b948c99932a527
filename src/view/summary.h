/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - one page that sums up views: the first rows of each, then the trust line once
 *
 *	struct rs_summary *s = rs_summary_new(&face_options, 5);
 *	struct rs_sink *sink = rs_summary_add(s, view, &err);   // for each view, in the page's order
 *	... streams: listen with that sink, run; tables, histograms: hand their rows to it ...
 *	rs_summary_write(s, &out, &trust);
 *	rs_summary_clear(s, false);          // a page that refreshes: tables are filled anew, streams go on
 *	rs_summary_free(s);
 *
 * A table shows its first rows by its own sort, a stream those of the longest
 * latency since it was cleared, a histogram its quantiles in a line. Those that have nothing are named in one line at
 * the end. Memory does not grow with the number of rows.
 */
#ifndef RS_VIEW_SUMMARY_H
#define RS_VIEW_SUMMARY_H

#include "view/formatter.h"

struct rs_summary;

/* Of the options time, its offsets, width and the filters count. NULL: no memory. */
struct rs_summary *rs_summary_new(const struct rs_formatter_options *opt, unsigned int nr_rows);
/* The sink is the summary's and lives as long. NULL: err is set. */
struct rs_sink *rs_summary_add(struct rs_summary *s, const struct rs_view *view, struct rs_error *err);
/* Why it will have nothing to show: "no block events in this recording". The text is copied. */
void rs_summary_explain(struct rs_summary *s, const struct rs_view *view, const char *why);
/* Writes the page; the rows stay. trust NULL: no trust line. out->failed: no memory, now or since. */
void rs_summary_write(struct rs_summary *s, struct rs_buf *out, const struct rs_quality *quality);
void rs_summary_clear(struct rs_summary *s, bool streams_too);
void rs_summary_free(struct rs_summary *s);

#endif
