// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exchanges - request and response on TCP connections: how long each exchange took, and how many bytes it had
 *
 *	client    sends, then receives: from the end of the last send to that of the first receive with data
 *	server    receives, then sends: from the end of the last receive to the begin of the first send
 *
 * A connection that sends the next request before it has the response is pipelined: which response is whose
 * no event tells, so nothing of it is measured. That is known where a client looked for other work in between
 * (poll, epoll), or tried to receive in vain, though all of its send was taken; and, where both ends are on
 * this machine, where the server had not received all that was sent when it answered.
 */
#include <errno.h>

#include "ringside/plugin.h"

#define EXCHANGES_NR_ENDS 8192u /* of (server, peer, side): with more, the rest is one row */

enum { EXCHANGES_ASKED = 1, EXCHANGES_ANSWERED };

/* The part of a row's identity that is no task. */
struct exchanges_ends {
	struct rs_socket_end server;
	uint8_t peer[16];          /* address of the other end */
	uint8_t side;              /* enum rs_socket_side; 0: the place is free, or it is not known */
	bool used;
	char peer_comm[RS_COMM_LEN]; /* "": not known */
	const char *peer_machine;  /* NULL: this one, or not known */
};

/* A connection, by the number of its socket, and the exchange that is on its way. */
struct exchanges_connection {
	uint64_t number;
	uint64_t sent, received;   /* bytes since its begin, where .is_whole */
	uint64_t request_bytes, response_bytes;
	uint64_t request_ns, response_ns; /* when the one was complete, and the other began */
	uint64_t served_from_ns, served_to_ns; /* of a client: when its server worked on it; 0: not known */
	uint64_t last_ns;
	uint32_t ends;             /* 1 + place in the table of ends; 0: not looked for yet */
	int32_t tid;               /* who asked, or is asked */
	uint32_t inst;
	int32_t peer_pid;          /* 0: not known */
	uint8_t phase;             /* 0: nothing is on its way */
	bool is_whole;             /* nothing was lost since its begin */
	bool pipelined;            /* once, and from then on */
	bool tried, send_is_partial;
};

struct exchanges {
	struct exchanges_connection connections[RS_MAX_SOCKETS];
	struct exchanges_ends ends[EXCHANGES_NR_ENDS];
	uint32_t nr_ends;
};

/* Megabytes: made with the first message, since of most recordings there are none. */
struct exchanges_state {
	struct exchanges *all;     /* NULL: none yet, or no memory */
};

/* Of a task. */
struct exchanges_task {
	uint64_t polled_ns;        /* when its last poll returned */
};

struct exchanges_row {
	struct rs_hist lat, served;
	uint64_t request_bytes, response_bytes, pipelined, unordered, in_flight;
};

/* The key: the place in the table of ends. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct exchanges_row), .of_tasks = true, .max_rows = 16384, .kept_keys = 1,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_LATENCY, offsetof(struct exchanges_row, lat) },
			      { RS_MEASURE_LATENCY, offsetof(struct exchanges_row, served) },
			      RS_MEASURE_SUMS(struct exchanges_row, request_bytes, in_flight)) },
	{ 0 },
};

enum { VIEW_REQUESTS, VIEW_LIST };

static struct exchanges *exchanges_all(const struct rs_ctx *c)
{
	return ((struct exchanges_state *)c->state)->all;
}

/* ---- ends ---- */

/* Returns 1 + its place; 0: there is no room. */
static uint32_t exchanges_place_ends(struct exchanges *s, const struct exchanges_ends *ends)
{
	uint32_t at = rs_hash_bytes(ends, sizeof *ends) % EXCHANGES_NR_ENDS;

	while (s->ends[at].used && memcmp(&s->ends[at], ends, sizeof *ends))
		at = (at + 1) % EXCHANGES_NR_ENDS;
	if (s->ends[at].used)
		return at + 1;
	if (s->nr_ends >= EXCHANGES_NR_ENDS / 4 * 3)
		return 0;
	s->ends[at] = *ends;
	s->nr_ends++;
	return at + 1;
}

static void exchanges_set_ends(struct rs_ctx *c, const struct rs_socket *k, const struct rs_socket *peer,
			      struct exchanges_connection *x)
{
	const struct rs_far_task *far = peer ? NULL : rs_socket_far_task(c, k);
	struct exchanges_ends ends;

