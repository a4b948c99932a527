// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/stacks.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "decode/sample-merge.h"
#include "engine/internal.h"
#include "engine/store-table.h"
#include "model/stack-table.h"
#include "symbols/maps.h"
#include "symbols/symbolizer.h"

#define STACKS_MAX_FRAMES 1024u
#define SAMPLES_BETWEEN_SWEEPS 100000u /* a sweep takes some 50 ms */
#define ABOVE_4_GIB (1ull << 32)

struct rs_stacks {
	struct rs_sample_source *source;
	struct rs_sample_merge *merge;
	struct rs_maps *maps;
	struct rs_symbolizer *symbolizer;
	struct rs_stack_table *table;
	uint64_t nr_samples, nr_lost, sweep_at; /* sweep_at: the sample at which a full table may be swept again */
};

/* ---- mappings ---- */

/* A 32-bit process has another vDSO, below 4 GiB, which is not known here. */
static void stacks_map(struct rs_stacks *st, struct rs_mapped_file *file, uint64_t start, uint64_t end, uint64_t offset)
{
	struct rs_mapping mapping = { .start = start, .end = end, .offset = offset };

	if (start < ABOVE_4_GIB && !strcmp(file->path, "[vdso]"))
		file->path = "[vdso32]";
	mapping.module = rs_symbolizer_module(st->symbolizer, file);
	if (rs_symbolizer_lacks_file(st->symbolizer, mapping.module) && st->source->ops->ask_file)
		st->source->ops->ask_file(st->source, mapping.module, file->pid, start, end);
	if (!rs_symbolizer_has_file(st->symbolizer, mapping.module))
		mapping.offset = start; /* code that the process has made is known by its address */
	rs_maps_add(st->maps, file->pid, &mapping);
}

static void stacks_map_initial(struct rs_stacks *st, const struct rs_sample_info *info)
{
	for (size_t i = 0; i < info->nr_mappings; i++) {
		const struct rs_initial_mapping *m = &info->mappings[i];

		stacks_map(st, &(struct rs_mapped_file){ .pid = m->pid, .path = m->path, .inode = m->inode }, m->start, m->end, m->offset);
	}
}

static void stacks_on_mmap(struct rs_stacks *st, const struct rs_sample_event *ev)
{
	uint64_t end;

	/* pid -1: the kernel's own, which kallsyms names */
	if (ev->is_data || ev->pid <= 0 || __builtin_add_overflow(ev->start, ev->len_bytes, &end))
		return;
	stacks_map(st, &(struct rs_mapped_file){ .pid = ev->pid, .path = ev->path, .inode = ev->inode,
						 .build_id = ev->build_id, .build_id_len = ev->build_id_len }, ev->start, end, ev->offset);
}

static void stacks_take_files(struct rs_stacks *st)
{
	uint32_t module;
	int fd;

	while (st->source->ops->take_file && (fd = st->source->ops->take_file(st->source, &module)) >= 0)
		rs_symbolizer_lend_file(st->symbolizer, module, fd);
}

/* ---- stacks ---- */

/* Of an address; `caller`: it is where a call returns to, which may be behind the end of the calling function. */
struct stacks_frame {
	uint64_t address;
	bool in_kernel, caller;
};

/*
 * Copies the frames, innermost first, without the marks between kernel and program. Of each part the first is where the CPU was,
 * the others are return addresses. Returns their number.
 */
static size_t stacks_read_frames(const struct rs_sample_event *ev, struct stacks_frame *frames)
{
	bool in_kernel = false, skip = false, first = true;
	size_t nr = 0;

	for (uint64_t i = 0; i < ev->nr_frames && nr < STACKS_MAX_FRAMES; i++) {
		uint64_t address = rs_sample_record_frame(ev, i);

		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			in_kernel = address == (uint64_t)PERF_CONTEXT_KERNEL;
			skip = !in_kernel && address != (uint64_t)PERF_CONTEXT_USER; /* a guest's, a hypervisor's */
			first = true;
			continue;
		}
		if (!skip)
			frames[nr++] = (struct stacks_frame){ address, in_kernel, !first };
		first = false;
	}
	return nr;
}

