/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * period.h - whether what happens again and again does so at regular times
 *
 * Of n times there are n - 1 intervals d, with the median m (nearest rank). They are regular if
 *
 *	n >= 3, and |d - m| <= m / 10 for at least three quarters of the d, rounded up
 *
 * and then m is the period. Median and the quantile of absolute deviations from it are the robust form
 * of mean and standard deviation (F. R. Hampel, The Influence Curve and Its Role in Robust Estimation,
 * 1974): one time that was missed doubles one interval and changes neither. Of times at random
 * (exponential intervals) three pass in one case of 20, five in one of 70: what is told of so few is
 * that they were alike, not that they will be.
 */
#ifndef RS_BASE_PERIOD_H
#define RS_BASE_PERIOD_H

#include <stddef.h>
#include <stdint.h>

#define RS_PERIOD_TIMES 64           /* looked at most: of more, the first */
#define RS_PERIOD_LEAST_TIMES 3

/* Returns the period of times in ascending order; 0: they are too few, or irregular. */
uint64_t rs_period_find(const uint64_t *times_ns, size_t nr);

#endif
