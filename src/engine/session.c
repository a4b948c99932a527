// SPDX-License-Identifier: GPL-2.0-or-later
/* session - runs analyses over the events of a source, and returns their rows */
#include "engine/session.h"

#include <errno.h>
#include <stdlib.h>

#include "base/comma-list.h"
#include "decode/event-ids.h"
#include "decode/merge.h"
#include "engine/analysis-instance.h"
#include "engine/api.h"
#include "engine/bind.h"
#include "engine/dispatch.h"
#include "engine/first-names.h"
#include "engine/internal.h"
#include "engine/match/contentions.h"
#include "engine/match/irq-events.h"
#include "engine/match/matcher.h"
#include "engine/match/named-pairs.h"
#include "engine/match/requests.h"
#include "engine/names.h"
#include "engine/observer.h"
#include "engine/range.h"
#include "engine/routes.h"
#include "engine/session-quality.h"
#include "engine/span-sinks.h"
#include "engine/states/context.h"
#include "engine/states/states.h"
#include "engine/store/store-table.h"
#include "engine/task-table.h"

#define DEFAULT_MAX_TASKS 65536

void rs_session_end_task(struct rs_session *s, struct rs_task_instance *inst, uint64_t ts_ns)
{
	rs_calls_end_task(&s->calls, inst, ts_ns);
	rs_matcher_end_task(s, &inst->task, ts_ns);
}

static void session_on_new_task(void *arg, struct rs_task_instance *inst)
{
	struct rs_session *s = arg;

	for (unsigned int i = 0; i < s->nr_analyses; i++)
		rs_store_task_begin(&s->analyses[i].ctx, &inst->task);
	rs_names_new_instance(s, inst);
}

static void session_on_evict_task(void *arg, struct rs_task_instance *inst)
{
	struct rs_session *s = arg;

	RS_OBSERVE(s->observers.evict, s, inst);
	rs_states_evict(&s->states, inst, s->now_ns);
	rs_calls_evict(&s->calls, inst);
	rs_matcher_end_task(s, &inst->task, s->now_ns);
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		rs_store_task_evict(&s->analyses[i].ctx, &inst->task);
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->task_evict)
			s->analyses[i].analysis->task_evict(&s->analyses[i].ctx, &inst->task);
	}
}

static void session_on_end_task(void *arg, struct rs_task_instance *inst)
{
	struct rs_session *s = arg;

	free(inst->program);
	inst->program = NULL;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		rs_store_task_end(&s->analyses[i].ctx, &inst->task);
}

/* ---- making a session ---- */

