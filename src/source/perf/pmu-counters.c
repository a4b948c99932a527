// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmu-counters - what the events of a group count, by perf's names: "cycles", "instructions", "cache-misses"
 */
#include "source/perf/pmu-counters.h"

#include <string.h>

static const char *const names[RS_NR_COUNTERS] = {
	[RS_COUNTER_CYCLES] = "cycles",
	[RS_COUNTER_INSTRUCTIONS] = "instructions",
	[RS_COUNTER_CACHE_MISSES] = "cache-misses",
};

unsigned int rs_pmu_counters_find(const char *name, size_t len)
{
	for (unsigned int i = 0; i < RS_NR_COUNTERS; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return i;
	return RS_COUNTER_OTHER;
}

const char *rs_pmu_counters_name(unsigned int counter)
{
	return counter < RS_NR_COUNTERS ? names[counter] : "-";
}

unsigned int rs_pmu_counters_read(const char *list, uint8_t counters[RS_MAX_GROUP])
{
	unsigned int nr = 0;

	for (; *list && nr < RS_MAX_GROUP; list += strcspn(list, ","), list += *list == ',')
		counters[nr++] = (uint8_t)rs_pmu_counters_find(list, strcspn(list, ","));
	return nr;
}
