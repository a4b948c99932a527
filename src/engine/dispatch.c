// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dispatch - calls the callbacks of the analyses with the intervals, calls and requests that the engine finds
 */
#include "engine/dispatch.h"

#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/internal.h"
#include "engine/match/irq-events.h"
#include "engine/match/matcher.h"
#include "engine/observer.h"
#include "engine/session-events.h"
#include "engine/states/states.h"
#include "engine/states/waits.h"
#include "source/perf/samples.h"

static void dispatch_interval(void *arg, const struct rs_interval *iv)
{
	struct rs_session *s = arg;

	if (iv->kind != RS_BLOCKED)
		RS_OBSERVE(s->observers.interval, s, iv);
	RS_DISPATCH(&s->dispatch.on_interval[iv->kind], interval, iv);
	if (s->dispatch.joins && iv->kind == RS_BLOCKED)
		rs_waits_ended(s, iv);
}

static void dispatch_switch_in(void *arg, struct rs_task *t)
{
	struct rs_session *s = arg;

	RS_DISPATCH(&s->dispatch.on[RS_ON_SWITCH_IN], switch_in, t);
}

static void dispatch_queue(void *arg, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
	struct rs_session *s = arg;

	RS_DISPATCH(&s->dispatch.on[RS_ON_QUEUE], queue, cpu, depth, ts_ns);
}

static void dispatch_request(void *arg, const struct rs_request *request)
{
	struct rs_session *s = arg;

	if (s->dispatch.joins)
		rs_waits_request(s, request);
	RS_OBSERVE(s->observers.request, s, request);
	RS_DISPATCH(&s->dispatch.on[RS_ON_REQUEST], request, request);
}

static void dispatch_depth(void *arg, uint32_t dev, int change, uint64_t ts_ns)
{
	struct rs_session *s = arg;

	RS_DISPATCH(&s->dispatch.on[RS_ON_DISK_DEPTH], disk_depth, dev, change, ts_ns);
}

static void dispatch_count_gap(struct rs_session *s, const struct rs_gap *gap)
{
	s->quality.gaps_ns += rs_part_ns(rs_since_ns(&s->parts[0].ctx), gap->from_ns, gap->to_ns);
	rs_gap_log_add(&s->quality.gap_log, gap->from_ns, gap->to_ns);
	s->quality.nr_gaps++;
	s->quality.nr_gaps_uncounted += !gap->nr_lost;
	if (gap->cpu < s->source->info.nr_cpus) {
		uint64_t *lost = &s->quality.lost_by_cpu[gap->cpu];

		if (__builtin_add_overflow(*lost, gap->nr_lost, lost))
			*lost = UINT64_MAX;
		s->quality.uncounted_by_cpu[gap->cpu] += !gap->nr_lost;
	}
}

void rs_dispatch_watched_call(struct rs_session *s, const struct rs_call *call)
{
	const struct rs_dispatch_list *list = &s->dispatch.on_watched_call[call->kind];
	const struct rs_task_instance *inst = rs_task_instance_of(call->task);

	for (const struct rs_dispatch_row *row = list->at; row < list->end; row++)
		if (inst->watchers & rs_analysis_instance_of(row->ctx)->watcher)
			row->callback.call(row->ctx, call);
}

void rs_watch_calls(struct rs_ctx *c, const struct rs_task *t, bool is_watched)
{
	struct rs_task_instance *inst = rs_task_instance_of(t);
	uint32_t watcher = rs_analysis_instance_of(c)->watcher;

	if (is_watched)
		inst->watchers |= watcher;
	else
		inst->watchers &= ~watcher;
}

void rs_dispatch_gap(void *arg, const struct rs_gap *gap)
{
	struct rs_session *s = arg;

	/* does not count what was lost before the time range */
	if (!s->range.muted || gap->to_ns > s->config.from_ns)
		dispatch_count_gap(s, gap);
	rs_states_gap(&s->states, gap);
	RS_OBSERVE(s->observers.gap, s, gap);
	RS_DISPATCH(&s->dispatch.on[RS_ON_GAP], gap, gap);
}

const struct rs_callback *rs_dispatch_callback(const struct rs_analysis *a, enum rs_callback_kind kind)
{
	for (const struct rs_callback *callback = a->callbacks; callback && callback->on; callback++)
		if (callback->on == kind)
			return callback;
	return NULL;
}

static bool dispatch_requires(const struct rs_analysis *a, enum rs_callback_kind on)
{
	const struct rs_callback *callback = rs_dispatch_callback(a, on);

	return callback && !callback->if_recorded;
}

