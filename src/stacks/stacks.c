// SPDX-License-Identifier: GPL-2.0-or-later
/* stacks - an observer that makes stacks of perf's records, and calls the analyses with each sample */
#include "stacks/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "decode/group-counts.h"
#include "decode/sample-merge.h"
#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/observer.h"
#include "engine/range.h"
#include "engine/session-select.h"
#include "engine/store/store-table.h"
#include "engine/task-table.h"
#include "stacks/companions.h"
#include "stacks/hot-code.h"
#include "stacks/sample-window.h"
#include "stacks/stack-builder.h"

#define STACKS_MAX_PERIOD (1ull << 40) /* a file may say anything; their sum has 64 bits */
#define STACKS_BETWEEN_SWEEPS 100000u /* a sweep takes some 50 ms */

#define STACKS_TEXT_BYTES 16384

struct rs_stacks {
	struct rs_sample_source *source;
	struct rs_sample_merge *merge;
	struct rs_stack_builder *builder;
	struct rs_sample_window *window;       /* NULL: the source has no window, or no samples */
	struct rs_hot_code_counts *hot_code;   /* NULL: no samples */
	struct rs_group_counts *counts;        /* likewise */
	bool sampled, probed;
	char text[STACKS_TEXT_BYTES];
	/* sweep_at: the stack at which a full table may be swept again */
	uint64_t nr_samples, nr_stacks, nr_lost, sweep_at;
};

static struct rs_stacks *stacks_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_STACKS);
}

struct stacks_use {
	uint8_t *used;
	size_t nr;
};

static void stacks_mark(void *arg, uint32_t stack)
{
	struct stacks_use *use = arg;

	if (stack < use->nr)
		use->used[stack] = 1;
}

/* Returns false without memory: then any stack may be in use. */
static bool stacks_mark_spans(const struct rs_session *s, struct stacks_use *use)
{
	const struct rs_span_sinks *sinks = &s->span_sinks;

	for (unsigned int i = 0; i < sinks->nr; i++)
		if (sinks->at[i]->stacks && !sinks->at[i]->stacks(sinks->at[i], stacks_mark, use))
			return false;
	return true;
}

/*
 * The table is full: frees the stacks that no row, and no span, has. Without memory for that, what is new
 * stays cut.
 */
static void stacks_sweep(struct rs_session *s)
{
	struct rs_stacks *st = stacks_of(s);
	struct rs_stack_table *table = rs_stack_builder_table(st->builder);
	struct stacks_use use = { .nr = rs_stack_table_nr(table) };

	st->sweep_at = st->nr_stacks + STACKS_BETWEEN_SWEEPS;
	/* an exporter has written numbers: all stay in use */
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (rs_dispatch_callback(s->analyses[i].analysis, RS_ON_SAMPLE) &&
		    !s->analyses[i].analysis->stores)
			return;
	use.used = calloc(use.nr, 1);
	if (!use.used)
		return;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		rs_store_for_each_stack(&s->analyses[i].ctx, stacks_mark, &use);
	rs_companions_for_each_stack(s, stacks_mark, &use);
	if (stacks_mark_spans(s, &use))
		rs_stack_table_sweep(table, use.used);
	free(use.used);
}

static void stacks_make_room(struct rs_session *s)
{
	stacks_of(s)->nr_stacks++;
	if (rs_stack_table_is_full(rs_stack_builder_table(stacks_of(s)->builder)) &&
	    stacks_of(s)->nr_stacks >= stacks_of(s)->sweep_at)
		stacks_sweep(s);
}

uint32_t rs_stacks_add(struct rs_session *s, int32_t pid, const struct rs_stack_address *addresses, size_t nr)
{
	stacks_make_room(s);
	return rs_stack_builder_add(stacks_of(s)->builder, pid, addresses, nr);
}

/* ---- samples ---- */

static bool stacks_is_shown(const struct rs_session *s, const struct rs_sample_event *ev)
{
	return (ev->cpu >= s->source->info.nr_cpus || s->cpu_contexts.shown[ev->cpu]) &&
	       ev->ts_ns >= s->config.from_ns && (!s->config.to_ns || ev->ts_ns <= s->config.to_ns);
}

