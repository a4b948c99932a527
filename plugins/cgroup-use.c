// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-use - what control groups used, and what they may use; pressure; who had what they waited for
 */
#include <stdlib.h>

#include "plugins/parts/cgroup-culprits.h"
#include "ringside/plugin.h"

enum {
	CGROUP,
	UNIT,
	POD,
	CPU,
	PERIODS,
	THROTTLED,
	THROTTLED_SHARE,
	THROTTLED_TIME,
	CPU_PRESSURE,
	IO_PRESSURE,
	MEMORY_PRESSURE,
	CPU_FULL,
	IO_FULL,
	MEMORY_FULL,
	CPU_LINE,
	IO_LINE,
	MEMORY_LINE,
	CPU_FULL_LINE,
	IO_FULL_LINE,
	MEMORY_FULL_LINE,
	DISTURBED,
	DISTURBED_BY,
	DISTURBS,
	DISTURBS_WHOM,
	WEIGHT,
	QUOTA,
	PERIOD,
	MEMORY_NOW,
	MEMORY_MAX,
	MEMORY_HIGH,
	MAX_EVENTS,
	HIGH_EVENTS,
	READ,
	WRITTEN,
	IO_MAX_READ,
	IO_MAX_WRITE,
	NR_COLUMNS
};

#define PRESSURE(name, heading, what) \
	{ \
		name, heading, RS_TYPE_MILLI, 0, 0, 6, \
			"share of the time in which a task of it waited for " what " (pressure, \"some\")" \
	}

#define FULL(name, heading, what) \
	{ \
		name, heading, RS_TYPE_MILLI, 0, 0, 8, \
			"share of the time in which all its tasks that were not idle waited for " what \
			" (pressure, \"full\")" \
	}
#define LINE(name, heading, which, what) \
	{ \
		name, heading, RS_TYPE_TEXT, 0, 0, 30, \
			"its pressure for " what " (" which ") over time, live of the last minute, a digit " \
			"for each second or more: tenths of the time, . less than 1 %" \
	}

