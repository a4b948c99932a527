// SPDX-License-Identifier: GPL-2.0-or-later
/* timelines - the spans that a session's analyses lay, kept in a timeline */
#include "engine/timelines.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/internal.h"
#include "engine/task-table.h"

/* All analyses together have some twenty kinds. */
#define TIMELINES_MAX_KINDS 512

struct timelines_kind {
	const struct rs_span_kind *kind;
	struct rs_ctx *ctx;
	uint64_t nr_counted;            /* spans that its .rate counts */
	struct rs_slowest_kept *slowest;     /* of a kind with .slowest; NULL: not stored */
};

struct rs_timelines {
	struct rs_span_sink sink;
	struct rs_timeline *timeline;
	struct timelines_kind kinds[TIMELINES_MAX_KINDS];   /* by number */
	unsigned int nr_kinds;
	bool keeps_slowest;
	uint64_t slowest_width_ns;
};

static void timelines_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind)
{
	struct rs_timelines *t = (struct rs_timelines *)sink;
	struct timelines_kind *k = &t->kinds[t->nr_kinds];

	if (t->nr_kinds == TIMELINES_MAX_KINDS)
		return;
	t->nr_kinds++;
	*k = (struct timelines_kind){ .kind = kind, .ctx = c };
	if (t->keeps_slowest && kind->slowest)
		k->slowest = calloc(1, sizeof *k->slowest);
	if (k->slowest)
		k->slowest->width_ns = t->slowest_width_ns;
}

static uint64_t timelines_track_id_of(const struct rs_span *span)
{
	return span->task ? rs_task_track(span->task->tid, span->task->inst) : span->id;
}

/*
 * The span as stored; false: one of a thread without a task, or of a kind too many, which no analysis of this
 * tree has.
 */
static bool timelines_pack(const struct rs_timelines *t, struct rs_ctx *c, const struct rs_span_kind *kind,
			   const struct rs_span *span, struct rs_timeline_span *to)
{
	unsigned int number = rs_api_span_kind_number(c, kind);

	if (number >= t->nr_kinds || (kind->track == RS_TRACK_TASK && !span->task))
		return false;
	*to = (struct rs_timeline_span){
		.start_ns = span->start_ns, .end_ns = span->end_ns, .arg = span->arg,
		.kind = (uint16_t)(number | (span->in_flight ? RS_KIND_OPEN : 0)),
	};
	return true;
}

/* Asks the kind whether a span counts only if it is long enough. */
static void timelines_add_slowest(struct timelines_kind *k, uint32_t type, uint64_t id,
				  const struct rs_timeline_span *s)
{
	if (k->slowest && rs_slowest_kept_accepts(k->slowest, s) &&
	    (!k->kind->is_slowest || k->kind->is_slowest(k->ctx, s->arg)))
		rs_slowest_kept_add(k->slowest, &(struct rs_long_span){ type, id, *s });
}

static void timelines_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			      const struct rs_span *span)
{
	struct rs_timelines *t = (struct rs_timelines *)sink;
	uint32_t type = rs_track_type(kind->track, kind->shape);
	uint64_t id = timelines_track_id_of(span);
	struct rs_timeline_span kept;
	struct timelines_kind *k;

	if (!timelines_pack(t, c, kind, span, &kept))
		return;
	k = &t->kinds[kept.kind & ~RS_KIND_OPEN];
	if (kind->rate && (!kind->counts || kind->counts(c, span->arg)))
		k->nr_counted++;
	if (!span->task || (rs_shown(c, span->task) && !rs_is_viewer(c, span->task->pid)))
		timelines_add_slowest(k, type, id, &kept);
	rs_timeline_add_span(t->timeline, rs_timeline_track(t->timeline, type, id), &kept);
}

void rs_timelines_keep_slowest(struct rs_timelines *t, uint64_t width_ns)
{
	t->keeps_slowest = true;
	t->slowest_width_ns = width_ns;
}

const struct rs_slowest_kept *rs_timelines_slowest(const struct rs_timelines *t, unsigned int number)
{
	return number < t->nr_kinds ? t->kinds[number].slowest : NULL;
}

uint64_t rs_timelines_nr_counted(const struct rs_timelines *t, unsigned int number)
{
	return number < t->nr_kinds ? t->kinds[number].nr_counted : 0;
}

/* ---- stacks ---- */

struct timelines_stacks {
	const struct rs_timelines *t;
	void (*fn)(void *arg, uint32_t stack);
	void *arg;
};

static bool timelines_on_stored(void *arg, const struct rs_timeline_span *span)
{
	const struct timelines_stacks *stacks = arg;
	const struct rs_span_kind *kind = rs_timelines_kind(stacks->t, span);

	if (kind && kind->of_stack)
		stacks->fn(stacks->arg, (uint32_t)span->arg);
	return true;
}

static bool timelines_walk_stacks(struct rs_span_sink *sink, uint32_t type, struct timelines_stacks *stacks)
{
	const struct rs_timelines *t = (const struct rs_timelines *)sink;
	size_t nr = rs_timeline_tracks_of(t->timeline, type, NULL, 0);
	struct rs_timeline_track *tracks = malloc((nr + 1) * sizeof *tracks);

	if (!tracks)
		return false;
	nr = rs_timeline_tracks_of(t->timeline, type, tracks, nr);
	for (size_t i = 0; i < nr; i++)
		rs_timeline_query(t->timeline, tracks[i].number,
				  &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, timelines_on_stored,
				  stacks);
	free(tracks);
	return true;
}

