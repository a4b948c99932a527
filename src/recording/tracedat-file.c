// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-file.c - the bytes of the file, unpacking, errors and warnings: for all parts of the reader
 */
#include "recording/tracedat.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

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

void rs_tracedat_set_codec(struct rs_tracedat *td, const char *name)
{
	static const struct { const char *name; enum rs_codec codec; } codecs[] = {
		{ "none", RS_CODEC_NONE }, { "zlib", RS_CODEC_ZLIB }, { "zstd", RS_CODEC_ZSTD },
	};

	snprintf(td->codec_name, sizeof td->codec_name, "%s", name);
	td->codec = RS_CODEC_UNKNOWN;
	for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
		if (!strcmp(name, codecs[i].name))
			td->codec = codecs[i].codec;
}

static const char *unpack_zstd(struct rs_tracedat *td, const uint8_t *packed, size_t packed_len, uint8_t *out,
			       size_t len)
{
	size_t got;

	if (!td->zstd)
		td->zstd = ZSTD_createDCtx();
	if (!td->zstd)
		return "no memory to unpack";
	got = ZSTD_decompressDCtx(td->zstd, out, len, packed, packed_len);
	return ZSTD_isError(got) || got != len ? "zstd data that does not unpack to its size" : NULL;
}

static const char *unpack_zlib(const uint8_t *packed, size_t packed_len, uint8_t *out, size_t len)
{
	uLongf got = (uLongf)len;

	if (uncompress(out, &got, packed, (uLong)packed_len) != Z_OK || got != len)
		return "zlib data that does not unpack to its size";
	return NULL;
}

/* Both write at most len bytes, whatever the packed bytes claim: a bomb ends there. */
const char *rs_tracedat_unpack(struct rs_tracedat *td, const uint8_t *packed, size_t packed_len, uint8_t *out,
			       size_t len)
{
	switch (td->codec) {
	case RS_CODEC_ZSTD:
		return unpack_zstd(td, packed, packed_len, out, len);
	case RS_CODEC_ZLIB:
		return unpack_zlib(packed, packed_len, out, len);
	case RS_CODEC_NONE:
		return "packed data in a file that names no compression";
	case RS_CODEC_UNKNOWN:
		break;
	}
	return "data in a compression that is not known here";
}
