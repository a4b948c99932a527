/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis-instance.h - an analysis at work in a session; the engine's own handlers are declared as analyses
 */
#ifndef RS_ENGINE_ANALYSIS_INSTANCE_H
#define RS_ENGINE_ANALYSIS_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

#include "ringside/plugin.h"

struct rs_binding;

#define RS_MAX_STREAMS 32         /* streams of one analysis: bits of rs_ctx.subscribed */

enum rs_engine_part {
	RS_ENGINE_TASKS, RS_ENGINE_STATES, RS_ENGINE_CALLS, RS_ENGINE_REQUESTS, RS_ENGINE_LOCKS,
	RS_ENGINE_STALLS, RS_ENGINE_IRQS, RS_ENGINE_SOCKETS, RS_ENGINE_MESSAGES, RS_ENGINE_ACCEPTS,
	RS_ENGINE_POLLS, RS_ENGINE_ROUND_TRIPS, RS_NR_ENGINE_PARTS,
};

/* task-events.c: the handlers of each part. */
extern const struct rs_analysis *const rs_engine_parts[RS_NR_ENGINE_PARTS];

/* An analysis instance: an analysis in this session. */
struct rs_analysis_instance {
	const struct rs_analysis *analysis;
	struct rs_ctx ctx;
	struct rs_query query;
	struct rs_sink *sinks[RS_MAX_STREAMS];
	/* in .watchers of the tasks whose calls it watches; 0: it gets the calls of all tasks */
	uint32_t watcher;
	unsigned int first_span_kind;   /* the number of its first kind of spans among those of the session */
	struct rs_binding *bindings;    /* the required events that this trace has; bound ones do not move */
	size_t nr_bindings, bindings_room;
	char disabled[160];             /* why it cannot run; "": it runs */
	char off[160];                  /* why it does not run now, see session-events.c */
	char unrecorded[160];           /* why it has no data though it ran, see session-events.c */
};

static inline struct rs_analysis_instance *rs_analysis_instance_of(const struct rs_ctx *c)
{
	uintptr_t at = (uintptr_t)((const char *)c - offsetof(struct rs_analysis_instance, ctx));

	return (struct rs_analysis_instance *)at;
}

#endif
