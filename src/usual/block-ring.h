/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-ring.h - the blocks of ten minutes that were learned from, and with which another one compares
 *
 * Of a week of them the oldest goes when a new one comes: what was usual is forgotten after a week that was
 * seen. They stand in the order in which they came, and a clock that jumps drops none. Of a block on another
 * day those compare whose time of day is within an hour; while fewer than RS_BLOCK_RING_DAYS days are known,
 * all.
 */
#ifndef RS_USUAL_BLOCK_RING_H
#define RS_USUAL_BLOCK_RING_H

#include <stdbool.h>
#include <stdint.h>

#define RS_BLOCK_RING_SECONDS 600u
#define RS_BLOCK_RING_DAY 144u        /* of a day */
#define RS_BLOCK_RING_MOST 1008u      /* of a week */
#define RS_BLOCK_RING_HOUR 6u
#define RS_BLOCK_RING_DAYS 2u         /* earlier ones that have such a block */
#define RS_BLOCK_RING_LEAST 12u       /* that compare: two hours; with fewer nothing is concluded */

struct rs_block_ring {
	uint32_t nr, next;            /* how many; the place of the next one */
	uint32_t numbers[RS_BLOCK_RING_MOST]; /* ten minutes since 1970 */
};

/* Adds one; returns its place, where that of the oldest may have been. */
unsigned int rs_block_ring_add(struct rs_block_ring *b, uint32_t number);

/* Which compare: bits by place. by_day: by the time of day; false: it is not known yet, these are all. */
struct rs_block_ring_like {
	bool by_day;
	bool is_like[RS_BLOCK_RING_MOST];
};
void rs_block_ring_compare(const struct rs_block_ring *b, uint32_t number, struct rs_block_ring_like *like);

#endif
