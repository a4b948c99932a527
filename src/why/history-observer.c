// SPDX-License-Identifier: GPL-2.0-or-later
/* history-observer - when there is a history, and what it is told of */
#include "engine/bind.h"
#include "engine/internal.h"
#include "engine/observer.h"
#include "why/culprits.h"
#include "why/history-parts.h"

struct rs_history *rs_history_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_HISTORY);
}

static int history_begin(struct rs_session *s)
{
	bool is_required = false, is_short = true;
	struct rs_history *h;

	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		const struct rs_analysis *a = s->analyses[i].analysis;

		is_required |= rs_bind_requires_history(&s->config, a) && !s->analyses[i].disabled[0];
		is_short &= !a->requires_history || a->requires_blame;
	}
	if (!is_required)
		return 0;
	h = rs_history_new(&s->states, s->source->info.nr_cpus, is_short);
	rs_observer_set(s, RS_OBSERVER_HISTORY, h);
	return h ? 0 : -1;
}

static void history_free(struct rs_session *s, void *state)
{
	rs_history_free(state);
}

/* Of the waking that the current event is, or of a completion. */
static uint16_t history_cpu_now(const struct rs_session *s)
{
	return s->now_ev ? s->now_ev->cpu : UINT16_MAX;
}

static void history_on_interval(struct rs_session *s, const struct rs_interval *iv)
{
	if (!rs_history_is_paused(rs_history_of(s), iv->to_ns))
		rs_history_interval(rs_history_of(s), iv);
}

static void history_on_wait(struct rs_session *s, const struct rs_wait *w)
{
	if (!rs_history_is_paused(rs_history_of(s), w->interval->to_ns) || rs_history_is_long(w->interval))
		rs_history_wait(rs_history_of(s), w, history_cpu_now(s));
}

static void history_on_request(struct rs_session *s, const struct rs_request *r)
{
	rs_history_add_request(rs_history_of(s), r, history_cpu_now(s));
}

static void history_on_irq(struct rs_session *s, const struct rs_irq *irq)
{
	rs_history_irq(rs_history_of(s), irq);
}

/*
 * Does the softirq belong to the task in whose context it runs, which has sent a packet, say? Else an
 * interrupt that came before it wakes.
 */
static void history_on_waking(struct rs_session *s, const struct rs_task *t, bool in_softirq)
{
	if (in_softirq)
		rs_history_of(s)->wakes_by_interrupt = !rs_culprits_softirq_is_own(s, t);
}

static void history_on_woken(struct rs_session *s)
{
	rs_history_of(s)->wakes_by_interrupt = false;
}

static void history_on_migrate(struct rs_session *s, struct rs_task_instance *inst, uint16_t from_cpu,
			       int32_t context_tid, uint64_t ts_ns)
{
	rs_history_migrate(rs_history_of(s), inst, from_cpu, context_tid, ts_ns);
}

static void history_on_reassign(struct rs_session *s, struct rs_task_instance *from,
				struct rs_task_instance *to)
{
	rs_history_reassign(rs_history_of(s), from, to);
}

static void history_on_evict(struct rs_session *s, struct rs_task_instance *inst)
{
	rs_history_evict(rs_history_of(s), inst);
}

const struct rs_observer rs_observer_history = {
	.name = "history",
	.begin = history_begin,
	.free = history_free,
	.interval = history_on_interval,
	.wait = history_on_wait,
	.request = history_on_request,
	.irq = history_on_irq,
	.waking = history_on_waking,
	.woken = history_on_woken,
	.migrate = history_on_migrate,
	.reassign = history_on_reassign,
	.evict = history_on_evict,
};
