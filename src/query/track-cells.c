// SPDX-License-Identifier: GPL-2.0-or-later
/* track-cells - what a row of a track looks like in so many cells */
#include "query/track-cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

#define NR_JITTERS 6          /* different styles in a cell */
#define NR_SAMPLES 4        /* pieces of a cell that are looked at */
#define IN_A_SAMPLE 16      /* spans, on average */
#define MAX_SAMPLE_ROWS 128
#define MAX_LATER 1024      /* that end after the picture: few, they lie over one another */

struct jitter {
	uint64_t style, ns;
	uint16_t kind;
	bool used;
};

struct cell {
	struct jitter jitters[NR_JITTERS];
	uint64_t ns;           /* that spans take of it; of instants: how many */
	uint64_t nr;           /* that end in it */
	bool goes_on;          /* one goes on beyond it */
};

/* The picture that is being made. */
struct grid {
	struct rs_timelines *t;
	const struct rs_track_cells_request *ask;
	struct cell *cells;    /* nr_depths rows */
	unsigned int nr_depths;
	uint64_t end_ns;       /* of the last cell */
	uint32_t track;
	const struct rs_open_span *open; /* of this row */
	size_t nr_open;
};

struct rs_cells rs_track_cells_count(uint64_t from_ns, uint64_t to_ns, unsigned int nr)
{
	struct rs_cells c = { .from_ns = from_ns, .nr = nr };
	uint64_t duration_ns = to_ns > from_ns ? to_ns - from_ns : 0;

	c.cell_ns = duration_ns / nr + (duration_ns % nr != 0);
	if (!c.cell_ns)
		c.cell_ns = 1;
	if (c.from_ns > UINT64_MAX - c.cell_ns * nr - 1) /* it is no more than nr longer than the range */
		c.from_ns = UINT64_MAX - c.cell_ns * nr - 1;
	return c;
}

uint64_t rs_track_cells_span_style(const struct rs_timelines *t, const struct rs_timeline_span *span)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, span);

	if (!kind || !kind->label)
		return 0;
	if (kind->track == RS_TRACK_TASK && kind->shape == RS_SPAN_STATE)
		return span->arg & RS_STATE_STYLE;
	return kind->label_bits ? span->arg & kind->label_bits : span->arg;
}

/* ---- cells ---- */

static struct cell *cell_at(const struct grid *g, unsigned int depth, unsigned int cell)
{
	return &g->cells[depth * g->ask->cells.nr + cell];
}

/* The one that took least gives way: what takes most of a cell stays. */
static void jitter(struct cell *c, uint16_t kind, uint64_t style, uint64_t ns)
{
	struct jitter *least = &c->jitters[0];

	c->ns += ns;
	for (struct jitter *v = c->jitters; v < c->jitters + NR_JITTERS; v++) {
		if (!v->used || (v->kind == kind && v->style == style)) {
			*v = (struct jitter){ .style = style, .ns = v->ns + ns, .kind = kind, .used = true };
			return;
		}
		if (v->ns < least->ns)
			least = v;
	}
	*least = (struct jitter){ .style = style, .ns = ns, .kind = kind, .used = true };
}

static unsigned int cell_of(const struct rs_cells *c, uint64_t ts_ns)
{
	return (unsigned int)((ts_ns - c->from_ns) / c->cell_ns);
}

