/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency-sum.h - latencies of one kind, summed: what a row of engine/store/latency-sums.h has
 *
 * Two formatters divide latencies by different bounds, and counters must be exact in both: by powers of two
 * of 1 ns, and by powers of four of 1 us. Of the latter each lies within one of the former.
 */
#ifndef RS_MODEL_LATENCY_SUM_H
#define RS_MODEL_LATENCY_SUM_H

#include <stdint.h>

#define RS_LATENCY_BUCKETS 64u       /* n: 2^n ns to less than 2^(n+1); 0 ns is in the first */
#define RS_LATENCY_BOUNDS 13u        /* 1 us, 4 us, ... 16.8 s */
#define RS_LATENCY_BOUND_BUCKET 9u   /* 1 us lies in that bucket, and 4 us in the second behind it */
#define RS_LATENCY_OTHERS "(others)" /* the name of what has none because there was no room */

/* The columns of a row: texts. NULL: it has no such thing; of a command "": it is not known. */
enum rs_latency_column {
	RS_LATENCY_KIND,             /* "syscall", "wait" */
	RS_LATENCY_OPERATION,        /* "read", "disk" */
	RS_LATENCY_COMMAND,
	RS_LATENCY_CGROUP,
	RS_LATENCY_DISK,
	RS_NR_LATENCY_COLUMNS,
};

struct rs_latency_sum {
	uint64_t nr, sum_ns;
	uint64_t buckets[RS_LATENCY_BUCKETS];
	uint64_t above[RS_LATENCY_BOUNDS]; /* of those in the bucket of a bound: that are longer */
	uint64_t max_ns;
};

static inline uint64_t rs_latency_bound_ns(unsigned int bound)
{
	return UINT64_C(1000) << 2 * bound;
}

static inline void rs_latency_sum_add(struct rs_latency_sum *s, uint64_t len_ns)
{
	unsigned int bucket = 63 - (unsigned int)__builtin_clzll(len_ns | 1);
	unsigned int bound = (bucket - RS_LATENCY_BOUND_BUCKET) / 2; /* large below the first */

	s->nr++;
	if (__builtin_add_overflow(s->sum_ns, len_ns, &s->sum_ns))
		s->sum_ns = UINT64_MAX; /* a hostile file's times */
	s->max_ns = len_ns > s->max_ns ? len_ns : s->max_ns;
	s->buckets[bucket]++;
	if (bucket % 2 && bound < RS_LATENCY_BOUNDS)
		s->above[bound] += len_ns > rs_latency_bound_ns(bound);
}

/* How many are longer than the bound before this one, and not longer than this one. */
static inline uint64_t rs_latency_sum_within(const struct rs_latency_sum *s, unsigned int bound)
{
	unsigned int last = RS_LATENCY_BOUND_BUCKET + 2 * bound;
	uint64_t nr = s->buckets[last] - s->above[bound];

	for (unsigned int i = bound ? last - 1 : 0; i < last; i++)
		nr += s->buckets[i];
	return bound ? nr + s->above[bound - 1] : nr;
}

#endif
