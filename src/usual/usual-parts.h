/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usual-parts.h - what the files of usual.h share */
#ifndef RS_USUAL_USUAL_PARTS_H
#define RS_USUAL_USUAL_PARTS_H

#include "ringside/store.h"
#include "usual/usual.h"

#define RS_USUAL_WAITING 64u

struct rs_usual {
	struct rs_map map;
	struct rs_series *series[RS_USUAL_SERIES];
	size_t nr_series;
	struct rs_block_ring blocks;
	struct rs_block_ring_like like; /* which compare with the block that is being filled */
	uint32_t block;                 /* its number; 0: none yet */
	unsigned int slot, nr_intervals; /* of the interval; how many in a row had no loss */
	uint64_t lens_ns[RS_SERIES_INTERVALS];
	uint32_t skipped;               /* sources, by bits, in this interval */
	struct rs_frequent waiting[RS_USUAL_WAITING]; /* who may have a place next */
	struct rs_series *least;        /* of this interval, the one with the least time; NULL: not known */
	uint64_t nr_away, nr_turned_away, nr_lost, nr_begun;
	struct rs_usual_item recent[RS_USUAL_RECENT];
	uint64_t nr_recent;
};

/* usual-judge.c: judges and learns the window that ends with this interval. */
void rs_usual_judge(struct rs_usual *u, struct rs_series *s, const struct rs_usual_interval *interval);
/* What is unusual of a kind in a series, as an item. */
void rs_usual_fill_item(const struct rs_usual *u, const struct rs_series *s, enum rs_series_kind kind,
			struct rs_usual_item *item);
/* A new series, with a place; NULL: no memory, or it has all of its places. */
struct rs_series *rs_usual_add_series(struct rs_usual *u, unsigned int source, const char *key,
				      size_t key_bytes);
/* After blocks have changed: what is usual at that number of a block. */
void rs_usual_compare(struct rs_usual *u, uint32_t block);

#endif
