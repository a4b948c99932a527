/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates.h - how many calls, requests, switches ... there are in a second: what the kinds of spans declare
 *
 * Kinds of the same word make one rate. Of the thread of the analysis.
 */
#ifndef RS_QUERY_RATES_H
#define RS_QUERY_RATES_H

#include "engine/timelines.h"

#define RS_MAX_RATES 32

struct rs_rates {
	uint64_t from_ns;         /* since when they are counted; 0: not yet */
	unsigned int nr;
	struct {
		const char *name;
		uint64_t before, per_s;
	} list[RS_MAX_RATES];
};

/* Counts up to now; what was counted since the last time becomes the rate. */
void rs_rates_pass(struct rs_rates *r, const struct rs_timelines *t, uint64_t now_ns);

#endif
