/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * routes.h - from a record to its handlers: the common fields have the event's id, and each id has a route
 */
#ifndef RS_ENGINE_ROUTES_H
#define RS_ENGINE_ROUTES_H

#include "decode/formats.h"
#include "engine/states/context.h"
#include "ringside/plugin.h"

/* One handler of one event, with its fields. */
struct rs_target {
	rs_handler *handler;
	struct rs_ctx *ctx;
	const struct rs_field *fields;
};

/* All handlers of an event id. */
struct rs_route {
	uint32_t min_len_bytes;
	uint32_t nr;            /* 0: no handler, and targets may be NULL */
	/*
	 * of these, handlers that draw nothing: those of all events (RS_NAMED), and of analyses without spans
	 */
	uint32_t nr_undrawn;
	uint64_t nr_events;     /* of this kind so far */
	enum rs_context_kind context;
	struct rs_target *targets; /* nr of them, then one without a handler */
};

/* Made and freed by bind.c. */
struct rs_routes {
	struct rs_common common;
	bool swaps;             /* the recording is of the other byte order */
	unsigned int nr;        /* 0: no format can be parsed, so records are only counted */
	struct rs_route *by_id; /* by event id */
	uint32_t exec_id;       /* of sched_process_exec; or RS_NO_EVENT */
	uint64_t nr_unrouted;   /* events whose format is not known */
};

#endif
