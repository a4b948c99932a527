// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-clock - the clock options of a trace.dat, and the guests or the host that it names
 *
 * OFFSET, TIME_SHIFT and TSC2NSEC make a map of times (time-map.h); whoever reads the pages applies it. A host's file
 * names its guests (GUEST) by the ids that their files carry (TRACEID); a guest's names its host's in TIME_SHIFT.
 */
#include "source/tracedat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times, offsets, scalings: 8 bytes each. Fractions follow behind all CPUs; trace-cmd 2.9 has none. */
#define SAMPLE_BYTES 24

/* "local [global] counter": the one in brackets; a single word is the clock itself. */
void rs_tracedat_set_clock(struct rs_tracedat *td, const char *text, size_t len)
{
	const char *open = memchr(text, '[', len), *close;

	if (open) {
		open++;
		close = memchr(open, ']', len - (size_t)(open - text));
		if (!close)
			return;
		text = open;
		len = (size_t)(close - open);
	} else if (memchr(text, ' ', len)) {
		return;
	}
	while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
		len--;
	if (!len)
		return;
	snprintf(td->clock, sizeof td->clock, "%.*s", (int)(len < sizeof td->clock ? len : sizeof td->clock), text);
	td->source.info.clock = td->clock;
}

static int read_samples(struct rs_tracedat *td, struct rs_bytes *data, struct rs_time_samples *s, struct rs_error *err)
{
	uint32_t nr = rs_bytes_u32(data);

	if (data->failed || rs_bytes_left(data) / SAMPLE_BYTES < nr)
		return 1;
	s->at = calloc(nr ? nr : 1, sizeof *s->at);
	if (!s->at)
		return rs_tracedat_no_memory(td, err);
	s->nr = nr;
	for (uint32_t i = 0; i < nr; i++)
		s->at[i].time = rs_bytes_u64(data);
	for (uint32_t i = 0; i < nr; i++)
		s->at[i].offset = (int64_t)rs_bytes_u64(data);
	for (uint32_t i = 0; i < nr; i++)
		s->at[i].scaling = rs_bytes_u64(data);
	return 0;
}

static bool read_fractions(struct rs_bytes *data, struct rs_time_map *map)
{
	bool good = true;

	for (size_t cpu = 0; cpu < map->nr_cpus; cpu++)
		for (size_t i = 0; i < map->cpus[cpu].nr; i++) {
			uint64_t fraction = rs_bytes_u64(data);

			good &= fraction < 64;
			map->cpus[cpu].at[i].fraction = fraction & 63;
		}
	return good && !data->failed;
}

/* A count of 0 would make every time 0, and is never the result of a measurement. */
static bool has_scalings(const struct rs_time_map *map)
{
	for (size_t cpu = 0; cpu < map->nr_cpus; cpu++)
		for (size_t i = 0; i < map->cpus[cpu].nr; i++)
			if (!map->cpus[cpu].at[i].scaling)
				return false;
	return true;
}

/* 1: it is shorter than it claims. */
static int tracedat_clock_read_cpus(struct rs_tracedat *td, struct rs_bytes *data, struct rs_time_map *map, struct rs_error *err)
{
	uint32_t nr_cpus = rs_bytes_u32(data);
	int ret = 0;

	if (data->failed || rs_bytes_left(data) / sizeof(uint32_t) < nr_cpus || nr_cpus > RS_TRACEDAT_MAX_CPUS)
		return 1;
	map->cpus = calloc(nr_cpus ? nr_cpus : 1, sizeof *map->cpus);
	if (!map->cpus)
		return rs_tracedat_no_memory(td, err);
	for (map->nr_cpus = 0; map->nr_cpus < nr_cpus && !ret; map->nr_cpus++)
		ret = read_samples(td, data, &map->cpus[map->nr_cpus], err);
	if (ret || (rs_bytes_left(data) && !read_fractions(data, map)) || !has_scalings(map))
		return ret ? ret : 1;
	for (size_t cpu = 0; cpu < nr_cpus; cpu++)
		rs_time_map_sort_samples(&map->cpus[cpu]);
	return 0;
}

/* A damaged map is not applied in part: half of a guest's CPUs on another clock is worse than all of them. */
int rs_tracedat_read_time_shift(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_time_map *map = &td->map_of_times, read = { 0 };
	uint64_t host_id = rs_bytes_u64(data);
	uint32_t flags = rs_bytes_u32(data);
	int ret;

	if (data->failed)
		return 0;
	ret = tracedat_clock_read_cpus(td, data, &read, err);
	if (ret == 0) { /* of several the last, which trace-cmd attach has put behind the recorder's, holds */
		struct rs_time_map before = { .cpus = map->cpus, .nr_cpus = map->nr_cpus };

		map->cpus = read.cpus;
		map->nr_cpus = read.nr_cpus;
		map->interpolates = flags & 1;
		td->source.info.host_id = host_id;
		read = before;
	}
	rs_time_map_done(&read);
	if (ret <= 0)
		return ret;
	rs_tracedat_note(td, "the differences from the host's clock are damaged: times are the guest's own");
	return 0;
}

