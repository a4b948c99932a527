// SPDX-License-Identifier: GPL-2.0-or-later
/* span-walk - walks over the spans of tracks that end in a time range, a batch at a time */
#include "query/span-walk.h"

#include <stdlib.h>

#include "base/vector.h"
#include "ringside/plugin.h"

void rs_span_walk_init(struct rs_span_walk *w, struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns)
{
	*w = (struct rs_span_walk){ .timelines = t, .from_ns = from_ns, .to_ns = to_ns, .at_ns = from_ns };
}

void rs_span_walk_done(struct rs_span_walk *w)
{
	free(w->tracks);
	w->tracks = NULL;
}

/* ---- tracks ---- */

bool rs_span_walk_add_track(struct rs_span_walk *w, enum rs_span_shape shape, const struct rs_track_ref *ref)
{
	uint32_t number = rs_track_timeline(rs_timelines_of(w->timelines), ref, shape);

	if (!number)
		return true;
	if (!RS_VECTOR_RESERVE(&w->tracks, &w->max_tracks, w->nr_tracks + 1))
		return false;
	w->tracks[w->nr_tracks++] = (struct rs_timeline_track){ number, rs_track_type(ref->of, shape),
								ref->id };
	return true;
}

bool rs_span_walk_is_of(const struct rs_task *t, int32_t pid, int32_t tid)
{
	return (!pid || t->pid == pid || (t->pid <= 0 && t->tid == pid)) && (!tid || t->tid == tid);
}

static bool walk_add_tasks(struct rs_span_walk *w, enum rs_span_shape shape, int32_t pid, int32_t tid)
{
	struct rs_ctx *c = rs_timelines_ctx(w->timelines);

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_track_ref ref = { RS_TRACK_TASK, rs_task_track(t->tid, t->inst) };

		if (rs_span_walk_is_of(t, pid, tid) && !rs_span_walk_add_track(w, shape, &ref))
			return false;
	}
	return true;
}

static bool walk_add_all(struct rs_span_walk *w, uint32_t type)
{
	struct rs_timeline *tl = rs_timelines_of(w->timelines);
	size_t nr = rs_timeline_tracks_of(tl, type, NULL, 0), end;

	if (!RS_VECTOR_RESERVE(&w->tracks, &w->max_tracks, w->nr_tracks + nr))
		return false;
	end = w->nr_tracks + rs_timeline_tracks_of(tl, type, w->tracks + w->nr_tracks, nr);
	for (size_t i = w->nr_tracks; i < end; i++) {
		struct rs_track_ref ref = { rs_track_type_of(type), w->tracks[i].id };

		if (rs_track_is_shown(w->timelines, &ref))
			w->tracks[w->nr_tracks++] = w->tracks[i];
	}
	return true;
}

bool rs_span_walk_add_tracks(struct rs_span_walk *w, enum rs_track_type of, enum rs_span_shape shape,
			     int32_t pid, int32_t tid)
{
	if (of == RS_TRACK_TASK && (pid || tid))
		return walk_add_tasks(w, shape, pid, tid);
	return walk_add_all(w, rs_track_type(of, shape));
}

uint64_t rs_span_walk_nr(const struct rs_span_walk *w)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < w->nr_tracks; i++)
		nr += rs_timeline_count(rs_timelines_of(w->timelines), w->tracks[i].number, w->from_ns,
					w->to_ns);
	return nr;
}

/* ---- the walk ---- */

struct walk_batch {
	struct rs_span_walk *walk;
	rs_span_walk_visit *visit;
	void *arg;
	uint64_t left;
	bool has_last;
	uint64_t last_end_ns;
};

/* Stops only before a span with a later end, so that the next batch can begin there. */
static bool walk_each(void *arg, const struct rs_timeline_span *s)
{
	struct walk_batch *b = arg;
	struct rs_span_walk *w = b->walk;

	if (s->end_ns >= w->to_ns)
		return false;
	if (s->end_ns < w->at_ns) /* of no duration, just before the range */
		return true;
	if (!b->left && b->has_last && s->end_ns > b->last_end_ns) {
		w->at_ns = s->end_ns;
		return false;
	}
	b->left -= b->left > 0;
	b->has_last = true;
	b->last_end_ns = s->end_ns;
	b->visit(b->arg, s);
	return true;
}

/* Returns true if the track has more. */
static bool walk_resume(struct walk_batch *b, uint64_t min_ns)
{
	struct rs_span_walk *w = b->walk;
	uint64_t from_ns = w->at_ns;
	/* a span that ends at from_ns only touches the range: begins one nanosecond earlier */
	struct rs_timeline_range range = {
		.from_ns = from_ns - (from_ns > 0), .to_ns = w->to_ns, .min_duration_ns = min_ns,
	};

	b->has_last = false;
	return !rs_timeline_query(rs_timelines_of(w->timelines), w->tracks[w->at].number, &range, walk_each,
				  b) &&
	       w->at_ns != from_ns;
}

bool rs_span_walk_go(struct rs_span_walk *w, uint64_t nr_spans, const uint64_t *min_ns,
		     rs_span_walk_visit *visit, void *arg)
{
	struct walk_batch b = { .walk = w, .visit = visit, .arg = arg, .left = nr_spans };

	while (w->at < w->nr_tracks) {
		if (walk_resume(&b, min_ns ? *min_ns : 0))
			return true;
		w->at++;
		w->at_ns = w->from_ns;
		if (!b.left && w->at < w->nr_tracks)
			return true;
	}
	return false;
}
