// SPDX-License-Identifier: GPL-2.0-or-later
/* api - what ringside/plugin.h offers to an analysis */
#include "engine/api.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/units.h"
#include "engine/analysis-instance.h"
#include "engine/files/terminals.h"
#include "engine/internal.h"
#include "engine/match/irq-events.h"
#include "engine/names.h"
#include "engine/session-events.h"
#include "engine/session-select.h"
#include "engine/states/states.h"
#include "engine/stream-cells.h"
#include "engine/task-table.h"
#include "engine/viewers.h"

struct rs_allocation {
	struct rs_allocation *next;
	_Alignas(max_align_t) unsigned char bytes[];
};

void *rs_alloc(struct rs_ctx *c, size_t nr, size_t size_bytes)
{
	struct rs_allocation *allocation;
	size_t all_bytes;

	if (__builtin_mul_overflow(nr, size_bytes, &all_bytes) ||
	    __builtin_add_overflow(all_bytes, sizeof *allocation, &all_bytes))
		return NULL;
	allocation = calloc(1, all_bytes);
	if (!allocation)
		return NULL;
	allocation->next = c->allocations;
	c->allocations = allocation;
	return allocation->bytes;
}

void rs_api_alloc_done(struct rs_ctx *c)
{
	struct rs_allocation *next;

	for (struct rs_allocation *at = c->allocations; at; at = next) {
		next = at->next;
		free(at);
	}
	c->allocations = NULL;
}

bool rs_row_is_shown(struct rs_ctx *c, unsigned int view, uint64_t lat_ns)
{
	struct rs_sink *sink;

	if (!rs_has_subscriber(c, view) || c->session->range.muted)
		return false;
	sink = rs_analysis_instance_of(c)->sinks[view];
	if (lat_ns >= sink->least_ns)
		return true;
	sink->nr_less++;
	return false;
}

bool rs_cell_is_shown(struct rs_ctx *c, const struct rs_column *column, struct rs_value value)
{
	const struct rs_terms *terms = c->query->terms;

	for (unsigned int i = 0; terms && i < terms->nr; i++)
		if (terms->at[i].column == column && !rs_term_holds(&terms->at[i], value))
			return false;
	return true;
}

void rs_emit(struct rs_ctx *c, unsigned int view, const struct rs_value *values)
{
	struct rs_analysis_instance *instance = rs_analysis_instance_of(c);

	if (!c->session->range.muted && view < RS_MAX_STREAMS && instance->sinks[view])
		rs_stream_cells_put(c, &instance->analysis->views[view], values, instance->sinks[view]);
}

void rs_emit_span(struct rs_ctx *c, unsigned int kind, const struct rs_span *span)
{
	const struct rs_analysis_instance *instance = rs_analysis_instance_of(c);
	const struct rs_span_kind *of = &instance->analysis->spans[kind];
	struct rs_session *s = c->session;

	if (!c->spans_enabled || s->range.muted || span->end_ns < span->start_ns ||
	    (span->task && !span->task->selected))
		return;
	for (unsigned int i = 0; i < s->span_sinks.nr; i++)
		s->span_sinks.at[i]->span(s->span_sinks.at[i], c, of, span);
	if (!span->in_flight && (of->shape == RS_SPAN_SLICE || of->shape == RS_SPAN_ASYNC))
		RS_DISPATCH(&s->dispatch.on[RS_ON_SPAN], span,
			    &(struct rs_emitted_span){ span, of, c, instance->first_span_kind + kind });
}

bool rs_discarded(const struct rs_ctx *c, uint64_t from_ns, uint64_t to_ns)
{
	return rs_gaps_hit(&c->session->states.gaps, from_ns, to_ns);
}

bool rs_shown(const struct rs_ctx *c, const struct rs_task *t)
{
	const struct rs_session *s = c->session;

	if (s->findings) /* these are judged of everybody: whose are told is decided at the end */
		return !t || !t->self || s->config.selection.self;
	return t ? t->selected : !rs_session_select_narrows(&s->config.selection);
}

bool rs_is_viewer(const struct rs_ctx *c, int32_t pid)
{
	return !c->session->config.selection.self && rs_viewers_has(c->session->config.viewers, pid);
}

struct rs_task *rs_task_get(struct rs_ctx *c, int32_t tid)
{
	struct rs_task_instance *inst = rs_tasks_get(&c->session->tasks, tid, c->session->now_ns);

	return inst ? &inst->task : NULL;
}

struct rs_task *rs_task_find(struct rs_ctx *c, int32_t tid)
{
	struct rs_task_instance *inst = rs_tasks_find(&c->session->tasks, tid);