/* last: of what finds no room, only where it ends. */
static void paint(struct grid *g, unsigned int depth, const struct rs_timeline_span *s, bool last_only)
{
	const struct rs_cells *c = &g->ask->cells;
	uint64_t from_ns = s->start_ns > c->from_ns ? s->start_ns : c->from_ns;
	uint64_t to_ns = s->end_ns < g->end_ns ? s->end_ns : g->end_ns,
	style = rs_track_cells_span_style(g->t, s);
	unsigned int from = cell_of(c, from_ns), to = to_ns > from_ns ? cell_of(c, to_ns - 1) : from;
	uint16_t kind = s->kind & (uint16_t)~RS_KIND_OPEN;

	for (unsigned int i = last_only ? to : from; i <= to && i < c->nr; i++) {
		uint64_t begin_ns = c->from_ns + i * c->cell_ns, end_ns = begin_ns + c->cell_ns;
		uint64_t part_ns = (end_ns < to_ns ? end_ns : to_ns) -
				   (begin_ns > from_ns ? begin_ns : from_ns);

		jitter(cell_at(g, depth, i), kind, style, s->end_ns == s->start_ns ? 1 : part_ns);
		if (i < to || s->end_ns > g->end_ns)
			cell_at(g, depth, i)->goes_on = true;
		else
			cell_at(g, depth, i)->nr++;
	}
}

/* ---- which row ---- */

/* Spans in the order of their ends; depth: the row of each, RS_TRACK_DEPTHS where it finds none. */
struct track_cells_walk {
	struct rs_timeline_span *spans;
	uint8_t *depths;
	size_t nr, max;
};

static bool track_cells_collect_span(void *arg, const struct rs_timeline_span *s)
{
	struct track_cells_walk *w = arg;

	w->spans[w->nr++] = *s;
	return w->nr < w->max;
}

/*
 * In the order of ends, backwards, what is around a span comes before it. Those that end together were
 * emitted innermost first.
 */
static void place_nested(struct track_cells_walk *w)
{
	uint64_t starts[64];
	unsigned int depth = 0;

	for (size_t i = w->nr; i--;) {
		const struct rs_timeline_span *s = &w->spans[i];

		while (depth && starts[depth - 1] >= s->end_ns && s->end_ns > s->start_ns)
			depth--;
		w->depths[i] = (uint8_t)(depth < RS_TRACK_DEPTHS ? depth : RS_TRACK_DEPTHS);
		if (depth < 64 && s->end_ns > s->start_ns)
			starts[depth++] = s->start_ns;
	}
}

/* What overlaps lies below one another, in the first row that is free. */
static void place_beside(struct track_cells_walk *w)
{
	uint64_t starts[RS_TRACK_DEPTHS];
	unsigned int depth;

	memset(starts, 0xff, sizeof starts);
	for (size_t i = w->nr; i--;) {
		const struct rs_timeline_span *s = &w->spans[i];

		for (depth = 0; depth < RS_TRACK_DEPTHS && starts[depth] < s->end_ns; depth++)
			;
		if (depth < RS_TRACK_DEPTHS)
			starts[depth] = s->start_ns;
		w->depths[i] = (uint8_t)depth;
	}
}

static void place(const struct grid *g, struct track_cells_walk *w)
{
	if (g->ask->shape == RS_SPAN_SLICE)
		place_nested(w);
	else if (g->ask->shape == RS_SPAN_ASYNC || g->ask->shape == RS_SPAN_COUNTER)
		place_beside(w);
	else
		memset(w->depths, 0, w->nr);
}

/* The open ones end last, innermost first; of more than max those that have lasted longest. */
static void add_open(const struct grid *g, struct track_cells_walk *w, uint64_t from_ns, uint64_t to_ns,
		     size_t max)
{
	for (size_t i = g->nr_open < max ? g->nr_open : max; i--;)
		if (g->open[i].span.start_ns < to_ns && g->open[i].span.end_ns > from_ns)
			w->spans[w->nr++] = g->open[i].span;
}

/* ---- a row that is walked over ---- */

