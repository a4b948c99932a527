// SPDX-License-Identifier: GPL-2.0-or-later
/* html-view.c - the rows of views on the page: tables, bars of where time went, histograms, flame graphs */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html.h"
#include "view/html-table.h"

struct rs_html_view {
	struct rs_sink sink;     /* first */
	struct rs_html_view *next;
	const struct rs_view *view;
	struct rs_printer *table; /* NULL: a histogram, or stacks */
	struct rs_printer *flame; /* of stacks; NULL: of others */
	struct rs_rows *bars;    /* of a view with a panel of parts; NULL: of others */
	char sort[64];
	struct rs_buf text, svg, histograms;
};

static void html_view_on_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct rs_html_view *v = (struct rs_html_view *)sink;
	struct rs_printer *p = v->table ? v->table : v->flame;

	if (v->bars && !rs_rows_add(v->bars, values))
		v->text.failed = true;
	if (!p)
		return;
	rs_printer_sink(p)->row(rs_printer_sink(p), values);
	sink->least_ns = v->bars ? 0 : rs_printer_sink(p)->least_ns;
}

/* Ends of streams are not hurried: rows that are too short come no more, and are counted. */
static void html_view_take_less(struct rs_html_view *v)
{
	if (v->table)
		rs_printer_sink(v->table)->nr_less = v->sink.nr_less;
}

/* ---- histograms ---- */

static void html_view_put_quantiles(const struct rs_hist *hist, struct rs_buf *out)
{
	rs_buf_puts(out, "<p class=\"dim\">");
	rs_hist_picture_line(out, "", hist, NULL);
	rs_buf_puts(out, "</p>\n");
}

static void html_view_put_bucket(const struct rs_bucket *b, uint64_t most, struct rs_buf *out)
{
	char number[RS_UNIT_TEXT];

	rs_buf_puts(out, "<tr><td class=\"n\">");
	rs_buf_add(out, number, rs_units_put_duration(number, b->from, RS_UNIT_AUTO, -1));
	rs_buf_puts(out, " to ");
	rs_buf_add(out, number, rs_units_put_duration(number, b->to, RS_UNIT_AUTO, -1));
	rs_buf_puts(out, "</td><td class=\"n\">");
	rs_buf_add(out, number, rs_units_put_grouped(number, b->nr));
	rs_buf_puts(out, "</td><td class=\"chart\">");
	if (b->nr)
		rs_buf_printf(out, "<i style=\"width:%.1f%%\"></i>", 100.0 * (double)b->nr / (double)most);
	rs_buf_puts(out, "</td></tr>\n");
}

static void html_view_on_hist(struct rs_sink *sink, const char *label, const struct rs_hist *hist)
{
	struct rs_html_view *v = (struct rs_html_view *)sink;
	struct rs_bucket buckets[RS_MAX_BUCKETS];
	unsigned int nr = hist->nr ? rs_hist_picture_buckets(hist, 1, buckets) : 0;
	uint64_t most = 0;

	if (!nr)
		return;
	for (unsigned int i = 0; i < nr; i++)
		most = buckets[i].nr > most ? buckets[i].nr : most;
	rs_buf_puts(&v->histograms, "<div class=\"card\"><h3>");
	rs_escape_xml(&v->histograms, v->view->summary);
	rs_buf_puts(&v->histograms, *label ? ": " : "");
	rs_escape_xml(&v->histograms, label);
	rs_buf_puts(&v->histograms, "</h3>");
	html_view_put_quantiles(hist, &v->histograms);
	rs_buf_puts(&v->histograms, "<table class=\"hist\"><tbody>\n");
	for (unsigned int i = 0; i < nr; i++)
		html_view_put_bucket(&buckets[i], most, &v->histograms);
	rs_buf_puts(&v->histograms, "</tbody></table></div>\n");
}

void rs_html_views_put_histograms(struct rs_html *h, struct rs_buf *out)
{
	for (const struct rs_html_view *v = h->views; v; v = v->next) {
		rs_buf_add(out, v->histograms.data, v->histograms.len);
		out->failed |= v->histograms.failed;
	}
}

/* ---- a view ---- */

static const char *html_view_sort(struct rs_html_view *v)
{
	int latency = rs_column_of_latency(v->view);

	if (v->view->sort || latency < 0)
		return v->view->sort;
	v->sort[0] = '-';
	rs_copy(v->sort + 1, sizeof v->sort - 1, v->view->columns[latency].name);
	return v->sort;
}

