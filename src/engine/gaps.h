/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gaps.h - does a pair overlap a gap? In O(1), without a list of gaps.
 *
 * Gaps become known when they begin, in the order of time, and a pair is judged
 * when it ends. Of all gaps that began before the pair's end only the latest end
 * matters. Gaps that begin at the very time of a pair's end do not overlap it:
 * they are kept apart until time has moved on.
 */
#ifndef RS_ENGINE_GAPS_H
#define RS_ENGINE_GAPS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_gaps {
	uint64_t settled_to_ns;          /* latest end of the gaps that began before fresh_from_ns */
	uint64_t fresh_from_ns, fresh_to_ns; /* those that began last */
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

/* Until when the last of the gaps that are known lasts. */
static inline uint64_t rs_gaps_to_ns(const struct rs_gaps *g)
{
	return g->fresh_to_ns > g->settled_to_ns ? g->fresh_to_ns : g->settled_to_ns;
}

/* [from_ns, to_ns] against every gap (open interval) that is known; to_ns is now. */
static inline bool rs_gaps_hit(const struct rs_gaps *g, uint64_t from_ns, uint64_t to_ns)
{
	return from_ns < g->settled_to_ns || (from_ns < g->fresh_to_ns && to_ns > g->fresh_from_ns);
}

#endif
