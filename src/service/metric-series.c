// SPDX-License-Identifier: GPL-2.0-or-later
/* metric-series - sums of latencies by a label, in a bounded number of series */
#include "service/metric-series.h"

#include <stdio.h>
#include <string.h>

#include "ringside/event.h"

#define METRIC_SERIES_MORE \
	2u /* who takes a series has that many times its time: else two would take it from each other */

void rs_metric_series_count(struct rs_metric_hist *hist, const struct rs_latency_sum *sum)
{
	for (unsigned int i = 0; i < RS_LATENCY_BOUNDS; i++)
		hist->nr[i] += rs_latency_sum_within(sum, i);
	hist->nr_all += sum->nr;
	hist->sum_ns += sum->sum_ns;
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

void rs_metric_series_add(struct rs_metric_set *set, const char *label, const struct rs_latency_sum *sum)
{
	bool is_named = strcmp(label, RS_LATENCY_OTHERS) != 0;
	uint64_t key = rs_hash_bytes(label, strnlen(label, RS_METRIC_LABEL - 1)); /* as it is stored */
	struct rs_metric_series *s = is_named ? metric_series_find(set, key) : NULL;

	if (!s && is_named) {
		s = metric_series_admit(set, key, sum->sum_ns);
		if (s) {
			memset(s, 0, sizeof *s);
			s->key = key;
			snprintf(s->label, sizeof s->label, "%s", label);
		}
	}
	rs_metric_series_count(s ? &s->hist : &set->rest, sum);
	if (s)
		s->recent_ns += sum->sum_ns;
}

void rs_metric_series_age(struct rs_metric_set *set)
{
	for (unsigned int i = 0; i < set->nr; i++)
		set->at[i].recent_ns /= 2;
	for (unsigned int i = 0; i < RS_METRIC_WAITING; i++)
		set->waiting[i].sum /= 2;
}
