/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch.h - the callbacks of the analyses, as dense lists: one for each kind of callback, state and call
 */
#ifndef RS_ENGINE_DISPATCH_H
#define RS_ENGINE_DISPATCH_H

#include "engine/analysis-instance.h"
#include "engine/session.h"
#include "ringside/plugin.h"

struct rs_gap;

/* The callbacks of one kind: rows of rs_dispatch.rows, so that a look-up takes no large stride. */
struct rs_dispatch_list {
	const struct rs_dispatch_row {
		struct rs_ctx *ctx;
		struct rs_callback callback;
	} *at, *end;
};

/* A list for each kind of callback, and for each kind of state and of call. */
#define RS_NR_DISPATCH_LISTS (RS_NR_CALLBACKS + RS_NR_STATES + 2 * RS_NR_CALL_KINDS + RS_NR_PROBE_KINDS)

/* Calls the function MEMBER of each callback of a list. */
#define RS_DISPATCH(list, member, ...) \
	for (const struct rs_dispatch_row *row_ = (list)->at, *end_ = (list)->end; row_ < end_; row_++) \
		row_->callback.member(row_->ctx, __VA_ARGS__)

struct rs_dispatch {
	/* an analysis has RS_ON_WAIT, RS_ON_CONTENTION or RS_ON_STALL, or an observer follows waits */
	bool joins;
	bool takes_spans;               /* there is a sink of spans, or an analysis has RS_ON_SPAN */
	struct rs_dispatch_list on_interval[RS_NR_STATES], on[RS_NR_CALLBACKS];
	struct rs_dispatch_list on_call[RS_NR_CALL_KINDS], on_probe[RS_NR_PROBE_KINDS];
	struct rs_dispatch_list on_watched_call[RS_NR_CALL_KINDS]; /* if the analysis watches the task */
	struct rs_dispatch_row rows[RS_NR_DISPATCH_LISTS * (RS_MAX_ANALYSES + RS_NR_ENGINE_PARTS)];
};

/* Connects the engine's parts with the analyses, after the fields are bound. 0, or -1 without memory */
int rs_dispatch_begin(struct rs_session *s);
void rs_dispatch_list(struct rs_session *s);   /* lists the enabled analyses by callback */
/* A call has ended, of a task that an analysis watches: rs_watch_calls. */
void rs_dispatch_watched_call(struct rs_session *s, const struct rs_call *call);
void rs_dispatch_gap(void *session, const struct rs_gap *gap);
/* NULL: the analysis has none of that kind. */
const struct rs_callback *rs_dispatch_callback(const struct rs_analysis *a, enum rs_callback_kind kind);
/* Returns true if nothing asks for rows of the analysis: neither a view, nor its findings. */
bool rs_dispatch_needs_no_rows(const struct rs_session_config *config, const struct rs_analysis *a);
unsigned int rs_dispatch_requires_samples(const struct rs_analysis *a); /* enum rs_sample; 0: none */

#endif
