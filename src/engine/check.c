// SPDX-License-Identifier: GPL-2.0-or-later
/* The conservation laws of SEMANTICS: nothing that was seen may be in no sum, or in two. */
#include "engine/internal.h"


/* Residues must not cancel out: each life's is taken by its size. */
static int64_t lives_residue(const struct rs_session *s)
{
	int64_t sum = 0;

	for (const struct rs_life *life = s->tasks.oldest; life; life = life->next)
		if (life->seen_by_sched) {
			int64_t residue = rs_states_residue(&s->states, life, s->begin_ns, s->now_ns);

			sum += residue < 0 ? -residue : residue;
		}
	return sum;
}

void rs_session_check(struct rs_session *s, void (*law)(void *arg, const char *law, int64_t residue), void *arg)
{
	const struct rs_calls *c = &s->calls;
	const struct rs_irqs *q = &s->irqs;
	struct rs_pair_counts p;
	uint64_t in_flight, voided;

	rs_calls_open(c, s->now_ns, &in_flight, &voided);
	if (s->states.on)
		law(arg, "tasks: run + delay + preempted + blocked + unknown + open + unseen = life (ns)", lives_residue(s));
	law(arg, "calls: enters = paired + voided + in flight + never returned + mismatched",
	    (int64_t)(c->enters - c->paired - c->voided_enters - voided - in_flight - c->never_returned - c->mismatched_enters));
	law(arg, "calls: exits = paired + voided + orphans + child returns + mismatched",
	    (int64_t)(c->exits - c->paired - c->voided_exits - c->orphans - c->child_returns - c->mismatched_exits));
	rs_irqs_open(q, s->now_ns, &in_flight, &voided);
	law(arg, "interrupts: entries = paired + voided + orphans + in flight",
	    (int64_t)(q->entries - q->paired - q->voided_entries - q->orphan_entries - voided - in_flight));
	law(arg, "interrupts: exits = paired + voided + orphans",
	    (int64_t)(q->exits - q->paired - q->voided_exits - q->orphan_exits));
	p = rs_named_pairs_count(s);
	if (s->nr_named_pairs) {
		law(arg, "pairs: begins = paired + discarded + superseded + evicted + in flight",
		    (int64_t)(p.begins - p.paired - p.discarded - p.superseded - p.evicted - p.in_flight));
		law(arg, "pairs: ends = paired + discarded + unmatched",
		    (int64_t)(p.ends - p.paired - rs_named_pairs_discarded_ends(s) - p.unmatched));
	}
	for (unsigned int i = 0; i < s->nr_slots; i++)
		if (!s->slots[i].disabled[0] && s->slots[i].analysis->check)
			s->slots[i].analysis->check(&s->slots[i].ctx, law, arg);
}
