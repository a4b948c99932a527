// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json - one object a line, integers in base units, every key always there; then the _meta line
 */
#include "base/json.h"
#include "view/printer.h"

static void put_value(struct rs_json *j, const struct rs_column *c, const struct rs_value *value)
{
	if (!value->known)
		rs_json_null(j);
	else if (c->type == RS_TYPE_TEXT)
		rs_json_str(j, value->s);
	else if (c->type == RS_TYPE_MILLI)
		rs_json_milli(j, value->u);
	else if (c->flags & RS_COLUMN_SIGNED)
		rs_json_i64(j, value->i);
	else
		rs_json_u64(j, value->u);
}

static void row(struct rs_printer *p, const struct rs_value *values)
{
	struct rs_json j;

	rs_json_init(&j, p->out);
	rs_json_open(&j, '{');
	if (p->opt.view_key) {
		rs_json_key(&j, "_view");
		rs_json_str(&j, p->view->name);
	}
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_column *c = &p->view->columns[p->columns.at[i]];

		rs_json_key(&j, c->name);
		put_value(&j, c, &values[p->columns.at[i]]);
	}
	rs_json_close(&j, '}');
	rs_buf_putc(p->out, '\n');
}

/* ---- _meta ---- */

static void put_u64(struct rs_json *j, const char *key, bool known, uint64_t v)
{
	rs_json_key(j, key);
	if (known)
		rs_json_u64(j, v);
	else
		rs_json_null(j);
}

static void put_str(struct rs_json *j, const char *key, const char *s)
{
	rs_json_key(j, key);
	if (s)
		rs_json_str(j, s);
	else
		rs_json_null(j);
}

/* One object of "quantiles", kept until _meta is written. */
static void hist(struct rs_printer *p, const char *label, const struct rs_hist *h)
{
	struct rs_json j;
	bool known = h->nr > 0;

	rs_json_init(&j, &p->quantiles);
	j.needs_comma = p->quantiles.len > 0;
	rs_json_open(&j, '{');
	if (p->opt.view_key)
		put_str(&j, "view", p->view->name);
	put_str(&j, "label", label);
	put_u64(&j, "count", true, h->nr);
	put_u64(&j, "avg_ns", known, known ? h->sum / h->nr : 0);
	put_u64(&j, "p50_ns", known, known ? rs_hist_quantile(h, 500) : 0);
	put_u64(&j, "p95_ns", known, known ? rs_hist_quantile(h, 950) : 0);
	put_u64(&j, "p99_ns", known, known ? rs_hist_quantile(h, 990) : 0);
	put_u64(&j, "max_ns", known, h->max);
	rs_json_close(&j, '}');
}

static void put_lost(struct rs_json *j, const struct rs_trust *t)
{
	uint64_t lost = rs_trust_lost(t);

	put_u64(j, "lost", lost || !t->gaps_uncounted, lost);
	rs_json_key(j, "lost_by_cpu");
	if (!t->lost_by_cpu) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '[');
	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		if (rs_trust_lost_unknown(t, cpu))
			rs_json_null(j);
		else
			rs_json_u64(j, t->lost_by_cpu[cpu]);
	rs_json_close(j, ']');
}

static void put_source(struct rs_json *j, const char *view, const struct rs_trust *t)
{
	put_str(j, "view", view);
	put_str(j, "version", t->version);
	put_str(j, "kernel", t->kernel);
	put_str(j, "clock", t->clock);
	put_str(j, "unit", t->unit);
	rs_json_key(j, "realtime_offset_ns");
	if (t->realtime_offset_known)
		rs_json_i64(j, t->realtime_offset_ns);
	else
		rs_json_null(j);
	put_str(j, "filters", t->filters ? t->filters : "");
}

static void put_counts(struct rs_json *j, const struct rs_trust *t)
{
	put_u64(j, "events", true, t->events);
	put_lost(j, t);
	put_u64(j, "gaps", true, t->gaps);
	put_u64(j, "gaps_uncounted", true, t->gaps_uncounted);
	put_u64(j, "orphans", true, t->orphans);
	put_u64(j, "voided", true, t->voided);
	put_u64(j, "inferred", true, t->inferred);
	put_u64(j, "in_flight", true, t->in_flight);
	put_u64(j, "evicted", true, t->evicted);
	put_u64(j, "from_ns", t->events > 0, t->from_ns);
	put_u64(j, "to_ns", t->events > 0, t->to_ns);
	put_u64(j, "late", true, t->late);
	put_u64(j, "bad_pages", true, t->bad_pages);
	put_u64(j, "bad_records", true, t->bad_records);
}

/* Only where histogram views are among them, and then always: an empty array for none. */
static void put_quantiles(struct rs_json *j, struct rs_printer *const *printers, size_t nr)
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

static void trust(struct rs_printer *const *printers, size_t nr, const char *view, const struct rs_trust *t)
{
	uint64_t nr_dropped = 0;
	struct rs_json j;

	for (size_t i = 0; i < nr; i++)
		nr_dropped += printers[i]->nr_dropped;
	rs_json_init(&j, printers[0]->out);
	rs_json_open(&j, '{');
	rs_json_key(&j, "_meta");
	rs_json_open(&j, '{');
	put_source(&j, view, t);
	put_counts(&j, t);
	put_u64(&j, "rows_dropped", true, nr_dropped);
	put_quantiles(&j, printers, nr);
	rs_json_close(&j, '}');
	rs_json_close(&j, '}');
	rs_buf_putc(printers[0]->out, '\n');
}

const struct rs_face rs_face_json = { .name = "json", .row = row, .hist = hist, .trust = trust };