/* The task may be one that no event has named so far. */
static struct rs_task *stacks_task(struct rs_session *s, const struct rs_sample_event *ev)
{
	struct rs_task_instance *inst = rs_tasks_get(&s->tasks, ev->tid, ev->ts_ns);

	if (inst && !inst->task.pid && ev->pid > 0) {
		inst->task.pid = ev->pid;
		rs_session_select(s, inst);
	}
	return inst ? &inst->task : NULL;
}

/* The first sample in the time range may come before the first event in it. */
static bool stacks_begin_range(struct rs_session *s, uint64_t ts_ns)
{
	if (!s->range.begun)
		return false;
	if (ts_ns > s->now_ns)
		s->now_ns = ts_ns;
	rs_range_begin(s);
	return true;
}

static void stacks_add_hot_code(struct rs_session *s, const struct rs_cpu_sample *sample)
{
	const struct rs_stack_node *node = rs_stack_table_node(rs_stack_builder_table(stacks_of(s)->builder),
							       sample->stack);

	rs_hot_code_add(stacks_of(s)->hot_code, sample->task->pid, sample->task->tid,
			rs_task_process_comm(rs_part_ctx(s, RS_ENGINE_TASKS), sample->task), node->module,
			node->offset);
}

static void stacks_on_sample(struct rs_session *s, const struct rs_sample_event *ev)
{
	struct rs_cpu_sample sample = { .ts_ns = ev->ts_ns, .cpu = (uint16_t)ev->cpu };

	if (stacks_of(s)->counts)
		sample.counted = rs_group_counts_add(stacks_of(s)->counts, &stacks_of(s)->source->info, ev,
						     sample.grown);
	if (!stacks_of(s)->sampled || ev->tid <= 0 || !stacks_is_shown(s, ev)) /* tid 0: idle */
		return;
	if (s->range.muted && !stacks_begin_range(s, ev->ts_ns))
		return;
	stacks_of(s)->nr_samples++;
	stacks_make_room(s);
	sample.task = stacks_task(s, ev);
	if (!sample.task)
		return;
	sample.weight = !ev->period ? 1 : ev->period < STACKS_MAX_PERIOD ? ev->period : STACKS_MAX_PERIOD;
	sample.stack = rs_stack_builder_add_sample(stacks_of(s)->builder, ev, &sample.in_kernel);
	stacks_add_hot_code(s, &sample);
	RS_DISPATCH(&s->dispatch.on[RS_ON_SAMPLE], sample, &sample);
}

/*
 * A process may be probed while no event comes: what is shown is as of the last hit, and live as of the last
 * look for one.
 */
static void stacks_advance(struct rs_session *s, uint64_t ts_ns)
{
	if (!s->range.begun)
		rs_session_begin_time(s, ts_ns);
	if (ts_ns > s->now_ns)
		s->now_ns = ts_ns;
}

/* Lost hits are of any thread. They are told also before the time range, and without a task. */
static void stacks_on_lost_probes(struct rs_session *s, const struct rs_sample_event *ev)
{
	struct rs_probe_hit hit = { .ts_ns = ev->ts_ns, .cpu = (uint16_t)ev->cpu, .function = RS_PROBE_LOST,
				    .args = { ev->args[0] } };

	stacks_of(s)->nr_lost += ev->args[0];
	for (unsigned int kind = 0; kind < RS_NR_PROBE_KINDS; kind++)
		RS_DISPATCH(&s->dispatch.on_probe[kind], probe, &hit);
}

/*
 * What the kernel frees belongs to no task: it is taken from an idle CPU, too, and from one that is not
 * shown.
 */
