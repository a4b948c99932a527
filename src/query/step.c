// SPDX-License-Identifier: GPL-2.0-or-later
/* step - steps from one span to the next over many tracks: by end, or by duration */
#include "query/step.h"

#include <stdlib.h>

#define BY_LENGTH_SHAPES (1u << RS_SPAN_SLICE | 1u << RS_SPAN_STATE | 1u << RS_SPAN_ASYNC)
#define SLOWEST_NS (1ull << 42) /* more than an hour: a search by duration begins there, */
#define SHORTER_BY 4 /* and continues with durations that many times shorter, until a round finds a span */

struct step_track {
	struct rs_track_ref ref;
	unsigned int shapes;               /* 1 << enum rs_span_shape */
};

struct rs_stepping {
	struct rs_timelines *t;
	struct rs_step ask;
	struct step_track *tracks;
	size_t nr_tracks;
	size_t at;                        /* rows that are done: RS_NR_SPAN_SHAPES of each track */
	uint64_t left;                    /* spans and rows, of this batch */
	uint64_t at_least_ns;             /* by length: of this round over all tracks */
	bool any;
	struct rs_slowest_span found;        /* the nearest so far */
};

static enum rs_span_shape shape_at(const struct rs_stepping *s)
{
	return (enum rs_span_shape)(s->at % RS_NR_SPAN_SHAPES);
}

/* Returns 0 if the track has no such row, or it was not requested. */
static uint32_t track_at(const struct rs_stepping *s, unsigned int shapes)
{
	const struct step_track *track = &s->tracks[s->at / RS_NR_SPAN_SHAPES];

	if (!(1u << shape_at(s) & track->shapes & shapes))
		return 0;
	return rs_track_timeline(rs_timelines_of(s->t), &track->ref, shape_at(s));
}

static bool step_is_last(const struct rs_stepping *s)
{
	return s->at >= s->nr_tracks * RS_NR_SPAN_SHAPES;
}

/* ---- which comes first ---- */

