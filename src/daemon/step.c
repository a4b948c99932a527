// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/step.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KINDS 64
#define LEAST_OF_A_LANE 500    /* of many tracks, too, each says what is usual on it */
#define ALL_LANES (1u << RS_SPAN_SLICE | 1u << RS_SPAN_STATE | 1u << RS_SPAN_ASYNC)

/* Why a walk along a track has come to a halt. */
enum halt { AT_ITS_END, AT_ONE, AT_A_PAUSE, BEYOND };

struct rs_stepping {
	struct rs_timelines *t;
	struct rs_step ask;
	struct rs_track_ref tracks[RS_STEP_TRACKS];
	size_t at;                        /* lanes that are done: RS_NR_LANES of each track */
	uint64_t left;                    /* spans, of this turn */
	/* what is usual */
	bool learned;
	struct rs_hist hists[MAX_KINDS];
	uint64_t more_than_ns[MAX_KINDS];
	uint64_t left_of_lane;
	/* the nearest */
	enum halt halt;
	bool goes_on;                     /* of this lane, from `from` on: the last turn came so far */
	struct rs_timeline_span from;
	bool any;
	struct rs_slow_span found;
};

static enum rs_span_shape lane_at(const struct rs_stepping *s)
{
	return (enum rs_span_shape)(s->at % RS_NR_LANES);
}

/* 0: it has no such lane, or nobody asked for it. */
static uint32_t track_at(const struct rs_stepping *s, unsigned int lanes)
{
	if (!(1u << lane_at(s) & s->ask.lanes & lanes))
		return 0;
	return rs_track_lane(rs_timelines_of(s->t), &s->tracks[s->at / RS_NR_LANES], lane_at(s));
}

static bool is_last(const struct rs_stepping *s)
{
	return s->at >= s->ask.nr_tracks * RS_NR_LANES;
}

/* ---- what is usual ---- */

static bool add_usual(void *arg, const struct rs_timeline_span *span)
{
	struct rs_stepping *s = arg;
	unsigned int kind = span->kind & ~RS_KIND_OPEN;

	if (!s->left_of_lane || span->end_ns >= s->ask.to_ns)
		return false;
	s->left_of_lane--;
	if (kind < MAX_KINDS && !rs_timelines_by_choice(s->t, span))
		rs_hist_add(&s->hists[kind], span->end_ns - span->start_ns);
	return true;
}

/* Each track has its part of the budget: one that is busy does not stand for all. False: it goes on in a later turn. */
static bool learn(struct rs_stepping *s)
{
	struct rs_timeline_range range = { s->ask.from_ns, s->ask.to_ns, 0 };
	uint64_t part = s->ask.budget / s->ask.nr_tracks;

	part = part > LEAST_OF_A_LANE ? part : LEAST_OF_A_LANE;
	for (; !is_last(s) && s->left; s->at++) {
		uint32_t track = track_at(s, ALL_LANES);
		uint64_t looked_at;

		s->left_of_lane = part;
		if (track)
			rs_timeline_query(rs_timelines_of(s->t), track, &range, add_usual, s);
		looked_at = part - s->left_of_lane + 1;
		s->left -= looked_at < s->left ? looked_at : s->left;
	}
	if (!is_last(s))
		return false;
	for (unsigned int i = 0; i < MAX_KINDS; i++)
		s->more_than_ns[i] = s->hists[i].nr ? rs_hist_quantile(&s->hists[i], 990) : 0;
	s->learned = true;
	s->at = 0;
	return true;
}

/* ---- the nearest ---- */

