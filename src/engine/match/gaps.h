/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gaps.h - tells whether a pair overlaps a gap, in O(1), without a list of gaps
 *
 * A gap is reported when it begins, in time order, and a pair is checked when it ends. Of all gaps that began
 * before the pair's end only the latest end matters. A gap that begins at the same time as a pair ends does
 * not overlap it: such gaps are stored apart until time has advanced.
 */
#ifndef RS_ENGINE_MATCH_GAPS_H
#define RS_ENGINE_MATCH_GAPS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_gaps {
	uint64_t settled_to_ns;          /* latest end of the gaps that began before fresh_from_ns */
	uint64_t fresh_from_ns, fresh_to_ns; /* the gaps that began last */
};

static inline void rs_gaps_add(struct rs_gaps *g, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns > g->fresh_from_ns) {
		if (g->fresh_to_ns > g->settled_to_ns)
			g->settled_to_ns = g->fresh_to_ns;
		g->fresh_from_ns = from_ns;
		g->fresh_to_ns = to_ns;
	} else if (to_ns > g->fresh_to_ns) {
		g->fresh_to_ns = to_ns;
	}
}

/* The end of the last known gap. */
static inline uint64_t rs_gaps_to_ns(const struct rs_gaps *g)
{
	return g->fresh_to_ns > g->settled_to_ns ? g->fresh_to_ns : g->settled_to_ns;
}

/* Does [from_ns, to_ns] overlap a known gap (an open interval)? to_ns is now. */
static inline bool rs_gaps_hit(const struct rs_gaps *g, uint64_t from_ns, uint64_t to_ns)
{
	return from_ns < g->settled_to_ns || (from_ns < g->fresh_to_ns && to_ns > g->fresh_from_ns);
}

#endif