	memset(&ends, 0, sizeof ends); /* it is hashed: no byte of it may be anything else */
	ends.used = true;
	ends.side = (uint8_t)k->side;
	if (k->side)
		ends.server = k->side == RS_SIDE_CLIENT ? k->remote : k->local;
	memcpy(ends.peer, k->remote.addr, sizeof ends.peer);
	if (peer)
		memcpy(ends.peer_comm, peer->comm, sizeof ends.peer_comm);
	if (far) {
		memcpy(ends.peer_comm, far->comm, sizeof ends.peer_comm);
		ends.peer_machine = far->machine;
	}
	x->peer_pid = far ? far->pid : peer ? peer->pid : 0;
	x->ends = exchanges_place_ends(exchanges_all(c), &ends);
}

/* Its server has a name once it has received, which may be after the first request. */
static void exchanges_find_ends(struct rs_ctx *c, const struct rs_socket *k, struct exchanges_connection *x)
{
	const struct rs_socket *peer = x->peer_pid ? NULL : rs_socket_peer(c, k);

	if (!x->ends || (peer && peer->pid))
		exchanges_set_ends(c, k, peer, x);
}

static uint64_t exchanges_key(const struct exchanges_connection *x)
{
	return x->ends ? x->ends - 1 : RS_KEY_FORGOTTEN;
}

/* ---- connections ---- */

/* NULL: it has none yet, or another one has its place. */
static struct exchanges_connection *exchanges_find(struct rs_ctx *c, const struct rs_socket *k)
{
	struct exchanges *s = exchanges_all(c);
	struct exchanges_connection *x = k && s ? &s->connections[k->number % RS_MAX_SOCKETS] : NULL;

	return x && x->number == k->number ? x : NULL;
}

/* What was lost may have been part of an exchange. NULL: no memory */
static struct exchanges_connection *exchanges_get(struct rs_ctx *c, const struct rs_socket *k, uint64_t ts_ns)
{
	struct exchanges_state *state = c->state;
	struct exchanges_connection *x;

	if (!state->all)
		state->all = rs_alloc(c, 1, sizeof *state->all);
	if (!state->all)
		return NULL;
	x = &state->all->connections[k->number % RS_MAX_SOCKETS];
	if (x->number != k->number)
		*x = (struct exchanges_connection){ .number = k->number, .is_whole = k->begin_ns };
	else if (rs_discarded(c, x->last_ns, ts_ns)) {
		x->phase = 0;
		x->is_whole = false;
	}
	x->last_ns = ts_ns;
	return x;
}

static struct exchanges_row *exchanges_row_of(struct rs_ctx *c, struct rs_task *t,
					    const struct exchanges_connection *x)
{
	return rs_shown(c, t) ? rs_store_row(c, 0, t, exchanges_key(x), 0) : NULL;
}

/* ---- an exchange that is complete ---- */

enum { TIME, COMM, PID, TID, SIDE, LOCAL, LOCAL_PORT, REMOTE, REMOTE_PORT, PEER_COMM, PEER_PID,
       PEER_MACHINE, REQUEST, RESPONSE, LAT, SERVED, NR_COLUMNS };

static const char *exchanges_side_name(enum rs_socket_side side)
{
	return side == RS_SIDE_CLIENT ? "client" : side == RS_SIDE_SERVER ? "server" : NULL;
}

/* Of the time that the client waited, the part in which the server had all of the request. */
static struct rs_value exchanges_served_ns(const struct exchanges_connection *x)
{
	uint64_t to_ns = x->served_to_ns < x->response_ns ? x->served_to_ns : x->response_ns;

	return rs_u_if(x->served_to_ns, rs_part_ns(x->request_ns, x->served_from_ns, to_ns));
}

