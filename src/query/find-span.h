/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find-span.h - the span at a place of a picture, or one that is known by its times
 */
#ifndef RS_QUERY_FIND_SPAN_H
#define RS_QUERY_FIND_SPAN_H

#include "query/track-cells.h"

struct rs_find_span {
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	const struct rs_opens *opens;
	bool exact;                /* start_ns, end_ns; of one that is open now start_ns alone */
	uint64_t start_ns, end_ns;
	bool kind_known;           /* of exact ones: that kind */
	unsigned int kind;
	/* else: at that moment; where there is none, the longest within for_ns from there on */
	uint64_t at_ns, for_ns;
	bool depth_known;
	unsigned int depth;        /* how many are around it; unknown: the innermost */
};

/* depth: of what was found. */
bool rs_find_span(struct rs_timelines *t, const struct rs_find_span *ask, struct rs_timeline_span *found,
		  unsigned int *depth);

#endif