/* The bytes of each analysis in a task are aligned for any type. */
static size_t session_round_up_bytes(size_t nr_bytes)
{
	return (nr_bytes + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
}

static int session_add_analysis(struct rs_session *s, struct rs_analysis_instance *instance,
				const struct rs_analysis *a, size_t *task_bytes, struct rs_error *err)
{
	if (a->abi != RS_ABI)
		return rs_fail(
			err,
			"cannot use the analysis '%s': it was built for ABI %u, this is ABI %u (rebuild it)",
			a->name, a->abi, RS_ABI);
	instance->analysis = a;
	instance->first_span_kind = s->span_sinks.nr_kinds;
	for (const struct rs_span_kind *k = a->spans; k && k->name; k++)
		s->span_sinks.nr_kinds++;
	instance->ctx.session = s;
	instance->ctx.query = &instance->query;
	instance->ctx.task_offset = sizeof(struct rs_task_instance) + *task_bytes;
	instance->ctx.state = calloc(1, a->state_size ? a->state_size : 1);
	*task_bytes += session_round_up_bytes(rs_store_task_data_bytes(a));
	if (!instance->ctx.state || rs_store_begin(&instance->ctx, a,
					       sizeof(struct rs_task_instance) + *task_bytes) < 0)
		return rs_fail(err, "cannot begin '%s': out of memory", a->name);
	*task_bytes += session_round_up_bytes(rs_store_task_bytes(a));
	if (rs_matcher_init(&instance->ctx, a, task_bytes) < 0)
		return rs_fail(err, "cannot begin '%s': out of memory", a->name);
	*task_bytes = session_round_up_bytes(*task_bytes);
	return 0;
}

/* Calls and requests store what is in flight themselves: see calls.h and requests.h. */
static void session_add_matchers(struct rs_session *s)
{
	static const struct rs_match calls = { .name = "calls" }, requests = { .name = NULL };

	s->calls.matcher = (struct rs_matcher){ .decl = &calls, .count_open = rs_calls_count_open };
	s->requests.matcher = (struct rs_matcher){ .decl = &requests, .count_open = rs_requests_count_open };
	rs_matcher_add(s, &s->calls.matcher);
	rs_matcher_add(s, &s->requests.matcher);
}

bool rs_session_silences(const struct rs_session_config *config, const struct rs_analysis *a)
{
	for (const struct rs_rule *rule = a->rules; rule && rule->name; rule++)
		if (!rs_comma_list_has(config->silence, rule->name))
			return false;
	return a->rules;
}

struct rs_session *rs_session_new(const struct rs_session_config *config, struct rs_error *err)
{
	struct rs_session *s = calloc(1, sizeof *s);
	size_t task_bytes = 0;

	if (!s) {
		rs_fail(err, "cannot begin a session: out of memory");
		return NULL;
	}
	s->config = *config;
	s->call_texts.text = s->texts.event_text = s->texts.event_print = (struct rs_buf)RS_BUF_INIT;
	session_add_matchers(s);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (session_add_analysis(s, &s->parts[part], rs_engine_parts[part], &task_bytes, err) < 0)
			goto failed;
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if ((config->analyses[i]->views || !rs_session_silences(config, config->analyses[i])) &&
		    session_add_analysis(s, &s->analyses[s->nr_analyses++], config->analyses[i], &task_bytes,
					 err) < 0)
			goto failed;
	if (rs_tasks_init(&s->tasks, task_bytes, config->max_tasks ? config->max_tasks : DEFAULT_MAX_TASKS) <
	    0) {
		rs_fail(err, "cannot begin a session: out of memory");
		goto failed;
	}
	s->tasks.on_new = session_on_new_task;
	s->tasks.on_evict = session_on_evict_task;
	s->tasks.on_end = session_on_end_task;
	s->tasks.arg = s;
	return s;
failed:
	rs_session_free(s);
	return NULL;
}

void rs_session_free(struct rs_session *s)
{
	if (!s)
		return;
	rs_observers_free(s); /* they refer to tasks */
	rs_tasks_done(&s->tasks);
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		rs_api_alloc_done(&s->analyses[i].ctx);
		rs_store_done(&s->analyses[i].ctx);
		rs_matcher_done(&s->analyses[i].ctx, s->analyses[i].analysis);
		free(s->analyses[i].ctx.state);
	}
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++) {
		rs_api_alloc_done(&s->parts[part].ctx);
		rs_matcher_done(&s->parts[part].ctx, s->parts[part].analysis);
		free(s->parts[part].ctx.state);
	}
	rs_bind_undo_all(s);
	rs_named_pairs_done(s);
	rs_states_done(&s->states);
	rs_requests_done(&s->requests);
	rs_irq_events_done(&s->irq_sources);
	rs_merge_free(s->merge);
	rs_event_ids_free(s->events.ids);
	rs_first_names_free(s->names.first);
	rs_event_texts_free(s->texts.events);
	rs_formats_free(s->formats);
	rs_syscall_names_free(s->syscalls);
	free(s->call_events.named);
	rs_call_shapes_free(s->call_texts.shapes);
	rs_kallsyms_free(s->texts.variables);
	rs_kallsyms_free(s->texts.functions);
	rs_buf_done(&s->call_texts.text);
	rs_buf_done(&s->texts.event_text);
	rs_buf_done(&s->texts.event_print);
	free(s->cpu_contexts.by_cpu);
	free(s->cpu_contexts.shown);
	free(s->quality.lost_by_cpu);
	free(s->quality.uncounted_by_cpu);
	free(s->names.snapshot);
	free(s->names.seen);
	free(s);
}

