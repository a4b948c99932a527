/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bind.h - binds what the analyses require to a trace, and routes its events
 */
#ifndef RS_ENGINE_BIND_H
#define RS_ENGINE_BIND_H

#include <stdbool.h>

#include "decode/formats.h"
#include "engine/analysis-instance.h"
#include "ringside/plugin.h"

struct rs_error;
struct rs_session;
struct rs_session_config;

/* An event that an analysis requires, bound to this trace. */
struct rs_binding {
	const struct rs_requirement *requirement;
	struct rs_bound bound;
};

/* 0, or -1 with err set */
int rs_bind_all(struct rs_session *s, struct rs_error *err);
void rs_bind_undo_all(struct rs_session *s);
/* Routes all enabled events again. Returns 0, or -1 without memory: then some events have no handlers. */
int rs_bind_routes(struct rs_session *s);
/* Adds a handler of an event; -1: no memory. */
int rs_bind_target(struct rs_session *s, unsigned int id, const struct rs_bound *bound, rs_handler *handler,
		   struct rs_ctx *c);

/* Does the analysis use the part's events? Does it require them? */
bool rs_bind_part_requested(const struct rs_session_config *config, const struct rs_analysis *a,
			    enum rs_engine_part part);
/* Likewise, or what the part knows, where something else has its events recorded. */
bool rs_bind_part_used(const struct rs_session_config *config, const struct rs_analysis *a,
		       enum rs_engine_part part);
bool rs_bind_part_required(const struct rs_analysis *a, enum rs_engine_part part);
bool rs_bind_requires_history(const struct rs_session_config *config, const struct rs_analysis *a);
/* Does an analysis that works require a history? */
bool rs_bind_keeps_history(const struct rs_session *s);

#endif