	return inst ? &inst->task : NULL;
}

void *rs_api_session_arg(const struct rs_ctx *c)
{
	return c->session->config.arg;
}

unsigned int rs_api_span_kind_number(const struct rs_ctx *c, const struct rs_span_kind *kind)
{
	const struct rs_analysis_instance *instance = rs_analysis_instance_of(c);

	return instance->first_span_kind + (unsigned int)(kind - instance->analysis->spans);
}

bool rs_api_is_muted(const struct rs_ctx *c)
{
	return c->session->range.muted;
}

char rs_api_prev_state_letter(const struct rs_ctx *c, uint64_t prev_state)
{
	for (int bit = 0; bit < 32; bit++)
		if (prev_state >> bit & 1 && c->session->texts.letters[bit])
			return c->session->texts.letters[bit];
	return 'R';
}

struct rs_task *rs_task_next(struct rs_ctx *c, struct rs_task *after)
{
	struct rs_task_instance *inst = after ? rs_task_instance_of(after)->next : c->session->tasks.oldest;

	return inst ? &inst->task : NULL;
}

const char *rs_task_process_comm(struct rs_ctx *c, const struct rs_task *t)
{
	const struct rs_task_instance *leader = t->pid && t->pid != t->tid ?
							rs_tasks_find(&c->session->tasks, t->pid) :
							NULL;
	const struct rs_initial_task *initial;

	if (leader)
		return leader->task.comm[0] ? leader->task.comm : t->comm;
	/* a first thread that sleeps all the time is in no event */
	initial = t->pid && t->pid != t->tid ? rs_names_initial_task(c->session, t->pid) : NULL;
	return initial && initial->comm[0] ? initial->comm : t->comm;
}

const char *rs_api_process_comm(struct rs_ctx *c, int32_t pid)
{
	const struct rs_task_instance *inst = rs_tasks_find(&c->session->tasks, pid);
	const struct rs_initial_task *initial = inst ? NULL : rs_names_initial_task(c->session, pid);
	const char *comm = inst ? inst->task.comm : initial ? initial->comm : "";

	return *comm ? comm : NULL;
}

uint64_t rs_task_run_ns(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_states_run_ns(&c->session->states, rs_task_instance_of(t), c->session->now_ns);
}

uint64_t rs_gaps_ns(const struct rs_ctx *c)
{
	return c->session->quality.gaps_ns;
}

uint64_t rs_judged_ns(const struct rs_ctx *c)
{
	uint64_t since_ns = rs_since_ns(c), now_ns = rs_last_event_ns(c),
		 len_ns = now_ns > since_ns ? now_ns - since_ns : 0;

	return len_ns >= 100000000 && rs_gaps_ns(c) / (rs_nr_cpus(c) ? rs_nr_cpus(c) : 1) <= len_ns / 5 ?
		       len_ns :
		       0;
}

enum rs_state rs_task_state(const struct rs_ctx *c, const struct rs_task *t, uint64_t *open_ns)
{
	return rs_states_current(&c->session->states, rs_task_instance_of(t), c->session->now_ns, open_ns);
}

bool rs_task_has_states(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_instance_of(t)->seen_by_sched;
}

uint64_t rs_last_event_ns(const struct rs_ctx *c)
{
	return c->session->now_ns;
}

uint64_t rs_begin_ns(const struct rs_ctx *c)
{
	const struct rs_session *s = c->session;

	if (s->config.from_ns > s->now_ns) /* no event was so late */
		return s->now_ns;
	return s->config.from_ns > s->range.begin_ns ? s->config.from_ns : s->range.begin_ns;
}

uint64_t rs_since_ns(const struct rs_ctx *c)
{
	const struct rs_session *s = c->session;

	/* --from is a reset */
	return s->states.reset_ns > s->range.begin_ns ? s->states.reset_ns : s->range.begin_ns;
}

enum rs_state rs_cpu_state(const struct rs_ctx *c, unsigned int cpu, uint64_t *open_ns)
{
	return rs_states_cpu(&c->session->states, cpu, c->session->now_ns, open_ns);
}

const char *rs_syscall_name(const struct rs_ctx *c, int64_t nr)
{
	return rs_syscall_names_get(c->session->syscalls, nr);
}

bool rs_call_is(const struct rs_ctx *c, int64_t nr, uint32_t classes)
{
	return rs_session_call_is(c->session, nr, classes);
}

