// SPDX-License-Identifier: GPL-2.0-or-later
#include "query/slowest-spans.h"

#include <stdlib.h>

#define SLOWEST_SPANS_MAX_GROUPS 64
#define ALL_SHAPES (1u << RS_SPAN_SLICE | 1u << RS_SPAN_STATE | 1u << RS_SPAN_ASYNC)

/* ---- the longest of each kind ---- */

struct slowest_spans_group {
	unsigned int kind;
	struct rs_slowest_span *heap;
	size_t nr;
};

struct slowest_spans_slowest {
	struct rs_timelines *t;
	struct slowest_spans_group groups[SLOWEST_SPANS_MAX_GROUPS];
	unsigned int nr_groups;
	size_t limit;
	uint64_t from_ns, to_ns, at_least_ns, below_ns, left;
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	bool failed;
};

static struct slowest_spans_group *slowest_spans_find_group(struct slowest_spans_slowest *w,
							    const struct rs_timeline_span *s)
{
	unsigned int kind = s->kind & ~RS_KIND_OPEN;
	struct slowest_spans_group *g;

	for (g = w->groups; g < w->groups + w->nr_groups; g++)
		if (g->kind == kind)
			return g;
	if (w->nr_groups == SLOWEST_SPANS_MAX_GROUPS)
		return NULL;
	*g = (struct slowest_spans_group){ kind, calloc(w->limit, sizeof *g->heap), 0 };
	w->failed |= !g->heap;
	w->nr_groups += g->heap != NULL;
	return g->heap ? g : NULL;
}

static bool slowest_spans_visit_span(void *arg, const struct rs_timeline_span *s)
{
	struct slowest_spans_slowest *w = arg;
	uint64_t duration_ns = s->end_ns - s->start_ns;
	struct slowest_spans_group *g;

	if (s->end_ns >= w->to_ns || !w->left)
		return false;
	w->left--;
	if (s->end_ns < w->from_ns || duration_ns >= w->below_ns || !rs_timelines_is_slowest(w->t, s))
		return true;
	g = slowest_spans_find_group(w, s);
	if (g)
		rs_latency_dist_add_slowest(g->heap, &g->nr, w->limit,
					    &(struct rs_slowest_span){ w->ref, w->shape, *s });
	return !w->failed;
}

static void search_all(struct slowest_spans_slowest *w, const struct rs_timeline_track *tracks, size_t nr)
{
	struct rs_timeline_range range = { w->from_ns, w->to_ns, w->at_least_ns };

	for (size_t i = 0; i < nr && w->left && !w->failed; i++) {
		w->shape = rs_track_shape_of(tracks[i].type);
		w->ref = (struct rs_track_ref){ rs_track_type_of(tracks[i].type), tracks[i].id };
		if (1u << w->shape & ALL_SHAPES && rs_track_is_shown(w->t, &w->ref))
			rs_timeline_query(rs_timelines_of(w->t), tracks[i].number, &range,
					  slowest_spans_visit_span, w);
	}
}

static int by_kind(const void *a, const void *b)
{
	const struct slowest_spans_group *x = a, *y = b;

	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static struct rs_slowest_span *slowest_spans_collect(struct slowest_spans_slowest *w, size_t *nr)
{
	struct rs_slowest_span *all = calloc(SLOWEST_SPANS_MAX_GROUPS * w->limit, sizeof *all);

	qsort(w->groups, w->nr_groups, sizeof *w->groups, by_kind);
	for (struct slowest_spans_group *g = w->groups; g < w->groups + w->nr_groups; g++) {
		rs_latency_dist_sort_slowest(g->heap, g->nr);
		for (size_t i = 0; all && i < g->nr; i++)
			all[(*nr)++] = g->heap[i];
		free(g->heap);
	}
	return all;
}

/* From the longest on, ten times shorter each time: a tree's parts without any that long are passed over. */
struct rs_slowest_span *rs_slowest_spans_find(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns, size_t limit, uint64_t budget,
					      size_t *nr)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	size_t nr_tracks = rs_timeline_tracks(tl, NULL, 0);
	struct rs_timeline_track *tracks = calloc(nr_tracks + 1, sizeof *tracks);
	struct slowest_spans_slowest w = { .t = t, .limit = limit < RS_SLOWEST_MOST ? limit : RS_SLOWEST_MOST,
			     .from_ns = from_ns,
			  .to_ns = to_ns,
			   .below_ns = UINT64_MAX, .left = budget };
	struct rs_slowest_span *all;

	*nr = 0;
	if (!tracks || !w.limit) {
		free(tracks);
		return NULL;
	}
	rs_timeline_tracks(tl, tracks, nr_tracks);
	for (w.at_least_ns = 1000000000; w.at_least_ns >= RS_SLOWEST_LEAST_NS; w.at_least_ns /= 10) {
		if (!w.left || w.failed)
			break;
		search_all(&w, tracks, nr_tracks);
		w.below_ns = w.at_least_ns;
	}
	all = slowest_spans_collect(&w, nr);
	free(tracks);
	return all;
}
