/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usual.h - learns what is usual for a machine, and says what is not
 *
 *	struct rs_usual *u = rs_usual_new(&err);
 *
 *	rs_usual_begin_interval(u);                          // each second
 *	dist = rs_usual_get(u, &(struct rs_usual_key){ source, key, key_bytes, ... });
 *	rs_short_dist_add(dist, lat_ns, 1) ...
 *	rs_usual_end_interval(u, &(struct rs_usual_interval){ from_ns, to_ns, wall_s });
 *	nr = rs_usual_list(u, items, RS_USUAL_MOST);          // what is unusual, the costliest first
 *
 * Five intervals are judged together, each second, against the extremes of blocks of ten minutes that are
 * comparable (block-ring.h). Unusual is what is beyond all of them by a factor, costs enough, and is seen in
 * two of the five intervals. It is not learned in its first hour. Intervals with lost events are neither
 * judged nor learned. The memory is bounded: RS_USUAL_SERIES of a fixed size, those with most time.
 */
#ifndef RS_USUAL_USUAL_H
#define RS_USUAL_USUAL_H

#include "base/buf.h"
#include "base/error.h"
#include "usual/series.h"

#define RS_USUAL_SERIES 512u
#define RS_USUAL_RECENT 32u
#define RS_USUAL_MOST 64u        /* that are told at once */

struct rs_usual;

struct rs_usual_key {
	unsigned int source;
	const char *key;
	size_t key_bytes;
	uint64_t cost_ns;
	bool can_be_slow, can_be_less, can_be_more;
};

struct rs_usual_interval {
	uint64_t from_ns, to_ns;     /* in the trace clock */
	int64_t wall_s;              /* its end, since 1970 */
	bool has_lost;               /* events */
};

/* What is unusual, or was. */
struct rs_usual_item {
	enum rs_series_kind kind;
	unsigned int source;
	char key[RS_SERIES_KEY];
	size_t key_bytes;
	uint64_t value, low, high;   /* in the unit of its measure: see series.h */
	uint64_t times_milli;        /* value / high, of what is less low / value; 0: the value is 0 */
	uint64_t cost_ppm;           /* time that is beyond the usual, for each second, in millionths */
	uint64_t load_milli;         /* the rate / the highest usual rate, if it is more; 0: it is not */
	unsigned int nr_blocks;      /* that are comparable */
	bool by_day;                 /* by the time of day */
	bool has_ended;
	uint64_t since_ns, last_ns;
};

struct rs_usual_stats {
	uint64_t learned_s;          /* the blocks of all: ten minutes each */
	uint64_t nr_series, nr_lost; /* intervals that were not judged */
	uint64_t nr_turned_away;     /* series that had no room in the last whole block, at least */
	uint64_t nr_begun;           /* how often something began to be unusual */
	bool by_day;                 /* what has a time of day is compared by it */
};

struct rs_usual *rs_usual_new(struct rs_error *err);
void rs_usual_free(struct rs_usual *u);
/* All that was learned. */
void rs_usual_forget(struct rs_usual *u);

void rs_usual_begin_interval(struct rs_usual *u);
/* Where the latencies of this key in this interval are added; NULL: there is no room for it. */
struct rs_short_dist *rs_usual_get(struct rs_usual *u, const struct rs_usual_key *key);
/* In this interval it is not known what a source has: an event of its view is off. */
void rs_usual_skip(struct rs_usual *u, unsigned int source);
/* Returns true if a block ended: its state is worth keeping. */
bool rs_usual_end_interval(struct rs_usual *u, const struct rs_usual_interval *interval);

/* What is unusual now, the costliest first; what ended, the last of it first. Returns how many. */
size_t rs_usual_list(const struct rs_usual *u, struct rs_usual_item *items, size_t most);
size_t rs_usual_list_ended(const struct rs_usual *u, struct rs_usual_item *items, size_t most);
void rs_usual_stats(const struct rs_usual *u, struct rs_usual_stats *stats);

/* "slow", "median", "less", "more" */
const char *rs_usual_kind_word(enum rs_series_kind kind);
/* Adds "p99 of fsync by postgres is 9.1 times its usual: 90.0ms, usually 8.00ms to 9.90ms at this hour" */
void rs_usual_put_sentence(struct rs_buf *to, const struct rs_usual_item *item);

#endif
