/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - samples of /proc, for data that no event has. Live only: taken when the capture begins, each
 * time that rows are requested, and when tracing ends
 *
 * An analysis sets .samples to the samples that it requires. A recording has none, but control groups and
 * their counts at its begin and end in its trailer.
 */
#ifndef RINGSIDE_SAMPLE_H
#define RINGSIDE_SAMPLE_H

#include "table.h"
#include "task.h"

enum rs_sample {
	RS_SAMPLE_TASKS = 1,  /* each thread's counters: /proc/PID/task/TID/stat */
	RS_SAMPLE_GAUGES = 2, /* the machine's memory: /proc/meminfo, /proc/vmstat */
	/* each process' control group, once, when the capture begins: rs_task.cgroup; and what these count */
	RS_SAMPLE_CGROUPS = 4,
	/* not of /proc: what the CPUs run, see stack.h. Set for an analysis with RS_ON_SAMPLE */
	RS_SAMPLE_STACKS = 8,
	/* likewise: what processes have mapped. Set if stacks are recorded with events */
	RS_SAMPLE_MAPPINGS = 16,
	/* likewise: calls of a process' functions, see probe.h. Set for an analysis with RS_ON_PROBE */
	RS_SAMPLE_PROBES = 32,
	RS_SAMPLE_KMEM = 64,   /* likewise: what the kernel allocates for a process */
	RS_SAMPLE_ALLOCATIONS = RS_SAMPLE_PROBES | RS_SAMPLE_KMEM,
};

/* Levels in bytes, then counters since the machine was started. */
enum rs_gauge {
	RS_GAUGE_TOTAL,
	RS_GAUGE_FREE,
	RS_GAUGE_AVAILABLE,
	RS_GAUGE_BUFFERS,
	RS_GAUGE_CACHED,
	RS_GAUGE_RECLAIMABLE,
	RS_GAUGE_COMMITTED,
	RS_GAUGE_MAPPED,
	RS_GAUGE_SHARED,
	RS_GAUGE_DIRTY,
	RS_GAUGE_SWAP_TOTAL,
	RS_GAUGE_SWAP_FREE,
	RS_GAUGE_FAULTS,
	RS_GAUGE_MAJOR_FAULTS,
	RS_GAUGE_PAGE_IN_BYTES,
	RS_GAUGE_PAGE_OUT_BYTES,
	RS_NR_GAUGES,
};

struct rs_gauges {
	struct rs_value time_ns;             /* in the trace's clock; null where it cannot be read */
	struct rs_value value[RS_NR_GAUGES]; /* null: this kernel does not have it */
};

/*
 * What a control group of version 2 counts in cpu.stat, and in its pressure files: time in which a task of it
 * waited. From its cpu.weight on it is what is set: cpu.max allows so much CPU time in each period,
 * memory.max and memory.high are bytes; "max" is null, as what cannot be read.
 */
enum rs_cgroup_count {
	RS_CGROUP_USAGE_NS,
	RS_CGROUP_PERIODS,
	RS_CGROUP_THROTTLED,
	RS_CGROUP_THROTTLED_NS,
	RS_CGROUP_CPU_PRESSURE_NS,
	RS_CGROUP_MEMORY_PRESSURE_NS,
	RS_CGROUP_IO_PRESSURE_NS,
	RS_CGROUP_WEIGHT,
	RS_CGROUP_QUOTA_NS,
	RS_CGROUP_PERIOD_NS,
	RS_CGROUP_MEMORY_MAX,
	RS_CGROUP_MEMORY_HIGH,
	RS_NR_CGROUP_COUNTS,
};

struct rs_cgroup_counts {
	struct rs_value value[RS_NR_CGROUP_COUNTS]; /* null: the group has no such count */
};

/* Whether a quota (cpu.max) of its group, or of one above, throttled the task since the last reset. */
enum rs_throttling {
	/* no counts, as in a recording of another program, or those of a longer time */
	RS_THROTTLING_UNKNOWN,
	RS_NOT_THROTTLED, RS_THROTTLED,
};

struct rs_throttled {
	const char *cgroup;      /* the group with the quota: the one that was throttled longest */
	uint64_t nr_periods, nr_throttled; /* of these periods, in so many */
	uint64_t ns;             /* summed over its CPUs */
	/* it may run for so long in each period (cpu.max), all CPUs added; 0: unknown */
	uint64_t quota_ns, period_ns;
};

struct rs_ctx;

/* throttled is set if it was. */
enum rs_throttling rs_throttling(const struct rs_ctx *c, const struct rs_task *t,
				 struct rs_throttled *throttled);

/*
 * Writes what follows "its quota": ", 20 ms of each 100 ms (cpu.max), in 8 of 10 periods", as far as it is
 * known. Returns buf.
 */
const char *rs_quota_words(const struct rs_ctx *c, const struct rs_throttled *throttled, char *buf,
			   size_t size_bytes);

/* A limit of the memory of a task's group, or of one above. */
struct rs_memory_limit {
	const char *cgroup, *file; /* that has it, and "memory.max" or "memory.high" */
	uint64_t bytes;
};

/*
 * Returns false if no limit is known, or if several groups on the way up have one: no event tells at which of
 * them the task is. Of the two of one group the lower one: it is reached first.
 */
bool rs_cgroup_memory_limit(const struct rs_ctx *c, const struct rs_task *t, struct rs_memory_limit *limit);

/*
 * By which two tasks of different groups share a CPU: the weights (cpu.weight) of their groups, or of those
 * above them, where the paths part.
 */
struct rs_weights {
	uint64_t own, others;
};

/* Returns false if they are not known, or the tasks are of one group. */
bool rs_cgroup_weights(const struct rs_ctx *c, const struct rs_task *t, const struct rs_task *other,
		       struct rs_weights *weights);

/* How much a group's counts grew since the last reset; what is set as it is. */
struct rs_cgroup_growth_row {
	const char *path;        /* valid until the next sample */
	/* null: the group has no such count, or that of a longer time */
	struct rs_value value[RS_NR_CGROUP_COUNTS];
};

/* Fills in at most max rows, and returns the number of groups whose counts are known. */
size_t rs_cgroup_growth_rows(const struct rs_ctx *c, struct rs_cgroup_growth_row *rows, size_t max);

/*
 * Returns the major page faults of the task, from the start of the capture, or its fork if later, to the
 * latest sample. False: unknown, because the task had exited by then, or /proc could not be read.
 */
bool rs_major_faults(const struct rs_ctx *c, const struct rs_task *t, uint64_t *nr);

/* Returns the latest sample, or the first one (at_begin); NULL: there is none. */
const struct rs_gauges *rs_gauges(const struct rs_ctx *c, bool at_begin);

#endif
