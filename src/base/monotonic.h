/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monotonic.h - the clock for timeouts and intervals of our own: no change of the date moves it */
#ifndef RS_BASE_MONOTONIC_H
#define RS_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t rs_monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Signed, for a timeout that has passed is less than 0. */
static inline int64_t rs_monotonic_ms(void)
{
	return (int64_t)(rs_monotonic_ns() / 1000000);
}

#endif
