// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcpaccept - each connection that a server accepts, its time in the accept queue, and queues that overflow
 *
 * The engine follows the queues: see socket.h.
 */
#include "ringside/plugin.h"

struct accepts {
	uint64_t overflow;         /* the reason of a drop; 0: this kernel does not tell */
};

struct accept_row {
	struct rs_hist queue;
	uint64_t accepts, overflows, full_ns, waiting, waiting_max, backlog;
};

/* The key: the number of the listener's socket; 0 is not known. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct accept_row), .max_rows = 4096,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_LATENCY, offsetof(struct accept_row, queue) },
			      RS_MEASURE_SUMS(struct accept_row, accepts, waiting),
			      { RS_MEASURE_MAX, offsetof(struct accept_row, waiting_max) },
			      { RS_MEASURE_MAX, offsetof(struct accept_row, backlog) }) },
	{ 0 },
};

enum { VIEW_ACCEPTS, VIEW_LISTENERS };
enum { TIME, COMM, PID, TID, FD, LOCAL, LOCAL_PORT, REMOTE, REMOTE_PORT, QUEUE, WAITING, NR_COLUMNS };

static struct accept_row *accept_row_of(struct rs_ctx *c, const struct rs_accept_queue *l)
{
	const struct rs_socket *k = l ? rs_socket_find(c, l->number) : NULL;
	struct accept_row *row = (k ? k->shown : rs_shown(c, NULL)) ?
					 rs_store_row(c, 0, NULL, l ? l->number : 0, 0) :
					 NULL;

	if (row && l)
		row->backlog = l->backlog;
	return row;
}

/* ---- accepts ---- */

static void accept_emit(struct rs_ctx *c, const struct rs_accept *a)
{
	uint64_t queue_ns = a->since_ns && a->ts_ns > a->since_ns ? a->ts_ns - a->since_ns : 0;
	static const struct rs_socket unknown;
	const struct rs_socket *k = a->socket ? a->socket : &unknown;
	bool is_known = a->queue && a->queue->is_known;
	struct rs_socket_texts texts;

	if (!rs_shown(c, a->task) || !rs_row_is_shown(c, VIEW_ACCEPTS, queue_ns))
		return;
	rs_emit(c, VIEW_ACCEPTS, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(a->ts_ns), [COMM] = RS_TASK_VALUES(a->task), [FD] = rs_u((uint64_t)a->fd),
		[LOCAL] = RS_SOCKET_VALUES(k, &texts), [QUEUE] = rs_u_if(queue_ns, queue_ns),
		[WAITING] = rs_u_if(is_known, is_known ? a->queue->nr : 0),
	});
}

static void accept_count(struct rs_ctx *c, const struct rs_accept *a)
{
	struct accept_row *row = accept_row_of(c, a->queue);

	if (!row)
		return;
	row->accepts++;
	if (a->since_ns && a->ts_ns > a->since_ns && !rs_discarded(c, a->since_ns, a->ts_ns))
		rs_latency_add(c, &row->queue, a->since_ns, a->ts_ns, false);
}

static void accept_add_full(struct rs_ctx *c, const struct rs_accept *a)
{
	struct accept_row *row = accept_row_of(c, a->queue);

	if (row)
		row->full_ns += rs_part_ns(rs_since_ns(c), a->since_ns, a->ts_ns);
}

static void accept_add_queued(struct rs_ctx *c, const struct rs_accept_queue *l)
{
	struct accept_row *row = accept_row_of(c, l);

	if (row && l->is_known && l->nr > row->waiting_max)
		row->waiting_max = l->nr;
}

static void accept_on_accept(struct rs_ctx *c, const struct rs_accept *a)
{
	if (a->kind == RS_ACCEPT_QUEUED)
		accept_add_queued(c, a->queue);
	else if (a->kind == RS_ACCEPT_HAS_ROOM)
		accept_add_full(c, a);
	else if (a->kind == RS_ACCEPT_RETURNED)
		accept_count(c, a);
	if (a->kind == RS_ACCEPT_TOLD || (a->kind == RS_ACCEPT_RETURNED && a->socket))
		accept_emit(c, a);
}

/* ---- overflows ---- */

/* A SYN to a queue that is full is dropped, always: its client sends it again. */
static void accept_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *client = ev->socket;
	bool is_syn = ev->kind == RS_SOCKET_CONNECTS ||
		      (ev->kind == RS_SOCKET_RETRANSMITS && client->state == RS_TCP_SYN_SENT);
	const struct rs_accept_queue *l = is_syn ? rs_accepts_queue_at(c, &client->remote) : NULL;
	struct accept_row *row = l && l->full_ns ? accept_row_of(c, l) : NULL;

	if (row)
		row->overflows++;
}

enum { DROP_REASON, DROP_SOCKET };

/*
 * The last packet of a handshake, to a queue that has filled up meanwhile. The reason is TCP_LISTEN_OVERFLOW,
 * or, with SYN cookies, NO_SOCKET.
 */
static void accept_on_drop(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct accepts *s = c->state;
	const struct rs_socket *k = rs_socket_at(c, rs_u64(ev, &f[DROP_SOCKET]));
	bool listens = k && k->side == RS_SIDE_LISTENS;
	const struct rs_accept_queue *l = listens ? rs_accepts_queue(c, k->number) : NULL;
	bool is_overflow = l && (l->full_ns || (s->overflow && rs_u64(ev, &f[DROP_REASON]) == s->overflow));
	struct accept_row *row = is_overflow ? accept_row_of(c, l) : NULL;

	if (row)
		row->overflows++;
}

