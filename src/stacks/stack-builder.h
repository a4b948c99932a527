/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-builder.h - from addresses to stacks: follows the mappings of processes, and keeps each stack once
 *
 *	struct rs_stack_builder *b = rs_stack_builder_new(source, &info, 0);
 *	rs_stack_builder_follow(b, &ev);                    // each record, in the order of time
 *	stack = rs_stack_builder_add_sample(b, &ev, &in_kernel);
 *	rs_stack_builder_frame(b, stack, &frame);           // when it is shown
 *
 * It needs no session: a recorder collects with it which symbols to save.
 */
#ifndef RS_STACKS_STACK_BUILDER_H
#define RS_STACKS_STACK_BUILDER_H

#include "decode/sample-record.h"
#include "model/stack-table.h"
#include "ringside/sample.h"
#include "source/source.h"

struct rs_buf;
struct rs_stack_builder;
struct rs_symbolizer;

/* Both outlive the builder. max_stacks: 0: the default. NULL: no memory. */
struct rs_stack_builder *rs_stack_builder_new(struct rs_sample_source *source,
					      const struct rs_trace_info *info, size_t max_stacks);
void rs_stack_builder_free(struct rs_stack_builder *b);
/* Makes the symbolizer that a builder has of its own unless info.symbolizer is one. NULL: no memory. */
struct rs_symbolizer *rs_stack_builder_new_symbolizer(const struct rs_sample_info *samples,
						      const struct rs_trace_info *info);
/* Handles MMAP, EXEC and FORK; ignores other records. */
void rs_stack_builder_follow(struct rs_stack_builder *b, const struct rs_sample_event *ev);
/*
 * Copies the mappings as they are now; the caller frees the array, its paths live as long as the symbolizer.
 * Some may be missing without memory.
 */
void rs_stack_builder_list_mappings(const struct rs_stack_builder *b, struct rs_initial_mapping **mappings,
				    size_t *nr);
/* Takes the files of mappings that were requested and are open by now. */
void rs_stack_builder_take_files(struct rs_stack_builder *b);

/*
 * Unwinds a sample of this machine's kind that has registers and a copy of the stack in the place of the
 * program's frames. Writes all of its frames as a sample has them, innermost first, with PERF_CONTEXT_*
 * before each part. Returns their number.
 */
size_t rs_stack_builder_unwind(struct rs_stack_builder *b, const struct rs_sample_event *ev,
			       uint64_t *entries, size_t max);

/*
 * An address of a stack. caller: it is where a call returns to, which may be behind the end of the calling
 * function.
 */
struct rs_stack_address {
	uint64_t address;
	bool in_kernel, caller;
};

/* An address: the callers from here on are not known. */
#define RS_STACK_CUT UINT64_MAX

/* Innermost first; returns the number of the stack. */
uint32_t rs_stack_builder_add(struct rs_stack_builder *b, int32_t pid,
			      const struct rs_stack_address *addresses, size_t nr);
uint32_t rs_stack_builder_add_sample(struct rs_stack_builder *b, const struct rs_sample_event *ev,
				     bool *in_kernel);
/* Keeps each address as a stack of its own: for who needs functions alone. */
void rs_stack_builder_add_functions(struct rs_stack_builder *b, const struct rs_sample_event *ev);
/*
 * Adds a program's addresses whose symbols rs_stack_builder_put_symbols shall write, too: of an event, whose
 * page comes later than records that were followed. To be called once, with nr 0, before the first record.
 * False without memory.
 */
bool rs_stack_builder_see(struct rs_stack_builder *b, int32_t pid, const struct rs_stack_address *addresses,
			  size_t nr);
/*
 * Writes the symbols of all addresses in stacks, and of those seen, as symbols/saved-symbols.h has them.
 * Without memory out->failed is set.
 */
void rs_stack_builder_put_symbols(struct rs_stack_builder *b, struct rs_buf *out);
void rs_stack_builder_frame(struct rs_stack_builder *b, uint32_t stack, struct rs_frame *frame);

struct rs_stack_table *rs_stack_builder_table(struct rs_stack_builder *b);
struct rs_symbolizer *rs_stack_builder_symbolizer(struct rs_stack_builder *b);

#endif
