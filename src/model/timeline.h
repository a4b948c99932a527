/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - what took a while, on tracks: a window of the latest past in bounded memory
 *
 *	struct rs_timeline *tl = rs_timeline_new(256 << 20, 0, &err);
 *	uint32_t track = rs_timeline_track(tl, type, id);
 *	rs_timeline_add_span(tl, track, &(struct rs_timeline_span){ .start_ns = 10, .end_ns = 30,
								    .kind = 2 });
 *	...
 *	rs_timeline_query(tl, track, &(struct rs_timeline_range){ .from_ns = 0, .to_ns = 20 }, draw, arg);
 *	rs_timeline_free(tl);
 *
 * All memory is taken, and touched, when it is made; nothing is allocated later.
 * Spans live in chunks, 40 of one track in each. When no chunk is free, the one
 * whose last span ended earliest, of all tracks, is used again, and its spans are
 * counted as evicted. A track without spans goes when another wants its place.
 *
 * Spans are laid as they end. One that comes late is put in its place: dearer,
 * not wrong. One that ends before it starts, or at UINT64_MAX, is refused. A span
 * of RS_TIMELINE_MAX_DURATION_NS (3.26 days) or more is kept as its last so many
 * nanoseconds and marked `longer`: its end is exact, it began at start_ns or before.
 *
 * One thread lays and asks.
 */
#ifndef RS_MODEL_TIMELINE_H
#define RS_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RS_TIMELINE_MAX_DURATION_NS ((UINT64_C(1) << 48) - 1)

struct rs_timeline;

/* As it is laid and as it is given back; inside it takes 24 bytes. */
struct rs_timeline_span {
	uint64_t start_ns, end_ns;
	uint64_t arg;
	uint16_t kind;
	bool longer;             /* given back only: it began at start_ns or before */
};

/*
 * rs_timeline_new - size_bytes is all that it takes, at least RS_TIMELINE_MIN_BYTES;
 * age_ns: what ended longer ago than that, before the latest end, may go; 0 any age.
 */
#define RS_TIMELINE_MIN_BYTES (64u << 10)
struct rs_timeline *rs_timeline_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err);
void rs_timeline_free(struct rs_timeline *tl);

/*
 * rs_timeline_track - the number of a track, which is made where there is none. type: what it is
 * of, and which kinds of spans it holds where they do not share one. Never 0. A number may be kept:
 * after its track has gone, laying there is refused and asking finds nothing. A track without spans
 * goes first, so a new one is for laying at once.
 */
uint32_t rs_timeline_track(struct rs_timeline *tl, uint32_t type, uint64_t id);
/* The same, 0 where there is none. */
uint32_t rs_timeline_find(const struct rs_timeline *tl, uint32_t type, uint64_t id);

/* False: refused, and counted so. */
bool rs_timeline_add_span(struct rs_timeline *tl, uint32_t track, const struct rs_timeline_span *span);

/* Drops, whole chunks at a time, what ended more than age_ns before now; laying does that too. */
void rs_chunk_expire(struct rs_timeline *tl, uint64_t now_ns);

/*
 * Which spans: those that share a moment with from_ns <= t < to_ns; one without a length
 * does where it lies in there. All: { 0, UINT64_MAX }. min_length_ns leaves shorter ones
 * out, at no cost: a screen that shows hours asks for what is wider than a cell.
 */
struct rs_timeline_range {
	uint64_t from_ns, to_ns;
	uint64_t min_duration_ns;
};

/* False: enough. */
typedef bool rs_timeline_each(void *arg, const struct rs_timeline_span *span);

/*
 * rs_timeline_query - in the order of their end; of equal ends, as they were laid. O(log n + k), however
 * long some of them are. each must not lay. False where it said false.
 */
bool rs_timeline_query(const struct rs_timeline *tl, uint32_t track, const struct rs_timeline_range *range,
		       rs_timeline_each *each, void *arg);

/* How many end in from_ns <= end < to_ns, whatever their length: O(log n). */
uint64_t rs_timeline_count(const struct rs_timeline *tl, uint32_t track, uint64_t from_ns, uint64_t to_ns);

/* The innermost span at a moment: of those that cover it the one that began last; of these the shortest. */
bool rs_timeline_at(const struct rs_timeline *tl, uint32_t track, uint64_t at_ns, struct rs_timeline_span *found);

/*
 * rs_timeline_next, rs_timeline_prev - the nearest span after, or before, *than that is min_length_ns long or
 * longer and that `wanted` (NULL: any) wants, by (end, start, kind, arg). *than need not be there, or not any more;
 * NULL: the first, or the last, of all. O(log n), and what it takes to ask `wanted`.
 */
bool rs_timeline_next(const struct rs_timeline *tl, uint32_t track, const struct rs_timeline_span *than,
		      uint64_t min_duration_ns, rs_timeline_each *wanted, void *arg, struct rs_timeline_span *found);
bool rs_timeline_prev(const struct rs_timeline *tl, uint32_t track, const struct rs_timeline_span *than,
		      uint64_t min_duration_ns, rs_timeline_each *wanted, void *arg, struct rs_timeline_span *found);

struct rs_timeline_track {
	uint32_t number;
	uint32_t type;
	uint64_t id;
};

/* The tracks that have spans: how many there are. list holds them, by type and id, if max is no less than that. */
size_t rs_timeline_tracks(const struct rs_timeline *tl, struct rs_timeline_track *list, size_t max);
/* Likewise those of a type, in no order; of more than max only so many. */
size_t rs_timeline_tracks_of(const struct rs_timeline *tl, uint32_t type, struct rs_timeline_track *list, size_t max);

struct rs_timeline_stats {
	uint64_t nr_emitted, nr_refused, nr_longer;
	uint64_t nr_late;               /* laid after one of its track that ended later: dearer */
	uint64_t nr_evicted;            /* laid, and gone */
	uint64_t nr_spans;              /* laid, and there */
	uint64_t nr_tracks, nr_tracks_expired;
	/* Every span that was laid and ended after that is there; 0: nothing has gone. */
	uint64_t whole_after_ns;
	size_t size_bytes;
};
void rs_timeline_stats(const struct rs_timeline *tl, struct rs_timeline_stats *stats);

#endif
