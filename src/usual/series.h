/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.h - what is learned of one thing: the fsync calls of postgres, the writes of a disk
 *
 * A series has the last five intervals, and of each block of ten minutes the extremes of what five seconds
 * had: numbers on a logarithmic scale. Its size is fixed.
 */
#ifndef RS_USUAL_SERIES_H
#define RS_USUAL_SERIES_H

#include <stddef.h>

#include "base/map.h"
#include "usual/block-ring.h"
#include "usual/short-dist.h"

#define RS_SERIES_KEY 96u
#define RS_SERIES_INTERVALS 5u   /* of a second: what is judged together */
#define RS_SERIES_HELD 8u        /* windows that are learned later, if nothing is unusual until then */
#define RS_SERIES_BITS 6u        /* of the scale of what blocks have: within 1 % */
#define RS_SERIES_STEPS ((64u - RS_SERIES_BITS + 1) << RS_SERIES_BITS) /* the highest that blocks have */

/* What a block has of the windows in it. */
enum rs_series_measure {
	RS_SERIES_P99,           /* the highest 99th percentile, ns */
	RS_SERIES_P50,           /* the highest median, ns */
	RS_SERIES_RATE_HIGH,     /* the highest rate, in thousandths a second */
	RS_SERIES_RATE_LOW,      /* the lowest */
	RS_SERIES_SHARE,         /* the highest time for each second of the clock, in millionths */
	RS_SERIES_NR_MEASURES,
};

/* What can be unusual in a series. */
enum rs_series_kind {
	RS_SERIES_SLOW,          /* its longest latencies are longer than they were */
	RS_SERIES_MEDIAN,        /* half of all its latencies are */
	RS_SERIES_LESS,          /* it comes more rarely */
	RS_SERIES_MORE,          /* it takes more time */
	RS_SERIES_NR_KINDS,
};

/* The values of one window; not known: those of a quantile of nothing. */
struct rs_series_window {
	uint64_t value[RS_SERIES_NR_MEASURES];
	bool known[RS_SERIES_NR_MEASURES];
};

/* Of the blocks that compare: how many are known, the lowest and the highest of their extremes. */
struct rs_series_usual {
	unsigned int nr;
	bool by_day;
	uint64_t low, high;
};

struct rs_series_unusual {
	uint64_t since_ns, last_ns;  /* since when; when it was seen last; since 0: it is not */
	uint64_t value, load_milli;  /* the last window's; its rate / the highest usual one */
	uint64_t cost_ppm;           /* the highest so far */
};

struct rs_series {
	struct rs_map_node node;     /* private */
	unsigned int source;         /* of usual/usual-sources.h */
	char key[RS_SERIES_KEY];     /* the texts of its keys, a NUL behind each */
	size_t key_bytes;
	uint64_t cost_ns;            /* its time; half of it is forgotten in each hour */
	unsigned int nr_known;       /* intervals since the series began, up to RS_SERIES_INTERVALS */
	bool can_be_slow, can_be_less, can_be_more;
	struct rs_short_dist intervals[RS_SERIES_INTERVALS];
	struct rs_series_window held[RS_SERIES_HELD];
	unsigned int nr_held;
	uint64_t block[RS_SERIES_NR_MEASURES]; /* of the block that is being filled */
	bool block_known[RS_SERIES_NR_MEASURES];
	struct rs_series_usual usual[RS_SERIES_NR_MEASURES];
	struct rs_series_unusual unusual[RS_SERIES_NR_KINDS];
	/* by place of the block: 0 unknown, else 1 + the step of the scale */
	uint16_t blocks[RS_BLOCK_RING_MOST][RS_SERIES_NR_MEASURES];
};

/* Takes a window into the block; later, where it may be part of what turns out to be unusual. */
void rs_series_hold(struct rs_series *s, const struct rs_series_window *window);
/* What is held of these measures is never learned. */
void rs_series_drop_held(struct rs_series *s, unsigned int measures);
/* The block ends: it gets a place, which another one may have had. */
void rs_series_end_block(struct rs_series *s, unsigned int place);
void rs_series_find_usual(struct rs_series *s, const struct rs_block_ring *b,
			  const struct rs_block_ring_like *like);

/* The n-th text of its key; "" beyond the last. */
const char *rs_series_key(const struct rs_series *s, unsigned int n);

#endif
