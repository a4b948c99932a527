// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * op-details - answers with values that a timeline does not store for a span, such as the arguments of a
 * call
 *
 * The analysis that emitted the span reads its pages again; the span that it emits with the same times has
 * the values.
 */
#include "service/service.h"

struct wanted {
	struct rs_span_sink sink; /* first */
	const struct rs_span_kind *kind;
	struct rs_track_ref ref;
	uint64_t start_ns, end_ns;
	struct rs_json *j;
	bool found;
};

/* A session over a time range numbers the instances of a tid from 0; a span has only one. */
static bool is_of_track(const struct wanted *w, const struct rs_span *span)
{
	return w->ref.of == RS_TRACK_TASK ? span->task && span->task->tid == rs_track_tid(&w->ref) :
					    span->id == w->ref.id;
}

static void op_details_put_value(struct rs_json *j, const struct rs_column *column,
				 const struct rs_value *value)
{
	rs_message_put(j, &rs_wire_detail_message, &(struct rs_wire_detail){
		.name = column->name, .heading = column->heading, .help = column->help, .type = column->type,
		.is_signed = column->flags & RS_COLUMN_SIGNED, .value = rs_protocol_scalar(column, value),
	});
}

static void op_details_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			       const struct rs_span *span)
{
	struct wanted *w = (struct wanted *)(void *)sink;

	(void)c;
	if (w->found || kind != w->kind || span->start_ns != w->start_ns ||
	    (span->end_ns != w->end_ns && !span->in_flight) || !is_of_track(w, span))
		return;
	w->found = true;
	for (unsigned int i = 0; span->values && kind->columns && kind->columns[i].name; i++)
		op_details_put_value(w->j, &kind->columns[i], &span->values[i]);
}

/* Returns the analysis that declares this kind; NULL: no analysis of this session. */
static const struct rs_analysis *owner_of(const struct rs_session_config *config,
					  const struct rs_span_kind *kind)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		for (const struct rs_span_kind *k = config->analyses[i]->spans; k && k->name; k++)
			if (k == kind)
				return config->analyses[i];
	return NULL;
}

static int op_details_read_span(struct rs_job *job, struct wanted *w, struct rs_error *err)
{
	struct rs_session_config config = job->service->config.session;
	struct rs_time_range *time_range;
	int status = -1;

	config.analyses[0] = owner_of(&config, w->kind);
	config.nr_analyses = 1;
	time_range = config.analyses[0] ? rs_job_range_open(job, &config, err) : NULL;
	if (!time_range)
		return rs_fail(err, "no analysis here emits spans of that kind");
	if (rs_session_emit_span(time_range->session, &w->sink) == 0)
		status = rs_job_range_run(job, time_range, err);
	if (status == 0)
		rs_session_end(time_range->session);
	rs_time_range_free(time_range);
	return status;
}

/* Returns an empty list if the span began before the window, or contains a gap, so that it is not found. */
static int op_details_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_details_request *request = job->request;
	struct wanted w = { .sink.span = op_details_on_span, .sink.values = true, .j = &job->reply };
	struct rs_timelines *t = job->service->timelines;
	unsigned int kind;
	int status;

	if (rs_job_read_track(request->track, &w.ref, err) < 0 ||
	    rs_job_read_kind(&request->kind, t, &kind, err) < 0)
		return -1;
	w.kind = rs_timelines_kind_number(t, kind);
	w.start_ns = job->range->from_ns;
	w.end_ns = job->range->to_ns;
	rs_message_open_list(&job->reply, "details");
	status = op_details_read_span(job, &w, err);
	rs_json_close(&job->reply, ']');
	return status;
}

const struct rs_op rs_op_details = { .name = "details", .range = RS_RANGE_ALWAYS, .run = op_details_run };
