// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-builder - from addresses to stacks: follows the mappings of processes, and keeps each stack once */
#include "stacks/stack-builder.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/vector.h"
#include "symbols/maps.h"
#include "symbols/saved-symbols.h"
#include "symbols/seen-addresses.h"
#include "symbols/symbolizer.h"
#include "symbols/unwinder.h"

#define STACKS_MAX_FRAMES 1024u
#define ABOVE_4_GIB (1ull << 32)

struct rs_stack_builder {
	struct rs_sample_source *source;
	struct rs_maps *maps;
	struct rs_symbolizer *symbolizer;
	bool shares_symbolizer;             /* it is the source's */
	struct rs_stack_table *table;
	/* of programs, in stacks of events, for a recorder; NULL: rs_stack_builder_see was not called */
	struct rs_seen_addresses *seen;
	struct rs_unwinder *unwinder;       /* made when a sample has registers and a stack; NULL: none had */
};

/* ---- mappings ---- */

/* A 32-bit process has another vDSO, below 4 GiB, which is not known here. */
static void builder_map(struct rs_stack_builder *b, struct rs_mapped_file *file, uint64_t start, uint64_t end,
			uint64_t offset)
{
	struct rs_mapping mapping = { .start = start, .end = end, .offset = offset };

	if (start < ABOVE_4_GIB && !strcmp(file->path, "[vdso]"))
		file->path = "[vdso32]";
	mapping.module = rs_symbolizer_module(b->symbolizer, file);
	if (rs_symbolizer_lacks_file(b->symbolizer, mapping.module) && b->source->ops->ask_file)
		b->source->ops->ask_file(b->source, mapping.module, file->pid, start, end);
	if (!rs_symbolizer_has_file(b->symbolizer, mapping.module))
		mapping.offset = start; /* code that the process has made is known by its address */
	rs_maps_add(b->maps, file->pid, &mapping);
	if (b->seen)
		rs_seen_addresses_map(b->seen, file->pid, &mapping);
}

static void builder_map_initial(struct rs_stack_builder *b, const struct rs_sample_info *info)
{
	for (size_t i = 0; i < info->nr_mappings; i++) {
		const struct rs_initial_mapping *m = &info->mappings[i];

		builder_map(b, &(struct rs_mapped_file){ .pid = m->pid, .path = m->path, .inode = m->inode,
							  .build_id = m->build_id,
							  .build_id_len = m->build_id_len }, m->start, m->end,
							  m->offset);
	}
}

static void builder_on_mmap(struct rs_stack_builder *b, const struct rs_sample_event *ev)
{
	uint64_t end;

	/* pid -1: the kernel's own, which kallsyms names */
	if (ev->is_data || ev->pid <= 0 || __builtin_add_overflow(ev->start, ev->len_bytes, &end))
		return;
	builder_map(b, &(struct rs_mapped_file){ .pid = ev->pid, .path = ev->path, .inode = ev->inode,
						 .build_id = ev->build_id, .build_id_len = ev->build_id_len },
						 ev->start, end, ev->offset);
}

static void builder_on_fork(struct rs_stack_builder *b, int32_t parent, int32_t child)
{
	rs_maps_fork(b->maps, parent, child);
	if (b->seen)
		rs_seen_addresses_fork(b->seen, parent, child);
}

void rs_stack_builder_follow(struct rs_stack_builder *b, const struct rs_sample_event *ev)
{
	if (ev->kind == RS_SAMPLE_MMAP)
		builder_on_mmap(b, ev);
	else if (ev->kind == RS_SAMPLE_EXEC)
		rs_maps_exec(b->maps, ev->pid);
	else if (ev->kind == RS_SAMPLE_FORK)
		builder_on_fork(b, ev->parent, ev->pid);
}

static void builder_lend(struct rs_stack_builder *b, uint32_t module, int fd)
{
	rs_symbolizer_lend_file(b->symbolizer, module, fd);
	if (b->unwinder)
		rs_unwinder_retry(b->unwinder, module);
}

