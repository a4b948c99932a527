// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * time-map - from the times in a recording's pages to those of a clock that it shares with other recordings
 */
#include "source/time-map.h"

#include <stdlib.h>

/* a product of two 64-bit numbers: neither a hostile one nor a long uptime overflows */
typedef __int128 wide;

bool rs_time_map_does_anything(const struct rs_time_map *map)
{
	for (size_t cpu = 0; cpu < map->nr_cpus; cpu++)
		if (map->cpus[cpu].nr)
			return true;
	return map->mult || map->add_ns;
}

static uint64_t clamp_time(wide ts)
{
	if (ts < 0)
		return 0;
	return ts > (wide)UINT64_MAX ? UINT64_MAX : (uint64_t)ts;
}

/* Of two neighbors: the last that begins at or before ts, or the first; there is always one behind it. */
static const struct rs_time_sample *sample_before(const struct rs_time_samples *s, uint64_t ts)
{
	size_t lo = 0, hi = s->nr - 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->at[mid].time <= ts)
			lo = mid;
		else
			hi = mid;
	}
	return &s->at[lo];
}

/* The line through two samples, rounded as trace-cmd does: C's division rounds towards 0. */
static wide interpolate(const struct rs_time_sample *a, const struct rs_time_sample *b, uint64_t ts)
{
	wide delta = (wide)b->time - (wide)a->time;
	wide since = (wide)ts - (wide)a->time, change = (wide)b->offset - (wide)a->offset;
	wide product;

	/* 2^64 * 2^65: only times that no clock shows overflow, and they keep the sample's offset */
	if (__builtin_mul_overflow(since, change, &product))
		return a->offset;
	return a->offset + (product + delta / 2) / delta;
}

/* One sample alone is an offset; its scaling is not applied, as trace-cmd has it. */
static uint64_t to_host(const struct rs_time_samples *s, bool interpolates, uint64_t ts)
{
	const struct rs_time_sample *a;
	wide offset;

	if (!s->nr)
		return ts;
	if (s->nr == 1)
		return clamp_time((wide)ts + s->at->offset);
	a = sample_before(s, ts);
	offset = interpolates ? interpolate(a, a + 1, ts) : a->offset;
	return clamp_time((wide)((unsigned __int128)ts * a->scaling >> a->fraction) + offset);
}

uint64_t rs_time_map_apply(const struct rs_time_map *map, unsigned int cpu, uint64_t ts)
{
	if (cpu < map->nr_cpus)
		ts = to_host(&map->cpus[cpu], map->interpolates, ts);
	if (map->mult)
		ts = clamp_time((wide)((unsigned __int128)ts * map->mult >> map->shift));
	return clamp_time((wide)ts + map->add_ns);
}

uint64_t rs_time_map_back(const struct rs_time_map *map, unsigned int cpu, uint64_t ts)
{
	uint64_t lo = 0, hi = UINT64_MAX;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (rs_time_map_apply(map, cpu, mid) < ts)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int time_map_compare_time(const void *a, const void *b)
{
	const struct rs_time_sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

void rs_time_map_sort_samples(struct rs_time_samples *s)
{
	size_t nr = 0;

	if (!s->nr)
		return;
	qsort(s->at, s->nr, sizeof *s->at, time_map_compare_time);
	for (size_t i = 0; i < s->nr; i++)
		if (!i || s->at[i].time != s->at[nr - 1].time)
			s->at[nr++] = s->at[i];
	s->nr = nr;
}

void rs_time_map_done(struct rs_time_map *map)
{
	for (size_t cpu = 0; cpu < map->nr_cpus; cpu++)
		free(map->cpus[cpu].at);
	free(map->cpus);
	*map = (struct rs_time_map){ 0 };
}
