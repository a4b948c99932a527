/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * subscriber.h - for who watches a session beside its views: an export, a screen's timelines
 *
 * A listener is an analysis that its owner brings along (rs_session_config.analyses)
 * and that finds it again by rs_api_session_arg; a span sink takes what all analyses lay.
 */
#ifndef RS_MODEL_SUBSCRIBER_H
#define RS_MODEL_SUBSCRIBER_H

#include "ringside/plugin.h"

/* Takes the spans that analyses lay, as they end; of tasks only those that are shown. */
struct rs_span_sink {
	void (*span)(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind, const struct rs_span *span);
	/* Each kind that may come, once, by rs_session_emit_span: in the order of the analyses. May be NULL */
	void (*kind)(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind);
	bool values;              /* it looks at .values */
};

void *rs_api_session_arg(const struct rs_ctx *c);               /* the session's config.arg */
bool rs_api_is_muted(const struct rs_ctx *c);                      /* --from is not reached yet: nothing is to be shown */
char rs_api_prev_state_letter(const struct rs_ctx *c, uint64_t prev_state); /* of sched_switch: 'R' for R and R+ */

#endif