void rs_stack_builder_take_files(struct rs_stack_builder *b)
{
	uint32_t module;
	int fd;

	while (b->source->ops->take_file && (fd = b->source->ops->take_file(b->source, &module)) >= 0)
		builder_lend(b, module, fd);
}

struct builder_list {
	const struct rs_stack_builder *builder;
	struct rs_initial_mapping *row;
	size_t nr, room;
};

static void builder_list_add(void *arg, int32_t pid, const struct rs_mapping *mapping)
{
	struct builder_list *list = arg;
	struct rs_initial_mapping *m = RS_VECTOR_ADD(&list->row, &list->nr, &list->room);
	struct rs_mapped_file file;

	if (!m)
		return;
	rs_symbolizer_file(list->builder->symbolizer, mapping->module, &file);
	*m = (struct rs_initial_mapping){
		.pid = pid, .start = mapping->start, .end = mapping->end, .offset = mapping->offset,
		.inode = file.inode,
		.build_id_len = (uint8_t)file.build_id_len, .path = file.path,
	};
	memcpy(m->build_id, file.build_id, file.build_id_len);
}

void rs_stack_builder_list_mappings(const struct rs_stack_builder *b, struct rs_initial_mapping **mappings,
				    size_t *nr)
{
	struct builder_list list = { .builder = b };

	rs_maps_for_each(b->maps, builder_list_add, &list);
	*mappings = list.row;
	*nr = list.nr;
}

/* ---- stacks by .eh_frame ---- */

static bool builder_find_mapping(void *arg, int32_t pid, uint64_t address, struct rs_unwind_mapping *mapping)
{
	const struct rs_stack_builder *b = arg;
	const struct rs_mapping *m = rs_maps_find(b->maps, pid, address);

	if (m)
		*mapping = (struct rs_unwind_mapping){ m->start, m->offset, m->module,
						       rs_symbolizer_has_file(b->symbolizer, m->module) };
	return m;
}

static int builder_open_file(void *arg, uint32_t module, struct rs_mapped_file *file)
{
	const struct rs_stack_builder *b = arg;

	rs_symbolizer_file(b->symbolizer, module, file);
	return rs_symbolizer_open(b->symbolizer, module);
}

struct builder_chain {
	uint64_t *entries;
	size_t nr, max;
};

static void builder_chain_add(struct builder_chain *chain, uint64_t entry)
{
	if (chain->nr < chain->max)
		chain->entries[chain->nr++] = entry;
}

/* A frame that no call has left is marked as the first one of the program is: its address is where it was. */
static void builder_chain_add_unwound(struct builder_chain *chain, const struct rs_unwound_frame *frames,
				      size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!frames[i].caller)
			builder_chain_add(chain, (uint64_t)PERF_CONTEXT_USER);
		builder_chain_add(chain, frames[i].address);
	}
}

size_t rs_stack_builder_unwind(struct rs_stack_builder *b, const struct rs_sample_event *ev,
			       uint64_t *entries, size_t max)
{
	const struct rs_unwind_state state = {
		.pid = ev->pid, .reg_mask = b->source->info.user_regs, .regs = ev->user_regs,
		.stack = ev->user_stack, .stack_bytes = ev->user_stack_bytes,
		.is_32_bit = ev->user_abi == PERF_SAMPLE_REGS_ABI_32,
	};
	struct rs_unwound_frame frames[STACKS_MAX_FRAMES];
	struct builder_chain chain = { entries, 0, max };
	bool has_user = false;

	for (uint64_t i = 0; i < ev->nr_frames; i++) {
		uint64_t entry = rs_sample_record_frame(ev, i);

		has_user |= entry == (uint64_t)PERF_CONTEXT_USER;
		builder_chain_add(&chain, entry);
	}
	if (!ev->user_regs || has_user)
		return chain.nr;
	if (!b->unwinder)
		b->unwinder = rs_unwinder_new(
			&(struct rs_unwind_files){ builder_find_mapping, builder_open_file, b });
	if (b->unwinder)
		builder_chain_add_unwound(&chain, frames,
					  rs_unwinder_frames(b->unwinder, &state, frames, STACKS_MAX_FRAMES));
	return chain.nr;
}

