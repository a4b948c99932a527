// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.c - where the time range that is asked about begins and ends: --from and --to, and every question
 * about the past
 *
 * Events before the range are read all the same, so that what is in flight at its begin is known; nothing
 * that ended before counts. At its end the engine reports what is in flight up to there, marked .in_flight.
 * So an analysis sees every slice, wait and call that lies inside, and rs_latency_add (plugin.h) takes the
 * part of each: the sums of two ranges that meet are those of both together.
 */
#include "engine/range.h"

#include "engine/analysis-instance.h"
#include "engine/internal.h"
#include "engine/match/irq-events.h"
#include "engine/match/matcher.h"
#include "engine/session-quality.h"
#include "engine/states/states.h"

/* Counted by kind, for s->quality.nr_events is updated only at the end of a batch. */
static uint64_t range_events(const struct rs_session *s)
{
	uint64_t nr = s->routes.nr_unrouted;

	for (unsigned int id = 0; id < s->routes.nr; id++)
		nr += s->routes.by_id[id].nr_events;
	return nr;
}

static void range_clear(struct rs_session *s)
{
	rs_calls_range_begin(&s->calls, s->now_ns);
	rs_irq_events_range_begin(s);
	rs_session_reset(s);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		s->analyses[i].ctx.range_from_ns = s->now_ns;
}

void rs_range_begin(struct rs_session *s)
{
	uint64_t now_ns = s->now_ns;

	/* nothing has happened since: the event at hand is the first */
	if (s->config.from_ns < now_ns && s->config.from_ns > s->range.begin_ns)
		s->now_ns = s->config.from_ns;
	s->range.before = rs_session_counts(s);
	s->range.before.events = range_events(s);
	range_clear(s);
	s->now_ns = now_ns;
	s->range.muted = false;
}

static void range_end_calls(struct rs_session *s)
{
	struct rs_call call;

	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (rs_task_call(&s->parts[RS_ENGINE_CALLS].ctx, &inst->task, &call))
			rs_dispatch_call(s, &call);
}

/*
 * Interrupts first: an analysis may subtract them from the slice that they are in. Block requests have no
 * sums.
 */
void rs_range_end(struct rs_session *s)
{
	s->range.muted = true; /* what is in flight is no row of a stream, and no span */
	rs_matcher_end_range(s);
	range_end_calls(s);
	rs_states_range_end(&s->states, s->now_ns);
	s->range.muted = false;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		s->analyses[i].ctx.range_ended = true;
}

void rs_range_quality(const struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_range_counts *before = &s->range.before;

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
