// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * irq-events - interrupts and softirqs from entry to exit, by SEMANTICS "Irq, softirq"
 *
 * They nest on their CPU: an interrupt comes into a softirq. On PREEMPT_RT a task that is preempted in a
 * softirq leaves it in flight under another task's, so an exit belongs to the last entry of the same number
 * in the same task.
 */
#include "engine/match/irq-events.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/matcher.h"
#include "engine/observer.h"
#include "engine/task-table.h"

/* ---- the sources: each handler of an interrupt line, each softirq vector ---- */

struct rs_irq_source_entry {
	struct rs_map_node node;
	struct rs_irq_source_entry *next;
	struct rs_irq_source source;
};

int rs_irq_events_init(struct rs_irq_sources *q)
{
	return rs_map_init(&q->by_line, 64) ? 0 : -1;
}

void rs_irq_events_done(struct rs_irq_sources *q)
{
	struct rs_irq_source_entry *next;

	for (; q->entries; q->entries = next) {
		next = q->entries->next;
		free(q->entries);
	}
	rs_map_done(&q->by_line);
}

/* A hostile file gives a line many names. */
#define MAX_NAMES 64

const struct rs_irq_source *rs_irq_events_source(struct rs_irq_sources *q, enum rs_irq_kind kind, uint32_t nr,
						 const char *name)
{
	uint64_t hash = rs_hash_u64((uint64_t)kind << 32 | nr);
	struct rs_irq_source_entry *e;
	unsigned int nr_names = 0;

	if (kind == RS_SOFTIRQ)
		name = nr < RS_MAX_SOFTIRQS ? q->softirq_names[nr] : "";
	for (struct rs_map_node *n = rs_map_find(&q->by_line, hash); n; n = rs_map_find_next(n), nr_names++) {
		e = RS_MAP_ENTRY(n, struct rs_irq_source_entry, node);
		if (!strcmp(e->source.name, name))
			return &e->source;
	}
	if (nr_names == MAX_NAMES || q->nr == RS_MAX_IRQ_SOURCES || !(e = malloc(sizeof *e)))
		return NULL;
	*e = (struct rs_irq_source_entry){ .next = q->entries,
					   .source = { .kind = kind, .nr = nr, .index = q->nr++ } };
	snprintf(e->source.name, sizeof e->source.name, "%s", name);
	q->entries = e;
	rs_map_add(&q->by_line, &e->node, hash);
	return &e->source;
}

/* ---- matching ---- */

struct irq_begun {
	struct rs_begun begun;              /* key: irq_key */
	const struct rs_irq_source *source; /* NULL: no room for one more */
	uint64_t inner_ns;                  /* of what interrupted it and ended */
	uint64_t own_before_ns;             /* its own part before the time range */
};

/* From the highest bit: the task in whose context it is, the kind, the number of the line or vector. */
#define IRQ_NR_BITS 32
#define IRQ_KIND_BIT (UINT64_C(1) << IRQ_NR_BITS)
#define IRQ_SOURCE_BITS (2 * IRQ_KIND_BIT - 1)

static uint64_t irq_key(const struct rs_event *ev, const struct rs_field *f, enum rs_irq_kind kind)
{
	return (uint64_t)(uint32_t)ev->tid << (IRQ_NR_BITS + 1) | (kind == RS_SOFTIRQ ? IRQ_KIND_BIT : 0) |
	       (uint32_t)rs_u64(ev, f);
}

static bool irq_is_hardirq(uint64_t key)
{
	return !(key & IRQ_KIND_BIT);
}

static bool irq_is_same_task(uint64_t key, uint64_t other)
{
	return key >> (IRQ_NR_BITS + 1) == other >> (IRQ_NR_BITS + 1);
}

/*
 * Has it ended before an entry of this key? The handlers of a line run one after the other, and no CPU
 * handles a line within itself. Nor does a softirq vector nest in one task; it does in another task if
 * PREEMPT_RT preempted the first.
 */
static bool irq_ends_before(const struct rs_begun *b, bool discarded, const void *arg)
{
	uint64_t next = *(const uint64_t *)arg;

	if ((b->key ^ next) & IRQ_SOURCE_BITS)
		return false;
	return irq_is_hardirq(next) || irq_is_same_task(b->key, next) || discarded;
}

/*
 * What interrupted this one cannot outlive it, except the softirqs of another task, which PREEMPT_RT lets go
 * on.
 */
static bool irq_is_inside(const struct rs_begun *b, bool discarded, const void *arg)
{
	const struct rs_begun *outer = arg;

	/* both are in one list */
	return b > outer && (irq_is_hardirq(b->key) || irq_is_same_task(b->key, outer->key));
}

static uint64_t irq_subtract(uint64_t len_ns, uint64_t inner_ns)
{
	return len_ns > inner_ns ? len_ns - inner_ns : 0;
}