unsigned int rs_dispatch_requires_samples(const struct rs_analysis *a)
{
	uint32_t kinds = dispatch_requires(a, RS_ON_PROBE) ? rs_dispatch_callback(a, RS_ON_PROBE)->kinds : 0;

	return (dispatch_requires(a, RS_ON_SAMPLE) ? RS_SAMPLE_STACKS : 0u) |
	       (kinds & 1u << RS_PROBE_PROCESS ? RS_SAMPLE_PROBES : 0u) |
	       (kinds & 1u << RS_PROBE_KERNEL ? RS_SAMPLE_KMEM : 0u);
}

/*
 * An analysis that only emits spans is not called if nobody takes them. Gaps are dispatched even while an
 * analysis is off: they make its data uncertain, too.
 */
static bool dispatch_is_called(const struct rs_session *s, const struct rs_analysis_instance *instance,
			       enum rs_callback_kind on)
{
	bool is_idle = instance->analysis->spans && !instance->analysis->views && !s->dispatch.takes_spans;

	return !instance->disabled[0] && !is_idle && (!instance->off[0] || on == RS_ON_GAP);
}

/* 0: all. Without a bit of its own for the tasks that it watches an analysis gets the calls of all. */
static uint32_t dispatch_kinds(const struct rs_analysis_instance *instance,
			       const struct rs_callback *callback)
{
	return callback->kinds | (instance->watcher ? 0 : callback->watched_kinds);
}

static struct rs_dispatch_row *dispatch_add(struct rs_session *s, struct rs_analysis_instance *instance,
					    enum rs_callback_kind on, unsigned int kind,
					    struct rs_dispatch_row *row)
{
	const struct rs_callback *callback = rs_dispatch_callback(instance->analysis, on);

	if (callback && dispatch_is_called(s, instance, on) &&
	    (!(callback->kinds | callback->watched_kinds) ||
	     dispatch_kinds(instance, callback) & 1u << kind))
		*row++ = (struct rs_dispatch_row){ &instance->ctx, *callback };
	return row;
}

/* Of most parts the callbacks are none: those of others cost only who uses them. */
static bool dispatch_uses_part(const struct rs_session *s, enum rs_engine_part part)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] &&
		    rs_bind_part_used(&s->config, s->analyses[i].analysis, part))
			return true;
	return false;
}

/* Parts of the engine come first. Returns the end of the rows in use. */
static struct rs_dispatch_row *dispatch_fill(struct rs_session *s, struct rs_dispatch_list *list,
					     enum rs_callback_kind on, unsigned int kind,
					     struct rs_dispatch_row *row)
{
	list->at = row;
	for (unsigned int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (s->parts[part].analysis->callbacks && dispatch_uses_part(s, part))
			row = dispatch_add(s, &s->parts[part], on, kind, row);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		row = dispatch_add(s, &s->analyses[i], on, kind, row);
	list->end = row;
	return row;
}

static struct rs_dispatch_row *dispatch_add_watched(struct rs_session *s,
						    struct rs_analysis_instance *instance, unsigned int kind,
						    struct rs_dispatch_row *row)
{
	const struct rs_callback *callback = rs_dispatch_callback(instance->analysis, RS_ON_CALL);

	if (callback && instance->watcher && dispatch_is_called(s, instance, RS_ON_CALL) &&
	    callback->watched_kinds >> kind & 1)
		*row++ = (struct rs_dispatch_row){ &instance->ctx, *callback };
	return row;
}

static struct rs_dispatch_row *dispatch_fill_watched(struct rs_session *s, unsigned int kind,
						     struct rs_dispatch_row *row)
{
	struct rs_dispatch_list *list = &s->dispatch.on_watched_call[kind];