static void exchanges_emit(struct rs_ctx *c, const struct rs_socket *k, const struct exchanges_connection *x,
			  const struct rs_task *t)
{
	const struct exchanges *s = exchanges_all(c);
	struct rs_socket_texts texts;

	rs_emit(c, VIEW_LIST, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(x->response_ns), [COMM] = RS_TASK_VALUES(t),
		[SIDE] = rs_s(exchanges_side_name(k->side)), [LOCAL] = RS_SOCKET_VALUES(k, &texts),
		[PEER_COMM] = rs_s(x->ends ? s->ends[x->ends - 1].peer_comm : NULL),
		[PEER_PID] = rs_u_if(x->peer_pid, (uint64_t)x->peer_pid),
		[PEER_MACHINE] = rs_s(x->ends ? s->ends[x->ends - 1].peer_machine : NULL),
		[REQUEST] = rs_u(x->request_bytes),
		[RESPONSE] = rs_u(x->response_bytes), [LAT] = rs_u(x->response_ns - x->request_ns),
		[SERVED] = exchanges_served_ns(x),
	});
}

/* Its response ends where the next request begins, or the connection. */
static void exchanges_finish(struct rs_ctx *c, const struct rs_socket *k, struct exchanges_connection *x)
{
	struct rs_task *t = x->phase == EXCHANGES_ANSWERED && !x->pipelined ? rs_task_find(c, x->tid) : NULL;
	struct rs_value served_ns = exchanges_served_ns(x);
	struct exchanges_row *row;

	x->phase = 0;
	if (!t || t->inst != x->inst || rs_discarded(c, x->request_ns, x->response_ns))
		return;
	row = served_ns.known ? exchanges_row_of(c, t, x) : NULL;
	if (row)
		rs_hist_add(&row->served, served_ns.u);
	if (rs_shown(c, t) && rs_row_is_shown(c, VIEW_LIST, x->response_ns - x->request_ns))
		exchanges_emit(c, k, x, t);
}

/* On the track of its connection, as soon as the response begins: slices come in the order of their ends. */
static void exchanges_draw(struct rs_ctx *c, const struct rs_socket *k, const struct exchanges_connection *x)
{
	const struct exchanges *s = exchanges_all(c);
	const struct rs_value values[] = {
		rs_s(exchanges_side_name(k->side)),
		rs_s(x->ends ? s->ends[x->ends - 1].peer_comm : NULL),
		rs_u(x->request_bytes),
	};

	rs_emit_span(c, 0, &(struct rs_span){ .id = k->number, .start_ns = x->request_ns,
					      .end_ns = x->response_ns, .arg = rs_span_tid_and(x->tid, 0),
					      .values = values });
}

/* ---- messages ---- */

/* Did it ask poll for other work since its last send, which the kernel took all of? */
static bool exchanges_has_turned_away(struct rs_ctx *c, const struct exchanges_connection *x,
				     const struct rs_task *t)
{
	const struct exchanges_task *of = rs_task_data(c, t);

	return !x->send_is_partial && (x->tried || of->polled_ns > x->request_ns);
}

/* Of a call whose third argument is how many bytes it is to send. */
static bool exchanges_is_partial(struct rs_ctx *c, const struct rs_socket_message *m)
{
	const struct rs_task *t = m->task;

	return rs_task_in_call(c, t) && !rs_call_is(c, t->syscall, RS_CLASS_GATHER | RS_CLASS_MANY) &&
	       rs_call_is(c, t->syscall, RS_CLASS_WRITE | RS_CLASS_ADDRESS) &&
	       (uint64_t)m->bytes < t->syscall_args[2];
}

static void exchanges_on_request(struct rs_ctx *c, const struct rs_socket_message *m,
				struct exchanges_connection *x)
{
	bool more = x->phase == EXCHANGES_ASKED;

	if (!more) {
		exchanges_finish(c, m->socket, x);
		x->request_bytes = x->response_bytes = 0;
	} else if (m->sent && exchanges_has_turned_away(c, x, m->task))
		x->pipelined = true;
	x->phase = EXCHANGES_ASKED;
	x->request_bytes += (uint64_t)m->bytes;
	x->request_ns = m->ts_ns;
	x->served_to_ns = 0;
	x->tid = m->task->tid;
	x->inst = m->task->inst;
	x->tried = false;
	x->send_is_partial = m->sent && exchanges_is_partial(c, m);
}

/* When a server's response begins: with its call. */
static uint64_t exchanges_response_ns(const struct rs_ctx *c, const struct rs_socket_message *m,
				     const struct exchanges_connection *x)
{
	uint64_t enter_ns = rs_task_in_call(c, m->task) ? m->task->syscall_enter_ns : 0;

	return m->sent && enter_ns >= x->request_ns ? enter_ns : m->ts_ns;
}

