// SPDX-License-Identifier: GPL-2.0-or-later
/* irqs - each interrupt line and softirq vector: how often, how long, and how long a softirq waited to begin */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ringside/group.h"
#include "ringside/plugin.h"

#define MAX_ROWS 16384 /* of sources times CPUs */
#define NR_SLOTS 64
#define NR_VECTORS 32  /* of which a raise is remembered: kernels have 10 */

/* What one source did on one CPU. */
struct row {
	struct row *chain;
	const struct rs_irq_source *source;
	uint16_t cpu;
	struct rs_hist lat, raise;
	uint64_t max_at_ns;
};

struct cpu {
	struct row *slots[NR_SLOTS];
	uint32_t raised;               /* bit n: vector n was raised, and has not begun since */
	uint64_t raise_ns[NR_VECTORS]; /* the first time */
};

struct irqs {
	struct cpu *cpus;
	unsigned int nr_rows;
	bool raises_known;
	const struct rs_irq_source *sources[RS_MAX_IRQ_SOURCES]; /* by their index: those on tracks */
};

static int begin(struct rs_ctx *c)
{
	struct irqs *s = c->state;

	s->cpus = calloc(rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

static struct row *row_of(struct rs_ctx *c, const struct rs_irq_source *source, uint16_t cpu)
{
	struct irqs *s = c->state;
	struct row **at = &s->cpus[cpu].slots[source->index % NR_SLOTS];

	while (*at && (*at)->source != source)
		at = &(*at)->chain;
	if (!*at && s->nr_rows < MAX_ROWS && (*at = calloc(1, sizeof **at))) {
		s->nr_rows++;
		(*at)->source = source;
		(*at)->cpu = cpu;
		rs_hist_init(&(*at)->lat);
		rs_hist_init(&(*at)->raise);
	}
	return *at;
}

/* Interrupts are nobody's; under -p, -t and -c those that hit the tasks named. Those that hit ringside count. */
static bool is_shown(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_shown(c, NULL) || (t && rs_shown(c, t));
}

/* ---- on the CPU's track, within the stint of the task that it interrupts: .arg is the source's index ---- */

static const char *source_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const struct irqs *s = c->state;
	const struct rs_irq_source *source = arg < RS_MAX_IRQ_SOURCES ? s->sources[arg] : NULL;

	if (!source || source->name[0])
		return source ? source->name : NULL;
	snprintf(buf, size_bytes, "%s %u", rs_irq_kind_name(source->kind), source->nr);
	return buf;
}

static const struct rs_column span_columns[] = {
	{ "id", "ID", RS_TYPE_ID, 0, 0, 0, "number of the line, or of the vector" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "whom it interrupted" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "likewise; null: nobody" },
	{ 0 },
};

static const struct rs_span_kind spans[] = {
	[RS_HARDIRQ] = { .name = "irq", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE, .label = source_label, .columns = span_columns,
			 .rate = "interrupts", .worst = "interrupt" },
	[RS_SOFTIRQ] = { .name = "softirq", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE, .label = source_label, .columns = span_columns,
			 .worst = "softirq" },
	{ 0 },
};

static void lay_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct irqs *s = c->state;
	struct rs_value values[] = {
		rs_u(irq->source->nr), rs_s(irq->task ? irq->task->comm : NULL), rs_u_if(irq->task, irq->task ? (uint64_t)irq->task->tid : 0),
	};

	s->sources[irq->source->index] = irq->source;
	rs_lay(c, irq->source->kind, &(struct rs_span){ .id = irq->cpu, .start_ns = irq->from_ns, .end_ns = irq->to_ns,
							.arg = irq->source->index, .values = values });
}

static void on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	uint64_t len_ns = irq->to_ns - irq->from_ns;
	struct row *row;

	if (!is_shown(c, irq->task))
		return;
	if (rs_laying(c) && !irq->in_flight)
		lay_irq(c, irq);
	row = row_of(c, irq->source, irq->cpu);
	if (!row) {
		rs_count_evicted(c);
		return;
	}
	if (!irq->in_flight && (!row->lat.nr || len_ns > row->lat.max))
		row->max_at_ns = irq->from_ns;
	rs_latency_add(c, &row->lat, irq->from_ns, irq->to_ns, irq->in_flight);
}

