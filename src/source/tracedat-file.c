// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-file.c - the bytes of the file, and what is reported of them: for all parts of the reader
 */
#include "source/tracedat.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_WARNINGS 50

int rs_tracedat_damaged(const struct rs_tracedat *td, uint64_t at, const char *what, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': %s at byte %" PRIu64 " of %" PRIu64
		       " (the file is cut off or damaged)", td->shown_path, what, at, td->map_bytes);
}

int rs_tracedat_complete(const struct rs_tracedat *td, const struct rs_bytes *b, const char *part,
			 struct rs_error *err)
{
	if (!b->failed)
		return 0;
	return rs_fail(err,
		       "cannot read '%s': %s would go on past the end at byte %" PRIu64 " of %" PRIu64
		       " (the file is cut off or damaged)",
		       td->shown_path, part, b->failed_at, td->map_bytes);
}

int rs_tracedat_no_memory(const struct rs_tracedat *td, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': out of memory", td->shown_path);
}

struct rs_bytes rs_tracedat_bytes(const struct rs_tracedat *td, uint64_t at)
{
	struct rs_bytes b = { .data = td->map, .len = td->map_bytes, .big_endian = td->big_endian };

	rs_bytes_take(&b, at);
	return b;
}

void rs_tracedat_note(struct rs_tracedat *td, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	/* A damaged file could have a note for each of 65536 CPUs. */
	if (td->nr_warnings++ >= MAX_WARNINGS)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	rs_buf_printf(&td->warnings, "%s\n", line);
	if (td->nr_warnings == MAX_WARNINGS)
		rs_buf_puts(&td->warnings, "and more of that kind\n");
}