bool rs_call_has_own_softirqs(const struct rs_ctx *c, int64_t nr)
{
	uint8_t part = rs_call_fact(rs_syscall_facts(c->session->syscalls)->sleep, nr);

	return part == RS_PART_SOCKET || part == RS_PART_READ_WRITE || rs_call_is(c, nr, RS_CLASS_HANG_UP);
}

const char *rs_call_name(const struct rs_ctx *c, int64_t nr, char *buf, size_t size_bytes)
{
	const char *name = nr < 0 ? NULL : rs_syscall_name(c, nr);

	if (name || nr < 0)
		return name;
	snprintf(buf, size_bytes, "syscall_%lld", (long long)rs_call_number(nr));
	return buf;
}

int64_t rs_call_resolve_number(const struct rs_task *t, int64_t nr)
{
	const struct rs_task_instance *inst = t ? rs_task_instance_of(t) : NULL;

	return !inst || nr < 0 || inst->abi_changed ? nr : rs_call_number(nr) | inst->call_table;
}

enum rs_call_kind rs_call_kind(const struct rs_ctx *c, int64_t nr, const uint64_t *args)
{
	return rs_syscall_kind(c->session->syscalls, nr, args);
}

bool rs_call_is_idle(const struct rs_ctx *c, int64_t nr, const uint64_t *args)
{
	return rs_call_kind(c, nr, args) == RS_CALL_IDLE || rs_call_is(c, nr, RS_CLASS_AWAIT);
}

bool rs_call_reads_terminal(const struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_terminals *t = rs_terminals_of(c->session);

	if (!t || !rs_call_is(c, call->nr, RS_CLASS_READ))
		return false;
	return rs_terminals_has(t, call->task, call->enter_ns, (int32_t)call->args[0], call->in_flight);
}

bool rs_call_timed_out(const struct rs_ctx *c, const struct rs_call *call)
{
	return call->ret_known && call->ret == -rs_syscall_etimedout(c->session->syscalls);
}

bool rs_event_is_recorded(const struct rs_ctx *c, const char *system, const char *name)
{
	struct rs_session *s = c->session;
	uint32_t at = 0;

	return rs_formats_has(s->formats, system, name) && !rs_session_event_is_off(s, system, name) &&
	       rs_session_occurs(s, rs_formats_next_id(s->formats, system, name, &at));
}

bool rs_wakings_are_recorded(const struct rs_ctx *c)
{
	return c->session->states.wakings_seen;
}

bool rs_off_cpu_is_told(const struct rs_ctx *c)
{
	return rs_states_lacks_wakings(&c->session->states);
}

bool rs_event_symbol(const struct rs_ctx *c, const char *system, const char *name, const char *symbol,
		     uint64_t *value)
{
	return rs_formats_symbol(c->session->formats, system, name, symbol, value);
}

const char *rs_event_symbol_name(const struct rs_ctx *c, const char *system, const char *name, uint64_t value,
				 char *buf)
{
	return rs_formats_symbol_name(c->session->formats, system, name, value, buf) ? buf : NULL;
}

unsigned int rs_nr_event_ids(const struct rs_ctx *c)
{
	return rs_formats_max_id(c->session->formats) + 1;
}

const char *rs_event_name(const struct rs_ctx *c, unsigned int id, const char **system)
{
	const char *name;

	return rs_formats_by_id(c->session->formats, id, system, &name) ? name : NULL;
}

bool rs_event_is_drawn(const struct rs_ctx *c, unsigned int id)
{
	const struct rs_session *s = c->session;

	return id < s->routes.nr && s->routes.by_id[id].nr > s->routes.by_id[id].nr_undrawn;
}

static const char *api_event_text(struct rs_session *s, const struct rs_event *ev, struct rs_buf *to,
				  void (*put)(struct rs_event_texts *t, const struct rs_event *ev,
					      struct rs_buf *out))
{
	if (!s->texts.events)
		s->texts.events = rs_event_texts_new(s->formats, &s->source->info);
	rs_buf_clear(to);
	if (s->texts.events)
		put(s->texts.events, ev, to);
	return to->data;
}

const char *rs_event_text(struct rs_ctx *c, const struct rs_event *ev)
{
	return api_event_text(c->session, ev, &c->session->texts.event_text, rs_event_texts_put);
}

const char *rs_event_print(struct rs_ctx *c, const struct rs_event *ev)
{
	return api_event_text(c->session, ev, &c->session->texts.event_print, rs_event_texts_print);
}

