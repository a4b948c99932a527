// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-dist - latencies of the spans of a kind: a histogram, a heat map, or the slowest spans */
#include "query/latency-dist.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "ringside/event.h"
#include "ringside/plugin.h"

#define DIST_NR_KNOWN 256 /* a power of two */
#define DIST_MAX_GROUPS 64
#define DIST_SHAPES (1u << RS_SPAN_SLICE | 1u << RS_SPAN_STATE | 1u << RS_SPAN_ASYNC)

struct rs_known_style {
	uint64_t style;
	bool used, passes;
};

static uint64_t dist_duration_of(const struct rs_timeline_span *s)
{
	return s->end_ns - s->start_ns;
}

/* ---- rows of a heat map ---- */

unsigned int rs_latency_dist_heat_row(uint64_t duration_ns)
{
	unsigned int power, row;

	if (!duration_ns)
		return 0;
	power = 63 - (unsigned int)__builtin_clzll(duration_ns);
	row = 1 + 2 * power + (power && (duration_ns >> (power - 1) & 1));
	return row < RS_HEAT_ROWS ? row : RS_HEAT_ROWS - 1; /* a timeline's lengths end at 2^48 */
}

void rs_latency_dist_heat_bounds(unsigned int row, uint64_t *from_ns, uint64_t *to_ns)
{
	unsigned int power = row ? (row - 1) / 2 : 0;
	uint64_t whole = UINT64_C(1) << power, half = whole >> 1;

	*from_ns = !row ? 0 : row & 1 ? whole : whole + half;
	*to_ns = !row ? 1 : !half || !(row & 1) ? 2 * whole : whole + half;
}

/* ---- the longest ---- */

static bool dist_is_shorter(const void *a, const void *b, const void *arg)
{
	return dist_duration_of(&((const struct rs_slowest_span *)a)->span) <
	       dist_duration_of(&((const struct rs_slowest_span *)b)->span);
}

/* A heap with the shortest of them first. */
static void dist_add_slowest(struct rs_slowest_span *heap, size_t *nr, size_t max,
			     const struct rs_slowest_span *s)
{
	if (*nr < max) {
		heap[(*nr)++] = *s;
		RS_HEAP_UP(heap, *nr, dist_is_shorter, NULL);
	} else if (max && dist_is_shorter(&heap[0], s, NULL)) {
		heap[0] = *s;
		RS_HEAP_DOWN(heap, *nr, dist_is_shorter, NULL);
	}
}

/* Of equal ones the earlier first, so that the answer is stable. */
static int slowest_first(const void *a, const void *b)
{
	const struct rs_slowest_span *x = a, *y = b;
	uint64_t xl = dist_duration_of(&x->span), yl = dist_duration_of(&y->span);

	if (xl != yl)
		return xl > yl ? -1 : 1;
	if (x->span.end_ns != y->span.end_ns)
		return x->span.end_ns < y->span.end_ns ? -1 : 1;
	return x->ref.id < y->ref.id ? -1 : x->ref.id > y->ref.id;
}

static void dist_sort_slowest(struct rs_slowest_span *heap, size_t nr)
{
	if (nr)
		qsort(heap, nr, sizeof *heap, slowest_first);
}

/* ---- which spans ---- */

static bool label_passes(const struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	char buf[128];
	const char *label = rs_timelines_label(l->timelines, s, buf, sizeof buf);

	for (unsigned int i = 0; i < l->ask.nr_labels; i++)
		if (!strcmp(l->ask.labels[i], label) || fnmatch(l->ask.labels[i], label, 0) == 0)
			return true;
	return !l->ask.nr_labels;
}

