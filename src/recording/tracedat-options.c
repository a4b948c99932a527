// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-options - the options of a trace.dat, a row each
 *
 * Pages are handed out as the kernel wrote them. OFFSET, TIME_SHIFT and TSC2NSEC make a map of times
 * (time-map.h), which decode/retime.h applies. A host's file names its guests (GUEST) by the ids in their
 * files (TRACEID); a guest's file has its host's id in TIME_SHIFT. DATE is what CLOCK_REALTIME is ahead of
 * the trace clock, for the time of day.
 */
#include "recording/tracedat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time-limit.h"
#include "recording/recording.h"

/* Times, offsets, scalings: 8 bytes each. Fractions follow behind all CPUs; trace-cmd 2.9 has none. */
#define SAMPLE_BYTES 24

static struct rs_text rest_as_text(struct rs_bytes *data)
{
	struct rs_text text = { .len = (size_t)rs_bytes_left(data) };

	text.data = (const char *)rs_bytes_take(data, text.len);
	/* Most writers count the string's end as part of it. */
	text.len = text.data ? strnlen(text.data, text.len) : 0;
	return text;
}

int rs_tracedat_add_buffer(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			   struct rs_error *err)
{
	struct rs_tracedat_buffer *more = RS_VECTOR_ADD(&td->buffers, &td->nr_buffers, &td->buffers_room);

	if (!more)
		return rs_tracedat_no_memory(td, err);
	*more = *buffer;
	return 0;
}

static int tracedat_options_read_clock(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data,
				       struct rs_error *err)
{
	struct rs_text text = rest_as_text(data);

	td->clock_option = true;
	if (text.len)
		rs_tracedat_set_clock(td, text.data, text.len);
	return 0;
}

/* Reads the host name: the text between the system's name and the release. */
static void read_host(struct rs_tracedat *td, const char *text, const char *end)
{
	const char *blank = memchr(text, ' ', (size_t)(end - text));

	if (!blank || blank + 1 >= end)
		return;
	snprintf(td->host, sizeof td->host, "%.*s", (int)(end - blank - 1), blank + 1);
	td->source.info.host = strcmp(td->host, "(none)") != 0 ? td->host : NULL;
}

/* "Linux host release machine": host may hold anything, so it is read from its end. */
static int read_uname(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_text text = rest_as_text(data);
	const char *machine, *release;

	if (!text.len || !(machine = memrchr(text.data, ' ', text.len)))
		return 0;
	release = memrchr(text.data, ' ', (size_t)(machine - text.data));
	if (!release || release + 1 == machine || machine + 1 == text.data + text.len)
		return 0;
	read_host(td, text.data, release);
	snprintf(td->kernel, sizeof td->kernel, "%.*s", (int)(machine - release - 1), release + 1);
	snprintf(td->machine, sizeof td->machine, "%.*s", (int)(text.data + text.len - machine - 1),
		 machine + 1);
	td->source.info.kernel = td->kernel;
	td->source.info.machine = td->machine;
	return 0;
}

/* A number as text: "0x1234", "-17". */
static bool tracedat_options_read_number(struct rs_bytes *data, int64_t *value)
{
	struct rs_text text = rest_as_text(data);
	char copy[32], *end;

	if (!text.len || text.len >= sizeof copy)
		return false;
	snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.data);
	*value = strtoll(copy, &end, 0);
	return end != copy;
}

static int read_date(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	int64_t us, ns;

	if (!tracedat_options_read_number(data, &us) || __builtin_mul_overflow(us, 1000, &ns) ||
	    !rs_time_offset_is_valid(ns))
		return 0;
	td->source.info.realtime_offset_ns = ns;
	td->source.info.realtime_offset_known = true;
	return 0;
}

static int read_offset(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	int64_t ns;

	if (tracedat_options_read_number(data, &ns) &&
	    __builtin_add_overflow(td->map_of_times.add_ns, ns, &td->map_of_times.add_ns))
		td->map_of_times.add_ns = ns < 0 ? INT64_MIN : INT64_MAX;
	return 0;
}

static int read_cpu_count(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	/* In other versions this number is a table of thread groups, which is longer. */
	if (rs_bytes_left(data) == 4)
		td->header_cpus = rs_bytes_u32(data);
	return 0;
}

