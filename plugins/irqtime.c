// SPDX-License-Identifier: GPL-2.0-or-later
/* irqtime - for each task: what interrupts and softirqs took from it while it was on a CPU */
#include <stdio.h>

#include "ringside/plugin.h"

/* .slowest is of a struct rs_irq_source */
struct irqtime_row {
	uint64_t irqs, irq_ns, softirqs, softirq_ns;
	struct rs_peak slowest;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct irqtime_row), .in_task = true, .stays_with_thread = true,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct irqtime_row, irqs, softirq_ns),
		{ RS_MEASURE_PEAK, offsetof(struct irqtime_row, slowest) }) },
	{ 0 },
};

/*
 * A softirq in there is the very work of that thread: it takes it from others.
 * PREEMPT_RT has a second such thread on each CPU, for timers.
 */
static bool is_softirq_thread(const struct rs_task *t)
{
	return t->comm[0] == 'k' &&
	       (!strncmp(t->comm, "ksoftirqd/", 10) || !strncmp(t->comm, "ktimers/", 8) ||
		!strncmp(t->comm, "ktimersoftd/", 12));
}

/*
 * Each nanosecond is one interrupt's alone: where an interrupt came into a
 * softirq, what it took is not the softirq's too.
 */
static void irqtime_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	bool begun = irq->from_ns >= c->range_from_ns, hard = irq->source->kind == RS_HARDIRQ;
	struct irqtime_row *row;

	if (!irq->task || (!hard && is_softirq_thread(irq->task)))
		return;
	row = rs_task_data(c, irq->task);
	*(hard ? &row->irqs : &row->softirqs) += begun;
	*(hard ? &row->irq_ns : &row->softirq_ns) += irq->own_inside_ns;
	if (!irq->in_flight)
		rs_peak_add(&row->slowest, irq->from_ns, irq->own_ns, irq->source);
}

static struct rs_value irqtime_show_total(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct irqtime_row *row = g->row;

	return rs_u(row->irq_ns + row->softirq_ns);
}

static struct rs_value irqtime_show_slowest(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_irq_source *source = ((const struct irqtime_row *)g->row)->slowest.of;

	if (!source)
		return rs_null();
	snprintf(buf, RS_CELL_TEXT_BYTES, "%s %u%s%s", rs_irq_kind_name(source->kind), source->nr,
		 source->name[0] ? " " : "", source->name);
	return rs_s(buf);
}

#define IRQTIME_SLOWEST .measure_bytes = offsetof(struct irqtime_row, slowest), .aspect
#define IRQTIME_SUM(member) .measure_bytes = offsetof(struct irqtime_row, member), .aspect = RS_VALUE

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "irq_ns", "IRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12,
	  "handlers of interrupts that ran in its place", IRQTIME_SUM(irq_ns) },
	{ "softirq_ns", "SOFTIRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12,
	  "softirqs that ran in its place, less the interrupts within", IRQTIME_SUM(softirq_ns) },
	{ "total_ns", "TOTAL(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12,
	  "both: time that it was on a CPU and did not run", .cell = irqtime_show_total },
	{ "worst_id", "WORST", RS_TYPE_TEXT, 0, 0, 24, "which took the most at once: kind, number, name",
	  .cell = irqtime_show_slowest },
	{ "worst_ns", "WORST(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
	  "how much that was",
	  IRQTIME_SLOWEST = RS_PEAK },
	{ "worst_at_ns", "WORST AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when that began",
	  IRQTIME_SLOWEST = RS_PEAK_AT },
	{ "irqs", "IRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that an interrupt's handler came",
	  IRQTIME_SUM(irqs) },
	{ "softirqs", "SOFTIRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that a softirq came",
	  IRQTIME_SUM(softirqs) },
	{ 0 },
};

const struct rs_analysis rs_analysis_irqtime = {
	.abi = RS_ABI,
	.name = "irqtime",
	.summary = "whom interrupts hit",
	.callbacks = RS_LIST(rs_callback, { RS_ON_IRQ, .irq = irqtime_on_irq }),
	.views = RS_LIST(rs_view,
		{ .name = "irqtime", .topic = RS_TOPIC_CPU, .old_name = "irqvictims",
		  .summary = "each task: what interrupts took from it while it was on a CPU",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns, .options = "by", .sort = "-total_ns", .store = stores,
		  .by = "comm,pid,tid",
		  .text_columns = "comm,tid,irqs,irq_ns,softirqs,softirq_ns,total_ns,worst_id,worst_ns" }),
	.stores = stores,
};