static bool html_view_make_printers(struct rs_html *h, struct rs_html_view *v, struct rs_error *err)
{
	struct rs_formatter_options options = h->options;
	struct rs_stack_columns stack;

	if (v->view->kind == RS_VIEW_HIST)
		return true;
	if (rs_stack_rows_find(v->view, &stack)) {
		options.format = "svg";
		options.most_frames = RS_HTML_FRAMES;
		v->flame = rs_printer_new(v->view, &options, &v->svg, err);
		return v->flame;
	}
	options.format = "html";
	options.nr_rows = RS_HTML_ROWS;
	options.sort = html_view_sort(v);
	v->table = rs_printer_new(v->view, &options, &v->text, err);
	return v->table && rs_printer_keep(v->table);
}

static bool html_view_make_bars(struct rs_html_view *v, struct rs_error *err)
{
	const struct rs_panel *panel = v->view->panel;
	struct rs_sort sort;

	if (!panel || panel->kind != RS_PANEL_SPLIT)
		return true;
	if (rs_columns_parse_sort(v->view, panel->sort ? panel->sort : v->view->sort, &sort, err) < 0)
		return false;
	v->bars = rs_rows_new(v->view, &sort, panel->every ? 4 * RS_HTML_BARS : RS_HTML_BARS, RS_ROWS_BYTES);
	return v->bars;
}

static void html_view_free(struct rs_html_view *v)
{
	rs_printer_free(v->table);
	rs_printer_free(v->flame);
	rs_rows_free(v->bars);
	rs_buf_done(&v->text);
	rs_buf_done(&v->svg);
	rs_buf_done(&v->histograms);
	free(v);
}

struct rs_sink *rs_html_view_add(struct rs_scene *s, const struct rs_view *view)
{
	struct rs_error *err = &s->export.error;
	struct rs_html *h = rs_html_of(s);
	struct rs_html_view *v = calloc(1, sizeof *v);

	if (!v) {
		rs_fail(err, "cannot export: out of memory");
		return NULL;
	}
	*v = (struct rs_html_view){ .sink = { .row = html_view_on_row, .hist = html_view_on_hist },
				    .view = view,
				    .text = RS_BUF_INIT, .svg = RS_BUF_INIT, .histograms = RS_BUF_INIT };
	if (!html_view_make_printers(h, v, err) || !html_view_make_bars(v, err)) {
		rs_fail(err, "cannot export: out of memory");
		html_view_free(v);
		return NULL;
	}
	if (v->table)
		v->sink.least_ns = rs_printer_sink(v->table)->least_ns;
	if (v->flame) {
		v->sink.stacks = rs_printer_sink(v->flame)->stacks;
		v->sink.texts = rs_printer_sink(v->flame)->texts;
	}
	*h->views_tail = v;
	h->views_tail = &v->next;
	return &v->sink;
}

void rs_html_views_free(struct rs_html *h)
{
	for (struct rs_html_view *v = h->views, *next; v; v = next) {
		next = v->next;
		html_view_free(v);
	}
	h->views = NULL;
}

/* ---- tables ---- */

static void html_view_put_table(struct rs_html_view *v, struct rs_buf *out)
{
	uint64_t nr = rs_printer_nr_rows(v->table);
	char number[RS_UNIT_TEXT];

	rs_printer_finish(v->table);
	rs_buf_printf(out, "<details id=\"v-%s\"%s><summary><b>%s</b> ", v->view->name,
		      v->view->panel ? " open" : "", v->view->name);
	rs_escape_xml(out, v->view->summary);
	rs_buf_puts(out, " <span class=\"dim\">");
	if (nr > RS_HTML_ROWS)
		rs_buf_printf(out, "%d of ", RS_HTML_ROWS);
	rs_buf_add(out, number, rs_units_put_grouped(number, nr));
	rs_buf_printf(out, "%s</span></summary><div class=\"wide\">\n", nr == 1 ? " row" : " rows");
	rs_buf_add(out, v->text.data, v->text.len);
	rs_buf_puts(out, "</div></details>\n");
	out->failed |= v->text.failed;
}

void rs_html_views_put_tables(struct rs_html *h, struct rs_buf *out)
{
	for (struct rs_html_view *v = h->views; v; v = v->next) {
		if (!v->table)
			continue;
		html_view_take_less(v);
		if (rs_printer_nr_rows(v->table))
			html_view_put_table(v, out);
	}
}

/* ---- where time went ---- */

/* The columns that the panel names: of a row, or without values their headings. */
static void html_view_put_columns(const struct rs_html *h, const struct rs_html_view *v,
				  const struct rs_value *values, struct rs_buf *out)
{
	const struct rs_cell_style style = { h->options.time, h->options.begin_ns,
					     h->options.realtime_offset_ns, NULL };
	char name[64];

	for (const char *at = v->view->panel->columns; *at; at += strcspn(at, ","), at += *at == ',') {
		size_t room = strcspn(at, ",") + 1;
		int column;

		rs_copy(name, room < sizeof name ? room : sizeof name, at);
		column = rs_column_named(v->view, name);
		if (column >= 0 && values)
			rs_html_table_put_cell(out, &style, &v->view->columns[column], &values[column]);
		else if (column >= 0)
			rs_html_table_put_heading(out, &style, &v->view->columns[column]);
	}
}