/* Checks the task of a span on the track of a CPU or disk. */
static bool task_passes(const struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	struct rs_track_ref ref = { l->kind->track, l->walk.tracks[l->walk.at].id };
	const struct rs_task *t;

	if (l->kind->track == RS_TRACK_TASK || !(l->ask.pid || l->ask.tid))
		return true;
	if (l->ask.tid && rs_track_span_tid(l->timelines, &ref, s) != l->ask.tid)
		return false;
	t = l->ask.pid ? rs_track_span_task(l->timelines, &ref, s) : NULL;
	return !l->ask.pid || (t && rs_span_walk_is_of(t, l->ask.pid, 0));
}

/* Caches the result for each style, because comparing labels is slow. */
static bool style_passes(struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	uint64_t style = rs_track_cells_span_style(l->timelines, s);
	struct rs_known_style *k = &l->known[rs_hash_u64(style) & (DIST_NR_KNOWN - 1)];

	if (!k->used || k->style != style) {
		k->used = true;
		k->style = style;
		k->passes = label_passes(l, s) && (l->kind->get_tid || task_passes(l, s));
	}
	/* the style does not contain the task */
	return k->passes && (!l->kind->get_tid || task_passes(l, s));
}

static bool dist_passes_where(const struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	const struct rs_track_ref ref = { l->kind->track, l->walk.tracks[l->walk.at].id };

	return !l->ask.passes || l->ask.passes(l->ask.where, &ref, s);
}

static bool dist_passes_filter(struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	uint64_t duration_ns = dist_duration_of(s);

	return (s->kind & ~RS_KIND_OPEN) == l->ask.kind && s->end_ns >= l->ask.from_ns &&
	       duration_ns >= l->ask.min_ns && duration_ns < l->ask.max_ns && style_passes(l, s) &&
	       dist_passes_where(l, s);
}

static void dist_add_heat(struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	uint64_t duration_ns = dist_duration_of(s);
	uint64_t column = (s->end_ns - l->cells.from_ns) / l->cells.cell_ns;
	struct rs_heat_cell *cell;

	if (column >= l->cells.nr)
		return;
	cell = &l->heat[rs_latency_dist_heat_row(duration_ns) * l->cells.nr + column];
	cell->count += cell->count < UINT32_MAX;
	if (__builtin_add_overflow(cell->ns, duration_ns, &cell->ns))
		cell->ns = UINT64_MAX;
}

static void dist_count(struct rs_latency_dist *l, const struct rs_timeline_span *s)
{
	struct rs_slowest_span slow;

	if (l->ask.as == RS_LATENCY_DIST_SLOWEST) {
		slow = (struct rs_slowest_span){ .shape = l->kind->shape, .span = *s };
		slow.ref = (struct rs_track_ref){ l->kind->track, l->walk.tracks[l->walk.at].id };
		dist_add_slowest(l->slowest, &l->nr_slowest, l->ask.limit, &slow);
		/* with enough slow spans, shorter ones than all of them are skipped */
		if (l->nr_slowest == l->ask.limit && dist_duration_of(&l->slowest[0].span) > l->min_ns)
			l->min_ns = dist_duration_of(&l->slowest[0].span);
		return;
	}
	rs_hist_add(&l->hist, dist_duration_of(s));
	if (l->ask.as == RS_LATENCY_DIST_HEAT)
		dist_add_heat(l, s);
}

/* ---- the walk ---- */

static void dist_visit(void *arg, const struct rs_timeline_span *s)
{
	struct rs_latency_dist *l = arg;

	if (dist_passes_filter(l, s))
		dist_count(l, s);
}

bool rs_latency_dist_go(struct rs_latency_dist *l, uint64_t nr_spans)
{
	if (rs_span_walk_go(&l->walk, nr_spans, &l->min_ns, dist_visit, l))
		return true;
	dist_sort_slowest(l->slowest, l->nr_slowest);
	return false;
}

/* ---- begin and end ---- */

static bool take_tracks(struct rs_latency_dist *l)
{
	if (l->ask.one_track)
		return rs_span_walk_add_track(&l->walk, l->kind->shape, &l->ask.track);
	return rs_span_walk_add_tracks(&l->walk, l->kind->track, l->kind->shape, l->ask.pid, l->ask.tid);
}

