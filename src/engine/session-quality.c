// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-quality.c - how far a session's numbers can be trusted: what was lost, unmatched, discarded, not
 * recorded
 */
#include "engine/session-quality.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "decode/merge.h"
#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/internal.h"
#include "engine/match/matcher.h"
#include "engine/observer.h"
#include "engine/range.h"
#include "engine/session-select.h"
#include "engine/states/states.h"
#include "source/live/starvation.h"

struct rs_range_counts rs_session_counts(const struct rs_session *s)
{
	const uint64_t *counted = s->quality.counted;
	struct rs_match_counts n = rs_matcher_sum(s);
	struct rs_range_counts counts = {
		.unmatched = counted[RS_COUNT_UNMATCHED] + n.unmatched_begins + n.unmatched_ends,
		.discarded = counted[RS_COUNT_DISCARDED] + n.discarded_begins + s->states.nr_discarded,
		.inferred = s->states.nr_inferred,
		.evicted = counted[RS_COUNT_EVICTED] + n.evicted + s->tasks.nr_evicted,
		.late = s->quality.nr_late,
		.bad_pages = s->merge ? rs_merge_stats(s->merge)->bad_pages : 0,
		.bad_records = s->quality.nr_bad_records,
	};

	RS_OBSERVE(s->observers.count, s, &counts);
	return counts;
}

/* An analysis requires states, and of these the recording has switches alone. */
static bool session_lacks_wakings(const struct rs_session *s)
{
	uint32_t at = 0, id = rs_formats_next_id(s->formats, "sched", "sched_switch", &at);

	if (!s->states.on || !rs_states_lacks_wakings(&s->states) || !rs_session_events_of(s, id))
		return false;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] &&
		    rs_bind_part_required(s->analyses[i].analysis, RS_ENGINE_STATES))
			return true;
	return false;
}

static double session_quality_s_after(const struct rs_session *s, uint64_t ts_ns)
{
	return ts_ns > s->range.begin_ns ? (double)(ts_ns - s->range.begin_ns) / 1e9 : 0;
}

/* "tracing_on 0 (3.20 to 5.20 s), ..." after the first event, at most 8; NULL: nothing was changed. */
static const char *session_quality_changed(struct rs_session *s)
{
	char *changed = s->quality.changed;
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;
	size_t len = 0, nr = 0, size_bytes = sizeof s->quality.changed;
	int n;

	while (nr < 8 && rs_pauses_next(&s->source->pauses, &at, &pause)) {
		if (!*pause.what)
			continue;
		n = snprintf(changed + len, size_bytes - len, "%s%s (%.2f to %.2f s)", nr++ ? ", " : "",
			     pause.what, session_quality_s_after(s, pause.off_ns),
			     session_quality_s_after(s, pause.on_ns));
		if (n < 0 || (size_t)n >= size_bytes - len)
			break;
		len += (size_t)n;
	}
	return nr ? changed : NULL;
}

bool rs_session_is_unchanged(const struct rs_session *s, struct rs_session_stamp *since)
{
	const struct rs_session_stamp now = { s->quality.nr_events, s->quality.nr_gaps, s->now_ns,
					      s->range.ended };
	bool is_unchanged = now.nr_events && now.nr_events == since->nr_events &&
			    now.nr_gaps == since->nr_gaps && now.now_ns == since->now_ns &&
			    now.ended == since->ended;

	*since = now;
	return is_unchanged;
}

static struct rs_match_open session_quality_open(struct rs_session *s)
{
	if (!rs_session_is_unchanged(s, &s->quality.open_at)) {
		s->quality.open = rs_matcher_sum_open(s);
		s->quality.open.discarded += rs_states_open_discarded(&s->states, s->now_ns);
	}
	return s->quality.open;
}

/* Times, and what leads from them to the time of day, as those of the other clock. */
static void session_quality_convert(struct rs_quality *quality, const struct rs_host_clock *clock)
{
	quality->host_clock = clock;
	quality->realtime_offset_ns += clock->boot_offset_ns - clock->wall_offset_ns;
	quality->from_ns -= (uint64_t)clock->boot_offset_ns;
	quality->to_ns -= (uint64_t)clock->boot_offset_ns;
	if (quality->lost_to_ns)
		quality->lost_to_ns -= (uint64_t)clock->boot_offset_ns;
}

