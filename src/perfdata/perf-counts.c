// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-counts - the counts in samples of a group: perf record -e '{cycles,instructions}:S' */
#include "perfdata/perf-counts.h"

#include <linux/perf_event.h>

/* On machines with several kinds of cores the upper half of config says which. */
static unsigned int perf_counts_counter(const struct rs_perf_event *e)
{
	static const struct { uint64_t config; enum rs_counter counter; } counters[] = {
		{ PERF_COUNT_HW_CPU_CYCLES, RS_COUNTER_CYCLES },
		{ PERF_COUNT_HW_INSTRUCTIONS, RS_COUNTER_INSTRUCTIONS },
		{ PERF_COUNT_HW_CACHE_MISSES, RS_COUNTER_CACHE_MISSES },
	};

	for (size_t i = 0; e->type == PERF_TYPE_HARDWARE && i < sizeof counters / sizeof *counters; i++)
		if ((uint32_t)e->config == counters[i].config)
			return counters[i].counter;
	return RS_COUNTER_OTHER;
}

static bool perf_counts_has_group(const struct rs_perf_event *e)
{
	const uint64_t needed = PERF_FORMAT_GROUP | PERF_FORMAT_ID;

	return e->info.sample_type & PERF_SAMPLE_READ && (e->info.read_format & needed) == needed;
}

void rs_perf_counts_init(struct rs_perf_counts *c, const struct rs_perf_header *h,
			 const struct rs_perf_event *of)
{
	unsigned int seen;

	*c = (struct rs_perf_counts){ .nr = 0 };
	if (!of || !perf_counts_has_group(of) || perf_counts_counter(of) == RS_COUNTER_OTHER)
		return;
	c->counters[c->nr++] = (uint8_t)perf_counts_counter(of);
	seen = 1u << c->counters[0] | 1u << RS_COUNTER_OTHER;
	for (const struct rs_perf_event *e = h->events; e < h->events + h->nr_events; e++) {
		unsigned int counter = perf_counts_counter(e);

		if (!(seen & 1u << counter) && e->info.read_format & PERF_FORMAT_GROUP)
			c->counters[c->nr++] = (uint8_t)counter;
		seen |= 1u << counter;
	}
}

static unsigned int perf_counts_find(struct rs_perf_header *h, const struct rs_sample_counts *all,
				     unsigned int counter)
{
	unsigned int i = 0;

	for (; i < all->nr; i++) {
		const struct rs_perf_event *e = rs_perf_header_event_of_id(h, all->row[i].id);

		if (e && perf_counts_counter(e) == counter)
			break;
	}
	return i;
}

/*
 * The times are equal where the sample has none: a group that had to leave the PMU then counts less, but all
 * of it alike.
 */
void rs_perf_counts_read(const struct rs_perf_counts *c, struct rs_perf_header *h,
			 const struct rs_perf_event *e, const struct rs_sample_event *ev,
			 struct rs_sample_counts *counts)
{
	struct rs_sample_counts all;

	*counts = (struct rs_sample_counts){ .nr = 0 };
	if (!c->nr || !perf_counts_has_group(e) || !rs_sample_record_counts(&e->info, ev, &all))
		return;
	counts->enabled_ns = all.enabled_ns;
	counts->running_ns = all.running_ns;
	for (unsigned int i = 0; i < c->nr; i++) {
		unsigned int at = perf_counts_find(h, &all, c->counters[i]);

		if (at == all.nr)
			return;
		counts->row[i].value = all.row[at].value;
		counts->row[i].id = all.row[0].id; /* of the group, by its leader */
	}
	counts->nr = c->nr;
}
