/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step.h - steps from one span to the next over many tracks: by end, or by duration
 *
 *	struct rs_stepping *s = rs_step_new(timelines, &ask);
 *	while (rs_step_go(s, 100000))  // spans to read before others may run
 *		;
 *	if (rs_step_found(s, &found))
 *		...
 *	rs_step_free(s);
 *
 * By duration the longest is first, whatever its kind; a span whose duration was requested, such as a sleep,
 * is skipped. A batch ends between two rows: spans that are much shorter than the one searched for cost
 * nothing.
 */
#ifndef RS_QUERY_STEP_H
#define RS_QUERY_STEP_H

#include "query/latency-dist.h"

#define RS_STEP_TRACKS 512

struct rs_step {
	bool all_tracks;           /* all that are shown (rs_track_is_shown); .tracks is not read */
	const struct rs_track_ref *tracks;
	size_t nr_tracks;          /* at most RS_STEP_TRACKS */
	unsigned int shapes;        /* 1 << enum rs_span_shape */
	bool than_known;
	struct rs_timeline_span than; /* start and end */
	bool back;
	uint64_t min_ns;
	/* the next shorter; back: the next longer one. Of spans that end from from_ns to to_ns */
	bool by_duration;
	uint64_t from_ns, to_ns;
};

struct rs_stepping;

struct rs_stepping *rs_step_new(struct rs_timelines *t, const struct rs_step *ask); /* NULL: no memory */
bool rs_step_go(struct rs_stepping *s, uint64_t nr_spans);                          /* false: done */
bool rs_step_found(const struct rs_stepping *s,
		   struct rs_slowest_span *found);        /* false: none */
void rs_step_free(struct rs_stepping *s);

#endif
