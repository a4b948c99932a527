/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slowest-spans.h - the longest spans of each kind that is worth it (rs_span_kind.worst)
 */
#ifndef RS_QUERY_SLOWEST_SPANS_H
#define RS_QUERY_SLOWEST_SPANS_H

#include "query/latency-dist.h"

#define RS_SLOWEST_LEAST_NS 10000     /* shorter ones are not worth a line */
#define RS_SLOWEST_MOST 50            /* of each kind */

/*
 * Those that end within the time, by kind, each kind's longest first; limit of each kind. NULL: none, or no memory.
 * budget: spans that are looked at; the longest are found first.
 */
struct rs_slowest_span *rs_slowest_spans_find(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns, size_t limit, uint64_t budget,
					      size_t *nr);

#endif