/* By end, then by start, as in a timeline. */
static int by_end(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	if (a->end_ns != b->end_ns)
		return a->end_ns < b->end_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static uint64_t step_duration_of(const struct rs_timeline_span *s)
{
	return s->end_ns - s->start_ns;
}

/*
 * The longest first; of two as long the one that ended first. A call and the wait in it, if they are one, are
 * one.
 */
static int step_compare_duration(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	if (step_duration_of(a) != step_duration_of(b))
		return step_duration_of(a) > step_duration_of(b) ? -1 : 1;
	return by_end(a, b);
}

static int step_order(const struct rs_stepping *s, const struct rs_timeline_span *a,
		      const struct rs_timeline_span *b)
{
	int order = s->ask.by_duration ? step_compare_duration(a, b) : by_end(a, b);

	return s->ask.back ? -order : order;
}

/* Strictly: of two alike on different tracks the one that was found first stays. */
static void take_nearer(struct rs_stepping *s, const struct rs_timeline_span *span)
{
	if (s->any && step_order(s, span, &s->found.span) >= 0)
		return;
	s->found = (struct rs_slowest_span){ s->tracks[s->at / RS_NR_SPAN_SHAPES].ref, shape_at(s), *span };
	s->any = true;
}

/* ---- by end: each row is searched ---- */

/* Its kind and argument are unknown, so all spans with the times of *than are skipped. */
static void find_by_end(struct rs_stepping *s)
{
	struct rs_timeline *tl = rs_timelines_of(s->t);
	struct rs_timeline_span than = s->ask.than, span;
	const struct rs_timeline_span *from = s->ask.than_known ? &than : NULL;
	uint32_t track = track_at(s, UINT32_MAX);

	than.kind = s->ask.back ? 0 : UINT16_MAX;
	than.arg = s->ask.back ? 0 : UINT64_MAX;
	if (track && rs_timeline_nearest(tl, track, s->ask.back, from, s->ask.min_ns, NULL, NULL, &span))
		take_nearer(s, &span);
}

/* ---- by length: rounds over all rows, of shorter and shorter ones ---- */

static bool step_visit_span(void *arg, const struct rs_timeline_span *span)
{
	struct rs_stepping *s = arg;

	s->left -= s->left > 0;
	if (span->end_ns < s->ask.from_ns)
		return true;
	if (span->end_ns >= s->ask.to_ns)
		return false;
	if ((!s->ask.than_known || step_order(s, span, &s->ask.than) > 0) &&
	    !rs_timelines_by_choice(s->t, span))
		take_nearer(s, span);
	return true;
}

static void find_by_duration(struct rs_stepping *s)
{
	struct rs_timeline_range range = { s->ask.from_ns, s->ask.to_ns, s->at_least_ns };
	uint32_t track = track_at(s, BY_LENGTH_SHAPES);

	if (track)
		rs_timeline_query(rs_timelines_of(s->t), track, &range, step_visit_span, s);
}

/* A step back, to longer spans, takes one round. */
static uint64_t first_round_ns(const struct rs_step *ask)
{
	uint64_t than_ns = ask->than_known ? step_duration_of(&ask->than) : SLOWEST_NS;

	return !ask->back ? than_ns / SHORTER_BY : ask->than_known ? than_ns : 0;
}

static bool goes_on_shorter(struct rs_stepping *s)
{
	if (!s->ask.by_duration || s->ask.back || s->any || !s->at_least_ns || !s->nr_tracks)
		return false;
	s->at_least_ns /= SHORTER_BY;
	s->at = 0;
	return true;
}

/* ---- batches ---- */

bool rs_step_go(struct rs_stepping *s, uint64_t nr_spans)
{
	s->left = nr_spans;
	do {
		for (; !step_is_last(s) && s->left; s->at++) {
			s->left--;
			(s->ask.by_duration ? find_by_duration : find_by_end)(s);
		}
	} while (step_is_last(s) && goes_on_shorter(s));
	return !step_is_last(s);
}

bool rs_step_found(const struct rs_stepping *s, struct rs_slowest_span *found)
{
	*found = s->found;
	return s->any;
}

/* ---- which tracks ---- */

static bool take_asked(struct rs_stepping *s, const struct rs_step *ask)
{
	size_t nr = ask->nr_tracks < RS_STEP_TRACKS ? ask->nr_tracks : RS_STEP_TRACKS;

	s->tracks = calloc(nr + 1, sizeof *s->tracks);
	for (; s->tracks && s->nr_tracks < nr; s->nr_tracks++)
		s->tracks[s->nr_tracks] = (struct step_track){ ask->tracks[s->nr_tracks], ask->shapes };
	return s->tracks;
}

/* In a timeline each row is a track. */
static bool step_take_all(struct rs_stepping *s, const struct rs_step *ask)
{
	struct rs_timeline *tl = rs_timelines_of(s->t);
	size_t nr = rs_timeline_tracks(tl, NULL, 0);
	struct rs_timeline_track *all = calloc(nr + 1, sizeof *all);

	s->tracks = calloc(nr + 1, sizeof *s->tracks);
	if (all && s->tracks)
		rs_timeline_tracks(tl, all, nr);
	for (size_t i = 0; all && s->tracks && i < nr; i++) {
		struct step_track track = { { rs_track_type_of(all[i].type), all[i].id },
					    1u << rs_track_shape_of(all[i].type) & ask->shapes };

		if (track.shapes && rs_track_is_shown(s->t, &track.ref))
			s->tracks[s->nr_tracks++] = track;
	}
	free(all);
	return all && s->tracks;
}

struct rs_stepping *rs_step_new(struct rs_timelines *t, const struct rs_step *ask)
{
	struct rs_stepping *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->t = t;
	s->ask = *ask;
	s->ask.tracks = NULL; /* the caller's */
	s->at_least_ns = first_round_ns(ask);
	if (!(ask->all_tracks ? step_take_all : take_asked)(s, ask)) {
		rs_step_free(s);
		return NULL;
	}
	return s;
}

void rs_step_free(struct rs_stepping *s)
{
	if (s)
		free(s->tracks);
	free(s);
}
