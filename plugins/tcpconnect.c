// SPDX-License-Identifier: GPL-2.0-or-later
/* tcpconnect - each attempt to connect by TCP, how long it took, and how it ended */
#include <errno.h>
#include <string.h>

#include "ringside/plugin.h"

enum { TIME, COMM, PID, TID, LOCAL, LOCAL_PORT, REMOTE, REMOTE_PORT, LAT, RESULT, ERROR, NR_COLUMNS };

/* Where nothing else is told, a reset is the refusal. */
static int tcpconnect_error(const struct rs_socket *k)
{
	return k->error ? k->error : k->reset == RS_RESET_BY_PEER ? ECONNREFUSED : 0;
}

static void tcpconnect_emit(struct rs_ctx *c, const struct rs_socket *k, uint64_t end_ns, const char *result)
{
	struct rs_socket_texts texts;
	int error = k->established_ns ? 0 : tcpconnect_error(k);

	if (!k->shown || end_ns < k->begin_ns || rs_discarded(c, k->begin_ns, end_ns) ||
	    !rs_row_is_shown(c, 0, end_ns - k->begin_ns))
		return;
	rs_emit(c, 0, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(end_ns), [COMM] = RS_SOCKET_TASK_VALUES(k),
		[LOCAL] = RS_SOCKET_VALUES(k, &texts),
		[LAT] = rs_u(end_ns - k->begin_ns), [RESULT] = rs_s(result),
		[ERROR] = rs_s(error ? strerrorname_np(error) : NULL),
	});
}

/* What ended it is told right after its close, if it is told at all. */
static void tcpconnect_on_closed(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;

	if (ev->was != RS_TCP_SYN_SENT)
		return;
	if (ev->task && !k->reset)
		tcpconnect_emit(c, k, ev->ts_ns, "aborted");
	else if (k->reset || !rs_event_is_recorded(c, "sock", "inet_sk_error_report"))
		tcpconnect_emit(c, k, ev->ts_ns, "failed");
}

static void tcpconnect_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;

	if (k->side != RS_SIDE_CLIENT || !k->begin_ns || ev->discarded)
		return;
	if (ev->kind == RS_SOCKET_ESTABLISHED)
		tcpconnect_emit(c, k, ev->ts_ns, "connected");
	else if (ev->kind == RS_SOCKET_CLOSED)
		tcpconnect_on_closed(c, ev);
	else if (ev->kind == RS_SOCKET_ERROR && k->is_over && !k->established_ns && !k->reset)
		tcpconnect_emit(c, k, k->closed_ns, "failed");
}

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14,
		   "when the attempt ended" },
	[COMM] = RS_SOCKET_TASK_COLUMNS,
	[LOCAL] = RS_SOCKET_COLUMNS,
	[LAT] = { "lat_ns", "LAT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
		  "from its first SYN until it was established, or failed" },
	[RESULT] = { "result", "RESULT", RS_TYPE_TEXT, 0, 0, 9,
		     "connected, failed, aborted (by the task itself)" },
	[ERROR] = { "error", "ERROR", RS_TYPE_TEXT, 0, 0, 12,
		    "why it failed: ECONNREFUSED, ETIMEDOUT, EHOSTUNREACH ...; null: it did not, or it is "
		    "not told" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

const struct rs_analysis rs_analysis_tcpconnect = {
	.abi = RS_ABI,
	.name = "tcpconnect",
	.summary = "attempts to connect by TCP, their latency and errors",
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = tcpconnect_on_socket }),
	.views = RS_LIST(rs_view,
		{ .name = "tcpconnect", .topic = RS_TOPIC_NETWORK,
		  .summary = "each attempt to connect by TCP: how long it took, and how it ended",
		  .kind = RS_VIEW_STREAM, .columns = columns,
		  .text_columns = "time_ns,comm,pid,remote,remote_port,lat_ns,result,error" }),
};
