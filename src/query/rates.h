/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates.h - how many calls, requests, switches ... there are in a second: what the kinds of spans declare
 *
 * Kinds of the same word make one rate; events have a rate of their own. For the thread of the analysis.
 */
#ifndef RS_QUERY_RATES_H
#define RS_QUERY_RATES_H

#include "engine/timelines.h"

#define RS_MAX_RATES 32

struct rs_counted_rate {
	const char *name;
	uint64_t before, per_s;
};

struct rs_rates {
	uint64_t from_ns;         /* begin of the interval that is counted; 0: none yet */
	struct rs_counted_rate events, list[RS_MAX_RATES];
	unsigned int nr;
};

/* Ends the interval: the counts since the last call become the rates. */
void rs_rates_pass(struct rs_rates *r, const struct rs_timelines *t, uint64_t nr_events, uint64_t now_ns);

#endif
