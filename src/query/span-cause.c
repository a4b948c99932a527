// SPDX-License-Identifier: GPL-2.0-or-later
/* span-cause.c - sums the states of a task within a span of it */
#include "query/span-cause.h"

/* Shorter states are passed over: of what is mostly one wait they are little. */
#define SPAN_CAUSE_PARTS 64

struct span_causes {
	const struct rs_timeline_span *span;
	uint64_t ns[RS_NR_CAUSES];
};

static enum rs_cause span_cause_of_state(uint64_t arg)
{
	return rs_cause_of_state(rs_state_of(arg), rs_state_cause(arg));
}

static bool span_cause_add(void *arg, const struct rs_timeline_span *state)
{
	struct span_causes *c = arg;
	enum rs_cause cause = span_cause_of_state(state->arg);
	uint64_t from_ns = state->start_ns > c->span->start_ns ? state->start_ns : c->span->start_ns,
		 to_ns = state->end_ns < c->span->end_ns ? state->end_ns : c->span->end_ns;

	if ((unsigned int)cause < RS_NR_CAUSES && to_ns > from_ns)
		c->ns[cause] += to_ns - from_ns;
	return true;
}

bool rs_span_cause_of(struct rs_timelines *t, const struct rs_slowest_span *s, enum rs_cause *cause)
{
	const struct rs_timeline_range range = { s->span.start_ns, s->span.end_ns,
						 (s->span.end_ns - s->span.start_ns) / SPAN_CAUSE_PARTS };
	struct span_causes causes = { .span = &s->span };
	uint64_t most_ns = 0;
	uint32_t track;

	if (s->ref.of != RS_TRACK_TASK)
		return false;
	if (s->shape == RS_SPAN_STATE) {
		*cause = span_cause_of_state(s->span.arg);
		return true;
	}
	track = rs_timeline_find(rs_timelines_of(t), rs_track_type(RS_TRACK_TASK, RS_SPAN_STATE), s->ref.id);
	if (track)
		rs_timeline_query(rs_timelines_of(t), track, &range, span_cause_add, &causes);
	for (unsigned int i = 0; i < RS_NR_CAUSES; i++)
		if (causes.ns[i] > most_ns) {
			most_ns = causes.ns[i];
			*cause = (enum rs_cause)i;
		}
	return most_ns;
}