static uint64_t html_view_part(const struct rs_html_view *v, const struct rs_part *part,
			       const struct rs_value *values)
{
	int column = rs_column_named(v->view, part->column);

	return column >= 0 && values[column].known ? values[column].u : 0;
}

static void html_view_put_bar(const struct rs_html_view *v, const struct rs_value *values, struct rs_buf *out)
{
	uint64_t whole = 0;
	char number[RS_UNIT_TEXT];

	for (const struct rs_part *part = v->view->panel->parts; part->column; part++)
		whole += html_view_part(v, part, values);
	rs_buf_puts(out, "<td class=\"split\"><div>");
	for (enum rs_cause_rank rank = RS_RANK_WORK; rank <= RS_RANK_UNKNOWN; rank++)
		for (const struct rs_part *part = v->view->panel->parts; part->column; part++) {
			uint64_t ns = html_view_part(v, part, values);

			if (!ns || rs_cause_row(part->cause)->rank != rank)
				continue;
			rs_buf_puts(out, "<i class=\"c-");
			rs_html_style_put_cause(out, part->cause);
			rs_buf_printf(out, "\" style=\"width:%.2f%%\" title=\"%s ",
				      100.0 * (double)ns / (double)whole, rs_cause_row(part->cause)->word);
			rs_buf_add(out, number, rs_units_put_duration(number, ns, RS_UNIT_AUTO, -1));
			rs_buf_printf(out, ", %.1f %%\"></i>", 100.0 * (double)ns / (double)whole);
		}
	rs_buf_puts(out, "</div></td>");
}

static void html_view_put_legend(const struct rs_html_view *v, uint64_t shown, struct rs_buf *out)
{
	rs_buf_puts(out, "<p class=\"legend\">");
	for (const struct rs_part *part = v->view->panel->parts; part->column; part++)
		if (shown >> part->cause & 1) {
			rs_buf_puts(out, "<span><i class=\"c-");
			rs_html_style_put_cause(out, part->cause);
			rs_buf_printf(out, "\"></i>%s</span>", rs_cause_row(part->cause)->word);
			shown &= ~(1ull << part->cause);
		}
	rs_buf_puts(out, "</p>\n");
}

static void html_view_put_split(const struct rs_html *h, struct rs_html_view *v, struct rs_buf *out)
{
	size_t nr = rs_rows_sort(v->bars);
	uint64_t shown = 0;

	if (!nr)
		return;
	rs_buf_printf(out, "<div class=\"card\"><h3>%s</h3><table class=\"bars rows\"><thead><tr>",
		      v->view->panel->title);
	html_view_put_columns(h, v, NULL, out);
	rs_buf_puts(out, "<td></td></tr></thead><tbody>\n"); /* a bar has no order */
	for (size_t i = 0; i < nr; i++) {
		const struct rs_value *values = rs_rows_get(v->bars, i);

		rs_buf_puts(out, "<tr>");
		html_view_put_columns(h, v, values, out);
		html_view_put_bar(v, values, out);
		rs_buf_puts(out, "</tr>\n");
		for (const struct rs_part *part = v->view->panel->parts; part->column; part++)
			shown |= (uint64_t)(html_view_part(v, part, values) > 0) << part->cause;
	}
	rs_buf_puts(out, "</tbody></table>");
	html_view_put_legend(v, shown, out);
	rs_buf_puts(out, "</div>\n");
}

/* In the order of the panels of the overview, from the top. */
void rs_html_views_put_bars(struct rs_html *h, struct rs_buf *out)
{
	unsigned int last = 0;

	for (;;) {
		struct rs_html_view *next = NULL;

		for (struct rs_html_view *v = h->views; v; v = v->next)
			if (v->bars && v->view->panel->place > last &&
			    (!next || v->view->panel->place < next->view->panel->place))
				next = v;
		if (!next)
			return;
		html_view_put_split(h, next, out);
		last = next->view->panel->place;
	}
}

/* ---- flame graphs ---- */

void rs_html_views_put_flames(struct rs_html *h, struct rs_buf *out)
{
	for (struct rs_html_view *v = h->views; v; v = v->next) {
		if (!v->flame || !rs_printer_nr_rows(v->flame))
			continue;
		rs_printer_finish(v->flame);
		rs_html_page_put_flame(out, &v->svg, v->view->summary, h->nonce);
	}
}
