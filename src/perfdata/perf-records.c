// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-records - the records of a perf.data one after the other, those that perf has compressed (-z) too */
#include "perfdata/perf-records.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define RECORDS_PIECE_BYTES (1u << 20)
#define RECORDS_UNPACKED_BYTES (1u << 20)
#define RECORD_HEADER_BYTES 8u
#define RECORDS_MAX_WINDOW_LOG 27                /* 128 MiB */
/* perf's records shrink to a tenth. What grows by more than this, and is large, is a bomb. */
#define RECORDS_MAX_RATIO 1000u
#define RECORDS_SMALL_BYTES (64ull << 20)
#define BEHIND_BYTES_MAX (64u << 20)

int rs_perf_records_begin(struct rs_perf_records *r, const struct rs_perf_header *header,
			  struct rs_error *err)
{
	*r = (struct rs_perf_records){ .header = header, .at = header->data_at, .behind = RS_BUF_INIT };
	r->piece = malloc(RECORDS_PIECE_BYTES);
	return r->piece ? 0 : rs_fail(err, "cannot read '%s': out of memory", header->path);
}

void rs_perf_records_done(struct rs_perf_records *r)
{
	ZSTD_freeDStream(r->zstd);
	rs_buf_done(&r->behind);
	free(r->unpacked);
	free(r->piece);
}

/* ---- the file, piece by piece ---- */

static uint64_t records_left(const struct rs_perf_records *r)
{
	return r->piece_len - r->piece_at + (r->header->data_end - r->at);
}

/* Makes a number of bytes, at most those of a record, stand in the piece. */
static int records_load(struct rs_perf_records *r, size_t bytes, struct rs_error *err)
{
	size_t held = r->piece_len - r->piece_at, more;

	if (held >= bytes)
		return 0;
	memmove(r->piece, r->piece + r->piece_at, held);
	more = RECORDS_PIECE_BYTES - held;
	if (more > r->header->data_end - r->at)
		more = (size_t)(r->header->data_end - r->at);
	if (rs_perf_header_pread(r->header, r->at, r->piece + held, more, "its records", err) < 0)
		return -1;
	r->at += more;
	r->piece_at = 0;
	r->piece_len = held + more;
	return 0;
}

static void records_skip(struct rs_perf_records *r, uint64_t bytes)
{
	uint64_t left = records_left(r);

	if (bytes > left) {
		r->cut = "the last part runs past its end";
		bytes = left;
	}
	if (bytes <= r->piece_len - r->piece_at) {
		r->piece_at += (size_t)bytes;
		return;
	}
	r->at += bytes - (r->piece_len - r->piece_at);
	r->piece_at = r->piece_len = 0;
}

/* Reads the header of a record; false: it makes no sense. */
static bool records_read_header(const struct rs_perf_records *r, const uint8_t *data,
				struct rs_perf_record *record)
{
	struct rs_bytes b = { .data = data, .len = RECORD_HEADER_BYTES, .big_endian = r->header->big_endian };

	record->type = rs_bytes_u32(&b);
	record->misc = rs_bytes_u16(&b);
	record->all = (struct rs_sample_record){ data, rs_bytes_u16(&b) };
	b.len = record->all.len_bytes;
	record->body = b;
	return record->all.len_bytes >= RECORD_HEADER_BYTES;
}

/* 1, 0 at the end, or -1. */
static int records_next_of_file(struct rs_perf_records *r, struct rs_perf_record *record,
				struct rs_error *err)
{
	if (records_left(r) < RECORD_HEADER_BYTES)
		return 0;
	if (records_load(r, RECORD_HEADER_BYTES, err) < 0)
		return -1;
	if (!records_read_header(r, r->piece + r->piece_at, record) ||
	    record->all.len_bytes > records_left(r)) {
		r->cut = "a record has an impossible size";
		return 0;
	}
	if (records_load(r, record->all.len_bytes, err) < 0)
		return -1;
	records_read_header(r, r->piece + r->piece_at, record);
	r->piece_at += record->all.len_bytes;
	return 1;
}

/* ---- compressed records: a stream that goes on from one to the next, and need not end with a record ---- */

static bool records_next_unpacked(struct rs_perf_records *r, struct rs_perf_record *record)
{
	size_t left = r->unpacked_len - r->unpacked_at;

	if (left < RECORD_HEADER_BYTES)
		return false;
	if (!records_read_header(r, r->unpacked + r->unpacked_at, record)) {
		r->cut = "a compressed record has an impossible size";
		r->unpacked_at = r->unpacked_len;
		return false;
	}
	if (record->all.len_bytes > left)
		return false;
	r->unpacked_at += record->all.len_bytes;
	return true;
}

