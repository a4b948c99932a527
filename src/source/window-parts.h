/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window-parts.h - a window's body, for source/window.c and its test
 *
 * A place is a number that only grows; modulo the ring's size it is a record's offset in the ring. Records
 * before `first` have been overwritten, but for those of pins (window-pins.h), which stay where they are: new
 * records go around them. The records of a CPU are a skip list in the order of time: a new one is appended,
 * and the one that is evicted is the first behind the pinned ones, which .held ends at each level. Place 0:
 * no record.
 */
#ifndef RS_SOURCE_WINDOW_PARTS_H
#define RS_SOURCE_WINDOW_PARTS_H

#include <pthread.h>

#include "source/window-pins.h"

#define RS_WINDOW_LEVELS 8 /* each has a quarter of the one below: enough for 4^8 pages a CPU */

#define RS_WINDOW_ALIGN_BYTES 8
#define RS_WINDOW_MAX_PINS 96      /* more than a server has clients */
#define RS_WINDOW_FILLER 0xffffffu

/*
 * How `first` gets from one record to the next. Between two of them, at the ring's end and where a pin is in
 * the way, is a filler: this alone. It may overwrite that of a pin's first record: `first` has passed it.
 */
struct rs_window_walk {
	uint64_t cpu : 24;     /* RS_WINDOW_FILLER */
	uint64_t words : 40;   /* RS_WINDOW_ALIGN_BYTES each: all up to the next one */
};

struct rs_window_record {
	struct rs_window_walk walk; /* not to be read once `first` has passed it */
	uint64_t begin_ns;     /* the page's time, never before the one before it of this CPU */
	uint64_t empty_at_ns;
	uint64_t nr;           /* of this CPU, from 1 */
	uint32_t len_bytes;
	uint32_t nr_levels;
	uint64_t next[];       /* nr_levels of them, and then the page */
};

struct rs_window_cpu {
	uint64_t head[RS_WINDOW_LEVELS], tail[RS_WINDOW_LEVELS];
	uint64_t held[RS_WINDOW_LEVELS]; /* the last one before `first`; 0: no pinned one has been passed */
	uint64_t nr, last_begin_ns;
};

struct rs_window_pinned {
	uint32_t client, uid;
	uint64_t from_place, to_place; /* to_place is exclusive */
	uint64_t from_ns, to_ns;       /* all events of that time, ends included, are in these pages */
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
	uint64_t age_ns, latest_ns;
	struct rs_window_pinned pins[RS_WINDOW_MAX_PINS];
	unsigned int nr_pins;
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

/* With the levels and padding. */
static inline size_t rs_window_record_bytes(unsigned int nr_levels, size_t len_bytes)
{
	size_t bytes = sizeof(struct rs_window_record) + nr_levels * sizeof(uint64_t) + len_bytes;

	return (bytes + RS_WINDOW_ALIGN_BYTES - 1) & ~(size_t)(RS_WINDOW_ALIGN_BYTES - 1);
}

/* Returns the place of the CPU's last record that begins at at_ns or before; 0: no such record. */
uint64_t rs_window_find(const struct rs_window *w, unsigned int cpu, uint64_t at_ns);

/* ---- window-pins.c, for window.c: with the lock held ---- */

bool rs_window_pins_hold(const struct rs_window *w, uint64_t place);
/* Returns true if one pin has all of that time, ends included. */
bool rs_window_pins_cover(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns);
/* Returns the first place from `place` on where so many bytes are in no pin's way. */
uint64_t rs_window_pins_skip(const struct rs_window *w, uint64_t place, size_t bytes);

#endif
