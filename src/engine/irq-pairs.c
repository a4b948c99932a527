// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/irq-pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int rs_irqs_init(struct rs_irqs *q, const struct rs_states *states)
{
	q->states = states;
	q->nr_cpus = states->nr_cpus;
	q->cpus = calloc(q->nr_cpus + 1, sizeof *q->cpus);
	return q->cpus ? 0 : -ENOMEM;
}

void rs_irqs_done(struct rs_irqs *q)
{
	struct rs_irq_bucket *next;

	for (unsigned int i = 0; i < RS_NR_IRQ_BUCKETS; i++)
		for (; q->slots[i]; q->slots[i] = next) {
			next = q->slots[i]->chain;
			free(q->slots[i]);
		}
	free(q->cpus);
}

/* ---- sources ---- */

static bool is_source(const struct rs_irq_source *s, enum rs_irq_kind kind, uint32_t nr, const char *name)
{
	return s->nr == nr && s->kind == kind && !strcmp(s->name, name);
}

/* A chain has a limit of its own: a hostile file names one line in many ways. */
#define MAX_CHAIN 64

const struct rs_irq_source *rs_irqs_source(struct rs_irqs *q, enum rs_irq_kind kind, uint32_t nr, const char *name)
{
	struct rs_irq_bucket **at = &q->slots[(nr * 2 + kind) % RS_NR_IRQ_BUCKETS];
	unsigned int steps = 0;

	if (kind == RS_SOFTIRQ)
		name = nr < RS_MAX_SOFTIRQS ? q->softirq_names[nr] : "";
	for (; *at && steps < MAX_CHAIN; at = &(*at)->chain, steps++)
		if (is_source(&(*at)->source, kind, nr, name))
			return &(*at)->source;
	if (*at || steps == MAX_CHAIN || q->nr_sources == RS_MAX_IRQ_SOURCES || !(*at = calloc(1, sizeof **at)))
		return NULL;
	(*at)->source = (struct rs_irq_source){ .kind = kind, .nr = nr, .index = q->nr_sources++ };
	snprintf((*at)->source.name, sizeof (*at)->source.name, "%s", name);
	return &(*at)->source;
}

/* ---- entry to exit ---- */

static bool irq_pairs_is_discarded(const struct rs_irqs *q, uint16_t cpu, const struct rs_open_irq *o,
				   uint64_t ts_ns)
{
	return rs_gaps_hit(&q->states->cpus[cpu].gaps, o->from_ns, ts_ns);
}

static void take_out(struct rs_irq_cpu *c, unsigned int at)
{
	c->nr_open--;
	memmove(&c->open[at], &c->open[at + 1], (c->nr_open - at) * sizeof *c->open);
}

/* It must have ended, and nobody saw how: a gap has its exit, or it was not written. */
static void irq_pairs_discard(struct rs_irqs *q, uint16_t cpu, unsigned int at, uint64_t ts_ns)
{
	struct rs_irq_cpu *c = &q->cpus[cpu];

	++*(irq_pairs_is_discarded(q, cpu, &c->open[at], ts_ns) ? &q->discarded_entries
	    : &q->unmatched_entries);
	take_out(c, at);
}

/*
 * Does this one begin only after that one has ended? A line's handlers run one
 * after the other, and no CPU handles a line within itself. Nor a softirq vector
 * in the same task; in another it does where PREEMPT_RT preempted that.
 */
static bool ends(const struct rs_irqs *q, uint16_t cpu, const struct rs_open_irq *o, const struct rs_irq_key *next, uint64_t ts_ns)
{
	if (o->key.kind != next->kind || o->key.nr != next->nr)
		return false;
	return next->kind == RS_HARDIRQ || o->key.tid == next->tid ||
		irq_pairs_is_discarded(q, cpu, o, ts_ns);
}

void rs_irqs_entry(struct rs_irqs *q, uint16_t cpu, struct rs_irq_key key, const struct rs_irq_source *source, uint64_t ts_ns)
{
	struct rs_irq_cpu *c = &q->cpus[cpu];

	q->entries++;
	for (unsigned int i = c->nr_open; i-- > 0; )
		if (ends(q, cpu, &c->open[i], &key, ts_ns))
			irq_pairs_discard(q, cpu, i, ts_ns);
	if (c->nr_open == RS_IRQ_DEPTH)
		irq_pairs_discard(q, cpu, 0, ts_ns);
	c->open[c->nr_open++] = (struct rs_open_irq){ .key = key, .source = source, .from_ns = ts_ns };
}

static uint64_t own_ns(uint64_t len_ns, uint64_t inner_ns)
{
	return len_ns > inner_ns ? len_ns - inner_ns : 0;
}