/* By end, then by start: as a timeline has them. */
static int order(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	if (a->end_ns != b->end_ns)
		return a->end_ns < b->end_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

/* Strictly: of two alike on different tracks the one that was found first stays. */
static bool is_nearer(const struct rs_stepping *s, const struct rs_timeline_span *span)
{
	int by = s->any ? order(span, &s->found.span) : 0;

	return !s->any || (s->ask.back ? by > 0 : by < 0);
}

static bool is_wanted(const struct rs_stepping *s, const struct rs_timeline_span *span)
{
	unsigned int kind = span->kind & ~RS_KIND_OPEN;

	if (!s->ask.outlier)
		return true;
	if (kind < MAX_KINDS && span->end_ns - span->start_ns <= s->more_than_ns[kind])
		return false;
	return !rs_timelines_by_choice(s->t, span);
}

/*
 * Of spans that end together the walk may ask for one after it was told to halt: each that is nearer is judged, and
 * what was said last is why it halts. A pause is at one that was judged, and the next turn begins behind it.
 */
static bool look_at(void *arg, const struct rs_timeline_span *span)
{
	struct rs_stepping *s = arg;

	if (!is_nearer(s, span)) {
		s->halt = BEYOND;
		return true;
	}
	if (is_wanted(s, span)) {
		s->halt = AT_ONE;
		return true;
	}
	if (s->halt == AT_A_PAUSE)
		return false;
	s->left -= s->left > 0;
	if (!s->left)
		s->halt = AT_A_PAUSE;
	return !s->left;
}

/* The nearest of a track: of its kind and argument nothing is known, so what is as *than is passed over. */
static bool nearest(struct rs_stepping *s, uint32_t track, struct rs_timeline_span *found)
{
	struct rs_timeline *tl = rs_timelines_of(s->t);
	struct rs_timeline_span than = s->ask.than;
	const struct rs_timeline_span *from = s->goes_on ? &s->from : s->ask.than_known ? &than : NULL;

	than.kind = s->ask.back ? 0 : UINT16_MAX;
	than.arg = s->ask.back ? 0 : UINT64_MAX;
	s->halt = AT_ITS_END;
	return s->ask.back ? rs_timeline_prev(tl, track, from, s->ask.min_ns, look_at, s, found) :
			     rs_timeline_next(tl, track, from, s->ask.min_ns, look_at, s, found);
}

/* False: the lane goes on in a later turn. */
static bool look_along(struct rs_stepping *s)
{
	uint32_t track = track_at(s, UINT32_MAX);
	struct rs_timeline_span span;
	bool halted = track && nearest(s, track, &span);

	s->goes_on = halted && s->halt == AT_A_PAUSE;
	if (s->goes_on)
		s->from = span;
	else if (halted && s->halt == AT_ONE) {
		s->found = (struct rs_slow_span){ s->tracks[s->at / RS_NR_LANES], lane_at(s), span };
		s->any = true;
	}
	return !s->goes_on;
}

bool rs_step_go(struct rs_stepping *s, uint64_t nr_spans)
{
	s->left = nr_spans;
	if (s->ask.outlier && !s->learned && s->ask.nr_tracks && !learn(s))
		return true;
	while (!is_last(s) && s->left) {
		s->left--;
		if (look_along(s))
			s->at++;
	}
	return !is_last(s);
}

bool rs_step_found(const struct rs_stepping *s, struct rs_slow_span *found)
{
	*found = s->found;
	return s->any;
}

struct rs_stepping *rs_step_new(struct rs_timelines *t, const struct rs_step *ask)
{
	struct rs_stepping *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->t = t;
	s->ask = *ask;
	s->ask.nr_tracks = ask->nr_tracks < RS_STEP_TRACKS ? ask->nr_tracks : RS_STEP_TRACKS;
	if (s->ask.nr_tracks)
		memcpy(s->tracks, ask->tracks, s->ask.nr_tracks * sizeof *s->tracks);
	for (unsigned int i = 0; i < MAX_KINDS; i++)
		rs_hist_init(&s->hists[i]);
	return s;
}

void rs_step_free(struct rs_stepping *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < MAX_KINDS; i++)
		rs_hist_done(&s->hists[i]);
	free(s);
}
