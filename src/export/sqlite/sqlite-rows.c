// SPDX-License-Identifier: GPL-2.0-or-later
/* sqlite-rows.c - the rows of views and the spans of analyses, whatever their columns are */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "export/sqlite/sqlite.h"
#include "view/columns.h"
#include "view/printer.h"

/* ---- rows ---- */

struct rs_sqlite_rows {
	struct rs_sink sink;      /* first */
	struct rs_sqlite_rows *next;
	struct rs_sqlite *sq;
	const struct rs_view *view;
	struct rs_sqlite_table *table;
	int latency;              /* its column; -1 none */
	char indices[64];
};

/* As the view without options: runqslower has the waits of 10 ms and more. */
static void rows_on_row(struct rs_sink *sink, const struct rs_value *values)
{
	const struct rs_sqlite_rows *r = (const struct rs_sqlite_rows *)sink;

	if (r->latency >= 0 && sink->least_ns &&
	    (!values[r->latency].known || values[r->latency].u < sink->least_ns))
		return;
	rs_sqlite_add(r->sq, r->table, r->view->columns, values, NULL, NULL);
}

static void rows_on_hist(struct rs_sink *sink, const char *label, const struct rs_hist *hist)
{
	const struct rs_sqlite_rows *r = (const struct rs_sqlite_rows *)sink;
	const struct rs_sqlite_layout *l = &rs_sqlite_fixed[RS_SQLITE_QUANTILE];
	struct rs_value view = rs_s(r->table ? r->table->name : NULL), values[RS_HIST_COLUMNS];

	rs_hist_picture_values(hist, label, values);
	rs_sqlite_add(r->sq, r->sq->fixed[RS_SQLITE_QUANTILE], l->columns, &view, l->more_columns, values);
}

struct rs_sink *rs_sqlite_add_view(struct rs_scene *s, const struct rs_view *view)
{
	struct rs_sqlite_rows *r = calloc(1, sizeof *r);
	struct rs_sqlite *sq = rs_sqlite_of(s);

	if (!r) {
		rs_fail(&sq->scene.export.error, "cannot write the database: out of memory");
		return NULL;
	}
	*r = (struct rs_sqlite_rows){ .sink = { .row = rows_on_row, .hist = rows_on_hist,
						.least_ns = view->default_min_ns }, .next = sq->rows,
				      .sq = sq, .view = view, .latency = rs_column_of_latency(view) };
	sq->rows = r;
	if (view->kind == RS_VIEW_STREAM && r->latency >= 0)
		rs_copy(r->indices, sizeof r->indices, view->columns[r->latency].name);
	r->table = rs_sqlite_table_new(sq, &(struct rs_sqlite_layout){ .name = view->name,
		.help = view->summary, .columns = view->columns,
								       .indices = r->indices });
	return &r->sink;
}

/* ---- spans ---- */

struct rs_sqlite_kind {
	struct rs_sqlite_kind *next;
	const struct rs_span_kind *kind;
	struct rs_sqlite_table *table;
	struct rs_column columns[8]; /* of all kinds; those of this one follow in its own */
};

#define KIND_COLUMN(name, type, help) ((struct rs_column){ name, NULL, type, 0, 0, 0, help })

static const struct rs_column kind_tracks[RS_NR_TRACK_TYPES] = {
	[RS_TRACK_TASK] = { "thread", NULL, RS_TYPE_ID, 0, 0, 0, "thread.id" },
	[RS_TRACK_CPU] = { "cpu", NULL, RS_TYPE_ID, 0, 0, 0, "the CPU" },
	[RS_TRACK_DISK] = { "dev", NULL, RS_TYPE_TEXT, 0, 0, 0, "the disk, MAJ,MIN" },
	[RS_TRACK_CONNECTION] = { "connection", NULL, RS_TYPE_ID, 0, 0, 0, "the number of its socket" },
};

/* The columns of a kind, in the order of kind_values. */
static void kind_make_columns(struct rs_sqlite_kind *k)
{
	const struct rs_span_kind *kind = k->kind;
	struct rs_column *c = k->columns;

	*c++ = kind_tracks[kind->track];
	if (rs_span_has_no_length(kind->shape) || kind->shape == RS_SPAN_COUNTER) {
		*c++ = KIND_COLUMN("time_ns", RS_TYPE_TIME, "when");
	} else {
		*c++ = KIND_COLUMN("start_ns", RS_TYPE_TIME, "its begin");
		*c++ = KIND_COLUMN("end_ns", RS_TYPE_TIME, "its end");
		*c++ = KIND_COLUMN("in_flight", RS_TYPE_COUNT, "1: it goes on after end_ns, the last event");
	}
	if (kind->label)
		*c++ = KIND_COLUMN("label", RS_TYPE_TEXT, "what it is, as timelines show it");
	if (kind->shape == RS_SPAN_COUNTER) {
		*c = kind->columns[0];
		c++->flags |= RS_COLUMN_SIGNED;
	}
}

/* States come from the subscriber, with who ended them; samples likewise, with their stack. */
static bool kind_is_written(const struct rs_span_kind *kind)
{
	return kind->shape != RS_SPAN_STATE && kind->shape != RS_SPAN_SAMPLE;
}

