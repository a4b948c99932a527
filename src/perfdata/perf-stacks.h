/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-stacks.h - the callchain of a tracepoint as the kernel's own events kernel_stack and user_stack, which
 * follow the event
 */
#ifndef RS_PERFDATA_PERF_STACKS_H
#define RS_PERFDATA_PERF_STACKS_H

#include "base/buf.h"
#include "decode/sample-record.h"
#include "perfdata/perf-formats.h"
#include "perfdata/perf-pages.h"

struct rs_perf_stacks {
	const struct rs_page_layout *layout;
	bool makes;                  /* false: no tracepoint has callchains */
	struct rs_buf record;
};

/* Adds the formats of both events. Returns false without memory; rs_perf_stacks_done in any case. */
bool rs_perf_stacks_init(struct rs_perf_stacks *s, const struct rs_page_layout *layout,
			 struct rs_perf_formats *formats);
void rs_perf_stacks_done(struct rs_perf_stacks *s);
/* Writes the stacks of a tracepoint whose record was written. 0, or -1 with err set. */
int rs_perf_stacks_record(struct rs_perf_stacks *s, struct rs_perf_pages *to, uint32_t cpu,
			  const struct rs_sample_event *ev, struct rs_error *err);

#endif
