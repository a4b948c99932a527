// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-section - a section of a trace.dat version 7
 *
 * Header: u16 id, u16 flags (1: packed), u32 description, u64 size in the file.
 * A packed section goes on with u32 packed size, u32 unpacked size, the bytes;
 * that of a buffer's pages has no such thing: there each CPU's data is packed.
 */
#include "source/tracedat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

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

/* Room for an unpacked section, which lives as long as the file is open. */
static uint8_t *new_block(struct rs_tracedat *td, uint32_t len)
{
	uint8_t *block;

	if (!RS_VECTOR_RESERVE(&td->blocks, &td->blocks_room, td->nr_blocks + 1))
		return NULL;
	block = malloc(len ? len : 1);
	if (!block)
		return NULL;
	td->blocks[td->nr_blocks++] = block;
	td->blocks_bytes += len;
	return block;
}

static int unpack_section(struct rs_tracedat *td, struct rs_bytes *body, struct rs_error *err)
{
	uint64_t at = rs_bytes_where(body);
	uint32_t packed_len = rs_bytes_u32(body), len = rs_bytes_u32(body);
	const uint8_t *packed = rs_bytes_take(body, packed_len);
	uint8_t *block;
	const char *why;

	if (rs_tracedat_complete(td, body, "a packed section", err) < 0)
		return -1;
	if (len > RS_TRACEDAT_MAX_SECTION_BYTES || td->blocks_bytes + len > RS_TRACEDAT_MAX_UNPACKED_BYTES)
		return rs_tracedat_damaged(td, at, "a packed section of an impossible size", err);
	if (td->codec == RS_CODEC_UNKNOWN)
		return rs_fail(err,
			       "cannot read '%s': it is compressed with '%s', only zstd and zlib are known"
			       " (try trace-cmd convert --compression none)",
			       td->shown_path, td->codec_name);
	block = new_block(td, len);
	if (!block)
		return rs_tracedat_no_memory(td, err);
	why = rs_tracedat_unpack(td, packed, packed_len, block, len);
	if (why)
		return rs_tracedat_damaged(td, at, why, err);
	*body = (struct rs_bytes){ .data = block, .len = len, .origin = at, .big_endian = td->big_endian,
				   .unpacked = true };
	return 0;
}

int rs_tracedat_section(struct rs_tracedat *td, uint64_t at, struct rs_section *section, struct rs_error *err)
{
	struct rs_bytes b = rs_tracedat_bytes(td, at);
	uint16_t flags;

	section->id = rs_bytes_u16(&b);
	flags = rs_bytes_u16(&b);
	rs_bytes_u32(&b);
	section->packed = flags & 1;
	if (section->id == RS_SECTION_FLYRECORD) {
		/* Its size may be cut off with the file: the CPUs' own tell what is there. */
		rs_bytes_u64(&b);
		section->body = b;
		return rs_tracedat_complete(td, &b, "a section's header", err);
	}
	section->body = rs_bytes_sub(&b, rs_bytes_u64(&b));
	if (rs_tracedat_complete(td, &b, "a section", err) < 0)
		return -1;
	return section->packed ? unpack_section(td, &section->body, err) : 0;
}

void rs_tracedat_section_done(struct rs_tracedat *td)
{
	for (size_t i = 0; i < td->nr_blocks; i++)
		free(td->blocks[i]);
	free(td->blocks);
	ZSTD_freeDCtx(td->zstd);
}
