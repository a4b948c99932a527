// SPDX-License-Identifier: GPL-2.0-or-later
/* short-dist - a distribution of latencies in few bytes */
#include "usual/short-dist.h"

#include "usual/log-scale.h"

static void short_dist_use(struct rs_short_dist *d, uint32_t first, uint32_t end)
{
	d->first = d->end && d->first < first ? d->first : first;
	d->end = d->end > end ? d->end : end;
}

static void short_dist_count(uint32_t *step, uint64_t nr)
{
	*step = nr < UINT32_MAX - *step ? *step + (uint32_t)nr : UINT32_MAX;
}

void rs_short_dist_add(struct rs_short_dist *d, uint64_t value, uint64_t nr)
{
	unsigned int step = rs_log_scale_step(value, RS_SHORT_DIST_BITS);

	step = step < RS_SHORT_DIST_STEPS ? step : RS_SHORT_DIST_STEPS - 1;
	short_dist_use(d, step, step + 1);
	short_dist_count(&d->steps[step], nr);
	d->nr_ended += nr;
}

void rs_short_dist_merge(struct rs_short_dist *into, const struct rs_short_dist *from)
{
	into->nr += from->nr;
	if (__builtin_add_overflow(into->sum, from->sum, &into->sum))
		into->sum = UINT64_MAX; /* a hostile file's times */
	if (!from->nr_ended)
		return;
	into->nr_ended += from->nr_ended;
	short_dist_use(into, from->first, from->end);
	for (uint32_t i = from->first; i < from->end; i++)
		short_dist_count(&into->steps[i], from->steps[i]);
}

uint64_t rs_short_dist_quantile(const struct rs_short_dist *d, unsigned int per_mille)
{
	uint64_t rank = (d->nr_ended * per_mille + 999) / 1000, seen = 0;

	for (uint32_t i = d->first; i < d->end; i++) {
		seen += d->steps[i];
		if (d->steps[i] && seen >= rank)
			return rs_log_scale_middle(i, RS_SHORT_DIST_BITS);
	}
	return 0;
}

uint64_t rs_short_dist_above(const struct rs_short_dist *d, uint64_t value, uint64_t *beyond)
{
	uint64_t nr = 0;

	*beyond = 0;
	for (uint32_t i = d->end; i-- > d->first;) {
		uint64_t middle = rs_log_scale_middle(i, RS_SHORT_DIST_BITS);

		if (middle <= value)
			break;
		nr += d->steps[i];
		*beyond += d->steps[i] * (middle - value);
	}
	return nr;
}
