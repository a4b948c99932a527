/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-map.h - from the times in a recording's pages to those of a clock that it shares with other recordings
 *
 * trace-cmd stores with a recording what its times lack: a guest's differences from its host's clock,
 * measured again and again for each of its CPUs; the factor of a clock that counts cycles; and an offset that
 * somebody asked for. They are applied in this order, by trace-cmd's own rules, so that times are equal to
 * the nanosecond:
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

/* A measurement, at a time of the guest's clock. */
struct rs_time_sample {
	uint64_t time;
	int64_t offset;
	uint64_t scaling;
	uint32_t fraction;       /* bits of scaling behind the point, below 64 */
};

/* The samples of one CPU, by time, without duplicates. If empty, times are not changed. */
struct rs_time_samples {
	struct rs_time_sample *at;
	size_t nr;
};

struct rs_time_map {
	struct rs_time_samples *cpus;
	size_t nr_cpus;          /* CPUs with samples: the times of other CPUs are not changed */
	/* interpolate between samples and extrapolate beyond them; else use the sample before */
	bool interpolates;
	uint32_t mult, shift;    /* mult 0: no factor; shift at most 63 */
	int64_t add_ns;
};

/* Returns false if the map changes no time. */
bool rs_time_map_does_anything(const struct rs_time_map *map);
uint64_t rs_time_map_apply(const struct rs_time_map *map, unsigned int cpu, uint64_t ts);
/*
 * The inverse: the least time of that CPU that maps to ts or later, if the map is monotonic; UINT64_MAX: no
 * time does.
 */
uint64_t rs_time_map_back(const struct rs_time_map *map, unsigned int cpu, uint64_t ts);
/* Sorts samples by time and removes duplicates. */
void rs_time_map_sort_samples(struct rs_time_samples *s);
void rs_time_map_done(struct rs_time_map *map);

#endif
