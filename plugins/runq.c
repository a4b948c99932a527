// SPDX-License-Identifier: GPL-2.0-or-later
/* runq - time that tasks are runnable but not running: the distribution, and a list of long waits */
#include <stdio.h>

#include "ringside/plugin.h"

struct runq_row {
	struct rs_hist wait;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct runq_row), .in_task = true, .stays_with_thread = true,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_LATENCY, offsetof(struct runq_row, wait) }) },
	{ 0 },
};

enum { VIEW_RUNQLAT, VIEW_RUNQSLOWER };

static const struct rs_column slower_columns[] = {
	{ "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14,
	  "when it was put on a CPU at last" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	{ "cpu", "CPU", RS_TYPE_ID, 0, 0, 3, "the CPU that it was put on" },
	{ "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
	  "how long it waited, runnable" },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, 0, 9, "delay: from a waking; preempted: from losing its CPU" },
	{ "prev_comm", "PREV COMM", RS_TYPE_TEXT, 0, 0, 16, "who left that CPU for it" },
	{ "prev_tid", "PREV TID", RS_TYPE_ID, 0, 0, 8,
	  "who left that CPU for it; null: it was idle, or unknown" },
	{ "inferred", "INFERRED", RS_TYPE_COUNT, 0, 0, 8,
	  "1: the wait ended at the latest then, the switch is missing" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static void runq_emit_slower(struct rs_ctx *c, const struct rs_interval *iv)
{
	rs_emit(c, VIEW_RUNQSLOWER, (const struct rs_value[]){
		rs_u(iv->to_ns), RS_TASK_VALUES(iv->task), rs_u(iv->cpu), rs_u(iv->to_ns - iv->from_ns),
		rs_s(iv->kind == RS_DELAY ? "delay" : "preempted"), rs_s(iv->prev ? iv->prev->comm : NULL),
		rs_u_if(iv->prev, iv->prev ? (uint64_t)iv->prev->tid : 0), rs_u(iv->inferred),
	});
}

static void runq_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct runq_row *row = rs_task_data(c, iv->task);

	if (iv->discarded || iv->in_flight)
		return;
	rs_hist_add(&row->wait, iv->to_ns - iv->from_ns);
	if (rs_shown(c, iv->task) && rs_row_is_shown(c, VIEW_RUNQSLOWER, iv->to_ns - iv->from_ns))
		runq_emit_slower(c, iv);
}

/* ---- waits in flight ---- */

static void runq_describe_wait(struct rs_ctx *c, const struct rs_task *t, enum rs_state state, char *text,
			       size_t size_bytes)
{
	const struct rs_task *waker = t->waker_tid > 0 ? rs_task_find(c, t->waker_tid) : NULL;

	if (state == RS_PREEMPTED)
		snprintf(text, size_bytes, "preempted on CPU %u", t->cpu);
	else if (waker && waker->comm[0])
		snprintf(text, size_bytes, "woken by %s/%d, waits for CPU %u", waker->comm, waker->tid,
			 t->cpu);
	else
		snprintf(text, size_bytes, "woken%s, waits for CPU %u",
			 t->waker_tid ? "" : " by an interrupt", t->cpu);
}

static void runq_list_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		uint64_t open_ns;
		enum rs_state state = rs_shown(c, t) ? rs_task_state(c, t, &open_ns) : RS_UNKNOWN;
		char text[80];

		if ((state != RS_DELAY && state != RS_PREEMPTED) ||
		    !rs_in_flight_accepts(to, t->since_ns, false))
			continue;
		runq_describe_wait(c, t, state, text, sizeof text);
		rs_in_flight_add(c, to, t, &(struct rs_in_flight){ .kind = "runnable", .what = text,
			.since_ns = t->since_ns });
	}
}

const struct rs_analysis rs_analysis_runq = {
	.abi = RS_ABI,
	.name = "runq",
	.summary = "all time spent runnable and not running",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = runq_on_interval,
					    .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED }),
	.views = RS_LIST(rs_view,
		[VIEW_RUNQLAT] = { .name = "runqlat", .topic = RS_TOPIC_CPU,
		  .diff_by = "comm",
		  .summary = "distribution of run-queue waits",
				   .kind = RS_VIEW_HIST,
				   .text_columns = "from_ns,to_ns,count", .options = "by", .store = stores,
				   .columns = RS_LIST(rs_column,
					RS_GROUP_BY_COLUMNS,
					{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
					  "the bucket's lower end",
					  .measure_bytes = offsetof(struct runq_row, wait) },
					{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
					  "the bucket's upper end, not in it" },
					{ "count", "count", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
					  "waits of that length" }),
				   /* The analysis `tasks` emits the spans of states. */
				   .latencies = RS_LIST(rs_latencies,
							{ "from_ns,to_ns", .kind = "state",
							  .labels = "delay,preempted" }) },
		[VIEW_RUNQSLOWER] = { .name = "runqslower", .topic = RS_TOPIC_CPU,
				      .summary = "each run-queue wait over -m, 10 ms by default",
				      .kind = RS_VIEW_STREAM, .columns = slower_columns,
				      .default_min_ns = 10000000,
				      .text_columns = "time_ns,comm,tid,lat_ns,kind,prev_comm,prev_tid",
				      .latencies = RS_LIST(rs_latencies,
							   { "lat_ns", .kind = "state",
								   .label_column = "kind" }) }),
	.requires_states = true,
	.stores = stores,
	.list_in_flight = runq_list_in_flight,
};
