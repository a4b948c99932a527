/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short-dist.h - a distribution of latencies in few bytes: eight steps for each power of two, up to 2^37 ns
 *
 * Its quantiles are within a sixteenth of the true ones. Addition is plain: no memory, and nothing fails.
 */
#ifndef RS_USUAL_SHORT_DIST_H
#define RS_USUAL_SHORT_DIST_H

#include <stdbool.h>
#include <stdint.h>

#define RS_SHORT_DIST_BITS 3u
#define RS_SHORT_DIST_STEPS 288u

struct rs_short_dist {
	uint64_t nr, sum;            /* how many, and their time inside of the interval */
	uint64_t nr_ended;           /* of these in the steps below */
	uint32_t first, end;         /* these are used, from first on; none where nr_ended is 0 */
	uint32_t steps[RS_SHORT_DIST_STEPS];
};

static inline void rs_short_dist_clear(struct rs_short_dist *d)
{
	d->nr = d->sum = d->nr_ended = 0;
	for (uint32_t i = d->first; i < d->end; i++)
		d->steps[i] = 0;
	d->first = d->end = 0;
}

void rs_short_dist_add(struct rs_short_dist *d, uint64_t value, uint64_t nr);
void rs_short_dist_merge(struct rs_short_dist *into, const struct rs_short_dist *from);
/* Nearest rank, per mille; 0 where none ended. */
uint64_t rs_short_dist_quantile(const struct rs_short_dist *d, unsigned int per_mille);
/* How many are above the value; *beyond: by how much, all together. */
uint64_t rs_short_dist_above(const struct rs_short_dist *d, uint64_t value, uint64_t *beyond);

#endif