	list->at = row;
	for (unsigned int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (dispatch_uses_part(s, part))
			row = dispatch_add_watched(s, &s->parts[part], kind, row);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		row = dispatch_add_watched(s, &s->analyses[i], kind, row);
	list->end = row;
	return row;
}

/* There is a list for each state and kind of call, so that only callbacks for it are called. */
static void dispatch_fill_all(struct rs_session *s)
{
	struct rs_dispatch_row *row = s->dispatch.rows;

	for (unsigned int state = 0; state < RS_NR_STATES; state++)
		row = dispatch_fill(s, &s->dispatch.on_interval[state], RS_ON_INTERVAL, state, row);
	for (unsigned int kind = 0; kind < RS_NR_CALL_KINDS; kind++)
		row = dispatch_fill(s, &s->dispatch.on_call[kind], RS_ON_CALL, kind, row);
	for (unsigned int kind = 0; kind < RS_NR_CALL_KINDS; kind++)
		row = dispatch_fill_watched(s, kind, row);
	for (unsigned int kind = 0; kind < RS_NR_PROBE_KINDS; kind++)
		row = dispatch_fill(s, &s->dispatch.on_probe[kind], RS_ON_PROBE, kind, row);
	for (enum rs_callback_kind on = 1; on < RS_NR_CALLBACKS; on++)
		row = dispatch_fill(s, &s->dispatch.on[on], on, 0, row);
}

/* bit: 0: there is none any more. Returns the next one. */
static uint32_t dispatch_number_watcher(struct rs_analysis_instance *instance, uint32_t bit)
{
	const struct rs_callback *callback = rs_dispatch_callback(instance->analysis, RS_ON_CALL);

	if (!callback || !callback->watched_kinds)
		return bit;
	instance->watcher = bit;
	return bit << 1;
}

/* Gives each analysis that watches tasks a bit of its own. */
static void dispatch_number_watchers(struct rs_session *s)
{
	uint32_t bit = 1;

	for (unsigned int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		bit = dispatch_number_watcher(&s->parts[part], bit);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		bit = dispatch_number_watcher(&s->analyses[i], bit);
}

static bool dispatch_has(const struct rs_session *s, enum rs_callback_kind on)
{
	return s->dispatch.on[on].at < s->dispatch.on[on].end;
}

static bool dispatch_needs_values(const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->span_sinks.nr; i++)
		if (s->span_sinks.at[i]->values)
			return true;
	return false;
}

bool rs_dispatch_needs_no_rows(const struct rs_session_config *config, const struct rs_analysis *a)
{
	return config->only_spans && !(config->findings && a->findings);
}

static bool dispatch_takes_spans(const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (rs_dispatch_callback(s->analyses[i].analysis, RS_ON_SPAN))
			return true;
	return s->span_sinks.nr;
}

/* Called again when an event is turned on or off. */
void rs_dispatch_list(struct rs_session *s)
{
	s->dispatch.takes_spans = dispatch_takes_spans(s);
	dispatch_fill_all(s);
	s->dispatch.joins = s->observers.wait[0] || dispatch_has(s, RS_ON_CONTENTION) ||
			    dispatch_has(s, RS_ON_STALL) || dispatch_has(s, RS_ON_WAIT);
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		struct rs_analysis_instance *instance = &s->analyses[i];

		if (instance->disabled[0] || instance->off[0])
			continue;
		instance->ctx.spans_enabled = s->dispatch.takes_spans && instance->analysis->spans;
		instance->ctx.span_values_enabled = instance->ctx.spans_enabled && dispatch_needs_values(s);
		instance->ctx.no_rows = rs_dispatch_needs_no_rows(&s->config, instance->analysis);
	}
}

/* Returns false also for a -C that lists all CPUs. */
static bool dispatch_hides_cpus(const struct rs_session *s)
{
	for (unsigned int cpu = 0; cpu < s->source->info.nr_cpus; cpu++)
		if (!s->cpu_contexts.shown[cpu])
			return true;
	return false;
}

/* Only for live capture, parts and time ranges: a whole recording shows it by the time it has been read. */
static void dispatch_find_what_is_recorded(struct rs_session *s)
{
	bool is_range = s->source->info.live || s->config.is_part || s->config.to_ns;

	s->states.wakings_known = rs_formats_has(s->formats, "sched", "sched_waking") ||
				  rs_formats_has(s->formats, "sched", "sched_wakeup");
	s->states.wakings_seen = is_range && s->states.wakings_known &&
				 (rs_session_occurs(s, rs_session_event_id(s, "sched", "sched_waking")) ||
				  rs_session_occurs(s, rs_session_event_id(s, "sched", "sched_wakeup")));
	s->call_events.occur = is_range && rs_calls_occur(s);
}

int rs_dispatch_begin(struct rs_session *s)
{
	s->observers.records_due_ns = UINT64_MAX;
	dispatch_number_watchers(s);
	if (rs_states_init(&s->states, &s->tasks, s->source->info.nr_cpus) < 0)
		return -1;
	s->states.on = !s->parts[RS_ENGINE_STATES].disabled[0];
	s->states.exact = s->config.exact;
	dispatch_find_what_is_recorded(s);
	s->states.cpu_shown = dispatch_hides_cpus(s) ? s->cpu_contexts.shown : NULL;
	s->states.on_interval = dispatch_interval;
	s->states.on_switch_in = dispatch_switch_in;
	s->states.on_queue = dispatch_queue;
	s->states.arg = s;
	s->calls.states = &s->states;
	s->requests.gaps = &s->states.gaps;
	s->requests.on_request = dispatch_request;
	s->requests.on_depth = dispatch_depth;
	s->requests.arg = s;
	if (rs_observers_begin(s) < 0)
		return -1;
	rs_formats_softirq_names(s->formats, s->irq_sources.softirq_names, RS_MAX_SOFTIRQS);
	return rs_irq_events_init(&s->irq_sources) < 0 ? -1 : rs_matcher_start(s);
}
