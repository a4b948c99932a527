// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/outliers.h"

#include <stdlib.h>

#define MAX_GROUPS 64
#define MAX_KINDS 64
#define ALL_LANES (1u << RS_SPAN_SLICE | 1u << RS_SPAN_STATE | 1u << RS_SPAN_ASYNC)

/* ---- the longest of each kind ---- */

struct group {
	unsigned int kind;
	struct rs_slow_span *heap;
	size_t nr;
};

struct worst {
	struct rs_timelines *t;
	struct group groups[MAX_GROUPS];
	unsigned int nr_groups;
	size_t limit;
	uint64_t from_ns, to_ns, at_least_ns, below_ns, left;
	struct rs_track_ref ref;
	enum rs_span_shape lane;
	bool failed;
};

static struct group *group_of(struct worst *w, const struct rs_timeline_span *s)
{
	unsigned int kind = s->kind & ~RS_KIND_OPEN;
	struct group *g;

	for (g = w->groups; g < w->groups + w->nr_groups; g++)
		if (g->kind == kind)
			return g;
	if (w->nr_groups == MAX_GROUPS)
		return NULL;
	*g = (struct group){ kind, calloc(w->limit, sizeof *g->heap), 0 };
	w->failed |= !g->heap;
	w->nr_groups += g->heap != NULL;
	return g->heap ? g : NULL;
}

static bool look_at(void *arg, const struct rs_timeline_span *s)
{
	struct worst *w = arg;
	uint64_t length_ns = s->end_ns - s->start_ns;
	struct group *g;

	if (s->end_ns >= w->to_ns || !w->left)
		return false;
	w->left--;
	if (s->end_ns < w->from_ns || length_ns >= w->below_ns || !rs_timelines_is_worst(w->t, s))
		return true;
	g = group_of(w, s);
	if (g)
		rs_slowest_add(g->heap, &g->nr, w->limit, &(struct rs_slow_span){ w->ref, w->lane, *s });
	return !w->failed;
}

static void look_through(struct worst *w, const struct rs_timeline_track *tracks, size_t nr)
{
	struct rs_timeline_range range = { w->from_ns, w->to_ns, w->at_least_ns };

	for (size_t i = 0; i < nr && w->left && !w->failed; i++) {
		w->lane = rs_track_shape_of(tracks[i].type);
		w->ref = (struct rs_track_ref){ rs_track_type_of(tracks[i].type), tracks[i].id };
		if (1u << w->lane & ALL_LANES)
			rs_timeline_query(rs_timelines_of(w->t), tracks[i].number, &range, look_at, w);
	}
}

static int by_kind(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static struct rs_slow_span *gather(struct worst *w, size_t *nr)
{
	struct rs_slow_span *all = calloc(MAX_GROUPS * w->limit, sizeof *all);

	qsort(w->groups, w->nr_groups, sizeof *w->groups, by_kind);
	for (struct group *g = w->groups; g < w->groups + w->nr_groups; g++) {
		rs_slowest_sort(g->heap, g->nr);
		for (size_t i = 0; all && i < g->nr; i++)
			all[(*nr)++] = g->heap[i];
		free(g->heap);
	}
	return all;
}

/* From the longest on, ten times shorter each time: a tree's parts without any that long are passed over. */
struct rs_slow_span *rs_worst(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns, size_t limit, uint64_t budget,
			      size_t *nr)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	size_t nr_tracks = rs_timeline_tracks(tl, NULL, 0);
	struct rs_timeline_track *tracks = calloc(nr_tracks + 1, sizeof *tracks);
	struct worst w = { .t = t, .limit = limit < RS_WORST_MOST ? limit : RS_WORST_MOST, .from_ns = from_ns,
			  .to_ns = to_ns,
			   .below_ns = UINT64_MAX, .left = budget };
	struct rs_slow_span *all;

	*nr = 0;
	if (!tracks || !w.limit) {
		free(tracks);
		return NULL;
	}
	rs_timeline_tracks(tl, tracks, nr_tracks);
	for (w.at_least_ns = 1000000000; w.at_least_ns >= RS_WORST_LEAST_NS; w.at_least_ns /= 10) {
		if (!w.left || w.failed)
			break;
		look_through(&w, tracks, nr_tracks);
		w.below_ns = w.at_least_ns;
	}
	all = gather(&w, nr);
	free(tracks);
	return all;
}