int rs_tracedat_read_tsc2nsec(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	uint32_t mult = rs_bytes_u32(data), shift = rs_bytes_u32(data);

	/* The offset that follows trace-cmd stores and does not apply: with it, times would differ from those it shows. */
	rs_bytes_u64(data);
	td->cycles = true;
	if (data->failed || !mult || shift > 63) {
		td->factor_note_at = td->warnings.len;
		rs_tracedat_note(td, "the factor from cycles to ns is %s: times are cycles of the CPU's counter, unless read with the host's recording",
				 data->failed || mult ? "damaged" : "missing");
		td->factor_note_bytes = td->warnings.len - td->factor_note_at;
		return 0;
	}
	td->map_of_times.mult = mult;
	td->map_of_times.shift = shift;
	return 0;
}

void rs_tracedat_add_time(struct rs_tracedat *td, int64_t ns)
{
	if (__builtin_add_overflow(td->map_of_times.add_ns, ns, &td->map_of_times.add_ns))
		td->map_of_times.add_ns = ns < 0 ? INT64_MIN : INT64_MAX;
}

int rs_tracedat_read_trace_id(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	uint64_t trace_id = rs_bytes_u64(data);

	if (!data->failed)
		td->source.info.trace_id = trace_id;
	return 0;
}

static int read_vcpus(struct rs_tracedat *td, struct rs_bytes *data, const char *guest, struct rs_error *err)
{
	struct rs_trace_info *info = &td->source.info;
	uint32_t nr = rs_bytes_u32(data);

	for (uint32_t i = 0; i < nr && !data->failed; i++) {
		struct rs_vcpu vcpu = { .guest = guest, .cpu = rs_bytes_u32(data), .tid = (int32_t)rs_bytes_u32(data) };

		if (data->failed || vcpu.tid <= 0)
			continue;
		if (!RS_VECTOR_RESERVE(&td->vcpus, &td->vcpus_room, info->nr_vcpus + 1))
			return rs_tracedat_no_memory(td, err);
		td->vcpus[info->nr_vcpus++] = vcpu;
	}
	return 0;
}

/* Name, id, and which of the host's tasks runs which of its CPUs. */
int rs_tracedat_read_guest(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_guest guest = { .name = rs_bytes_string(data), .trace_id = rs_bytes_u64(data) };

	if (data->failed || !*guest.name)
		return 0;
	if (!RS_VECTOR_RESERVE(&td->guests, &td->guests_room, td->source.info.nr_guests + 1))
		return rs_tracedat_no_memory(td, err);
	td->guests[td->source.info.nr_guests++] = guest;
	return read_vcpus(td, data, guest.name, err);
}

void rs_tracedat_clock_end(struct rs_tracedat *td)
{
	const char *clock = td->map_of_times.mult ? "tsc2nsec" : "x86-tsc";

	if (td->cycles)
		rs_tracedat_set_clock(td, clock, strlen(clock));
	td->source.info.guests = td->guests;
	td->source.info.vcpus = td->vcpus;
	td->source.info.cycles_mult = td->map_of_times.mult;
	td->source.info.cycles_shift = td->map_of_times.shift;
	td->source.info.time_map = rs_time_map_does_anything(&td->map_of_times) ? &td->map_of_times : NULL;
}

/* Removes the note that there is no factor. */
static void drop_factor_note(struct rs_tracedat *td)
{
	size_t end = td->factor_note_at + td->factor_note_bytes;

	if (!td->factor_note_bytes)
		return;
	memmove(td->warnings.data + td->factor_note_at, td->warnings.data + end, td->warnings.len - end + 1); /* and the NUL */
	td->warnings.len -= td->factor_note_bytes;
	td->factor_note_bytes = 0;
	td->source.info.warnings = td->warnings.len ? td->warnings.data : NULL;
}

void rs_tracedat_lend_factor(struct rs_source *source, uint32_t mult, uint32_t shift)
{
	struct rs_tracedat *td = (struct rs_tracedat *)source;

	td->lent_mult = td->map_of_times.mult = mult;
	td->lent_shift = td->map_of_times.shift = shift;
	td->cycles = true;
	drop_factor_note(td);
	rs_tracedat_clock_end(td);
}
