/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h - how large the kernel's buffers have to be for what happens on this machine
 *
 * Events are lost for one of two reasons. The readers come too late for the size of a buffer: a larger one holds what
 * comes meanwhile. Or the analysis does not keep up, the page ring is full, and the readers stop: a larger buffer only
 * puts off the same loss, and fewer events are what helps.
 */
#ifndef RS_SERVICE_GROWTH_H
#define RS_SERVICE_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

struct rs_growth {
	unsigned int kib, begun_kib; /* of a CPU, now and at the start; 0: not known, they do not grow */
	unsigned int most_kib;       /* they do not grow beyond */
	uint64_t nr_lost, nr_full;   /* as of the last call */
	bool behind;                 /* the last loss was the analysis' */
};

/* most_bytes: of all CPUs together; 0: they keep their size. */
void rs_growth_init(struct rs_growth *g, unsigned int kib, unsigned int nr_cpus, uint64_t most_bytes);

/*
 * About once a second: nr_lost events so far, and how often a reader found the page ring full so far. The size that
 * the buffers should have now, in KiB a CPU; 0: as it is. The caller sets g->kib where it could be had.
 */
unsigned int rs_growth_next(struct rs_growth *g, uint64_t nr_lost, uint64_t nr_full);

#endif
