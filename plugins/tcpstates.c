// SPDX-License-Identifier: GPL-2.0-or-later
/* tcpstates - each change of a TCP connection's state, and how long it was in the one before */
#include "ringside/plugin.h"

enum { TIME, COMM, PID, TID, LOCAL, LOCAL_PORT, REMOTE, REMOTE_PORT, WAS, STATE, LENGTH, NR_COLUMNS };
enum { SPAN_STATE, SPAN_RETRANSMIT };

/* ---- spans: of a connection. The number of .arg is the state ---- */

static const char *tcpstates_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *name = rs_tcp_state_name((enum rs_tcp_state)rs_span_number(arg));

	return name ? name : "?";
}

/* What a connection does is in the calls of its tasks: that it is there costs nobody anything. */
static bool tcpstates_is_voluntary(struct rs_ctx *c, uint64_t arg)
{
	return true;
}

static void tcpstates_emit_span(struct rs_ctx *c, unsigned int kind, const struct rs_socket *k,
				enum rs_tcp_state state, struct rs_span span)
{
	struct rs_socket_texts texts;
	const struct rs_value values[] = { RS_SOCKET_TASK_VALUES(k), RS_SOCKET_VALUES(k, &texts) };

	span.id = k->number;
	span.arg = rs_span_tid_and(k->tid, state);
	span.values = values;
	rs_emit_span(c, kind, &span);
}

/* The end of a connection is no state of it: readers would have to guess when it is over. */
static bool tcpstates_is_drawn(const struct rs_socket *k, enum rs_tcp_state state)
{
	return k->shown && k->side != RS_SIDE_LISTENS && state != RS_TCP_CLOSE && state != RS_TCP_UNKNOWN;
}

static void tcpstates_draw(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;

	if (ev->kind == RS_SOCKET_RETRANSMITS)
		tcpstates_emit_span(c, SPAN_RETRANSMIT, k, k->state,
				    (struct rs_span){ .start_ns = ev->ts_ns, .end_ns = ev->ts_ns });
	else if (ev->was_ns && tcpstates_is_drawn(k, ev->was))
		tcpstates_emit_span(c, SPAN_STATE, k, ev->was,
				    (struct rs_span){ .start_ns = ev->was_ns, .end_ns = ev->ts_ns });
}

static void tcpstates_draw_open(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	if (to->list || to->rows)
		return;
	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k))
		if (k->state_ns && tcpstates_is_drawn(k, k->state) &&
		    !rs_discarded(c, k->last_ns, rs_last_event_ns(c)))
			tcpstates_emit_span(c, SPAN_STATE, k, k->state,
					    (struct rs_span){ .start_ns = k->state_ns,
							      .end_ns = rs_last_event_ns(c),
							      .in_flight = true });
}

/* ---- rows ---- */

static void tcpstates_emit(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;
	uint64_t length_ns = ev->was_ns ? ev->ts_ns - ev->was_ns : 0;
	struct rs_socket_texts texts;

	if (!rs_row_is_shown(c, 0, length_ns))
		return;
	rs_emit(c, 0, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(ev->ts_ns), [COMM] = RS_SOCKET_TASK_VALUES(k),
		[LOCAL] = RS_SOCKET_VALUES(k, &texts),
		[WAS] = rs_s(rs_tcp_state_name(ev->was)), [STATE] = rs_s(rs_tcp_state_name(k->state)),
		[LENGTH] = rs_u_if(ev->was_ns, length_ns),
	});
}

static bool tcpstates_is_change(enum rs_socket_event_kind kind)
{
	return kind != RS_SOCKET_ERROR && kind != RS_SOCKET_RETRANSMITS;
}

static void tcpstates_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	if (!ev->socket->shown)
		return;
	if (rs_spans_enabled(c) && ev->kind != RS_SOCKET_ERROR)
		tcpstates_draw(c, ev);
	if (tcpstates_is_change(ev->kind))
		tcpstates_emit(c, ev);
}

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it changed" },
	[COMM] = RS_SOCKET_TASK_COLUMNS,
	[LOCAL] = RS_SOCKET_COLUMNS,
	[WAS] = { "old_state", "OLDSTATE", RS_TYPE_TEXT, 0, 0, 11, "the state before, as ss has it" },
	[STATE] = { "state", "NEWSTATE", RS_TYPE_TEXT, 0, 0, 11, "the state from then on" },
	[LENGTH] = { "length_ns", "MS", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 11,
		     "how long it was in the state before; null: since before the trace" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static const struct rs_column span_columns[] = {
	RS_SOCKET_TASK_COLUMNS, RS_SOCKET_COLUMNS, { 0 },
};

const struct rs_analysis rs_analysis_tcpstates = {
	.abi = RS_ABI,
	.name = "tcpstates",
	.summary = "states of TCP connections",
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = tcpstates_on_socket }),
	.views = RS_LIST(rs_view,
		{ .name = "tcpstates", .topic = RS_TOPIC_NETWORK,
		  .summary = "each change of a TCP connection's state, and how long the one before lasted",
		  .kind = RS_VIEW_STREAM, .columns = columns,
		  .text_columns = "time_ns,comm,pid,local,local_port,remote,remote_port,old_state,state,"
				  "length_ns" }),
	.spans = RS_LIST(rs_span_kind,
		[SPAN_STATE] = { .name = "connection", .track = RS_TRACK_CONNECTION, .shape = RS_SPAN_STATE,
				 .label = tcpstates_label, .by_choice = tcpstates_is_voluntary,
				 .get_tid = rs_span_only_tid, .columns = span_columns,
				 .label_bits = RS_SPAN_NUMBER_BITS },
		[SPAN_RETRANSMIT] = { .name = "retransmit", .track = RS_TRACK_CONNECTION,
				      .shape = RS_SPAN_INSTANT, .get_tid = rs_span_only_tid,
				      .columns = span_columns, .rate = "retransmits" }),
	.emit_in_flight = tcpstates_draw_open,
};
