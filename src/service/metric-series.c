// SPDX-License-Identifier: GPL-2.0-or-later
/* metric-series - latencies by a label, in a bounded number of series */
#include "service/metric-series.h"

#include <string.h>

#define METRIC_SERIES_MORE \
	2u /* who takes a series has that many times its time: else two would take it from each other */

/* The first bucket whose bound, 1 us << 2 * n, is not less. */
static unsigned int metric_bucket(uint64_t len_ns)
{
	uint64_t us = len_ns / 1000 + (len_ns % 1000 != 0);

	return us <= 1 ? 0 : (unsigned int)(64 - __builtin_clzll(us - 1) + 1) / 2;
}

void rs_metric_series_count(struct rs_metric_hist *hist, uint64_t len_ns)
{
	unsigned int bucket = metric_bucket(len_ns);

	if (bucket < RS_METRIC_BUCKETS)
		hist->nr[bucket]++;
	hist->nr_all++;
	hist->sum_ns += len_ns;
}

static struct rs_metric_series *metric_series_find(struct rs_metric_set *set, uint64_t key)
{
	for (unsigned int i = 0; i < set->nr; i++)
		if (set->at[i].key == key)
			return &set->at[i];
	return NULL;
}

static struct rs_metric_series *metric_series_least(struct rs_metric_set *set)
{
	struct rs_metric_series *least = &set->at[0];

	for (unsigned int i = 1; i < set->nr; i++)
		if (set->at[i].recent_ns < least->recent_ns)
			least = &set->at[i];
	return least;
}

/* Returns where its series may begin; NULL: it is one of the rest. */
static struct rs_metric_series *metric_series_admit(struct rs_metric_set *set, uint64_t key, uint64_t len_ns)
{
	struct rs_metric_series *least;
	struct rs_frequent *place;

	if (set->nr < RS_METRIC_SERIES)
		return &set->at[set->nr++];
	place = rs_frequent_add(set->waiting, RS_METRIC_WAITING, (unsigned int)(key % RS_METRIC_WAITING), key,
				0, len_ns);
	least = metric_series_least(set);
	if (!place || place->sum / METRIC_SERIES_MORE <= least->recent_ns)
		return NULL;
	place->sum = 0;
	return least;
}

void rs_metric_series_add(struct rs_metric_set *set, uint64_t key, uint64_t len_ns,
			  void (*label)(void *arg, char text[RS_METRIC_LABEL]), void *arg)
{
	struct rs_metric_series *s = metric_series_find(set, key);

	if (!s) {
		s = metric_series_admit(set, key, len_ns);
		if (!s) {
			rs_metric_series_count(&set->rest, len_ns);
			return;
		}
		memset(s, 0, sizeof *s);
		s->key = key;
		label(arg, s->label);
	}
	rs_metric_series_count(&s->hist, len_ns);
	s->recent_ns += len_ns;
}

void rs_metric_series_age(struct rs_metric_set *set)
{
	for (unsigned int i = 0; i < set->nr; i++)
		set->at[i].recent_ns /= 2;
	for (unsigned int i = 0; i < RS_METRIC_WAITING; i++)
		set->waiting[i].sum /= 2;
}
