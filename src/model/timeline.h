/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - spans on tracks: the most recent ones, in bounded memory
 *
 *	struct rs_timeline *tl = rs_timeline_new(256 << 20, 0, &err);
 *	uint32_t track = rs_timeline_track(tl, type, id);
 *	rs_timeline_add_span(tl, track, &(struct rs_timeline_span){ .start_ns = 10, .end_ns = 30,
								    .kind = 2 });
 *	...
 *	rs_timeline_query(tl, track, &(struct rs_timeline_range){ .from_ns = 0, .to_ns = 20 }, draw, arg);
 *	rs_timeline_free(tl);
 *
 * All memory is allocated, and touched, by rs_timeline_new; nothing is allocated later.
 * Spans live in chunks, 40 of one track in each. When no chunk is free, the one
 * whose last span ended earliest, of all tracks, is recycled, and its spans are
 * counted as evicted. A track without spans is dropped when a new one needs its place.
 *
 * Spans are added as they end. One that comes late is inserted where it belongs, at
 * a higher cost. One that ends before it starts, or at UINT64_MAX, is refused. A span
 * of RS_TIMELINE_MAX_DURATION_NS (3.26 days) or more is kept as its last so many
 * nanoseconds and marked `longer`: its end is exact, it began at start_ns or before.
 *
 * All calls come from one thread.
 */
#ifndef RS_MODEL_TIMELINE_H
#define RS_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RS_TIMELINE_MAX_DURATION_NS ((UINT64_C(1) << 48) - 1)

struct rs_timeline;

/* As added and as returned; stored in 24 bytes. */
struct rs_timeline_span {
	uint64_t start_ns, end_ns;
	uint64_t arg;
	uint16_t kind;
	bool longer;             /* set on return only: it began at start_ns or before */
};

/*
 * rs_timeline_new - size_bytes is all memory that it takes, at least RS_TIMELINE_MIN_BYTES;
 * age_ns: spans that ended more than that before the latest end may be dropped; 0 any age.
 */
#define RS_TIMELINE_MIN_BYTES (64u << 10)
struct rs_timeline *rs_timeline_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err);
void rs_timeline_free(struct rs_timeline *tl);

/*
 * rs_timeline_track - returns the number of a track, and creates it if need be. type: what the track is
 * of, and which kinds of spans it holds where they do not share one. Never 0. The number may be stored:
 * once its track was dropped, adding to it is refused and queries find nothing. Tracks without spans
 * are dropped first, so add to a new one at once.
 */
uint32_t rs_timeline_track(struct rs_timeline *tl, uint32_t type, uint64_t id);
/* The same without creating it; 0: no such track. */
uint32_t rs_timeline_find(const struct rs_timeline *tl, uint32_t type, uint64_t id);

/* Returns false if refused; that is counted. */
bool rs_timeline_add_span(struct rs_timeline *tl, uint32_t track, const struct rs_timeline_span *span);

/* Drops, in whole chunks, what ended more than age_ns before now; so does rs_timeline_add_span. */
void rs_chunk_expire(struct rs_timeline *tl, uint64_t now_ns);

/*
 * Keeps the chunks with spans of from_ns <= t <= to_ns when they would be dropped, in place of those that it
 * held before: at most half of all, those that ended last. Nothing is held with from_ns after to_ns.
 */
void rs_chunk_hold(struct rs_timeline *tl, uint64_t from_ns, uint64_t to_ns);

/*
 * Selects the spans that overlap from_ns <= t < to_ns; one without a duration must lie
 * inside. All: { 0, UINT64_MAX }. min_duration_ns skips shorter ones at no cost: a screen
 * that shows hours asks for what is wider than a cell.
 */
struct rs_timeline_range {
	uint64_t from_ns, to_ns;
	uint64_t min_duration_ns;
};

/* Return false to stop. */
typedef bool rs_timeline_each(void *arg, const struct rs_timeline_span *span);

/*
 * rs_timeline_query - in the order of their end; equal ends in the order of adding. O(log n + k), however
 * long some spans are. each must not add spans. Returns false if it did.
 */
bool rs_timeline_query(const struct rs_timeline *tl, uint32_t track, const struct rs_timeline_range *range,
		       rs_timeline_each *each, void *arg);

/* Number of spans that end in from_ns <= end < to_ns, of any duration: O(log n). */
uint64_t rs_timeline_count(const struct rs_timeline *tl, uint32_t track, uint64_t from_ns, uint64_t to_ns);

/* The innermost span at a moment: the one that began last of those that cover it, then the shortest. */
bool rs_timeline_at(const struct rs_timeline *tl, uint32_t track, uint64_t at_ns,
		    struct rs_timeline_span *found);

/*
 * rs_timeline_nearest - the nearest span after, or before (back), *than that takes at least min_duration_ns
 * and that `wanted` (NULL: any) accepts, in the order of (end, start, kind, arg). *than need not exist (any
 * more); NULL: the first, or the last, of all. O(log n), plus the calls of `wanted`.
 */
bool rs_timeline_nearest(const struct rs_timeline *tl, uint32_t track, bool back,
			 const struct rs_timeline_span *than, uint64_t min_duration_ns,
			 rs_timeline_each *wanted, void *arg, struct rs_timeline_span *found);

struct rs_timeline_track {
	uint32_t number;
	uint32_t type;
	uint64_t id;
};

/* Returns the number of tracks with spans. If max is large enough, list gets them, sorted by type and id. */
size_t rs_timeline_tracks(const struct rs_timeline *tl, struct rs_timeline_track *list, size_t max);
#define RS_TIMELINE_ANY_TYPE UINT32_MAX
/* The same for one type, unsorted; at most max. */
size_t rs_timeline_tracks_of(const struct rs_timeline *tl, uint32_t type, struct rs_timeline_track *list,
			     size_t max);

struct rs_timeline_stats {
	uint64_t nr_emitted, nr_refused, nr_longer;
	uint64_t nr_late;               /* added after one of its track that ended later: costs more */
	uint64_t nr_evicted;            /* added, and dropped since */
	uint64_t nr_spans;              /* stored now */
	uint64_t nr_tracks, nr_tracks_expired;
	/* All spans that ended after this are stored, not only those held; 0: none was dropped. */
	uint64_t whole_after_ns;
	size_t size_bytes;
};
void rs_timeline_stats(const struct rs_timeline *tl, struct rs_timeline_stats *stats);

#endif
