// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.c - where the time range that is asked about begins and ends: --from and --to, and every question about the past
 *
 * Events before the range are read all the same, so that what is in flight at its begin is known; nothing that ended
 * before counts. At its end what is in flight is told up to there, marked .in_flight. So an analysis sees every slice,
 * wait and call that lies inside, and rs_latency_add (plugin.h) takes the part of each: the sums of two ranges that
 * meet are those of both together.
 */
#include "engine/internal.h"

/* Counted by kind, for s->nr_events is that of the last turn's end. */
static uint64_t range_events(const struct rs_session *s)
{
	uint64_t nr = s->nr_unrouted;

	for (unsigned int id = 0; id < s->nr_routes; id++)
		nr += s->routes[id].nr_events;
	return nr;
}

/* What the data quality counts, up to now. */
static struct rs_range_counts range_counts(const struct rs_session *s)
{
	return (struct rs_range_counts){
		.events = range_events(s),
		.unmatched = rs_session_unmatched(s),
		.discarded = rs_session_discarded(s),
		.inferred = s->states.nr_inferred,
		.evicted = rs_session_evicted(s),
		.late = s->nr_late,
		.bad_pages = s->merge ? rs_merge_stats(s->merge)->bad_pages : 0,
		.bad_records = s->nr_bad_records,
	};
}

static void range_clear(struct rs_session *s)
{
	rs_calls_range_begin(&s->calls, s->now_ns);
	rs_irqs_range_begin(&s->irqs, s->now_ns);
	rs_session_reset(s);
	for (unsigned int i = 0; i < s->nr_slots; i++)
		s->slots[i].ctx.range_from_ns = s->now_ns;
}

void rs_range_begin(struct rs_session *s)
{
	uint64_t now_ns = s->now_ns;

	/* nothing has happened since then: the event that comes now is the first */
	if (s->config.from_ns < now_ns && s->config.from_ns > s->begin_ns)
		s->now_ns = s->config.from_ns;
	s->before_range = range_counts(s);
	range_clear(s);
	s->now_ns = now_ns;
	s->muted = false;
}

/* ---- its end ---- */

static void range_tell_contention(struct rs_session *s, struct rs_task *task, const struct rs_open_lock *lock, uint16_t cpu)
{
	struct rs_contention contention = {
		.task = task, .lock_addr = lock->lock_addr, .flags = lock->flags, .begin_ns = lock->begin_ns, .end_ns = s->now_ns,
		.cpu = cpu, .in_flight = true, .waker_tid = -1,
	};

	if (!rs_gaps_hit(&s->states.gaps, lock->begin_ns, s->now_ns))
		s->contentions.on_contention(s->contentions.arg, &contention);
}

static void range_end_locks(struct rs_session *s)
{
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		for (unsigned int i = 0; i < inst->locks.nr; i++)
			range_tell_contention(s, &inst->task, &inst->locks.at[i], inst->task.cpu);
	for (unsigned int cpu = 0; cpu < s->contentions.nr_cpus; cpu++)
		for (unsigned int i = 0; i < s->contentions.idle[cpu].nr; i++)
			range_tell_contention(s, NULL, &s->contentions.idle[cpu].at[i], (uint16_t)cpu);
}

static void range_end_stalls(struct rs_session *s, struct rs_task_instance *inst)
{
	for (unsigned int kind = 0; inst->stalls.open && kind < RS_NR_STALLS; kind++) {
		struct rs_stall stall = {
			.kind = (enum rs_stall_kind)kind, .task = &inst->task, .begin_ns = inst->stalls.begin_ns[kind],
			.end_ns = s->now_ns, .order = inst->stalls.order[kind], .in_flight = true,
			.syscall = rs_waits_syscall(s, inst),
		};

		if (inst->stalls.open >> kind & 1 && !rs_gaps_hit(&s->states.gaps, stall.begin_ns, s->now_ns))
			s->stalls.on_stall(s->stalls.arg, &stall);
	}
}

static void range_end_calls(struct rs_session *s)
{
	struct rs_call call;

	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next) {
		if (rs_calls_open_call(&s->calls, inst, s->now_ns, &call))
			rs_dispatch_call_in_flight(s, &call);
		range_end_stalls(s, inst);
	}
}

/* Interrupts first: an analysis may take them from the slice that they are in. Block requests have no sums. */
void rs_range_end(struct rs_session *s)
{
	s->muted = true; /* what is not over is no row of a stream, and no span */
	rs_irqs_range_end(&s->irqs, s->now_ns, &s->tasks);
	range_end_calls(s);
	range_end_locks(s);
	rs_states_range_end(&s->states, s->now_ns);
	s->muted = false;
	for (unsigned int i = 0; i < s->nr_slots; i++)
		s->slots[i].ctx.range_ended = true;
}

/* ---- the data quality of the range alone ---- */

void rs_range_quality(const struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_range_counts *before = &s->before_range;

	quality->events -= before->events;
	quality->unmatched -= before->unmatched;
	quality->discarded -= before->discarded;
	quality->inferred -= before->inferred;
	quality->evicted -= before->evicted;
	quality->late -= before->late;
	quality->bad_pages -= before->bad_pages;
	quality->bad_records -= before->bad_records;
	if (s->config.from_ns > quality->from_ns && s->config.from_ns <= quality->to_ns)
		quality->from_ns = s->config.from_ns;
}
