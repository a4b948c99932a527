// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/growth.h"

void rs_growth_init(struct rs_growth *g, unsigned int kib, unsigned int nr_cpus, uint64_t most_bytes)
{
	uint64_t most_kib = nr_cpus ? most_bytes / 1024 / nr_cpus : 0;

	*g = (struct rs_growth){ .kib = kib, .begun_kib = kib };
	g->most_kib = most_kib < kib ? kib : most_kib < UINT32_MAX ? (unsigned int)most_kib : UINT32_MAX;
}

/* Doubles the size each time: smaller steps would lose events at each step. */
unsigned int rs_growth_next(struct rs_growth *g, uint64_t nr_lost, uint64_t nr_full)
{
	bool lost = nr_lost > g->nr_lost, full = nr_full > g->nr_full;

	g->nr_lost = nr_lost;
	g->nr_full = nr_full;
	if (!lost)
		return 0;
	g->behind = full;
	if (full || !g->kib || g->kib >= g->most_kib)
		return 0;
	return g->kib <= g->most_kib / 2 ? g->kib * 2 : g->most_kib;
}
