// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-quality.c - how far a session's numbers can be believed: what was lost, unmatched, discarded, not recorded
 */
#include "engine/session.h"
#include "engine/internal.h"

/* Contention and stalls that are open now. */
static void session_quality_count_waits_in_flight(const struct rs_session *s, uint64_t *nr_in_flight,
						  uint64_t *nr_voided)
{
	*nr_in_flight = *nr_voided = 0;
	for (const struct rs_life *life = s->tasks.oldest; life; life = life->next) {
		rs_contentions_count(&s->contentions, &life->locks, s->now_ns, nr_in_flight, nr_voided);
		rs_stalls_count(&s->stalls, &life->stalls, s->now_ns, nr_in_flight, nr_voided);
	}
	for (unsigned int i = 0; s->contentions.idle && i < s->contentions.nr_cpus; i++)
		rs_contentions_count(&s->contentions, &s->contentions.idle[i], s->now_ns, nr_in_flight, nr_voided);
}

uint64_t rs_session_orphans(const struct rs_session *s)
{
	return s->nr_orphans + rs_named_pairs_count(s).unmatched + s->calls.orphans + s->requests.nr_orphans + s->contentions.nr_orphans + s->stalls.nr_orphans +
	       s->irqs.orphan_entries + s->irqs.orphan_exits;
}

uint64_t rs_session_voided(const struct rs_session *s)
{
	struct rs_pair_counts pairs = rs_named_pairs_count(s);

	return s->nr_voided + pairs.discarded - pairs.discarded_open + s->states.nr_voided + s->calls.voided_enters + s->requests.nr_voided + s->contentions.nr_voided +
	       s->stalls.nr_voided + s->irqs.voided_entries;
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

void rs_session_trust(struct rs_session *s, struct rs_trust *trust)
{
	const struct rs_trace_info *info = &s->source->info;
	struct rs_pair_counts pairs = rs_named_pairs_count(s);
	uint64_t calls, calls_voided, requests, requests_voided, waits, waits_voided, irqs, irqs_voided;

	rs_calls_open(&s->calls, s->now_ns, &calls, &calls_voided);
	rs_requests_open(&s->requests, s->now_ns, &requests, &requests_voided);
	session_quality_count_waits_in_flight(s, &waits, &waits_voided);
	rs_irqs_open(&s->irqs, s->now_ns, &irqs, &irqs_voided);
	*trust = (struct rs_trust){
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
		.orphans = rs_session_orphans(s),
		.voided = rs_session_voided(s) + rs_states_open_voided(&s->states, s->now_ns) + calls_voided + requests_voided +
			  waits_voided + irqs_voided + pairs.discarded_open,
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
			trust->in_flight += s->slots[i].analysis->in_flight(&s->slots[i].ctx);
	rs_range_trust(s, trust);
}