/* ---- stacks ---- */

/*
 * Copies the frames, innermost first, without the marks between kernel and program. Of each part the first is
 * where the CPU was, the others are return addresses. Returns their number.
 */
static size_t builder_read_frames(const struct rs_sample_event *ev, struct rs_stack_address *frames)
{
	/* the first, too, is where a call returned to; behind the kernel's the program may have faulted */
	bool is_call = ev->kind == RS_SAMPLE_PROBE;
	bool in_kernel = false, skip = false, first = !is_call;
	size_t nr = 0;

	for (uint64_t i = 0; i < ev->nr_frames && nr < STACKS_MAX_FRAMES; i++) {
		uint64_t address = rs_sample_record_frame(ev, i);

		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			in_kernel = address == (uint64_t)PERF_CONTEXT_KERNEL;
			/* a guest's, a hypervisor's */
			skip = !in_kernel && address != (uint64_t)PERF_CONTEXT_USER;
			first = !is_call || nr;
			continue;
		}
		if (!skip)
			frames[nr++] = (struct rs_stack_address){ address, in_kernel, !first };
		first = false;
	}
	return nr;
}

static uint32_t builder_add_frame(struct rs_stack_builder *b, uint32_t caller, int32_t pid,
				  const struct rs_stack_address *frame)
{
	uint64_t address = frame->address - frame->caller;
	const struct rs_mapping *m;

	if (frame->in_kernel)
		return rs_stack_table_add(b->table, caller, RS_MODULE_KERNEL, address);
	m = rs_maps_find(b->maps, pid, address);
	if (!m)
		return rs_stack_table_add(b->table, caller, RS_MODULE_UNKNOWN, address);
	return rs_stack_table_add(b->table, caller, m->module, address - m->start + m->offset);
}

uint32_t rs_stack_builder_add(struct rs_stack_builder *b, int32_t pid,
			      const struct rs_stack_address *addresses, size_t nr)
{
	uint32_t stack = RS_STACK_ROOT;

	if (!nr)
		return rs_stack_table_add(b->table, stack, RS_MODULE_UNKNOWN, 0);
	while (nr--)
		stack = builder_add_frame(b, stack, pid, &addresses[nr]);
	return stack;
}

uint32_t rs_stack_builder_add_sample(struct rs_stack_builder *b, const struct rs_sample_event *ev,
				     bool *in_kernel)
{
	struct rs_stack_address frames[STACKS_MAX_FRAMES];
	size_t nr = builder_read_frames(ev, frames);

	*in_kernel = nr && frames[0].in_kernel;
	return rs_stack_builder_add(b, ev->pid, frames, nr);
}

void rs_stack_builder_add_functions(struct rs_stack_builder *b, const struct rs_sample_event *ev)
{
	struct rs_stack_address frames[STACKS_MAX_FRAMES];
	size_t nr = builder_read_frames(ev, frames);

	while (nr--)
		builder_add_frame(b, RS_STACK_ROOT, ev->pid, &frames[nr]);
}

static void builder_see_mapping(void *arg, int32_t pid, const struct rs_mapping *mapping)
{
	rs_seen_addresses_map(arg, pid, mapping);
}

bool rs_stack_builder_see(struct rs_stack_builder *b, int32_t pid, const struct rs_stack_address *addresses,
			  size_t nr)
{
	if (!b->seen) {
		b->seen = rs_seen_addresses_new();
		if (!b->seen)
			return false;
		rs_maps_for_each(b->maps, builder_see_mapping, b->seen);
	}
	for (size_t i = 0; i < nr; i++)
		rs_seen_addresses_add(b->seen, pid, addresses[i].address - addresses[i].caller);
	return true;
}

struct builder_symbols {
	struct rs_saved_symbol *row;
	size_t nr, room;
};

static void builder_add_symbol(void *arg, uint32_t module, uint64_t offset)
{
	struct builder_symbols *symbols = arg;
	struct rs_saved_symbol *symbol = RS_VECTOR_ADD(&symbols->row, &symbols->nr, &symbols->room);

	if (symbol)
		*symbol = (struct rs_saved_symbol){ offset, module };
}

