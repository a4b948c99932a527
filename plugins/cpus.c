// SPDX-License-Identifier: GPL-2.0-or-later
/* cpus - each CPU: busy, idle, interrupted, unknown, and how many tasks waited for it */
#include <errno.h>

#include "ringside/plugin.h"

struct cpus_cpu {
	uint64_t busy_ns, idle_ns, switches;
	uint64_t busy_irq_ns, idle_irq_ns;   /* of these, in interrupts */
	/* in interrupts since irq_in_ns, the begin of what the CPU is in now */
	uint64_t irq_in_ns, irq_now_ns;
	uint64_t first_ns, last_ns;          /* switches: what was before and after is not between two */
	unsigned int depth, depth_max;
	uint64_t depth_since_ns, depth_area; /* the integral of depth over time */
};

struct cpus {
	struct cpus_cpu *cpus;
	bool irqs_known;
};

static struct cpus_cpu *cpu_of(struct rs_ctx *c, unsigned int cpu)
{
	struct cpus *s = c->state;

	return cpu < rs_nr_cpus(c) ? &s->cpus[cpu] : NULL;
}

static int cpus_init(struct rs_ctx *c)
{
	struct cpus *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

/* An interval of the CPU, or the part of it since the last reset. */
static void cpus_add(struct cpus_cpu *cpu, enum rs_state kind, uint64_t from_ns, uint64_t len_ns)
{
	uint64_t irq_ns = cpu->irq_in_ns == from_ns ? cpu->irq_now_ns : 0;

	/* a softirq that PREEMPT_RT preempted was longer than it was on the CPU */
	if (irq_ns > len_ns)
		irq_ns = len_ns;
	*(kind == RS_RUN ? &cpu->busy_ns : &cpu->idle_ns) += len_ns;
	*(kind == RS_RUN ? &cpu->busy_irq_ns : &cpu->idle_irq_ns) += irq_ns;
}

static void cpus_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct cpus_cpu *cpu = cpu_of(c, iv->cpu);

	if (!cpu || iv->discarded)
		return;
	cpus_add(cpu, iv->kind, iv->from_ns, rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns));
	if (iv->to_ns > cpu->last_ns) /* ended by a switch that is missing */
		cpu->last_ns = iv->to_ns;
}

static void cpus_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct cpus_cpu *cpu = cpu_of(c, irq->cpu);
	uint64_t open_ns, from_ns, part_ns;

	if (!cpu || rs_cpu_state(c, irq->cpu, &open_ns) == RS_UNKNOWN)
		return;
	from_ns = rs_last_event_ns(c) - open_ns;
	if (cpu->irq_in_ns != from_ns)
		cpu->irq_now_ns = 0;
	cpu->irq_in_ns = from_ns;
	part_ns = rs_part_ns(rs_since_ns(c), irq->from_ns, irq->to_ns);
	cpu->irq_now_ns += part_ns < irq->own_inside_ns ? part_ns : irq->own_inside_ns;
}

static void cpus_on_queue(struct rs_ctx *c, uint16_t cpu_nr, unsigned int depth, uint64_t ts_ns)
{
	struct cpus_cpu *cpu = cpu_of(c, cpu_nr);

	if (!cpu)
		return;
	cpu->depth_area = rs_add_area(cpu->depth_area, ts_ns - cpu->depth_since_ns, cpu->depth);
	cpu->depth_since_ns = ts_ns;
	cpu->depth = depth;
	if (depth > cpu->depth_max)
		cpu->depth_max = depth;
}

/* What waits is uncertain from here on: the queues are counted anew. */
static void cpus_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++)
		cpus_on_queue(c, (uint16_t)i, 0, rs_last_event_ns(c));
}

static void cpus_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct cpus_cpu *cpu = cpu_of(c, ev->cpu);

	if (!cpu)
		return;
	if (!cpu->switches++ && !cpu->first_ns)
		cpu->first_ns = ev->ts_ns;
	cpu->last_ns = ev->ts_ns;
}

enum { CPU, BUSY, IDLE, UNKNOWN, SWITCHES, RUNQ_MAX, RUNQ_AVG, UTIL, RUN, IRQ, FREE, NR_COLUMNS };

