// SPDX-License-Identifier: GPL-2.0-or-later
/* session-check - the accounting invariants of SEMANTICS: each thing that was seen is in exactly one sum */
#include "engine/internal.h"


/* Imbalances must not cancel out: each task instance's counts by its absolute value. */
static int64_t session_check_instances_imbalance(const struct rs_session *s)
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
	if (s->states.on)
		invariant(arg, "tasks: run + delay + preempted + blocked + unknown + open + unseen = life (ns)", session_check_instances_imbalance(s));
	rs_matcher_check(s, invariant, arg);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->check)
			s->analyses[i].analysis->check(&s->analyses[i].ctx, invariant, arg);
}