static bool walk(struct grid *g, size_t max)
{
	const struct rs_track_cells_request *ask = g->ask;
	struct rs_timeline_range range = { .from_ns = ask->cells.from_ns, .to_ns = g->end_ns };
	struct track_cells_walk w = { .max = max };

	w.spans = malloc((max + g->nr_open) * (sizeof *w.spans + 1));
	if (!w.spans)
		return false;
	w.depths = (uint8_t *)(w.spans + max + g->nr_open);
	rs_timeline_query(rs_timelines_of(g->t), g->track, &range, track_cells_collect_span, &w);
	add_open(g, &w, range.from_ns, range.to_ns, g->nr_open);
	place(g, &w);
	for (size_t i = 0; i < w.nr; i++) {
		bool fits = w.depths[i] < RS_TRACK_DEPTHS;

		paint(g, fits ? w.depths[i] : RS_TRACK_DEPTHS - 1, &w.spans[i], !fits);
		if (ask->span)
			ask->span(ask->arg, &w.spans[i]);
	}
	free(w.spans);
	return true;
}

/* ---- a row that is sampled ---- */

/*
 * By chance, but the same for the same time: what comes again and again in step is not always met at the same
 * point.
 */
static uint64_t at_random(uint64_t ns, uint64_t below)
{
	ns = (ns ^ ns >> 33) * 0xff51afd7ed558ccdu;
	ns = (ns ^ ns >> 33) * 0xc4ceb9fe1a85ec53u;
	return below ? (ns ^ ns >> 33) % below : 0;
}

/* What is in a piece of it stands for a part of the cell. */
static void track_cells_sample(struct grid *g, unsigned int cell, uint64_t from_ns, uint64_t to_ns,
			       uint64_t part_ns)
{
	struct rs_timeline_span spans[MAX_SAMPLE_ROWS + RS_TRACK_DEPTHS];
	uint8_t depths[MAX_SAMPLE_ROWS + RS_TRACK_DEPTHS];
	struct track_cells_walk w = { .spans = spans, .depths = depths, .max = MAX_SAMPLE_ROWS };
	uint64_t cell_end_ns = g->ask->cells.from_ns + (cell + 1) * g->ask->cells.cell_ns;

	rs_timeline_query(rs_timelines_of(g->t), g->track, &(struct rs_timeline_range){ from_ns, to_ns, 0 },
			  track_cells_collect_span, &w);
	add_open(g, &w, from_ns, to_ns, RS_TRACK_DEPTHS);
	place(g, &w);
	for (size_t i = 0; i < w.nr; i++) {
		const struct rs_timeline_span *s = &spans[i];
		unsigned int depth = depths[i] < RS_TRACK_DEPTHS ? depths[i] : RS_TRACK_DEPTHS - 1;
		uint64_t ns = (s->end_ns < to_ns ? s->end_ns : to_ns) -
			      (s->start_ns > from_ns ? s->start_ns : from_ns);
		struct cell *c = cell_at(g, depth, cell);

		ns = (uint64_t)((unsigned __int128)ns * part_ns / (to_ns - from_ns));
		jitter(c, s->kind & (uint16_t)~RS_KIND_OPEN, rs_track_cells_span_style(g->t, s), ns ? ns : 1);
		c->goes_on |= s->end_ns > cell_end_ns;
		/*
		 * of what is below the first row it is not known how many there are; one that goes on counts
		 * where it ends
		 */
		c->nr += depth && !c->nr && s->end_ns <= cell_end_ns;
	}
}

static void sample_cell(struct grid *g, unsigned int cell, uint64_t nr_spans)
{
	const struct rs_cells *cells = &g->ask->cells;
	uint64_t begin_ns = cells->from_ns + cell * cells->cell_ns, part_ns = cells->cell_ns / NR_SAMPLES;
	uint64_t piece_ns = (uint64_t)((unsigned __int128)cells->cell_ns * IN_A_SAMPLE / (nr_spans + 1));

	if (!part_ns) /* so short, and so many: nothing but a few nanoseconds each */
		part_ns = 1;
	if (piece_ns > part_ns)
		piece_ns = part_ns;
	if (!piece_ns)
		piece_ns = 1;
	for (uint64_t at_ns = begin_ns; at_ns < begin_ns + cells->cell_ns; at_ns += part_ns) {
		uint64_t from_ns = at_ns + at_random(at_ns, part_ns - piece_ns + 1);

		track_cells_sample(g, cell, from_ns, from_ns + piece_ns, part_ns);
	}
}