void rs_sqlite_add_kind(struct rs_scene *s, const struct rs_span_kind *kind)
{
	static const char *const indices[RS_NR_TRACK_TYPES][2] = { { "thread,start_ns", "thread,time_ns" },
								   { "cpu,start_ns", "cpu,time_ns" },
								   { "dev,start_ns", "dev,time_ns" },
								   { "connection,start_ns",
								     "connection,time_ns" } };
	struct rs_sqlite *sq = rs_sqlite_of(s);
	struct rs_sqlite_kind *k;
	char name[64];

	if (!kind_is_written(kind))
		return;
	k = calloc(1, sizeof *k);
	if (!k) {
		rs_fail(&sq->scene.export.error, "cannot write the database: out of memory");
		return;
	}
	k->kind = kind;
	k->next = sq->kinds;
	sq->kinds = k;
	kind_make_columns(k);
	snprintf(name, sizeof name, "span_%.50s", kind->name);
	k->table = rs_sqlite_table_new(
		sq,
		&(struct rs_sqlite_layout){
			.name = name,
			.help = kind->shape == RS_SPAN_COUNTER ? "values of a counter, each until the next" :
								 "spans of this kind",
			.columns = k->columns,
			.more_columns = kind->shape == RS_SPAN_COUNTER ? NULL : kind->columns,
			.indices = indices[kind->track][!strcmp(k->columns[1].name, "time_ns")] });
}

static struct rs_value kind_track(const struct rs_span_kind *kind, const struct rs_span *span, char dev[32])
{
	if (kind->track == RS_TRACK_TASK)
		return span->task ? rs_u(rs_sqlite_thread_id(span->task)) : rs_null();
	if (kind->track != RS_TRACK_DISK)
		return rs_u(span->id);
	rs_dev_text((uint32_t)span->id, dev, 32);
	return rs_s(dev);
}

static const struct rs_sqlite_kind *kind_find(const struct rs_sqlite *sq, const struct rs_span_kind *kind)
{
	const struct rs_sqlite_kind *k = sq->kinds;

	while (k && k->kind != kind)
		k = k->next;
	return k;
}

/*
 * Stacks that were recorded with events: words that tell nothing. What they are is in the table stack, by the
 * state that they belong to.
 */
static bool kind_is_stack(const struct rs_span_kind *kind, struct rs_value label)
{
	return kind->shape == RS_SPAN_INSTANT && label.known &&
	       (!strcmp(label.s, "user_stack") || !strcmp(label.s, "kernel_stack"));
}

void rs_sqlite_add_span(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
			const struct rs_span *span)
{
	struct rs_sqlite *sq = rs_sqlite_of(s);
	const struct rs_sqlite_kind *k = kind_find(sq, kind);
	struct rs_value values[8], *v = values;
	char dev[32], label[RS_CELL_TEXT_BYTES];

	if (!k)
		return;
	*v++ = kind_track(kind, span, dev);
	*v++ = rs_u(span->start_ns);
	if (!strcmp(k->columns[1].name, "start_ns")) {
		*v++ = rs_u(span->end_ns);
		*v++ = rs_u(span->in_flight);
	}
	if (kind->label) {
		*v = rs_s(kind->label(c, span->arg, label, sizeof label));
		if (kind_is_stack(kind, *v++))
			return;
	}
	if (kind->shape == RS_SPAN_COUNTER)
		*v++ = rs_i((int64_t)span->arg);
	rs_sqlite_add(sq, k->table, k->columns, values, kind->shape == RS_SPAN_COUNTER ? NULL : kind->columns,
		      span->values);
}

void rs_sqlite_put_spans(const struct rs_sqlite *sq, struct rs_buf *out)
{
	for (const struct rs_sqlite_kind *k = sq->kinds; k; k = k->next) {
		bool has_length = !strcmp(k->columns[1].name, "start_ns");

		if (k->kind->shape == RS_SPAN_COUNTER || !k->table)
			continue;
		rs_buf_printf(
			out,
			"%sSELECT '%s' AS kind, %s AS label, %s AS thread, %s AS cpu, %s AS dev, %s AS "
			"start_ns, %s AS end_ns, %s AS in_flight FROM %s",
			out->len ? "\nUNION ALL " : "", k->kind->name, k->kind->label ? "label" : "NULL",
			k->kind->track == RS_TRACK_TASK ? "thread" : "NULL",
			k->kind->track == RS_TRACK_CPU ? "cpu" : "NULL",
			k->kind->track == RS_TRACK_DISK ? "dev" : "NULL", has_length ? "start_ns" : "time_ns",
			has_length ? "end_ns" : "time_ns", has_length ? "in_flight" : "0", k->table->name);
	}
}

void rs_sqlite_free_rows(struct rs_sqlite *sq)
{
	for (struct rs_sqlite_rows *r = sq->rows, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	for (struct rs_sqlite_kind *k = sq->kinds, *next; k; k = next) {
		next = k->next;
		free(k);
	}
	sq->rows = NULL;
	sq->kinds = NULL;
}
