// SPDX-License-Identifier: GPL-2.0-or-later
/* markers - what programs and the kernel wrote into the trace: trace_marker, trace_printk, raw data */
#include "ringside/plugin.h"

enum { SPAN_MARKER, SPAN_IDLE_MARKER };

static const struct rs_column columns[] = {
	{ "text", "TEXT", RS_TYPE_TEXT, 0, 0, 4, "what was written" },
	{ 0 },
};

/* The text is made for who shows it: a timeline keeps none, and asks for it again. */
static void on_marker(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_value text;

	if (!rs_spans_enabled(c) || !rs_shown(c, ev->task))
		return;
	text = rs_span_values_enabled(c) ? rs_s(rs_event_text(c, ev)) : rs_null();
	rs_emit_span(c, ev->task ? SPAN_MARKER : SPAN_IDLE_MARKER,
		     &(struct rs_span){ .task = ev->task, .id = ev->cpu, .start_ns = ev->ts_ns,
					.end_ns = ev->ts_ns, .values = &text });
}

const struct rs_analysis rs_analysis_markers = {
	.abi = RS_ABI,
	.name = "markers",
	.summary = "what was written into the trace",
	.requirements = RS_LIST(rs_requirement,
		{ "ftrace", "print", RS_PASSIVE, RS_BY_TASK, on_marker, { NULL } },
		{ "ftrace", "bprint", RS_PASSIVE, RS_BY_TASK, on_marker, { NULL } },
		{ "ftrace", "bputs", RS_PASSIVE, RS_BY_TASK, on_marker, { NULL } },
		{ "ftrace", "raw_data", RS_PASSIVE, RS_BY_TASK, on_marker, { NULL } }),
	.spans = RS_LIST(rs_span_kind,
		[SPAN_MARKER] = { .name = "marker", .track = RS_TRACK_TASK, .shape = RS_SPAN_INSTANT,
				  .columns = columns },
		[SPAN_IDLE_MARKER] = { .name = "idle marker", .track = RS_TRACK_CPU, .shape = RS_SPAN_INSTANT,
				       .columns = columns }),
};
