/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window-parts.h - a window's body, for source/window.c and its test
 *
 * A place is a number that only grows; modulo the ring's size it is a record's offset in the ring. Records
 * before `first` have been overwritten. The records of a CPU are a skip list in the order of time: a new one
 * is appended, and the one that is evicted is the first of each of its levels. Place 0: no record.
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
	 * Held by the thread that adds while it writes, by others for the copy of one page. The former reads
	 * without it.
	 */
	pthread_mutex_t lock;
	uint8_t *ring;
	struct rs_window_cpu *cpus;
	unsigned int nr_cpus;
	size_t page_bytes;
	bool big_endian;
	uint64_t first, end;         /* places: of the oldest record, of the next one */
	uint64_t skip_from, skip_to; /* unused: the record did not fit before the ring's end */
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

/* Returns the place of the CPU's last record that begins at at_ns or before; 0: no such record. */
uint64_t rs_window_find(const struct rs_window *w, unsigned int cpu, uint64_t at_ns);

#endif
