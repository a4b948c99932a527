// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-quality.c - how far a session's numbers can be believed: what was lost, unmatched, discarded, not recorded
 */
#include "engine/session.h"
#include "engine/internal.h"

/* Contention and stalls that are open now. */
static void session_quality_count_waits_in_flight(const struct rs_session *s, uint64_t *nr_in_flight,
						  uint64_t *nr_discarded)
{
	*nr_in_flight = *nr_discarded = 0;
	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next) {
		rs_contentions_count(&s->contentions, &inst->locks, s->now_ns, nr_in_flight, nr_discarded);
		rs_stalls_count(&s->stalls, &inst->stalls, s->now_ns, nr_in_flight, nr_discarded);
	}
	for (unsigned int i = 0; s->contentions.idle && i < s->contentions.nr_cpus; i++)
		rs_contentions_count(&s->contentions, &s->contentions.idle[i], s->now_ns, nr_in_flight, nr_discarded);
}

uint64_t rs_session_unmatched(const struct rs_session *s)
{
	return s->nr_unmatched + rs_named_pairs_count(s).unmatched + s->calls.unmatched + s->requests.nr_unmatched + s->contentions.nr_unmatched + s->stalls.nr_unmatched +
	       s->irqs.unmatched_entries + s->irqs.unmatched_exits;
}

uint64_t rs_session_discarded(const struct rs_session *s)
{
	struct rs_pair_counts pairs = rs_named_pairs_count(s);

	return s->nr_discarded + pairs.discarded - pairs.discarded_open + s->states.nr_discarded + s->calls.discarded_enters + s->requests.nr_discarded + s->contentions.nr_discarded +
	       s->stalls.nr_discarded + s->irqs.discarded_entries;
}

uint64_t rs_session_evicted(const struct rs_session *s)
{
	return s->nr_evicted + rs_named_pairs_count(s).evicted + s->tasks.nr_evicted + s->requests.nr_evicted + s->contentions.nr_evicted + s->irqs.nr_evicted;
}

/* Some analysis is of states, and of these the recording has switches alone. */
static bool session_lacks_wakings(const struct rs_session *s)
{
	uint32_t at = 0, id = rs_formats_next_id(s->formats, "sched", "sched_switch", &at);

	if (!s->states.on || !rs_states_lacks_wakings(&s->states) || !rs_session_events_of(s, id))
		return false;
	for (unsigned int i = 0; i < s->nr_slots; i++)
		if (!s->slots[i].disabled[0] && rs_bind_part_required(s->slots[i].analysis, RS_ENGINE_STATES))
			return true;
	return false;
}

void rs_session_quality(struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_trace_info *info = &s->source->info;
	struct rs_pair_counts pairs = rs_named_pairs_count(s);
	uint64_t calls, calls_discarded, requests, requests_discarded, waits, waits_discarded, irqs,
	irqs_discarded;

	rs_calls_open(&s->calls, s->now_ns, &calls, &calls_discarded);
	rs_requests_open(&s->requests, s->now_ns, &requests, &requests_discarded);
	session_quality_count_waits_in_flight(s, &waits, &waits_discarded);
	rs_irqs_open(&s->irqs, s->now_ns, &irqs, &irqs_discarded);
	*quality = (struct rs_quality){
		.version = RS_VERSION,
		.machine = s->config.machine,
		.kernel = info->kernel,
		.clock = info->clock,
		.unit = rs_quality_clock_unit(info->clock),
		.realtime_offset_known = info->realtime_offset_known,
		.realtime_offset_ns = info->realtime_offset_ns,
		.filters = s->config.filters ? s->config.filters : "",
		.events = s->nr_events,
		.nr_cpus = info->nr_cpus,
		.lost_by_cpu = s->lost_by_cpu,
		.uncounted_by_cpu = s->uncounted_by_cpu,
		.gaps = s->nr_gaps,
		.lost_to_ns = s->nr_gaps ? rs_gaps_to_ns(&s->states.gaps) : 0,
		.gaps_uncounted = s->nr_gaps_uncounted,
		.unmatched = rs_session_unmatched(s),
		.discarded = rs_session_discarded(s) + rs_states_open_discarded(&s->states, s->now_ns) + calls_discarded + requests_discarded +
			  waits_discarded + irqs_discarded + pairs.discarded_open,
		.inferred = s->states.nr_inferred,
		.in_flight = pairs.in_flight + calls + requests + waits + irqs,
		.evicted = rs_session_evicted(s),
		.late = s->nr_late,
		.bad_pages = rs_merge_stats(s->merge)->bad_pages,
		.bad_records = s->nr_bad_records,
		.from_ns = s->begin_ns,
		.to_ns = s->now_ns,
		.all_tasks = rs_session_select_narrows(&s->config.selection) &&
			!s->config.selection.by_kernel,
		.no_wakings = session_lacks_wakings(s),
	};
	for (unsigned int i = 0; i < s->nr_slots; i++)
		if (!s->slots[i].disabled[0] && s->slots[i].analysis->in_flight)
			quality->in_flight += s->slots[i].analysis->in_flight(&s->slots[i].ctx);
	rs_range_quality(s, quality);
}
