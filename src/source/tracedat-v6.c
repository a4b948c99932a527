// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-v6 - trace.dat version 6: parts one after the other, then the CPUs' pages
 *
 * A buffer is "flyrecord" and a table of the CPUs' offsets and sizes, the top
 * one behind the options, each other one where its BUFFER option says.
 */
#include "source/tracedat.h"

#include <string.h>

typedef int (*reader)(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);

static const reader parts[] = {
	rs_tracedat_read_headers, rs_tracedat_read_ftrace_formats, rs_tracedat_read_formats,
	rs_tracedat_read_kallsyms, rs_tracedat_read_printk, rs_tracedat_read_cmdlines,
};

/* The ten bytes that say what follows: compared without their blanks. */
static bool is_type(const uint8_t *type, const char *word)
{
	return type && !memcmp(type, word, strlen(word));
}

/* Reads the options, if there are any, and says whether a table of CPUs follows. */
static int read_type(struct rs_tracedat *td, struct rs_bytes *b, bool *text, struct rs_error *err)
{
	uint64_t at = rs_bytes_where(b), next;
	const uint8_t *type = rs_bytes_take(b, 10);

	if (is_type(type, "options")) {
		if (rs_tracedat_options(td, b, &next, err) < 0)
			return -1;
		at = rs_bytes_where(b);
		type = rs_bytes_take(b, 10);
	}
	if (rs_tracedat_complete(td, b, "the kind of data", err) < 0)
		return -1;
	*text = is_type(type, "latency");
	if (*text || is_type(type, "flyrecord"))
		return 0;
	return rs_tracedat_damaged(td, at, "neither \"flyrecord\" nor \"latency\"", err);
}

int rs_tracedat_v6_header(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	struct rs_tracedat_buffer top = { .name = "" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i](td, b, err) < 0)
			return -1;
	td->header_cpus = rs_bytes_u32(b);
	if (read_type(td, b, &top.text, err) < 0)
		return -1;
	top.rest = *b;
	return rs_tracedat_add_buffer(td, &top, err);
}

/* Where the option is empty the clock's text follows the table; some writers left it out. */
static void tracedat_v6_read_clock(struct rs_tracedat *td, struct rs_bytes *b)
{
	uint64_t len = rs_bytes_u64(b);
	const uint8_t *text = rs_bytes_take(b, len);

	if (text)
		rs_tracedat_set_clock(td, (const char *)text, (size_t)len);
}

int rs_tracedat_v6_select(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			  struct rs_error *err)
{
	bool top = !*buffer->name, text = buffer->text;
	struct rs_bytes b = buffer->rest;
	uint32_t nr_cpus;

	if (!top && read_type(td, &b, &text, err) < 0)
		return -1;
	if (text)
		return rs_fail(err, "cannot read '%s': it holds a latency tracer's text, no events"
			       " (record events: ringside record)", td->shown_path);
	nr_cpus = td->header_cpus;
	/* Before any memory is taken for them: 16 bytes of the file stand for each. */
	if (rs_bytes_left(&b) / 16 < nr_cpus)
		return rs_tracedat_damaged(td, rs_bytes_where(&b), "a table of CPUs that runs past the end",
					   err);
	if (rs_tracedat_set_nr_cpus(td, nr_cpus, rs_bytes_where(&b), err) < 0)
		return -1;
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		uint64_t begin = rs_bytes_u64(&b), size = rs_bytes_u64(&b);

		rs_tracedat_set_cpu(td, cpu, begin, size);
	}
	if (top && td->clock_option && !td->source.info.clock)
		tracedat_v6_read_clock(td, &b);
	return 0;
}
