// SPDX-License-Identifier: GPL-2.0-or-later
/* irqvictims - for each task: what interrupts and softirqs took from it while it was on a CPU */
#include <stdio.h>

#include "ringside/by.h"

struct losses {
	uint64_t irqs, irq_ns, softirqs, softirq_ns;
	uint64_t worst_ns, worst_at_ns;
	const struct rs_irq_source *worst; /* NULL: there was none */
};

struct irqvictims {
	struct losses rest; /* of tasks that were evicted */
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
static void on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	bool begun = irq->from_ns >= c->range_from_ns;
	struct losses *l;

	if (!irq->task)
		return;
	l = rs_task_data(c, irq->task);
	if (irq->source->kind == RS_HARDIRQ) {
		l->irqs += begun;
		l->irq_ns += irq->own_inside_ns;
	} else if (!is_softirq_thread(irq->task)) {
		l->softirqs += begun;
		l->softirq_ns += irq->own_inside_ns;
	} else {
		return;
	}
	if (irq->in_flight)
		return;
	if (!l->worst || irq->own_ns > l->worst_ns) {
		l->worst = irq->source;
		l->worst_ns = irq->own_ns;
		l->worst_at_ns = irq->from_ns;
	}
}

static void add(struct losses *into, const struct losses *from)
{
	into->irqs += from->irqs;
	into->irq_ns += from->irq_ns;
	into->softirqs += from->softirqs;
	into->softirq_ns += from->softirq_ns;
	if (from->worst && (!into->worst || from->worst_ns > into->worst_ns)) {
		into->worst = from->worst;
		into->worst_ns = from->worst_ns;
		into->worst_at_ns = from->worst_at_ns;
	}
}

enum { COMM, PID, TID, IRQ_NS, SOFTIRQ_NS, TOTAL_NS, WORST_ID, WORST_NS, WORST_AT, IRQS, SOFTIRQS, NR_COLUMNS };

static const struct rs_column columns[] = {
	RS_BY_COLUMNS,
	[IRQ_NS] = { "irq_ns", "IRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "handlers of interrupts that ran in its place" },
	[SOFTIRQ_NS] = { "softirq_ns", "SOFTIRQ(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "softirqs that ran in its place, less the interrupts within" },
	[TOTAL_NS] = { "total_ns", "TOTAL(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_SUM, 12, "both: time that it was on a CPU and did not run" },
	[WORST_ID] = { "worst_id", "WORST", RS_TYPE_TEXT, 0, 0, 24, "which took the most at once: kind, number, name" },
	[WORST_NS] = { "worst_ns", "WORST(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 10, "how much that was" },
	[WORST_AT] = { "worst_at_ns", "WORST AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when that began" },
	[IRQS] = { "irqs", "IRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that an interrupt's handler came" },
	[SOFTIRQS] = { "softirqs", "SOFTIRQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that a softirq came" },
	{ 0 },
};

struct group {
	struct rs_who who;       /* first */
	struct losses losses;
};

static bool is_empty(const struct losses *l)
{
	return !l->worst && !l->irqs && !l->softirqs && !l->irq_ns && !l->softirq_ns;
}

/* t NULL: the rest */
static void merge_task(struct rs_ctx *c, const struct rs_by *by, struct rs_groups *groups, const struct rs_task *t,
		       const struct losses *l)
{
	struct group *g;

	if (is_empty(l) || (t && !rs_shown(c, t)))
		return;
	g = rs_by_group(by, c, groups, t);
	if (!g)
		return;
	add(&g->losses, l);
}

static void show(const struct rs_by *by, const struct group *g, struct rs_sink *out)
{
	const struct losses *l = &g->losses;
	struct rs_value v[NR_COLUMNS];
	char id[RS_IRQ_NAME_LEN + 32] = "";

	if (l->worst)
		snprintf(id, sizeof id, "%s %u%s%s", rs_irq_kind_name(l->worst->kind), l->worst->nr,
		 l->worst->name[0] ? " " : "", l->worst->name);
	rs_by_values(by, &g->who, v);
	v[IRQ_NS] = rs_u(l->irq_ns);
	v[SOFTIRQ_NS] = rs_u(l->softirq_ns);
	v[TOTAL_NS] = rs_u(l->irq_ns + l->softirq_ns);
	v[WORST_ID] = rs_s(id);
	v[WORST_NS] = rs_u_if(l->worst, l->worst_ns);
	v[WORST_AT] = rs_u_if(l->worst, l->worst_at_ns);
	v[IRQS] = rs_u(l->irqs);
	v[SOFTIRQS] = rs_u(l->softirqs);
	out->row(out, v);
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct rs_by by = rs_by_of(q, (struct rs_by){ .comm = true, .pid = true, .tid = true });
	struct rs_groups *groups = rs_groups_new(sizeof(struct group));
	const struct irqvictims *s = c->state;

	if (!groups)
		return;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		merge_task(c, &by, groups, t, rs_task_data(c, t));
	merge_task(c, &by, groups, NULL, &s->rest);
	for (struct group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g))
		show(&by, g, out);
	rs_groups_free(groups);
}

static void evict(struct rs_ctx *c, struct rs_task *t)
{
	struct irqvictims *s = c->state;

	if (rs_shown(c, t))
		add(&s->rest, rs_task_data(c, t));
}

static void reset(struct rs_ctx *c)
{
	struct irqvictims *s = c->state;

	s->rest = (struct losses){ 0 };
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		*(struct losses *)rs_task_data(c, t) = (struct losses){ 0 };
}

static const struct rs_view views[] = {
	{ .name = "irqvictims", .summary = "each task: what interrupts took from it while it was on a CPU", .kind = RS_VIEW_TABLE,
	  .columns = columns, .options = "by", .sort = "-total_ns", .rows = rows,
	  .text_columns = "comm,tid,irqs,irq_ns,softirqs,softirq_ns,total_ns,worst_id,worst_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_irqvictims = {
	.abi = RS_ABI,
	.name = "irqvictims",
	.summary = "whom interrupts hit",
	.views = views,
	.state_size = sizeof(struct irqvictims),
	.task_size = sizeof(struct losses),
	.irq = on_irq,
	.task_evict = evict,
	.reset = reset,
};
