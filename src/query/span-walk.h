/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span-walk.h - walks over the spans of tracks that end in a time range, a batch at a time
 *
 *	rs_span_walk_add_tracks(&walk, RS_TRACK_TASK, RS_SPAN_STATE, pid, tid);
 *	while (rs_span_walk_go(&walk, 200000, visit, arg))  // spans to read before others may run
 *		;
 *	rs_span_walk_done(&walk);
 *
 * Between two batches spans may be added, and old ones dropped: each one that stays is visited once.
 */
#ifndef RS_QUERY_SPAN_WALK_H
#define RS_QUERY_SPAN_WALK_H

#include "query/tracks.h"

struct rs_span_walk {
	struct rs_timelines *timelines;
	uint64_t from_ns, to_ns;   /* the end of a span is in from_ns <= end < to_ns */
	struct rs_timeline_track *tracks;
	size_t nr_tracks, max_tracks;
	/* progress */
	size_t at;
	uint64_t at_ns;
};

/* The track of ->tracks[walk->at]; the span is of any kind. */
typedef void rs_span_walk_visit(void *arg, const struct rs_timeline_span *span);

/*
 * Returns true if the task is of that process and that thread; 0: any. One whose process is not known stands
 * for itself: findings and rows name it by its tid, too.
 */
bool rs_span_walk_is_of(const struct rs_task *t, int32_t pid, int32_t tid);

/* Begins without tracks. */
void rs_span_walk_init(struct rs_span_walk *w, struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns);
/*
 * Adds the tracks of that type; of tasks, those of a process and of a thread (0: any). Without both, those
 * that are not shown are left out. Returns false without memory.
 */
bool rs_span_walk_add_tracks(struct rs_span_walk *w, enum rs_track_type of, enum rs_span_shape shape,
			     int32_t pid, int32_t tid);
bool rs_span_walk_add_track(struct rs_span_walk *w, enum rs_span_shape shape, const struct rs_track_ref *ref);
/* The number of spans of all kinds on the tracks in that time: O(tracks log n). */
uint64_t rs_span_walk_nr(const struct rs_span_walk *w);
/* Shorter spans than *min_ns, which visit may raise, may be skipped; NULL: none. Returns false at the end. */
bool rs_span_walk_go(struct rs_span_walk *w, uint64_t nr_spans, const uint64_t *min_ns,
		     rs_span_walk_visit *visit, void *arg);
void rs_span_walk_done(struct rs_span_walk *w);

#endif
