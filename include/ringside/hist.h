/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist.h - a log-linear histogram of unsigned numbers (HDR style)
 *
 *	struct rs_hist h;
 *	rs_hist_init(&h);
 *	rs_hist_add(&h, lat_ns);
 *	rs_hist_quantile(&h, 990);   // nearest rank, per mille
 *	rs_hist_done(&h);
 *
 * Up to 64 values are kept as they are: most histograms never get more, and
 * cost 8 bytes a value. With the 65th they go to buckets, from then on each 64
 * at once: to add one is a store, and what the buckets miss in the cache they
 * miss together. There values below 128 are exact; above, each power of two is
 * cut into 64 equal buckets: a bucket
 * [a, a + w) has w <= a / 64, and what is reported for it is its middle, so the
 * error is at most w / 2 <= a / 128, under 0.8 %. nr, sum, min and max are exact.
 * Counters are allocated a power of two at a time, when first touched: a
 * histogram of one kind of latency costs about 2 KiB.
 */
#ifndef RINGSIDE_HIST_H
#define RINGSIDE_HIST_H

#include <stdbool.h>
#include <stdint.h>

#define RS_HIST_SUB_BITS 6
#define RS_HIST_SUB (1u << RS_HIST_SUB_BITS)     /* buckets in a power of two */
#define RS_HIST_FEW 64u                          /* values kept as they are */
#define RS_HIST_GROUPS (65 - RS_HIST_SUB_BITS)   /* 0..63, then each power of two from 64 to 2^63 */

struct rs_hist {
	uint64_t nr, sum, min, max;              /* min is UINT64_MAX while nr is 0 */
	/* of a time range, see rs_hist_add_part: what to add to nr, and to sum */
	int64_t begun_more, inside_more;
	/* values that are in no bucket yet, and how many; all, while group is NULL */
	uint64_t *few;
	uint32_t nr_few, room;
	uint32_t **group;                        /* RS_HIST_GROUPS of RS_HIST_SUB counters each, or NULL */
	/* no memory for it, or its counter full: in nr and sum, not in quantiles */
	uint64_t nr_dropped;
};

/*
 * Those that read may move what was added to its buckets: a histogram is one thread's, its readers included.
 */
void rs_hist_init(struct rs_hist *h);
void rs_hist_done(struct rs_hist *h);
void rs_hist_clear(struct rs_hist *h);       /* keeps the buckets */
void rs_hist_add(struct rs_hist *h, uint64_t value);
/*
 * rs_hist_add_part - a latency that lies inside a time range only in part: its whole value is one of the
 * distribution, its part inside adds to rs_hist_sum_inside; begun: it began there, and counts in
 * rs_hist_nr_begun.
 */
void rs_hist_add_part(struct rs_hist *h, uint64_t value, uint64_t inside, bool begun);
/* The same of one that is not over: it has no value yet. */
void rs_hist_add_in_flight(struct rs_hist *h, uint64_t inside, bool begun);
void rs_hist_merge(struct rs_hist *into, const struct rs_hist *from);

/*
 * How many began in the time range, and how much of their time lies inside; without a range how many there
 * are, and their sum.
 */
static inline uint64_t rs_hist_nr_begun(const struct rs_hist *h)
{
	return h->nr + (uint64_t)h->begun_more;
}

static inline uint64_t rs_hist_sum_inside(const struct rs_hist *h)
{
	uint64_t inside = h->sum + (uint64_t)h->inside_more;

	/* a hostile file's times: the sum is at its end, or gets there */
	return h->inside_more > 0 && inside < h->sum ? UINT64_MAX :
	       h->inside_more < 0 && inside > h->sum ? 0 :
						       inside;
}

/* Nothing was added, not even a part. */
static inline bool rs_hist_is_empty(const struct rs_hist *h)
{
	return !h->nr && !h->begun_more && !h->inside_more;
}

/* Nearest rank: the value below or at which per_mille / 1000 of the values lie; call only where nr > 0. */
uint64_t rs_hist_quantile(const struct rs_hist *h, unsigned int per_mille);

/*
 * rs_hist_log2 - calls row once for each power of two [from, to) from that of
 * min to that of max, empty ones between them too: the picture that people know.
 */
void rs_hist_log2(const struct rs_hist *h, void (*row)(void *arg, uint64_t from, uint64_t to, uint64_t nr),
		  void *arg);

/*
 * rs_hist_each - calls each for what was counted, in no order: a value, or the
 * middle of its bucket between min and max, and how many. For pictures in other units.
 */
void rs_hist_each(const struct rs_hist *h, void (*each)(void *arg, uint64_t value, uint64_t nr), void *arg);

#endif
