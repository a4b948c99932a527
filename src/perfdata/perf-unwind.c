// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-unwind - the program's frames of samples that perf record --call-graph dwarf took */
#include "perfdata/perf-unwind.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/utsname.h>

#include "source/perf/sample-chunks.h"

#define PERF_UNWIND_TYPE ((uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER))

bool rs_perf_unwind_is_possible(const struct rs_perf_event *of)
{
	return (of->info.sample_type & PERF_UNWIND_TYPE) == PERF_UNWIND_TYPE;
}

static bool perf_unwind_is_of_here(const struct rs_perf_event *of, const struct rs_perf_header *h)
{
	struct utsname here;

	return rs_perf_unwind_is_possible(of) && !of->info.swaps && uname(&here) == 0 &&
	       (!*h->machine || !strcmp(h->machine, here.machine));
}

bool rs_perf_unwind_init(struct rs_perf_unwind *u, const struct rs_perf_event *of,
			 const struct rs_perf_header *h, const struct rs_trace_info *info)
{
	const struct rs_sample_info samples = { .user_regs = of ? of->info.user_regs : 0,
						.by_build_id = true };

	if (!of || !perf_unwind_is_of_here(of, h))
		return true;
	u->of = of;
	u->nothing = rs_sample_chunks_open(&samples, NULL, 0, NULL, NULL);
	u->builder = u->nothing ? rs_stack_builder_new(u->nothing, info, 0) : NULL;
	return u->builder;
}

void rs_perf_unwind_done(struct rs_perf_unwind *u)
{
	rs_stack_builder_free(u->builder);
	if (u->nothing)
		u->nothing->ops->close(u->nothing);
}

void rs_perf_unwind_follow(struct rs_perf_unwind *u, const struct rs_sample_event *ev,
			   const struct rs_perf_build_id *id)
{
	struct rs_sample_event with_id = *ev;

	if (!u->builder)
		return;
	if (ev->kind == RS_SAMPLE_MMAP && !ev->build_id && id) {
		with_id.build_id = id->id;
		with_id.build_id_len = id->len_bytes;
		with_id.inode = 0; /* as it is rewritten: a file may be a copy */
	}
	rs_stack_builder_follow(u->builder, &with_id);
}

void rs_perf_unwind_sample(struct rs_perf_unwind *u, const struct rs_perf_event *of,
			   struct rs_sample_event *ev)
{
	if (!u->builder || !rs_perf_unwind_is_possible(of) || of->info.user_regs != u->of->info.user_regs)
		return;
	ev->nr_frames = rs_stack_builder_unwind(u->builder, ev, u->frames, RS_PERF_UNWIND_FRAMES);
	ev->frames = (const uint8_t *)u->frames;
}