/* ---- one after the other ---- */

struct usual {
	struct rs_timelines *t;
	struct rs_hist hists[MAX_KINDS];
	uint64_t more_than_ns[MAX_KINDS];
	uint64_t left, to_ns;
	bool outlier;
};

static bool add_usual(void *arg, const struct rs_timeline_span *s)
{
	struct usual *u = arg;
	unsigned int kind = s->kind & ~RS_KIND_OPEN;

	if (!u->left || s->end_ns >= u->to_ns)
		return false;
	u->left--;
	if (kind < MAX_KINDS && !rs_timelines_by_choice(u->t, s))
		rs_hist_add(&u->hists[kind], s->end_ns - s->start_ns);
	return true;
}

/* Each track has its part of the budget: one that is busy does not stand for all. */
static void learn_lane(struct usual *u, const struct rs_step *step, size_t at, enum rs_span_shape lane)
{
	struct rs_timeline *tl = rs_timelines_of(u->t);
	struct rs_timeline_range range = { step->from_ns, step->to_ns, 0 };

	u->left = step->budget / step->nr_tracks;
	if (1u << lane & step->lanes & ALL_LANES)
		rs_timeline_query(tl, rs_track_lane(tl, &step->tracks[at], lane), &range, add_usual, u);
}

static void learn(struct usual *u, const struct rs_step *step)
{
	for (unsigned int i = 0; i < MAX_KINDS; i++)
		rs_hist_init(&u->hists[i]);
	u->to_ns = step->to_ns;
	for (size_t i = 0; i < step->nr_tracks; i++)
		for (unsigned int lane = 0; lane < RS_NR_LANES; lane++)
			learn_lane(u, step, i, (enum rs_span_shape)lane);
	for (unsigned int i = 0; i < MAX_KINDS; i++) {
		u->more_than_ns[i] = u->hists[i].nr ? rs_hist_quantile(&u->hists[i], 990) : 0;
		rs_hist_done(&u->hists[i]);
	}
}

static bool wanted(void *arg, const struct rs_timeline_span *s)
{
	const struct usual *u = arg;
	unsigned int kind = s->kind & ~RS_KIND_OPEN;

	if (!u->outlier)
		return true;
	if (kind < MAX_KINDS && s->end_ns - s->start_ns <= u->more_than_ns[kind])
		return false;
	return !rs_timelines_by_choice(u->t, s);
}

/* By end, then by start: as a timeline has them. */
static int order(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	if (a->end_ns != b->end_ns)
		return a->end_ns < b->end_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

/* The nearest beyond *than of one track: of its kind and argument nothing is known, so what is as it is passed over. */
static bool nearest(struct rs_timeline *tl, uint32_t track, const struct rs_step *step, struct usual *u,
		    struct rs_timeline_span *found)
{
	struct rs_timeline_span than = step->than;
	const struct rs_timeline_span *from = step->than_known ? &than : NULL;

	than.kind = step->back ? 0 : UINT16_MAX;
	than.arg = step->back ? 0 : UINT64_MAX;
	return step->back ? rs_timeline_prev(tl, track, from, step->min_ns, wanted, u, found) :
			    rs_timeline_next(tl, track, from, step->min_ns, wanted, u, found);
}

bool rs_step(struct rs_timelines *t, const struct rs_step *step, struct rs_slow_span *found)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct usual u = { .t = t, .outlier = step->outlier };
	struct rs_timeline_span s;
	bool any = false;

	if (step->outlier)
		learn(&u, step);
	for (size_t i = 0; i < step->nr_tracks; i++)
		for (unsigned int lane = 0; lane < RS_NR_LANES; lane++) {
			uint32_t track = rs_track_lane(tl, &step->tracks[i], (enum rs_span_shape)lane);

			if (!(1u << lane & step->lanes) || !track || !nearest(tl, track, step, &u, &s) ||
			    (any && (order(&s, &found->span) < 0) == step->back))
				continue;
			*found = (struct rs_slow_span){ step->tracks[i], (enum rs_span_shape)lane, s };
			any = true;
		}
	return any;
}