static bool timelines_stacks(struct rs_span_sink *sink, void (*fn)(void *arg, uint32_t stack), void *arg)
{
	const struct rs_timelines *t = (const struct rs_timelines *)sink;
	struct timelines_stacks stacks = { t, fn, arg };
	bool ok = true;

	for (unsigned int i = 0; i < t->nr_kinds; i++)
		if (t->kinds[i].kind->of_stack)
			ok &= timelines_walk_stacks(
				sink, rs_track_type(t->kinds[i].kind->track, t->kinds[i].kind->shape),
				&stacks);
	return ok;
}

struct open_sink {
	struct rs_span_sink sink;
	struct rs_timelines *t;
	rs_timelines_each_open *each;
	void *arg;
};

static void on_open(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		    const struct rs_span *span)
{
	struct open_sink *o = (struct open_sink *)sink;
	struct rs_timeline_span s;

	if (timelines_pack(o->t, c, kind, span, &s))
		o->each(o->arg, rs_track_type(kind->track, kind->shape), timelines_track_id_of(span), &s);
}

void rs_timelines_open(struct rs_timelines *t, struct rs_session *s, rs_timelines_each_open *each, void *arg)
{
	struct open_sink o = { .sink.span = on_open, .t = t, .each = each, .arg = arg };

	rs_session_emit_in_flight(s, &o.sink);
}

struct rs_timelines *rs_timelines_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err)
{
	struct rs_timelines *t = calloc(1, sizeof *t);

	if (!t) {
		rs_fail(err, "cannot keep a window: out of memory");
		return NULL;
	}
	t->sink.span = timelines_on_span;
	t->sink.kind = timelines_on_kind;
	t->sink.stacks = timelines_stacks;
	t->timeline = rs_timeline_new(size_bytes, age_ns, err);
	if (t->timeline)
		return t;
	free(t);
	return NULL;
}

void rs_timelines_free(struct rs_timelines *t)
{
	if (!t)
		return;
	rs_timeline_free(t->timeline);
	for (unsigned int i = 0; i < t->nr_kinds; i++)
		free(t->kinds[i].slowest);
	free(t);
}

struct rs_span_sink *rs_timelines_sink(struct rs_timelines *t)
{
	return &t->sink;
}

struct rs_timeline *rs_timelines_of(struct rs_timelines *t)
{
	return t->timeline;
}

static const struct timelines_kind *timelines_kind_of(const struct rs_timelines *t,
						      const struct rs_timeline_span *span)
{
	unsigned int number = span->kind & ~RS_KIND_OPEN;

	return number < t->nr_kinds ? &t->kinds[number] : NULL;
}

const struct rs_span_kind *rs_timelines_kind(const struct rs_timelines *t,
					     const struct rs_timeline_span *span)
{
	return rs_timelines_kind_number(t, span->kind & ~RS_KIND_OPEN);
}

const struct rs_span_kind *rs_timelines_kind_number(const struct rs_timelines *t, unsigned int number)
{
	return number < t->nr_kinds ? t->kinds[number].kind : NULL;
}

struct rs_ctx *rs_timelines_ctx(const struct rs_timelines *t)
{
	return t->nr_kinds ? t->kinds[0].ctx : NULL;
}

struct rs_task *rs_timelines_task(const struct rs_timelines *t, int32_t tid, uint32_t inst)
{
	struct rs_ctx *c = rs_timelines_ctx(t);
	struct rs_task *task = c ? rs_task_find(c, tid) : NULL;

	if (!task || task->inst == inst)
		return task;
	for (task = rs_task_next(c, NULL); task && (task->tid != tid || task->inst != inst);
	     task = rs_task_next(c, task))
		;
	return task;
}

bool rs_timelines_by_choice(const struct rs_timelines *t, const struct rs_timeline_span *span)
{
	const struct timelines_kind *k = timelines_kind_of(t, span);

	return k && k->kind->by_choice && k->kind->by_choice(k->ctx, span->arg);
}

bool rs_timelines_is_slowest(const struct rs_timelines *t, const struct rs_timeline_span *span)
{
	const struct timelines_kind *k = timelines_kind_of(t, span);

	return k && k->kind->slowest && (!k->kind->is_slowest || k->kind->is_slowest(k->ctx, span->arg));
}

const char *rs_timelines_comm(const struct rs_task *task, uint64_t at_ns)
{
	const char *comm = rs_tasks_comm_at(rs_task_instance_of(task), at_ns);

	return *comm ? comm : task->exited ? "[exited]" : "[unknown]";
}

/* Of a kind whose .arg is a task: NULL where the analysis says what it is called. */
static const char *timelines_task_label(const struct rs_timelines *t, const struct rs_timeline_span *span,
					char *buf, size_t size_bytes)
{
	const struct rs_task *task = span->arg ? rs_timelines_task(t, rs_span_tid(span->arg),
								   rs_span_task_instance(span->arg)) :
						 NULL;

	if (!task || !task->comm[0])
		return NULL;
	snprintf(buf, size_bytes, "%s/%d", rs_timelines_comm(task, span->end_ns), task->tid);
	return buf;
}

const char *rs_timelines_label(const struct rs_timelines *t, const struct rs_timeline_span *span, char *buf,
			       size_t size_bytes)
{
	const struct timelines_kind *k = timelines_kind_of(t, span);
	const char *label = k && k->kind->of_task ? timelines_task_label(t, span, buf, size_bytes) : NULL;

	if (label)
		return label;
	label = k && k->kind->label ? k->kind->label(k->ctx, span->arg, buf, size_bytes) : NULL;

	return label ? label : k ? k->kind->name : "";
}
