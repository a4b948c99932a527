/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timelines.h - the spans that a session's analyses lay, kept in a timeline
 *
 *	struct rs_timelines *t = rs_timelines_new(256 << 20, 0, &err);
 *	rs_session_lay(session, rs_timelines_sink(t));
 *	... run ...
 *	rs_timeline_query(rs_timelines_of(t), rs_timeline_find(rs_timelines_of(t), rs_track_type(RS_TRACK_TASK,
 *			  RS_SPAN_SLICE), rs_task_track(tid, life)), &range, each, arg);
 *	... in each: rs_timelines_label(t, span, buf, sizeof buf)
 *
 * A CPU, a thread over one life and a disk have a track for each shape of span: its
 * states are one track, what nests another.
 */
#ifndef RS_ENGINE_TIMELINES_H
#define RS_ENGINE_TIMELINES_H

#include "model/listener.h"
#include "model/timeline.h"

struct rs_timelines;
struct rs_session;

/* struct rs_timeline_span.kind: the number of a kind, and whether the span was open at the recording's end. */
#define RS_KIND_OPEN 0x8000u

struct rs_timelines *rs_timelines_new(size_t size_bytes, uint64_t age_ns, struct rs_error *err);
void rs_timelines_free(struct rs_timelines *t); /* after the session that lays */
struct rs_span_sink *rs_timelines_sink(struct rs_timelines *t);
struct rs_timeline *rs_timelines_of(struct rs_timelines *t);

/* Numbers every kind that the session's analyses can lay, in their order; else a kind has one from its first span on. */
void rs_timelines_declare(struct rs_timelines *t, struct rs_session *session);
const struct rs_span_kind *rs_timelines_kind_at(const struct rs_timelines *t, unsigned int number); /* NULL: no more */

/* The type and the id of a track, as rs_timeline_find takes them, and back. */
static inline uint32_t rs_track_type(enum rs_track_type of, enum rs_span_shape shape)
{
	return (uint32_t)of << 8 | (uint32_t)shape;
}

static inline enum rs_track_type rs_track_type_of(uint32_t type) { return (enum rs_track_type)(type >> 8); }
static inline enum rs_span_shape rs_track_shape_of(uint32_t type) { return (enum rs_span_shape)(type & 0xff); }

static inline uint64_t rs_task_track(int32_t tid, uint32_t life)
{
	return (uint64_t)(uint32_t)tid << 32 | life; /* the lives of a tid one after the other */
}

/* What a kept span is; NULL: its number says nothing. */
const struct rs_span_kind *rs_timelines_kind(const struct rs_timelines *t, const struct rs_timeline_span *span);
/* What a person reads on it; into buf or elsewhere, never NULL. While the session lives. */
const char *rs_timelines_label(const struct rs_timelines *t, const struct rs_timeline_span *span, char *buf,
			       size_t size_bytes);
/* Spans of more kinds than there are numbers for, not kept. */
uint64_t rs_timelines_nameless(const struct rs_timelines *t);

#endif
