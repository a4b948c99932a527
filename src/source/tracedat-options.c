// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-options - the options of a trace.dat, a row each
 *
 * Pages are handed out as the kernel wrote them; options that change time stamps on reading are in tracedat-clock.c.
 * DATE is what CLOCK_REALTIME is ahead of the trace clock, which we keep beside them.
 */
#include "source/tracedat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tracedat_options_option {
	const char *name;
	/* NULL: known, and not needed. Returns -1 with err set where the trace cannot be read without it. */
	int (*read)(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err);
};

static struct rs_text rest_as_text(struct rs_bytes *data)
{
	struct rs_text text = { .len = (size_t)rs_bytes_left(data) };

	text.data = (const char *)rs_bytes_take(data, text.len);
	/* Most writers count the string's end as part of it. */
	text.len = text.data ? strnlen(text.data, text.len) : 0;
	return text;
}

static void copy_text(char *out, size_t size, const char *text, size_t len)
{
	if (len >= size)
		len = size - 1;
	memcpy(out, text, len);
	out[len] = '\0';
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
	copy_text(td->host, sizeof td->host, blank + 1, (size_t)(end - blank - 1));
	td->source.info.host = td->host;
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
	copy_text(td->kernel, sizeof td->kernel, release + 1, (size_t)(machine - release - 1));
	copy_text(td->machine, sizeof td->machine, machine + 1, (size_t)(text.data + text.len - machine - 1));
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
	copy_text(copy, sizeof copy, text.data, text.len);
	*value = strtoll(copy, &end, 0);
	return end != copy;
}

static int read_date(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	int64_t us, ns;

	if (!tracedat_options_read_number(data, &us) || __builtin_mul_overflow(us, 1000, &ns))
		return 0;
	td->source.info.realtime_offset_ns = ns;
	td->source.info.realtime_offset_known = true;
	return 0;
}

static int read_offset(struct rs_tracedat *td, uint16_t id, struct rs_bytes *data, struct rs_error *err)
{
	int64_t ns;

	if (tracedat_options_read_number(data, &ns))
		rs_tracedat_add_time(td, ns);
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

/* By id. */
static const struct tracedat_options_option options[] = {
	[1] = { "DATE", read_date },
	[2] = { "CPUSTAT", NULL },
	[3] = { "BUFFER", read_buffer },
	[4] = { "TRACECLOCK", tracedat_options_read_clock },
	[5] = { "UNAME", read_uname },
	[6] = { "HOOK", NULL },
	[7] = { "OFFSET", read_offset },
	[8] = { "CPUCOUNT", read_cpu_count },
	[9] = { "VERSION", NULL },
	[10] = { "PROCMAPS", NULL },
	[11] = { "TRACEID", rs_tracedat_read_trace_id },
	[12] = { "TIME_SHIFT", rs_tracedat_read_time_shift },
	[13] = { "GUEST", rs_tracedat_read_guest },
	[14] = { "TSC2NSEC", rs_tracedat_read_tsc2nsec },
	[15] = { "STRINGS", NULL },
	[RS_SECTION_HEADER_INFO] = { "HEADER_INFO", read_section_offset },
	[RS_SECTION_FTRACE_EVENTS] = { "FTRACE_EVENTS", read_section_offset },
	[RS_SECTION_EVENT_FORMATS] = { "EVENT_FORMATS", read_section_offset },
	[RS_SECTION_KALLSYMS] = { "KALLSYMS", read_section_offset },
	[RS_SECTION_PRINTK] = { "PRINTK", read_section_offset },
	[RS_SECTION_CMDLINES] = { "CMDLINES", read_section_offset },
	[22] = { "BUFFER_TEXT", read_buffer },
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
		if (id >= sizeof options / sizeof *options || !options[id].name)
			rs_tracedat_note(td, "option %u (%" PRIu64 " bytes) is unknown, skipped", id,
					 rs_bytes_left(&data));
		else if (options[id].read && options[id].read(td, id, &data, err) < 0)
			return -1;
	}
}
