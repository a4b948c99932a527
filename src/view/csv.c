// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c - RFC 4180 with a header of machine names, base units, an empty cell for null
 *
 * Lines end in a newline without the RFC's carriage return: all readers accept
 * that, while awk and cut would keep the return as part of the last cell.
 * Quantiles and data quality are written aside, as text; or else behind the rows as tables of their own, each after
 * an empty line and a header, or, if each row begins with its view's name, under the names _quantiles and _meta.
 */
#include <inttypes.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"
#include "view/quality-fields.h"

/* Machine and view, on each row and on the header: lines that begin alike form one table. */
static void begin_line(struct rs_printer *p)
{
	if (p->opt.machine) {
		rs_escape_csv(p->out, p->opt.machine);
		rs_buf_putc(p->out, ',');
	}
	if (p->opt.view_key) {
		rs_escape_csv(p->out, p->view->name);
		rs_buf_putc(p->out, ',');
	}
}

static void csv_put_header(struct rs_printer *p)
{
	if (p->opt.no_header)
		return;
	begin_line(p);
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		if (i)
			rs_buf_putc(p->out, ',');
		rs_escape_csv(p->out, p->view->columns[p->columns.at[i]].name);
	}
	rs_buf_putc(p->out, '\n');
}

static void csv_put_value(struct rs_buf *out, const struct rs_column *c, const struct rs_value *value)
{
	char number[RS_UNIT_TEXT];
	size_t len;

	if (c->type == RS_TYPE_TEXT) {
		rs_escape_csv(out, value->s);
		return;
	}
	if (c->type == RS_TYPE_MILLI)
		len = rs_units_put_milli(number, value->u);
	else if (c->flags & RS_COLUMN_SIGNED)
		len = rs_units_put_i64(number, value->i);
	else
		len = rs_units_put_u64(number, value->u);
	rs_buf_add(out, number, len);
}

static void csv_put_row(struct rs_printer *p, const struct rs_value *values)
{
	size_t start = p->out->len;

	begin_line(p);
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_value *value = &values[p->columns.at[i]];

		if (i)
			rs_buf_putc(p->out, ',');
		if (value->known)
			csv_put_value(p->out, &p->view->columns[p->columns.at[i]], value);
	}
	/* most readers skip an empty line */
	if (p->out->len == start)
		rs_buf_puts(p->out, "\"\"");
	rs_buf_putc(p->out, '\n');
}

/* ---- quantiles and data quality ---- */

static const char quantile_columns[] = "label,count,avg_ns,p50_ns,p95_ns,p99_ns,max_ns\n";

static void csv_put_quantiles(struct rs_buf *out, const char *label, const struct rs_hist *h)
{
	static const unsigned int milles[] = { 500, 950, 990 };

	rs_escape_csv(out, label);
	rs_buf_printf(out, ",%" PRIu64, h->nr);
	if (!h->nr) {
		rs_buf_puts(out, ",,,,,\n");
		return;
	}
	rs_buf_printf(out, ",%" PRIu64, (uint64_t)(h->sum / h->nr));
	for (size_t i = 0; i < sizeof milles / sizeof *milles; i++)
		rs_buf_printf(out, ",%" PRIu64, rs_hist_quantile(h, milles[i]));
	rs_buf_printf(out, ",%" PRIu64 "\n", h->max);
}

static void put_quantile_line(struct rs_buf *out, const char *label, const struct rs_hist *h, const char *counts)
{
	rs_buf_puts(out, "# ");
	if (*label) {
		rs_escape_text(out, label);
		rs_buf_puts(out, ": ");
	}
	rs_hist_picture_line(out, h, counts);
	rs_buf_putc(out, '\n');
}

static void csv_put_hist(struct rs_printer *p, const char *label, const struct rs_hist *h)
{
	if (p->opt.aside) {
		put_quantile_line(&p->quantiles, label, h, p->opt.counts);
		return;
	}
	if (p->opt.view_key) {
		rs_buf_puts(&p->quantiles, "_quantiles,");
		rs_escape_csv(&p->quantiles, p->view->name);
		rs_buf_putc(&p->quantiles, ',');
	}
	csv_put_quantiles(&p->quantiles, label, h);
}

static void csv_put_lost_by_cpu(struct rs_buf *out, const struct rs_quality *t)
{
	for (unsigned int cpu = 0; t->lost_by_cpu && cpu < t->nr_cpus; cpu++) {
		rs_buf_puts(out, cpu ? " " : "");
		if (rs_quality_lost_unknown(t, cpu))
			rs_buf_putc(out, '-');
		else
			rs_buf_printf(out, "%" PRIu64, t->lost_by_cpu[cpu]);
	}
}

static void put_key(struct rs_buf *out, bool view_key, const char *key)
{
	rs_buf_printf(out, "%s%s,", view_key ? "_meta," : "", key);
}

static void csv_put_fields(struct rs_buf *out, bool view_key, const struct rs_quality *t, const struct rs_quality_field *fields)
{
	for (const struct rs_quality_field *f = fields; f->key; f++) {
		put_key(out, view_key, f->key);
		if (f->kind == RS_QUALITY_LOST_BY_CPU)
			csv_put_lost_by_cpu(out, t);
		else if (rs_quality_is_text(f))
			rs_escape_csv(out, rs_quality_text(t, f) ? rs_quality_text(t, f) : "");
		else if (f->kind == RS_QUALITY_REALTIME && t->realtime_offset_known)
			rs_buf_printf(out, "%" PRId64, t->realtime_offset_ns);
		else if (f->kind != RS_QUALITY_REALTIME && rs_quality_is_known(t, f))
			rs_buf_printf(out, "%" PRIu64, rs_quality_number(t, f));
		rs_buf_putc(out, '\n');
	}
}

static void put_tables(struct rs_printer *const *printers, size_t nr, const char *view, const struct rs_quality *t)
{
	struct rs_buf *out = printers[0]->out;
	bool view_key = printers[0]->opt.view_key, has_header = false;
	uint64_t nr_dropped = 0;

	for (size_t i = 0; i < nr; i++) {
		nr_dropped += printers[i]->nr_dropped;
		if (printers[i]->quantiles.len && !has_header)
			rs_buf_printf(out, "%s%s", view_key ? "_quantiles,view," : "\n", quantile_columns);
		has_header |= printers[i]->quantiles.len > 0;
		rs_buf_add(out, printers[i]->quantiles.data, printers[i]->quantiles.len);
	}
	rs_buf_puts(out, view_key ? "" : "\n");
	put_key(out, view_key, "key");
	rs_buf_puts(out, "value\n");
	put_key(out, view_key, "view");
	rs_escape_csv(out, view);
	rs_buf_putc(out, '\n');
	csv_put_fields(out, view_key, t, rs_quality_source_fields);
	csv_put_fields(out, view_key, t, rs_quality_count_fields);
	put_key(out, view_key, "rows_dropped");
	rs_buf_printf(out, "%" PRIu64 "\n", nr_dropped);
}

static void csv_put_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			    const struct rs_quality *t)
{
	struct rs_buf *aside = printers[0]->opt.aside;

	if (!aside) {
		put_tables(printers, nr, view, t);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		rs_buf_add(aside, printers[i]->quantiles.data, printers[i]->quantiles.len);
		rs_quality_line_dropped(aside, printers[i]);
	}
	rs_quality_line(aside, t);
}

const struct rs_formatter rs_formatter_csv = {
	.name = "csv", .header = csv_put_header, .row = csv_put_row, .hist = csv_put_hist,
	.quality = csv_put_quality,
};