static bool take_memory(struct rs_latency_dist *l)
{
	l->known = calloc(DIST_NR_KNOWN, sizeof *l->known);
	if (l->ask.as == RS_LATENCY_DIST_HEAT)
		l->heat = calloc((size_t)RS_HEAT_ROWS * l->cells.nr, sizeof *l->heat);
	if (l->ask.as == RS_LATENCY_DIST_SLOWEST)
		l->slowest = calloc(l->ask.limit, sizeof *l->slowest);
	return l->known && (l->heat || l->ask.as != RS_LATENCY_DIST_HEAT) &&
	       (l->slowest || l->ask.as != RS_LATENCY_DIST_SLOWEST) && take_tracks(l);
}

static int dist_check(const struct rs_latency_panel_ask *ask, const struct rs_span_kind *kind,
		      struct rs_error *err)
{
	if (!kind)
		return rs_fail_usage(err, "no kind of span has the number %u", ask->kind);
	if (ask->from_ns >= ask->to_ns)
		return rs_fail_usage(err, "the time is empty: it must end after it begins");
	if (ask->one_track && ask->track.of != kind->track)
		return rs_fail_usage(err, "a '%s' is never on a track of that type", kind->name);
	if ((ask->pid || ask->tid) && kind->track != RS_TRACK_TASK && !kind->of_task && !kind->get_tid)
		return rs_fail_usage(err, "it is not kept whose a '%s' is: ask without pid and tid",
				     kind->name);
	if (ask->as == RS_LATENCY_DIST_HEAT && (!ask->columns || ask->columns > RS_MAX_CELLS))
		return rs_fail_usage(err, "a heat map has 1 to %u columns", RS_MAX_CELLS);
	if (ask->as == RS_LATENCY_DIST_SLOWEST && (!ask->limit || ask->limit > RS_MAX_SLOWEST))
		return rs_fail_usage(err, "of the longest 1 to %u can be asked for", RS_MAX_SLOWEST);
	return 0;
}

struct rs_latency_dist *rs_latency_dist_new(struct rs_timelines *t, const struct rs_latency_panel_ask *ask,
					    struct rs_error *err)
{
	const struct rs_span_kind *kind = rs_timelines_kind_number(t, ask->kind);
	struct rs_latency_dist *l;

	if (dist_check(ask, kind, err) < 0)
		return NULL;
	l = calloc(1, sizeof *l);
	if (l) {
		l->ask = *ask;
		l->timelines = t;
		l->kind = kind;
		l->min_ns = ask->min_ns;
		rs_span_walk_init(&l->walk, t, ask->from_ns, ask->to_ns);
		l->cells = rs_track_cells_count(ask->from_ns, ask->to_ns, ask->columns ? ask->columns : 1);
		rs_hist_init(&l->hist);
		if (take_memory(l))
			return l;
	}
	rs_latency_dist_free(l);
	rs_fail(err, "cannot read latencies: out of memory");
	return NULL;
}

uint64_t rs_latency_dist_nr(const struct rs_latency_dist *l)
{
	return rs_span_walk_nr(&l->walk);
}

void rs_latency_dist_free(struct rs_latency_dist *l)
{
	if (!l)
		return;
	rs_hist_done(&l->hist);
	free(l->heat);
	free(l->slowest);
	rs_span_walk_done(&l->walk);
	free(l->known);
	free(l);
}

/* ---- the longest of each kind ---- */

struct dist_group {
	unsigned int kind;
	struct rs_slowest_span *heap;
	size_t nr;
};

struct dist_search {
	struct rs_timelines *t;
	struct dist_group groups[DIST_MAX_GROUPS];
	unsigned int nr_groups;
	size_t limit;
	uint64_t from_ns, to_ns, at_least_ns, below_ns, left;
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	rs_latency_dist_passes *passes;
	const void *where;
	bool failed;
};

