/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-ring.h - the ring of a perf event: the kernel writes records, this process reads them in place
 *
 *	struct rs_perf_ring r = { 0 };
 *	rs_perf_ring_map(&r, fd, 1 << 20, 64 << 10, &err);
 *	while (rs_perf_ring_next(&r, &record))
 *		use(&record);
 *	rs_perf_ring_done(&r);
 */
#ifndef RS_SOURCE_PERF_PERF_RING_H
#define RS_SOURCE_PERF_PERF_RING_H

#include "source/perf/samples.h"

struct perf_event_mmap_page;

struct rs_perf_ring {
	struct perf_event_mmap_page *page;  /* then the data; NULL: not mapped */
	/* tail: of the record that was handed out last; the kernel may not overwrite it */
	uint64_t tail, size_bytes;
	uint64_t held_bytes;
	uint8_t *whole;                     /* a record that wraps, put together */
};

/*
 * Maps the ring of an event, of size_bytes (a power of two), or of less, down to least_bytes: without the
 * right to lock more memory. Returns 0, -ENOMEM, or what mmap says.
 */
int rs_perf_ring_map(struct rs_perf_ring *r, int fd, uint64_t size_bytes, uint64_t least_bytes);
void rs_perf_ring_done(struct rs_perf_ring *r);
/* Returns false if there is no record now; a record is valid until the next call. */
bool rs_perf_ring_next(struct rs_perf_ring *r, struct rs_sample_record *record);

#endif
