/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-limit.h - the largest time that a recording may have
 *
 * 146 years in ns: of the clocks of ftrace and perf "tai" is the largest, with some 2^60.7 in 2026, and a
 * counter of cycles at 5 GHz takes 29 years. Where a time enters (a page's header, time extend and time
 * stamp; a record of a sample; a trailer's text), a later one is refused there as a malformation, so no code
 * behind it has to expect one: the sum of two times, a time of day (a time and its offset) and the difference
 * of two of them all fit into 63 bits. UINT64_MAX is later than every time.
 */
#ifndef RS_BASE_TIME_LIMIT_H
#define RS_BASE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#define RS_MAX_TIME_NS ((uint64_t)1 << 62)

/* The same for what CLOCK_REALTIME is ahead of a clock. */
static inline bool rs_time_offset_is_valid(int64_t ns)
{
	return ns >= -(int64_t)RS_MAX_TIME_NS && ns <= (int64_t)RS_MAX_TIME_NS;
}

#endif
