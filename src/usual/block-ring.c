// SPDX-License-Identifier: GPL-2.0-or-later
/* block-ring - the blocks of ten minutes that were learned from, and with which another one compares */
#include "usual/block-ring.h"

#include <string.h>

unsigned int rs_block_ring_add(struct rs_block_ring *b, uint32_t number)
{
	unsigned int place = b->next;

	b->numbers[place] = number;
	b->next = (place + 1) % RS_BLOCK_RING_MOST;
	if (b->nr < RS_BLOCK_RING_MOST)
		b->nr++;
	return place;
}

static bool block_ring_is_near(uint32_t a, uint32_t b)
{
	uint32_t day = RS_BLOCK_RING_DAY, apart = (a % day + day - b % day) % day;

	return apart <= RS_BLOCK_RING_HOUR || apart >= RS_BLOCK_RING_DAY - RS_BLOCK_RING_HOUR;
}

/* Of the days before this one that have a block at this time of day, how many there are, up to two. */
static unsigned int block_ring_nr_days(const struct rs_block_ring *b, uint32_t number)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 0; i < b->nr; i++) {
		uint32_t apart = number > b->numbers[i] ? number - b->numbers[i] : b->numbers[i] - number,
			 days = (apart + RS_BLOCK_RING_DAY / 2) / RS_BLOCK_RING_DAY;

		if (!days || !block_ring_is_near(number, b->numbers[i]))
			continue;
		if (first != UINT32_MAX && days != first)
			return 2;
		first = days;
	}
	return first != UINT32_MAX;
}

void rs_block_ring_compare(const struct rs_block_ring *b, uint32_t number, struct rs_block_ring_like *like)
{
	memset(like, 0, sizeof *like);
	like->by_day = block_ring_nr_days(b, number) >= RS_BLOCK_RING_DAYS;
	for (uint32_t i = 0; i < b->nr; i++)
		like->is_like[i] = !like->by_day || block_ring_is_near(number, b->numbers[i]);
}
