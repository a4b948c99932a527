/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timelines.h - the spans that a session's analyses lay, kept in a timeline
 *
 *	struct rs_timelines *t = rs_timelines_new(256 << 20, 0, &err);
 *	rs_session_emit_span(session, rs_timelines_sink(t));
 *	... run ...
 *	track = rs_timeline_find(rs_timelines_of(t), rs_track_type(RS_TRACK_TASK, RS_SPAN_SLICE),
 *				 rs_task_track(tid, life));
 *	rs_timeline_query(rs_timelines_of(t), track, &range, each, arg);
 *	... in each: rs_timelines_label(t, span, buf, sizeof buf)
 *
 * A CPU, a thread over one life and a disk have a track for each shape of span: its
 * states are one track, what nests another.
 */
#ifndef RS_ENGINE_TIMELINES_H
#define RS_ENGINE_TIMELINES_H

#include "model/subscriber.h"
#include "model/slowest-kept.h"
#include "model/timeline.h"

struct rs_session;

struct rs_timelines;

/*
 * struct rs_timeline_span.kind: the number of a kind, and whether the span was in flight at the recording's
 * end.
 */
#define RS_KIND_OPEN 0x8000u

struct rs_timelines *rs_timelines_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err);
void rs_timelines_free(struct rs_timelines *t); /* after the session that emits spans to it */
struct rs_span_sink *rs_timelines_sink(struct rs_timelines *t);
struct rs_timeline *rs_timelines_of(struct rs_timelines *t);

/* The type and the id of a track, as rs_timeline_find takes them, and back. */
static inline uint32_t rs_track_type(enum rs_track_type of, enum rs_span_shape shape)
{
	return (uint32_t)of << 8 | (uint32_t)shape;
}

static inline enum rs_track_type rs_track_type_of(uint32_t type) { return (enum rs_track_type)(type >> 8); }
static inline enum rs_span_shape rs_track_shape_of(uint32_t type)
{
	return (enum rs_span_shape)(type & 0xff);
}

static inline uint64_t rs_task_track(int32_t tid, uint32_t inst)
{
	return (uint64_t)(uint32_t)tid << 32 | inst; /* the instances of a tid one after the other */
}

/* Kinds are numbered 0, 1, ... in the order of the session's analyses, once the session emits spans here. */
/* NULL: no such kind */
const struct rs_span_kind *rs_timelines_kind_number(const struct rs_timelines *t, unsigned int number);

/*
 * Call before any span is emitted: stores the slowest spans of each kind with .slowest; see
 * model/slowest-kept.h for width_ns.
 */
void rs_timelines_keep_slowest(struct rs_timelines *t, uint64_t width_ns);
/* NULL: no such kind */
const struct rs_slowest_kept *rs_timelines_slowest(const struct rs_timelines *t, unsigned int number);

/* The number of spans of a kind ever emitted that its .rate counts. */
uint64_t rs_timelines_nr_counted(const struct rs_timelines *t, unsigned int number);

/* What is in flight in the session, as spans up to now with RS_KIND_OPEN. */
typedef void rs_timelines_each_open(void *arg, uint32_t track_type, uint64_t track_id,
				    const struct rs_timeline_span *span);
void rs_timelines_open(struct rs_timelines *t, struct rs_session *s, rs_timelines_each_open *each, void *arg);

/* A context of the session, for questions about its tasks and disks; NULL: no session emits here. */
struct rs_ctx *rs_timelines_ctx(const struct rs_timelines *t);
/* That instance of the tid; NULL: evicted. Searches all instances if it is not the current one. */
struct rs_task *rs_timelines_task(const struct rs_timelines *t, int32_t tid, uint32_t inst);

/* The name that a task of the session had then; "[exited]", "[unknown]" where none is known. */
const char *rs_timelines_comm(const struct rs_task *task, uint64_t at_ns);

/* Returns true if the duration was requested (a sleep), so it is never listed as slow. */
bool rs_timelines_by_choice(const struct rs_timelines *t, const struct rs_timeline_span *span);
/* Returns true if the slowest of this span's kind are worth listing. */
bool rs_timelines_is_slowest(const struct rs_timelines *t, const struct rs_timeline_span *span);
/* The kind of a stored span; NULL: the number is invalid. */
const struct rs_span_kind *rs_timelines_kind(const struct rs_timelines *t,
					     const struct rs_timeline_span *span);
/*
 * The span's label, in buf or elsewhere, never NULL; one that names a task has the name at the span's end.
 * Valid while the session lives.
 */
const char *rs_timelines_label(const struct rs_timelines *t, const struct rs_timeline_span *span, char *buf,
			       size_t size_bytes);

#endif