static uint32_t stacks_add_frame(struct rs_stacks *st, uint32_t caller, int32_t pid, const struct stacks_frame *frame)
{
	uint64_t address = frame->address - frame->caller;
	const struct rs_mapping *m;

	if (frame->in_kernel)
		return rs_stack_table_add(st->table, caller, RS_MODULE_KERNEL, address);
	m = rs_maps_find(st->maps, pid, address);
	if (!m)
		return rs_stack_table_add(st->table, caller, RS_MODULE_UNKNOWN, address);
	return rs_stack_table_add(st->table, caller, m->module, address - m->start + m->offset);
}

static uint32_t stacks_add(struct rs_stacks *st, const struct rs_sample_event *ev, bool *in_kernel)
{
	struct stacks_frame frames[STACKS_MAX_FRAMES];
	size_t nr = stacks_read_frames(ev, frames);
	uint32_t stack = RS_STACK_ROOT;

	*in_kernel = nr && frames[0].in_kernel;
	if (!nr)
		return rs_stack_table_add(st->table, stack, RS_MODULE_UNKNOWN, 0);
	while (nr--)
		stack = stacks_add_frame(st, stack, ev->pid, &frames[nr]);
	return stack;
}

struct stacks_use {
	uint8_t *used;
	size_t nr;
};

static void stacks_mark(void *arg, uint64_t key0)
{
	struct stacks_use *use = arg;

	if (key0 < use->nr)
		use->used[key0] = 1;
}

/* The table is full: frees the stacks that no row has. Without memory for that, what is new stays cut. */
static void stacks_sweep(struct rs_session *s)
{
	struct rs_stacks *st = s->stacks;
	struct stacks_use use = { .nr = rs_stack_table_nr(st->table) };

	st->sweep_at = st->nr_samples + SAMPLES_BETWEEN_SWEEPS;
	use.used = calloc(use.nr, 1);
	if (!use.used)
		return;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (rs_dispatch_callback(s->analyses[i].analysis, RS_ON_SAMPLE))
			rs_store_for_each_key(&s->analyses[i].ctx, stacks_mark, &use);
	rs_stack_table_sweep(st->table, use.used);
	free(use.used);
}

/* ---- samples ---- */

static bool stacks_is_shown(const struct rs_session *s, const struct rs_sample_event *ev)
{
	return (ev->cpu >= s->source->info.nr_cpus || s->cpu_shown[ev->cpu]) && ev->ts_ns >= s->config.from_ns &&
	       (!s->config.to_ns || ev->ts_ns <= s->config.to_ns);
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
	if (!s->begun)
		return false;
	if (ts_ns > s->now_ns)
		s->now_ns = ts_ns;
	rs_range_begin(s);
	return true;
}

static void stacks_on_sample(struct rs_session *s, const struct rs_sample_event *ev)
{
	struct rs_cpu_sample sample = { .ts_ns = ev->ts_ns, .cpu = (uint16_t)ev->cpu };

	if (ev->tid <= 0 || !stacks_is_shown(s, ev)) /* tid 0: idle */
		return;
	if (s->muted && !stacks_begin_range(s, ev->ts_ns))
		return;
	s->stacks->nr_samples++;
	if (rs_stack_table_is_full(s->stacks->table) && s->stacks->nr_samples >= s->stacks->sweep_at)
		stacks_sweep(s);
	sample.task = stacks_task(s, ev);
	if (!sample.task)
		return;
	sample.stack = stacks_add(s->stacks, ev, &sample.in_kernel);
	RS_DISPATCH(&s->on[RS_ON_SAMPLE], sample, &sample);
}