int rs_session_emit_span(struct rs_session *s, struct rs_span_sink *sink)
{
	if (s->source || s->span_sinks.nr == RS_MAX_SPAN_SINKS)
		return -1;
	s->span_sinks.at[s->span_sinks.nr++] = sink;
	for (unsigned int i = 0; sink->kind && i < s->nr_analyses; i++)
		for (const struct rs_span_kind *k = s->analyses[i].analysis->spans; k && k->name; k++)
			sink->kind(sink, &s->analyses[i].ctx, k);
	return 0;
}

static void session_emit_in_flight(struct rs_session *s)
{
	const struct rs_in_flight_to to = { .list = NULL };

	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->emit_in_flight &&
		    s->analyses[i].ctx.spans_enabled)
			s->analyses[i].analysis->emit_in_flight(&s->analyses[i].ctx, &to);
}

void rs_session_emit_in_flight(struct rs_session *s, struct rs_span_sink *sink)
{
	struct rs_span_sink *first = s->span_sinks.at[0];
	unsigned int nr = s->span_sinks.nr;

	if (s->range.ended || !s->source || !nr)
		return;
	s->span_sinks.at[0] = sink;
	s->span_sinks.nr = 1;
	session_emit_in_flight(s);
	s->span_sinks.at[0] = first;
	s->span_sinks.nr = nr;
}

/* ---- the loop ---- */

/*
 * Called at the first event, or the first hit of a probe. Live, the initial task snapshot is complete by now.
 */
void rs_session_begin_time(struct rs_session *s, uint64_t ts_ns)
{
	s->range.begun = true;
	s->range.begin_ns = ts_ns;
	if (s->source->info.nr_initial != s->names.nr_initial_read)
		rs_names_init(s);
	RS_OBSERVE(s->observers.sample, s);
}

static void session_end_step(struct rs_session *s, uint64_t to_ns)
{
	s->now_ns = to_ns;
	s->config.end_step(s->config.step_arg, s, s->range.step_from_ns, to_ns);
	rs_session_reset(s);
	s->range.step_from_ns = to_ns;
}

/*
 * The step that is due ends before the event at ts_ns is handled, and then the steps without any event,
 * as one: times are untrusted, so there is no loop over them.
 */
static void session_advance_step(struct rs_session *s, uint64_t ts_ns)
{
	struct rs_range *range = &s->range;
	uint64_t step_ns = s->config.step_ns, nr_empty;

	if (!range->step_due_ns) {
		range->step_from_ns = s->config.from_ns > range->begin_ns ? s->config.from_ns :
									    range->begin_ns;
		range->step_due_ns = range->step_from_ns + step_ns;
	}
	if (ts_ns < range->step_due_ns)
		return;
	rs_session_sample(s);
	session_end_step(s, range->step_due_ns);
	nr_empty = (ts_ns - range->step_due_ns) / step_ns;
	if (nr_empty)
		session_end_step(s, range->step_due_ns + nr_empty * step_ns);
	range->step_due_ns = range->step_from_ns < UINT64_MAX - step_ns ? range->step_from_ns + step_ns :
									   UINT64_MAX;
}

/*
 * Does all that depends on time only: --from, --to, steps, late events. Sets next_check_ns, so that the
 * fast path needs only one comparison for each event. Returns false at --to.
 */
static bool session_advance_time(struct rs_session *s, struct rs_event *ev)
{
	bool is_after_end;

	s->now_ev = NULL; /* tasks that are added here are not created by this event */
	if (ev->ts_ns < s->now_ns) { /* time does not go back: a late event gets the current time */
		s->quality.nr_late++;
		ev->ts_ns = s->now_ns;
	}
	is_after_end = s->config.to_ns && ev->ts_ns > s->config.to_ns;
	if (!s->range.begun)
		rs_session_begin_time(s, is_after_end ? s->config.to_ns :
							ev->ts_ns); /* it begins no later than it ends */
	if (is_after_end)
		return false;
	s->now_ns = ev->ts_ns;
	if (s->range.muted && ev->ts_ns >= s->config.from_ns)
		rs_range_begin(s);
	if (s->config.step_ns && !s->range.muted)
		session_advance_step(s, ev->ts_ns);
	s->now_ns = ev->ts_ns;
	s->range.next_check_ns = s->config.to_ns ? s->config.to_ns + 1 : UINT64_MAX;
	if (s->range.muted && s->config.from_ns < s->range.next_check_ns)
		s->range.next_check_ns = s->config.from_ns;
	if (s->config.step_ns && !s->range.muted && s->range.step_due_ns < s->range.next_check_ns)
		s->range.next_check_ns = s->range.step_due_ns;
	s->now_ev = ev;
	return true;
}

