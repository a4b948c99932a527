/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-range-source.h - a source without the events before a time, and on request without those after another
 *
 * Pages come whole, and a quiet CPU's page may begin long before those of the
 * others: what it tells of that time would be seen without what the others did
 * meanwhile, and a task that slept, ran and slept again would seem to have slept
 * all along. So that nothing is known of before from_ns by any CPU, a page with
 * events on both sides is cut: a shorter page, in the same layout.
 */
#ifndef RS_DECODE_TIME_RANGE_SOURCE_H
#define RS_DECODE_TIME_RANGE_SOURCE_H

#include "source/source.h"

/*
 * rs_time_range_source_open - events with from_ns <= t, and t <= to_ns (UINT64_MAX: to the end, which costs
 * nothing); the same for pauses. Closing it closes `of`, and an error closes it at once. Reads the begin of
 * each CPU here. NULL on error.
 */
struct rs_source *rs_time_range_source_open(struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
					    struct rs_error *err);

#endif