void rs_stack_builder_put_symbols(struct rs_stack_builder *b, struct rs_buf *out)
{
	size_t nr = rs_stack_table_nr(b->table);
	struct builder_symbols symbols = { 0 };

	for (uint32_t id = 0; id < nr; id++) {
		const struct rs_stack_node *node = rs_stack_table_node(b->table, id);

		builder_add_symbol(&symbols, node->module, node->offset);
	}
	if (b->seen)
		rs_seen_addresses_for_each(b->seen, builder_add_symbol, &symbols);
	rs_saved_symbols_put(out, b->symbolizer, symbols.row, symbols.nr);
	out->failed |= nr && !symbols.row;
	free(symbols.row);
}

void rs_stack_builder_frame(struct rs_stack_builder *b, uint32_t stack, struct rs_frame *frame)
{
	struct rs_stack_node *node;
	struct rs_symbol symbol;

	*frame = (struct rs_frame){ .module = "[unknown]" };
	if (stack == RS_STACK_ROOT)
		return;
	if (stack == RS_STACK_OTHERS) {
		frame->function = "[others]";
		return;
	}
	node = rs_stack_table_node(b->table, stack);
	if (node->module == RS_MODULE_UNKNOWN && node->offset == RS_STACK_CUT) {
		frame->function = "[truncated]";
		return;
	}
	if (!node->module_name && rs_symbolizer_find(b->symbolizer, node->module, node->offset, &symbol)) {
		node->function = symbol.function;
		node->module_name = symbol.module;
	}
	if (node->module_name)
		symbol = (struct rs_symbol){ node->function, node->module_name };
	*frame = (struct rs_frame){ symbol.function, symbol.module, node->offset,
				    node->module < RS_NR_FIXED_MODULES ||
					    !rs_symbolizer_has_file(b->symbolizer, node->module) };
}

/* ---- the builder ---- */

struct rs_symbolizer *rs_stack_builder_new_symbolizer(const struct rs_sample_info *samples,
						      const struct rs_trace_info *info)
{
	return rs_symbolizer_new(&(struct rs_symbolizer_config){
		.kallsyms_fd = info->kallsyms_fd, .kallsyms = info->kallsyms.data,
		.kallsyms_len = info->kallsyms.len,
		.local = samples->local, .by_build_id = samples->by_build_id,
		.debuginfod = samples->debuginfod,
		.jitted_from_ns = samples->jitted_from_ns, .jitted_to_ns = samples->jitted_to_ns,
		.jitted_owner = samples->jitted_owner,
		.saved = samples->symbols, .saved_len = samples->symbols_len,
	});
}

struct rs_stack_builder *rs_stack_builder_new(struct rs_sample_source *source,
					      const struct rs_trace_info *info, size_t max_stacks)
{
	struct rs_stack_builder *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->source = source;
	b->maps = rs_maps_new();
	b->table = rs_stack_table_new(max_stacks ? max_stacks : RS_STACKS_MAX);
	b->shares_symbolizer = source->info.symbolizer;
	b->symbolizer = source->info.symbolizer ? source->info.symbolizer :
						  rs_stack_builder_new_symbolizer(&source->info, info);
	if (b->maps && b->table && b->symbolizer) {
		builder_map_initial(b, &source->info);
		return b;
	}
	rs_stack_builder_free(b);
	return NULL;
}

void rs_stack_builder_free(struct rs_stack_builder *b)
{
	if (!b)
		return;
	rs_unwinder_free(b->unwinder);
	rs_seen_addresses_free(b->seen);
	rs_maps_free(b->maps);
	rs_stack_table_free(b->table);
	if (!b->shares_symbolizer)
		rs_symbolizer_free(b->symbolizer);
	free(b);
}

struct rs_stack_table *rs_stack_builder_table(struct rs_stack_builder *b)
{
	return b->table;
}

struct rs_symbolizer *rs_stack_builder_symbolizer(struct rs_stack_builder *b)
{
	return b->symbolizer;
}
