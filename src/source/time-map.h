/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-map.h - from the times in a recording's pages to those of a clock that it shares with other recordings
 *
 * trace-cmd stores with a recording what its times lack: a guest's differences from its host's clock, measured again and
 * again for each of its CPUs; the factor of a clock that counts cycles; and an offset that somebody asked for. They are
 * applied in this order, by trace-cmd's own rules, so that times are equal to the nanosecond:
 *
 *	host cycles = (guest cycles * scaling >> fraction) + offset at that time    a CPU's samples
 *	ns          = host cycles * mult >> shift                                   the factor
 *	ns          + add                                                           the offset
 */
#ifndef RS_SOURCE_TIME_MAP_H
#define RS_SOURCE_TIME_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was measured at a time of the guest's clock. */
struct rs_time_sample {
	uint64_t time;
	int64_t offset;
	uint64_t scaling;
	uint32_t fraction;       /* bits of scaling behind the point, below 64 */
};

/* Of one CPU: by time, no two of the same. With none the times are left as they are. */
struct rs_time_samples {
	struct rs_time_sample *at;
	size_t nr;
};

struct rs_time_map {
	struct rs_time_samples *cpus;
	size_t nr_cpus;          /* that have been measured: the times of others are left as they are */
	bool interpolates;       /* between two samples, and on beyond them: else the one before holds */
	uint32_t mult, shift;    /* mult 0: no factor; shift at most 63 */
	int64_t add_ns;
};

/* False: times stay as they are. */
bool rs_time_map_does_anything(const struct rs_time_map *map);
uint64_t rs_time_map_apply(const struct rs_time_map *map, unsigned int cpu, uint64_t ts);
/* The least time of that CPU's pages that comes to ts or later, where times do not go back; UINT64_MAX: none does. */
uint64_t rs_time_map_back(const struct rs_time_map *map, unsigned int cpu, uint64_t ts);
/* Puts samples in the order of time and leaves out those of equal times, but for one. */
void rs_time_map_sort_samples(struct rs_time_samples *s);
void rs_time_map_done(struct rs_time_map *map);

#endif