/* Both ends are here: the client learns when its request was served, and both whether it was the only one. */
static void exchanges_inform_client(struct rs_ctx *c, const struct rs_socket *k,
				    struct exchanges_connection *x)
{
	struct exchanges_connection *client = exchanges_find(c, rs_socket_peer(c, k));

	if (!client)
		return;
	if (x->is_whole && client->is_whole && client->sent > x->received)
		x->pipelined = true;
	x->pipelined = client->pipelined = x->pipelined || client->pipelined;
	client->served_from_ns = x->request_ns;
	client->served_to_ns = x->response_ns;
}

static void exchanges_count(struct rs_ctx *c, struct exchanges_row *row, const struct exchanges_connection *x)
{
	row->request_bytes += x->request_bytes;
	if (x->pipelined)
		row->pipelined++;
	else if (!rs_discarded(c, x->request_ns, x->response_ns))
		rs_latency_add(c, &row->lat, x->request_ns, x->response_ns, false);
}

static void exchanges_on_response(struct rs_ctx *c, const struct rs_socket_message *m,
				 struct exchanges_connection *x)
{
	bool is_first = x->phase == EXCHANGES_ASKED;
	struct exchanges_row *row;

	if (!x->phase) /* its request was not seen */
		return;
	if (is_first) {
		x->phase = EXCHANGES_ANSWERED;
		x->response_ns = exchanges_response_ns(c, m, x);
		exchanges_find_ends(c, m->socket, x);
		if (m->sent)
			exchanges_inform_client(c, m->socket, x);
	}
	if (is_first && rs_spans_enabled(c) && !x->pipelined && rs_shown(c, m->task) &&
	    !rs_discarded(c, x->request_ns, x->response_ns))
		exchanges_draw(c, m->socket, x);
	x->response_bytes += (uint64_t)m->bytes;
	row = exchanges_row_of(c, m->task, x);
	if (row)
		row->response_bytes += (uint64_t)m->bytes;
	if (row && is_first)
		exchanges_count(c, row, x);
}

/* Nobody knows who asks. */
static void exchanges_on_unordered(struct rs_ctx *c, const struct rs_socket_message *m,
				  struct exchanges_connection *x)
{
	struct exchanges_row *row;

	exchanges_find_ends(c, m->socket, x);
	row = exchanges_row_of(c, m->task, x);
	if (row)
		row->unordered++;
}

static void exchanges_on_message(struct rs_ctx *c, const struct rs_socket_message *m)
{
	const struct rs_socket *k = m->socket;
	bool is_request = m->sent == (k->side == RS_SIDE_CLIENT);
	struct exchanges_connection *x = exchanges_get(c, k, m->ts_ns);

	if (!x)
		return;
	if (m->bytes <= 0) { /* neither is the end of what the peer sends a response */
		x->tried |= !m->sent && m->bytes == -EAGAIN;
		x->send_is_partial |= m->sent && m->bytes == -EAGAIN;
		return;
	}
	*(m->sent ? &x->sent : &x->received) += (uint64_t)m->bytes;
	if (!k->side)
		exchanges_on_unordered(c, m, x);
	else if (is_request)
		exchanges_on_request(c, m, x);
	else
		exchanges_on_response(c, m, x);
}

static void exchanges_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct exchanges_connection *x = ev->kind == RS_SOCKET_CLOSED ? exchanges_find(c, ev->socket) : NULL;

	if (x)
		exchanges_finish(c, ev->socket, x);
}

static void exchanges_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct exchanges_task *t = rs_task_data(c, call->task);

	if (!call->in_flight)
		t->polled_ns = call->exit_ns;
}

static void exchanges_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct exchanges_connection *x;

	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k))
		if ((x = exchanges_find(c, k)) && x->phase == EXCHANGES_ANSWERED)
			exchanges_finish(c, k, x);
}

static void exchanges_add_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	const struct exchanges_connection *x;
	struct exchanges_row *row;
	struct rs_task *t;

	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k)) {
		x = exchanges_find(c, k);
		if (!x || x->phase != EXCHANGES_ASKED || rs_discarded(c, x->last_ns, rs_last_event_ns(c)))
			continue;
		t = rs_task_find(c, x->tid);
		if (!t || t->inst != x->inst || !rs_shown(c, t))
			continue;
		row = rs_grouping_row(to->rows, t, exchanges_key(x), 0, 0);
		if (row)
			row->in_flight++;
	}
}