void rs_session_quality(struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_trace_info *info = &s->source->info;
	struct rs_match_open open = session_quality_open(s);
	struct rs_range_counts counts = rs_session_counts(s);

	*quality = (struct rs_quality){
		.version = RS_VERSION,
		.machine = s->config.machine,
		.kernel = info->kernel,
		.clock = info->clock,
		.unit = rs_quality_clock_unit(info->clock),
		.realtime_offset_known = info->realtime_offset_known,
		.realtime_offset_ns = info->realtime_offset_ns,
		.filters = s->config.filters ? s->config.filters : "",
		.events = s->quality.nr_events,
		.nr_cpus = info->nr_cpus,
		.lost_by_cpu = s->quality.lost_by_cpu,
		.uncounted_by_cpu = s->quality.uncounted_by_cpu,
		.gaps = s->quality.nr_gaps,
		.lost_to_ns = s->quality.nr_gaps ? rs_gaps_to_ns(&s->states.gaps) : 0,
		.gaps_uncounted = s->quality.nr_gaps_uncounted,
		.unmatched = counts.unmatched,
		.discarded = counts.discarded + open.discarded,
		.inferred = s->states.nr_inferred,
		.in_flight = open.in_flight,
		.evicted = counts.evicted,
		.late = s->quality.nr_late,
		.bad_pages = counts.bad_pages,
		.bad_records = counts.bad_records,
		.from_ns = s->range.begin_ns,
		.to_ns = s->now_ns,
		.all_tasks = rs_session_select_narrows(&s->config.selection) &&
			!s->config.selection.by_kernel,
		.no_wakings = session_lacks_wakings(s),
	};
	RS_OBSERVE(s->observers.quality, s, quality);
	quality->stacks_unmatched += s->source->filter ? s->source->filter->nr_lost : 0;
	quality->stack_cost_ns = info->stack_cost_ns;
	quality->changed = session_quality_changed(s);
	quality->starved_ns = s->source->starvation ?
				      rs_starvation_ns(s->source->starvation, rs_monotonic_ns()) :
				      0;
	rs_range_quality(s, quality);
	if (s->config.host_clock)
		session_quality_convert(quality, s->config.host_clock);
}

bool rs_session_lost_in(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	return rs_gap_log_has(&s->quality.gap_log, from_ns, to_ns);
}

void rs_session_log_quality(struct rs_session *s)
{
	struct rs_quality q;

	if (!(rs_log_enabled & 1u << RS_LOG_MATCH))
		return;
	rs_session_quality(s, &q);
	rs_log_write(RS_LOG_MATCH,
		     "%" PRIu64 " events from %" PRIu64 " ns to %" PRIu64 " ns: unmatched %" PRIu64
		     ", discarded %" PRIu64 ", inferred %" PRIu64 ", in flight %" PRIu64 ", evicted %" PRIu64
		     ", late %" PRIu64 ", bad pages %" PRIu64 ", bad records %" PRIu64,
		     q.events, q.from_ns, q.to_ns, q.unmatched, q.discarded, q.inferred, q.in_flight,
		     q.evicted, q.late, q.bad_pages, q.bad_records);
	for (int fault = 0; fault < RS_PAGE_NR_FAULTS; fault++)
		if (rs_merge_stats(s->merge)->bad_by_fault[fault])
			rs_log_write(RS_LOG_MATCH, "%" PRIu64 " bad pages: %s",
				     rs_merge_stats(s->merge)->bad_by_fault[fault],
				     rs_page_fault_name((enum rs_page_fault)fault));
	for (unsigned int cpu = 0; cpu < q.nr_cpus; cpu++)
		if (q.lost_by_cpu[cpu] || q.uncounted_by_cpu[cpu])
			rs_log_write(RS_LOG_MATCH,
				     "CPU %u: %" PRIu64 " events were lost, and %" PRIu64
				     " gaps have no count",
				     cpu, q.lost_by_cpu[cpu], q.uncounted_by_cpu[cpu]);
}

/* ---- the accounting invariants of SEMANTICS: each thing that was seen is in exactly one sum ---- */

/* Imbalances must not cancel out: each task instance's counts by its absolute value. */
static int64_t session_quality_imbalance(const struct rs_session *s)
{
	int64_t sum = 0;

	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst->seen_by_sched) {
			int64_t imbalance = rs_states_imbalance(&s->states, inst, s->range.begin_ns,
								s->now_ns);

			sum += imbalance < 0 ? -imbalance : imbalance;
		}
	return sum;
}

void rs_session_check(struct rs_session *s,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	if (s->states.on)
		invariant(arg,
			  "tasks: run + delay + preempted + blocked + unknown + open + unseen = life (ns)",
			  session_quality_imbalance(s));
	rs_matcher_check(s, invariant, arg);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->check)
			s->analyses[i].analysis->check(&s->analyses[i].ctx, invariant, arg);
}
