// SPDX-License-Identifier: GPL-2.0-or-later
/* cpus - each CPU: busy, idle, unknown, and how many tasks waited for it */
#include <errno.h>
#include <stdlib.h>

#include "ringside/plugin.h"

struct cpu {
	uint64_t busy_ns, idle_ns, switches;
	uint64_t first_ns, last_ns;          /* switches: what was before and after is not between two */
	unsigned int depth, depth_max;
	uint64_t depth_since_ns, depth_area; /* the integral of depth over time */
};

struct cpus {
	struct cpu *cpus;
	uint64_t since_ns; /* of the last reset; 0: the trace's begin */
};

static struct cpu *cpu_of(struct rs_ctx *c, unsigned int cpu)
{
	struct cpus *s = c->state;

	return cpu < rs_nr_cpus(c) ? &s->cpus[cpu] : NULL;
}

static int begin(struct rs_ctx *c)
{
	struct cpus *s = c->state;

	s->cpus = calloc(rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

static void done(struct rs_ctx *c)
{
	struct cpus *s = c->state;

	free(s->cpus);
}

static void on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct cpu *cpu = cpu_of(c, iv->cpu);

	if (!cpu || iv->voided)
		return;
	*(iv->kind == RS_RUN ? &cpu->busy_ns : &cpu->idle_ns) += iv->to_ns - iv->from_ns;
	if (iv->to_ns > cpu->last_ns) /* ended by a switch that is missing */
		cpu->last_ns = iv->to_ns;
}

static void on_queue(struct rs_ctx *c, uint16_t cpu_nr, unsigned int depth, uint64_t ts_ns)
{
	struct cpu *cpu = cpu_of(c, cpu_nr);

	if (!cpu)
		return;
	cpu->depth_area = rs_add_area(cpu->depth_area, ts_ns - cpu->depth_since_ns, cpu->depth);
	cpu->depth_since_ns = ts_ns;
	cpu->depth = depth;
	if (depth > cpu->depth_max)
		cpu->depth_max = depth;
}

/* What waits is uncertain from here on: the queues are counted anew. */
static void on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++)
		on_queue(c, (uint16_t)i, 0, rs_now_ns(c));
}

static void on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct cpu *cpu = cpu_of(c, ev->cpu);

	if (!cpu)
		return;
	if (!cpu->switches++ && !cpu->first_ns)
		cpu->first_ns = ev->ts_ns;
	cpu->last_ns = ev->ts_ns;
}

static const struct rs_want wants[] = {
	{ "sched", "sched_switch", RS_REQUIRED, RS_BY_ANYONE, on_switch, { NULL } },
	{ 0 },
};

enum { CPU, BUSY, IDLE, UNKNOWN, SWITCHES, RUNQ_MAX, RUNQ_AVG, UTIL, NR_COLUMNS };

static const struct rs_column columns[] = {
	[CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, 0, 4, "the CPU" },
	[BUSY] = { "busy_ns", "BUSY(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "a task ran, between two switches" },
	[IDLE] = { "idle_ns", "IDLE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "nothing ran, between two switches" },
	[UNKNOWN] = { "unknown_ns", "UNKNOWN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "between two switches where events were lost, or a switch is missing (--exact)" },
	[SWITCHES] = { "switches", "SWITCHES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "sched_switch events" },
	[RUNQ_MAX] = { "runq_max", "RUNQ MAX", RS_TYPE_COUNT, 0, 0, 8, "most tasks that waited at once" },
	[RUNQ_AVG] = { "runq_avg", "RUNQ AVG", RS_TYPE_MILLI, 0, 0, 8, "tasks that waited, averaged over time" },
	[UTIL] = { "util_pct", "UTIL%", RS_TYPE_MILLI, 0, 0, 7, "busy of what is known" },
	{ 0 },
};

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct cpus *s = c->state;
	uint64_t begin_ns = s->since_ns ? s->since_ns : rs_begin_ns(c), window_ns = rs_now_ns(c) - begin_ns;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		const struct cpu *cpu = &s->cpus[i];
		uint64_t known_ns = cpu->busy_ns + cpu->idle_ns;
		uint64_t area = rs_add_area(cpu->depth_area, rs_now_ns(c) - cpu->depth_since_ns, cpu->depth);
		struct rs_value v[NR_COLUMNS];

		v[CPU] = rs_u(i);
		v[BUSY] = rs_u(cpu->busy_ns);
		v[IDLE] = rs_u(cpu->idle_ns);
		v[UNKNOWN] = rs_u(cpu->last_ns - cpu->first_ns - known_ns);
		v[SWITCHES] = rs_u(cpu->switches);
		v[RUNQ_MAX] = rs_u(cpu->depth_max);
		v[RUNQ_AVG] = rs_milli(area, window_ns, 1);
		v[UTIL] = rs_milli(cpu->busy_ns, known_ns, 100);
		out->row(out, v);
	}
}

static void reset(struct rs_ctx *c)
{
	struct cpus *s = c->state;

	s->since_ns = rs_now_ns(c);
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		const struct cpu *old = &s->cpus[i];

		s->cpus[i] = (struct cpu){ .depth = old->depth, .depth_max = old->depth, .depth_since_ns = s->since_ns,
					   .first_ns = old->last_ns, .last_ns = old->last_ns };
	}
}

static void check(struct rs_ctx *c, void (*law)(void *arg, const char *law, int64_t residue), void *arg)
{
	const struct cpus *s = c->state;
	uint64_t over = 0;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		const struct cpu *cpu = &s->cpus[i];

		if (cpu->busy_ns + cpu->idle_ns > cpu->last_ns - cpu->first_ns)
			over += cpu->busy_ns + cpu->idle_ns - (cpu->last_ns - cpu->first_ns);
	}
	law(arg, "cpus: busy + idle + unknown = first to last switch (ns)", (int64_t)over);
}

static const struct rs_view views[] = {
	{ .name = "cpus", .summary = "each CPU: busy, idle, and the tasks that waited for it", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "cpu", .rows = rows,
	  .text_columns = "cpu,busy_ns,idle_ns,unknown_ns,switches,runq_max,runq_avg,util_pct" },
	{ 0 },
};

const struct rs_analysis rs_analysis_cpus = {
	.abi = RS_ABI,
	.name = "cpus",
	.summary = "what the CPUs did",
	.wants = wants,
	.views = views,
	.wants_states = true,
	.state_size = sizeof(struct cpus),
	.begin = begin,
	.interval = on_interval,
	.interval_kinds = 1 << RS_RUN | 1 << RS_IDLE,
	.queue = on_queue,
	.gap = on_gap,
	.reset = reset,
	.check = check,
	.done = done,
};
