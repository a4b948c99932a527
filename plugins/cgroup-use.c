// SPDX-License-Identifier: GPL-2.0-or-later
/* cgroup-use - what control groups counted: CPU time, throttled periods, pressure */
#include <stdlib.h>

#include "ringside/plugin.h"

enum {
	CGROUP,
	CPU,
	PERIODS,
	THROTTLED,
	THROTTLED_TIME,
	CPU_PRESSURE,
	IO_PRESSURE,
	MEMORY_PRESSURE,
	WEIGHT,
	QUOTA,
	PERIOD,
	MEMORY_MAX,
	MEMORY_HIGH,
	NR_COLUMNS
};

#define PRESSURE(name, heading, what) \
	{ \
		name, heading, RS_TYPE_MILLI, 0, 0, 6, \
			"share of the time in which a task of it waited for " what " (pressure, \"some\")" \
	}

static const struct rs_column columns[] = {
	[CGROUP] = { "cgroup", "CGROUP", RS_TYPE_TEXT, 0, 0, 30,
		     "the control group; its counts include those below it" },
	[CPU] = { "cpu_ns", "CPU(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12, "CPU time of its tasks" },
	[PERIODS] = { "periods", "PERIODS", RS_TYPE_COUNT, 0, 0, 8,
		      "periods of its quota (cpu.max) in which it ran; 0 without one" },
	[THROTTLED] = { "throttled", "THROTTLED", RS_TYPE_COUNT, 0, 0, 9,
			"periods in which the quota was used up" },
	[THROTTLED_TIME] = { "throttled_ns", "THROTTLED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 13,
			     "how long it was throttled, summed over its CPUs" },
	[CPU_PRESSURE] = PRESSURE("cpu_pressure", "CPU%", "a CPU"),
	[IO_PRESSURE] = PRESSURE("io_pressure", "IO%", "a disk"),
	[MEMORY_PRESSURE] = PRESSURE("memory_pressure", "MEM%", "memory"),
	[WEIGHT] = { "weight", "WEIGHT", RS_TYPE_COUNT, 0, 0, 6, "its cpu.weight" },
	[QUOTA] = { "quota_ns", "QUOTA(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "CPU time that it may use in each period (cpu.max); null: no limit" },
	[PERIOD] = { "period_ns", "PERIOD(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		     "the period of its quota (cpu.max)" },
	[MEMORY_MAX] = { "memory_max", "MEMORY MAX", RS_TYPE_BYTES, 0, 0, 11,
			 "its memory.max; null: no limit" },
	[MEMORY_HIGH] = { "memory_high", "MEMORY HIGH", RS_TYPE_BYTES, 0, 0, 11,
			  "its memory.high; null: no limit" },
	{ 0 },
};

static uint64_t cgroup_use_ns(const struct rs_cgroup_growth_row *g)
{
	return g->value[RS_CGROUP_USAGE_NS].known ? g->value[RS_CGROUP_USAGE_NS].u : 0;
}

/* Most CPU time first; else in the order in which they were seen, a group after the one that it is in. */
static int cgroup_use_compare(const void *a, const void *b)
{
	uint64_t x = cgroup_use_ns(a), y = cgroup_use_ns(b);

	return (x < y) - (x > y);
}

static struct rs_value cgroup_use_share(struct rs_value ns, uint64_t of_ns)
{
	return ns.known ? rs_milli(ns.u < of_ns ? ns.u : of_ns, of_ns, 100) : rs_null();
}

static void cgroup_use_put(struct rs_sink *out, const struct rs_cgroup_growth_row *g, uint64_t wall_ns)
{
	const struct rs_value *counts = g->value;
	struct rs_value v[NR_COLUMNS] = {
		[CGROUP] = rs_s(g->path),
		[CPU] = counts[RS_CGROUP_USAGE_NS],
		[PERIODS] = counts[RS_CGROUP_PERIODS],
		[THROTTLED] = counts[RS_CGROUP_THROTTLED],
		[THROTTLED_TIME] = counts[RS_CGROUP_THROTTLED_NS],
		[CPU_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_CPU_PRESSURE_NS], wall_ns),
		[IO_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_IO_PRESSURE_NS], wall_ns),
		[MEMORY_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_MEMORY_PRESSURE_NS], wall_ns),
		[WEIGHT] = counts[RS_CGROUP_WEIGHT],
		[QUOTA] = counts[RS_CGROUP_QUOTA_NS],
		[PERIOD] = counts[RS_CGROUP_PERIOD_NS],
		[MEMORY_MAX] = counts[RS_CGROUP_MEMORY_MAX],
		[MEMORY_HIGH] = counts[RS_CGROUP_MEMORY_HIGH],
	};

	out->row(out, v);
}

static int cgroup_use_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	size_t nr = rs_cgroup_growth_rows(c, NULL, 0);
	struct rs_cgroup_growth_row *rows = calloc(nr + 1, sizeof *rows);

	if (!rows)
		return -1;
	nr = rs_cgroup_growth_rows(c, rows, nr);
	qsort(rows, nr, sizeof *rows, cgroup_use_compare);
	for (size_t i = 0; i < nr; i++)
		cgroup_use_put(out, &rows[i], rs_last_event_ns(c) - rs_since_ns(c));
	free(rows);
	return 0;
}

const struct rs_analysis rs_analysis_cgroup_use = {
	.abi = RS_ABI,
	.name = "cgroup-use",
	.summary = "CPU time, quotas and pressure of control groups",
	.requires_states = true,
	.views = RS_LIST(rs_view, { .name = "cgroups", .topic = RS_TOPIC_CPU,
				    .summary = "control groups: CPU time, throttled periods, pressure",
				    .kind = RS_VIEW_TABLE,
				    .machine_wide = "all groups",
				    .columns = columns,
				    .rows = cgroup_use_put_rows,
				    .text_columns = "cgroup,cpu_ns,periods,throttled,throttled_ns,cpu_"
						    "pressure,io_pressure,memory_pressure,weight" }),
	.by_name = true,
	.samples = RS_SAMPLE_CGROUPS,
};
