// SPDX-License-Identifier: GPL-2.0-or-later
/* show-baseline - what a baseline has: where it is from, and the rows of its views */
#include "cli/show/show-baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/comma-list.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"
#include "base/vector.h"
#include "cli/out.h"
#include "compare/change.h"
#include "engine/session.h"
#include "view/formatter.h"

#define SHOWN_ROWS 20u /* of a view, where -n says nothing else */

/* The views that it has, as sides are asked for them. */
struct shown {
	const struct rs_options *opt;
	struct rs_side_asked *asked;
	size_t nr, room;
	struct rs_buf unknown;       /* of a later version */
	bool failed;
};

enum { SHOWN_VIEW, SHOWN_KEY, SHOWN_RATE, SHOWN_P50, SHOWN_P99, SHOWN_TOTAL, NR_SHOWN_COLUMNS };

static const struct rs_column shown_columns[] = {
	[SHOWN_VIEW] = { "view", "VIEW", RS_TYPE_TEXT, 0, 0, 16, "the view that has the row" },
	[SHOWN_KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, 0, 28, "what its row is of, by keys that last" },
	[SHOWN_RATE] = { "rate", "RATE", RS_TYPE_MILLI, 0, 0, 9,
			 "how many a second; of commands in each run" },
	[SHOWN_P50] = { "p50_ns", "p50", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7, "half took at most this" },
	[SHOWN_P99] = { "p99_ns", "p99", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7, "99 % took at most this" },
	[SHOWN_TOTAL] = { "total_ns", "TIME", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7,
			  "its time in a second, or run; null of a view that has no latencies" },
	{ 0 },
};

static const struct rs_view shown_view = {
	.name = "baseline",
	.summary = "rows of views that a baseline has",
	.kind = RS_VIEW_TABLE,
	.columns = shown_columns,
	.keeps_order = true,
};

/* ---- its details ---- */

void rs_show_baseline_time(int64_t saved_s, char to[32])
{
	time_t saved = (time_t)saved_s;
	struct tm tm;

	snprintf(to, 32, "-");
	if (saved_s && localtime_r(&saved, &tm))
		strftime(to, 32, "%Y-%m-%d %H:%M", &tm);
}

void rs_show_baseline_put_json(struct rs_buf *out, const struct rs_baseline_details *details)
{
	struct rs_json j;

	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "name", details->name);
	rs_json_key(&j, "saved_s");
	rs_json_i64(&j, details->saved_s);
	rs_json_put_str(&j, "source", details->source);
	rs_json_put_str(&j, "options", details->options);
	rs_json_put_str(&j, "kernel", details->kernel);
	rs_json_put_str(&j, "machine", details->machine);
	rs_json_put_str(&j, "host", details->host);
	rs_json_put_u64(&j, "len_ns", details->len_ns);
	rs_json_put_u64(&j, "lost_ns", details->lost_ns);
	rs_json_put_u64(&j, "blocks", details->nr_blocks);
	rs_json_put_u64(&j, "rows", details->nr_rows);
	rs_json_put_u64(&j, "bytes", details->nr_bytes);
	rs_json_close(&j, '}');
	rs_buf_putc(out, '\n');
}

static void shown_put_field(struct rs_buf *out, const char *name, const char *text)
{
	if (!*text)
		return;
	rs_buf_printf(out, "%-9s ", name);
	rs_escape_text(out, text);
	rs_buf_putc(out, '\n');
}

static void shown_put_details(struct rs_buf *out, const struct rs_baseline_details *details)
{
	char when[32], length[RS_UNIT_TEXT + 1], text[96];

	rs_show_baseline_time(details->saved_s, when);
	length[rs_units_put_duration(length, details->len_ns, RS_UNIT_AUTO, -1)] = '\0';
	snprintf(text, sizeof text, "%s in %" PRIu64 " blocks, %" PRIu64 " rows, %" PRIu64 " KB", length,
		 details->nr_blocks, details->nr_rows, details->nr_bytes / 1000);
	shown_put_field(out, "baseline", details->name);
	shown_put_field(out, "saved", when);
	shown_put_field(out, "of", details->source);
	shown_put_field(out, "options", details->options);
	shown_put_field(out, "kernel", details->kernel);
	shown_put_field(out, "machine", details->machine);
	shown_put_field(out, "host", details->host);
	shown_put_field(out, "measured", text);
	rs_buf_putc(out, '\n');
}

/* ---- its rows ---- */

