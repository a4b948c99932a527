/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline-parts.h - a timeline's internals, for model/timeline*.c and model/chunk*.c only
 *
 * A track's full chunks are the nodes of a treap, in the order of their spans'
 * ends; each node knows the earliest start, the greatest length and the number
 * of spans below it, so that a search skips what cannot match. The chunk that is being filled,
 * the tail, is not in it: adding a span touches only the tail. All chunks are in
 * one heap by their last end. Its keys may be too early, since a tail's last end
 * grows with each span: a key is put right when it comes to the top.
 *
 * Chunk 0 and track 0 mean none. Chunk 0 is full and has no spans, so neither the
 * treap nor rs_timeline_add_span needs to test for a missing chunk.
 */
#ifndef RS_MODEL_TIMELINE_PARTS_H
#define RS_MODEL_TIMELINE_PARTS_H

#include "model/timeline.h"

#define RS_CHUNK_BYTES 1024
#define RS_CHUNK_SPANS 40

struct rs_packed_span {
	uint64_t end_ns, arg;
	uint64_t length_kind; /* length << 16 | kind */
};

struct rs_chunk {
	uint64_t last_end_ns;
	uint64_t min_start_ns, max_duration_ns;             /* of its own spans */
	uint64_t below_min_start_ns, below_max_duration_ns; /* and of its children's */
	uint32_t up, left, right;
	uint32_t track;                                   /* its index; of a free chunk the next free one */
	uint32_t below_nr;                                /* spans, its own and its children's */
	uint16_t rank;                                    /* random; at least that of both children */
	uint16_t nr;
	struct rs_packed_span spans[RS_CHUNK_SPANS];
} __attribute__((aligned(RS_CHUNK_BYTES)));

struct rs_track_body {
	uint64_t id;
	uint32_t type;
	uint32_t number;       /* its index, and in the high bits its generation; 0: never used */
	uint32_t tail;         /* 0: none */
	uint32_t root, last;   /* of the treap; last is the one with the latest ends */
	uint32_t same_hash;
	/* links of the list of tracks without spans; itself if not in it */
	uint32_t empty_before, empty_after;
};

struct rs_timeline {
	struct rs_chunk *chunks;
	struct rs_track_body *tracks;
	uint32_t *hash;        /* heads of chains of tracks */
	/* of chunks in use; from its last place down, those that rs_chunk_hold keeps from being dropped */
	uint32_t *heap;
	uint64_t *keys;        /* by place in the heap; at most that chunk's last end */
	uint32_t nr_chunks, nr_tracks; /* all chunks, 0 included */
	uint32_t nr_hash;      /* a power of two */
	uint32_t nr_heap, nr_held, nr_chunks_used, nr_tracks_used;
	uint32_t first_held;   /* from the heap's last place: the next to go if half of all are held */
	uint64_t hold_from_ns, hold_to_ns;
	uint32_t free_chunks;  /* a list; chunks from nr_chunks_used on were never used */
	uint64_t age_ns, latest_end_ns;
	uint64_t random;
	void *map;
	struct rs_timeline_stats stats;
};

static inline uint64_t rs_packed_duration_ns(const struct rs_packed_span *s)
{
	return s->length_kind >> 16;
}

static inline bool rs_track_is_empty(const struct rs_track_body *t)
{
	return !t->tail && !t->root;
}

struct rs_track_body *rs_timeline_track_of(const struct rs_timeline *tl, uint32_t number); /* NULL: dropped */

/* Index of the first of nr spans that ends at end_ns or later; nr if none does. */
unsigned int rs_timeline_chunk_lower(const struct rs_chunk *c, uint64_t end_ns);

/* chunk.c */
/* after all others */
void rs_chunk_tree_push(struct rs_timeline *tl, struct rs_track_body *t, uint32_t chunk);
void rs_chunk_tree_before(struct rs_timeline *tl, struct rs_track_body *t, uint32_t at, uint32_t chunk);
void rs_chunk_tree_changed(struct rs_timeline *tl, uint32_t chunk); /* its spans have */
/* The first chunk with a span that ends after end_ns, 0 none. */
uint32_t rs_chunk_tree_after(const struct rs_timeline *tl, const struct rs_track_body *t, uint64_t end_ns);

void rs_chunk_make_room(struct rs_timeline *tl); /* makes one free, by dropping the oldest if need be */
uint32_t rs_chunk_take(struct rs_timeline *tl, struct rs_track_body *t);
/* adds it to the heap, with its first spans in it */
void rs_chunk_enter(struct rs_timeline *tl, uint32_t chunk);
bool rs_chunk_pass_oldest(struct rs_timeline *tl); /* false: it is held, and none was dropped */
void rs_chunk_empty_add(struct rs_timeline *tl, struct rs_track_body *t);
void rs_chunk_empty_remove(struct rs_timeline *tl, struct rs_track_body *t);

#endif
