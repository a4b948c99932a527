// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-query.c - queries of a timeline: by time, by duration, by track
 */
#include "model/timeline-parts.h"

#include <stdlib.h>

/*
 * A walk over the spans of a track that end in [first_end_ns, last_end_ns], start before before_ns and are
 * long enough.
 */
struct timeline_query_walk {
	const struct rs_timeline *tl;
	uint64_t first_end_ns, last_end_ns, before_ns, min_duration_ns;
	/* a span with a duration that ends here only touches the range; UINT64_MAX: no such moment */
	uint64_t touches_ns;
	bool backward;
	rs_timeline_each *each;
	void *arg;
};

static struct rs_timeline_span unpacked(const struct rs_packed_span *s)
{
	uint64_t duration_ns = rs_packed_duration_ns(s);

	return (struct rs_timeline_span){
		.start_ns = s->end_ns - duration_ns,
		.end_ns = s->end_ns,
		.arg = s->arg,
		.kind = (uint16_t)s->length_kind,
		.longer = duration_ns == RS_TIMELINE_MAX_DURATION_NS,
	};
}

/* Returns false if the walk ends here. */
static bool timeline_query_visit_span(const struct timeline_query_walk *w, const struct rs_packed_span *s)
{
	uint64_t duration_ns = rs_packed_duration_ns(s);
	struct rs_timeline_span span;

	if (duration_ns < w->min_duration_ns || s->end_ns - duration_ns >= w->before_ns ||
	    (s->end_ns == w->touches_ns && duration_ns))
		return true;
	span = unpacked(s);
	return w->each(w->arg, &span);
}

static bool left_out(const struct timeline_query_walk *w, uint64_t min_start_ns, uint64_t max_duration_ns)
{
	return min_start_ns >= w->before_ns || max_duration_ns < w->min_duration_ns;
}

static bool walk_chunk(const struct timeline_query_walk *w, const struct rs_chunk *c)
{
	unsigned int from, to = c->nr;

	if (left_out(w, c->min_start_ns, c->max_duration_ns))
		return true;
	from = rs_timeline_chunk_lower(c, w->first_end_ns);
	if (c->last_end_ns > w->last_end_ns)
		to = rs_timeline_chunk_lower(c, w->last_end_ns + 1);
	for (unsigned int i = from; i < to; i++)
		if (!timeline_query_visit_span(w, &c->spans[w->backward ? to - 1 - (i - from) : i]))
			return false;
	return true;
}

/* Visits what is below a node, in time order or backward. Chunk 0 is no node. */
static bool walk_below(const struct timeline_query_walk *w, uint32_t at)
{
	const struct rs_chunk *c = &w->tl->chunks[at];
	uint32_t before = c->spans[0].end_ns >= w->first_end_ns ? c->left : 0;
	uint32_t after = c->last_end_ns <= w->last_end_ns ? c->right : 0;

	if (!at || left_out(w, c->below_min_start_ns, c->below_max_duration_ns))
		return true;
	return walk_below(w, w->backward ? after : before) && walk_chunk(w, c) &&
	       walk_below(w, w->backward ? before : after);
}

static bool walk_track(const struct timeline_query_walk *w, const struct rs_track_body *t)
{
	/* the latest spans; chunk 0 is always left out */
	const struct rs_chunk *tail = &w->tl->chunks[t->tail];

	return w->backward ? walk_chunk(w, tail) && walk_below(w, t->root) :
			     walk_below(w, t->root) && walk_chunk(w, tail);
}

bool rs_timeline_query(const struct rs_timeline *tl, uint32_t track, const struct rs_timeline_range *range,
		       rs_timeline_each *each, void *arg)
{
	const struct rs_track_body *t = rs_timeline_track_of(tl, track);
	struct timeline_query_walk w = {
		.tl = tl,
		.first_end_ns = range->from_ns,
		.last_end_ns = UINT64_MAX,
		.before_ns = range->to_ns,
		.min_duration_ns = range->min_duration_ns,
		.touches_ns = range->from_ns,
		.each = each,
		.arg = arg,
	};

	return !t || range->from_ns >= range->to_ns || walk_track(&w, t);
}

static int order_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int order(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	int by_end = order_u64(a->end_ns, b->end_ns), by_start = order_u64(a->start_ns, b->start_ns);
	int by_kind = (int)a->kind - (int)b->kind;

	return by_end ? by_end : by_start ? by_start : by_kind ? by_kind : order_u64(a->arg, b->arg);
}

/* The best match of a walk so far. */
struct timeline_query_search {
	const struct rs_timeline_span *than; /* NULL: any is right */
	int direction;           /* 1 forward, -1 back */
	rs_timeline_each *wanted;
	void *arg;
	bool found;
	struct rs_timeline_span *best;
};

