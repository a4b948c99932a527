// SPDX-License-Identifier: GPL-2.0-or-later
/* when - conditions that are judged at the end of each step of a session */
#include "when/when.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "model/finding-list.h"
#include "model/quality.h"
#include "view/columns.h"
#include "view/cell.h"
#include "when/statistics.h"
#include "why/findings.h"

#define WHEN_MAX_KEYS 4u /* in a sentence */

/* A condition, and what this step has of it. */
struct when_condition {
	struct rs_condition *c;
	struct rs_alarm alarm;
	uint64_t nr_rows;           /* that pass */
	bool goes_on;
	struct rs_value best;       /* the value that is told */
	char sentence[RS_WHEN_SENTENCE];
};

/* Rows that are asked for once. */
struct when_rows {
	struct rs_sink sink;        /* first */
	struct rs_when *when;
	struct rs_view_ref ref;
	struct rs_query query;
	size_t measure_bytes;       /* of a histogram */
	uint64_t used;              /* columns that are compared */
	unsigned int nr;
	struct when_condition *of[RS_WHEN_MOST];
};

struct rs_when {
	struct rs_when_to to;
	struct when_condition *list[RS_WHEN_MOST];
	unsigned int nr;
	struct when_rows *rows[RS_WHEN_MOST];
	unsigned int nr_rows;
	uint64_t nr_lost;            /* up to the last step */
};

/* ---- rows ---- */

static bool when_is_better(const struct when_condition *w, const struct rs_column *column,
			   const struct rs_value *value)
{
	bool is_less;

	if (!value->known || column->type == RS_TYPE_TEXT)
		return false;
	if (!w->best.known)
		return true;
	is_less = column->flags & RS_COLUMN_SIGNED ? value->i < w->best.i : value->u < w->best.u;
	return is_less == w->c->is_least && value->u != w->best.u;
}

static size_t when_put(char *to, size_t at, const char *before, const struct rs_column *column,
		       const struct rs_value *value)
{
	static const struct rs_cell_style style = { .time = RS_TIME_BOOT };
	char number[RS_UNIT_TEXT + 2];
	struct rs_column plain = *column;
	const char *text = value->s;
	int len;

	if (column->type != RS_TYPE_TEXT) {
		plain.unit = RS_UNIT_AUTO; /* no heading says the unit */
		number[rs_cell_number(&style, &plain, value, number)] = '\0';
		text = number;
	}
	len = snprintf(to + at, RS_WHEN_SENTENCE - at, "%s%s %.80s", before, column->name, text);
	return at + (size_t)len < RS_WHEN_SENTENCE ? at + (size_t)len : RS_WHEN_SENTENCE - 1;
}

static bool when_is_declared_key(const struct rs_column *column)
{
	return column->key || column->flags & RS_COLUMN_KEY;
}

static bool when_declares_keys(const struct rs_view *view)
{
	const struct rs_column *column = view->columns;

	while (column->name && !when_is_declared_key(column))
		column++;
	return column->name;
}

/* What a row is about: its keys; a stream has none, but names and numbers, other rows at least one. */
static unsigned int when_max_keys(const struct rs_view *view)
{
	return !view || view->kind == RS_VIEW_STREAM || when_declares_keys(view) ? WHEN_MAX_KEYS : 1;
}

static bool when_is_key(const struct rs_view *view, const struct rs_column *column)
{
	if (view && view->kind != RS_VIEW_STREAM && when_declares_keys(view))
		return when_is_declared_key(column);
	return (column->type == RS_TYPE_TEXT || column->type == RS_TYPE_ID) &&
	       !(column->flags & (RS_COLUMN_ON_REQUEST | RS_COLUMN_OF_STACKS));
}

/* "p99_ns 23.4ms: comm nginx, pid 42" */
static void when_describe(struct when_condition *w, const struct rs_value *values)
{
	const struct rs_column *columns = w->c->view->columns;
	const struct rs_view *view = w->c->ref.view;
	unsigned int nr = 0, max = when_max_keys(view);
	size_t at = 0;

	w->best = values[w->c->column];
	if (w->best.known)
		at = when_put(w->sentence, 0, "", &columns[w->c->column], &w->best);
	else
		snprintf(w->sentence, sizeof w->sentence, "%s is not known", columns[w->c->column].name);
	for (unsigned int i = 0; columns[i].name && nr < max; i++)
		if ((int)i != w->c->column && when_is_key(view, &columns[i]) && values[i].known)
			at = when_put(w->sentence, at ? at : strlen(w->sentence), nr++ ? ", " : ": ",
				      &columns[i], &values[i]);
}

