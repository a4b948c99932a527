/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span-sinks.h - who receives the spans of a session: see rs_session_emit_span
 */
#ifndef RS_ENGINE_SPAN_SINKS_H
#define RS_ENGINE_SPAN_SINKS_H

struct rs_span_sink;

#define RS_MAX_SPAN_SINKS 4

/* The sinks are their callers'. */
struct rs_span_sinks {
	struct rs_span_sink *at[RS_MAX_SPAN_SINKS];
	unsigned int nr;
	unsigned int nr_kinds;          /* of spans, of all analyses */
};

#endif
