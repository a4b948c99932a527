// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline.c - create one, find its tracks, add spans
 */
#include "model/timeline-parts.h"

#include <stdlib.h>
#include <string.h>

#include "ringside/event.h"
#include "base/memory-large.h"

_Static_assert(sizeof(struct rs_packed_span) == 24, "a span takes 24 bytes");
_Static_assert(sizeof(struct rs_chunk) == RS_CHUNK_BYTES, "a chunk's spans fill it");

#define TRACK_BITS 22
#define TRACK_MASK ((1u << TRACK_BITS) - 1)
#define CHUNKS_PER_TRACK 4 /* a track with spans takes at least one chunk */

/* Offsets of the parts in the one allocation; returns the total. */
struct layout {
	size_t keys, tracks, hash, heap, total;
	uint32_t nr_tracks, nr_hash;
};

static struct layout timeline_layout(size_t nr_chunks)
{
	size_t nr_tracks = nr_chunks / CHUNKS_PER_TRACK + 16;
	struct layout l = { .nr_hash = 16 };

	l.nr_tracks = nr_tracks > TRACK_MASK ? TRACK_MASK : (uint32_t)nr_tracks;
	while (l.nr_hash < l.nr_tracks)
		l.nr_hash *= 2;
	l.keys = nr_chunks * sizeof(struct rs_chunk);
	l.tracks = l.keys + nr_chunks * sizeof(uint64_t);
	l.hash = l.tracks + l.nr_tracks * sizeof(struct rs_track_body);
	l.heap = l.hash + l.nr_hash * sizeof(uint32_t);
	l.total = l.heap + nr_chunks * sizeof(uint32_t);
	return l;
}

/* The memory is page aligned, and so are chunks in it. */
static void divide(struct rs_timeline *tl, const struct layout *l, uint32_t nr_chunks)
{
	char *map = tl->map;

	tl->chunks = (struct rs_chunk *)map;
	tl->keys = (uint64_t *)(map + l->keys);
	tl->tracks = (struct rs_track_body *)(map + l->tracks);
	tl->hash = (uint32_t *)(map + l->hash);
	tl->heap = (uint32_t *)(map + l->heap);
	tl->nr_chunks = nr_chunks;
	tl->nr_tracks = l->nr_tracks;
	tl->nr_hash = l->nr_hash;
	tl->nr_chunks_used = tl->nr_tracks_used = 1;
	tl->chunks[0].nr = RS_CHUNK_SPANS;
	tl->chunks[0].min_start_ns = tl->chunks[0].below_min_start_ns = UINT64_MAX;
	tl->stats.size_bytes = l->total;
}

struct rs_timeline *rs_timeline_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err)
{
	struct rs_timeline *tl;
	struct layout l;
	size_t nr_chunks = size_bytes / sizeof(struct rs_chunk);

	if (size_bytes < RS_TIMELINE_MIN_BYTES) {
		rs_fail_usage(err, "a window of %zu bytes is too small (%u is the least)", size_bytes,
			      RS_TIMELINE_MIN_BYTES);
		return NULL;
	}
	if (nr_chunks > UINT32_MAX)
		nr_chunks = UINT32_MAX;
	while ((l = timeline_layout(nr_chunks)).total > size_bytes)
		nr_chunks -= (l.total - size_bytes) / (2 * sizeof(struct rs_chunk)) + 1;
	tl = calloc(1, sizeof *tl);
	if (!tl || !(tl->map = rs_memory_take(l.total, "a window", err))) {
		if (!tl)
			rs_fail(err, "cannot keep a window: out of memory");
		free(tl);
		return NULL;
	}
	divide(tl, &l, (uint32_t)nr_chunks);
	tl->age_ns = age_ns;
	tl->hold_from_ns = UINT64_MAX;
	tl->random = 0x9e3779b97f4a7c15u;
	return tl;
}

void rs_timeline_free(struct rs_timeline *tl)
{
	if (!tl)
		return;
	rs_memory_give(tl->map, tl->stats.size_bytes);
	free(tl);
}

