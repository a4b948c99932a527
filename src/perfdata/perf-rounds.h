/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-rounds.h - puts the records of a perf.data in the order of time
 *
 * perf reads the rings of all CPUs in rounds, one ring after the other, and marks where a round ends: what
 * has not come by the end of a round is later than all that the round before has brought.
 *
 *	rs_perf_rounds_add(&q, ts_ns, event, &record);     // any time
 *	rs_perf_rounds_end(&q);                            // at the mark
 *	while ((item = rs_perf_rounds_next(&q, false)))    // then; true: at the end of the file, all that is
 *	                                                   // left
 *		...
 */
#ifndef RS_PERFDATA_PERF_ROUNDS_H
#define RS_PERFDATA_PERF_ROUNDS_H

#include "base/buf.h"
#include "source/perf/samples.h"

struct rs_perf_item {
	uint64_t ts_ns;              /* 0: it has none, and comes first */
	uint64_t number;             /* as they came: those of one time stay in their order */
	size_t at;                   /* in the bytes */
	uint32_t event;              /* what the caller passed */
	uint16_t len_bytes;
};

struct rs_perf_rounds {
	struct rs_perf_item *items;
	/* the first nr_due are in order, of which those before `next` have been returned */
	size_t nr, room, next, nr_due;
	struct rs_buf bytes;
	/* round_ns: the latest time so far; due_ns: of the round before */
	uint64_t nr_added, round_ns, due_ns;
	size_t due_bytes;            /* sorting waits until so much is there */
};

void rs_perf_rounds_init(struct rs_perf_rounds *q);
void rs_perf_rounds_done(struct rs_perf_rounds *q);
/* Returns false without memory. */
bool rs_perf_rounds_add(struct rs_perf_rounds *q, uint64_t ts_ns, uint32_t event,
			const struct rs_sample_record *record);
void rs_perf_rounds_end(struct rs_perf_rounds *q);
/* Returns true if items wait that should be taken now. all: the end. */
bool rs_perf_rounds_sort(struct rs_perf_rounds *q, bool all);
/* The next one in the order of time, valid until records are added; NULL: none is due. */
const struct rs_perf_item *rs_perf_rounds_next(struct rs_perf_rounds *q);

static inline struct rs_sample_record rs_perf_rounds_record(const struct rs_perf_rounds *q,
							    const struct rs_perf_item *item)
{
	return (struct rs_sample_record){ (const uint8_t *)q->bytes.data + item->at, item->len_bytes };
}

#endif
