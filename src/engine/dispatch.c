// SPDX-License-Identifier: GPL-2.0-or-later
/* What the parts of the engine find, passed on to the analyses that have a callback for it. */
#include "engine/internal.h"
#include "engine/terminals.h"

static void dispatch_interval(void *arg, const struct rs_interval *iv)
{
	struct rs_session *s = arg;

	struct rs_analysis_instance *const *instance = s->on_interval[iv->kind], *const *end = instance + s->nr_on_interval[iv->kind];

	for (; instance < end; instance++)
		(*instance)->analysis->interval(&(*instance)->ctx, iv);
	if (s->joins && iv->kind == RS_BLOCKED)
		rs_waits_ended(s, iv);
}

static void dispatch_switch_in(void *arg, struct rs_task *t)
{
	struct rs_session *s = arg;

	for (unsigned int i = 0; i < s->nr_on_switch_in; i++)
		s->on_switch_in[i]->analysis->switch_in(&s->on_switch_in[i]->ctx, t);
}

static void dispatch_queue(void *arg, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
	struct rs_session *s = arg;

	for (unsigned int i = 0; i < s->nr_on_queue; i++)
		s->on_queue[i]->analysis->queue(&s->on_queue[i]->ctx, cpu, depth, ts_ns);
}

static inline enum rs_call_kind dispatch_kind_of(const struct rs_session *s, const struct rs_call *call)
{
	uint8_t kind = RS_NR_CALL_KINDS;

	if (__builtin_expect((uint64_t)call->nr < RS_MAX_CALL_NUMBERS, 1)) /* then it is its place, too */
		kind = s->call_kinds[call->nr];
	return kind < RS_NR_CALL_KINDS ? (enum rs_call_kind)kind : rs_syscall_kind(s->syscalls, call->nr, call->args);
}

static inline void dispatch_call_to_all(struct rs_session *s, const struct rs_call *call)
{
	enum rs_call_kind kind = dispatch_kind_of(s, call);
	struct rs_analysis_instance *const *instance = s->on_call[kind],
	*const *end = instance + s->nr_on_call[kind];

	for (; instance < end; instance++)
		(*instance)->analysis->call(&(*instance)->ctx, call);
}

/* Two of the same, so that the one for each call stays in line where calls end. */
void rs_dispatch_call(struct rs_session *s, const struct rs_call *call)
{
	dispatch_call_to_all(s, call);
}

void rs_dispatch_call_in_flight(struct rs_session *s, const struct rs_call *call)
{
	dispatch_call_to_all(s, call);
}

static void dispatch_request(void *arg, const struct rs_request *request)
{
	struct rs_session *s = arg;

	if (s->joins)
		rs_waits_request(s, request);
	for (unsigned int i = 0; i < s->nr_on_request; i++)
		s->on_request[i]->analysis->request(&s->on_request[i]->ctx, request);
}

void rs_dispatch_contention(struct rs_session *s, const struct rs_contention *contention)
{
	for (unsigned int i = 0; i < s->nr_on_contention; i++)
		s->on_contention[i]->analysis->contention(&s->on_contention[i]->ctx, contention);
}

void rs_dispatch_stall(struct rs_session *s, const struct rs_stall *stall)
{
	for (unsigned int i = 0; i < s->nr_on_stall; i++)
		s->on_stall[i]->analysis->stall(&s->on_stall[i]->ctx, stall);
}

static void dispatch_depth(void *arg, uint32_t dev, int change, uint64_t ts_ns)
{
	struct rs_session *s = arg;

	for (unsigned int i = 0; i < s->nr_on_depth; i++)
		s->on_depth[i]->analysis->disk_depth(&s->on_depth[i]->ctx, dev, change, ts_ns);
}

static void dispatch_count_gap(struct rs_session *s, const struct rs_gap *gap)
{
	s->nr_gaps++;
	s->nr_gaps_uncounted += !gap->nr_lost;
	if (gap->cpu < s->source->info.nr_cpus) {
		uint64_t *lost = &s->lost_by_cpu[gap->cpu];

		if (__builtin_add_overflow(*lost, gap->nr_lost, lost))
			*lost = UINT64_MAX;
		s->uncounted_by_cpu[gap->cpu] += !gap->nr_lost;
	}
}

void rs_dispatch_gap(void *arg, const struct rs_gap *gap)
{
	struct rs_session *s = arg;

	if (!s->muted || gap->to_ns > s->config.from_ns) /* what was lost before the time range is not of it */
		dispatch_count_gap(s, gap);
	rs_states_gap(&s->states, gap);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->gap)
			s->analyses[i].analysis->gap(&s->analyses[i].ctx, gap);
}

static void list_interval(struct rs_session *s, struct rs_analysis_instance *instance)
{
	uint32_t kinds = instance->analysis->interval_kinds ? instance->analysis->interval_kinds : UINT32_MAX;

	for (unsigned int kind = 0; instance->analysis->interval && kind < RS_NR_STATES; kind++)
		if (kinds >> kind & 1)
			s->on_interval[kind][s->nr_on_interval[kind]++] = instance;
}