static uint32_t *hash_slot(const struct rs_timeline *tl, uint32_t type, uint64_t id)
{
	return &tl->hash[rs_hash_u64(id ^ (uint64_t)type << 40) & (tl->nr_hash - 1)];
}

static uint32_t timeline_find(const struct rs_timeline *tl, uint32_t type, uint64_t id)
{
	uint32_t at = *hash_slot(tl, type, id);

	while (at && (tl->tracks[at].id != id || tl->tracks[at].type != type))
		at = tl->tracks[at].same_hash;
	return at;
}

uint32_t rs_timeline_find(const struct rs_timeline *tl, uint32_t type, uint64_t id)
{
	return tl->tracks[timeline_find(tl, type, id)].number;
}

/* Drops the track that has been without spans longest. */
static uint32_t drop_track(struct rs_timeline *tl)
{
	struct rs_track_body *t;
	uint32_t at, *link;

	while (!tl->tracks[0].empty_after)
		rs_chunk_pass_oldest(tl);
	at = tl->tracks[0].empty_after;
	t = &tl->tracks[at];
	rs_chunk_empty_remove(tl, t);
	link = hash_slot(tl, t->type, t->id);
	while (*link != at)
		link = &tl->tracks[*link].same_hash;
	*link = t->same_hash;
	tl->stats.nr_tracks_expired++;
	return at;
}

static uint32_t new_track(struct rs_timeline *tl, uint32_t type, uint64_t id)
{
	uint32_t at = tl->nr_tracks_used < tl->nr_tracks ? tl->nr_tracks_used++ : drop_track(tl), *slot;
	struct rs_track_body *t = &tl->tracks[at];
	uint32_t inst = (t->number >> TRACK_BITS) + 1;

	slot = hash_slot(tl, type, id);
	*t = (struct rs_track_body){ .id = id, .type = type, .same_hash = *slot,
				     .number = inst << TRACK_BITS | at };
	*slot = at;
	rs_chunk_empty_add(tl, t);
	return t->number;
}

uint32_t rs_timeline_track(struct rs_timeline *tl, uint32_t type, uint64_t id)
{
	uint32_t at = timeline_find(tl, type, id);

	return at ? tl->tracks[at].number : new_track(tl, type, id);
}

struct rs_track_body *rs_timeline_track_of(const struct rs_timeline *tl, uint32_t number)
{
	uint32_t at = number & TRACK_MASK;

	return at && at < tl->nr_tracks_used && tl->tracks[at].number == number ? &tl->tracks[at] : NULL;
}

