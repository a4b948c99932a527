// SPDX-License-Identifier: GPL-2.0-or-later
/* scene-spans - spans by their shapes: slices that nest, instants, counters, and those that overlap */
#include "export/scene/scene.h"

static struct rs_scene *scene_spans_of(struct rs_span_sink *sink)
{
	return (struct rs_scene *)((char *)sink - offsetof(struct rs_scene, export.sink));
}

void rs_scene_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind)
{
	scene_spans_of(sink)->ops->kind(scene_spans_of(sink), kind);
}

static inline uint64_t scene_spans_nest(struct rs_scene *s, struct rs_nest *nest, const struct rs_span *span)
{
	uint64_t start_ns;

	if (s->ops->nests)
		return span->start_ns;
	start_ns = rs_nest_add(nest, span->start_ns, span->end_ns);
	s->nr_cut += start_ns != span->start_ns;
	return start_ns;
}

/*
 * States of tasks come from the engine itself: two analyses must not both draw them. Samples come with their
 * stacks.
 */
static inline void scene_spans_put(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
				   const struct rs_span_kind *kind, const struct rs_span *span)
{
	switch (kind->shape) {
	case RS_SPAN_STATE:
		if (kind->track != RS_TRACK_CONNECTION)
			break;
		/* fall through */
	case RS_SPAN_SLICE:
		if (s->ops->slice)
			s->ops->slice(s, at, c, kind, span, scene_spans_nest(s, at->nest, span));
		break;
	case RS_SPAN_INSTANT:
		if (s->ops->instant)
			s->ops->instant(s, at, c, kind, span);
		break;
	case RS_SPAN_ASYNC:
		if (s->ops->async)
			s->ops->async(s, at, c, kind, span);
		break;
	case RS_SPAN_COUNTER:
		if (s->ops->counter)
			s->ops->counter(s, at, kind, span->start_ns, (int64_t)span->arg);
		break;
	case RS_SPAN_SAMPLE:
		break;
	}
}

void rs_scene_put_counts(struct rs_scene *s, struct rs_task *t)
{
	struct rs_scene_track at = rs_scene_track_of_task(s, t);

	for (struct rs_task_count *n; (n = rs_task_counts_end(&rs_scene_task(s->c, t)->counts));)
		s->ops->count(s, &at, n);
}

static void scene_spans_count(struct rs_scene *s, const struct rs_scene_track *at,
			      const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct rs_task_count *n = rs_task_counts_add(&rs_scene_task(s->c, span->task)->counts, kind,
						     span->end_ns);

	if (n)
		s->ops->count(s, at, n);
}

static void scene_spans_put_task(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
				 const struct rs_span *span)
{
	struct rs_scene_track at = rs_scene_track_of_task(s, span->task);

	if (kind->many && s->ops->count) {
		scene_spans_count(s, &at, kind, span);
		return;
	}
	scene_spans_put(s, &at, c, kind, span);
	if (kind->shape == RS_SPAN_SLICE && s->ops->wake)
		rs_wake_flows_slice(&s->flows, &rs_scene_task(s->c, span->task)->wakes, span->start_ns,
				    span->end_ns);
}

void rs_scene_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		      const struct rs_span *span)
{
	struct rs_scene *s = scene_spans_of(sink);
	struct rs_scene_track at;

	if (s->ops->span) {
		s->ops->span(s, c, kind, span);
	} else if (kind->track == RS_TRACK_TASK && span->task && s->c) {
		scene_spans_put_task(s, c, kind, span);
	} else if (kind->track == RS_TRACK_CPU && span->id < s->nr_cpus) {
		at = rs_scene_track_of_cpu(s, (unsigned int)span->id);
		scene_spans_put(s, &at, c, kind, span);
	} else if (kind->track == RS_TRACK_DISK && s->ops->async) {
		if (rs_scene_track_of_place(s, kind->track, span->id, &at))
			s->ops->async(s, &at, c, kind, span);
	} else if (kind->track == RS_TRACK_CONNECTION && s->c) {
		if (rs_scene_track_of_place(s, kind->track, span->id, &at))
			scene_spans_put(s, &at, c, kind, span);
	}
}