static void stacks_on_probe(struct rs_session *s, const struct rs_sample_event *ev)
{
	struct rs_probe_hit hit = { .ts_ns = ev->ts_ns, .cpu = (uint16_t)ev->cpu, .function = ev->function,
				    .returns = ev->returns, .name = ev->name };
	bool is_freed = ev->function >= RS_PROBE_KFREE, in_kernel;

	if (!stacks_of(s)->probed || (!is_freed && (ev->tid <= 0 || !stacks_is_shown(s, ev))) ||
	    (s->range.muted && !stacks_begin_range(s, ev->ts_ns)))
		return;
	memcpy(hit.args, ev->args, sizeof hit.args);
	stacks_of(s)->nr_samples++;
	stacks_advance(s, ev->ts_ns);
	hit.task = is_freed ? NULL : stacks_task(s, ev);
	if (!is_freed && !hit.task)
		return;
	if (ev->returns && ev->nr_frames) {
		stacks_make_room(s);
		hit.stack = rs_stack_builder_add_sample(stacks_of(s)->builder, ev, &in_kernel);
	}
	RS_DISPATCH(&s->dispatch.on_probe[rs_probe_kind_of(hit.function)], probe, &hit);
}

/* Handles the records up to a time. */
static void stacks_take(struct rs_session *s, uint64_t until_ns)
{
	struct rs_stacks *st = stacks_of(s);
	struct rs_sample_event ev;

	while (rs_sample_merge_next(st->merge, until_ns, &ev)) {
		if (st->window)
			rs_sample_window_add(st->window, &ev);
		switch (ev.kind) {
		case RS_SAMPLE_OF_CPU:
			stacks_on_sample(s, &ev);
			break;
		case RS_SAMPLE_PROBE:
			ev.function == RS_PROBE_LOST ? stacks_on_lost_probes(s, &ev) :
						       stacks_on_probe(s, &ev);
			break;
		case RS_SAMPLE_LOST:
			st->nr_lost += ev.nr_lost;
			if (st->counts)
				rs_group_counts_lost(st->counts, ev.cpu);
			break;
		default:
			rs_stack_builder_follow(st->builder, &ev);
			break;
		}
	}
	rs_stack_builder_take_files(st->builder);
	if (st->probed && s->source->info.live && until_ns != UINT64_MAX)
		stacks_advance(s, until_ns);
	s->observers.records_due_ns = rs_sample_merge_due_ns(st->merge);
}

static void stacks_count(const struct rs_session *s, struct rs_range_counts *counts)
{
	const struct rs_stacks *st = stacks_of(s);

	counts->evicted += rs_stack_table_nr_cut(rs_stack_builder_table(st->builder));
	counts->bad_records += rs_sample_merge_nr_bad(st->merge);
}

static void stacks_quality(const struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_stacks *st = stacks_of(s);
	uint64_t nr_lost = st->source->ops->nr_lost ? st->source->ops->nr_lost(st->source) : 0;

	quality->sampled = st->sampled || st->probed;
	quality->samples = st->nr_samples;
	/* a record of what was lost comes before the next one that there is room for, if there is one */
	quality->samples_lost = nr_lost > st->nr_lost ? nr_lost : st->nr_lost;
}

/* A recording of another program's has stacks of events, and no samples and mappings. */
static bool stacks_no_record(struct rs_sample_source *source, unsigned int ring,
			     struct rs_sample_record *record)
{
	return false;
}

static uint64_t stacks_known_ns(struct rs_sample_source *source)
{
	return UINT64_MAX;
}

static int64_t stacks_offset_ns(struct rs_sample_source *source)
{
	return 0;
}

static const struct rs_sample_ops no_ops = { .next = stacks_no_record, .known_ns = stacks_known_ns,
					     .offset_ns = stacks_offset_ns };

static struct rs_sample_source no_samples = { .ops = &no_ops };

/* Without memory time ranges have no samples. */
static void stacks_open_window(struct rs_session *s, struct rs_stacks *st)
{
	if (!s->source->window || !s->source->samples)
		return;
	st->window = rs_sample_window_new(st->source, &s->source->info, s->source->window,
					  rs_stack_builder_symbolizer(st->builder));
	s->source->sample_window = st->window;
}

