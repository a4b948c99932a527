// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunk.c - a track's full chunks in time order; which chunk is recycled next, and which tracks are dropped
 */
#include "model/timeline-parts.h"

/*
 * ---- full chunks, as a treap ----
 *
 * Chunks are appended at the end and dropped at the beginning, so random priorities
 * balance the tree well enough. It is searched by end time; each node sums up
 * what is below it.
 */

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void sum_up(struct rs_timeline *tl, uint32_t at)
{
	struct rs_chunk *c = &tl->chunks[at];
	const struct rs_chunk *l = &tl->chunks[c->left], *r = &tl->chunks[c->right];

	c->below_min_start_ns = min(c->min_start_ns, min(l->below_min_start_ns, r->below_min_start_ns));
	c->below_max_duration_ns = max(c->max_duration_ns, max(l->below_max_duration_ns,
							       r->below_max_duration_ns));
	c->below_nr = c->nr + l->below_nr + r->below_nr;
}

void rs_chunk_tree_changed(struct rs_timeline *tl, uint32_t at)
{
	for (; at; at = tl->chunks[at].up)
		sum_up(tl, at);
}

/* Replaces `old` with `child`, which may be 0. */
static void replace(struct rs_timeline *tl, struct rs_track_body *t, uint32_t old, uint32_t child)
{
	uint32_t up = tl->chunks[old].up;

	if (!up)
		t->root = child;
	else if (tl->chunks[up].left == old)
		tl->chunks[up].left = child;
	else
		tl->chunks[up].right = child;
	if (child)
		tl->chunks[child].up = up;
}

/* `at` takes the place of its parent, which becomes its child. */
static void rotate_up(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at)
{
	struct rs_chunk *c = &tl->chunks[at];
	uint32_t up = c->up, moved;
	struct rs_chunk *p = &tl->chunks[up];

	replace(tl, t, up, at);
	if (p->left == at) {
		moved = p->left = c->right;
		c->right = up;
	} else {
		moved = p->right = c->left;
		c->left = up;
	}
	p->up = at;
	if (moved)
		tl->chunks[moved].up = up;
	sum_up(tl, up);
	sum_up(tl, at);
}

/* Inserts a leaf, rotates it up to where its rank belongs, and updates the nodes above. */
static void chunk_tree_sift_up(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at)
{
	struct rs_chunk *c = &tl->chunks[at];

	sum_up(tl, at);
	while (c->up && tl->chunks[c->up].rank < c->rank)
		rotate_up(tl, t, at);
	rs_chunk_tree_changed(tl, c->up);
}

void rs_chunk_tree_push(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at)
{
	struct rs_chunk *c = &tl->chunks[at];

	c->left = c->right = 0;
	c->up = t->last;
	if (t->last) /* the last of all has nothing on its right */
		tl->chunks[t->last].right = at;
	else
		t->root = at;
	t->last = at;
	chunk_tree_sift_up(tl, t, at);
}

void rs_chunk_tree_before(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at, uint32_t chunk)
{
	struct rs_chunk *c = &tl->chunks[chunk];

	c->left = c->right = 0;
	if (!tl->chunks[at].left) {
		tl->chunks[at].left = chunk;
	} else {
		at = tl->chunks[at].left;
		while (tl->chunks[at].right)
			at = tl->chunks[at].right;
		tl->chunks[at].right = chunk;
	}
	c->up = at;
	chunk_tree_sift_up(tl, t, chunk);
}

static uint32_t one_before(const struct rs_timeline *tl, uint32_t at)
{
	uint32_t up = tl->chunks[at].up;

	if (tl->chunks[at].left) {
		at = tl->chunks[at].left;
		while (tl->chunks[at].right)
			at = tl->chunks[at].right;
		return at;
	}
	while (up && tl->chunks[up].left == at) {
		at = up;
		up = tl->chunks[at].up;
	}
	return up;
}

static void chunk_tree_remove(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at)
{
	struct rs_chunk *c = &tl->chunks[at];

	if (t->last == at)
		t->last = one_before(tl, at);
	while (c->left && c->right)
		rotate_up(tl, t, tl->chunks[c->left].rank > tl->chunks[c->right].rank ? c->left : c->right);
	replace(tl, t, at, c->left | c->right); /* one of the two is 0 */
	rs_chunk_tree_changed(tl, c->up);
}

