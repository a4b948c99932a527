// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv - RFC 4180 with a header of machine names, base units, nothing for null
 *
 * Lines end in a newline without the carriage return of the RFC: every reader
 * takes that, while awk and cut would keep the return as part of the last cell.
 * What is no row is a comment at the end, "# ...".
 */
#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

/* Whose and which view's, as on each row so on the header: what begins alike is a table of its own. */
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

static void header(struct rs_printer *p)
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

static void put_value(struct rs_buf *out, const struct rs_column *c, const struct rs_value *value)
{
	char number[RS_UNIT_TEXT];
	size_t len;

	if (c->type == RS_TYPE_TEXT) {
		rs_escape_csv(out, value->s);
		return;
	}
	if (c->type == RS_TYPE_MILLI)
		len = rs_put_milli(number, value->u);
	else if (c->flags & RS_COLUMN_SIGNED)
		len = rs_put_i64(number, value->i);
	else
		len = rs_put_u64(number, value->u);
	rs_buf_add(out, number, len);
}

static void row(struct rs_printer *p, const struct rs_value *values)
{
	size_t start = p->out->len;

	begin_line(p);
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_value *value = &values[p->columns.at[i]];

		if (i)
			rs_buf_putc(p->out, ',');
		if (value->known)
			put_value(p->out, &p->view->columns[p->columns.at[i]], value);
	}
	/* an empty line is no row to most readers */
	if (p->out->len == start)
		rs_buf_puts(p->out, "\"\"");
	rs_buf_putc(p->out, '\n');
}

static void hist(struct rs_printer *p, const char *label, const struct rs_hist *h)
{
	rs_buf_puts(&p->quantiles, "# ");
	if (*label) {
		rs_escape_text(&p->quantiles, label);
		rs_buf_puts(&p->quantiles, ": ");
	}
	rs_hist_line(&p->quantiles, h, p->opt.counts);
	rs_buf_putc(&p->quantiles, '\n');
}

static void trust(struct rs_printer *const *printers, size_t nr, const char *view, const struct rs_trust *t)
{
	struct rs_buf *out = printers[0]->out;

	for (size_t i = 0; i < nr; i++) {
		rs_buf_add(out, printers[i]->quantiles.data, printers[i]->quantiles.len);
		rs_dropped_line(out, printers[i]);
	}
	rs_trust_line(out, t);
}

const struct rs_face rs_face_csv = {
	.name = "csv", .header = header, .row = row, .hist = hist, .trust = trust,
};