static void shown_note_view(void *arg, const char *view, const char *keys)
{
	struct rs_error ignored = { 0 };
	struct shown *s = arg;
	struct rs_side_asked asked = { .by = strndup(keys, strcspn(keys, "=")) }, *at;

	/* those with a measure of their own are for the sentences of a comparison */
	if (strchr(keys, '=') || (s->opt->view && !rs_comma_list_has(s->opt->view, view))) {
		free((char *)asked.by);
		return;
	}
	at = asked.by && rs_requirements_find_view(view, &asked.ref, &ignored) ?
		     RS_VECTOR_ADD(&s->asked, &s->nr, &s->room) : NULL;
	if (at) {
		*at = asked;
		return;
	}
	free((char *)asked.by);
	rs_buf_printf(&s->unknown, "%s%s", s->unknown.len ? ", " : "", view);
}

static struct rs_value shown_ns(double value, bool known)
{
	known = known && !isnan(value) && value < 1.8e19;
	return rs_u_if(known, known ? (uint64_t)value : 0);
}

static void shown_add_row(struct rs_sink *sink, const struct rs_side *side, const struct rs_side_view *view,
			  struct rs_side_row *row, struct rs_buf *key)
{
	struct rs_dist dist = rs_dist_of(row, side->nr_blocks);
	double rate = rs_side_rate(side, (double)row->nr);
	struct rs_value v[NR_SHOWN_COLUMNS];

	rs_side_put_text(key, view, row);
	v[SHOWN_VIEW] = rs_s(view->ref.view->name);
	v[SHOWN_KEY] = rs_s(key->data);
	v[SHOWN_RATE] = shown_ns(rate * 1000 + 0.5, rate < 1e15);
	v[SHOWN_P50] = shown_ns(rs_dist_quantile(&dist, 500, 0).value, dist.nr);
	v[SHOWN_P99] = shown_ns(rs_dist_quantile(&dist, 990, 0).value, dist.nr);
	v[SHOWN_TOTAL] = shown_ns(rs_side_rate(side, (double)row->sum), view->is_latency);
	sink->row(sink, v);
}

static int shown_compare(const void *x, const void *y)
{
	const struct rs_side_row *a = *(struct rs_side_row *const *)x, *b = *(struct rs_side_row *const *)y;

	return (a->sum < b->sum) - (a->sum > b->sum);
}

static void shown_add_view(const struct shown *s, struct rs_sink *sink, const struct rs_side *side,
			   const struct rs_side_view *view, struct rs_buf *key)
{
	uint64_t some = s->opt->json || s->opt->csv ? UINT64_MAX : SHOWN_ROWS;
	uint64_t most = s->opt->nr_rows ? s->opt->nr_rows : some;

	if (view->nr_rows)
		qsort(view->rows, view->nr_rows, sizeof *view->rows, shown_compare);
	for (size_t i = 0; i < view->nr_rows && i < most; i++)
		shown_add_row(sink, side, view, view->rows[i], key);
}

static void shown_put_rows(const struct shown *s, const struct rs_side *side, struct rs_buf *out,
			   struct rs_error *err)
{
	const struct rs_formatter_options opt = {
		.format = s->opt->json ? "json" : s->opt->csv ? "csv" : "text", .columns = s->opt->columns,
		.where = s->opt->where,
	};
	struct rs_printer *printer = rs_printer_new(&shown_view, &opt, out, err);
	struct rs_buf key = RS_BUF_INIT;

	for (size_t i = 0; printer && i < side->nr_views; i++)
		shown_add_view(s, rs_printer_sink(printer), side, &side->views[i], &key);
	if (printer)
		rs_printer_finish(printer);
	rs_printer_free(printer);
	rs_buf_done(&key);
}

static void shown_put(struct shown *s, struct rs_baselines *store, const char *name, struct rs_error *err)
{
	struct rs_side *side = rs_side_new(s->asked, s->nr, err);
	struct rs_baseline_details details;
	struct rs_buf out = RS_BUF_INIT;

	if (side && rs_baselines_load(store, name, side, &details, NULL, err) == 0) {
		if (s->opt->json)
			rs_show_baseline_put_json(&out, &details);
		else if (!s->opt->csv)
			shown_put_details(&out, &details);
		shown_put_rows(s, side, &out, err);
	}
	rs_side_free(side);
	rs_out_end(&out, err);
}

void rs_show_baseline(struct rs_baselines *store, const char *name, const struct rs_options *opt,
		      struct rs_error *err)
{
	struct shown s = { .opt = opt, .unknown = RS_BUF_INIT };

	if (rs_baselines_list_views(store, name, shown_note_view, &s, err) == 0)
		shown_put(&s, store, name, err);
	if (s.unknown.len)
		rs_out_warn("not shown: %s, which this ringside does not have", s.unknown.data);
	for (size_t i = 0; i < s.nr; i++)
		free((char *)s.asked[i].by);
	free(s.asked);
	rs_buf_done(&s.unknown);
}