static void list_call(struct rs_session *s, struct rs_analysis_instance *instance)
{
	uint32_t kinds = instance->analysis->call_kinds ? instance->analysis->call_kinds : UINT32_MAX;

	for (unsigned int kind = 0; instance->analysis->call && kind < RS_NR_CALL_KINDS; kind++)
		if (kinds >> kind & 1)
			s->on_call[kind][s->nr_on_call[kind]++] = instance;
}

static bool dispatch_needs_values(const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->nr_span_sinks; i++)
		if (s->span_sinks[i]->values)
			return true;
	return false;
}

/* Dense lists of who has which callback, so that a hot path asks nobody in vain. */
void rs_dispatch_list(struct rs_session *s)
{
	memset(s->nr_on_interval, 0, sizeof s->nr_on_interval);
	memset(s->nr_on_call, 0, sizeof s->nr_on_call);
	s->nr_on_switch_in = s->nr_on_queue = s->nr_on_request = s->nr_on_depth = 0;
	s->nr_on_contention = s->nr_on_stall = s->nr_on_wait = s->nr_on_irq = 0;
	s->joins = false;
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		struct rs_analysis_instance *instance = &s->analyses[i];

		if (instance->disabled[0] || instance->off[0])
			continue;
		list_interval(s, instance);
		list_call(s, instance);
		if (instance->analysis->switch_in)
			s->on_switch_in[s->nr_on_switch_in++] = instance;
		if (instance->analysis->queue)
			s->on_queue[s->nr_on_queue++] = instance;
		if (instance->analysis->request)
			s->on_request[s->nr_on_request++] = instance;
		if (instance->analysis->disk_depth)
			s->on_depth[s->nr_on_depth++] = instance;
		if (instance->analysis->contention)
			s->on_contention[s->nr_on_contention++] = instance;
		if (instance->analysis->stall)
			s->on_stall[s->nr_on_stall++] = instance;
		if (instance->analysis->wait)
			s->on_wait[s->nr_on_wait++] = instance;
		if (instance->analysis->irq)
			s->on_irq[s->nr_on_irq++] = instance;
		s->joins |= instance->analysis->contention || instance->analysis->stall || instance->analysis->wait;
		instance->ctx.spans_enabled = s->nr_span_sinks > 0 && instance->analysis->spans;
		instance->ctx.span_values_enabled = instance->ctx.spans_enabled && dispatch_needs_values(s);
		instance->ctx.no_rows = s->config.only_spans;
	}
}

/* -C with all CPUs is none. */
static bool hides_cpus(const struct rs_session *s)
{
	for (unsigned int cpu = 0; cpu < s->source->info.nr_cpus; cpu++)
		if (!s->cpu_shown[cpu])
			return true;
	return false;
}

/* Before a whole recording has been read nobody needs to know: what comes tells. */
static void know_what_is_recorded(struct rs_session *s)
{
	bool is_range = s->source->info.live || s->config.is_part || s->config.to_ns;

	s->states.wakings_known = rs_formats_has(s->formats, "sched", "sched_waking") ||
				  rs_formats_has(s->formats, "sched", "sched_wakeup");
	s->states.wakings_seen = is_range && s->states.wakings_known &&
				 (rs_session_occurs(s, rs_session_event_id(s, "sched", "sched_waking")) ||
				  rs_session_occurs(s, rs_session_event_id(s, "sched", "sched_wakeup")));
	s->calls_occur = is_range && rs_calls_occur(s);
}

int rs_dispatch_begin(struct rs_session *s)
{
	if (rs_states_init(&s->states, &s->tasks, s->source->info.nr_cpus) < 0)
		return -1;
	s->states.on = !s->parts[RS_ENGINE_STATES].disabled[0];
	s->states.exact = s->config.exact;
	know_what_is_recorded(s);
	s->states.cpu_shown = hides_cpus(s) ? s->cpu_shown : NULL;
	s->states.on_interval = dispatch_interval;
	s->states.on_switch_in = dispatch_switch_in;
	s->states.on_queue = dispatch_queue;
	s->states.arg = s;
	s->calls.states = &s->states;
	s->requests.gaps = &s->states.gaps;
	s->requests.on_request = dispatch_request;
	s->requests.on_depth = dispatch_depth;
	s->requests.arg = s;
	if (s->config.fd_requester.ask && !s->parts[RS_ENGINE_CALLS].disabled[0])
		s->fd_paths = rs_fd_paths_new(&s->config.fd_requester, &s->tasks, &s->states.gaps,
					      s->syscalls);
	if (s->config.terminal_requester.ask)
		s->terminals = rs_terminals_new(&s->config.terminal_requester);
	rs_formats_softirq_names(s->formats, s->irq_sources.softirq_names, RS_MAX_SOFTIRQS);
	return rs_irq_sources_init(&s->irq_sources) < 0 ? -1 : rs_matcher_start(s);
}
