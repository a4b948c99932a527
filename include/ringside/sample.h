/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - samples of /proc, for data that no event has. Live only: taken when the capture begins, each time
 * that rows are requested, and when tracing ends
 *
 * An analysis sets .samples to the samples that it requires. A recording has none, but control groups in its trailer.
 */
#ifndef RINGSIDE_SAMPLE_H
#define RINGSIDE_SAMPLE_H

#include "table.h"
#include "task.h"

enum rs_sample {
	RS_SAMPLE_TASKS = 1,  /* each thread's counters: /proc/PID/task/TID/stat */
	RS_SAMPLE_GAUGES = 2, /* the machine's memory: /proc/meminfo, /proc/vmstat */
	RS_SAMPLE_CGROUPS = 4, /* each process' control group, once, when the capture begins: rs_task.cgroup */
	RS_SAMPLE_STACKS = 8, /* not of /proc: what the CPUs run, see stack.h. Set for an analysis with RS_ON_SAMPLE */
};

/* Levels in bytes, then counters since the machine was started. */
enum rs_gauge {
	RS_GAUGE_TOTAL, RS_GAUGE_FREE, RS_GAUGE_AVAILABLE, RS_GAUGE_BUFFERS, RS_GAUGE_CACHED, RS_GAUGE_RECLAIMABLE,
	RS_GAUGE_COMMITTED, RS_GAUGE_MAPPED, RS_GAUGE_SHARED, RS_GAUGE_DIRTY, RS_GAUGE_SWAP_TOTAL, RS_GAUGE_SWAP_FREE,
	RS_GAUGE_FAULTS, RS_GAUGE_MAJOR_FAULTS, RS_GAUGE_PAGE_IN_BYTES, RS_GAUGE_PAGE_OUT_BYTES,
	RS_NR_GAUGES,
};

struct rs_gauges {
	struct rs_value time_ns;             /* in the trace's clock; null where it cannot be read */
	struct rs_value value[RS_NR_GAUGES]; /* null: this kernel does not have it */
};

struct rs_ctx;

/*
 * Returns the major page faults of the task, from the start of the capture, or its fork if later, to the latest sample.
 * False: unknown, because the task had exited by then, or /proc could not be read.
 */
bool rs_major_faults(const struct rs_ctx *c, const struct rs_task *t, uint64_t *nr);

/* Returns the latest sample, or the first one (at_begin); NULL: there is none. */
const struct rs_gauges *rs_gauges(const struct rs_ctx *c, bool at_begin);

#endif
