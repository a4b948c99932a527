// SPDX-License-Identifier: GPL-2.0-or-later
/* summary - one page for many views: the first rows of each, then the quality line once */
#include "view/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "view/printer.h"

#define INDENT 2

/* One view on the page. Histograms become lines at once, rows wait in the printer. */
struct block {
	struct rs_sink sink;         /* first; used for a histogram, else the printer's sink takes the rows */
	struct rs_summary *page;
	const struct rs_view *view;
	struct rs_printer *printer;
	char sort[64];
	struct rs_buf scratch;       /* the printer's output between two pages: only its failure matters */
	struct rs_buf lines;
	uint64_t nr_lines;
	char *why;
	struct block *next;
};

struct rs_summary {
	struct rs_formatter_options opt;
	struct block *first, **tail;
};

struct rs_summary *rs_summary_new(const struct rs_formatter_options *opt, unsigned int nr_rows)
{
	struct rs_summary *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->opt = *opt;
	s->opt.format = "text";
	s->opt.columns = s->opt.sort = NULL;
	s->opt.view_key = s->opt.no_header = false;
	s->opt.largest_first = false; /* sort orders here come from views, not from the user */
	s->opt.nr_rows = nr_rows;
	s->tail = &s->first;
	return s;
}

/* Rows of a histogram are ignored: on_hist gets the whole histogram. */
static void ignore_row(struct rs_sink *sink, const struct rs_value *values)
{
}

static void summary_on_hist(struct rs_sink *sink, const char *label, const struct rs_hist *hist)
{
	struct block *b = (struct block *)sink;

	if (b->nr_lines++ >= b->page->opt.nr_rows || (!hist->nr && !*label))
		return;
	rs_buf_pad(&b->lines, ' ', INDENT);
	rs_hist_picture_line(&b->lines, label, hist, b->page->opt.counts);
}

/* The sort order of a page: the view's own, else the longest first. */
static const char *sort_of(struct block *b)
{
	int latency = rs_column_of_latency(b->view);

	if (b->view->sort || latency < 0)
		return b->view->sort;
	b->sort[0] = '-';
	b->sort[1] = '\0';
	strncat(b->sort, b->view->columns[latency].name, sizeof b->sort - 2);
	return b->sort;
}

static void summary_free_block(struct block *b)
{
	rs_printer_free(b->printer);
	rs_buf_done(&b->scratch);
	rs_buf_done(&b->lines);
	free(b->why);
	free(b);
}

struct rs_sink *rs_summary_add(struct rs_summary *s, const struct rs_view *view, struct rs_error *err)
{
	struct block *b = calloc(1, sizeof *b);
	struct rs_formatter_options opt = s->opt;

	if (!b) {
		rs_fail(err, "%s: out of memory", view->name);
		return NULL;
	}
	b->sink = (struct rs_sink){ .row = ignore_row, .hist = summary_on_hist };
	b->page = s;
	b->view = view;
	b->scratch = b->lines = (struct rs_buf)RS_BUF_INIT;
	opt.sort = sort_of(b);
	b->printer = rs_printer_new(view, &opt, &b->scratch, err);
	if (!b->printer || !rs_printer_keep(b->printer)) {
		rs_fail(err, "%s: out of memory", view->name);
		summary_free_block(b);
		return NULL;
	}
	rs_buf_clear(&b->scratch);
	b->printer->indent = INDENT;
	*s->tail = b;
	s->tail = &b->next;
	return view->kind == RS_VIEW_HIST ? &b->sink : rs_printer_sink(b->printer);
}

void rs_summary_explain(struct rs_summary *s, const struct rs_view *view, const char *why)
{
	for (struct block *b = s->first; b; b = b->next) {
		if (b->view != view)
			continue;
		free(b->why);
		b->why = strdup(why);
	}
}

/* ---- the page ---- */

/* "sched: each task ... (5 of 37, -delay_total_ns)" */
static void summary_put_title(const struct block *b, struct rs_buf *out)
{
	uint64_t limit = b->page->opt.nr_rows, nr = b->nr_lines;
	char text[RS_UNIT_TEXT];

	if (b->printer->rows)
		nr = rs_printer_nr_rows(b->printer);
	rs_buf_printf(out, "%s: %s", b->view->name, b->view->summary);
	if (limit && nr > limit) {
		rs_buf_puts(out, " (");
		rs_buf_add(out, text, rs_units_put_grouped(text, limit));
		rs_buf_puts(out, " of ");
		rs_buf_add(out, text, rs_units_put_grouped(text, nr));
		if (b->printer->opt.sort)
			rs_buf_printf(out, " by %s", b->printer->opt.sort);
		rs_buf_putc(out, ')');
	}
	if (b->page->opt.narrowed && b->view->machine_wide)
		rs_buf_printf(out, " (whole machine: %s)", b->view->machine_wide);
	rs_buf_putc(out, '\n');
}

static bool has_rows(const struct block *b)
{
	return !b->why && (b->lines.len || (b->printer->rows && rs_rows_nr_added(b->printer->rows)));
}

static void put_block(struct block *b, struct rs_buf *out)
{
	struct rs_printer *p = b->printer;

	summary_put_title(b, out);
	if (b->lines.len) {
		rs_buf_add(out, b->lines.data, b->lines.len);
	} else {
		p->out = out;
		p->has_header = false;
		memset(p->widths, 0, sizeof p->widths);
		rs_printer_flush(p);
		p->out = &b->scratch;
	}
	rs_buf_putc(out, '\n');
	out->failed |= b->scratch.failed || b->lines.failed;
}

/* "none seen: cpus, disks (each by itself says what it needs)", in one line for all that have nothing. */
static void put_empty(const struct rs_summary *s, struct rs_buf *out)
{
	bool any = false, needs = false;

	for (const struct block *b = s->first; b; b = b->next) {
		if (has_rows(b))
			continue;
		rs_buf_printf(out, "%s%s", any ? ", " : "none seen: ", b->view->name);
		any = true;
		needs |= b->why != NULL;
	}
	if (any)
		rs_buf_puts(out, needs ? " (each by itself says what it needs)\n\n" : "\n\n");
}

void rs_summary_write(struct rs_summary *s, struct rs_buf *out, const struct rs_quality *quality)
{
	for (struct block *b = s->first; b; b = b->next)
		if (has_rows(b))
			put_block(b, out);
	put_empty(s, out);
	if (quality)
		rs_quality_line(out, quality);
}

void rs_summary_clear(struct rs_summary *s, bool streams_too)
{
	for (struct block *b = s->first; b; b = b->next) {
		if (b->view->kind == RS_VIEW_STREAM && !streams_too)
			continue;
		rs_printer_clear(b->printer);
		rs_buf_clear(&b->lines);
		b->nr_lines = 0;
	}
}

void rs_summary_free(struct rs_summary *s)
{
	struct block *next;

	if (!s)
		return;
	for (struct block *b = s->first; b; b = next) {
		next = b->next;
		summary_free_block(b);
	}
	free(s);
}