/* ---- columns ---- */

static const struct exchanges_ends *exchanges_ends_of(struct rs_ctx *c, const struct rs_group *g)
{
	static const struct exchanges_ends unknown;
	const struct exchanges *s = exchanges_all(c);

	return s && g->keys[0] < EXCHANGES_NR_ENDS ? &s->ends[g->keys[0]] : &unknown;
}

static struct rs_value exchanges_show_side(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(exchanges_side_name(exchanges_ends_of(c, g)->side));
}

static struct rs_value exchanges_show_server(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_socket_addr_value(&exchanges_ends_of(c, g)->server, buf);
}

static struct rs_value exchanges_show_port(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct exchanges_ends *ends = exchanges_ends_of(c, g);

	return rs_u_if(ends->server.port, ends->server.port);
}

static struct rs_value exchanges_show_peer(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_socket_end peer = { .port = 0 };

	memcpy(peer.addr, exchanges_ends_of(c, g)->peer, sizeof peer.addr);
	return rs_socket_addr_value(&peer, buf);
}

static struct rs_value exchanges_show_peer_comm(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(exchanges_ends_of(c, g)->peer_comm);
}

static struct rs_value exchanges_show_peer_machine(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(exchanges_ends_of(c, g)->peer_machine);
}

#define EXCHANGES_KEY .key = RS_KEY_0, .by_cell = true, .cell
#define EXCHANGES_LATENCY .measure_bytes = offsetof(struct exchanges_row, lat), .aspect
#define EXCHANGES_SERVED .measure_bytes = offsetof(struct exchanges_row, served), .aspect
#define EXCHANGES_SUM(member) .measure_bytes = offsetof(struct exchanges_row, member), .aspect = RS_VALUE

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "side", "SIDE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 6,
	  "client, server: what the task is; null: the connection is older than the trace",
	  EXCHANGES_KEY = exchanges_show_side },
	{ "server", "SERVER", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 15, "the server's address",
	  EXCHANGES_KEY = exchanges_show_server },
	{ "server_port", "PORT", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the server's port",
	  EXCHANGES_KEY = exchanges_show_port },
	{ "peer", "PEER", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 15, "address of the other end",
	  EXCHANGES_KEY = exchanges_show_peer },
	{ "peer_comm", "PEER COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16,
	  "the task that has the other end; null: on no machine that is read, or not known",
	  EXCHANGES_KEY = exchanges_show_peer_comm },
	{ "peer_machine", "PEER MACHINE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 12,
	  RS_FAR_MACHINE_HELP, EXCHANGES_KEY = exchanges_show_peer_machine },
	{ "requests", "REQUESTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "requests with a response",
	  EXCHANGES_LATENCY = RS_COUNT },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "client: sum of the time from the end of the last send to the first receive with data; server: "
	  "from the last receive to the begin of the first send", EXCHANGES_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "average", EXCHANGES_LATENCY = RS_AVG },
	{ "p50_ns", "P50(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "half of them took at most this",
	  EXCHANGES_LATENCY = RS_P50 },
	{ "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % took at most this",
	  EXCHANGES_LATENCY = RS_P99 },
	{ "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest",
	  EXCHANGES_LATENCY = RS_MAX },
	{ "served_avg_ns", "SERVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
	  "client: the average part of it in which the server had the request; null: it is not on this "
	  "machine", EXCHANGES_SERVED = RS_AVG },
	{ "request_bytes", "ASKED", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9,
	  "bytes of requests that have a response", EXCHANGES_SUM(request_bytes) },
	{ "response_bytes", "ANSWERED", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes of responses",
	  EXCHANGES_SUM(response_bytes) },
	{ "pipelined", "PIPELINED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "responses on connections that send requests before they have the response: not measured",
	  EXCHANGES_SUM(pipelined) },
	{ "unordered", "UNORDERED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "messages of connections that are older than the trace: which of them ask is not known",
	  EXCHANGES_SUM(unordered) },
	{ "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5, "requests without a response at the end",
	  EXCHANGES_SUM(in_flight) },
	{ 0 },
};

