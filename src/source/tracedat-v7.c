// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-v7 - trace.dat version 7: sections, found by the options
 *
 * The header ends in the offset of the first section of options; the last
 * option of each such section gives the next one's.
 */
#include "source/tracedat.h"

#include <inttypes.h>
#include <string.h>

/* trace-cmd writes two sections of options; a longer chain is a loop. */
#define MAX_OPTION_SECTIONS 256

static const struct {
	uint16_t id;
	int (*read)(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err);
} parts[] = {
	{ RS_SECTION_HEADER_INFO, rs_tracedat_read_headers },
	{ RS_SECTION_FTRACE_EVENTS, rs_tracedat_read_ftrace_formats },
	{ RS_SECTION_EVENT_FORMATS, rs_tracedat_read_formats },
	{ RS_SECTION_KALLSYMS, rs_tracedat_read_kallsyms },
	{ RS_SECTION_PRINTK, rs_tracedat_read_printk },
	{ RS_SECTION_CMDLINES, rs_tracedat_read_cmdlines },
};

static int open_section(struct rs_tracedat *td, uint64_t at, uint16_t id, struct rs_section *section,
			struct rs_error *err)
{
	if (rs_tracedat_section(td, at, section, err) < 0)
		return -1;
	if (section->id != id)
		return rs_tracedat_damaged(td, at, "a section of another kind than the options say", err);
	return 0;
}

static int read_options(struct rs_tracedat *td, uint64_t at, struct rs_error *err)
{
	struct rs_section section;

	for (unsigned int i = 0; at; i++) {
		if (i == MAX_OPTION_SECTIONS)
			return rs_tracedat_damaged(td, at, "sections of options without end", err);
		/* The offset is written before the section: so ends a recording that was not finished. */
		if (at >= td->map_bytes)
			return rs_tracedat_damaged(td, at, "no options, which say where all else is,", err);
		if (open_section(td, at, 0, &section, err) < 0 ||
		    rs_tracedat_options(td, &section.body, &at, err) < 0)
			return -1;
	}
	return 0;
}

int rs_tracedat_v7_header(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	const char *codec = rs_bytes_string(b), *version = rs_bytes_string(b);
	uint64_t options = rs_bytes_u64(b);

	if (rs_tracedat_complete(td, b, "the header", err) < 0)
		return -1;
	(void)version;
	rs_tracedat_set_codec(td, codec);
	if (!options)
		return rs_tracedat_damaged(td, rs_bytes_where(b) - 8, "no offset of the options", err);
	if (read_options(td, options, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t at = td->section_at[parts[i].id];
		struct rs_section section;

		if (!at)
			continue;
		if (open_section(td, at, parts[i].id, &section, err) < 0 ||
		    parts[i].read(td, &section.body, err) < 0)
			return -1;
	}
	return 0;
}

/* A row of the table: u32 CPU, u64 offset, u64 size. */
#define ROW_BYTES 20

/* The table names the CPUs that have data, in any order; of the machine's there may be more. */
static int count_cpus(struct rs_tracedat *td, struct rs_bytes table, uint32_t nr, bool *data,
		      struct rs_error *err)
{
	uint64_t at = rs_bytes_where(&table), nr_cpus = td->header_cpus;

	if (table.failed || rs_bytes_left(&table) / ROW_BYTES < nr)
		return rs_tracedat_damaged(td, at, "a table of CPUs that runs past its option's end", err);
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t cpu = rs_bytes_u32(&table);

		if (cpu >= nr_cpus)
			nr_cpus = (uint64_t)cpu + 1;
		rs_bytes_u64(&table);
		*data |= rs_bytes_u64(&table) != 0;
	}
	return rs_tracedat_set_nr_cpus(td, nr_cpus, at, err);
}

static int tracedat_v7_read_cpus(struct rs_tracedat *td, struct rs_bytes table, uint32_t nr,
				 struct rs_error *err)
{
	for (uint32_t i = 0; i < nr; i++) {
		uint64_t at = rs_bytes_where(&table);
		uint32_t cpu = rs_bytes_u32(&table);
		uint64_t begin = rs_bytes_u64(&table), size = rs_bytes_u64(&table);

		if (td->cpus[cpu].end)
			return rs_tracedat_damaged(td, at, "a CPU that is there twice", err);
		rs_tracedat_set_cpu(td, cpu, begin, size);
	}
	return 0;
}

int rs_tracedat_v7_select(struct rs_tracedat *td, const struct rs_tracedat_buffer *buffer,
			  struct rs_error *err)
{
	struct rs_bytes b = buffer->rest;
	struct rs_section section;
	const char *clock;
	bool data = false;
	uint64_t at;
	uint32_t nr;

	if (buffer->text)
		return rs_fail(err, "cannot read '%s': it holds a latency tracer's text, no events"
			       " (record events: ringside record)", td->shown_path);
	clock = rs_bytes_string(&b);
	at = rs_bytes_where(&b);
	if (clock && *clock)
		rs_tracedat_set_clock(td, clock, strlen(clock));
	/* Each buffer has its own size of page; the header's is only that of the recorder's memory. */
	if (rs_tracedat_set_page_bytes(td, rs_bytes_u32(&b), at, err) < 0)
		return -1;
	nr = rs_bytes_u32(&b);
	if (count_cpus(td, b, nr, &data, err) < 0)
		return -1;
	if (!data)
		return 0;
	if (open_section(td, buffer->section, RS_SECTION_FLYRECORD, &section, err) < 0)
		return -1;
	td->packed = section.packed;
	return tracedat_v7_read_cpus(td, b, nr, err);
}
