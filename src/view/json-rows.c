// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json-rows.c - one object per line, integers in base units, every key present; then the _meta line
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "view/printer.h"

void rs_json_rows_put_cell(struct rs_json *j, const struct rs_column *c, struct rs_value value)
{
	rs_json_key(j, c->name);
	if (!value.known)
		rs_json_null(j);
	else if (c->type == RS_TYPE_TEXT)
		rs_json_str(j, value.s);
	else if (c->type == RS_TYPE_MILLI)
		rs_json_milli(j, value.u);
	else if (c->flags & RS_COLUMN_SIGNED)
		rs_json_i64(j, value.i);
	else
		rs_json_u64(j, value.u);
}

static void json_put_row(struct rs_printer *p, const struct rs_value *values)
{
	struct rs_json j;

	rs_json_init(&j, p->out);
	rs_json_open(&j, '{');
	if (p->opt.machine)
		rs_json_put_str(&j, "_machine", p->opt.machine);
	if (p->opt.view_key)
		rs_json_put_str(&j, "_view", p->view->name);
	for (unsigned int i = 0; i < p->columns.nr; i++)
		rs_json_rows_put_cell(&j, &p->view->columns[p->columns.at[i]], values[p->columns.at[i]]);
	rs_json_close(&j, '}');
	rs_buf_putc(p->out, '\n');
}

/* ---- _meta ---- */

/* One object of "quantiles", stored until _meta is written. */
static void json_put_hist(struct rs_printer *p, const char *label, const struct rs_hist *h)
{
	struct rs_value values[RS_HIST_COLUMNS];
	struct rs_json j;

	rs_hist_picture_values(h, label, values);
	rs_json_init(&j, &p->quantiles);
	j.needs_comma = p->quantiles.len > 0;
	rs_json_open(&j, '{');
	if (p->opt.view_key)
		rs_json_put_str(&j, "view", p->view->name);
	for (unsigned int i = 0; i < RS_HIST_COLUMNS; i++)
		rs_json_rows_put_cell(&j, &rs_hist_picture_columns[i], values[i]);
	rs_json_close(&j, '}');
}

/* Written if there is a histogram view, as an empty array if it has no rows. */
static void json_put_quantiles(struct rs_json *j, struct rs_printer *const *printers, size_t nr)
{
	bool open = false;

	for (size_t i = 0; i < nr; i++) {
		if (printers[i]->view->kind != RS_VIEW_HIST)
			continue;
		if (!open) {
			rs_json_key(j, "quantiles");
			rs_json_open(j, '[');
			open = true;
		}
		rs_json_splice(j, printers[i]->quantiles.data, printers[i]->quantiles.len);
	}
	if (open)
		rs_json_close(j, ']');
}

/* Written if several views were requested; an empty array if all have rows. */
static void put_nothing(struct rs_json *j, const char *views)
{
	char name[64];

	if (!views)
		return;
	rs_json_key(j, "nothing");
	rs_json_open(j, '[');
	for (const char *at = views; *at; at += strcspn(at, ","), at += *at == ',') {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
		rs_json_str(j, name);
	}
	rs_json_close(j, ']');
}

static void json_put_lost_by_cpu(struct rs_json *j, const struct rs_column *c, const struct rs_quality *t)
{
	rs_json_key(j, c->name);
	if (!t->lost_by_cpu) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '[');
	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		if (rs_quality_lost_unknown(t, cpu))
			rs_json_null(j);
		else
			rs_json_u64(j, t->lost_by_cpu[cpu]);
	rs_json_close(j, ']');
}

void rs_json_rows_put_quality(struct rs_json *j, const struct rs_quality *t)
{
	if (t->machine)
		rs_json_put_str(j, "machine", t->machine);
	for (const struct rs_column *c = rs_quality_line_columns; c->name; c++)
		if (c->flags & RS_COLUMN_PART)
			json_put_lost_by_cpu(j, c, t);
		else if (!(c->flags & RS_COLUMN_IF_KNOWN) || rs_quality_line_value(t, c).known)
			rs_json_rows_put_cell(j, c, rs_quality_line_value(t, c));
}

static void json_put_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			     const struct rs_quality *t)
{
	uint64_t nr_dropped = 0;
	struct rs_json j;

	for (size_t i = 0; i < nr; i++)
		nr_dropped += printers[i]->nr_dropped;
	rs_json_init(&j, printers[0]->out);
	rs_json_open(&j, '{');
	rs_json_key(&j, "_meta");
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "view", view);
	rs_json_rows_put_quality(&j, t);
	rs_json_put_u64(&j, "rows_dropped", nr_dropped);
	json_put_quantiles(&j, printers, nr);
	put_nothing(&j, t->nothing);
	rs_json_close(&j, '}');
	rs_json_close(&j, '}');
	rs_buf_putc(printers[0]->out, '\n');
}

const struct rs_formatter rs_formatter_json = { .name = "json", .row = json_put_row, .hist = json_put_hist,
				      .quality = json_put_quality };