static void when_judge_row(struct when_condition *w, const struct rs_value *values)
{
	const struct rs_condition *c = w->c;

	if (!rs_expression_passes(&c->where, values))
		return;
	w->goes_on = w->goes_on || rs_expression_passes(&c->goes_on, values);
	if (!rs_expression_passes(&c->begins, values))
		return;
	if (!w->nr_rows++ || when_is_better(w, &c->view->columns[c->column], &values[c->column]))
		when_describe(w, values);
}

static void when_take_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct when_rows *rows = (struct when_rows *)sink;

	for (unsigned int i = 0; i < rows->nr; i++)
		when_judge_row(rows->of[i], values);
}

static void when_take_hist(struct rs_sink *sink, const struct rs_value *values, const void *measures)
{
	struct when_rows *rows = (struct when_rows *)sink;
	const struct rs_hist *hist = (const void *)((const char *)measures + rows->measure_bytes);
	struct rs_value row[RS_MAX_COLUMNS];

	rs_statistics_fill(rows->ref.view, values, hist, rows->used, row);
	when_take_row(sink, row);
}

/* ---- conditions ---- */

static bool when_has_same_keys(const struct rs_query *a, const struct rs_query *b)
{
	return a->nr_by == b->nr_by && !memcmp(a->by, b->by, a->nr_by * sizeof *a->by);
}

static size_t when_measure_bytes(const struct rs_view *view, const struct rs_query *query)
{
	const struct rs_column *c = view->columns;

	while (c->name && c->flags & RS_COLUMN_KEY)
		c++;
	return view->measure_bytes ? view->measure_bytes(query) : c->measure_bytes;
}

static struct when_rows *when_find_rows(struct rs_when *w, const struct rs_condition *c)
{
	struct when_rows *rows;

	for (unsigned int i = 0; i < w->nr_rows; i++)
		if (w->rows[i]->ref.view == c->ref.view && when_has_same_keys(&w->rows[i]->query, &c->query))
			return w->rows[i];
	rows = w->rows[w->nr_rows] = calloc(1, sizeof *rows);
	if (!rows)
		return NULL;
	w->nr_rows++;
	rows->when = w;
	rows->ref = c->ref;
	rows->query = c->query;
	if (c->ref.view->kind == RS_VIEW_HIST) {
		rows->sink.measures = when_take_hist;
		rows->measure_bytes = when_measure_bytes(c->ref.view, &c->query);
	} else {
		rows->sink.row = when_take_row;
	}
	return rows;
}

#define WHEN_LESS 1u /* a bit of .orders: values below may pass */

/* Rows of a stream with a lower latency cannot pass: nobody makes texts of them. 0: any may. */
static uint64_t when_least_ns(const struct rs_condition *c)
{
	const struct rs_expression_node *until = c->goes_on.nodes;

	if (!(c->view->columns[c->column].flags & RS_COLUMN_LATENCY) || !until->orders ||
	    until->orders & WHEN_LESS)
		return 0;
	return until->u;
}

static void when_set_least(struct when_rows *rows, const struct rs_condition *c)
{
	uint64_t least_ns = rows->ref.view->kind == RS_VIEW_STREAM ? when_least_ns(c) : 0;

	if (!rows->nr || least_ns < rows->sink.least_ns)
		rows->sink.least_ns = least_ns;
}

static int when_append(struct rs_when *w, struct rs_condition *c)
{
	struct when_condition *entry = calloc(1, sizeof *entry);
	struct when_rows *rows = NULL;

	if (!entry || (c->of == RS_CONDITION_OF_VIEW && !(rows = when_find_rows(w, c)))) {
		free(entry);
		return -1;
	}
	entry->c = c;
	w->list[w->nr++] = entry;
	if (rows) {
		when_set_least(rows, c);
		rows->of[rows->nr++] = entry;
		rows->used |= c->where.used | c->begins.used;
		rows->sink.unread = c->made_columns ? UINT64_MAX : ~rows->used;
	}
	return 0;
}

