/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric-series.h - latencies by a label, in a bounded number of series
 *
 *	rs_metric_series_add(&set, key, len_ns, make_label, arg);
 *	rs_metric_series_age(&set);               // once a minute
 *
 * A label has its own series while it is one of the RS_METRIC_SERIES with most time; all others add to one
 * series, the rest. A counter never decreases while its series lives: who gets a series begins at 0 there,
 * and what it added to the rest stays there; a series that another takes ends.
 */
#ifndef RS_SERVICE_METRIC_SERIES_H
#define RS_SERVICE_METRIC_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "ringside/store.h"

#define RS_METRIC_SERIES 10u
#define RS_METRIC_BUCKETS 13u        /* up to 1 us, 4 us, ... 16.8 s; what is longer is in none */
#define RS_METRIC_LABEL 96
#define RS_METRIC_WAITING 16u

struct rs_metric_hist {
	uint64_t nr[RS_METRIC_BUCKETS], nr_all;
	uint64_t sum_ns;
};

struct rs_metric_series {
	uint64_t key;
	char label[RS_METRIC_LABEL];
	struct rs_metric_hist hist;
	uint64_t recent_ns;          /* its time, older minutes count less */
};

struct rs_metric_set {
	unsigned int nr;
	struct rs_metric_series at[RS_METRIC_SERIES];
	struct rs_metric_hist rest;
	struct rs_frequent waiting[RS_METRIC_WAITING]; /* of the rest: who may have a series next */
};

/* Upper bound of a bucket, included. */
static inline uint64_t rs_metric_bound_ns(unsigned int bucket)
{
	return UINT64_C(1000) << 2 * bucket;
}

void rs_metric_series_count(struct rs_metric_hist *hist, uint64_t len_ns);
/* label is called for a key that gets a series. */
void rs_metric_series_add(struct rs_metric_set *set, uint64_t key, uint64_t len_ns,
			  void (*label)(void *arg, char text[RS_METRIC_LABEL]), void *arg);
void rs_metric_series_age(struct rs_metric_set *set);

#endif
