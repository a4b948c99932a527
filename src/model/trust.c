// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/trust.h"

uint64_t rs_trust_lost(const struct rs_trust *t)
{
	uint64_t sum = 0;

	for (unsigned int cpu = 0; t->lost_by_cpu && cpu < t->nr_cpus; cpu++)
		if (__builtin_add_overflow(sum, t->lost_by_cpu[cpu], &sum))
			return UINT64_MAX; /* the counts are the file's word: they may be anything */
	return sum;
}