const char *rs_duration_text(const struct rs_ctx *c, uint64_t ns, char *buf, size_t size_bytes)
{
	const char *unit = rs_quality_clock_unit(c->session->source->info.clock);
	bool is_time = !strcmp(unit, "ns");

	if (is_time && ns < 1000000)
		snprintf(buf, size_bytes, "%u us", (unsigned int)(ns / 1000));
	else if (is_time && ns < 10000000)
		snprintf(buf, size_bytes, "%.1f ms", (double)(ns / 100000) / 10);
	else
		snprintf(buf, size_bytes, "%llu %s", (unsigned long long)(is_time ? ns / 1000000 : ns),
			 is_time ? "ms" : unit);
	return buf;
}

const char *rs_rate_text(uint64_t per_second, char *buf, size_t size_bytes)
{
	if (per_second > 1)
		snprintf(buf, size_bytes, "%" PRIu64 " times a second", per_second);
	else
		snprintf(buf, size_bytes, per_second ? "once a second" : "less than once a second");
	return buf;
}

const char *rs_size_text(uint64_t nr_bytes, char *buf, size_t size_bytes)
{
	char text[RS_UNIT_TEXT + 1];

	text[rs_units_put_size(text, nr_bytes)] = '\0';
	rs_copy(buf, size_bytes, text);
	return buf;
}

const char *rs_disk_name(const struct rs_ctx *c, uint32_t dev)
{
	const struct rs_trace_info *info = &c->session->source->info;

	for (size_t i = 0; i < info->nr_disks; i++)
		if (info->disks[i].dev == dev)
			return info->disks[i].name;
	return NULL;
}

const char *rs_disk_words(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes)
{
	const struct rs_trace_info *info = &c->session->source->info;

	rs_dev_text(dev, buf, size_bytes);
	for (const struct rs_disk *disk = info->disks; disk < info->disks + info->nr_disks; disk++)
		if (disk->dev == dev)
			snprintf(buf, size_bytes, "%.30s%s%s%s", disk->name, disk->mount[0] ? " (" : "",
				 disk->mount, disk->mount[0] ? ")" : "");
	return buf;
}

const char *rs_disk_above(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes)
{
	const struct rs_trace_info *info = &c->session->source->info;
	const struct rs_stacked_disk *found = NULL;
	const char *name;
	char number[32];

	for (size_t i = 0; i < info->nr_stacked; i++)
		if (info->stacked[i].below == dev && (!found || found->above == info->stacked[i].above))
			found = &info->stacked[i];
		else if (info->stacked[i].below == dev)
			return NULL;
	if (!found)
		return NULL;
	rs_dev_text(found->above, number, sizeof number);
	name = rs_disk_name(c, found->above);
	snprintf(buf, size_bytes, "%s%s%s%s", name ? name : number, found->label[0] ? " (" : "", found->label,
		 found->label[0] ? ")" : "");
	return buf;
}

const struct rs_irq_source *rs_softirq_source(struct rs_ctx *c, uint32_t vec)
{
	return rs_irq_events_source(&c->session->irq_sources, RS_SOFTIRQ, vec, NULL);
}

const char *rs_symbol(struct rs_ctx *c, uint64_t addr)
{
	const struct rs_trace_info *info = &c->session->source->info;
	struct rs_api_texts *t = &c->session->texts;

	if (!rs_kallsyms_may_name(info->machine, addr))
		return NULL;
	if (!t->variables)
		t->variables = rs_kallsyms_new(info->kallsyms_fd, info->kallsyms.data, info->kallsyms.len,
					       false);
	return rs_kallsyms_variable(t->variables, addr, t->symbol, sizeof t->symbol) ? t->symbol : NULL;
}

const char *rs_function(struct rs_ctx *c, uint64_t addr)
{
	const struct rs_trace_info *info = &c->session->source->info;
	struct rs_api_texts *t = &c->session->texts;
	const char *name, *module;

	if (!rs_kallsyms_may_name(info->machine, addr))
		return NULL;
	if (!t->functions)
		t->functions = rs_kallsyms_new(info->kallsyms_fd, info->kallsyms.data, info->kallsyms.len,
					       true);
	return rs_kallsyms_function(t->functions, addr, &name, &module) ? name : NULL;
}

bool rs_cpu_is_shown(const struct rs_ctx *c, unsigned int cpu)
{
	return cpu < rs_nr_cpus(c) && c->session->cpu_contexts.shown[cpu];
}

unsigned int rs_nr_cpus(const struct rs_ctx *c)
{
	return c->session->source->info.nr_cpus;
}

void rs_count(struct rs_ctx *c, enum rs_counted what)
{
	c->session->quality.counted[what]++;
}
