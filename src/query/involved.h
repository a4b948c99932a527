/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * involved.h - which tasks had to do with some tracks in a time range: they woke one of their tasks, were
 * woken by one, or had requests in one of their disks
 *
 *	struct rs_involved in;
 *	rs_involved_find(&in, timelines, &ask);
 *	... rs_involved_of(&in, &ref) ...
 *
 * Of each track at most so many spans are looked at, and so many tasks are found: a wait is short.
 */
#ifndef RS_QUERY_INVOLVED_H
#define RS_QUERY_INVOLVED_H

#include "query/tracks.h"

#define RS_INVOLVED_TRACKS 16
#define RS_INVOLVED_TASKS 256

struct rs_involved_ask {
	struct rs_track_ref tracks[RS_INVOLVED_TRACKS];
	size_t nr;
	uint64_t from_ns, to_ns;
};

struct rs_tid_set {
	int32_t tids[RS_INVOLVED_TASKS];
	size_t nr;
};

struct rs_involved {
	struct rs_timelines *timelines;
	const struct rs_involved_ask *ask;
	struct rs_tid_set own, wakers, in_disk;
};

/* ask stays the caller's as long as *in is used. */
void rs_involved_find(struct rs_involved *in, struct rs_timelines *t, const struct rs_involved_ask *ask);
/* Returns "waker", "woken" or "same disk"; NULL: none of these, or one of the tracks themselves. */
const char *rs_involved_of(const struct rs_involved *in, const struct rs_track_ref *ref);

#endif