/* ---- raise to entry, by CPU and vector ---- */

/* Raised again before it has begun: it waits since the first time. */
static void on_raise(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct irqs *s = c->state;
	struct cpu *cpu = &s->cpus[ev->cpu];
	uint64_t vec = rs_u64(ev, &f[0]);

	if (vec >= NR_VECTORS || cpu->raised >> vec & 1)
		return;
	cpu->raised |= 1u << vec;
	cpu->raise_ns[vec] = ev->ts_ns;
}

static void on_softirq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct irqs *s = c->state;
	struct cpu *cpu = &s->cpus[ev->cpu];
	uint64_t vec = rs_u64(ev, &f[0]);
	const struct rs_irq_source *source;
	struct row *row;

	if (vec >= NR_VECTORS || !(cpu->raised >> vec & 1))
		return;
	cpu->raised &= ~(1u << vec);
	source = is_shown(c, ev->task) ? rs_softirq_source(c, (uint32_t)vec) : NULL;
	row = source ? row_of(c, source, ev->cpu) : NULL;
	if (row)
		rs_hist_add(&row->raise, ev->ts_ns - cpu->raise_ns[vec]);
}

/* What was raised on that CPU may have begun in its gap. */
static void on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct irqs *s = c->state;
	struct cpu *cpu = gap->cpu < rs_nr_cpus(c) ? &s->cpus[gap->cpu] : NULL;

	for (; cpu && cpu->raised; cpu->raised &= cpu->raised - 1)
		rs_count_voided(c);
}

static uint64_t in_flight(struct rs_ctx *c)
{
	const struct irqs *s = c->state;
	uint64_t nr = 0;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++)
		nr += (uint64_t)__builtin_popcount(s->cpus[i].raised);
	return nr;
}

static const struct rs_want wants[] = {
	{ "irq", "softirq_raise", RS_OPTIONAL, RS_BY_ANYONE, on_raise, { "vec" } },
	{ "irq", "softirq_entry", RS_REQUIRED, RS_BY_ANYONE, on_softirq_entry, { "vec" } },
	{ 0 },
};

/* ---- rows ---- */

enum { KIND, ID, NAME, CPU, COUNT, TOTAL, AVG, P50, P99, MAX, MAX_AT, RAISES, RAISE_P99, RAISE_MAX, NR_COLUMNS };