unsigned int rs_timeline_chunk_lower(const struct rs_chunk *c, uint64_t end_ns)
{
	unsigned int from = 0, to = c->nr;

	while (from < to) {
		unsigned int mid = (from + to) / 2;

		if (c->spans[mid].end_ns < end_ns)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void note(struct rs_chunk *c, const struct rs_packed_span *s)
{
	uint64_t duration_ns = rs_packed_duration_ns(s), start_ns = s->end_ns - duration_ns;

	if (start_ns < c->min_start_ns)
		c->min_start_ns = start_ns;
	if (duration_ns > c->max_duration_ns)
		c->max_duration_ns = duration_ns;
}

static void timeline_append(struct rs_chunk *c, const struct rs_packed_span *s)
{
	c->spans[c->nr++] = *s;
	c->last_end_ns = s->end_ns;
	note(c, s);
}

static void timeline_insert(struct rs_timeline *tl, struct rs_chunk *c, const struct rs_packed_span *s)
{
	/* spans end before UINT64_MAX, so + 1 cannot overflow */
	unsigned int at = rs_timeline_chunk_lower(c, s->end_ns + 1);

	tl->stats.nr_late++;
	memmove(&c->spans[at + 1], &c->spans[at], (c->nr - at) * sizeof *s);
	c->spans[at] = *s;
	c->nr++;
	note(c, s);
}

/* Moves the lower half to a new chunk, so that this one's last end and its key stay valid. */
static uint32_t split(struct rs_timeline *tl, struct rs_track_body *t, uint32_t full)
{
	uint32_t lower = rs_chunk_take(tl, t);
	struct rs_chunk *a = &tl->chunks[lower], *b = &tl->chunks[full];
	unsigned int half = b->nr / 2, rest = b->nr - half;

	for (unsigned int i = 0; i < half; i++)
		timeline_append(a, &b->spans[i]);
	memmove(b->spans, &b->spans[half], rest * sizeof b->spans[0]);
	b->nr = (uint16_t)rest;
	b->min_start_ns = UINT64_MAX;
	b->max_duration_ns = 0;
	for (unsigned int i = 0; i < rest; i++)
		note(b, &b->spans[i]);
	rs_chunk_enter(tl, lower);
	rs_chunk_tree_changed(tl, full);
	rs_chunk_tree_before(tl, t, full, lower);
	return lower;
}

/* Inserts into the treap: a later end is already there. */
static void emit_late(struct rs_timeline *tl, struct rs_track_body *t, const struct rs_packed_span *s)
{
	uint32_t at = rs_chunk_tree_after(tl, t, s->end_ns), lower;

	if (tl->chunks[at].nr == RS_CHUNK_SPANS) {
		lower = split(tl, t, at);
		if (s->end_ns < tl->chunks[lower].last_end_ns)
			at = lower;
	}
	timeline_insert(tl, &tl->chunks[at], s);
	rs_chunk_tree_changed(tl, at);
}

/* Everything in the treap ends at end_ns or before. */
static bool after_full_ones(const struct rs_timeline *tl, const struct rs_track_body *t, uint64_t end_ns)
{
	return !t->last || end_ns >= tl->chunks[t->last].last_end_ns;
}

/*
 * This may take a chunk. Make one free first and look at the track after that: any chunk may have been
 * dropped.
 */
static void emit_with_room(struct rs_timeline *tl, struct rs_track_body *t, const struct rs_packed_span *s)
{
	if (s->end_ns > tl->latest_end_ns)
		tl->latest_end_ns = s->end_ns;
	rs_chunk_make_room(tl);
	if (t->tail && tl->chunks[t->tail].nr == RS_CHUNK_SPANS) {
		rs_chunk_tree_push(tl, t, t->tail);
		t->tail = 0;
	}
	if (!after_full_ones(tl, t, s->end_ns)) {
		emit_late(tl, t, s);
	} else if (t->tail) { /* the chunk that it was late for has been dropped */
		timeline_insert(tl, &tl->chunks[t->tail], s);
	} else {
		t->tail = rs_chunk_take(tl, t);
		timeline_append(&tl->chunks[t->tail], s);
		rs_chunk_enter(tl, t->tail);
	}
}

bool rs_timeline_add_span(struct rs_timeline *tl, uint32_t track, const struct rs_timeline_span *span)
{
	struct rs_track_body *t = rs_timeline_track_of(tl, track);
	uint64_t duration_ns = span->end_ns - span->start_ns;
	struct rs_packed_span s = { .end_ns = span->end_ns, .arg = span->arg };
	struct rs_chunk *tail;

	if (!t || span->end_ns < span->start_ns || span->end_ns == UINT64_MAX) {
		tl->stats.nr_refused++;
		return false;
	}
	if (duration_ns >= RS_TIMELINE_MAX_DURATION_NS) {
		duration_ns = RS_TIMELINE_MAX_DURATION_NS;
		tl->stats.nr_longer++;
	}
	s.length_kind = duration_ns << 16 | span->kind;
	tail = &tl->chunks[t->tail];
	if (tail->nr < RS_CHUNK_SPANS && s.end_ns >= tail->last_end_ns)
		timeline_append(tail, &s);
	else if (tail->nr < RS_CHUNK_SPANS && after_full_ones(tl, t, s.end_ns))
		timeline_insert(tl, tail, &s);
	else
		emit_with_room(tl, t, &s);
	tl->stats.nr_emitted++;
	return true;
}

void rs_timeline_stats(const struct rs_timeline *tl, struct rs_timeline_stats *stats)
{
	*stats = tl->stats;
	stats->nr_spans = stats->nr_emitted - stats->nr_evicted;
	stats->nr_tracks = tl->nr_tracks_used - 1;
}