int rs_when_add(struct rs_when *w, const char *what, const char *text, struct rs_error *err)
{
	struct rs_condition *c;

	if (w->nr == RS_WHEN_MOST)
		return rs_fail_usage(err, "%s: more than %d conditions", what, RS_WHEN_MOST);
	c = rs_condition_new(what, text, err);
	if (!c)
		return -1;
	if (when_append(w, c) == 0)
		return 0;
	rs_condition_free(c);
	return rs_fail(err, "%s: out of memory", what);
}

struct rs_when *rs_when_new(const struct rs_when_to *to, struct rs_error *err)
{
	struct rs_when *w = calloc(1, sizeof *w);

	if (w)
		w->to = *to;
	else
		rs_fail(err, "cannot judge conditions: out of memory");
	return w;
}

void rs_when_free(struct rs_when *w)
{
	for (unsigned int i = 0; w && i < w->nr_rows; i++)
		free(w->rows[i]);
	for (unsigned int i = 0; w && i < w->nr; i++) {
		rs_condition_free(w->list[i]->c);
		free(w->list[i]);
	}
	free(w);
}

/* ---- what they need ---- */

void rs_when_notify(struct rs_when *w, const struct rs_when_to *to)
{
	w->to = *to;
}

void rs_when_inherit(struct rs_when *w, const struct rs_when *before)
{
	w->nr_lost = before->nr_lost;
	for (unsigned int i = 0; i < w->nr; i++)
		for (unsigned int k = 0; k < before->nr; k++)
			if (!strcmp(w->list[i]->c->text, before->list[k]->c->text) &&
			    !strcmp(w->list[i]->c->name, before->list[k]->c->name))
				w->list[i]->alarm = before->list[k]->alarm;
}

unsigned int rs_when_nr(const struct rs_when *w)
{
	return w->nr;
}

const struct rs_condition *rs_when_condition(const struct rs_when *w, unsigned int n)
{
	return n < w->nr ? w->list[n]->c : NULL;
}

const struct rs_alarm *rs_when_alarm(const struct rs_when *w, unsigned int n)
{
	return n < w->nr ? &w->list[n]->alarm : NULL;
}

const char *rs_when_name(const struct rs_condition *c)
{
	return *c->name ? c->name : c->text;
}

size_t rs_when_views(const struct rs_when *w, struct rs_view_ref *refs, size_t max)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < w->nr_rows && nr < max; i++) {
		size_t at = 0;

		while (at < nr && refs[at].view != w->rows[i]->ref.view)
			at++;
		if (at == nr)
			refs[nr++] = w->rows[i]->ref;
	}
	return nr;
}

bool rs_when_needs_findings(const struct rs_when *w)
{
	for (unsigned int i = 0; i < w->nr; i++)
		if (w->list[i]->c->of == RS_CONDITION_OF_FINDINGS)
			return true;
	return false;
}

struct rs_sink *rs_when_stream(struct rs_when *w, size_t n, struct rs_view_ref *ref)
{
	for (unsigned int i = 0; i < w->nr_rows; i++)
		if (w->rows[i]->ref.view->kind == RS_VIEW_STREAM && n-- == 0) {
			*ref = w->rows[i]->ref;
			return &w->rows[i]->sink;
		}
	return NULL;
}

int rs_when_subscribe(struct rs_when *w, struct rs_session *s, struct rs_error *err)
{
	struct rs_view_ref ref;
	struct rs_sink *sink;

	for (size_t n = 0; (sink = rs_when_stream(w, n, &ref)); n++)
		if (rs_session_subscribe(s, &ref, &(struct rs_query){ 0 }, sink) < 0)
			return rs_fail(err, "%s: too many views at once", ref.view->name);
	return 0;
}

/* ---- a step ---- */

static void when_judge_views(struct rs_when *w, struct rs_session *s)
{
	for (unsigned int i = 0; i < w->nr_rows; i++)
		if (w->rows[i]->ref.view->kind != RS_VIEW_STREAM)
			rs_session_rows(s, &w->rows[i]->ref, &w->rows[i]->query, &w->rows[i]->sink);
}