/* Without what interrupted it, in flight or ended. */
static uint64_t irq_own_ns(const struct rs_match_end *end)
{
	const struct irq_begun *b = end->begun, *inner = end->inner;

	return irq_subtract(end->end_ns - b->begun.begin_ns,
			    b->inner_ns + (inner ? end->end_ns - inner->begun.begin_ns : 0));
}

/* A request that completed in it is this one's, not that of what it has interrupted. */
static void irq_note_request(struct rs_session *s, const struct irq_begun *b, const struct rs_match_end *end)
{
	struct rs_task_events *t = &s->task_events;

	if (!t->completed.ts_ns || t->completed.cpu != end->cpu || t->completed.ts_ns < b->begun.begin_ns)
		return;
	if (b->source)
		((struct rs_irq_source *)(uintptr_t)b->source)->ends_requests = true; /* the engine's own */
	t->completed.ts_ns = 0;
}

static void irq_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	const struct irq_begun *b = end->begun;
	struct rs_session *s = c->session;
	struct rs_irq irq = {
		.source = b->source, .task = end->task, .from_ns = b->begun.begin_ns, .to_ns = end->end_ns,
		.cpu = end->cpu,
		.in_flight = end->in_flight, .own_ns = irq_own_ns(end),
	};

	if (end->discarded)
		return;
	if (end->outer && !end->in_flight)
		((struct irq_begun *)end->outer)->inner_ns += end->end_ns - b->begun.begin_ns;
	irq_note_request(s, b, end);
	irq.own_inside_ns = irq_subtract(irq.own_ns, b->own_before_ns);
	if (!b->source) {
		s->quality.counted[RS_COUNT_EVICTED] += !end->in_flight;
		return;
	}
	if (end->in_flight) {
		struct rs_task_instance *inst = rs_tasks_find(&s->tasks,
							      (int32_t)(b->begun.key >> (IRQ_NR_BITS + 1)));

		irq.task = inst ? &inst->task : NULL;
	}
	RS_OBSERVE(s->observers.irq, s, &irq);
	RS_DISPATCH(&s->dispatch.on[RS_ON_IRQ], irq, &irq);
}

static void irq_begin_range(struct rs_ctx *c, const struct rs_match_end *end)
{
	((struct irq_begun *)end->begun)->own_before_ns = irq_own_ns(end);
}

void rs_irq_events_range_begin(struct rs_session *s)
{
	rs_matcher_each(s->parts[RS_ENGINE_IRQS].ctx.matchers, irq_begin_range);
}

enum { IRQ_NR, IRQ_NAME };

static void irq_begin(struct rs_ctx *c, const struct rs_event *ev, uint64_t key,
		      const struct rs_irq_source *source)
{
	rs_match_lose_if(c, 0, ev, irq_ends_before, &key);
	((struct irq_begun *)rs_match_begin(c, 0, ev, key))->source = source;
}

static void on_irq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t key = irq_key(ev, &f[IRQ_NR], RS_HARDIRQ);
	char name[RS_IRQ_NAME_LEN];

	rs_str(ev, &f[IRQ_NAME], name, sizeof name);
	irq_begin(c, ev, key,
		  rs_irq_events_source(&c->session->irq_sources, RS_HARDIRQ, (uint32_t)key, name));
}

static void irq_events_on_softirq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t key = irq_key(ev, &f[IRQ_NR], RS_SOFTIRQ);

	irq_begin(c, ev, key,
		  rs_irq_events_source(&c->session->irq_sources, RS_SOFTIRQ, (uint32_t)key, NULL));
}

static void irq_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f, uint64_t key)
{
	const struct rs_begun *b = rs_match_find(c, 0, ev, key);

	if (b)
		rs_match_lose_if(c, 0, ev, irq_is_inside, b);
	rs_match_end(c, 0, ev, f, key);
}

static void on_irq_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	irq_exit(c, ev, f, irq_key(ev, &f[IRQ_NR], RS_HARDIRQ));
}

static void on_softirq_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	irq_exit(c, ev, f, irq_key(ev, &f[IRQ_NR], RS_SOFTIRQ));
}

const struct rs_analysis rs_engine_irqs = {
	.abi = RS_ABI, .name = "irqs",
	/* The entry alone tells which handler of a shared line it is. */
	.requirements = RS_LIST(rs_requirement,
		{ "irq", "irq_handler_entry", RS_REQUIRED, RS_BY_ANYONE, on_irq_entry, { "irq", "name" } },
		{ "irq", "irq_handler_exit", RS_REQUIRED, RS_BY_ANYONE, on_irq_exit, { "irq" } },
		{ "irq", "softirq_entry", RS_REQUIRED, RS_BY_ANYONE, irq_events_on_softirq_entry, { "vec" } },
		{ "irq", "softirq_exit", RS_REQUIRED, RS_BY_ANYONE, on_softirq_exit, { "vec" } }),
	.matches = RS_LIST(rs_match,
		{ "interrupts", RS_MATCH_CPU, RS_MATCH_NESTS, .most = 16,
		  .begun_bytes = sizeof(struct irq_begun), .end = irq_end }),
};