static int read_buffer(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_tracedat_buffer buffer = { .text = id == 22 };

	buffer.section = rs_bytes_u64(data);
	buffer.name = rs_bytes_string(data);
	if (data->failed)
		return rs_tracedat_damaged(td, data->failed_at, "a buffer without a name", err);
	buffer.rest = td->version < 7 ? rs_tracedat_bytes(td, buffer.section) : *data;
	return rs_tracedat_add_buffer(td, &buffer, err);
}

static int read_section_offset(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data,
			       struct rs_error *err)
{
	uint64_t at = rs_bytes_u64(data);

	if (!data->failed)
		td->section_at[id] = at;
	return 0;
}

/* ---- the clock, and the machines that share it ---- */

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
	snprintf(td->clock, sizeof td->clock, "%.*s", (int)(len < sizeof td->clock ? len : sizeof td->clock),
		 text);
	td->source.info.clock = td->clock;
}

/* 1: it is shorter than it claims, or damaged. */
static int read_samples(struct rs_tracedat *td, struct rs_bytes *data, struct rs_time_samples *s,
			struct rs_error *err)
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
	/* A scaling of 0 would make every time 0, and is never the result of a measurement. */
	for (uint32_t i = 0; i < nr; i++)
		if (!(s->at[i].scaling = rs_bytes_u64(data)))
			return 1;
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

static int read_shift_cpus(struct rs_tracedat *td, struct rs_bytes *data, struct rs_time_map *map,
			   struct rs_error *err)
{
	uint32_t nr_cpus = rs_bytes_u32(data);
	int ret = 0;

	if (data->failed || rs_bytes_left(data) / sizeof(uint32_t) < nr_cpus ||
	    nr_cpus > RS_TRACEDAT_MAX_CPUS)
		return 1;
	map->cpus = calloc(nr_cpus ? nr_cpus : 1, sizeof *map->cpus);
	if (!map->cpus)
		return rs_tracedat_no_memory(td, err);
	for (map->nr_cpus = 0; map->nr_cpus < nr_cpus && !ret; map->nr_cpus++)
		ret = read_samples(td, data, &map->cpus[map->nr_cpus], err);
	if (ret || (rs_bytes_left(data) && !read_fractions(data, map)))
		return ret ? ret : 1;
	for (size_t cpu = 0; cpu < nr_cpus; cpu++)
		rs_time_map_sort_samples(&map->cpus[cpu]);
	return 0;
}

/* A damaged map is not applied in part: half of a guest's CPUs on another clock is worse than all of them. */
static int read_time_shift(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_time_map *map = &td->map_of_times, read = { 0 };
	uint64_t host_id = rs_bytes_u64(data);
	uint32_t flags = rs_bytes_u32(data);
	int ret;

	if (data->failed)
		return 0;
	ret = read_shift_cpus(td, data, &read, err);
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

static int read_tsc2nsec(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	uint32_t mult = rs_bytes_u32(data), shift = rs_bytes_u32(data);

	/*
	 * The offset that follows trace-cmd stores and does not apply: with it, times would differ from those
	 * it shows.
	 */
	rs_bytes_u64(data);
	td->cycles = true;
	if (data->failed || !mult || shift > 63) {
		td->factor_fault = data->failed || mult ? "damaged" : "missing";
		return 0;
	}
	td->map_of_times.mult = mult;
	td->map_of_times.shift = shift;
	return 0;
}

/* Of trace-cmd it is trace-cmd's version. */
static int read_version(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_text text = rest_as_text(data);

	td->has_trailer = text.len == strlen(RS_TRACEDAT_WITH_TRAILER) &&
			  !memcmp(text.data, RS_TRACEDAT_WITH_TRAILER, text.len);
	return 0;
}

static int read_trace_id(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
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
		struct rs_vcpu vcpu = { .guest = guest, .cpu = rs_bytes_u32(data),
					.tid = (int32_t)rs_bytes_u32(data) };

		if (data->failed || vcpu.tid <= 0)
			continue;
		if (!RS_VECTOR_RESERVE(&td->vcpus, &td->vcpus_room, info->nr_vcpus + 1))
			return rs_tracedat_no_memory(td, err);
		td->vcpus[info->nr_vcpus++] = vcpu;
	}
	return 0;
}