uint32_t rs_chunk_tree_after(const struct rs_timeline *tl, const struct rs_track_body *t, uint64_t end_ns)
{
	uint32_t found = 0;

	for (uint32_t at = t->root; at;) {
		if (tl->chunks[at].last_end_ns > end_ns) {
			found = at;
			at = tl->chunks[at].left;
		} else {
			at = tl->chunks[at].right;
		}
	}
	return found;
}

/* ---- all chunks, as a heap ---- */

/*
 * Not base/heap.h: chunks and keys are two arrays of the timeline's memory, 12 bytes a chunk instead of 16.
 */
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

static void chunk_leave_heap(struct rs_timeline *tl)
{
	if (--tl->nr_heap)
		chunk_sift_down(tl, tl->heap[tl->nr_heap], tl->keys[tl->nr_heap]);
}

static void chunk_evict(struct rs_timeline *tl, uint32_t chunk)
{
	struct rs_chunk *c = &tl->chunks[chunk];
	struct rs_track_body *t = &tl->tracks[c->track];

	if (t->tail == chunk)
		t->tail = 0;
	else
		chunk_tree_remove(tl, t, chunk);
	if (rs_track_is_empty(t))
		rs_chunk_empty_add(tl, t);
	tl->stats.nr_evicted += c->nr;
	c->track = tl->free_chunks;
	tl->free_chunks = chunk;
}

/* One of the heap's chunks must be left: it is dropped then. */
static bool chunk_is_held(const struct rs_timeline *tl, const struct rs_chunk *c)
{
	return c->last_end_ns >= tl->hold_from_ns && c->min_start_ns <= tl->hold_to_ns && tl->nr_heap > 1 &&
	       tl->nr_chunks >= 2;
}

/*
 * A time that is held begins earlier than what is looked at: beyond half of all chunks the first that came
 * goes, as the latest pages of a window stay (window-pins.h). Returns true if one was dropped.
 */
static bool chunk_keep_held(struct rs_timeline *tl, uint32_t chunk)
{
	bool full = tl->nr_held == tl->nr_chunks / 2;
	uint32_t *place = &tl->heap[tl->nr_chunks - 1 - (full ? tl->first_held : tl->nr_held)];

	if (full) {
		chunk_evict(tl, *place);
		tl->first_held = (tl->first_held + 1) % tl->nr_held;
	} else {
		tl->nr_held++;
	}
	*place = chunk;
	return full;
}

bool rs_chunk_pass_oldest(struct rs_timeline *tl)
{
	uint32_t chunk = chunk_oldest(tl);
	const struct rs_chunk *c = &tl->chunks[chunk];
	bool held = chunk_is_held(tl, c);

	if (c->last_end_ns > tl->stats.whole_after_ns)
		tl->stats.whole_after_ns = c->last_end_ns;
	chunk_leave_heap(tl);
	if (held)
		return chunk_keep_held(tl, chunk);
	chunk_evict(tl, chunk);
	return true;
}

void rs_chunk_hold(struct rs_timeline *tl, uint64_t from_ns, uint64_t to_ns)
{
	tl->hold_from_ns = from_ns;
	tl->hold_to_ns = to_ns;
	tl->first_held = 0;
	while (tl->nr_held)
		rs_chunk_enter(tl, tl->heap[tl->nr_chunks - tl->nr_held--]);
}

void rs_chunk_expire(struct rs_timeline *tl, uint64_t now_ns)
{
	if (!tl->age_ns || now_ns < tl->age_ns)
		return;
	while (tl->nr_heap && tl->chunks[chunk_oldest(tl)].last_end_ns < now_ns - tl->age_ns)
		rs_chunk_pass_oldest(tl);
}

/*
 * The chunks of a time that is held come to the heap's top one behind the other: once in a hold, passing them
 * takes a few milliseconds.
 */
void rs_chunk_make_room(struct rs_timeline *tl)
{
	rs_chunk_expire(tl, tl->latest_end_ns);
	while (!tl->free_chunks && tl->nr_chunks_used == tl->nr_chunks)
		rs_chunk_pass_oldest(tl);
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