static const struct rs_column columns[] = {
	[KIND] = { "kind", "KIND", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 7, "irq: a handler of an interrupt line; softirq: a vector" },
	[ID] = { "id", "ID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "number of the line, or of the vector" },
	[NAME] = { "name", "NAME", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 20, "the handler's device, the vector's name" },
	[CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "the CPU, under --by cpu; null: all of them" },
	[COUNT] = { "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "times that it ran" },
	[TOTAL] = { "total_ns", "TOTAL(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12, "entry to exit, what interrupted it included" },
	[AVG] = { "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "average" },
	[P50] = { "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "half of the times it took at most this" },
	[P99] = { "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "99 % took at most this" },
	[MAX] = { "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 9, "longest" },
	[MAX_AT] = { "max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the longest began" },
	[RAISES] = { "raise_delays", "RAISED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "times that a softirq was raised and then began; null: it is none, or not recorded" },
	[RAISE_P99] = { "raise_delay_p99_ns", "RAISEp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12, "99 % of the softirqs began at most this after they were raised" },
	[RAISE_MAX] = { "raise_delay_max_ns", "RAISEmax(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12, "longest time from being raised to its begin" },
	{ 0 },
};

/* By which columns rows are kept apart. */
struct keys {
	bool is_key[NR_COLUMNS];
};

static struct keys keys_of(const struct rs_query *q)
{
	struct keys keys = { .is_key = { [KIND] = !q->nr_by, [ID] = !q->nr_by, [NAME] = !q->nr_by } };

	for (unsigned int i = 0; i < q->nr_by; i++)
		for (int column = KIND; column <= CPU; column++)
			keys.is_key[column] |= !strcmp(q->by[i], columns[column].name);
	return keys;
}

struct group {
	const struct row *first;
	struct rs_hist lat, raise;
	uint64_t max_at_ns;
	bool softirq; /* any of them is one */
};

static struct group *group_of(struct rs_groups *groups, const struct keys *keys, const struct row *row)
{
	struct rs_group_key key = { .len = 0 };
	struct group *g;

	if (keys->is_key[KIND])
		rs_group_key_u64(&key, row->source->kind);
	if (keys->is_key[ID])
		rs_group_key_u64(&key, row->source->nr);
	if (keys->is_key[NAME])
		rs_group_key_str(&key, row->source->name);
	if (keys->is_key[CPU])
		rs_group_key_u64(&key, row->cpu);
	g = rs_groups_get(groups, &key);
	if (g && !g->first) {
		g->first = row;
		rs_hist_init(&g->lat);
		rs_hist_init(&g->raise);
	}
	return g;
}

static void merge_row(struct rs_groups *groups, const struct keys *keys, const struct row *row)
{
	struct group *g = group_of(groups, keys, row);

	if (!g)
		return;
	if (row->lat.nr && (!g->lat.nr || row->lat.max > g->lat.max))
		g->max_at_ns = row->max_at_ns;
	rs_hist_merge(&g->lat, &row->lat);
	rs_hist_merge(&g->raise, &row->raise);
	g->softirq |= row->source->kind == RS_SOFTIRQ;
}

static void show(const struct irqs *s, const struct keys *keys, const struct group *g, struct rs_sink *out)
{
	const struct rs_irq_source *source = g->first->source;
	const struct rs_hist *h = &g->lat, *raise = &g->raise;
	struct rs_value v[NR_COLUMNS];

	v[KIND] = keys->is_key[KIND] ? rs_s(rs_irq_kind_name(source->kind)) : rs_null();
	v[ID] = rs_u_if(keys->is_key[ID], source->nr);
	v[NAME] = keys->is_key[NAME] ? rs_s(source->name) : rs_null();
	v[CPU] = rs_u_if(keys->is_key[CPU], g->first->cpu);
	v[COUNT] = rs_u(rs_hist_nr_begun(h));
	v[TOTAL] = rs_u(rs_hist_sum_inside(h));
	v[AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[P50] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 500) : 0);
	v[P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[MAX] = rs_u_if(h->nr, h->max);
	v[MAX_AT] = rs_u_if(h->nr, g->max_at_ns);
	v[RAISES] = rs_u_if(g->softirq && s->raises_known, raise->nr);
	v[RAISE_P99] = rs_u_if(raise->nr, raise->nr ? rs_hist_quantile(raise, 990) : 0);
	v[RAISE_MAX] = rs_u_if(raise->nr, raise->max);
	out->row(out, v);
}

static bool asked_for(const struct rs_query *q, const struct row *row)
{
	return (!rs_hist_is_empty(&row->lat) || row->raise.nr) && rs_pattern_matches(q->type, rs_irq_kind_name(row->source->kind));
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct irqs *s = c->state;
	struct keys keys = keys_of(q);
	struct rs_groups *groups = rs_groups_new(sizeof(struct group));

	if (!groups)
		return;
	s->raises_known = rs_event_is_recorded(c, "irq", "softirq_raise");
	for (unsigned int cpu = 0; cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int i = 0; i < NR_SLOTS; i++)
			for (const struct row *row = s->cpus[cpu].slots[i]; row; row = row->chain)
				if (asked_for(q, row))
					merge_row(groups, &keys, row);
	for (struct group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		show(s, &keys, g, out);
		rs_hist_done(&g->lat);
		rs_hist_done(&g->raise);
	}
	rs_groups_free(groups);
}

/* A fifth of a CPU for one source: a network at full speed, or a device that does not stop. */
#define LEAST_OF_CPU 200

static void judge(const struct group *g, uint64_t epoch_ns, struct rs_finding_sink *out)
{
	const struct rs_irq_source *s = g->first->source;
	uint64_t of_cpu = rs_milli(rs_hist_sum_inside(&g->lat), epoch_ns, 1).u;
	char text[160], where[64];
	const struct rs_evidence evidence[] = { { "irqs", NULL, where, NULL }, { "irqvictims", NULL, NULL, NULL }, { "cpus", NULL, NULL, NULL }, { 0 } };

	if (of_cpu < LEAST_OF_CPU)
		return;
	snprintf(text, sizeof text, "%s %u %s takes %u %% of a CPU", s->kind == RS_HARDIRQ ? "interrupt" : "softirq", s->nr, s->name,
		 (unsigned int)(of_cpu / 10));
	snprintf(where, sizeof where, "kind == %s && id == %u", rs_irq_kind_name(s->kind), s->nr);
	out->finding(out, &(struct rs_finding){ .weight = of_cpu < 1000 ? (unsigned int)of_cpu : 1000, .text = text, .view = "irqs",
						.where = where, .evidence = evidence });
}

static void findings(struct rs_ctx *c, struct rs_finding_sink *out)
{
	const struct irqs *s = c->state;
	const struct keys keys = keys_of(&(struct rs_query){ .nr_by = 0 });
	uint64_t epoch_ns = rs_judged_ns(c);
	struct rs_groups *groups = epoch_ns ? rs_groups_new(sizeof(struct group)) : NULL;

	for (unsigned int cpu = 0; groups && cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int i = 0; i < NR_SLOTS; i++)
			for (const struct row *row = s->cpus[cpu].slots[i]; row; row = row->chain)
				if (!rs_hist_is_empty(&row->lat))
					merge_row(groups, &keys, row);
	for (struct group *g = groups ? rs_groups_next(groups, NULL) : NULL; g; g = rs_groups_next(groups, g)) {
		judge(g, epoch_ns, out);
		rs_hist_done(&g->lat);
		rs_hist_done(&g->raise);
	}
	rs_groups_free(groups);
}

static void reset(struct rs_ctx *c)
{
	const struct irqs *s = c->state;

	for (unsigned int cpu = 0; cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int i = 0; i < NR_SLOTS; i++)
			for (struct row *row = s->cpus[cpu].slots[i]; row; row = row->chain) {
				rs_hist_clear(&row->lat);
				rs_hist_clear(&row->raise);
			}
}

static void done(struct rs_ctx *c)
{
	struct irqs *s = c->state;
	struct row *next;

	for (unsigned int cpu = 0; s->cpus && cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int i = 0; i < NR_SLOTS; i++)
			for (struct row *row = s->cpus[cpu].slots[i]; row; row = next) {
				next = row->chain;
				rs_hist_done(&row->lat);
				rs_hist_done(&row->raise);
				free(row);
			}
	free(s->cpus);
}

static const struct rs_lengths lengths[] = {
	{ "total_ns,avg_ns,p50_ns,p99_ns,max_ns", .kind_column = "kind", .label_column = "name" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "irqs", .summary = "each interrupt line and softirq: how often and how long", .kind = RS_VIEW_TABLE,
	  .columns = columns, .options = "by,type", .types = "irq,softirq", .sort = "-total_ns", .rows = rows, .lengths = lengths,
	  .text_columns = "kind,id,name,count,total_ns,avg_ns,p99_ns,max_ns,raise_delay_p99_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_irqs = {
	.abi = RS_ABI,
	.name = "irqs",
	.summary = "what interrupts and softirqs did",
	.wants = wants,
	.views = views,
	.spans = spans,
	.state_size = sizeof(struct irqs),
	.begin = begin,
	.irq = on_irq,
	.gap = on_gap,
	.in_flight = in_flight,
	.reset = reset,
	.findings = findings,
	.done = done,
};
