/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-events.h - the events that report system calls: of all calls, and of single ones
 */
#ifndef RS_ENGINE_CALLS_CALL_EVENTS_H
#define RS_ENGINE_CALLS_CALL_EVENTS_H

#include "engine/calls/calls.h"

struct rs_named_call;

struct rs_call_events {
	struct rs_named_call *named;    /* nr_named events of single calls, bound */
	unsigned int nr_named;
	bool seen[RS_MAX_CALL_NUMBERS]; /* an event of this single call was seen */
	bool occur;                     /* for a time range or a part: the whole recording has calls */
};

/* The handlers, declared as an analysis. */
extern const struct rs_analysis rs_engine_calls;

/*
 * Finds the events of single calls, syscalls:sys_enter_NAME and sys_exit_NAME. 1: the trace has both kinds,
 * so they can replace raw_syscalls; 0: it does not; -1: no memory
 */
int rs_call_events_find_named(struct rs_session *s);
int rs_call_events_route_named(struct rs_session *s);    /* 0, or -1 without memory */

/* True if calls were recorded, from raw_syscalls or from the events of single calls */
bool rs_calls_occur(struct rs_session *s);

#endif
