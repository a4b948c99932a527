// SPDX-License-Identifier: GPL-2.0-or-later
/* involved - which tasks had to do with some tracks in a time range */
#include "query/involved.h"

#include "ringside/plugin.h"

#define INVOLVED_SPANS 4096 /* of a track of those that are asked about */
#define INVOLVED_WAKES 512  /* of any other task */

static bool involved_has(const struct rs_tid_set *set, int32_t tid)
{
	for (size_t i = 0; i < set->nr; i++)
		if (set->tids[i] == tid)
			return true;
	return false;
}

static void involved_add(struct rs_tid_set *set, int32_t tid)
{
	if (tid > 0 && set->nr < RS_INVOLVED_TASKS && !involved_has(set, tid))
		set->tids[set->nr++] = tid;
}

struct involved_walk {
	struct rs_involved *in;
	const struct rs_track_ref *ref;
	unsigned int left;
};

static void involved_query(const struct rs_involved *in, const struct rs_track_ref *ref,
			   enum rs_span_shape shape, rs_timeline_each *each, void *arg)
{
	struct rs_timeline *tl = rs_timelines_of(in->timelines);
	uint32_t track = rs_track_timeline(tl, ref, shape);

	if (track)
		rs_timeline_query(tl, track,
				  &(struct rs_timeline_range){ in->ask->from_ns, in->ask->to_ns, 0 }, each,
				  arg);
}

/* ---- of the tracks that are asked about ---- */

/* It was woken where its wait for a CPU begins. */
static bool involved_is_wake(const struct rs_involved *in, const struct rs_timeline_span *s)
{
	return rs_state_of(s->arg) == RS_DELAY && s->start_ns >= in->ask->from_ns;
}

static bool involved_add_waker(void *arg, const struct rs_timeline_span *s)
{
	struct involved_walk *w = arg;

	if (involved_is_wake(w->in, s))
		involved_add(&w->in->wakers, rs_state_waker(s->arg));
	return --w->left;
}

static bool involved_add_requester(void *arg, const struct rs_timeline_span *s)
{
	struct involved_walk *w = arg;

	involved_add(&w->in->in_disk, rs_track_span_tid(w->in->timelines, w->ref, s));
	return --w->left;
}

void rs_involved_find(struct rs_involved *in, struct rs_timelines *t, const struct rs_involved_ask *ask)
{
	*in = (struct rs_involved){ .timelines = t, .ask = ask };
	for (size_t i = 0; i < ask->nr; i++) {
		struct involved_walk w = { in, &ask->tracks[i], INVOLVED_SPANS };

		involved_add(&in->own, rs_track_tid(w.ref));
		if (w.ref->of == RS_TRACK_TASK)
			involved_query(in, w.ref, RS_SPAN_STATE, involved_add_waker, &w);
		else if (w.ref->of == RS_TRACK_DISK)
			involved_query(in, w.ref, RS_SPAN_ASYNC, involved_add_requester, &w);
	}
}

/* ---- of others ---- */

struct involved_woken {
	const struct rs_involved *in;
	unsigned int left;
	bool found;
};

static bool involved_find_woken(void *arg, const struct rs_timeline_span *s)
{
	struct involved_woken *w = arg;

	w->found = involved_is_wake(w->in, s) && involved_has(&w->in->own, rs_state_waker(s->arg));
	return !w->found && --w->left;
}

static bool involved_was_woken(const struct rs_involved *in, const struct rs_track_ref *ref)
{
	struct involved_woken w = { in, INVOLVED_WAKES, false };

	involved_query(in, ref, RS_SPAN_STATE, involved_find_woken, &w);
	return w.found;
}

const char *rs_involved_of(const struct rs_involved *in, const struct rs_track_ref *ref)
{
	int32_t tid = rs_track_tid(ref);

	if (!tid || involved_has(&in->own, tid))
		return NULL;
	return involved_has(&in->wakers, tid)  ? "waker" :
	       involved_was_woken(in, ref)     ? "woken" :
	       involved_has(&in->in_disk, tid) ? "same disk" :
						 NULL;
}
