// SPDX-License-Identifier: GPL-2.0-or-later
/* show-trend - measures of rows over many baselines, and where they changed: text, JSON or CSV */
#include "cli/show/show-trend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "cli/out.h"
#include "compare/trend.h"
#include "view/formatter.h"

struct show_trend {
	struct rs_baselines *store;
	char *const *names;
	const struct rs_options *opt;
	struct rs_baseline_details *at;  /* those that the names mean, the oldest first */
	size_t nr, room;
	bool failed;
	struct rs_trend trend;
	uint64_t nr_tried;           /* series that are long enough to find a change in */
};

enum {
	TREND_VIEW, TREND_KEY, TREND_MEASURE, TREND_BASELINE, TREND_SAVED, TREND_BEFORE_NS, TREND_AFTER_NS,
	TREND_BEFORE_RATE, TREND_AFTER_RATE, TREND_CHANGE, TREND_SHARE, NR_TREND_COLUMNS
};

static const struct rs_column trend_columns[] = {
	[TREND_VIEW] = { "view", "VIEW", RS_TYPE_TEXT, 0, 0, 16, "the view that has the row" },
	[TREND_KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, 0, 28, "what its row is of, by keys that last" },
	[TREND_MEASURE] = { "measure", "MEASURE", RS_TYPE_TEXT, 0, 0, 7,
			    "rate: how many a second, or run; p50, p99: of the latency; total: its time in a "
			    "second, or run" },
	[TREND_BASELINE] = { "baseline", "FROM", RS_TYPE_TEXT, 0, 0, 16,
			     "the first baseline of the new part; with --list the one that has the value" },
	[TREND_SAVED] = { "saved_s", "SAVED", RS_TYPE_ID, 0, 0, 10,
			  "when that was saved, in seconds since 1970" },
	[TREND_BEFORE_NS] = { "before_ns", "BEFORE", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 8,
			      "the median of the part before; null of a rate" },
	[TREND_AFTER_NS] = { "after_ns", "AFTER", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 8,
			     "the median of the new part; with --list the value" },
	[TREND_BEFORE_RATE] = { "before_rate", "RATE BEFORE", RS_TYPE_MILLI, 0, 0, 11,
				"likewise of a rate; null of a time" },
	[TREND_AFTER_RATE] = { "after_rate", "RATE AFTER", RS_TYPE_MILLI, 0, 0, 10,
			       "likewise; with --list the value" },
	[TREND_CHANGE] = { "change_pct", "CHANGE%", RS_TYPE_TEXT, 0, 0, 8,
			   "after, in percent more or less than before; null if it was 0" },
	[TREND_SHARE] = { "chance_ppm", "CHANCE", RS_TYPE_COUNT, 0, 0, 6,
			  "of a million orders of the same values, how many could be cut as well" },
	{ 0 },
};

static const struct rs_view trend_view = {
	.name = "trend",
	.summary = "measures of rows over many baselines, and where they changed",
	.kind = RS_VIEW_TABLE,
	.columns = trend_columns,
	.keeps_order = true,
	.text_columns = "view,key,measure,baseline,before_ns,after_ns,before_rate,after_rate,change_pct",
};

/* ---- which baselines ---- */

static bool trend_is_asked(const struct show_trend *t, const char *name)
{
	if (!*t->names)
		return true;
	for (size_t i = 0; t->names[i]; i++)
		if (rs_pattern_matches(t->names[i], name))
			return true;
	return false;
}

static void trend_note_baseline(void *arg, const struct rs_baseline_details *details)
{
	struct show_trend *t = arg;
	struct rs_baseline_details *at;

	if (!trend_is_asked(t, details->name))
		return;
	at = RS_VECTOR_ADD(&t->at, &t->nr, &t->room);
	if (at)
		*at = *details;
	else
		t->failed = true;
}

/* Numbers of another kernel or machine are compared all the same, which may be why they differ. */
static void trend_warn_of(const struct show_trend *t, const char *what, size_t offset)
{
	for (size_t i = 1; i < t->nr; i++) {
		const char *before = (const char *)&t->at[i - 1] + offset;
		const char *now = (const char *)&t->at[i] + offset;

		if (strcmp(before, now) != 0)
			rs_out_warn("from '%s' on: %s %.60s, before %.60s", t->at[i].name, what,
				    *now ? now : "none", *before ? before : "none");
	}
}

