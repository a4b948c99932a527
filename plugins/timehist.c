// SPDX-License-Identifier: GPL-2.0-or-later
/* timehist - each slice on a CPU, as it ends, with the wait that led to it */
#include <stdio.h>

#include "ringside/plugin.h"

static const struct rs_column columns[] = {
	{ "time_ns", "time", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the slice ended" },
	{ "cpu", "cpu", RS_TYPE_ID, 0, 0, 4, "the CPU" },
	{ "comm", "task name", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	{ "pid", "pid", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "tid", RS_TYPE_ID, 0, 0, 7, "thread" },
	{ "wait_ns", "wait time", RS_TYPE_DURATION, RS_UNIT_MS, 0, 11,
	  "blocked before the slice, until the waking (msec)" },
	{ "delay_ns", "sch delay", RS_TYPE_DURATION, RS_UNIT_MS, 0, 11, "runnable before the slice (msec)" },
	{ "run_ns", "run time", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 11, "on the CPU (msec)" },
	{ "state", "state", RS_TYPE_TEXT, 0, 0, 5, "what it left in: R still runnable, S, D, ..." },
	{ "waker", "waker", RS_TYPE_TEXT, 0, 0, 16, "who woke it before the slice; <irq>: an interrupt" },
	{ "inferred", "inferred", RS_TYPE_COUNT, 0, 0, 8,
	  "1: the slice began at the latest then, the switch is missing" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

/* ---- the slices on a CPU's track ---- */

static const char *slice_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const struct rs_task *t = rs_task_find(c, rs_span_tid(arg));

	if (t && t->inst == rs_span_task_instance(arg) && t->comm[0])
		snprintf(buf, size_bytes, "%s/%d", t->comm, t->tid);
	else
		snprintf(buf, size_bytes, "%d", rs_span_tid(arg));
	return buf;
}

/* A task that runs does not wait. */
static bool is_voluntary(struct rs_ctx *c, uint64_t arg)
{
	return true;
}

static void timehist_emit_span(struct rs_ctx *c, const struct rs_task *t, struct rs_span *span,
			       const char *state, bool inferred)
{
	struct rs_value values[] = {
		RS_TASK_VALUES(t), rs_s(state), rs_u(inferred),
	};

	span->arg = rs_span_of(t);
	span->values = values;
	rs_emit_span(c, 0, span);
}

/* Who is on a CPU now. */
static void timehist_emit_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	uint64_t open_ns, now_ns = rs_last_event_ns(c);

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_shown(c, t) && rs_task_state(c, t, &open_ns) == RS_RUN && open_ns != RS_AGE_UNKNOWN) {
			struct rs_span span = { .id = t->cpu, .start_ns = now_ns - open_ns, .end_ns = now_ns,
						.in_flight = true };

			timehist_emit_span(c, t, &span, NULL, t->inferred);
		}
}

static void timehist_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_task *t = iv->task;
	char state[2] = { iv->letter, '\0' };

	if (iv->discarded || iv->in_flight || !rs_shown(c, t))
		return;
	if (rs_spans_enabled(c))
		timehist_emit_span(c, t, &(struct rs_span){ .id = iv->cpu, .start_ns = iv->from_ns,
							    .end_ns = iv->to_ns }, state, iv->inferred);
	if (!rs_row_is_shown(c, 0, iv->to_ns - iv->from_ns))
		return;
	rs_emit(c, 0,
		(const struct rs_value[]){
			rs_u(iv->to_ns),
			rs_u(iv->cpu),
			RS_TASK_VALUES(t),
			rs_u_if(iv->wait_ns >= 0, (uint64_t)iv->wait_ns),
			rs_u_if(iv->delay_ns >= 0, (uint64_t)iv->delay_ns),
			rs_u(iv->to_ns - iv->from_ns),
			rs_s(state),
			rs_s(iv->waker_tid == 0 ? "<irq>" : iv->waker_comm),
			rs_u(iv->inferred),
		});
}

const struct rs_analysis rs_analysis_timehist = {
	.abi = RS_ABI,
	.name = "timehist",
	.summary = "each slice on a CPU",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = timehist_on_interval,
					    .kinds = 1 << RS_RUN }),
	.views = RS_LIST(rs_view,
		{ .name = "timehist", .topic = RS_TOPIC_CPU,
		  .summary = "each slice on a CPU with the wait before it",
		  .kind = RS_VIEW_STREAM,
		  .columns = columns, .text_columns = "time_ns,cpu,comm,tid,wait_ns,delay_ns,run_ns,state",
		  .latencies = RS_LIST(rs_latencies,
			/* of the analysis `tasks`: a slice here is named after its task */
			{ "run_ns", .kind = "state", .labels = "run" },
			{ "delay_ns", .kind = "state", .labels = "delay" }) }),
	.spans = RS_LIST(rs_span_kind,
		{ .name = "slice", .track = RS_TRACK_CPU, .shape = RS_SPAN_STATE, .label = slice_label,
		  .by_choice = is_voluntary, .of_task = true,
		  .columns = RS_LIST(rs_column,
			{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "the thread's name" },
			{ "pid", "PID", RS_TYPE_ID, 0, 0, 0, "its process" },
			{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "thread" },
			{ "state", "STATE", RS_TYPE_TEXT, 0, 0, 0,
			  "what it left in; null: it is still there" },
			{ "inferred", "INFERRED", RS_TYPE_COUNT, 0, 0, 0,
			  "1: the slice began at the latest then, the switch is missing" }) }),
	.requires_states = true,
	.emit_in_flight = timehist_emit_in_flight,
};