/*
 * The common fields have the same sizes in every kernel (rs_formats_common has checked them), but not the
 * same offsets.
 */
static inline void session_read_common(const struct rs_session *s, struct rs_event *ev)
{
	uint16_t id;
	uint32_t tid;

	memcpy(&id, ev->data + s->routes.common.type.offset_bytes, sizeof id);
	memcpy(&tid, ev->data + s->routes.common.pid.offset_bytes, sizeof tid);
	if (__builtin_expect(s->routes.swaps, 0)) {
		id = __builtin_bswap16(id);
		tid = __builtin_bswap32(tid);
	}
	ev->id = id;
	ev->tid = (int32_t)tid;
}

static __attribute__((noinline)) void session_find_instance(struct rs_session *s,
							    struct rs_cpu_context *context,
							    const struct rs_event *ev)
{
	context->inst = rs_tasks_get(&s->tasks, ev->tid, ev->ts_ns);
	context->tid = ev->tid;
	context->generation = s->tasks.generation;
}

static inline struct rs_task *session_task_of(struct rs_session *s, struct rs_cpu_context *context,
					      const struct rs_event *ev)
{
	if (__builtin_expect(ev->tid != context->tid || s->tasks.generation != context->generation, 0))
		session_find_instance(s, context, ev);
	return context->inst ? &context->inst->task : NULL;
}

static inline void session_handle_event(struct rs_session *s, struct rs_cpu_context *context,
					struct rs_event *ev)
{
	int32_t tid_before = context->context_tid;
	struct rs_route *route;

	context->context_tid = ev->tid;
	RS_OBSERVE(s->observers.event, s, ev);
	/* an exec by a thread changes the tid on the CPU without a switch: its handler deals with that */
	if (__builtin_expect(s->states.on && context->cpu->tid != ev->tid, 0) && ev->id != s->routes.exec_id)
		rs_context_check(s, context, tid_before, ev);
	if (ev->id >= s->routes.nr) {
		s->routes.nr_unrouted++;
		return;
	}
	route = &s->routes.by_id[ev->id];
	route->nr_events++;
	if (!route->nr)
		return;
	if (ev->len_bytes < route->min_len_bytes) {
		s->quality.nr_bad_records++;
		return;
	}
	for (const struct rs_target *target = route->targets; target->handler; target++) {
		/* looked up for each handler: an earlier one may have begun the tid's next task instance */
		ev->task = session_task_of(s, context, ev);
		target->handler(target->ctx, ev, target->fields);
	}
}

/* Handles a batch. Returns the number of events; sets *more to false at --to. */
static inline uint64_t session_run_batch(struct rs_session *s, struct rs_batch *batch, struct rs_event *ev,
					 bool *more)
{
	const struct rs_page_cursor *c = batch->cursor;
	struct rs_cpu_context *context = &s->cpu_contexts.by_cpu[batch->cpu];
	uint64_t nr = 0;

	ev->cpu = batch->cpu;
	do {
		ev->data = c->record;
		ev->len_bytes = c->len_bytes;
		if (__builtin_expect(ev->len_bytes < s->routes.common.min_len_bytes, 0)) {
			s->quality.nr_bad_records++;
			continue;
		}
		ev->ts_ns = c->ts_ns;
		if (__builtin_expect(ev->ts_ns >= s->range.next_check_ns || ev->ts_ns < s->now_ns, 0) &&
		    !session_advance_time(s, ev)) {
			*more = false;
			s->range.cut = true;
			return nr;
		}
		s->now_ns = ev->ts_ns;
		session_read_common(s, ev);
		session_handle_event(s, context, ev);
		RS_OBSERVE(s->observers.event_done, s, ev, c);
		nr++;
	} while (rs_merge_next_record(s->merge, batch));
	ev->len_bytes = 0; /* its page may be released */
	return nr;
}