static const struct rs_column columns[] = {
	[CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, 0, 4, "the CPU" },
	[BUSY] = { "busy_ns", "BUSY(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		   "a task ran, between two switches" },
	[IDLE] = { "idle_ns", "IDLE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		   "nothing ran, between two switches" },
	[UNKNOWN] = { "unknown_ns", "UNKNOWN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		      "between two switches where events were lost, or a switch is missing (--exact)" },
	[SWITCHES] = { "switches", "SWITCHES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "sched_switch events" },
	[RUNQ_MAX] = { "runq_max", "RUNQ MAX", RS_TYPE_COUNT, 0, 0, 8, "most tasks that waited at once" },
	[RUNQ_AVG] = { "runq_avg", "RUNQ AVG", RS_TYPE_MILLI, 0, 0, 8,
		       "tasks that waited, averaged over time" },
	[UTIL] = { "util_pct", "UTIL%", RS_TYPE_MILLI, 0, 0, 7,
		   "busy of what is known; null where that is less than half of the time" },
	[RUN] = { "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		  "busy without its interrupts, as far as these are recorded" },
	[IRQ] = { "irq_ns", "IRQ(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		  "in interrupts and softirqs, busy or idle; null where they are not recorded" },
	[FREE] = { "free_ns", "FREE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
		   "idle without its interrupts" },
	{ 0 },
};

/* What the CPU is in now counts too: the row's parts sum to the interval. */
static struct cpus_cpu with_open(struct rs_ctx *c, unsigned int i)
{
	struct cpus_cpu cpu = ((const struct cpus *)c->state)->cpus[i];
	uint64_t now_ns = rs_last_event_ns(c), open_ns;
	enum rs_state state = rs_cpu_state(c, i, &open_ns);

	if (state != RS_UNKNOWN && !c->range_ended)
		cpus_add(&cpu, state, now_ns - open_ns, rs_part_ns(rs_since_ns(c), now_ns - open_ns, now_ns));
	cpu.first_ns = rs_since_ns(c);
	cpu.last_ns = now_ns;
	return cpu;
}

static void cpus_put_group(struct rs_ctx *c, unsigned int i, const struct cpus_cpu *cpu, struct rs_sink *out)
{
	const struct cpus *s = c->state;
	uint64_t known_ns = cpu->busy_ns + cpu->idle_ns, irq_ns = cpu->busy_irq_ns + cpu->idle_irq_ns;
	uint64_t all_ns = rs_last_event_ns(c) - rs_since_ns(c);
	uint64_t area = rs_add_area(cpu->depth_area, rs_last_event_ns(c) - cpu->depth_since_ns, cpu->depth);
	struct rs_value v[NR_COLUMNS];

	v[CPU] = rs_u(i);
	v[BUSY] = rs_u(cpu->busy_ns);
	v[IDLE] = rs_u(cpu->idle_ns);
	v[UNKNOWN] = rs_u(cpu->last_ns - cpu->first_ns - known_ns);
	v[SWITCHES] = rs_u(cpu->switches);
	v[RUNQ_MAX] = rs_u(cpu->depth_max);
	v[RUNQ_AVG] = rs_milli(area, rs_last_event_ns(c) - rs_since_ns(c), 1);
	v[UTIL] = known_ns >= all_ns / 2 ? rs_milli(cpu->busy_ns, known_ns, 100) : rs_null();
	v[RUN] = rs_u(cpu->busy_ns - cpu->busy_irq_ns);
	v[IRQ] = rs_u_if(s->irqs_known, irq_ns);
	v[FREE] = rs_u(cpu->idle_ns - cpu->idle_irq_ns);
	out->row(out, v);
}

static int cpus_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct cpus *s = c->state;

	s->irqs_known = rs_event_is_recorded(c, "irq", "irq_handler_entry") ||
			rs_event_is_recorded(c, "irq", "softirq_entry");
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		struct cpus_cpu cpu = q->count_open || c->range_ended ? with_open(c, i) : s->cpus[i];

		if (rs_cpu_is_shown(c, i))
			cpus_put_group(c, i, &cpu, out);
	}
	return 0;
}

/*
 * From here on what was open counts by its part. A CPU of which nothing was seen yet has nothing to count
 * from.
 */
static void cpus_reset(struct rs_ctx *c)
{
	struct cpus *s = c->state;
	uint64_t now_ns = rs_last_event_ns(c);

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		const struct cpus_cpu *old = &s->cpus[i];
		uint64_t open_ns,
			from_ns = old->last_ns || rs_cpu_state(c, i, &open_ns) != RS_UNKNOWN ? now_ns : 0;

		s->cpus[i] = (struct cpus_cpu){ .depth = old->depth, .depth_max = old->depth,
						.depth_since_ns = now_ns,
					   .first_ns = from_ns, .last_ns = from_ns,
					   .irq_in_ns = old->irq_in_ns };
	}
}

static void cpus_check_balance(struct rs_ctx *c, void (*invariant)(void *arg, const char *invariant,
								   int64_t imbalance),
			       void *arg)
{
	const struct cpus *s = c->state;
	uint64_t over = 0;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		const struct cpus_cpu *cpu = &s->cpus[i];

		if (cpu->busy_ns + cpu->idle_ns > cpu->last_ns - cpu->first_ns)
			over += cpu->busy_ns + cpu->idle_ns - (cpu->last_ns - cpu->first_ns);
	}
	invariant(arg, "cpus: busy + idle + unknown = first to last switch (ns)", (int64_t)over);
	over = 0;
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		struct cpus_cpu cpu = with_open(c, i);

		if (cpu.busy_ns + cpu.idle_ns > cpu.last_ns - cpu.first_ns)
			over += cpu.busy_ns + cpu.idle_ns - (cpu.last_ns - cpu.first_ns);
	}
	invariant(arg, "cpus: with what is open, busy + idle + unknown = the interval (ns)", (int64_t)over);
}

/* ---- what was lost, in a sentence ---- */

static const struct rs_rule rules[] = {
	{ "lost-events", "events were lost for much of the time", 5000, "%", "lacks",
	  "give the kernel a larger buffer (-b), or trace less",
	  .says = { "events: they were lost for {share} of the time", "{culprit} is too small (-b)" },
	  .view = "cpus",
	  .found =
		"The gaps in the events of all CPUs are added up: at least {least} of the time of the "
		"CPUs.",
	  .wrong =
		"The loss is certain, its length is not: a gap lasts from the last event before it to "
		"the first one after it. While this finding is there, others may be missing." },
	{ 0 },
};

/* Where events were lost, other rules know less, or nothing. */
static void cpus_put_findings(struct rs_ctx *c)
{
	uint64_t all_ns = (rs_last_event_ns(c) - rs_since_ns(c)) * rs_nr_cpus(c),
		 lost_ns = rs_gaps_ns(c) < all_ns ? rs_gaps_ns(c) : all_ns,
		 measured = all_ns ? rs_milli(lost_ns, all_ns, 100).u : 0;

	if (measured < rules->threshold)
		return;
	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .slots = RS_LIST(rs_slot, { "share", RS_SLOT_PERCENT, rs_u(measured / 1000) }),
		.cost_ns = lost_ns / rs_nr_cpus(c), .lost_ns = lost_ns / rs_nr_cpus(c),
		.victim = "the recording", .culprit = "the ring buffer", .measured = measured,
	});
}