static int accept_begin(struct rs_ctx *c)
{
	struct accepts *s = c->state;

	if (!rs_event_symbol(c, "skb", "kfree_skb", "TCP_LISTEN_OVERFLOW", &s->overflow))
		s->overflow = 0;
	return 0;
}

/* Those whose queue is full now, or has something. */
static void accept_add_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	if (!to->rows)
		return;
	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k)) {
		const struct rs_accept_queue *l = k->shown && k->side == RS_SIDE_LISTENS ?
						      rs_accepts_queue(c, k->number) :
						      NULL;
		struct accept_row *row = l && l->nr ? rs_grouping_row(to->rows, NULL, l->number, 0, 0) : NULL;

		if (!row)
			continue;
		row->waiting += l->is_known ? l->nr : 0;
		if (l->full_ns)
			row->full_ns += rs_part_ns(rs_since_ns(c), l->full_ns, rs_last_event_ns(c));
	}
}

/* ---- columns ---- */

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "when accept returned" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread that accepts" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[FD] = { "fd", "FD", RS_TYPE_ID, 0, 0, 4, "the new descriptor" },
	[LOCAL] = RS_SOCKET_COLUMNS,
	[QUEUE] = { "queue_ns", "QUEUE(ms)", RS_TYPE_DURATION, RS_UNIT_MS,
		    RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
		    "from the end of the handshake until then; null: which connection it is is not told" },
	[WAITING] = { "waiting", "WAITING", RS_TYPE_COUNT, 0, 0, 7,
		      "how many are still in the queue; null: not known" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static struct rs_value accept_show_backlog(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct accept_row *row = g->row;

	return rs_u_if(row->backlog && g->one_key & 1, row->backlog);
}

#define ACCEPT_SUM(member) .measure_bytes = offsetof(struct accept_row, member), .aspect = RS_VALUE
#define ACCEPT_QUEUE .measure_bytes = offsetof(struct accept_row, queue), .aspect

static const struct rs_column listener_columns[] = {
	RS_SOCKET_KEY_COLUMNS,
	{ "backlog", "BACKLOG", RS_TYPE_COUNT, 0, 0, 7,
	  "what listen asks for, its queue takes one more; null: not seen", .cell = accept_show_backlog },
	{ "accepts", "ACCEPTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "connections that were accepted",
	  ACCEPT_SUM(accepts) },
	{ "queue_avg_ns", "QUEavg(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
	  "how long these were in its queue: the average", ACCEPT_QUEUE = RS_AVG },
	{ "queue_p99_ns", "QUEp99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "99 % were in it at most this",
	  ACCEPT_QUEUE = RS_P99 },
	{ "queue_max_ns", "QUEmax(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "longest",
	  ACCEPT_QUEUE = RS_MAX },
	{ "waiting", "WAITING", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "connections in its queue at the end",
	  ACCEPT_SUM(waiting) },
	{ "waiting_max", "MOST", RS_TYPE_COUNT, 0, 0, 7, "most that were in it at once",
	  ACCEPT_SUM(waiting_max) },
	{ "full_ns", "FULL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10, "how long it was full",
	  ACCEPT_SUM(full_ns) },
	{ "overflows", "OVERFLOWS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "attempts that were dropped because it was full: SYNs of clients on this machine, and, of all, the "
	  "last packets of handshakes", ACCEPT_SUM(overflows) },
	{ 0 },
};

const struct rs_analysis rs_analysis_tcpaccept = {
	.abi = RS_ABI,
	.name = "tcpaccept",
	.summary = "connections that are accepted, and the queues that they wait in",
	.by_name = true,
	.requires_sockets = true,
	.requirements = RS_LIST(rs_requirement,
		{ "skb", "kfree_skb", RS_OPTIONAL, RS_BY_ANYONE, accept_on_drop, { "?reason", "rx_sk" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = accept_on_socket },
			     { RS_ON_ACCEPT, .accept = accept_on_accept }),
	.views = RS_LIST(rs_view,
		[VIEW_ACCEPTS] = { .name = "tcpaccept", .topic = RS_TOPIC_NETWORK,
		  .summary = "each connection that is accepted: from where, and how long it was in the queue",
		  .kind = RS_VIEW_STREAM, .columns = columns,
		  .text_columns = "time_ns,comm,pid,local,local_port,remote,remote_port,queue_ns,waiting" },
		[VIEW_LISTENERS] = { .name = "listeners", .topic = RS_TOPIC_NETWORK,
		  .summary = "sockets that listen: their accept queues, and what overflows them",
		  .kind = RS_VIEW_TABLE, .columns = listener_columns, .options = "by", .store = stores,
		  .sort = "-overflows,-queue_max_ns", .by = "connection,comm,pid,local,local_port",
		  .text_columns = "comm,pid,local,local_port,backlog,accepts,queue_avg_ns,queue_p99_ns,"
				  "queue_max_ns,waiting,waiting_max,full_ns,overflows",
		  .add_in_flight = accept_add_in_flight }),
	.stores = stores,
	.state_size = sizeof(struct accepts),
	.begin = accept_begin,
};
