// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunk-tree.c - a track's full chunks in time order, as a treap
 *
 * Chunks are appended at the end and dropped at the beginning, so random priorities
 * balance the tree well enough. It is searched by end time; each node sums up
 * what is below it.
 */
#include "model/timeline-parts.h"

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

void rs_chunk_tree_remove(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at)
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