static void trend_warn(const struct show_trend *t)
{
	trend_warn_of(t, "kernel", offsetof(struct rs_baseline_details, kernel));
	trend_warn_of(t, "machine", offsetof(struct rs_baseline_details, machine));
	trend_warn_of(t, "host", offsetof(struct rs_baseline_details, host));
	trend_warn_of(t, "options", offsetof(struct rs_baseline_details, options));
}

/* ---- their rows, one baseline after the other ---- */

static int trend_load_one(struct show_trend *t, size_t n, const struct rs_show_sides *sides,
			  struct rs_error *err)
{
	struct rs_side *side = rs_side_new(sides->asked, sides->nr, err);
	struct rs_buf missing = RS_BUF_INIT;
	struct rs_baseline_details details;
	int ret = -1;

	if (side)
		ret = rs_baselines_load(t->store, t->at[n].name, side, &details, &missing, err);
	if (ret == 0)
		rs_trend_add(&t->trend, n, side, RS_PROCESS_NR_VIEWS);
	if (missing.len && t->opt->view)
		rs_out_warn("baseline '%s' has no rows of %s by these keys", t->at[n].name, missing.data);
	rs_buf_done(&missing);
	rs_side_free(side);
	return ret;
}

static int trend_load(struct show_trend *t, const struct rs_show_sides *sides, struct rs_error *err)
{
	if (rs_baselines_list(t->store, trend_note_baseline, t, err) < 0)
		return -1;
	if (!t->nr)
		return rs_fail(err, "no baseline has such a name (ringside baseline list)");
	if (!rs_trend_begin(&t->trend, t->nr))
		return -1;
	for (size_t i = 0; i < t->nr; i++)
		if (trend_load_one(t, i, sides, err) < 0)
			return -1;
	return 0;
}

/* ---- what is shown ---- */

static struct rs_value trend_ns(double value, bool is_rate)
{
	bool known = !is_rate && !isnan(value) && value < 1.8e19;

	return rs_u_if(known, known ? (uint64_t)value : 0);
}

static struct rs_value trend_milli(double value, bool is_rate)
{
	bool known = is_rate && !isnan(value) && value < 1e15;

	return rs_u_if(known, known ? (uint64_t)(value * 1000 + 0.5) : 0);
}

static void trend_add_value(const struct show_trend *t, struct rs_sink *sink, const struct rs_trend_series *s,
			    enum rs_trend_measure measure, const struct rs_trend_point *point)
{
	bool is_rate = measure == RS_TREND_RATE;
	struct rs_value v[NR_TREND_COLUMNS];
	char change[32] = "";

	if (point->before > 0)
		snprintf(change, sizeof change, "%+.1f", (point->after / point->before - 1) * 100);
	v[TREND_VIEW] = rs_s(s->view);
	v[TREND_KEY] = rs_s(s->key);
	v[TREND_MEASURE] = rs_s(rs_trend_word(measure));
	v[TREND_BASELINE] = rs_s(t->at[point->at].name);
	v[TREND_SAVED] = rs_u_if(t->at[point->at].saved_s > 0, (uint64_t)t->at[point->at].saved_s);
	v[TREND_BEFORE_NS] = trend_ns(point->before, is_rate);
	v[TREND_AFTER_NS] = trend_ns(point->after, is_rate);
	v[TREND_BEFORE_RATE] = trend_milli(point->before, is_rate);
	v[TREND_AFTER_RATE] = trend_milli(point->after, is_rate);
	v[TREND_CHANGE] = rs_s(change);
	v[TREND_SHARE] = rs_u_if(point->share > 0, (uint64_t)(point->share * 1e6 + 0.5));
	sink->row(sink, v);
}

