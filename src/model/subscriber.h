/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * subscriber.h - what a session tells besides rows: to an exporter, or to a screen's timelines
 *
 * A subscriber is an analysis that its owner passes in rs_session_config.analyses and
 * finds again by rs_api_session_arg; a span sink receives the spans of all analyses.
 */
#ifndef RS_MODEL_SUBSCRIBER_H
#define RS_MODEL_SUBSCRIBER_H

#include "ringside/plugin.h"

/* Receives each span as it ends; of tasks only of those that are shown. */
struct rs_span_sink {
	void (*span)(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		     const struct rs_span *span);
	/* Called once for each kind, from rs_session_emit_span, in the order of the analyses. May be NULL */
	void (*kind)(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind);
	bool values;              /* it reads .values */
	/*
	 * Calls fn with the stack of each stored span of a kind with .of_stack. Returns false without memory.
	 * NULL: it stores none
	 */
	bool (*stacks)(struct rs_span_sink *sink, void (*fn)(void *arg, uint32_t stack), void *arg);
};

void *rs_api_session_arg(const struct rs_ctx *c);               /* the session's config.arg */
/* The number of a kind of this analysis among those of the session, which a sink is told in this order. */
unsigned int rs_api_span_kind_number(const struct rs_ctx *c, const struct rs_span_kind *kind);
/* --from is not reached yet: show nothing */
bool rs_api_is_muted(const struct rs_ctx *c);
/* of sched_switch: R if no bit with a letter is set; R+ is R, too */
char rs_api_prev_state_letter(const struct rs_ctx *c, uint64_t prev_state);

#endif
