// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a timeline does not keep of a span, as the arguments of a call: its pages are read again, by the
 * analysis that laid it, and what it lays with the same times has the values.
 */
#include "service/range-jobs.h"
#include "service/service.h"
#include "rpc/wire-span.h"
#include "rpc/wire.h"
#include "rpc/wire-words.h"

struct wanted {
	struct rs_span_sink sink; /* first */
	const struct rs_span_kind *kind;
	struct rs_track_ref ref;
	uint64_t start_ns, end_ns;
	struct rs_json *j;
	bool found;
};

/* A stretch counts the lives of a tid anew; within a span there is one. */
static bool is_of_track(const struct wanted *w, const struct rs_span *span)
{
	return w->ref.of == RS_TRACK_TASK ? span->task && span->task->tid == rs_track_tid(&w->ref) : span->id == w->ref.id;
}

static void op_details_put_value(struct rs_json *j, const struct rs_column *column,
				 const struct rs_value *value)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", column->name);
	rs_json_put_str(j, "heading", column->heading);
	rs_json_put_str(j, "help", column->help);
	rs_json_put_str(j, "type", rs_wire_word_find(rs_words_types, column->type));
	rs_json_put_bool(j, "signed", column->flags & RS_COLUMN_SIGNED);
	rs_json_key(j, "value");
	rs_wire_value(j, column, value);
	rs_json_close(j, '}');
}

static void op_details_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			       const struct rs_span *span)
{
	struct wanted *w = (struct wanted *)(void *)sink;

	(void)c;
	if (w->found || kind != w->kind || span->start_ns != w->start_ns ||
	    (span->end_ns != w->end_ns && !span->open) || !is_of_track(w, span))
		return;
	w->found = true;
	for (unsigned int i = 0; span->values && kind->columns && kind->columns[i].name; i++)
		op_details_put_value(w->j, &kind->columns[i], &span->values[i]);
}

/* The analysis whose kind it is; NULL: none of this session. */
static const struct rs_analysis *owner_of(const struct rs_session_config *config, const struct rs_span_kind *kind)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		for (const struct rs_span_kind *k = config->analyses[i]->spans; k && k->name; k++)
			if (k == kind)
				return config->analyses[i];
	return NULL;
}

static int op_details_read_span(struct rs_job *job, struct wanted *w, struct rs_error *err)
{
	struct rs_session_config config = rs_service_config(job->service)->session;
	struct rs_time_range *time_range;
	int status = -1;

	config.analyses[0] = owner_of(&config, w->kind);
	config.nr_analyses = 1;
	time_range = config.analyses[0] ? rs_range_job_open(job, &config, err) : NULL;
	if (!time_range)
		return rs_fail(err, "nobody lays spans of that kind");
	if (rs_session_emit_span(rs_time_range_session(time_range), &w->sink) == 0)
		status = rs_range_job_run(job, time_range, err);
	if (status == 0)
		rs_session_end(rs_time_range_session(time_range));
	rs_time_range_free(time_range);
	return status;
}

/* Of one that was recorded with a longer past, or through a gap, nothing may be found: an empty list. */
static int op_details_run(struct rs_job *job, struct rs_error *err)
{
	struct wanted w = { .sink.span = op_details_on_span, .sink.values = true, .j = &job->reply };
	struct rs_timelines *t = rs_service_timelines(job->service);
	unsigned int kind;
	int status;

	if (!job->past)
		return rs_fail_usage(err, "which span? (track, kind, from_ns, to_ns: its begin and its end)");
	if (rs_wire_span_read_track(job->request, &w.ref, err) < 0 ||
	    rs_wire_span_read_kind(job->request, t, &kind, err) < 0)
		return -1;
	w.kind = rs_timelines_kind_number(t, kind);
	w.start_ns = job->past->from_ns;
	w.end_ns = job->past->to_ns;
	rs_json_key(&job->reply, "details");
	rs_json_open(&job->reply, '[');
	status = op_details_read_span(job, &w, err);
	rs_json_close(&job->reply, ']');
	return status;
}

const struct rs_op rs_op_details = { .name = "details", .place = RS_OP_TIME_RANGE, .run = op_details_run };
