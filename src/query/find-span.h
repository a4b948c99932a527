/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find-span.h - finds the span at a place of a picture, or by its times
 */
#ifndef RS_QUERY_FIND_SPAN_H
#define RS_QUERY_FIND_SPAN_H

#include "query/track-cells.h"

struct rs_find_span {
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	const struct rs_opens *opens;
	bool exact;                /* by start_ns and end_ns; of a span in flight by start_ns */
	uint64_t start_ns, end_ns;
	bool kind_known;           /* by times: of this kind only */
	unsigned int kind;
	/* else: at that time; if there is none, the longest within for_ns after it */
	uint64_t at_ns, for_ns;
	bool depth_known;
	unsigned int depth;        /* number of spans around it; unknown: the innermost */
};

/* Returns false if there is none. depth: of the span that was found. */
bool rs_find_span(struct rs_timelines *t, const struct rs_find_span *ask, struct rs_timeline_span *found,
		  unsigned int *depth);

#endif