/* Handles the records of other sources before a batch, and ends it where the next one comes. */
static void session_take_records(struct rs_session *s, struct rs_batch *batch)
{
	uint64_t ts_ns = batch->cursor->ts_ns, due_ns;

	if (ts_ns >= s->observers.records_due_ns)
		RS_OBSERVE(s->observers.records, s, ts_ns);
	due_ns = s->observers.records_due_ns;
	if (batch->until_ns >= due_ns)
		batch->until_ns = due_ns > ts_ns ? due_ns - 1 : ts_ns;
}

/*
 * No event is there now: live, records up to the time that all CPUs have been read to; at the end all of
 * them.
 */
static void session_take_last_records(struct rs_session *s, bool ended)
{
	uint64_t until_ns = ended ? UINT64_MAX : rs_merge_known_ns(s->merge);

	if (until_ns >= s->observers.records_due_ns)
		RS_OBSERVE(s->observers.records, s, until_ns);
}

/* Skips the batch of a CPU that -C leaves out. */
static void session_skip_batch(struct rs_session *s, struct rs_batch *batch)
{
	while (rs_merge_next_record(s->merge, batch))
		;
}

enum rs_run_result rs_session_run(struct rs_session *s, uint64_t max_events, struct rs_error *err)
{
	struct rs_event ev = { 0 };
	struct rs_batch batch;
	uint64_t nr = 0;
	bool more = true;

	s->now_ev = &ev;
	RS_OBSERVE(s->observers.batch, s);
	while (nr < max_events && more) {
		/* a batch ends with its page, so few instances are added before the next trim */
		rs_tasks_trim(&s->tasks);
		if (!rs_merge_next_batch(s->merge, &batch, err))
			break;
		if (__builtin_expect(batch.until_ns >= s->observers.records_due_ns, 0))
			session_take_records(s, &batch);
		if (s->cpu_contexts.shown[batch.cpu])
			nr += session_run_batch(s, &batch, &ev, &more);
		else
			session_skip_batch(s, &batch);
	}
	s->now_ev = NULL;
	s->quality.nr_events += nr;
	RS_OBSERVE(s->observers.batch_done, s);
	if (nr >= max_events && more)
		return RS_RUN_MORE;
	more = more && !rs_merge_ended(s->merge);
	session_take_last_records(s, !more);
	return more ? RS_RUN_WAIT : RS_RUN_END;
}

uint64_t rs_session_events(const struct rs_session *s)
{
	return s->quality.nr_events;
}

bool rs_session_all_before_from(const struct rs_session *s)
{
	return s->range.begun && !s->range.cut && !s->config.selection.cpus && s->now_ns < s->config.from_ns;
}

uint64_t rs_session_now_ns(const struct rs_session *s)
{
	return s->now_ns;
}

void rs_session_advance(struct rs_session *s)
{
	uint64_t known_ns = rs_merge_known_ns(s->merge);

	if (s->source->info.live && s->range.begun && !s->range.ended && !s->config.to_ns &&
	    known_ns > s->now_ns)
		s->now_ns = known_ns;
}

static void session_end_analysis(struct rs_session *s, struct rs_analysis_instance *instance)
{
	if (!instance->disabled[0] && instance->analysis->end)
		instance->analysis->end(&instance->ctx, s->now_ns);
}

void rs_session_end(struct rs_session *s)
{
	if (s->range.ended)
		return;
	s->range.ended = true;
	/* up to --to the events are complete; after the last event of a file the state is unknown */
	if (s->range.cut || (s->config.to_is_known && s->range.begun && s->config.to_ns > s->now_ns))
		s->now_ns = s->config.to_ns;
	if (s->range.muted) /* all events were before --from */
		rs_range_begin(s);
	RS_OBSERVE(s->observers.end, s);
	rs_matcher_end_trace(s);
	session_emit_in_flight(s);
	if (s->config.to_ns)
		rs_range_end(s);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		session_end_analysis(s, &s->parts[part]);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		session_end_analysis(s, &s->analyses[i]);
	if (s->range.step_due_ns && s->now_ns > s->range.step_from_ns) {
		rs_session_sample(s);
		s->config.end_step(s->config.step_arg, s, s->range.step_from_ns, s->now_ns);
	}
	rs_session_log_quality(s);
}
