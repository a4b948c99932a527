/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irq-pairs.h - interrupts and softirqs matched from entry to exit, by SEMANTICS "Irq, softirq"
 *
 * They nest on their CPU: an interrupt comes into a softirq, and on PREEMPT_RT a
 * task that is preempted in a softirq leaves it open under another's. So each
 * CPU has a stack, and an exit is looked for from its top, by number and task.
 */
#ifndef RS_ENGINE_IRQ_PAIRS_H
#define RS_ENGINE_IRQ_PAIRS_H

#include "engine/states.h"
#include "ringside/irq.h"

#define RS_IRQ_DEPTH 16u    /* open at once on a CPU; beyond, the outermost is given up */
#define RS_NR_IRQ_BUCKETS 256u
#define RS_MAX_SOFTIRQS 32u /* those that have a name: kernels have 10 */

/* What an entry tells, and an exit finds it by. */
struct rs_irq_key {
	enum rs_irq_kind kind;
	uint32_t nr;
	int32_t tid;        /* in whose context */
};

struct rs_open_irq {
	struct rs_irq_key key;
	const struct rs_irq_source *source; /* NULL: no room for one more */
	uint64_t from_ns, inner_ns;         /* inner: of those that came into it and ended */
	uint64_t own_before_ns;             /* what of it lies before the time range, without what came into it */
};

struct rs_irq_cpu {
	struct rs_open_irq open[RS_IRQ_DEPTH];
	unsigned int nr_open;
};

struct rs_irq_bucket {
	struct rs_irq_source source;
	struct rs_irq_bucket *chain;
};

struct rs_irqs {
	const struct rs_states *states;     /* their CPUs have the gaps */
	struct rs_irq_cpu *cpus;
	unsigned int nr_cpus;
	struct rs_irq_bucket *slots[RS_NR_IRQ_BUCKETS];
	uint32_t nr_sources;
	char softirq_names[RS_MAX_SOFTIRQS][16];
	uint64_t entries, exits, paired, unmatched_entries, unmatched_exits, discarded_entries, discarded_exits, nr_evicted;
	void (*on_irq)(void *arg, const struct rs_irq *irq);
	void *arg;
};

int rs_irqs_init(struct rs_irqs *q, const struct rs_states *states);
void rs_irqs_done(struct rs_irqs *q);

/* name: of a line's handler; ignored for a softirq. NULL where there is no room for one more. */
const struct rs_irq_source *rs_irqs_source(struct rs_irqs *q, enum rs_irq_kind kind, uint32_t nr, const char *name);

void rs_irqs_entry(struct rs_irqs *q, uint16_t cpu, struct rs_irq_key key, const struct rs_irq_source *source, uint64_t ts_ns);
void rs_irqs_exit(struct rs_irqs *q, uint16_t cpu, struct rs_irq_key key, struct rs_task *task, uint64_t ts_ns);
/* The time range begins, or ends: what is open is told up to there, as in flight. */
void rs_irqs_range_begin(struct rs_irqs *q, uint64_t from_ns);
void rs_irqs_range_end(struct rs_irqs *q, uint64_t to_ns, struct rs_tasks *tasks);
/* Those that are open now: in flight, and made uncertain by a gap. */
void rs_irqs_open(const struct rs_irqs *q, uint64_t now_ns, uint64_t *nr_in_flight, uint64_t *nr_discarded);

#endif
