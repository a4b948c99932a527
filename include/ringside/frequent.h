/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frequent.h - who has most of something, in a few places
 *
 *	struct rs_frequent places[8] = { { 0 } };
 *	rs_frequent_add(places, 8, 0, pid, 0, ns);
 *
 * Who has more than one in nr of all that is added keeps a place, whoever comes; its sum is at most what it
 * had, and by no more than one in nr of all below it (Misra and Gries).
 */
#ifndef RINGSIDE_FREQUENT_H
#define RINGSIDE_FREQUENT_H

#include <stddef.h>
#include <stdint.h>

struct rs_frequent {
	uint64_t key0, key1;
	uint64_t sum;              /* 0: the place is free */
	uint64_t nr;               /* additions since it has the place */
};

/*
 * Adds to the sum of these keys. The search begins at places[first % nr], where they are likely to be.
 * Returns their place, where .nr is 1 if they just took it; NULL: all places are taken by those that have
 * more, of which one loses as much.
 */
static inline struct rs_frequent *rs_frequent_add(struct rs_frequent *places, unsigned int nr,
						  unsigned int first, uint64_t key0, uint64_t key1,
						  uint64_t sum)
{
	struct rs_frequent *p, *least = &places[first % nr];

	for (unsigned int i = first % nr, n = 0; n < nr; n++, i = i + 1 < nr ? i + 1 : 0) {
		p = &places[i];
		if (p->sum && p->key0 == key0 && p->key1 == key1) {
			p->sum += sum;
			p->nr++;
			return p;
		}
		least = p->sum < least->sum ? p : least;
	}
	if (least->sum > sum) {
		least->sum -= sum;
		return NULL;
	}
	*least = (struct rs_frequent){ key0, key1, sum, 1 };
	return least;
}

#endif
