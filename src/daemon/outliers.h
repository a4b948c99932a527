/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outliers.h - the longest spans of each kind, and from one to the next
 *
 * The longest are of the kinds that are worth it (rs_span_kind.worst). One that is as long as it was asked to be,
 * a sleep, is no outlier.
 */
#ifndef RS_DAEMON_OUTLIERS_H
#define RS_DAEMON_OUTLIERS_H

#include "daemon/spread.h"

#define RS_WORST_LEAST_NS 10000     /* shorter ones are nobody's trouble */
#define RS_WORST_MOST 50            /* of each kind */
#define RS_STEP_TRACKS 64

/*
 * Those that end within the time, by kind, each kind's longest first; limit of each kind. NULL: none, or no memory.
 * budget: spans that are looked at; the longest are found first.
 */
struct rs_slow_span *rs_worst(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns, size_t limit, uint64_t budget,
			      size_t *nr);

struct rs_step {
	const struct rs_track_ref *tracks;
	size_t nr_tracks;
	unsigned int lanes;        /* 1 << enum rs_span_shape */
	bool than_known;
	struct rs_timeline_span than; /* start and end */
	bool back;
	uint64_t min_ns;
	bool outlier;              /* longer than 99 % of its kind here, from from_ns to to_ns, and no sleep */
	uint64_t from_ns, to_ns;
	uint64_t budget;           /* spans that are looked at to know what is usual */
};

/* By end. False: there is none. */
bool rs_step(struct rs_timelines *t, const struct rs_step *step, struct rs_slow_span *found);

#endif
