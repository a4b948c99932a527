// SPDX-License-Identifier: GPL-2.0-or-later
/* track-activity - the share of a time range in which a task ran, or was in a wait that it did not choose */
#include "query/track-activity.h"

#include "query/track-cells.h"
#include "ringside/wait.h"

#define ACTIVITY_MOMENTS 250

/* The state at a moment, of what has ended or is in flight. Returns false if none is known. */
static bool activity_state_at(struct rs_timelines *t, uint32_t track, const struct rs_open_span *open,
			      uint64_t at_ns, uint64_t *arg)
{
	struct rs_timeline_span s;

	if (track && rs_timeline_at(rs_timelines_of(t), track, at_ns, &s)) {
		*arg = s.arg;
		return true;
	}
	if (open && at_ns >= open->span.start_ns)
		*arg = open->span.arg;
	return open && at_ns >= open->span.start_ns;
}

static bool activity_is_one(uint64_t arg)
{
	enum rs_cause cause = rs_cause_of_state(rs_state_of(arg), rs_state_cause(arg));
	enum rs_cause_rank rank = rs_cause_row(cause)->rank;

	return rank == RS_RANK_WORK || rank == RS_RANK_WAIT;
}

static uint64_t activity_part(uint64_t ns, unsigned int part, unsigned int of)
{
	return (uint64_t)((unsigned __int128)ns * part / of);
}

int rs_track_activity(struct rs_timelines *t, const struct rs_opens *opens, const struct rs_track_ref *ref,
		      uint64_t from_ns, uint64_t to_ns)
{
	uint32_t track = rs_track_timeline(rs_timelines_of(t), ref, RS_SPAN_STATE);
	const struct rs_open_span *open = NULL;
	uint64_t arg;
	int nr = 0, known = 0;
	size_t nr_open = 0;

	if (ref->of != RS_TRACK_TASK || to_ns == UINT64_MAX || from_ns >= to_ns)
		return -1;
	if (opens)
		open = rs_track_cells_in_flight(opens, ref, RS_SPAN_STATE, &nr_open);
	for (unsigned int i = 0; i < ACTIVITY_MOMENTS; i++) {
		uint64_t at_ns = from_ns + activity_part(to_ns - from_ns, 2 * i + 1, 2 * ACTIVITY_MOMENTS);

		if (!activity_state_at(t, track, nr_open ? open : NULL, at_ns, &arg))
			continue;
		known++;
		nr += activity_is_one(arg);
	}
	return known ? nr * 1000 / ACTIVITY_MOMENTS : -1;
}