static struct dist_group *dist_find_group(struct dist_search *w, const struct rs_timeline_span *s)
{
	unsigned int kind = s->kind & ~RS_KIND_OPEN;
	struct dist_group *g;

	for (g = w->groups; g < w->groups + w->nr_groups; g++)
		if (g->kind == kind)
			return g;
	if (w->nr_groups == DIST_MAX_GROUPS)
		return NULL;
	*g = (struct dist_group){ kind, calloc(w->limit, sizeof *g->heap), 0 };
	w->failed |= !g->heap;
	w->nr_groups += g->heap != NULL;
	return g->heap ? g : NULL;
}

static bool dist_visit_span(void *arg, const struct rs_timeline_span *s)
{
	struct dist_search *w = arg;
	uint64_t duration_ns = s->end_ns - s->start_ns;
	struct dist_group *g;

	if (s->end_ns >= w->to_ns || !w->left)
		return false;
	w->left--;
	if (s->end_ns < w->from_ns || duration_ns >= w->below_ns || !rs_timelines_is_slowest(w->t, s) ||
	    (w->passes && !w->passes(w->where, &w->ref, s)))
		return true;
	g = dist_find_group(w, s);
	if (g)
		dist_add_slowest(g->heap, &g->nr, w->limit,
				 &(struct rs_slowest_span){ w->ref, w->shape, *s });
	return !w->failed;
}

static void dist_search_all(struct dist_search *w, const struct rs_timeline_track *tracks, size_t nr)
{
	struct rs_timeline_range range = { w->from_ns, w->to_ns, w->at_least_ns };

	for (size_t i = 0; i < nr && w->left && !w->failed; i++) {
		w->shape = rs_track_shape_of(tracks[i].type);
		w->ref = (struct rs_track_ref){ rs_track_type_of(tracks[i].type), tracks[i].id };
		if (1u << w->shape & DIST_SHAPES && rs_track_is_shown(w->t, &w->ref))
			rs_timeline_query(rs_timelines_of(w->t), tracks[i].number, &range, dist_visit_span,
					  w);
	}
}

static int dist_compare_kind(const void *a, const void *b)
{
	const struct dist_group *x = a, *y = b;

	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static struct rs_slowest_span *dist_collect(struct dist_search *w, size_t *nr)
{
	struct rs_slowest_span *all = calloc(DIST_MAX_GROUPS * w->limit, sizeof *all);

	qsort(w->groups, w->nr_groups, sizeof *w->groups, dist_compare_kind);
	for (struct dist_group *g = w->groups; g < w->groups + w->nr_groups; g++) {
		dist_sort_slowest(g->heap, g->nr);
		for (size_t i = 0; all && i < g->nr; i++)
			all[(*nr)++] = g->heap[i];
		free(g->heap);
	}
	return all;
}

/*
 * Searches from the longest on, ten times shorter in each round: skips parts of the tree without spans that
 * long.
 */
struct rs_slowest_span *rs_latency_dist_find_slowest(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns,
						     size_t limit, uint64_t budget,
						     rs_latency_dist_passes *passes, const void *where,
						     size_t *nr)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	size_t nr_tracks = rs_timeline_tracks(tl, NULL, 0);
	struct rs_timeline_track *tracks = calloc(nr_tracks + 1, sizeof *tracks);
	struct dist_search w = {
		.t = t, .limit = limit < RS_SLOWEST_MOST ? limit : RS_SLOWEST_MOST, .from_ns = from_ns,
		.to_ns = to_ns,
		.below_ns = UINT64_MAX, .left = budget, .passes = passes, .where = where,
	};
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
		dist_search_all(&w, tracks, nr_tracks);
		w.below_ns = w.at_least_ns;
	}
	all = dist_collect(&w, nr);
	free(tracks);
	return all;
}
