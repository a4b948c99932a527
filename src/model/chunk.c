// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunk.c - which chunk is recycled next, and which tracks are dropped
 */
#include "model/timeline-parts.h"

/* Not base/heap.h: chunks and keys are two arrays of the timeline's memory, 12 bytes a chunk instead of 16. */
static void chunk_sift_down(struct rs_timeline *tl, uint32_t chunk, uint64_t key)
{
	uint32_t at = 0, child;

	for (; (child = 2 * at + 1) < tl->nr_heap; at = child) {
		if (child + 1 < tl->nr_heap && tl->keys[child + 1] < tl->keys[child])
			child++;
		if (key <= tl->keys[child])
			break;
		tl->heap[at] = tl->heap[child];
		tl->keys[at] = tl->keys[child];
	}
	tl->heap[at] = chunk;
	tl->keys[at] = key;
}

void rs_chunk_enter(struct rs_timeline *tl, uint32_t chunk)
{
	uint64_t key = tl->chunks[chunk].last_end_ns;
	uint32_t at = tl->nr_heap++, up;

	for (; at && key < tl->keys[up = (at - 1) / 2]; at = up) {
		tl->heap[at] = tl->heap[up];
		tl->keys[at] = tl->keys[up];
	}
	tl->heap[at] = chunk;
	tl->keys[at] = key;
}

/*
 * Brings the chunk whose last span ended first to the top. Each key that is corrected here
 * was outdated by a span added since, so the cost is amortized over spans.
 */
static uint32_t chunk_oldest(struct rs_timeline *tl)
{
	for (;;) {
		uint32_t chunk = tl->heap[0];
		uint64_t end_ns = tl->chunks[chunk].last_end_ns;

		if (tl->keys[0] == end_ns)
			return chunk;
		chunk_sift_down(tl, chunk, end_ns);
	}
}

void rs_chunk_empty_add(struct rs_timeline *tl, struct rs_track_body *t)
{
	uint32_t at = (uint32_t)(t - tl->tracks), last = tl->tracks[0].empty_before;

	t->empty_before = last;
	t->empty_after = 0;
	tl->tracks[last].empty_after = at;
	tl->tracks[0].empty_before = at;
}

void rs_chunk_empty_remove(struct rs_timeline *tl, struct rs_track_body *t)
{
	tl->tracks[t->empty_before].empty_after = t->empty_after;
	tl->tracks[t->empty_after].empty_before = t->empty_before;
}

void rs_chunk_evict_oldest(struct rs_timeline *tl)
{
	uint32_t chunk = chunk_oldest(tl);
	struct rs_chunk *c = &tl->chunks[chunk];
	struct rs_track_body *t = &tl->tracks[c->track];

	if (--tl->nr_heap)
		chunk_sift_down(tl, tl->heap[tl->nr_heap], tl->keys[tl->nr_heap]);
	if (t->tail == chunk)
		t->tail = 0;
	else
		rs_chunk_tree_remove(tl, t, chunk);
	if (rs_track_is_empty(t))
		rs_chunk_empty_add(tl, t);
	tl->stats.nr_evicted += c->nr;
	if (c->last_end_ns > tl->stats.whole_after_ns)
		tl->stats.whole_after_ns = c->last_end_ns;
	c->track = tl->free_chunks;
	tl->free_chunks = chunk;
}

void rs_chunk_expire(struct rs_timeline *tl, uint64_t now_ns)
{
	if (!tl->age_ns || now_ns < tl->age_ns)
		return;
	while (tl->nr_heap && tl->chunks[chunk_oldest(tl)].last_end_ns < now_ns - tl->age_ns)
		rs_chunk_evict_oldest(tl);
}

void rs_chunk_make_room(struct rs_timeline *tl)
{
	rs_chunk_expire(tl, tl->latest_end_ns);
	if (!tl->free_chunks && tl->nr_chunks_used == tl->nr_chunks)
		rs_chunk_evict_oldest(tl);
}

static uint16_t next_rank(struct rs_timeline *tl)
{
	tl->random ^= tl->random << 13;
	tl->random ^= tl->random >> 7;
	tl->random ^= tl->random << 17;
	return (uint16_t)(tl->random >> 48);
}

uint32_t rs_chunk_take(struct rs_timeline *tl, struct rs_track_body *t)
{
	uint32_t chunk = tl->free_chunks;
	struct rs_chunk *c;

	if (chunk)
		tl->free_chunks = tl->chunks[chunk].track;
	else
		chunk = tl->nr_chunks_used++;
	if (rs_track_is_empty(t))
		rs_chunk_empty_remove(tl, t);
	c = &tl->chunks[chunk];
	c->track = (uint32_t)(t - tl->tracks);
	c->rank = next_rank(tl);
	c->nr = 0;
	c->min_start_ns = UINT64_MAX;
	c->max_duration_ns = c->last_end_ns = 0;
	return chunk;
}