static void irq_pairs_notify(struct rs_irqs *q, uint16_t cpu, const struct rs_open_irq *o, struct rs_task *task, uint64_t ts_ns,
			     bool in_flight)
{
	struct rs_irq irq = {
		.source = o->source, .task = task, .from_ns = o->from_ns, .to_ns = ts_ns, .cpu = cpu, .in_flight = in_flight,
		.own_ns = own_ns(ts_ns - o->from_ns, o->inner_ns),
	};

	irq.own_inside_ns = own_ns(irq.own_ns, o->own_before_ns);

	if (o->source)
		q->on_irq(q->arg, &irq);
	else
		q->nr_evicted++;
}

static bool irq_pairs_has_key(const struct rs_open_irq *o, const struct rs_irq_key *key)
{
	return o->key.nr == key->nr && o->key.kind == key->kind && o->key.tid == key->tid;
}

/* What is above it and cannot outlive it: all but the softirqs of another task, which PREEMPT_RT lets go on. */
static void give_up_above(struct rs_irqs *q, uint16_t cpu, unsigned int at, uint64_t ts_ns)
{
	struct rs_irq_cpu *c = &q->cpus[cpu];

	for (unsigned int i = c->nr_open; i-- > at + 1; )
		if (c->open[i].key.kind == RS_HARDIRQ || c->open[i].key.tid == c->open[at].key.tid)
			irq_pairs_discard(q, cpu, i, ts_ns);
}

void rs_irqs_exit(struct rs_irqs *q, uint16_t cpu, struct rs_irq_key key, struct rs_task *task, uint64_t ts_ns)
{
	struct rs_irq_cpu *c = &q->cpus[cpu];
	unsigned int at = c->nr_open;
	struct rs_open_irq o;

	q->exits++;
	while (at > 0 && !irq_pairs_has_key(&c->open[at - 1], &key))
		at--;
	if (!at) {
		q->unmatched_exits++;
		return;
	}
	give_up_above(q, cpu, --at, ts_ns);
	o = c->open[at];
	take_out(c, at);
	if (irq_pairs_is_discarded(q, cpu, &o, ts_ns)) {
		q->discarded_entries++;
		q->discarded_exits++;
		return;
	}
	q->paired++;
	if (at > 0)
		c->open[at - 1].inner_ns += ts_ns - o.from_ns;
	irq_pairs_notify(q, cpu, &o, task, ts_ns, false);
}

/* Up to now, with what has come into it and is not over. */
static struct rs_open_irq up_to(const struct rs_irq_cpu *c, unsigned int at, uint64_t now_ns)
{
	struct rs_open_irq o = c->open[at];

	if (at + 1 < c->nr_open)
		o.inner_ns += now_ns - c->open[at + 1].from_ns;
	return o;
}

void rs_irqs_range_begin(struct rs_irqs *q, uint64_t from_ns)
{
	for (unsigned int cpu = 0; cpu < q->nr_cpus; cpu++)
		for (unsigned int i = 0; i < q->cpus[cpu].nr_open; i++) {
			struct rs_open_irq o = up_to(&q->cpus[cpu], i, from_ns);

			q->cpus[cpu].open[i].own_before_ns = own_ns(from_ns - o.from_ns, o.inner_ns);
		}
}

void rs_irqs_range_end(struct rs_irqs *q, uint64_t to_ns, struct rs_tasks *tasks)
{
	for (unsigned int cpu = 0; cpu < q->nr_cpus; cpu++)
		for (unsigned int i = 0; i < q->cpus[cpu].nr_open; i++) {
			struct rs_open_irq o = up_to(&q->cpus[cpu], i, to_ns);
			struct rs_task_instance *inst = rs_tasks_find(tasks, o.key.tid);

			if (!irq_pairs_is_discarded(q, (uint16_t)cpu, &o, to_ns) && o.source)
				irq_pairs_notify(q, (uint16_t)cpu, &o, inst ? &inst->task : NULL, to_ns,
						 true);
		}
}

void rs_irqs_open(const struct rs_irqs *q, uint64_t now_ns, uint64_t *nr_in_flight, uint64_t *nr_discarded)
{
	*nr_in_flight = *nr_discarded = 0;
	for (unsigned int cpu = 0; cpu < q->nr_cpus; cpu++)
		for (unsigned int i = 0; i < q->cpus[cpu].nr_open; i++)
			++*(irq_pairs_is_discarded(q, (uint16_t)cpu, &q->cpus[cpu].open[i], now_ns) ? nr_discarded : nr_in_flight);
}