uint64_t rs_stacks_take(struct rs_session *s, uint64_t until_ns)
{
	struct rs_stacks *st = s->stacks;
	struct rs_sample_event ev;

	while (rs_sample_merge_next(st->merge, until_ns, &ev)) {
		switch (ev.kind) {
		case RS_SAMPLE_OF_CPU:
			stacks_on_sample(s, &ev);
			break;
		case RS_SAMPLE_MMAP:
			stacks_on_mmap(st, &ev);
			break;
		case RS_SAMPLE_EXEC:
			rs_maps_exec(st->maps, ev.pid);
			break;
		case RS_SAMPLE_FORK:
			rs_maps_fork(st->maps, ev.parent, ev.pid);
			break;
		case RS_SAMPLE_LOST:
			st->nr_lost += ev.nr_lost;
			break;
		case RS_SAMPLE_OTHER:
			break;
		}
	}
	stacks_take_files(st);
	return rs_sample_merge_due_ns(st->merge);
}

struct rs_stacks_counts rs_stacks_counts(const struct rs_stacks *st)
{
	uint64_t nr_lost = st->source->ops->nr_lost ? st->source->ops->nr_lost(st->source) : 0;

	/* a record of what was lost comes before the next one that there is room for, if there is one */
	return (struct rs_stacks_counts){ st->nr_samples, nr_lost > st->nr_lost ? nr_lost : st->nr_lost, rs_sample_merge_nr_bad(st->merge), rs_stack_table_nr_cut(st->table) };
}

struct rs_stacks *rs_stacks_new(struct rs_session *s)
{
	const struct rs_trace_info *info = &s->source->info;
	struct rs_stacks *st = calloc(1, sizeof *st);

	if (!st)
		return NULL;
	st->source = s->source->samples;
	st->merge = rs_sample_merge_new(st->source);
	st->maps = rs_maps_new();
	st->table = rs_stack_table_new(s->config.max_stacks ? s->config.max_stacks : RS_STACKS_MAX);
	st->symbolizer = rs_symbolizer_new(&(struct rs_symbolizer_config){
		.kallsyms_fd = info->kallsyms_fd, .kallsyms = info->kallsyms.data, .kallsyms_len = info->kallsyms.len,
		.local = st->source->info.local,
	});
	if (st->merge && st->maps && st->table && st->symbolizer) {
		stacks_map_initial(st, &st->source->info);
		return st;
	}
	rs_stacks_free(st);
	return NULL;
}

void rs_stacks_free(struct rs_stacks *st)
{
	if (!st)
		return;
	rs_sample_merge_free(st->merge);
	rs_maps_free(st->maps);
	rs_stack_table_free(st->table);
	rs_symbolizer_free(st->symbolizer);
	free(st);
}

/* ---- what analyses ask ---- */

void rs_stack_frame(const struct rs_ctx *c, uint32_t stack, struct rs_frame *frame)
{
	const struct rs_stacks *st = c->session->stacks;
	struct rs_stack_node *node;
	struct rs_symbol symbol;

	*frame = (struct rs_frame){ .module = "[unknown]" };
	if (!st || stack == RS_STACK_ROOT)
		return;
	if (stack == RS_STACK_OTHERS) {
		frame->function = "[others]";
		return;
	}
	node = rs_stack_table_node(st->table, stack);
	if (!node->module_name && rs_symbolizer_find(st->symbolizer, node->module, node->offset, &symbol)) {
		node->function = symbol.function;
		node->module_name = symbol.module;
	}
	if (node->module_name)
		symbol = (struct rs_symbol){ node->function, node->module_name };
	*frame = (struct rs_frame){ symbol.function, symbol.module, node->offset,
				    node->module < RS_NR_FIXED_MODULES || !rs_symbolizer_has_file(st->symbolizer, node->module) };
}

uint32_t rs_stack_caller(const struct rs_ctx *c, uint32_t stack)
{
	const struct rs_stacks *st = c->session->stacks;

	return st && stack > RS_STACK_OTHERS ? rs_stack_table_node(st->table, stack)->caller : RS_STACK_ROOT;
}
