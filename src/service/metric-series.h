/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric-series.h - sums of latencies by a label, in a bounded number of series
 *
 *	rs_metric_series_add(&set, label, &sum);  // of an interval, once
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

#include "model/latency-sum.h"
#include "ringside/store.h"

#define RS_METRIC_SERIES 10u
#define RS_METRIC_LABEL 96
#define RS_METRIC_WAITING 16u

struct rs_metric_hist {
	uint64_t nr[RS_LATENCY_BOUNDS], nr_all; /* what is longer than the last bound is in none */
	uint64_t sum_ns;
};

struct rs_metric_series {
	uint64_t key;                /* hash of the label */
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

void rs_metric_series_count(struct rs_metric_hist *hist, const struct rs_latency_sum *sum);
/* Of RS_LATENCY_OTHERS: adds to the rest. */
void rs_metric_series_add(struct rs_metric_set *set, const char *label, const struct rs_latency_sum *sum);
void rs_metric_series_age(struct rs_metric_set *set);

#endif