static int records_begin_unpacking(struct rs_perf_records *r, struct rs_error *err)
{
	r->zstd = ZSTD_createDStream();
	r->unpacked = malloc(RECORDS_UNPACKED_BYTES);
	if (r->zstd && r->unpacked &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, RECORDS_MAX_WINDOW_LOG)))
		return 0;
	return rs_fail(err, "cannot read '%s': out of memory", r->header->path);
}

/* Unpacks as much as there is room for. */
static int records_unpack(struct rs_perf_records *r, struct rs_error *err)
{
	size_t held = r->unpacked_len - r->unpacked_at;
	ZSTD_inBuffer in = { r->packed, r->packed_len, 0 };
	ZSTD_outBuffer out = { NULL, RECORDS_UNPACKED_BYTES, 0 };

	if (!r->zstd && records_begin_unpacking(r, err) < 0)
		return -1;
	memmove(r->unpacked, r->unpacked + r->unpacked_at, held);
	out.dst = r->unpacked;
	out.pos = held;
	if (ZSTD_isError(ZSTD_decompressStream(r->zstd, &out, &in)) ||
	    r->nr_unpacked_bytes / RECORDS_MAX_RATIO >
		    r->header->file_bytes + RECORDS_SMALL_BYTES / RECORDS_MAX_RATIO) {
		r->cut = "its compressed data is damaged";
		r->packed_len = 0;
		r->was_full = false;
		return 0;
	}
	r->packed += in.pos;
	r->packed_len -= in.pos;
	r->nr_unpacked_bytes += out.pos - held;
	r->was_full = out.pos == RECORDS_UNPACKED_BYTES;
	r->unpacked_at = 0;
	r->unpacked_len = out.pos;
	return 0;
}

static void records_pack_begins(struct rs_perf_records *r, struct rs_perf_record *record)
{
	uint64_t bytes = record->type == RS_PERF_COMPRESSED2 ? rs_bytes_u64(&record->body) :
							       rs_bytes_left(&record->body);

	r->packed = rs_bytes_take(&record->body, bytes);
	r->packed_len = r->packed ? (size_t)bytes : 0;
	if (!r->packed)
		r->cut = "a compressed record has an impossible size";
}

/* ---- both ---- */

/*
 * Of two records more follows than their size says: what a CPU's own tracer recorded, and in a pipe the
 * formats.
 */
static int records_take_behind(struct rs_perf_records *r, struct rs_perf_record *record, struct rs_error *err)
{
	struct rs_bytes body = record->body;
	uint64_t at = r->at - (r->piece_len - r->piece_at), bytes;

	if (record->type == RS_PERF_AUXTRACE)
		records_skip(r, rs_bytes_u64(&body));
	if (record->type != RS_PERF_HEADER_TRACING_DATA)
		return 0;
	bytes = rs_bytes_u32(&body);
	if (bytes > BEHIND_BYTES_MAX || bytes > records_left(r)) {
		r->cut = "its formats are cut off";
		return 0;
	}
	rs_buf_clear(&r->behind);
	if (!rs_buf_reserve(&r->behind, (size_t)bytes + 1))
		return rs_fail(err, "cannot read '%s': out of memory", r->header->path);
	record->body = (struct rs_bytes){ .data = (const uint8_t *)r->behind.data, .len = bytes,
					  .big_endian = r->header->big_endian };
	records_skip(r, bytes);
	return rs_perf_header_pread(r->header, at, r->behind.data, (size_t)bytes, "its formats", err);
}

int rs_perf_records_next(struct rs_perf_records *r, struct rs_perf_record *record, struct rs_error *err)
{
	for (int more;;) {
		while (r->unpacked && !r->cut) {
			if (records_next_unpacked(r, record))
				return 1;
			if (!r->packed_len && !r->was_full)
				break;
			if (records_unpack(r, err) < 0)
				return -1;
		}
		if (r->cut)
			return 0;
		more = records_next_of_file(r, record, err);
		if (more <= 0)
			return more;
		if (record->type == RS_PERF_COMPRESSED || record->type == RS_PERF_COMPRESSED2) {
			records_pack_begins(r, record);
			if (r->packed_len && records_unpack(r, err) < 0)
				return -1;
			continue;
		}
		return records_take_behind(r, record, err) < 0 ? -1 : 1;
	}
}
