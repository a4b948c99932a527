// SPDX-License-Identifier: GPL-2.0-or-later
/* tcpretrans - each TCP segment that is sent again */
#include "ringside/plugin.h"

enum { TIME, COMM, PID, TID, LOCAL, LOCAL_PORT, REMOTE, REMOTE_PORT, STATE, TYPE, NR_COLUMNS };

/*
 * Why, by the congestion state at that moment, see tcp_retransmit_timer and tcp_xmit_recovery: a probe is
 * sent while nothing is known to be lost (tcp_send_loss_probe).
 */
static const char *tcpretrans_type(const struct rs_socket *k)
{
	if (k->state == RS_TCP_SYN_SENT || k->state == RS_TCP_SYN_RECV)
		return "timer";
	switch (k->congestion) {
	case RS_CONGESTION_UNKNOWN:
		return NULL;
	case RS_CONGESTION_LOSS:
		return "timer";
	case RS_CONGESTION_RECOVERY:
		return "fast";
	default:
		return "probe";
	}
}

static void tcpretrans_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;
	struct rs_socket_texts texts;

	if (ev->kind != RS_SOCKET_RETRANSMITS || !k->shown || !rs_row_is_shown(c, 0, 0))
		return;
	rs_emit(c, 0, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(ev->ts_ns), [COMM] = RS_SOCKET_TASK_VALUES(k),
		[LOCAL] = RS_SOCKET_VALUES(k, &texts),
		[STATE] = rs_s(rs_tcp_state_name(k->state)), [TYPE] = rs_s(tcpretrans_type(k)),
	});
}

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it was sent again" },
	[COMM] = RS_SOCKET_TASK_COLUMNS,
	[LOCAL] = RS_SOCKET_COLUMNS,
	[STATE] = { "state", "STATE", RS_TYPE_TEXT, 0, 0, 11, "the connection's, as ss has it" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 5,
		   "timer (nothing was acknowledged for long), fast (the peer misses it), probe (of a loss "
		   "at the end); null where the kernel does not tell (before 6.10)" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

const struct rs_analysis rs_analysis_tcpretrans = {
	.abi = RS_ABI,
	.name = "tcpretrans",
	.summary = "TCP segments that are sent again",
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = tcpretrans_on_socket }),
	.views = RS_LIST(rs_view,
		{ .name = "tcpretrans", .topic = RS_TOPIC_NETWORK,
		  .summary = "each TCP segment that is sent again: of which connection, and why",
		  .kind = RS_VIEW_STREAM, .columns = columns, .types = "timer,fast,probe", .options = "type",
		  .text_columns = "time_ns,comm,pid,local_port,remote,remote_port,state,type" }),
};
