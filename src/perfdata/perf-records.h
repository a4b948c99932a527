/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-records.h - the records of a perf.data one after the other, those that perf has compressed (-z) too
 *
 *	rs_perf_records_begin(&r, &header, &err);
 *	while ((more = rs_perf_records_next(&r, &record, &err)) > 0)
 *		...
 *	rs_perf_records_done(&r);
 *
 * The file is read in pieces and never mapped: one that is cut off meanwhile ends, and does not crash the
 * reader.
 */
#ifndef RS_PERFDATA_PERF_RECORDS_H
#define RS_PERFDATA_PERF_RECORDS_H

#include "perfdata/perf-header.h"

struct rs_perf_record {
	uint32_t type;               /* PERF_RECORD_..., RS_PERF_... */
	uint16_t misc;
	struct rs_sample_record all; /* with its header; valid until the next one */
	struct rs_bytes body;
};

struct rs_perf_records {
	const struct rs_perf_header *header;
	uint64_t at;                 /* of the next piece of the file */
	uint8_t *piece;
	size_t piece_at, piece_len;
	void *zstd;                  /* ZSTD_DStream; NULL until something is compressed */
	const uint8_t *packed;       /* of the current compressed record, what is left of it */
	size_t packed_len;
	uint8_t *unpacked;
	size_t unpacked_at, unpacked_len;
	uint64_t nr_unpacked_bytes;
	struct rs_buf behind;        /* what follows a record without being counted in its size */
	bool was_full;               /* the decoder may have more */
	const char *cut;             /* why the last records are missing; NULL: none are */
};

int rs_perf_records_begin(struct rs_perf_records *r, const struct rs_perf_header *header,
			  struct rs_error *err);
void rs_perf_records_done(struct rs_perf_records *r);
/* Returns 1; 0: the end, or where the file is damaged, see .cut; -1: err is set. */
int rs_perf_records_next(struct rs_perf_records *r, struct rs_perf_record *record, struct rs_error *err);

#endif
