/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h - computes the size of the kernel's buffers from the lost events
 *
 * Events are lost for two reasons. Either the readers are too slow for the buffer size: a larger buffer helps. Or the
 * analyzer is too slow, the page ring is full, and the readers stop: a larger buffer only delays the loss, and only
 * fewer events help.
 */
#ifndef RS_SERVICE_GROWTH_H
#define RS_SERVICE_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

struct rs_growth {
	unsigned int kib, begun_kib; /* of a CPU, now and at the start; 0: unknown, they do not grow */
	unsigned int most_kib;       /* limit */
	uint64_t nr_lost, nr_full;   /* at the last call */
	bool behind;                 /* the analyzer caused the last loss */
};

/* most_bytes: limit for all CPUs together; 0: they keep their size. */
void rs_growth_init(struct rs_growth *g, unsigned int kib, unsigned int nr_cpus, uint64_t most_bytes);

/*
 * Call about once a second. nr_lost: events lost so far; nr_full: how often a reader found the page ring full so far.
 * Returns the new buffer size in KiB for each CPU; 0: no change. The caller sets g->kib if the kernel had the memory.
 */
unsigned int rs_growth_next(struct rs_growth *g, uint64_t nr_lost, uint64_t nr_full);

#endif
