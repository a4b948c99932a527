// SPDX-License-Identifier: GPL-2.0-or-later
/* period - whether what happens again and again does so at regular times */
#include "base/period.h"

#include <stdlib.h>

#define PERIOD_TOLERANCE 10          /* a tenth of the median */

static int period_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t rs_period_find(const uint64_t *times_ns, size_t nr)
{
	uint64_t intervals[RS_PERIOD_TIMES], median;
	size_t nr_alike = 0;

	if (nr > RS_PERIOD_TIMES)
		nr = RS_PERIOD_TIMES;
	if (nr < RS_PERIOD_LEAST_TIMES)
		return 0;
	nr--;
	for (size_t i = 0; i < nr; i++)
		intervals[i] = times_ns[i + 1] - times_ns[i];
	qsort(intervals, nr, sizeof *intervals, period_compare);
	median = intervals[(nr - 1) / 2];
	for (size_t i = 0; i < nr; i++) {
		uint64_t off = intervals[i] > median ? intervals[i] - median : median - intervals[i];

		nr_alike += off <= median / PERIOD_TOLERANCE;
	}
	return nr_alike * 4 >= nr * 3 ? median : 0;
}
