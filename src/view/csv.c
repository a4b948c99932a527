// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c - RFC 4180 with a header of machine names, base units, an empty cell for null
 *
 * Lines end in a newline without the RFC's carriage return: all readers accept that, while awk and cut would
 * keep the return as part of the last cell. Quantiles and data quality are written aside, as text; or else
 * behind the rows as tables of their own, each after an empty line and a header, or, if each row begins with
 * its view's name, under the names _quantiles and _meta.
 */
#include <inttypes.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

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
		rs_buf_puts(p->out, i ? "," : "");
		rs_escape_csv(p->out, p->view->columns[p->columns.at[i]].name);
	}
	rs_buf_putc(p->out, '\n');
}

static void csv_put_value(struct rs_buf *out, const struct rs_column *c, struct rs_value value)
{
	char number[RS_UNIT_TEXT];
	size_t len;

	if (!value.known)
		return;
	if (c->type == RS_TYPE_TEXT) {
		rs_escape_csv(out, value.s);
		return;
	}
	if (c->type == RS_TYPE_MILLI)
		len = rs_units_put_milli(number, value.u);
	else if (c->flags & RS_COLUMN_SIGNED)
		len = rs_units_put_i64(number, value.i);
	else
		len = rs_units_put_u64(number, value.u);
	rs_buf_add(out, number, len);
}

static void csv_put_row(struct rs_printer *p, const struct rs_value *values)
{
	size_t start = p->out->len;

	begin_line(p);
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		if (i)
			rs_buf_putc(p->out, ',');
		csv_put_value(p->out, &p->view->columns[p->columns.at[i]], values[p->columns.at[i]]);
	}
	/* most readers skip an empty line */
	if (p->out->len == start)
		rs_buf_puts(p->out, "\"\"");
	rs_buf_putc(p->out, '\n');
}

/* ---- quantiles and data quality ---- */

/* Aside as a line of text; else a row of a table that is written behind the rows. */
static void csv_put_hist(struct rs_printer *p, const char *label, const struct rs_hist *h)
{
	struct rs_value values[RS_HIST_COLUMNS];

	if (p->opt.aside) {
		rs_buf_puts(&p->quantiles, "# ");
		rs_hist_picture_line(&p->quantiles, label, h, p->opt.counts);
		return;
	}
	if (p->opt.view_key) {
		rs_buf_puts(&p->quantiles, "_quantiles,");
		rs_escape_csv(&p->quantiles, p->view->name);
		rs_buf_putc(&p->quantiles, ',');
	}
	rs_hist_picture_values(h, label, values);
	for (unsigned int i = 0; i < RS_HIST_COLUMNS; i++) {
		rs_buf_puts(&p->quantiles, i ? "," : "");
		csv_put_value(&p->quantiles, &rs_hist_picture_columns[i], values[i]);
	}
	rs_buf_putc(&p->quantiles, '\n');
}

static void put_quantiles(struct rs_printer *const *printers, size_t nr)
{
	struct rs_buf *out = printers[0]->out;
	bool has_header = false;

	for (size_t i = 0; i < nr; i++) {
		if (printers[i]->quantiles.len && !has_header) {
			rs_buf_puts(out, printers[0]->opt.view_key ? "_quantiles,view" : "\n");
			for (const struct rs_column *c = rs_hist_picture_columns; c->name; c++)
				rs_buf_printf(out, "%s%s",
					      c > rs_hist_picture_columns || printers[0]->opt.view_key ? "," :
													 "",
					      c->name);
			rs_buf_putc(out, '\n');
			has_header = true;
		}
		rs_buf_add(out, printers[i]->quantiles.data, printers[i]->quantiles.len);
	}
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

static void put_tables(struct rs_printer *const *printers, size_t nr, const char *view,
		       const struct rs_quality *t)
{
	struct rs_buf *out = printers[0]->out;
	const char *begin = printers[0]->opt.view_key ? "_meta," : "";
	uint64_t nr_dropped = 0;

	put_quantiles(printers, nr);
	for (size_t i = 0; i < nr; i++)
		nr_dropped += printers[i]->nr_dropped;
	rs_buf_printf(out, "%s%skey,value\n%sview,", *begin ? "" : "\n", begin, begin);
	rs_escape_csv(out, view);
	for (const struct rs_column *c = rs_quality_line_columns; c->name; c++) {
		if ((c->flags & RS_COLUMN_IF_KNOWN) && !rs_quality_line_value(t, c).known)
			continue;
		rs_buf_printf(out, "\n%s%s,", begin, c->name);
		if (c->flags & RS_COLUMN_PART)
			csv_put_lost_by_cpu(out, t);
		else
			csv_put_value(out, c, rs_quality_line_value(t, c));
	}
	rs_buf_printf(out, "\n%srows_dropped,%" PRIu64 "\n", begin, nr_dropped);
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
