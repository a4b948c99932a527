// SPDX-License-Identifier: GPL-2.0-or-later
/* reclaim - each time a task was held up because memory is short: by reclaim, compaction or throttling */
#include <stdio.h>

#include "ringside/plugin.h"

static const struct rs_column columns[] = {
	{ "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it ended" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, 0, 10, "reclaim, memcg (for its cgroup's limit), compaction, throttle, dirty (too much to write back)" },
	{ "order", "ORDER", RS_TYPE_ID, 0, 0, 5, "1 << order pages in one piece were wanted; null where the kernel does not say" },
	{ "lat_ns", "LAT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "how long the task was held up" },
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16, "the system call that it was in; null: none (a page fault, say), or not known" },
	{ 0 },
};

/* Since the last reset, each kind by itself: one may be a part of another. */
struct reclaim {
	uint64_t ns[RS_NR_STALLS], nr[RS_NR_STALLS];
};

enum { SPAN_STALL };

static void reclaim_emit_span(struct rs_ctx *c, const struct rs_stall *s, bool open)
{
	rs_emit_span(c, SPAN_STALL, &(struct rs_span){ .task = s->task, .start_ns = s->begin_ns, .end_ns = s->end_ns,
						 .in_flight = open, .arg = s->kind });
}

static void on_stall(struct rs_ctx *c, const struct rs_stall *s)
{
	struct reclaim *sums = c->state;

	if (s->discarded)
		return;
	if (rs_shown(c, s->task)) {
		sums->ns[s->kind] += rs_part_ns(rs_since_ns(c), s->begin_ns, s->end_ns);
		sums->nr[s->kind] += s->begin_ns >= c->range_from_ns;
	}
	if (s->in_flight)
		return;
	if (rs_spans_enabled(c))
		reclaim_emit_span(c, s, false);
	if (!rs_shown(c, s->task) || !rs_row_is_shown(c, 0, s->end_ns - s->begin_ns))
		return;
	rs_emit(c, 0, (const struct rs_value[]){
		rs_u(s->end_ns), RS_TASK_VALUES(s->task), rs_s(rs_stall_name(s->kind)), rs_u_if(s->order >= 0, (uint64_t)s->order),
		rs_u(s->end_ns - s->begin_ns), rs_s(s->syscall >= 0 ? rs_syscall_name(c, s->syscall) : NULL),
	});
}

static void reclaim_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_stall s;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		for (unsigned int kind = 0; rs_shown(c, t) && kind < RS_NR_STALLS; kind++)
			if (!rs_task_stall(c, t, (enum rs_stall_kind)kind, &s))
				continue;
			else if (!to->list)
				reclaim_emit_span(c, &s, true);
			else if (rs_in_flight_accepts(to, s.begin_ns, false))
				rs_in_flight_add(c, to, t, &(struct rs_in_flight){ .kind = "stall", .what = rs_stall_name(s.kind), .since_ns = s.begin_ns });
}

static void reclaim_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct reclaim));
}

/* A twentieth of one thread's time: a machine with memory to spare has none of it. */
#define RECLAIM_LEAST_OF_TIME 50

static void reclaim_put_findings(struct rs_ctx *c)
{
	const struct reclaim *s = c->state;
	uint64_t interval_ns = rs_judged_ns(c), of_time;
	unsigned int most = 0;
	static const struct rs_evidence evidence[] = { { "reclaim", NULL, NULL, NULL }, { "memory", NULL, NULL, NULL }, { "meminfo", NULL, NULL, NULL }, { "tasks", "-reclaim_ns", NULL, NULL }, { 0 } };
	char text[120], brief[80], length[40];

	for (unsigned int kind = 0; kind < RS_NR_STALLS; kind++)
		if (s->ns[kind] > s->ns[most])
			most = kind;
	of_time = interval_ns ? rs_milli(s->ns[most], interval_ns, 1).u : 0;
	if (of_time < RECLAIM_LEAST_OF_TIME)
		return;
	snprintf(text, sizeof text, "tasks waited %s (%llu time%s) for memory: %s",
		 rs_duration_text(c, s->ns[most], length, sizeof length),
		 (unsigned long long)s->nr[most], s->nr[most] == 1 ? "" : "s", rs_stall_name((enum rs_stall_kind)most));
	snprintf(brief, sizeof brief, "memory: %s, %s waited", rs_stall_name((enum rs_stall_kind)most), length);
	rs_report_finding(c, &(struct rs_finding){ .weight = of_time, .text = text, .brief = brief, .view = "reclaim", .evidence = evidence });
}

static const char *reclaim_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *name = rs_stall_name((enum rs_stall_kind)arg);

	return name ? name : "stall";
}

const struct rs_analysis rs_analysis_reclaim = {
	.abi = RS_ABI,
	.name = "reclaim",
	.summary = "tasks held up because memory is short",
	.callbacks = RS_LIST(rs_callback, { RS_ON_STALL, .stall = on_stall }),
	.views = RS_LIST(rs_view,
		{ .name = "reclaim", .summary = "each stall for memory: direct reclaim, compaction, throttling", .kind = RS_VIEW_STREAM,
		  .columns = columns,
		  .latencies = RS_LIST(rs_latencies, { "lat_ns", .kind = "stall", .label_column = "kind" }) }),
	.spans = RS_LIST(rs_span_kind,
		[SPAN_STALL] = { .name = "stall", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE,
				 .label = reclaim_span_label,
				 .slowest = "stall for memory" }),
	.emit_in_flight = reclaim_in_flight,
	.list_in_flight = reclaim_in_flight,
	.reset = reclaim_reset,
	.findings = reclaim_put_findings,
	.state_size = sizeof(struct reclaim),
};