/* Spans that no sample met, so far apart, or without a length. */
static void show_one(struct grid *g, unsigned int cell)
{
	const struct rs_cells *cells = &g->ask->cells;
	struct rs_timeline_span than = { .end_ns = cells->from_ns + cell * cells->cell_ns }, s;
	struct cell *c = cell_at(g, 0, cell);

	if (c->nr && !c->ns &&
	    rs_timeline_nearest(rs_timelines_of(g->t), g->track, false, &than, 0, NULL, NULL, &s))
		jitter(c, s.kind & (uint16_t)~RS_KIND_OPEN, rs_track_cells_span_style(g->t, &s), 1);
}

static void sample_all(struct grid *g)
{
	const struct rs_cells *cells = &g->ask->cells;
	const struct rs_timeline *tl = rs_timelines_of(g->t);

	for (unsigned int i = 0; i < cells->nr; i++) {
		/* one that ends where the cell does is in it; without a length it is in the next */
		uint64_t begin_ns = cells->from_ns + i * cells->cell_ns +
				    !rs_span_has_no_length(g->ask->shape);
		uint64_t nr = rs_timeline_count(tl, g->track, begin_ns, begin_ns + cells->cell_ns);

		if (!rs_span_has_no_length(g->ask->shape))
			sample_cell(g, i, nr);
		cell_at(g, 0, i)->nr = nr;
		show_one(g, i);
	}
}

/* ---- runs ---- */

static enum rs_cause cause_of(const struct jitter *v)
{
	return rs_cause_of_state(rs_state_of(v->style), rs_state_cause(v->style));
}

/* RS_NR_CAUSES: any. */
static unsigned int cause_that_wins(const struct grid *g, const struct cell *c)
{
	uint64_t ns[RS_NR_CAUSES] = { 0 };

	if (!g->ask->is_history)
		return RS_NR_CAUSES;
	for (const struct jitter *v = c->jitters; v < c->jitters + NR_JITTERS && v->used; v++)
		ns[cause_of(v)] += v->ns;
	return rs_cause_of_piece(ns);
}

/* Of equal shares the kind that comes first. */
static const struct jitter *winner(const struct grid *g, const struct cell *c)
{
	const struct jitter *best = NULL;
	unsigned int cause = cause_that_wins(g, c);

	for (const struct jitter *v = c->jitters; v < c->jitters + NR_JITTERS && v->used; v++) {
		if (cause < RS_NR_CAUSES && cause_of(v) != cause)
			continue;
		if (!best || v->ns > best->ns || (v->ns == best->ns && v->kind < best->kind))
			best = v;
	}
	return best;
}

static unsigned int eighths_of(const struct grid *g, const struct cell *c)
{
	uint64_t cell_ns = g->ask->cells.cell_ns, ns = c->ns < cell_ns ? c->ns : cell_ns;
	unsigned int n = (unsigned int)(((unsigned __int128)ns * 8 + cell_ns / 2) / cell_ns);

	return n ? n : 1;
}

/* The cell goes on with the run before it; two spans that only touch do not. */
static bool goes_with(const struct grid *g, const struct cell *before, const struct cell *c,
		      const struct rs_cell_run *run, const struct jitter *v)
{
	return v->kind == run->kind && v->style == run->style && eighths_of(g, c) == run->eighths &&
	       (before->goes_on || (before->nr > 1 && c->nr > 1));
}

