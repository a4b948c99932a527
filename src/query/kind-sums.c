// SPDX-License-Identifier: GPL-2.0-or-later
/* kind-sums - how many spans of each kind ended in a time range, and their time, by what they waited for */
#include "query/kind-sums.h"

#include <stdlib.h>

#include "ringside/plugin.h"

/* Returns true if spans of that kind have a duration and, where one is asked for, a task. */
static bool sums_has_kind(const struct rs_kind_sums *k, const struct rs_span_kind *kind)
{
	if (rs_span_has_no_length(kind->shape) || kind->shape == RS_SPAN_COUNTER ||
	    (k->ask.one_track && kind->track != k->ask.track.of))
		return false;
	return !(k->ask.pid || k->ask.tid) || kind->track == RS_TRACK_TASK || kind->of_task || kind->get_tid;
}

/* The tracks of a task have its spans alone. */
static bool sums_passes(const struct rs_kind_sums *k, const struct rs_span_kind *kind,
			     const struct rs_timeline_span *s)
{
	struct rs_track_ref ref = { kind->track, k->walk.tracks[k->walk.at].id };
	const struct rs_task *t;

	if (k->ask.passes && !k->ask.passes(k->ask.where, &ref, s))
		return false;
	if (kind->track == RS_TRACK_TASK || !(k->ask.pid || k->ask.tid))
		return true;
	if (k->ask.tid && rs_track_span_tid(k->walk.timelines, &ref, s) != k->ask.tid)
		return false;
	t = k->ask.pid ? rs_track_span_task(k->walk.timelines, &ref, s) : NULL;
	return !k->ask.pid || (t && rs_span_walk_is_of(t, k->ask.pid, 0));
}

static enum rs_cause sums_cause(const struct rs_span_kind *kind, uint64_t arg)
{
	if (kind->track == RS_TRACK_TASK && kind->shape == RS_SPAN_STATE)
		return rs_cause_of_state(rs_state_of(arg), rs_state_cause(arg));
	return kind->cause;
}

static void sums_visit(void *arg, const struct rs_timeline_span *s)
{
	struct rs_kind_sums *k = arg;
	const struct rs_span_kind *kind = rs_timelines_kind(k->walk.timelines, s);
	enum rs_cause cause = kind ? sums_cause(kind, s->arg) : RS_CAUSE_UNKNOWN;
	struct rs_kind_sum *sum;

	if (!kind || (unsigned int)cause >= RS_NR_CAUSES || !sums_has_kind(k, kind) ||
	    !sums_passes(k, kind, s))
		return;
	sum = &k->sums[s->kind & ~RS_KIND_OPEN][cause];
	sum->count++;
	if (__builtin_add_overflow(sum->ns, s->end_ns - s->start_ns, &sum->ns))
		sum->ns = UINT64_MAX;
}

bool rs_kind_sums_go(struct rs_kind_sums *k, uint64_t nr_spans)
{
	return rs_span_walk_go(&k->walk, nr_spans, NULL, sums_visit, k);
}

/* Several kinds share the tracks of a type and a shape. */
static bool sums_add_tracks(struct rs_kind_sums *k)
{
	uint32_t done[RS_NR_TRACK_TYPES] = { 0 };

	for (unsigned int i = 0; i < k->nr_kinds; i++) {
		const struct rs_span_kind *kind = rs_timelines_kind_number(k->walk.timelines, i);

		if (!sums_has_kind(k, kind) || done[kind->track] >> kind->shape & 1)
			continue;
		done[kind->track] |= 1u << kind->shape;
		if (!(k->ask.one_track ?
			      rs_span_walk_add_track(&k->walk, kind->shape, &k->ask.track) :
			      rs_span_walk_add_tracks(&k->walk, kind->track, kind->shape, k->ask.pid,
						      k->ask.tid)))
			return false;
	}
	return true;
}

struct rs_kind_sums *rs_kind_sums_new(struct rs_timelines *t, const struct rs_kind_sums_ask *ask,
				      struct rs_error *err)
{
	struct rs_kind_sums *k;

	if (ask->from_ns >= ask->to_ns) {
		rs_fail_usage(err, "the time is empty: it must end after it begins");
		return NULL;
	}
	k = calloc(1, sizeof *k);
	if (k) {
		k->ask = *ask;
		rs_span_walk_init(&k->walk, t, ask->from_ns, ask->to_ns);
		while (rs_timelines_kind_number(t, k->nr_kinds))
			k->nr_kinds++;
		k->sums = calloc(k->nr_kinds + 1, sizeof *k->sums);
		if (k->sums && sums_add_tracks(k))
			return k;
	}
	rs_kind_sums_free(k);
	rs_fail(err, "cannot sum spans: out of memory");
	return NULL;
}

void rs_kind_sums_free(struct rs_kind_sums *k)
{
	if (!k)
		return;
	rs_span_walk_done(&k->walk);
	free(k->sums);
	free(k);
}