static bool timeline_query_consider(void *arg, const struct rs_timeline_span *s)
{
	struct timeline_query_search *f = arg;

	if (f->found && s->end_ns != f->best->end_ns)
		return false; /* all spans with an equal end were visited */
	if ((f->than && order(s, f->than) * f->direction <= 0) ||
	    (f->found && order(s, f->best) * f->direction >= 0))
		return true;
	if (f->wanted && !f->wanted(f->arg, s))
		return true;
	f->found = true;
	*f->best = *s;
	return true;
}

bool rs_timeline_nearest(const struct rs_timeline *tl, uint32_t track, bool back,
			 const struct rs_timeline_span *than, uint64_t min_duration_ns,
			 rs_timeline_each *wanted, void *arg, struct rs_timeline_span *found)
{
	const struct rs_track_body *t = rs_timeline_track_of(tl, track);
	struct rs_timeline_span from = than ? *than : (struct rs_timeline_span){ 0 }; /* found may be than */
	struct timeline_query_search f = {
		.than = than ? &from : NULL, .direction = back ? -1 : 1, .wanted = wanted, .arg = arg,
		.best = found,
	};
	struct timeline_query_walk w = {
		.tl = tl,
		.first_end_ns = back ? 0 : from.end_ns,
		.last_end_ns = back && than ? from.end_ns : UINT64_MAX,
		.before_ns = UINT64_MAX,
		.min_duration_ns = min_duration_ns,
		.touches_ns = UINT64_MAX,
		.backward = back,
		.each = timeline_query_consider,
		.arg = &f,
	};

	if (t)
		walk_track(&w, t);
	return f.found;
}

static uint64_t ends_before(const struct rs_timeline *tl, const struct rs_track_body *t, uint64_t end_ns)
{
	uint64_t nr = t->tail ? rs_timeline_chunk_lower(&tl->chunks[t->tail], end_ns) : 0;

	for (uint32_t at = t->root; at;) {
		const struct rs_chunk *c = &tl->chunks[at];
		unsigned int own = rs_timeline_chunk_lower(c, end_ns);

		nr += own ? tl->chunks[c->left].below_nr + own : 0;
		at = own == c->nr ? c->right : own ? 0 : c->left;
	}
	return nr;
}

uint64_t rs_timeline_count(const struct rs_timeline *tl, uint32_t track, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_track_body *t = rs_timeline_track_of(tl, track);

	return !t || from_ns >= to_ns ? 0 : ends_before(tl, t, to_ns) - ends_before(tl, t, from_ns);
}

struct innermost {
	bool found;
	struct rs_timeline_span *best;
};

static bool find_innermost(void *arg, const struct rs_timeline_span *s)
{
	struct innermost *i = arg;

	if (!i->found || s->start_ns > i->best->start_ns ||
	    (s->start_ns == i->best->start_ns && s->end_ns < i->best->end_ns))
		*i->best = *s;
	i->found = true;
	return true;
}

bool rs_timeline_at(const struct rs_timeline *tl, uint32_t track, uint64_t at_ns,
		    struct rs_timeline_span *found)
{
	struct innermost i = { .best = found };
	struct rs_timeline_range moment = { .from_ns = at_ns, .to_ns = at_ns + 1 };

	rs_timeline_query(tl, track, &moment, find_innermost, &i);
	return i.found;
}

static int by_type_and_id(const void *a, const void *b)
{
	const struct rs_timeline_track *x = a, *y = b;
	int by_type = order_u64(x->type, y->type);

	return by_type ? by_type : order_u64(x->id, y->id);
}

size_t rs_timeline_tracks(const struct rs_timeline *tl, struct rs_timeline_track *list, size_t max)
{
	size_t nr = rs_timeline_tracks_of(tl, RS_TIMELINE_ANY_TYPE, list, max);

	if (nr && nr <= max)
		qsort(list, nr, sizeof *list, by_type_and_id);
	return nr;
}

size_t rs_timeline_tracks_of(const struct rs_timeline *tl, uint32_t type, struct rs_timeline_track *list,
			     size_t max)
{
	size_t nr = 0;

	for (uint32_t i = 1; i < tl->nr_tracks_used; i++) {
		const struct rs_track_body *t = &tl->tracks[i];

		if (rs_track_is_empty(t) || (type != RS_TIMELINE_ANY_TYPE && t->type != type))
			continue;
		if (nr < max)
			list[nr] = (struct rs_timeline_track){ .number = t->number, .type = t->type,
				.id = t->id };
		nr++;
	}
	return nr;
}
