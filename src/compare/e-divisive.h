/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * e-divisive.h - where a series of values changed, without a shape assumed
 *
 * E-divisive means: Matteson and James, JASA 109, 2014; Apache Otava uses it for benchmarks. A series is cut
 * where the energy distance between its parts is largest, if that is larger than of nearly all orders of the
 * same values; then each part likewise. The orders are drawn by a generator that begins alike each time, so
 * that the same series has the same answer.
 */
#ifndef RS_COMPARE_E_DIVISIVE_H
#define RS_COMPARE_E_DIVISIVE_H

#include <stddef.h>

#define RS_E_DIVISIVE_MOST 1024u  /* values of a series */
#define RS_E_DIVISIVE_LEAST 2u    /* values on each side of a cut */
#define RS_E_DIVISIVE_ORDERS 1999u
#define RS_E_DIVISIVE_LEVEL 0.001 /* of all orders of a part, how many may be cut as well */
/* Fewer values cannot reach that level: half of them may be taken in too few ways. */
#define RS_E_DIVISIVE_LEAST_VALUES 16u

/* The first value of a new part, and the share of orders that could be cut as well. */
struct rs_e_divisive_point {
	size_t at;
	double share;
};

/*
 * Writes where the values change, in their order, at most `room`; returns how many. More than
 * RS_E_DIVISIVE_MOST values, too few, or no memory: none.
 */
size_t rs_e_divisive(const double *values, size_t nr, struct rs_e_divisive_point *points, size_t room);
/* The statistic of a cut before values[at]: energy distance of both parts, times m * n / (m + n). */
double rs_e_divisive_statistic(const double *values, size_t nr, size_t at);

#endif
