// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-meta - what is needed to read the events: header_page, formats, symbols, names
 *
 * Version 6 has these parts one after the other, version 7 in a section each;
 * inside they are the same. Texts are not copied.
 */
#include "recording/tracedat.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* PID_MAX_LIMIT: the kernel has no more tasks than that. */
#define MAX_INITIAL_TASKS (4u << 20)
#define CMDLINE_BYTES 16 /* of a usual line, "123456 kworker/u8:1" */

/* Text with a u32 or u64 length before it. */
static struct rs_text read_text(struct rs_bytes *b, uint64_t len)
{
	const uint8_t *data = rs_bytes_take(b, len);

	return (struct rs_text){ .data = (const char *)data, .len = data ? (size_t)len : 0 };
}

static bool read_magic(struct rs_bytes *b, const char *magic, size_t len)
{
	const uint8_t *data = rs_bytes_take(b, len);

	return data && !memcmp(data, magic, len);
}

int rs_tracedat_read_headers(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	static const char page[] = "header_page", event[] = "header_event";
	unsigned int offset, size;
	uint64_t at = rs_bytes_where(b);

	if (!read_magic(b, page, sizeof page) && !b->failed)
		return rs_tracedat_damaged(td, at, "no \"header_page\"", err);
	td->source.info.header_page = read_text(b, rs_bytes_u64(b));
	at = rs_bytes_where(b);
	if (!read_magic(b, event, sizeof event) && !b->failed)
		return rs_tracedat_damaged(td, at, "no \"header_event\"", err);
	td->source.info.header_event = read_text(b, rs_bytes_u64(b));
	if (rs_tracedat_complete(td, b, "the page header's description", err) < 0)
		return -1;
	/*
	 * The byte in the file's header is the long of the recorder's user space, which may be 32-bit on a
	 * 64-bit kernel. The pages have the kernel's, which is the size of commit.
	 */
	if (rs_source_header_field(td->source.info.header_page, "commit", &offset, &size) > 0 &&
	    (size == 4 || size == 8))
		td->source.info.long_bytes = size;
	return 0;
}

static int add_formats(struct rs_tracedat *td, struct rs_bytes *b, const char *system, uint32_t nr,
		       struct rs_error *err)
{
	for (uint32_t i = 0; i < nr && !b->failed; i++) {
		struct rs_text text = read_text(b, rs_bytes_u64(b));

		if (b->failed)
			break;
		if (!RS_VECTOR_RESERVE(&td->formats, &td->formats_room, td->nr_formats + 1))
			return rs_tracedat_no_memory(td, err);
		td->formats[td->nr_formats++] = (struct rs_format_text){ .system = system, .text = text };
	}
	return rs_tracedat_complete(td, b, "the events' formats", err);
}

int rs_tracedat_read_ftrace_formats(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	return add_formats(td, b, "ftrace", rs_bytes_u32(b), err);
}

int rs_tracedat_read_formats(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	uint32_t nr_systems = rs_bytes_u32(b);

	for (uint32_t i = 0; i < nr_systems && !b->failed; i++) {
		const char *system = rs_bytes_string(b);
		uint32_t nr = rs_bytes_u32(b);

		if (add_formats(td, b, system, nr, err) < 0)
			return -1;
	}
	return rs_tracedat_complete(td, b, "the events' formats", err);
}

int rs_tracedat_read_kallsyms(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	td->source.info.kallsyms = read_text(b, rs_bytes_u32(b));
	return rs_tracedat_complete(td, b, "the kernel's symbols", err);
}

int rs_tracedat_read_printk(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	td->source.info.printk_formats = read_text(b, rs_bytes_u32(b));
	return rs_tracedat_complete(td, b, "the formats of trace_printk", err);
}

struct rs_initial_task *rs_tracedat_add_initial_task(struct rs_tracedat *td)
{
	struct rs_initial_task *initial;

	if (td->nr_initial == MAX_INITIAL_TASKS)
		return NULL;
	initial = RS_VECTOR_ADD(&td->snapshot, &td->nr_initial, &td->initial_room);
	if (initial)
		*initial = (struct rs_initial_task){ 0 };
	return initial;
}

/* "PID comm": all behind the first blank is the name, blanks included. Other lines are skipped. */
static void tracedat_meta_add_name(struct rs_tracedat *td, const char *line, size_t len)
{
	struct rs_initial_task *initial;
	int64_t tid = 0;
	size_t i = 0;

	while (i < len && isdigit((unsigned char)line[i]) && tid <= INT32_MAX)
		tid = tid * 10 + (line[i++] - '0');
	if (!i || tid > INT32_MAX || i + 1 >= len || line[i] != ' ')
		return;
	line += i + 1;
	len -= i + 1;
	/* The kernel's own word for a name that it does not know. */
	if (len == 5 && !memcmp(line, "<...>", 5))
		return;
	initial = rs_tracedat_add_initial_task(td);
	if (!initial)
		return;
	initial->tid = (int32_t)tid;
	memcpy(initial->comm, line, len < sizeof initial->comm ? len : sizeof initial->comm - 1);
}

/* Some recordings have 300,000 names. Where there is no memory for all, adding them one by one reports it. */
static void tracedat_meta_reserve_names(struct rs_tracedat *td, size_t nr_names)
{
	if (nr_names > MAX_INITIAL_TASKS)
		nr_names = MAX_INITIAL_TASKS;
	(void)RS_VECTOR_RESERVE(&td->snapshot, &td->initial_room, td->nr_initial + nr_names);
}

int rs_tracedat_read_cmdlines(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	struct rs_text text = read_text(b, rs_bytes_u64(b));
	const char *at, *end;

	if (rs_tracedat_complete(td, b, "the tasks' names", err) < 0)
		return -1;
	tracedat_meta_reserve_names(td, text.len / CMDLINE_BYTES);
	at = text.data;
	end = at + text.len;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;

		tracedat_meta_add_name(td, at, (size_t)(line_end - at));
		at = line_end + 1;
	}
	return 0;
}
