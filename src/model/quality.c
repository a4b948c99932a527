// SPDX-License-Identifier: GPL-2.0-or-later
/* quality - what was lost, and in which unit a trace clock counts */
#include "model/quality.h"

#include <stddef.h>
#include <string.h>

const char *rs_quality_clock_unit(const char *clock)
{
	static const struct { const char *clock, *unit; } others[] = {
		{ "x86-tsc", "cycles" }, { "ppc-tb", "cycles" }, { "counter", "count" },
	};

	for (size_t i = 0; clock && i < sizeof others / sizeof *others; i++)
		if (!strcmp(clock, others[i].clock))
			return others[i].unit;
	return "ns";
}

uint64_t rs_quality_lost(const struct rs_quality *t)
{
	uint64_t sum = 0;

	for (unsigned int cpu = 0; t->lost_by_cpu && cpu < t->nr_cpus; cpu++)
		if (__builtin_add_overflow(sum, t->lost_by_cpu[cpu], &sum))
			return UINT64_MAX; /* the counts come from the file and may have any value */
	return sum;
}
