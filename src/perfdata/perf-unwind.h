/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-unwind.h - the program's frames of samples and tracepoints that perf record --call-graph dwarf took,
 * while they are rewritten
 *
 * Such a sample has no callers, but the registers and 8 KiB of the stack: to copy that would cost more than
 * to unwind it.
 */
#ifndef RS_PERFDATA_PERF_UNWIND_H
#define RS_PERFDATA_PERF_UNWIND_H

#include "decode/sample-record.h"
#include "perfdata/perf-header.h"
#include "stacks/stack-builder.h"

#define RS_PERF_UNWIND_FRAMES 1024u

struct rs_perf_unwind {
	const struct rs_perf_event *of;       /* NULL: none, or not of this machine's kind */
	struct rs_sample_source *nothing;     /* that says what the samples have */
	struct rs_stack_builder *builder;
	uint64_t frames[RS_PERF_UNWIND_FRAMES];
};

/* The samples of this event have registers and a copy of the stack. */
bool rs_perf_unwind_is_possible(const struct rs_perf_event *of);
/* of: such an event, on behalf of all; NULL: none. info outlives it. Returns false without memory. */
bool rs_perf_unwind_init(struct rs_perf_unwind *u, const struct rs_perf_event *of,
			 const struct rs_perf_header *h, const struct rs_trace_info *info);
void rs_perf_unwind_done(struct rs_perf_unwind *u);
/*
 * Follows mappings and processes. id: the build-id of what is mapped, where the record has none; NULL:
 * unknown.
 */
void rs_perf_unwind_follow(struct rs_perf_unwind *u, const struct rs_sample_event *ev,
			   const struct rs_perf_build_id *id);
/* Replaces the sample's frames by all that it has; valid until the next call. */
void rs_perf_unwind_sample(struct rs_perf_unwind *u, const struct rs_perf_event *of,
			   struct rs_sample_event *ev);

#endif