static void trend_add_points(struct show_trend *t, struct rs_sink *sink, const struct rs_trend_series *s,
			     enum rs_trend_measure measure)
{
	struct rs_trend_point points[RS_TREND_POINTS];
	size_t nr = rs_trend_find(&t->trend, s, measure, points);

	for (size_t i = 0; i < nr; i++)
		trend_add_value(t, sink, s, measure, &points[i]);
}

static void trend_add_list(const struct show_trend *t, struct rs_sink *sink, const struct rs_trend_series *s,
			   enum rs_trend_measure measure)
{
	for (size_t i = 0; i < t->nr; i++) {
		const struct rs_trend_point value = { i, NAN, s->values[measure][i], 0 };

		if (!isnan(value.after))
			trend_add_value(t, sink, s, measure, &value);
	}
}

static bool trend_is_long(const struct show_trend *t, const struct rs_trend_series *s,
			  enum rs_trend_measure measure)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++)
		nr += !isnan(s->values[measure][i]);
	return nr >= RS_E_DIVISIVE_LEAST_VALUES;
}

static int trend_compare_series(const void *x, const void *y)
{
	const struct rs_trend_series *a = *(struct rs_trend_series *const *)x;
	const struct rs_trend_series *b = *(struct rs_trend_series *const *)y;
	int order = strcmp(a->view, b->view);

	return order ? order : strcmp(a->key, b->key);
}

static void trend_add_all(struct show_trend *t, struct rs_sink *sink)
{
	if (t->trend.nr)
		qsort(t->trend.at, t->trend.nr, sizeof *t->trend.at, trend_compare_series);
	for (size_t i = 0; i < t->trend.nr; i++)
		for (enum rs_trend_measure m = 0; m < RS_TREND_NR_MEASURES; m++) {
			t->nr_tried += trend_is_long(t, t->trend.at[i], m);
			if (t->opt->list)
				trend_add_list(t, sink, t->trend.at[i], m);
			else
				trend_add_points(t, sink, t->trend.at[i], m);
		}
}

static void trend_put_head(const struct show_trend *t, struct rs_buf *out)
{
	if (t->opt->json || t->opt->csv || t->opt->list)
		return;
	if (t->nr < RS_E_DIVISIVE_LEAST_VALUES)
		rs_buf_printf(out,
			      "%zu baselines, fewer than %u: nothing can be concluded (--list shows the "
			      "values)\n",
			      t->nr, RS_E_DIVISIVE_LEAST_VALUES);
	else
		rs_buf_printf(out,
			      "%zu baselines, %" PRIu64 " series; by chance about %.1f of them would be "
			      "told\n",
			      t->nr, t->nr_tried, (double)t->nr_tried * RS_E_DIVISIVE_LEVEL);
}

static void trend_put(struct show_trend *t, struct rs_error *err)
{
	const struct rs_options *asked = t->opt;
	const struct rs_formatter_options opt = {
		.format = asked->json ? "json" : asked->csv ? "csv" : "text", .columns = asked->columns,
		.where = asked->where, .nr_rows = asked->nr_rows,
	};
	struct rs_buf rows = RS_BUF_INIT, out = RS_BUF_INIT;
	struct rs_printer *printer = rs_printer_new(&trend_view, &opt, &rows, err);

	if (printer) {
		trend_add_all(t, rs_printer_sink(printer));
		rs_printer_finish(printer);
		trend_put_head(t, &out);
		rs_buf_add(&out, rows.data ? rows.data : "", rows.len);
		out.failed |= rows.failed;
	}
	rs_printer_free(printer);
	rs_buf_done(&rows);
	rs_out_end(&out, err);
}

void rs_show_trend(struct rs_baselines *store, char *const *names, const struct rs_show_sides *sides,
		   const struct rs_options *opt, struct rs_error *err)
{
	struct show_trend t = { .store = store, .names = names, .opt = opt };

	if (trend_load(&t, sides, err) == 0) {
		trend_warn(&t);
		trend_put(&t, err);
	}
	if (err->status == RS_OK && (t.failed || t.trend.failed))
		rs_fail(err, "baseline: out of memory");
	if (t.trend.nr_sides)
		rs_trend_done(&t.trend);
	free(t.at);
}
