/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window-parts.h - a window's body, shared by the files source/window*.c alone
 *
 * A place is a number that only grows; modulo the ring's size it is where a record
 * lies. What is before `first` has been written over. The records of a CPU are a
 * skip list in the order of time: new ones come at its end, and one that goes is
 * the first at each of its levels. Place 0 stands for none.
 */
#ifndef RS_SOURCE_WINDOW_PARTS_H
#define RS_SOURCE_WINDOW_PARTS_H

#include <pthread.h>

#include "source/window.h"

#define RS_WINDOW_LEVELS 8 /* each has a quarter of the one below: enough for 4^8 pages a CPU */

struct rs_window_record {
	uint64_t begin_ns;     /* the page's time, never before the one before it of this CPU */
	uint64_t empty_at_ns;
	uint64_t nr;           /* of this CPU, from 1 */
	uint32_t cpu, len_bytes;
	uint32_t all_bytes;    /* with this head, the levels and padding */
	uint32_t nr_levels;
	uint64_t next[];       /* nr_levels of them, and then the page */
};

struct rs_window_cpu {
	uint64_t head[RS_WINDOW_LEVELS], tail[RS_WINDOW_LEVELS];
	uint64_t nr, last_begin_ns;
};

struct rs_window {
	/*
	 * One thread adds, and holds this while it does; another one holds it for the copy of one page. What the
	 * adding thread only reads it reads without: nobody else writes.
	 */
	pthread_mutex_t lock;
	uint8_t *ring;
	struct rs_window_cpu *cpus;
	unsigned int nr_cpus;
	size_t page_bytes;
	bool big_endian;
	uint64_t first, end;         /* places: of the oldest record, of the next one */
	uint64_t skip_from, skip_to; /* between these nothing lies: the ring's end was too near */
	uint64_t age_ns, latest_ns;
	struct rs_window_stats stats;
};

static inline struct rs_window_record *rs_window_at(const struct rs_window *w, uint64_t place)
{
	return (struct rs_window_record *)(void *)(w->ring + place % w->stats.size_bytes);
}

static inline const uint8_t *rs_window_bytes(const struct rs_window_record *r)
{
	return (const uint8_t *)&r->next[r->nr_levels];
}

/* The last record of a CPU that begins at at_ns or before; 0: none does. */
uint64_t rs_window_find(const struct rs_window *w, unsigned int cpu, uint64_t at_ns);

#endif
