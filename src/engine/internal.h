/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - struct rs_session, for the files of engine/, stacks/ and why/ only
 */
#ifndef RS_ENGINE_INTERNAL_H
#define RS_ENGINE_INTERNAL_H

#include "base/buf.h"
#include "engine/analysis-instance.h"
#include "engine/api.h"
#include "engine/calls/call-events.h"
#include "engine/calls/call-shape.h"
#include "engine/calls/calls.h"
#include "engine/calls/syscall.h"
#include "engine/dispatch.h"
#include "engine/files/open-names.h"
#include "engine/match/contentions.h"
#include "engine/match/irq-events.h"
#include "engine/match/matcher.h"
#include "engine/match/named-pairs.h"
#include "engine/match/requests.h"
#include "engine/names.h"
#include "engine/observer.h"
#include "engine/range.h"
#include "engine/routes.h"
#include "engine/session-events.h"
#include "engine/session-quality.h"
#include "engine/session.h"
#include "engine/span-sinks.h"
#include "engine/states/context.h"
#include "engine/states/states.h"
#include "engine/task-events.h"

struct rs_finding_list;
struct rs_formats;
struct rs_merge;
struct rs_proc_sample;

struct rs_session {
	struct rs_session_config config;
	struct rs_source *source;
	struct rs_formats *formats;
	struct rs_merge *merge;
	struct rs_routes routes;
	struct rs_cpu_contexts cpu_contexts;
	struct rs_tasks tasks;
	struct rs_states states;
	struct rs_calls calls;
	struct rs_requests requests;
	uint32_t nr_culprit_lists;      /* culprits.c */
	struct rs_contentions contentions;
	struct rs_observers observers;
	struct rs_matcher *matchers;    /* head of the list, see matcher.h */
	struct rs_irq_sources irq_sources;
	struct rs_syscall_names *syscalls;
	struct rs_call_events call_events;
	struct rs_call_texts call_texts;
	struct rs_named_pairs named_pairs;
	struct rs_api_texts texts;
	struct rs_open_name_events open_names;
	struct rs_names names;
	const struct rs_proc_sample *sample; /* the latest sample; may be NULL */
	struct rs_event_presence events;
	struct rs_task_events task_events;
	struct rs_analysis_instance parts[RS_NR_ENGINE_PARTS]; /* the engine's own handlers */
	struct rs_analysis_instance analyses[RS_MAX_ANALYSES];
	unsigned int nr_analyses;
	/* what each interval reads, side by side */
	uint64_t now_ns;
	/* the current event, or the last one; NULL outside of rs_session_run */
	const struct rs_event *now_ev;
	struct rs_range range;
	struct rs_dispatch dispatch;
	struct rs_span_sinks span_sinks;
	struct rs_finding_list *findings; /* while they are made */
	struct rs_quality_counts quality;
};

/* session.c: the first event, or the first hit of a probe, has come */
void rs_session_begin_time(struct rs_session *s, uint64_t ts_ns);
/* session.c: the task has ended: what it has in flight never ends. */
void rs_session_end_task(struct rs_session *s, struct rs_task_instance *inst, uint64_t ts_ns);

/* The state of an observer; NULL: it has not begun. */
static inline void *rs_observer_state(const struct rs_session *s, enum rs_observer_id id)
{
	return s->observers.state[id];
}

/* Takes the state over. Call it from .begin, or call rs_observers_list after it. */
static inline void rs_observer_set(struct rs_session *s, enum rs_observer_id id, void *state)
{
	s->observers.state[id] = state;
}

static inline struct rs_ctx *rs_part_ctx(const struct rs_session *s, enum rs_engine_part part)
{
	return (struct rs_ctx *)(uintptr_t)&s->parts[part].ctx;
}

/* Inline: the end of a call is the most frequent callback. */
static inline void rs_dispatch_call(struct rs_session *s, struct rs_call *call)
{
	uint8_t kind = RS_NR_CALL_KINDS;

	/* then the number is also its index */
	if (__builtin_expect((uint64_t)call->nr < RS_MAX_CALL_NUMBERS, 1))
		kind = s->calls.kinds[call->nr];
	if (kind == RS_NR_CALL_KINDS)
		kind = (uint8_t)rs_syscall_kind(s->syscalls, call->nr, call->args);
	call->kind = kind;
	RS_DISPATCH(&s->dispatch.on_call[kind], call, call);
	if (__builtin_expect(rs_task_instance_of(call->task)->watchers, 0))
		rs_dispatch_watched_call(s, call);
}

#endif