static const struct rs_column columns[] = {
	[CGROUP] = { "cgroup", "CGROUP", RS_TYPE_TEXT, 0, 0, 30,
		     "the control group; its counts include those below it" },
	[UNIT] = { "unit", "UNIT", RS_TYPE_TEXT, 0, 0, 24, "as people know it: service, container, pod" },
	[POD] = { "pod", "POD", RS_TYPE_TEXT, 0, 0, 36, "uid of the pod of Kubernetes that it is in, or is" },
	[CPU] = { "cpu_ns", "CPU(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12, "CPU time of its tasks" },
	[PERIODS] = { "periods", "PERIODS", RS_TYPE_COUNT, 0, 0, 8,
		      "periods of its quota (cpu.max) in which it ran; 0 without one" },
	[THROTTLED] = { "throttled", "THROTTLED", RS_TYPE_COUNT, 0, 0, 9,
			"periods in which the quota was used up" },
	[THROTTLED_SHARE] = { "throttled_pct", "THROTTLED%", RS_TYPE_MILLI, 0, 0, 10,
			      "their share of the periods in which it ran (nr_throttled of nr_periods)" },
	[THROTTLED_TIME] = { "throttled_ns", "THROTTLED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 13,
			     "how long it was throttled, summed over its CPUs" },
	[CPU_PRESSURE] = PRESSURE("cpu_pressure", "CPU%", "a CPU"),
	[IO_PRESSURE] = PRESSURE("io_pressure", "IO%", "a disk"),
	[MEMORY_PRESSURE] = PRESSURE("memory_pressure", "MEM%", "memory"),
	[CPU_FULL] = FULL("cpu_full", "CPU FULL%", "a CPU"),
	[IO_FULL] = FULL("io_full", "IO FULL%", "a disk"),
	[MEMORY_FULL] = FULL("memory_full", "MEM FULL%", "memory"),
	[CPU_LINE] = LINE("cpu_line", "CPU OVER TIME", "some", "a CPU"),
	[IO_LINE] = LINE("io_line", "IO OVER TIME", "some", "a disk"),
	[MEMORY_LINE] = LINE("memory_line", "MEM OVER TIME", "some", "memory"),
	[CPU_FULL_LINE] = LINE("cpu_full_line", "CPU FULL OVER TIME", "full", "a CPU"),
	[IO_FULL_LINE] = LINE("io_full_line", "IO FULL OVER TIME", "full", "a disk"),
	[MEMORY_FULL_LINE] = LINE("memory_full_line", "MEM FULL OVER TIME", "full", "memory"),
	[DISTURBED] = { "disturbed_ns", "DISTURBED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 13,
			"time that its tasks waited for a CPU, a disk, a lock or memory that tasks of other "
			"groups had" },
	[DISTURBED_BY] = { "disturbed_by", "BY", RS_TYPE_TEXT, 0, 0, 20, "the group that had most of it" },
	[DISTURBS] = { "disturbs_ns", "DISTURBS(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12,
		       "time that tasks of other groups waited for what its tasks had" },
	[DISTURBS_WHOM] = { "disturbs", "WHOM", RS_TYPE_TEXT, 0, 0, 20, "the group that lost most of it" },
	[WEIGHT] = { "weight", "WEIGHT", RS_TYPE_COUNT, 0, 0, 6, "its cpu.weight" },
	[QUOTA] = { "quota_ns", "QUOTA(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "CPU time that it may use in each period (cpu.max); null: no limit" },
	[PERIOD] = { "period_ns", "PERIOD(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		     "the period of its quota (cpu.max)" },
	[MEMORY_NOW] = { "memory", "MEMORY", RS_TYPE_BYTES, 0, 0, 11, "memory that it uses now" },
	[MEMORY_MAX] = { "memory_max", "MEMORY MAX", RS_TYPE_BYTES, 0, 0, 11,
			 "its memory.max; null: no limit" },
	[MEMORY_HIGH] = { "memory_high", "MEMORY HIGH", RS_TYPE_BYTES, 0, 0, 11,
			  "its memory.high; null: no limit" },
	[MAX_EVENTS] = { "max_events", "MAX HITS", RS_TYPE_COUNT, 0, 0, 8,
			 "times that it was about to go above memory.max, and reclaimed" },
	[HIGH_EVENTS] = { "high_events", "HIGH HITS", RS_TYPE_COUNT, 0, 0, 9,
			  "times that it was above memory.high, and was held back to reclaim" },
	[READ] = { "read_bytes", "READ", RS_TYPE_BYTES, 0, 0, 9, "bytes that it read from disks" },
	[WRITTEN] = { "written_bytes", "WRITTEN", RS_TYPE_BYTES, 0, 0, 9, "bytes that it wrote to disks" },
	[IO_MAX_READ] = { "io_max_read", "IO MAX READ", RS_TYPE_BYTES, 0, 0, 11,
			  "bytes a second that it may read (io.max); of several disks the least" },
	[IO_MAX_WRITE] = { "io_max_write", "IO MAX WRITE", RS_TYPE_BYTES, 0, 0, 12,
			   "bytes a second that it may write, likewise" },
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

#define CGROUP_USE_LINE 64
#define CGROUP_USE_LINES 6 /* some and full, of three */

static struct rs_value cgroup_use_line(const struct rs_ctx *c, const struct rs_cgroup_growth_row *g,
				       enum rs_cgroup_count pressure, char buf[CGROUP_USE_LINE])
{
	return rs_s(rs_cgroup_pressure_line(c, g->path, pressure, buf, CGROUP_USE_LINE));
}

/* null: it has no quota, or did not run. */
static struct rs_value cgroup_use_throttled(const struct rs_value *counts)
{
	const struct rs_value *throttled = &counts[RS_CGROUP_THROTTLED];
	const struct rs_value *periods = &counts[RS_CGROUP_PERIODS];

	return throttled->known && periods->known ? rs_milli(throttled->u, periods->u, 100) : rs_null();
}

static void cgroup_use_put(struct rs_ctx *c, struct rs_sink *out, const struct rs_cgroup_growth_row *g,
			   const struct rs_cgroup_pairs *pairs)
{
	uint64_t wall_ns = rs_last_event_ns(c) - rs_since_ns(c);
	const struct rs_value *counts = g->value;
	struct rs_cgroup_quarrel quarrel = rs_cgroup_culprits_of(pairs, g->path);
	char unit[RS_CELL_TEXT_BYTES], lines[CGROUP_USE_LINES][CGROUP_USE_LINE];
	struct rs_cgroup_names names;
	struct rs_value v[NR_COLUMNS] = {
		[CGROUP] = rs_s(g->path),
		[UNIT] = rs_s(rs_cgroup_unit(c, g->path, unit, sizeof unit)),
		[CPU_FULL] = cgroup_use_share(counts[RS_CGROUP_CPU_FULL_NS], wall_ns),
		[IO_FULL] = cgroup_use_share(counts[RS_CGROUP_IO_FULL_NS], wall_ns),
		[MEMORY_FULL] = cgroup_use_share(counts[RS_CGROUP_MEMORY_FULL_NS], wall_ns),
		[CPU_LINE] = cgroup_use_line(c, g, RS_CGROUP_CPU_PRESSURE_NS, lines[0]),
		[IO_LINE] = cgroup_use_line(c, g, RS_CGROUP_IO_PRESSURE_NS, lines[1]),
		[MEMORY_LINE] = cgroup_use_line(c, g, RS_CGROUP_MEMORY_PRESSURE_NS, lines[2]),
		[CPU_FULL_LINE] = cgroup_use_line(c, g, RS_CGROUP_CPU_FULL_NS, lines[3]),
		[IO_FULL_LINE] = cgroup_use_line(c, g, RS_CGROUP_IO_FULL_NS, lines[4]),
		[MEMORY_FULL_LINE] = cgroup_use_line(c, g, RS_CGROUP_MEMORY_FULL_NS, lines[5]),
		[DISTURBED] = rs_u(quarrel.disturbed_ns),
		[DISTURBED_BY] = rs_s(quarrel.disturbed_by),
		[DISTURBS] = rs_u(quarrel.disturbs_ns),
		[DISTURBS_WHOM] = rs_s(quarrel.disturbs),
		[CPU] = counts[RS_CGROUP_USAGE_NS],
		[PERIODS] = counts[RS_CGROUP_PERIODS],
		[THROTTLED] = counts[RS_CGROUP_THROTTLED],
		[THROTTLED_SHARE] = cgroup_use_throttled(counts),
		[THROTTLED_TIME] = counts[RS_CGROUP_THROTTLED_NS],
		[CPU_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_CPU_PRESSURE_NS], wall_ns),
		[IO_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_IO_PRESSURE_NS], wall_ns),
		[MEMORY_PRESSURE] = cgroup_use_share(counts[RS_CGROUP_MEMORY_PRESSURE_NS], wall_ns),
		[WEIGHT] = counts[RS_CGROUP_WEIGHT],
		[QUOTA] = counts[RS_CGROUP_QUOTA_NS],
		[PERIOD] = counts[RS_CGROUP_PERIOD_NS],
		[MEMORY_MAX] = counts[RS_CGROUP_MEMORY_MAX],
		[MEMORY_HIGH] = counts[RS_CGROUP_MEMORY_HIGH],
		[MEMORY_NOW] = counts[RS_CGROUP_MEMORY_NOW],
		[MAX_EVENTS] = counts[RS_CGROUP_MAX_EVENTS],
		[HIGH_EVENTS] = counts[RS_CGROUP_HIGH_EVENTS],
		[READ] = counts[RS_CGROUP_READ_BYTES],
		[WRITTEN] = counts[RS_CGROUP_WRITTEN_BYTES],
		[IO_MAX_READ] = counts[RS_CGROUP_IO_MAX_READ],
		[IO_MAX_WRITE] = counts[RS_CGROUP_IO_MAX_WRITE],
	};

	rs_cgroup_names(c, g->path, &names);
	v[POD] = rs_s(names.pod);
	out->row(out, v);
}

static int cgroup_use_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	size_t nr = rs_cgroup_growth_rows(c, NULL, 0);
	struct rs_cgroup_growth_row *rows = calloc(nr + 1, sizeof *rows);
	struct rs_cgroup_pairs pairs = *(const struct rs_cgroup_pairs *)c->state;

	if (!rows)
		return -1;
	rs_cgroup_culprits_add_open(c, &pairs);
	nr = rs_cgroup_growth_rows(c, rows, nr);
	qsort(rows, nr, sizeof *rows, cgroup_use_compare);
	for (size_t i = 0; i < nr; i++)
		if (rs_cgroup_is_shown(c, rows[i].path))
			cgroup_use_put(c, out, &rows[i], &pairs);
	free(rows);
	return 0;
}

const struct rs_analysis rs_analysis_cgroup_use = {
	.abi = RS_ABI,
	.name = "cgroup-use",
	.summary = "CPU time, quotas, limits and pressure of control groups, and who disturbs whom",
	.requires_states = true,
	.requires_history = true,
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = rs_cgroup_culprits_on_interval,
		  .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = rs_cgroup_culprits_on_wait }),
	.views = RS_LIST(rs_view,
		{ .name = "cgroups", .topic = RS_TOPIC_CPU,
		  .summary = "control groups: CPU time, throttling, pressure, limits, who disturbs whom",
		  .kind = RS_VIEW_TABLE,
		  .machine_wide = "CPU(ms) and all but DISTURBED(ms)",
		  .columns = columns,
		  .rows = cgroup_use_put_rows,
		  .text_columns = "cgroup,cpu_ns,periods,throttled,throttled_ns,cpu_pressure,io_pressure,"
				  "memory_pressure,weight,disturbed_ns,disturbed_by,disturbs_ns,disturbs" }),
	.state_size = sizeof(struct rs_cgroup_pairs),
	.reset = rs_cgroup_culprits_reset,
	.by_name = true,
	.samples = RS_SAMPLE_CGROUPS,
};
