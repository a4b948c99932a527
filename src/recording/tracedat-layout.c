// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-layout - where the parts of a trace.dat are: what is needed to read the events, the options, the
 * CPUs' data
 *
 * Version 6: parts in a fixed order, the options, "flyrecord" and a table of the CPUs' offsets and sizes.
 * Each other buffer has such a table where its BUFFER option says.
 *
 * Version 7: sections. The header ends in the offset of the first section of options, whose last option is
 * the offset of the next one; other options are the offsets of the parts and of each buffer. A section's
 * header is u16 id, u16 flags (1: packed), u32 description, u64 size in the file. In a packed section u32
 * packed size, u32 unpacked size and the packed bytes follow, but not in a buffer's: there each CPU's data is
 * packed.
 */
#include "recording/tracedat.h"

#include <stdlib.h>
#include <string.h>

/* trace-cmd writes two sections of options; a longer chain is a loop. */
#define MAX_OPTION_SECTIONS 256
#define CPU_ROW_BYTES 20 /* of version 7's table: u32 CPU, u64 offset, u64 size */

struct section {
	struct rs_bytes body;    /* unpacked unless it holds a buffer's pages */
	bool packed;             /* a buffer's pages are in chunks */
};

/* In the order of version 6. */
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

static int layout_fail_text(const struct rs_tracedat *td, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': it holds a latency tracer's text, no events"
		       " (record events: ringside record)", td->shown_path);
}

/* ---- version 6 ---- */

/* The ten bytes that say what follows: compared without their blanks. */
static bool layout_is_type(const uint8_t *type, const char *word)
{
	return type && !memcmp(type, word, strlen(word));
}

/* Reads the options, if there are any, and says whether a table of CPUs follows. */
static int read_type(struct rs_tracedat *td, struct rs_bytes *b, bool *text, struct rs_error *err)
{
	uint64_t at = rs_bytes_where(b), next;
	const uint8_t *type = rs_bytes_take(b, 10);

	if (layout_is_type(type, "options")) {
		if (rs_tracedat_options(td, b, &next, err) < 0)
			return -1;
		at = rs_bytes_where(b);
		type = rs_bytes_take(b, 10);
	}
	if (rs_tracedat_complete(td, b, "the kind of data", err) < 0)
		return -1;
	*text = layout_is_type(type, "latency");
	if (*text || layout_is_type(type, "flyrecord"))
		return 0;
	return rs_tracedat_damaged(td, at, "neither \"flyrecord\" nor \"latency\"", err);
}

int rs_tracedat_v6_header(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	struct rs_tracedat_buffer top = { .name = "" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].read(td, b, err) < 0)
			return -1;
	td->header_cpus = rs_bytes_u32(b);
	if (read_type(td, b, &top.text, err) < 0)
		return -1;
	top.rest = *b;
	return rs_tracedat_add_buffer(td, &top, err);
}

/* Where the option is empty the clock's text follows the table; some writers left it out. */
static void layout_read_v6_clock(struct rs_tracedat *td, struct rs_bytes *b)
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
		return layout_fail_text(td, err);
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
		layout_read_v6_clock(td, &b);
	return 0;
}

/* ---- version 7: sections ---- */

/* Another reader of the file has unpacked it. NULL: none has */
static struct rs_tracedat_block *layout_lent_block(const struct rs_tracedat *lender, uint64_t at,
						   uint32_t len)
{
	for (size_t i = 0; lender && i < lender->nr_blocks; i++)
		if (lender->blocks[i]->at == at && lender->blocks[i]->len == len) {
			atomic_fetch_add(&lender->blocks[i]->nr_users, 1);
			return lender->blocks[i];
		}
	return NULL;
}

/* Room for an unpacked section. */
static struct rs_tracedat_block *layout_new_block(uint64_t at, uint32_t len)
{
	struct rs_tracedat_block *block = malloc(sizeof *block + len);

	if (block) {
		atomic_init(&block->nr_users, 1);
		block->is_unpacked = false;
		block->at = at;
		block->len = len;
	}
	return block;
}

/* NULL: no memory */
static struct rs_tracedat_block *layout_add_block(struct rs_tracedat *td, uint64_t at, uint32_t len)
{
	struct rs_tracedat_block *block;

	if (!RS_VECTOR_RESERVE(&td->blocks, &td->blocks_room, td->nr_blocks + 1))
		return NULL;
	block = layout_lent_block(td->lender, at, len);
	if (!block)
		block = layout_new_block(at, len);
	if (!block)
		return NULL;
	td->blocks[td->nr_blocks++] = block;
	td->blocks_bytes += len;
	return block;
}

