// SPDX-License-Identifier: GPL-2.0-or-later
#include "query/rates.h"

#include <string.h>

#define RATES_SECOND_NS 1000000000u

static int rates_find_rate(struct rs_rates *r, const char *name)
{
	for (unsigned int i = 0; i < r->nr; i++)
		if (!strcmp(r->list[i].name, name))
			return (int)i;
	if (r->nr == RS_MAX_RATES)
		return -1;
	r->list[r->nr].name = name;
	return (int)r->nr++;
}

/* The sum, by rate, of what its kinds have counted. */
static void rates_count(struct rs_rates *r, const struct rs_timelines *t, uint64_t sums[RS_MAX_RATES])
{
	const struct rs_span_kind *kind;

	for (unsigned int i = 0; (kind = rs_timelines_kind_number(t, i)); i++) {
		int at = kind->rate ? rates_find_rate(r, kind->rate) : -1;

		if (at >= 0)
			sums[at] += rs_timelines_nr_counted(t, i);
	}
}

/* ns 0: there is no interval before. */
static void rates_end_interval(struct rs_counted_rate *rate, uint64_t sum, uint64_t ns)
{
	if (ns)
		rate->per_s = (uint64_t)((unsigned __int128)(sum - rate->before) * RATES_SECOND_NS / ns);
	rate->before = sum;
}

void rs_rates_pass(struct rs_rates *r, const struct rs_timelines *t, uint64_t nr_events, uint64_t now_ns)
{
	uint64_t sums[RS_MAX_RATES] = { 0 }, ns = r->from_ns ? now_ns - r->from_ns : 0;

	rates_count(r, t, sums);
	rates_end_interval(&r->events, nr_events, ns);
	for (unsigned int i = 0; i < r->nr; i++)
		rates_end_interval(&r->list[i], sums[i], ns);
	r->from_ns = now_ns;
}