/* Name, id, and which of the host's tasks runs which of its CPUs. */
static int read_guest(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	struct rs_guest guest = { .name = rs_bytes_string(data), .trace_id = rs_bytes_u64(data) };

	if (data->failed || !*guest.name)
		return 0;
	if (!RS_VECTOR_RESERVE(&td->guests, &td->guests_room, td->source.info.nr_guests + 1))
		return rs_tracedat_no_memory(td, err);
	td->guests[td->source.info.nr_guests++] = guest;
	return read_vcpus(td, data, guest.name, err);
}

/* ---- all options ---- */

/*
 * By id. NULL: not needed, such as CPUSTAT (2) and HOOK (6). The rest return -1 with err set if the trace
 * cannot be read without them.
 */
static int (*const options[])(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data,
			      struct rs_error *err) = {
	[1] = read_date,
	[3] = read_buffer,
	[4] = tracedat_options_read_clock,
	[5] = read_uname,
	[7] = read_offset,
	[8] = read_cpu_count,
	[9] = read_version,
	[11] = read_trace_id,
	[12] = read_time_shift,
	[13] = read_guest,
	[14] = read_tsc2nsec,
	[RS_SECTION_HEADER_INFO] = read_section_offset,
	[RS_SECTION_FTRACE_EVENTS] = read_section_offset,
	[RS_SECTION_EVENT_FORMATS] = read_section_offset,
	[RS_SECTION_KALLSYMS] = read_section_offset,
	[RS_SECTION_PRINTK] = read_section_offset,
	[RS_SECTION_CMDLINES] = read_section_offset,
	[22] = read_buffer, /* BUFFER_TEXT */
};

int rs_tracedat_options(struct rs_tracedat *td, struct rs_bytes *b, uint64_t *next, struct rs_error *err)
{
	*next = 0;
	for (;;) {
		uint16_t id = rs_bytes_u16(b);
		struct rs_bytes data;

		/* Id 0 ends the list; version 7 says with it where the next list is. */
		if (id == 0 && td->version < 7)
			return rs_tracedat_complete(td, b, "the options", err);
		data = rs_bytes_sub(b, rs_bytes_u32(b));
		if (rs_tracedat_complete(td, b, "the options", err) < 0)
			return -1;
		if (id == 0) {
			*next = rs_bytes_u64(&data);
			return 0;
		}
		if (id >= sizeof options / sizeof *options)
			rs_tracedat_note(td, "option %u (%" PRIu64 " bytes) is unknown, skipped", id,
					 rs_bytes_left(&data));
		else if (options[id] && options[id](td, id, &data, err) < 0)
			return -1;
	}
}

void rs_tracedat_options_end(struct rs_tracedat *td)
{
	const char *clock = td->map_of_times.mult ? "tsc2nsec" : "x86-tsc";
	struct rs_trace_info *info = &td->source.info;

	if (td->cycles)
		rs_tracedat_set_clock(td, clock, strlen(clock));
	info->guests = td->guests;
	info->vcpus = td->vcpus;
	info->cycles_mult = td->map_of_times.mult;
	info->cycles_shift = td->map_of_times.shift;
	info->time_map = rs_time_map_does_anything(&td->map_of_times) ? &td->map_of_times : NULL;
	td->factor_note_at = td->warnings.len;
	if (td->factor_fault)
		rs_tracedat_note(td,
				 "the factor from cycles to ns is %s: times are cycles of the CPU's counter, "
				 "unless read with the host's recording",
				 td->factor_fault);
	info->warnings = td->warnings.len ? td->warnings.data : NULL;
}

void rs_tracedat_lend_factor(struct rs_source *source, uint32_t mult, uint32_t shift)
{
	struct rs_tracedat *td = (struct rs_tracedat *)source;

	td->lent_mult = td->map_of_times.mult = mult;
	td->lent_shift = td->map_of_times.shift = shift;
	td->cycles = true;
	td->factor_fault = NULL;
	if (td->warnings.len > td->factor_note_at) { /* the last warning says that there is no factor */
		td->warnings.len = td->factor_note_at;
		td->warnings.data[td->warnings.len] = '\0';
	}
	rs_tracedat_options_end(td);
}
