// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-formats - the formats of tracepoints in a perf.data, as a trace.dat has them */
#include "perfdata/perf-formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "recording/bytes.h"
#include "recording/file-kind.h"

static struct rs_text formats_text(struct rs_bytes *b, uint64_t len)
{
	const uint8_t *data = rs_bytes_take(b, len);

	return (struct rs_text){ (const char *)data, data ? (size_t)len : 0 };
}

bool rs_perf_formats_add(struct rs_perf_formats *f, const char *system, struct rs_text text)
{
	struct rs_format_text *format = RS_VECTOR_ADD(&f->formats, &f->nr, &f->room);

	if (format)
		*format = (struct rs_format_text){ system, text };
	return format;
}

static bool formats_read_system(struct rs_perf_formats *f, struct rs_bytes *b, const char *system)
{
	uint32_t nr = rs_bytes_u32(b);

	for (uint32_t i = 0; i < nr && !b->failed; i++) {
		struct rs_text text = formats_text(b, rs_bytes_u64(b));

		if (!b->failed && !rs_perf_formats_add(f, system, text))
			return false;
	}
	return true;
}

static bool formats_read_systems(struct rs_perf_formats *f, struct rs_bytes *b)
{
	uint32_t nr;

	if (!formats_read_system(f, b, "ftrace"))
		return false;
	nr = rs_bytes_u32(b);
	for (uint32_t i = 0; i < nr && !b->failed; i++) {
		const char *system = rs_bytes_string(b);

		if (system && !formats_read_system(f, b, system))
			return false;
	}
	return true;
}

const char *rs_perf_formats_read(struct rs_perf_formats *f, const uint8_t *data, size_t len)
{
	struct rs_bytes b = { .data = data, .len = len };
	const uint8_t *magic = rs_bytes_take(&b, RS_TRACEDAT_MAGIC_BYTES);
	unsigned int offset, size;

	*f = (struct rs_perf_formats){ .long_bytes = 8 };
	if (!magic || !rs_file_kind_is_tracedat(magic, RS_TRACEDAT_MAGIC_BYTES))
		return "they do not begin as they should";
	rs_bytes_string(&b); /* the version: "0.5", "0.6" */
	f->big_endian = b.big_endian = rs_bytes_u8(&b);
	f->long_bytes = rs_bytes_u8(&b) == 4 ? 4 : 8;
	rs_bytes_u32(&b);    /* page size */
	rs_bytes_string(&b); /* "header_page" */
	f->header_page = formats_text(&b, rs_bytes_u64(&b));
	rs_bytes_string(&b); /* "header_event" */
	f->header_event = formats_text(&b, rs_bytes_u64(&b));
	if (!formats_read_systems(f, &b))
		return "out of memory";
	formats_text(&b, rs_bytes_u32(&b)); /* kallsyms: perf writes none */
	f->printk_formats = formats_text(&b, rs_bytes_u32(&b));
	/* the byte is the long of the recording program, which may be a 32-bit one on a 64-bit kernel */
	if (rs_source_header_field(f->header_page, "commit", &offset, &size) > 0 && (size == 4 || size == 8))
		f->long_bytes = size;
	return b.failed ? "they are cut off" : NULL;
}

bool rs_perf_formats_have(const struct rs_perf_formats *f, const char *system, const char *name)
{
	char head[96];

	snprintf(head, sizeof head, "name: %s\n", name);
	for (size_t i = 0; i < f->nr; i++) {
		const struct rs_format_text *format = &f->formats[i];

		if (!strcmp(format->system, system) && format->text.len > strlen(head) &&
		    !memcmp(format->text.data, head, strlen(head)))
			return true;
	}
	return false;
}

void rs_perf_formats_done(struct rs_perf_formats *f)
{
	free(f->formats);
}
