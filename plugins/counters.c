// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counters - values that the kernel reports as they change: a CPU's frequency and idle state, the run time
 * that it accounts
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

enum { SPAN_FREQUENCY, SPAN_IDLE, SPAN_RUNTIME, NR_OF_CPU = SPAN_RUNTIME };

static const char *frequency_label(struct rs_ctx *c, uint64_t khz, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%" PRIu64 " MHz", khz / 1000);
	return buf;
}

static const char *idle_label(struct rs_ctx *c, uint64_t state, char *buf, size_t size_bytes)
{
	if ((int64_t)state < 0)
		return "not idle";
	snprintf(buf, size_bytes, "idle state %" PRIu64, state);
	return buf;
}

static const char *runtime_label(struct rs_ctx *c, uint64_t ns, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%" PRIu64 ".%03u us", ns / 1000, (unsigned int)(ns % 1000));
	return buf;
}

static const struct rs_column khz[] = { { "kHz", "kHz", RS_TYPE_COUNT, 0, 0, 8, "the CPU's frequency" },
					{ 0 } };
static const struct rs_column state[] = {
	{ "state", "STATE", RS_TYPE_COUNT, 0, RS_COLUMN_SIGNED, 5,
	  "the CPU's idle state; -1: it is not idle" }, { 0 },
};
static const struct rs_column ns[] = {
	{ "ns", "RUNTIME", RS_TYPE_DURATION, RS_UNIT_US, 0, 8,
	  "the run time that was accounted for since the last such event" }, { 0 },
};

static const struct rs_span_kind spans[] = {
	[SPAN_FREQUENCY] = { .name = "cpu_frequency", .track = RS_TRACK_CPU, .shape = RS_SPAN_COUNTER,
			     .label = frequency_label,
			     .columns = khz },
	[SPAN_IDLE] = { .name = "cpu_idle", .track = RS_TRACK_CPU, .shape = RS_SPAN_COUNTER,
			.label = idle_label, .columns = state },
	[SPAN_RUNTIME] = { .name = "sched_stat_runtime", .track = RS_TRACK_TASK, .shape = RS_SPAN_COUNTER,
			   .label = runtime_label,
			   .columns = ns },
	{ 0 },
};

struct counter {
	uint64_t value, since_ns;
	bool known;
};

struct counters {
	struct counter (*cpus)[NR_OF_CPU];
};

/* The value up to now. Over a gap it may have changed unseen: then only its first moment is certain. */
static void counters_emit_span(struct rs_ctx *c, unsigned int kind, struct rs_task *task, uint32_t cpu,
			       const struct counter *n, bool open)
{
	const struct rs_value value = rs_u(n->value);
	uint64_t now_ns = rs_last_event_ns(c);

	if (!n->known)
		return;
	rs_emit_span(c, kind, &(struct rs_span){
		.task = task, .id = cpu, .start_ns = n->since_ns,
		.end_ns = rs_discarded(c, n->since_ns, now_ns) ? n->since_ns : now_ns,
		.in_flight = open, .arg = n->value, .values = &value });
}

static void change(struct rs_ctx *c, unsigned int kind, struct rs_task *task, uint32_t cpu, struct counter *n,
		   uint64_t value)
{
	counters_emit_span(c, kind, task, cpu, n, false);
	*n = (struct counter){ value, rs_last_event_ns(c), true };
}

enum { STATE, CPU_ID };

static void on_cpu(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f, unsigned int kind)
{
	struct counters *s = c->state;
	uint64_t cpu = rs_u64(ev, &f[CPU_ID]), value = rs_u64(ev, &f[STATE]);

	if (!rs_spans_enabled(c) || cpu >= rs_nr_cpus(c) || !rs_cpu_is_shown(c, (unsigned int)cpu))
		return;
	if (kind == SPAN_IDLE && value == UINT32_MAX) /* PWR_EVENT_EXIT, (u32)-1: it is left */
		value = UINT64_MAX;
	change(c, kind, NULL, (uint32_t)cpu, &s->cpus[cpu][kind], value);
}

static void on_frequency(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	on_cpu(c, ev, f, SPAN_FREQUENCY);
}

static void on_idle(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	on_cpu(c, ev, f, SPAN_IDLE);
}

enum { PID, RUNTIME };

static void on_runtime(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_spans_enabled(c) ? rs_task_get(c, (int32_t)rs_i64(ev, &f[PID])) : NULL;

	if (t && rs_shown(c, t))
		change(c, SPAN_RUNTIME, t, 0, rs_task_data(c, t), rs_u64(ev, &f[RUNTIME]));
}

static int counters_init(struct rs_ctx *c)
{
	struct counters *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

static void counters_emit_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	const struct counters *s = c->state;

	for (unsigned int cpu = 0; cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int kind = 0; kind < NR_OF_CPU; kind++)
			counters_emit_span(c, kind, NULL, cpu, &s->cpus[cpu][kind], true);
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		counters_emit_span(c, SPAN_RUNTIME, t, 0, rs_task_data(c, t), true);
}

const struct rs_analysis rs_analysis_counters = {
	.abi = RS_ABI,
	.name = "counters",
	.summary = "frequencies, idle states, accounted run time",
	.requirements = RS_LIST(rs_requirement,
		{ "power", "cpu_frequency", RS_PASSIVE, RS_BY_ANYONE, on_frequency, { "state", "cpu_id" } },
		{ "power", "cpu_idle", RS_PASSIVE, RS_BY_ANYONE, on_idle, { "state", "cpu_id" } },
		{ "sched", "sched_stat_runtime", RS_PASSIVE, RS_BY_ANYONE, on_runtime,
		  { "pid", "runtime" } }),
	.spans = spans,
	.state_size = sizeof(struct counters),
	.task_size = sizeof(struct counter),
	.begin = counters_init,
	.emit_in_flight = counters_emit_in_flight,
};
