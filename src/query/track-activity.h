/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track-activity.h - does a task do anything in a time range that costs or is work? From its state at some
 * moments, so that the answer costs the same however much there is
 */
#ifndef RS_QUERY_TRACK_ACTIVITY_H
#define RS_QUERY_TRACK_ACTIVITY_H

#include "query/tracks.h"

struct rs_opens;

/*
 * Returns the share of the moments at which the task ran, or was in a wait that it did not choose, in
 * thousandths. -1: the range has no end, or nothing is known of the task's states. opens: what is in flight;
 * NULL: nothing.
 */
int rs_track_activity(struct rs_timelines *t, const struct rs_opens *opens, const struct rs_track_ref *ref,
		      uint64_t from_ns, uint64_t to_ns);

#endif