static void emit_rows(struct grid *g, unsigned int depth)
{
	const struct cell *before = NULL;
	struct rs_cell_run run = { .to = 0 };
	unsigned int nr = g->ask->cells.nr;

	for (unsigned int i = 0; i <= nr; i++) {
		const struct cell *c = i < nr ? cell_at(g, depth, i) : NULL;
		const struct jitter *v = c ? winner(g, c) : NULL;

		if (before && v && goes_with(g, before, c, &run, v)) {
			run.to++;
			run.nr += c->nr;
			before = c;
			continue;
		}
		if (before) {
			run.nr += before->goes_on || !run.nr;
			g->ask->run(g->ask->arg, depth, &run);
		}
		before = v ? c : NULL;
		if (v)
			run = (struct rs_cell_run){ i, i + 1, v->kind, v->style, c->nr, eighths_of(g, c) };
	}
}

static const struct rs_open_span *first_open(const struct rs_opens *o, uint32_t type, uint64_t id)
{
	size_t from = 0, to = o->nr;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (o->spans[mid].type < type || (o->spans[mid].type == type && o->spans[mid].id < id))
			from = mid + 1;
		else
			to = mid;
	}
	return o->spans + from;
}

const struct rs_open_span *rs_track_cells_in_flight(const struct rs_opens *o, const struct rs_track_ref *ref,
						    enum rs_span_shape shape, size_t *nr)
{
	uint32_t type = rs_track_type(ref->of, shape);
	const struct rs_open_span *first;

	*nr = 0;
	if (!o || !o->nr)
		return NULL;
	first = first_open(o, type, ref->id);
	while (first + *nr < o->spans + o->nr && first[*nr].type == type && first[*nr].id == ref->id)
		++*nr;
	return first;
}

bool rs_track_cells_draw(struct rs_timelines *t, const struct rs_track_cells_request *ask)
{
	const struct rs_cells *cells = &ask->cells;
	struct grid g = { .t = t, .ask = ask, .end_ns = cells->from_ns + cells->nr * cells->cell_ns };
	size_t most = (size_t)RS_TRACK_CELL_SPANS * cells->nr;
	bool ok = true;

	g.track = rs_track_timeline(rs_timelines_of(t), &ask->ref, ask->shape);
	g.open = rs_track_cells_in_flight(ask->opens, &ask->ref, ask->shape, &g.nr_open);
	if (!g.track && !g.nr_open)
		return true;
	g.nr_depths = ask->shape == RS_SPAN_STATE || rs_span_has_no_length(ask->shape) ? 1 : RS_TRACK_DEPTHS;
	g.cells = calloc((size_t)g.nr_depths * cells->nr, sizeof *g.cells);
	if (!g.cells)
		return false;
	if (rs_timeline_count(rs_timelines_of(t), g.track, cells->from_ns, g.end_ns) <= most)
		ok = walk(&g, most + MAX_LATER);
	else
		sample_all(&g);
	for (unsigned int depth = 0; ok && depth < g.nr_depths; depth++)
		emit_rows(&g, depth);
	free(g.cells);
	return ok;
}

/* ---- what is open ---- */

static void track_cells_add_in_flight(void *arg, uint32_t type, uint64_t id,
				      const struct rs_timeline_span *span)
{
	struct rs_opens *o = arg;
	struct rs_open_span *open = RS_VECTOR_ADD(&o->spans, &o->nr, &o->max);

	if (open)
		*open = (struct rs_open_span){ type, id, *span };
	o->failed |= !open;
}

static int by_track(const void *a, const void *b)
{
	const struct rs_open_span *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->span.start_ns != y->span.start_ns)
		return x->span.start_ns < y->span.start_ns ? -1 : 1;
	return (int)x->span.kind - (int)y->span.kind;
}

bool rs_track_cells_add_in_flight(struct rs_opens *o, struct rs_timelines *t, struct rs_session *s)
{
	o->nr = 0;
	o->failed = false;
	rs_timelines_open(t, s, track_cells_add_in_flight, o);
	if (o->nr)
		qsort(o->spans, o->nr, sizeof *o->spans, by_track);
	return !o->failed;
}

void rs_track_cells_free_in_flight(struct rs_opens *o)
{
	free(o->spans);
	*o = (struct rs_opens){ .nr = 0 };
}
