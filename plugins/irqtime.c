// SPDX-License-Identifier: GPL-2.0-or-later
/* irqtime - for each task: what interrupts and softirqs took from it while it was on a CPU */
#include <stdio.h>

#include "ringside/group-by.h"

struct irqtime_slowest {
	uint64_t ns, at_ns;
	const struct rs_irq_source *source; /* NULL: there was none */
};

struct losses {
	uint64_t irqs, irq_ns, softirqs, softirq_ns;
	struct irqtime_slowest slowest;
};

static void irqtime_merge_worst(void *into, const void *from)
{
	const struct irqtime_slowest *w = from;
	struct irqtime_slowest *to = into;

	if (w->source && (!to->source || w->ns > to->ns))
		*to = *w;
}

static const struct rs_measure measures[] = {
	{ RS_MEASURE_SUM, offsetof(struct losses, irqs) },
	{ RS_MEASURE_SUM, offsetof(struct losses, irq_ns) },
	{ RS_MEASURE_SUM, offsetof(struct losses, softirqs) },
	{ RS_MEASURE_SUM, offsetof(struct losses, softirq_ns) },
	{ RS_MEASURE_OTHER, offsetof(struct losses, slowest), irqtime_merge_worst },
	{ 0 },
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct losses), .measures = measures, .of_tasks = true, .stays_with_thread = true, .most_rows = 65536 },
	{ 0 },
};

/*
 * A softirq in there is the very work of that thread: it takes it from others.
 * PREEMPT_RT has a second such thread on each CPU, for timers.
 */
static bool is_softirq_thread(const struct rs_task *t)
{
	return t->comm[0] == 'k' && (!strncmp(t->comm, "ksoftirqd/", 10) || !strncmp(t->comm, "ktimers/", 8) ||
				     !strncmp(t->comm, "ktimersoftd/", 12));
}

/*
 * Each nanosecond is one interrupt's alone: where an interrupt came into a
 * softirq, what it took is not the softirq's too.
 */
static void irqtime_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	bool begun = irq->from_ns >= c->range_from_ns, hard = irq->source->kind == RS_HARDIRQ;
	struct losses *l = irq->task && (hard || !is_softirq_thread(irq->task)) ? rs_store_row(c, 0, irq->task, 0, 0) : NULL;

	if (!l)
		return;
	*(hard ? &l->irqs : &l->softirqs) += begun;
	*(hard ? &l->irq_ns : &l->softirq_ns) += irq->own_inside_ns;
	if (!irq->in_flight)
		irqtime_merge_worst(&l->slowest, &(struct irqtime_slowest){ irq->own_ns, irq->from_ns,
									    irq->source });
}

static struct rs_value irqtime_show_total(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct losses *l = g->row;

	return rs_u(l->irq_ns + l->softirq_ns);
}

static struct rs_value irqtime_show_worst(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_irq_source *source = ((const struct losses *)g->row)->slowest.source;

	if (!source)
		return rs_null();
	snprintf(buf, RS_CELL_TEXT_BYTES, "%s %u%s%s", rs_irq_kind_name(source->kind), source->nr, source->name[0] ? " " : "", source->name);
	return rs_s(buf);
}

static struct rs_value irqtime_show_worst_ns(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct irqtime_slowest *slowest = &((const struct losses *)g->row)->slowest;

	return rs_u_if(slowest->source, slowest->ns);
}

static struct rs_value irqtime_show_worst_at(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct irqtime_slowest *slowest = &((const struct losses *)g->row)->slowest;

	return rs_u_if(slowest->source, slowest->at_ns);
}

#define IRQTIME_SUM(member) .measure_bytes = offsetof(struct losses, member), .aspect = RS_VALUE

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "irq_ns", "IRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "handlers of interrupts that ran in its place", IRQTIME_SUM(irq_ns) },
	{ "softirq_ns", "SOFTIRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "softirqs that ran in its place, less the interrupts within", IRQTIME_SUM(softirq_ns) },
	{ "total_ns", "TOTAL(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "both: time that it was on a CPU and did not run", .cell = irqtime_show_total },
	{ "worst_id", "WORST", RS_TYPE_TEXT, 0, 0, 24, "which took the most at once: kind, number, name", .cell = irqtime_show_worst },
	{ "worst_ns", "WORST(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 10, "how much that was", .cell = irqtime_show_worst_ns },
	{ "worst_at_ns", "WORST AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when that began", .cell = irqtime_show_worst_at },
	{ "irqs", "IRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that an interrupt's handler came", IRQTIME_SUM(irqs) },
	{ "softirqs", "SOFTIRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that a softirq came", IRQTIME_SUM(softirqs) },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "irqvictims", .summary = "each task: what interrupts took from it while it was on a CPU", .kind = RS_VIEW_TABLE,
	  .columns = columns, .options = "by", .sort = "-total_ns", .store = stores, .by = "comm,pid,tid",
	  .text_columns = "comm,tid,irqs,irq_ns,softirqs,softirq_ns,total_ns,worst_id,worst_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_irqtime = {
	.abi = RS_ABI,
	.name = "irqvictims",
	.summary = "whom interrupts hit",
	.views = views,
	.stores = stores,
	.irq = irqtime_on_irq,
};