static const struct rs_column list_columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14,
		   "when the response began" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16,
		   "the thread that sent the request, or received it" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[SIDE] = { "side", "SIDE", RS_TYPE_TEXT, 0, 0, 6, "client, server: what it is" },
	[LOCAL] = RS_SOCKET_COLUMNS,
	[PEER_COMM] = { "peer_comm", "PEER COMM", RS_TYPE_TEXT, 0, 0, 16,
			"the task that has the other end; null: on no machine that is read, or not known" },
	[PEER_PID] = { "peer_pid", "PEER PID", RS_TYPE_ID, 0, 0, 8, "its process" },
	[PEER_MACHINE] = { "peer_machine", "PEER MACHINE", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 12,
			   RS_FAR_MACHINE_HELP },
	[REQUEST] = { "request_bytes", "ASKED", RS_TYPE_BYTES, 0, 0, 9, "bytes of the request" },
	[RESPONSE] = { "response_bytes", "ANSWERED", RS_TYPE_BYTES, 0, 0, 9, "bytes of the response" },
	[LAT] = { "lat_ns", "LAT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
		  "client: from the end of the last send to the first receive with data; server: from the "
		  "last receive to the begin of the first send" },
	[SERVED] = { "served_ns", "SERVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		     "client: the part of it in which the server had the request; null: it is not on this "
		     "machine" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

/* What they tell comes by RS_ON_MESSAGE; a kernel without them is not one without requests. */
static void exchanges_on_length(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
}

const struct rs_analysis rs_analysis_exchanges = {
	.abi = RS_ABI,
	.name = "exchanges",
	.summary = "request and response on TCP connections: latency and bytes",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		{ "sock", "sock_send_length", RS_REQUIRED, RS_BY_TASK, exchanges_on_length, { "sk" } },
		{ "sock", "sock_recv_length", RS_REQUIRED, RS_BY_TASK, exchanges_on_length, { "sk" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = exchanges_on_socket },
			     { RS_ON_MESSAGE, .message = exchanges_on_message },
			     { RS_ON_CALL, .call = exchanges_on_call, .kinds = 1 << RS_CALL_IDLE }),
	.views = RS_LIST(rs_view,
		[VIEW_REQUESTS] = { .name = "requests", .topic = RS_TOPIC_NETWORK,
		  .diff_by = "comm,side,server,server_port,peer_comm",
		  .summary = "requests over TCP by task, server and peer: latency until the response, bytes",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-total_ns", .by = "comm,pid,side,server,server_port,peer_comm,peer_machine",
		  .list = "request-list",
		  .text_columns = "comm,pid,side,server,server_port,peer_comm,peer_machine,requests,"
				  "p50_ns,p99_ns,max_ns,served_avg_ns,request_bytes,response_bytes,"
				  "pipelined",
		  .add_in_flight = exchanges_add_in_flight },
		[VIEW_LIST] = { .name = "request-list", .topic = RS_TOPIC_NETWORK,
		  .summary = "each request over TCP that has a response: latency, bytes, both tasks",
		  .kind = RS_VIEW_STREAM, .columns = list_columns,
		  .text_columns = "time_ns,comm,pid,side,local_port,remote,remote_port,peer_comm,"
				  "peer_machine,request_bytes,response_bytes,lat_ns,served_ns" }),
	.stores = stores,
	.spans = RS_LIST(rs_span_kind,
		{ .name = "exchange", .track = RS_TRACK_CONNECTION, .shape = RS_SPAN_SLICE,
		  .get_tid = rs_span_only_tid, .rate = "exchanges",
		  .columns = RS_LIST(rs_column,
			{ "side", "SIDE", RS_TYPE_TEXT, 0, 0, 0, "client, server: what its task is" },
			{ "peer_comm", "PEER COMM", RS_TYPE_TEXT, 0, 0, 0,
			  "the task that has the other end; null: on no machine that is read, or not known" },
			{ "request_bytes", "ASKED", RS_TYPE_BYTES, 0, 0, 0, "bytes of the request" }) }),
	.state_size = sizeof(struct exchanges_state),
	.task_size = sizeof(struct exchanges_task),
	.end = exchanges_end,
};
