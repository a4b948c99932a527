// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine's own handlers: interrupts and softirqs. */
#include "engine/internal.h"

static void irq_events_notify(void *arg, const struct rs_irq *irq)
{
	struct rs_session *s = arg;

	for (unsigned int i = 0; i < s->nr_on_irq; i++)
		s->on_irq[i]->analysis->irq(&s->on_irq[i]->ctx, irq);
}

int rs_irqs_begin(struct rs_session *s)
{
	s->irqs.on_irq = irq_events_notify;
	s->irqs.arg = s;
	rs_formats_softirq_names(s->formats, s->irqs.softirq_names, RS_MAX_SOFTIRQS);
	return rs_irqs_init(&s->irqs, &s->states);
}

enum { IRQ_NR, IRQ_NAME };

static struct rs_irq_key irq_key(const struct rs_event *ev, const struct rs_field *f, enum rs_irq_kind kind)
{
	return (struct rs_irq_key){ .kind = kind, .nr = (uint32_t)rs_u64(ev, &f[IRQ_NR]), .tid = ev->tid };
}

static void on_irq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_irqs *q = &c->session->irqs;
	struct rs_irq_key key = irq_key(ev, f, RS_HARDIRQ);
	char name[RS_IRQ_NAME_LEN];

	rs_str(ev, &f[IRQ_NAME], name, sizeof name);
	rs_irqs_entry(q, ev->cpu, key, rs_irqs_source(q, key.kind, key.nr, name), ev->ts_ns);
}

static void on_irq_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_irqs_exit(&c->session->irqs, ev->cpu, irq_key(ev, f, RS_HARDIRQ), ev->task, ev->ts_ns);
}

static void irq_events_on_softirq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_irqs *q = &c->session->irqs;
	struct rs_irq_key key = irq_key(ev, f, RS_SOFTIRQ);

	rs_irqs_entry(q, ev->cpu, key, rs_irqs_source(q, key.kind, key.nr, NULL), ev->ts_ns);
}

static void on_softirq_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_irqs_exit(&c->session->irqs, ev->cpu, irq_key(ev, f, RS_SOFTIRQ), ev->task, ev->ts_ns);
}

/* Which handler of a shared line it is only the entry tells. */
static const struct rs_requirement irq_wants[] = {
	{ "irq", "irq_handler_entry", RS_REQUIRED, RS_BY_ANYONE, on_irq_entry, { "irq", "name" } },
	{ "irq", "irq_handler_exit", RS_REQUIRED, RS_BY_ANYONE, on_irq_exit, { "irq" } },
	{ "irq", "softirq_entry", RS_REQUIRED, RS_BY_ANYONE, irq_events_on_softirq_entry, { "vec" } },
	{ "irq", "softirq_exit", RS_REQUIRED, RS_BY_ANYONE, on_softirq_exit, { "vec" } },
	{ 0 },
};

const struct rs_analysis rs_engine_irqs = { .abi = RS_ABI, .name = "irqs", .requirements = irq_wants };
