/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - how sure a share of samples is
 */
#ifndef RINGSIDE_SHARE_H
#define RINGSIDE_SHARE_H

#include <math.h>
#include <stdint.h>

/*
 * Returns a bound, 0 to 1, of the 95 % confidence interval of a share of samples, after Wilson: right for few
 * samples, too. sign: -1 the lower, 1 the upper.
 */
static inline double rs_share_of_bound(double share, uint64_t of, int sign)
{
	double z = 1.96, n = (double)of;

	return (share + z * z / (2 * n) + sign * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))) /
	       (1 + z * z / n);
}
static inline double rs_share_bound(uint64_t nr, uint64_t of, int sign)
{
	return rs_share_of_bound((double)nr / (double)of, of, sign);
}

#endif
