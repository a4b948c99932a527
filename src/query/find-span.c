// SPDX-License-Identifier: GPL-2.0-or-later
/* find-span - finds the span at a place of a picture, or by its times */
#include "query/find-span.h"

#include <stdlib.h>

#define MAX_COVERING 64

/* Spans that share a moment with a range, up to a limit. */
struct covering {
	struct rs_timeline_span spans[MAX_COVERING];
	unsigned int nr;
};

static bool find_span_add(void *arg, const struct rs_timeline_span *s)
{
	struct covering *c = arg;

	c->spans[c->nr++] = *s;
	return c->nr < MAX_COVERING;
}

/* Outermost first. */
static int by_start(const void *a, const void *b)
{
	const struct rs_timeline_span *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->end_ns > y->end_ns ? -1 : x->end_ns < y->end_ns;
}

static void cover(struct rs_timelines *t, const struct rs_find_span *ask, uint64_t at_ns, struct covering *c)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct rs_timeline_range moment = { .from_ns = at_ns, .to_ns = at_ns + 1 };
	size_t nr_open;
	const struct rs_open_span *open = rs_track_cells_in_flight(ask->opens, &ask->ref, ask->shape,
								   &nr_open);

	c->nr = 0;
	rs_timeline_query(tl, rs_track_timeline(tl, &ask->ref, ask->shape), &moment, find_span_add, c);
	for (size_t i = 0; i < nr_open && c->nr < MAX_COVERING; i++)
		if (open[i].span.start_ns <= at_ns && open[i].span.end_ns >= at_ns)
			c->spans[c->nr++] = open[i].span;
	qsort(c->spans, c->nr, sizeof *c->spans, by_start);
}

/* The number of spans around it. */
static unsigned int depth_of(struct rs_timelines *t, const struct rs_find_span *ask,
			     const struct rs_timeline_span *s)
{
	struct covering c;
	unsigned int depth = 0;

	cover(t, ask, s->start_ns, &c);
	for (unsigned int i = 0; i < c.nr; i++)
		depth += c.spans[i].start_ns <= s->start_ns && c.spans[i].end_ns >= s->end_ns &&
			 (c.spans[i].start_ns != s->start_ns || c.spans[i].end_ns != s->end_ns);
	return depth;
}

/* ---- by its times ---- */

struct find_span_search {
	const struct rs_find_span *ask;
	struct rs_timeline_span *found;
	bool any;
};

static bool find_span_kind_fits(const struct rs_find_span *ask, const struct rs_timeline_span *s)
{
	return !ask->kind_known || ask->kind == (s->kind & ~RS_KIND_OPEN);
}

static bool is_it(void *arg, const struct rs_timeline_span *s)
{
	struct find_span_search *f = arg;

	if (s->start_ns != f->ask->start_ns || s->end_ns != f->ask->end_ns || !find_span_kind_fits(f->ask, s))
		return true;
	*f->found = *s;
	f->any = true;
	return false;
}

static bool find_exact(struct rs_timelines *t, const struct rs_find_span *ask, struct rs_timeline_span *found)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct rs_timeline_range range = { .from_ns = ask->end_ns - (ask->end_ns > ask->start_ns),
					   .to_ns = ask->end_ns + 1,
					   .min_duration_ns = ask->end_ns - ask->start_ns };
	struct find_span_search f = { .ask = ask, .found = found };
	size_t nr_open;
	const struct rs_open_span *open = rs_track_cells_in_flight(ask->opens, &ask->ref, ask->shape,
								   &nr_open);

	rs_timeline_query(tl, rs_track_timeline(tl, &ask->ref, ask->shape), &range, is_it, &f);
	for (size_t i = 0; i < nr_open && !f.any; i++)
		if (open[i].span.start_ns == ask->start_ns && find_span_kind_fits(ask, &open[i].span)) {
			*found = open[i].span;
			f.any = true;
		}
	return f.any;
}

/* ---- by its place ---- */

static bool is_longer(void *arg, const struct rs_timeline_span *s)
{
	struct find_span_search *f = arg;

	if (!f->any || s->end_ns - s->start_ns > f->found->end_ns - f->found->start_ns)
		*f->found = *s;
	f->any = true;
	return true;
}

static bool find_slowest(struct rs_timelines *t, const struct rs_find_span *ask,
			 struct rs_timeline_span *found)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	uint32_t track = rs_track_timeline(tl, &ask->ref, ask->shape);
	struct rs_timeline_range range = { .from_ns = ask->at_ns, .to_ns = ask->at_ns + ask->for_ns };
	struct find_span_search f = { .ask = ask, .found = found };

	if (range.to_ns < range.from_ns)
		range.to_ns = UINT64_MAX;
	/* among very many spans, tries those first that are long for the place */
	for (range.min_duration_ns = ask->for_ns / 8;
	     !f.any && rs_timeline_count(tl, track, range.from_ns, range.to_ns); range.min_duration_ns /= 8) {
		rs_timeline_query(tl, track, &range, is_longer, &f);
		if (!range.min_duration_ns)
			break;
	}
	return f.any;
}

static bool find_at(struct rs_timelines *t, const struct rs_find_span *ask, struct rs_timeline_span *found)
{
	struct covering c;

	cover(t, ask, ask->at_ns, &c);
	if (!c.nr)
		return ask->for_ns && find_slowest(t, ask, found);
	*found = c.spans[ask->depth_known && ask->depth < c.nr ? ask->depth : c.nr - 1];
	return true;
}

bool rs_find_span(struct rs_timelines *t, const struct rs_find_span *ask, struct rs_timeline_span *found,
		  unsigned int *depth)
{
	if (!(ask->exact ? find_exact(t, ask, found) : find_at(t, ask, found)))
		return false;
	*depth = depth_of(t, ask, found);
	return true;
}