void rs_tracedat_put_block(struct rs_tracedat_block *block)
{
	if (atomic_fetch_sub(&block->nr_users, 1) == 1)
		free(block);
}

static int unpack_section(struct rs_tracedat *td, struct rs_bytes *body, struct rs_error *err)
{
	uint64_t at = rs_bytes_where(body);
	uint32_t packed_len = rs_bytes_u32(body), len = rs_bytes_u32(body);
	const uint8_t *packed = rs_bytes_take(body, packed_len);
	struct rs_tracedat_block *block;
	const char *why = NULL;

	if (rs_tracedat_complete(td, body, "a packed section", err) < 0)
		return -1;
	if (len > RS_TRACEDAT_MAX_SECTION_BYTES || td->blocks_bytes + len > RS_TRACEDAT_MAX_UNPACKED_BYTES)
		return rs_tracedat_damaged(td, at, "a packed section of an impossible size", err);
	if (td->codec == RS_CODEC_UNKNOWN)
		return rs_fail(err,
			       "cannot read '%s': it is compressed with '%s', only zstd and zlib are known"
			       " (try trace-cmd convert --compression none)",
			       td->shown_path, td->codec_name);
	block = layout_add_block(td, at, len);
	if (!block)
		return rs_tracedat_no_memory(td, err);
	if (!block->is_unpacked) { /* else others may read it now */
		why = rs_tracedat_unpack(td, packed, packed_len, block->bytes, len);
		block->is_unpacked = true;
	}
	if (why)
		return rs_tracedat_damaged(td, at, why, err);
	*body = (struct rs_bytes){ .data = block->bytes, .len = len, .origin = at,
				   .big_endian = td->big_endian, .unpacked = true };
	return 0;
}

static int open_section(struct rs_tracedat *td, uint64_t at, uint16_t id, struct section *section,
			struct rs_error *err)
{
	struct rs_bytes b = rs_tracedat_bytes(td, at);
	uint16_t found = rs_bytes_u16(&b), flags = rs_bytes_u16(&b);
	uint64_t size;

	rs_bytes_u32(&b);
	size = rs_bytes_u64(&b);
	section->packed = flags & 1;
	/* The size of a buffer's data may be cut off with the file: the CPUs' own sizes say what is there. */
	section->body = found == RS_SECTION_FLYRECORD ? b : rs_bytes_sub(&b, size);
	if (rs_tracedat_complete(td, &b, "a section", err) < 0)
		return -1;
	if (found != RS_SECTION_FLYRECORD && section->packed && unpack_section(td, &section->body, err) < 0)
		return -1;
	return found == id ?
		       0 :
		       rs_tracedat_damaged(td, at, "a section of another kind than the options say", err);
}

static int read_options(struct rs_tracedat *td, uint64_t at, struct rs_error *err)
{
	struct section section;

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
	const char *codec = rs_bytes_string(b);
	uint64_t options;

	rs_bytes_string(b); /* the version of the codec's library */
	options = rs_bytes_u64(b);
	if (rs_tracedat_complete(td, b, "the header", err) < 0)
		return -1;
	rs_tracedat_set_codec(td, codec);
	if (!options)
		return rs_tracedat_damaged(td, rs_bytes_where(b) - 8, "no offset of the options", err);
	if (read_options(td, options, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t at = td->section_at[parts[i].id];
		struct section section;

		if (!at)
			continue;
		if (open_section(td, at, parts[i].id, &section, err) < 0 ||
		    parts[i].read(td, &section.body, err) < 0)
			return -1;
	}
	return 0;
}

/* The table names the CPUs that have data, in any order; of the machine's there may be more. */
static int count_cpus(struct rs_tracedat *td, struct rs_bytes table, uint32_t nr, bool *data,
		      struct rs_error *err)
{
	uint64_t at = rs_bytes_where(&table), nr_cpus = td->header_cpus;

	if (table.failed || rs_bytes_left(&table) / CPU_ROW_BYTES < nr)
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

static int layout_read_v7_cpus(struct rs_tracedat *td, struct rs_bytes table, uint32_t nr,
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
	struct section section;
	const char *clock;
	bool data = false;
	uint64_t at;
	uint32_t nr;

	if (buffer->text)
		return layout_fail_text(td, err);
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
	return layout_read_v7_cpus(td, b, nr, err);
}
