// SPDX-License-Identifier: GPL-2.0-or-later
/* short-dist - a distribution of latencies in few bytes */
#include "usual/short-dist.h"

#include "usual/log-scale.h"

void rs_short_dist_add(struct rs_short_dist *d, uint64_t value, uint64_t nr)
{
	unsigned int step = rs_log_scale_step(value, RS_SHORT_DIST_BITS);
	uint32_t *at = &d->steps[step < RS_SHORT_DIST_STEPS ? step : RS_SHORT_DIST_STEPS - 1];

	*at = nr < UINT32_MAX - *at ? *at + (uint32_t)nr : UINT32_MAX;
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
	for (unsigned int i = 0; i < RS_SHORT_DIST_STEPS; i++)
		into->steps[i] = from->steps[i] < UINT32_MAX - into->steps[i] ?
					 into->steps[i] + from->steps[i] :
					 UINT32_MAX;
}

uint64_t rs_short_dist_quantile(const struct rs_short_dist *d, unsigned int per_mille)
{
	uint64_t rank = (d->nr_ended * per_mille + 999) / 1000, seen = 0;

	for (unsigned int i = 0; d->nr_ended && i < RS_SHORT_DIST_STEPS; i++) {
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
	for (unsigned int i = RS_SHORT_DIST_STEPS; i--;) {
		uint64_t middle = rs_log_scale_middle(i, RS_SHORT_DIST_BITS);

		if (middle <= value)
			break;
		nr += d->steps[i];
		*beyond += d->steps[i] * (middle - value);
	}
	return nr;
}