static void stacks_free(struct rs_session *s, void *state)
{
	struct rs_stacks *st = state;

	rs_sample_merge_free(st->merge);
	rs_sample_window_free(st->window);
	rs_hot_code_free(st->hot_code);
	rs_group_counts_free(st->counts);
	rs_stack_builder_free(st->builder);
	free(st);
}

/* samples, probes: they are used, beside stacks of events. NULL: no memory. */
static struct rs_stacks *stacks_new(struct rs_session *s, bool samples, bool probes)
{
	struct rs_stacks *st = calloc(1, sizeof *st);

	if (!st)
		return NULL;
	st->sampled = samples;
	st->probed = probes;
	st->source = s->source->samples ? s->source->samples : &no_samples;
	st->merge = rs_sample_merge_new(st->source);
	st->builder = rs_stack_builder_new(st->source, &s->source->info, s->config.max_stacks);
	if (samples && st->builder)
		st->hot_code = rs_hot_code_new(rs_stack_builder_symbolizer(st->builder));
	st->counts = samples ? rs_group_counts_new() : NULL;
	if (st->merge && st->builder && ((st->hot_code && st->counts) || !samples)) {
		stacks_open_window(s, st);
		return st;
	}
	stacks_free(s, st);
	return NULL;
}

/* Who only asks for names has nothing of a recording of stacks alone, which has mappings, and no samples. */
static bool stacks_are_sampled_for(const struct rs_session *s, const struct rs_analysis *a)
{
	const struct rs_sample_source *source = s->source->samples;

	if (!source)
		return false;
	return rs_dispatch_callback(a, RS_ON_SAMPLE) ||
	       (s->config.names_code && a->uses_samples && (source->info.hz || source->info.nr_samples));
}

static int stacks_begin(struct rs_session *s)
{
	bool samples = false, probes = false;
	struct rs_stacks *st;

	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		const struct rs_analysis *a = s->analyses[i].analysis;

		if (s->analyses[i].disabled[0])
			continue;
		samples |= stacks_are_sampled_for(s, a);
		probes |= s->source->samples && rs_dispatch_callback(a, RS_ON_PROBE);
	}
	if (!samples && !probes && !rs_observer_state(s, RS_OBSERVER_COMPANIONS))
		return 0;
	st = stacks_new(s, samples, probes);
	rs_observer_set(s, RS_OBSERVER_STACKS, st);
	s->observers.records_due_ns = 0;
	return st ? 0 : -1;
}

static void stacks_reset(struct rs_session *s)
{
	if (stacks_of(s)->hot_code)
		rs_hot_code_reset(stacks_of(s)->hot_code);
}

const struct rs_observer rs_observer_stacks = {
	.name = "stacks",
	.begin = stacks_begin,
	.free = stacks_free,
	.records = stacks_take,
	.reset = stacks_reset,
	.count = stacks_count,
	.quality = stacks_quality,
};

/* ---- what analyses ask ---- */

bool rs_hot_code(const struct rs_ctx *c, const struct rs_hot_code_asked *asked, struct rs_hot_code *code)
{
	struct rs_stacks *st = stacks_of(c->session);

	return st && st->hot_code && rs_hot_code_find(st->hot_code, asked, code);
}

void rs_stack_frame(const struct rs_ctx *c, uint32_t stack, struct rs_frame *frame)
{
	const struct rs_stacks *st = stacks_of(c->session);

	*frame = (struct rs_frame){ .module = "[unknown]" };
	if (st)
		rs_stack_builder_frame(st->builder, stack, frame);
}

char *rs_stacks_text(const struct rs_session *s, size_t *size_bytes)
{
	struct rs_stacks *st = stacks_of(s);

	*size_bytes = sizeof st->text;
	return st ? st->text : NULL;
}

uint32_t rs_stack_caller(const struct rs_ctx *c, uint32_t stack)
{
	const struct rs_stacks *st = stacks_of(c->session);

	return st && stack > RS_STACK_OTHERS ?
		       rs_stack_table_node(rs_stack_builder_table(st->builder), stack)->caller :
		       RS_STACK_ROOT;
}