const struct rs_analysis rs_analysis_cpus = {
	.abi = RS_ABI,
	.name = "cpus",
	.summary = "what the CPUs did",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_GAP, .gap = cpus_on_gap },
		{ RS_ON_INTERVAL, .interval = cpus_on_interval, .kinds = 1 << RS_RUN | 1 << RS_IDLE },
		{ RS_ON_IRQ, .irq = cpus_on_irq, .if_recorded = true },
		{ RS_ON_QUEUE, .queue = cpus_on_queue }),
	.requirements = RS_LIST(rs_requirement, { "sched", "sched_switch", RS_REQUIRED, RS_BY_ANYONE,
						  cpus_on_switch, { NULL } }),
	.views = RS_LIST(rs_view,
		{ .name = "cpus", .topic = RS_TOPIC_CPU,
		  .summary = "each CPU: busy, idle, and the tasks that waited for it",
		  .kind = RS_VIEW_TABLE,
		  .machine_wide = "all of it", .tasks_view = "sched",
		  .columns = columns, .sort = "cpu", .rows = cpus_put_rows,
		  .text_columns = "cpu,busy_ns,idle_ns,unknown_ns,switches,runq_max,runq_avg,util_pct",
		  .panel = &(const struct rs_panel){
			.kind = RS_PANEL_SPLIT, .title = "CPUs", .columns = "cpu,runq_avg,runq_max",
			.place = 1, .every = true,
			.parts = RS_LIST(rs_part, { "run_ns", RS_CAUSE_RUN }, { "irq_ns", RS_CAUSE_IRQ },
					 { "free_ns", RS_CAUSE_IDLE },
					 { "unknown_ns", RS_CAUSE_NOT_SEEN }),
		  } }),
	.requires_states = true,
	.state_size = sizeof(struct cpus),
	.begin = cpus_init,
	.reset = cpus_reset,
	.check = cpus_check_balance,
	.rules = rules,
	.findings = cpus_put_findings,
};
