// SPDX-License-Identifier: GPL-2.0-or-later
/* The conservation laws of SEMANTICS: nothing that was seen may be in no sum, or in two. */
#include "engine/internal.h"


/* Residues must not cancel out: each life's is taken by its size. */
static int64_t instances_imbalance(const struct rs_session *s)
{
	int64_t sum = 0;

	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst->seen_by_sched) {
			int64_t imbalance = rs_states_imbalance(&s->states, inst, s->begin_ns, s->now_ns);

			sum += imbalance < 0 ? -imbalance : imbalance;
		}
	return sum;
}

void rs_session_check(struct rs_session *s, void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	const struct rs_calls *c = &s->calls;
	const struct rs_irqs *q = &s->irqs;
	struct rs_pair_counts p;
	uint64_t in_flight, discarded;

	rs_calls_open(c, s->now_ns, &in_flight, &discarded);
	if (s->states.on)
		invariant(arg, "tasks: run + delay + preempted + blocked + unknown + open + unseen = life (ns)", instances_imbalance(s));
	invariant(arg, "calls: enters = paired + voided + in flight + never returned + mismatched",
		  (int64_t)(c->enters - c->paired - c->discarded_enters - discarded - in_flight - c->never_returned - c->mismatched_enters));
	invariant(arg, "calls: exits = paired + voided + orphans + child returns + mismatched",
		  (int64_t)(c->exits - c->paired - c->discarded_exits - c->unmatched - c->child_returns - c->mismatched_exits));
	rs_irqs_open(q, s->now_ns, &in_flight, &discarded);
	invariant(arg, "interrupts: entries = paired + voided + orphans + in flight",
		  (int64_t)(q->entries - q->paired - q->discarded_entries - q->unmatched_entries - discarded - in_flight));
	invariant(arg, "interrupts: exits = paired + voided + orphans",
		  (int64_t)(q->exits - q->paired - q->discarded_exits - q->unmatched_exits));
	p = rs_named_pairs_count(s);
	if (s->nr_named_pairs) {
		invariant(arg, "pairs: begins = paired + discarded + superseded + evicted + in flight",
			  (int64_t)(p.begins - p.paired - p.discarded - p.superseded - p.evicted - p.in_flight));
		invariant(arg, "pairs: ends = paired + discarded + unmatched",
			  (int64_t)(p.ends - p.paired - rs_named_pairs_discarded_ends(s) - p.unmatched));
	}
	for (unsigned int i = 0; i < s->nr_slots; i++)
		if (!s->slots[i].disabled[0] && s->slots[i].analysis->check)
			s->slots[i].analysis->check(&s->slots[i].ctx, invariant, arg);
}
