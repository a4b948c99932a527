/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu-counters.h - what the events of a group count, by perf's names: "cycles", "instructions",
 * "cache-misses"
 */
#ifndef RS_SOURCE_PERF_PMU_COUNTERS_H
#define RS_SOURCE_PERF_PMU_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/sample.h"

#define RS_MAX_GROUP 8                 /* events in a group; more are not read */
#define RS_COUNTER_OTHER RS_NR_COUNTERS /* an event that nothing is made of */

/* RS_COUNTER_OTHER: no such. */
unsigned int rs_pmu_counters_find(const char *name, size_t len);
const char *rs_pmu_counters_name(unsigned int counter); /* "-" for RS_COUNTER_OTHER */
/* "cycles,instructions": fills in at most RS_MAX_GROUP; returns their number. */
unsigned int rs_pmu_counters_read(const char *list, uint8_t counters[RS_MAX_GROUP]);

#endif