/* A gap whose events the kernel did not count has lost one at least. */
static void when_judge_trace(struct rs_when *w, const struct rs_quality *quality)
{
	struct rs_value values[RS_CONDITION_NR_TRACE_COLUMNS];
	uint64_t nr_lost = quality->gaps_uncounted;

	for (unsigned int cpu = 0; cpu < quality->nr_cpus; cpu++)
		nr_lost += quality->lost_by_cpu[cpu];
	values[RS_CONDITION_LOST] = rs_u(nr_lost - w->nr_lost);
	w->nr_lost = nr_lost;
	for (unsigned int i = 0; i < w->nr; i++)
		if (w->list[i]->c->of == RS_CONDITION_OF_TRACE)
			when_judge_row(w->list[i], values);
}

static void when_judge_finding(struct when_condition *w, const struct rs_finding_item *item)
{
	const struct rs_value values[RS_CONDITION_NR_FINDING_COLUMNS] = {
		[RS_CONDITION_RULE] = rs_s(item->rule->name), [RS_CONDITION_VICTIM] = rs_s(item->victim.name),
	};
	char text[RS_FINDING_TEXT];

	if (!rs_expression_passes(&w->c->begins, values))
		return;
	w->goes_on = true;
	if (!w->nr_rows++) /* the costliest comes first */
		snprintf(w->sentence, sizeof w->sentence, "%s", rs_finding_list_text(item, text));
}

static void when_judge_findings(struct rs_when *w, const struct rs_finding_list *list)
{
	const struct rs_finding_item *item;

	for (size_t n = 0; (item = rs_finding_list_get(list, n)); n++)
		for (unsigned int i = 0; i < w->nr; i++)
			if (w->list[i]->c->of == RS_CONDITION_OF_FINDINGS)
				when_judge_finding(w->list[i], item);
}

static int when_minute(const struct rs_quality *quality, uint64_t ts_ns)
{
	int64_t wall_ns = (int64_t)(ts_ns + (uint64_t)quality->realtime_offset_ns);
	time_t t = (time_t)(wall_ns / 1000000000);
	struct tm tm;

	if (!quality->realtime_offset_known || wall_ns < 0 || !localtime_r(&t, &tm))
		return -1;
	return tm.tm_hour * 60 + tm.tm_min;
}

static void when_end_condition(struct rs_when *w, unsigned int n, const struct rs_quality *quality,
			       uint64_t from_ns, uint64_t to_ns)
{
	struct when_condition *entry = w->list[n];
	uint64_t since_ns = entry->alarm.since_ns;
	struct rs_alarm_step step = { from_ns, to_ns, entry->nr_rows, entry->goes_on, -1 };
	struct rs_when_event event = { .number = n, .condition = entry->c, .alarm = &entry->alarm,
				       .to_ns = to_ns, .nr_rows = entry->nr_rows };

	if (entry->c->limits.nr_silences)
		step.minute = when_minute(quality, to_ns);
	event.event = rs_alarm_step(&entry->alarm, &entry->c->limits, &step);
	event.from_ns = entry->alarm.since_ns ? entry->alarm.since_ns : since_ns;
	event.sentence = entry->sentence;
	if (event.event != RS_ALARM_NOTHING)
		w->to.fired(w->to.arg, &event);
	entry->nr_rows = 0;
	entry->goes_on = false;
	entry->best.known = false;
}

void rs_when_judge(struct rs_when *w, struct rs_session *s, const struct rs_finding_list *findings,
		   uint64_t from_ns, uint64_t to_ns)
{
	struct rs_finding_list own;
	struct rs_quality quality;
	bool makes_list = rs_when_needs_findings(w) && !findings && rs_finding_list_init(&own);

	rs_session_quality(s, &quality);
	when_judge_views(w, s);
	when_judge_trace(w, &quality);
	if (makes_list) {
		rs_findings_collect(s, &own);
		findings = &own;
	}
	if (findings)
		when_judge_findings(w, findings);
	if (makes_list)
		rs_finding_list_done(&own);
	for (unsigned int i = 0; i < w->nr; i++)
		when_end_condition(w, i, &quality, from_ns, to_ns);
}

void rs_when_end_step(void *when, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns)
		rs_when_judge(when, s, NULL, from_ns, to_ns);
}
