// SPDX-License-Identifier: GPL-2.0-or-later
/* connections - each connection, TCP and Unix: who has it, with whom, and what went over it */
#include "ringside/culprit.h"
#include "ringside/plugin.h"

/* Of one socket; the key is its number, and the socket itself the engine's. */
struct connections_row {
	uint64_t nr;               /* connections: filled in when rows are shown */
	uint64_t sends, receives, sent_bytes, received_bytes, retransmits;
	/* what the waits that ended in calls on it were for */
	uint64_t wait_peer_ns, wait_network_ns, wait_send_ns;
	uint64_t hidden;           /* filled in likewise: there are calls on it whose bytes are not counted */
	/* what calls returned: shown where messages are not recorded. Of .many only the number of messages */
	uint64_t call_sends, call_receives, call_sent_bytes, call_received_bytes, many;
	uint64_t number;           /* of the socket */
};

/*
 * Where messages are not recorded, the bytes are those that calls return. They are all known if its
 * descriptor was since it was made, or since before the time that is shown.
 */
struct connections_calls {
	uint64_t number;           /* of the socket; another: nothing is known of it */
	uint64_t since_ns;         /* its calls are known from then on; 0: all are */
};

/* What tcp_probe said last of a socket, where it was recorded: it fires for each segment that is received. */
struct connections_probe {
	uint64_t number;           /* of the socket; another: nothing was said of it */
	uint32_t rtt_us, cwnd, window_bytes;
};

/* The other end of a socket, which is shown after one of them has closed, too. */
struct connections_peer {
	uint64_t number, peer;     /* of the sockets */
};

#define CONNECTIONS_PIDS 256u  /* by a hash */

struct connections {
	struct connections_probe probes[RS_MAX_SOCKETS];
	struct connections_peer peers[RS_MAX_SOCKETS];
	struct connections_calls calls[RS_MAX_SOCKETS];
	/* of a process: its last call that may move bytes of any connection (splice, io_uring) */
	uint64_t hidden_ns[CONNECTIONS_PIDS];
};

static bool connections_has_messages(const struct rs_ctx *c)
{
	return rs_event_is_recorded(c, "sock", "sock_send_length") ||
	       rs_event_is_recorded(c, "sock", "sock_recv_length");
}

static uint64_t *connections_hidden_of(struct connections *s, int32_t pid)
{
	return &s->hidden_ns[(uint32_t)pid % CONNECTIONS_PIDS];
}

/* May there be calls on it in the time that is shown whose bytes are not counted? */
static bool connections_hides_calls(struct rs_ctx *c, const struct rs_socket *k)
{
	struct connections *s = c->state;
	const struct connections_calls *calls = k ? &s->calls[k->number % RS_MAX_SOCKETS] : NULL;
	uint64_t since_ns = k && k->begin_ns > rs_since_ns(c) ? k->begin_ns : rs_since_ns(c);

	return !calls || calls->number != k->number || calls->since_ns > rs_since_ns(c) ||
	       rs_discarded(c, since_ns, rs_last_event_ns(c)) ||
	       (k->pid && *connections_hidden_of(s, k->pid) > since_ns);
}

/* One that is open is counted with all that are, whether this interval has events of it or not. */
static void connections_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row)
{
	struct connections_row *r = row;
	const struct rs_socket *k = rs_socket_find(c, r->number);

	r->nr = !k || k->is_over;
	if (connections_has_messages(c) && !(k && k->is_unix))
		return;
	r->sends = r->call_sends;
	r->receives = r->call_receives;
	r->sent_bytes = r->call_sent_bytes;
	r->received_bytes = r->call_received_bytes;
	r->hidden = r->many || connections_hides_calls(c, k);
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct connections_row), .max_rows = RS_MAX_SOCKETS,
	  .complete = connections_complete,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct connections_row, nr, many)) },
	{ 0 },
};

enum { PROBE_SOCKET, PROBE_RTT, PROBE_CWND, PROBE_WINDOW };

static void connections_on_probe(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct rs_socket *k = rs_socket_at(c, rs_u64(ev, &f[PROBE_SOCKET]));
	struct connections *s = c->state;

	if (k)
		s->probes[k->number % RS_MAX_SOCKETS] = (struct connections_probe){
			k->number, (uint32_t)rs_u64(ev, &f[PROBE_RTT]), (uint32_t)rs_u64(ev, &f[PROBE_CWND]),
			(uint32_t)rs_u64(ev, &f[PROBE_WINDOW]) };
}

static void connections_find_peer(struct rs_ctx *c, const struct rs_socket *k)
{
	struct connections_peer *of = &((struct connections *)c->state)->peers[k->number % RS_MAX_SOCKETS];
	const struct rs_socket *peer = of->number == k->number ? NULL : rs_socket_peer(c, k);

	if (peer)
		*of = (struct connections_peer){ k->number, peer->number };
}

/* NULL: it is not shown, or there is no memory. */
static struct connections_row *connections_row_of(struct rs_ctx *c, const struct rs_socket *k)
{
	struct connections_row *row = k->shown && k->side != RS_SIDE_LISTENS ?
					      rs_store_row(c, 0, NULL, k->number, 0) :
					      NULL;

	if (!row)
		return NULL;
	row->number = k->number;
	connections_find_peer(c, k);
	return row;
}

static void connections_know_calls(struct rs_ctx *c, const struct rs_socket *k, uint64_t since_ns)
{
	struct connections *s = c->state;
	struct connections_calls *calls = &s->calls[k->number % RS_MAX_SOCKETS];

	if (calls->number != k->number)
		*calls = (struct connections_calls){ k->number, since_ns };
}

static void connections_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct connections_row *row = connections_row_of(c, ev->socket);

	if (ev->kind == RS_SOCKET_CONNECTS && rs_task_socket(c, ev->task) == ev->socket)
		connections_know_calls(c, ev->socket, 0);
	if (row && ev->kind == RS_SOCKET_RETRANSMITS)
		row->retransmits++;
}

static void connections_on_accept(struct rs_ctx *c, const struct rs_accept *a)
{
	if (a->kind == RS_ACCEPT_RETURNED && a->socket)
		connections_know_calls(c, a->socket, 0);
}

static void connections_on_message(struct rs_ctx *c, const struct rs_socket_message *m)
{
	struct connections_row *row = connections_row_of(c, m->socket);

	if (!row || m->bytes < 0)
		return;
	*(m->sent ? &row->sends : &row->receives) += 1;
	*(m->sent ? &row->sent_bytes : &row->received_bytes) += (uint64_t)m->bytes;
}

#define CONNECTIONS_SEND (RS_CLASS_SEND | RS_CLASS_WRITE | RS_CLASS_FILL)
#define CONNECTIONS_RECEIVE (RS_CLASS_RECEIVE | RS_CLASS_READ)

/* recvfrom's and recvmsg's: what is read stays. */
static bool connections_peeks(struct rs_ctx *c, const struct rs_call *call)
{
	enum { PEEK = 2 }; /* MSG_PEEK */

	if (!call->args || !rs_call_is(c, call->nr, RS_CLASS_RECEIVE))
		return false;
	return call->args[rs_call_is(c, call->nr, RS_CLASS_GATHER) ? 2 : 3] & PEEK;
}

static void connections_add_bytes(struct rs_ctx *c, const struct rs_call *call, const struct rs_socket *k)
{
	bool sends = rs_call_is(c, call->nr, CONNECTIONS_SEND);
	struct connections_row *row;

	if (!sends && !rs_call_is(c, call->nr, CONNECTIONS_RECEIVE))
		return;
	row = connections_row_of(c, k);
	if (!row || !call->ret_known || call->ret < 0 || connections_peeks(c, call))
		return;
	row->many += rs_call_is(c, call->nr, RS_CLASS_MANY);
	*(sends ? &row->call_sends : &row->call_receives) += 1;
	*(sends ? &row->call_sent_bytes : &row->call_received_bytes) += (uint64_t)call->ret;
}

/* A call whose first argument is not all that it moves bytes of. */
static bool connections_is_hidden(struct rs_ctx *c, const struct rs_call *call)
{
	return call->kind == RS_CALL_IO_WAIT || rs_call_is(c, call->nr, RS_CLASS_SPLICE);
}

/* One that is older than the trace is known once its descriptor is looked up, and somebody asks for it. */
static void connections_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_socket *k = call->discarded || call->in_flight ? NULL : rs_call_socket(c, call);

	if (connections_is_hidden(c, call))
		*connections_hidden_of(c->state, call->task->pid) = call->exit_ns;
	if (!k)
		return;
	connections_know_calls(c, k, call->exit_ns);
	connections_add_bytes(c, call, k);
}

static void connections_add_wait(struct rs_ctx *c, const struct rs_socket *k, unsigned int part,
				 uint64_t from_ns, uint64_t to_ns)
{
	struct connections_row *row = connections_row_of(c, k);
	uint64_t ns = rs_part_ns(rs_since_ns(c), from_ns, to_ns);

	if (!row)
		return;
	switch ((enum rs_time_part)part) {
	case RS_PART_NETWORK:
	case RS_PART_DELAYED_ACK:
		row->wait_network_ns += ns;
		break;
	case RS_PART_SEND_BUFFER:
	case RS_PART_SEND_PEER:
	case RS_PART_SEND_LINK:
		row->wait_send_ns += ns;
		break;
	default:
		row->wait_peer_ns += ns;
	}
}

/* A wait in a call on it has ended. */
static void connections_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_socket *k = iv->letter == 'S' && !iv->discarded ? rs_task_socket(c, iv->task) : NULL;

	if (k)
		connections_add_wait(c, k, rs_socket_wait_part(c, iv), iv->from_ns, iv->to_ns);
}

/* One in a poll was for it. */
static void connections_on_polled(struct rs_ctx *c, const struct rs_polled *polled)
{
	connections_add_wait(c, polled->socket, polled->part, polled->from_ns, polled->to_ns);
}

#define CONNECTIONS_CALLS \
	(1 << RS_CALL_PLAIN | 1 << RS_CALL_WRITE | 1 << RS_CALL_SEND | 1 << RS_CALL_IO_WAIT)

static void connections_add_open(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct connections_row *row;

	if (!to->rows)
		return;
	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k)) {
		if (!k->shown || k->side == RS_SIDE_LISTENS)
			continue;
		row = rs_grouping_row(to->rows, NULL, k->number, 0, 0);
		if (row)
			row->nr++;
	}
}

/* ---- columns: of the first key, the number of a socket ---- */

static const struct rs_socket *connections_socket(struct rs_ctx *c, const struct rs_group *g)
{
	return rs_socket_find(c, g->keys[0]);
}

/* Where its close was not seen nobody knows. */
static struct rs_value connections_show_state(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_socket(c, g);
	bool known = k && (k->is_over ? k->closed_ns : !rs_discarded(c, k->last_ns, rs_last_event_ns(c)));

	return rs_s(known ? rs_tcp_state_name(k->state) : NULL);
}

/* What several have is nothing of one. */
static const struct rs_socket *connections_one(struct rs_ctx *c, const struct rs_group *g)
{
	return g->one_key & 1 ? connections_socket(c, g) : NULL;
}

static struct rs_value connections_show_begin(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_one(c, g);

	return rs_u_if(k && k->begin_ns, k ? k->begin_ns : 0);
}

/* The handshake as the client has it: from its SYN to the answer. */
static struct rs_value connections_show_connect(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_one(c, g);
	bool known = k && k->side == RS_SIDE_CLIENT && k->begin_ns && k->established_ns >= k->begin_ns;

	return rs_u_if(known && !rs_discarded(c, k->begin_ns, k->established_ns),
		       known ? k->established_ns - k->begin_ns : 0);
}

static struct rs_value connections_show_age(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_one(c, g);
	uint64_t to_ns = k && k->closed_ns ? k->closed_ns : rs_last_event_ns(c);

	return rs_u_if(k && k->begin_ns && to_ns >= k->begin_ns && (!k->is_over || k->closed_ns),
		       k ? to_ns - k->begin_ns : 0);
}

static const struct connections_probe *connections_probe_of(struct rs_ctx *c, const struct rs_group *g)
{
	const struct rs_socket *k = connections_one(c, g);
	const struct connections *s = c->state;
	const struct connections_probe *probe = k ? &s->probes[k->number % RS_MAX_SOCKETS] : NULL;

	return probe && probe->number == k->number ? probe : NULL;
}

static struct rs_value connections_show_rtt(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct connections_probe *probe = connections_probe_of(c, g);

	return rs_u_if(probe && probe->rtt_us, probe ? probe->rtt_us * 1000ull : 0);
}

static struct rs_value connections_show_cwnd(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct connections_probe *probe = connections_probe_of(c, g);

	return rs_u_if(probe, probe ? probe->cwnd : 0);
}

static struct rs_value connections_show_window(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct connections_probe *probe = connections_probe_of(c, g);

	return rs_u_if(probe, probe ? probe->window_bytes : 0);
}

static struct rs_value connections_show_protocol(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_socket(c, g);

	return rs_s(!k ? NULL : k->is_unix ? "unix" : "tcp");
}

/* The end that others connect to, whichever this one is; NULL: it is older than the trace. */
static const struct rs_socket_end *connections_server(const struct rs_socket *k)
{
	if (!k || !k->side)
		return NULL;
	return k->side == RS_SIDE_CLIENT ? &k->remote : &k->local;
}

static struct rs_value connections_show_server(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_socket(c, g);
	const struct rs_socket_end *server = connections_server(k);

	if (k && k->is_unix)
		return rs_s(k->path);
	return server ? rs_socket_addr_value(server, buf) : rs_null();
}

static struct rs_value connections_show_server_port(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket_end *server = connections_server(connections_socket(c, g));

	return rs_u_if(server && server->port, server ? server->port : 0);
}

/* Of its other end, where that is known and on this machine. */
static const struct rs_socket *connections_peer(struct rs_ctx *c, const struct rs_group *g)
{
	const struct rs_socket *k = connections_socket(c, g), *peer = k ? rs_socket_peer(c, k) : NULL;
	const struct connections_peer *of =
		k ? &((struct connections *)c->state)->peers[k->number % RS_MAX_SOCKETS] : NULL;

	return peer || !of || of->number != k->number ? peer : rs_socket_find(c, of->peer);
}

/* Of its other end, where another machine has that. */
static const struct rs_far_task *connections_far(struct rs_ctx *c, const struct rs_group *g)
{
	const struct rs_socket *k = connections_peer(c, g) ? NULL : connections_socket(c, g);

	return k ? rs_socket_far_task(c, k) : NULL;
}

static struct rs_value connections_show_peer_comm(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *peer = connections_peer(c, g);
	const struct rs_far_task *far = connections_far(c, g);

	return rs_s(far ? far->comm : peer && peer->tid ? peer->comm : NULL);
}

static struct rs_value connections_show_peer_pid(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *peer = connections_peer(c, g);
	const struct rs_far_task *far = connections_far(c, g);
	int32_t pid = far ? far->pid : peer ? peer->pid : 0;

	return rs_u_if(pid, (uint64_t)pid);
}

static struct rs_value connections_show_peer_machine(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_far_task *far = connections_far(c, g);

	return rs_s(far ? far->machine : NULL);
}

static struct rs_value connections_show_reset(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const char *const by[] = { NULL, "peer", "local" };
	const struct rs_socket *k = connections_socket(c, g);

	return rs_s(k ? by[k->reset] : NULL);
}

/* Of the task that has it; NULL: unknown. */
static const char *connections_cgroup_of(struct rs_ctx *c, const struct rs_group *g)
{
	const struct rs_socket *k = connections_socket(c, g);
	const struct rs_task *t = k && k->tid ? rs_task_find(c, k->tid) : NULL;

	return t ? t->cgroup : NULL;
}

static struct rs_value connections_show_cgroup(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(connections_cgroup_of(c, g));
}

static struct rs_value connections_show_unit(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const char *cgroup = connections_cgroup_of(c, g);

	return cgroup ? rs_s(rs_cgroup_unit(c, cgroup, buf, RS_CELL_TEXT_BYTES)) : rs_null();
}

static struct rs_value connections_show_cmdline(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = connections_one(c, g);

	const char *comm = k && k->pid ? rs_api_process_comm(c, k->pid) : NULL;

	return rs_s(comm ? rs_process_cmdline(c, k->pid, comm) : NULL);
}

#define CONNECTIONS_MESSAGES(member) \
	static struct rs_value connections_show_##member(struct rs_ctx *c, const struct rs_group *g, \
							 char *buf) \
	{ \
		const struct connections_row *row = g->row; \
		return rs_u_if(!row->hidden, row->member); \
	}

CONNECTIONS_MESSAGES(sends)
CONNECTIONS_MESSAGES(sent_bytes)
CONNECTIONS_MESSAGES(receives)
CONNECTIONS_MESSAGES(received_bytes)

#define CONNECTIONS_SUM(member) .measure_bytes = offsetof(struct connections_row, member), .aspect = RS_VALUE
#define CONNECTIONS_SHOWN(member) CONNECTIONS_SUM(member), .cell = connections_show_##member
#define CONNECTIONS_WAIT(member) CONNECTIONS_SUM(member), .if_recorded = "sched:sched_switch"

static const struct rs_column columns[] = {
	RS_SOCKET_KEY_COLUMNS,
	{ "state", "STATE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 10,
	  "as ss has it; CLOSED: in this time; null: not known", RS_SOCKET_KEY = connections_show_state },
	{ "reset", "RESET", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 5,
	  "who ended it by a reset: peer, local; null: nobody did",
	  RS_SOCKET_KEY = connections_show_reset },
	{ "protocol", "PROTOCOL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 8,
	  "tcp, unix", .follows = "connection", RS_SOCKET_KEY = connections_show_protocol },
	{ "server", "SERVER", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 15,
	  "the server's address, or the path of its socket; null: it is older than the trace",
	  .follows = "connection", RS_SOCKET_KEY = connections_show_server },
	{ "server_port", "PORT", RS_TYPE_ID, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 5,
	  "the server's port", .follows = "connection", RS_SOCKET_KEY = connections_show_server_port },
	{ "peer_comm", "PEER", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 16,
	  "the task that has the other end; null: on no machine that is read, or not known",
	  .follows = "connection", RS_SOCKET_KEY = connections_show_peer_comm },
	{ "peer_pid", "PEERPID", RS_TYPE_ID, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 7, "its process",
	  .follows = "connection", RS_SOCKET_KEY = connections_show_peer_pid },
	{ "peer_machine", "PEERMACHINE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 12,
	  RS_FAR_MACHINE_HELP, .follows = "connection", RS_SOCKET_KEY = connections_show_peer_machine },
	{ "cgroup", "CGROUP", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 24,
	  "the control group of its task; null unknown", .follows = "connection",
	  RS_SOCKET_KEY = connections_show_cgroup },
	{ "unit", "UNIT", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 24,
	  "that as people know it: service, container, pod", .follows = "connection",
	  RS_SOCKET_KEY = connections_show_unit },
	{ "connections", "CONNS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6, "connections", CONNECTIONS_SUM(nr) },
	{ "sends", "SENDS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "calls that sent",
	  CONNECTIONS_SHOWN(sends) },
	{ "sent_bytes", "SENT", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, 
	  "bytes that its tasks sent; null: not all of its calls are known", CONNECTIONS_SHOWN(sent_bytes) },
	{ "receives", "RECVS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "calls that received",
	  CONNECTIONS_SHOWN(receives) },
	{ "received_bytes", "RECEIVED", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, 
	  "bytes that its tasks received, likewise", CONNECTIONS_SHOWN(received_bytes) },
	{ "wait_peer_ns", "WAITPEERms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "waits that ended in calls on it, for the peer: that it answers, sends, accepts",
	  CONNECTIONS_WAIT(wait_peer_ns) },
	{ "wait_network_ns", "WAITNETms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 9,
	  "likewise, for the network: a handshake, segments sent again, delayed ACKs",
	  CONNECTIONS_WAIT(wait_network_ns) },
	{ "wait_send_ns", "WAITSENDms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "likewise, in calls that send: its send buffer was full", CONNECTIONS_WAIT(wait_send_ns) },
	{ "retransmits", "RETRANS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "segments that were sent again",
	  CONNECTIONS_SUM(retransmits), .if_recorded = "tcp:tcp_retransmit_skb,sock:inet_sock_set_state" },
	{ "connect_ns", "CONNECTms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "of a client: from its SYN until it was established", .cell = connections_show_connect },
	{ "rtt_ns", "RTT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_IF_KNOWN, 8,
	  "its smoothed round-trip time, where tcp:tcp_probe was recorded", .cell = connections_show_rtt },
	{ "cwnd", "CWND", RS_TYPE_COUNT, 0, RS_COLUMN_IF_KNOWN, 5,
	  "its congestion window, in segments, likewise", .cell = connections_show_cwnd },
	{ "window_bytes", "WINDOW", RS_TYPE_BYTES, 0, RS_COLUMN_IF_KNOWN, 8,
	  "what the peer has room for, likewise", .cell = connections_show_window },
	{ "age_ns", "AGE(s)", RS_TYPE_DURATION, RS_UNIT_S, 0, 9, "since it began, or how long it lasted",
	  .cell = connections_show_age },
	{ "begin_ns", "BEGIN(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 12,
	  "when it began; null: before the trace", .cell = connections_show_begin },
	{ "cmdline", "COMMAND", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0,
	  "the command line of its process; null unknown", .cell = connections_show_cmdline },
	{ 0 },
};

const struct rs_analysis rs_analysis_connections = {
	.abi = RS_ABI,
	.name = "connections",
	.summary = "connections: who has them, with whom, and what went over them",
	.by_name = true,
	.requires_sockets = true,
	.requires_states = true,
	.requirements = RS_LIST(rs_requirement,
		{ "tcp", "tcp_probe", RS_PASSIVE, RS_BY_ANYONE, connections_on_probe,
		  { "skaddr", "srtt", "snd_cwnd", "snd_wnd" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = connections_on_socket },
			     { RS_ON_MESSAGE, .message = connections_on_message },
			     { RS_ON_ACCEPT, .accept = connections_on_accept, .if_recorded = true },
			     { RS_ON_INTERVAL, .interval = connections_on_interval, .kinds = 1 << RS_BLOCKED,
			       .if_recorded = true },
			     { RS_ON_POLLED, .polled = connections_on_polled },
			     { RS_ON_CALL, .call = connections_on_call, .kinds = CONNECTIONS_CALLS }),
	.views = RS_LIST(rs_view,
		{ .name = "connections", .old_name = "tcplife", .topic = RS_TOPIC_NETWORK,
		  .diff_by = "comm,side,server,server_port",
		  .summary = "each TCP and Unix connection: whose, with whom, bytes, state, how long",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-sent_bytes",
		  .by = "connection,comm,pid,side,local,local_port,remote,remote_port,state,reset",
		  .text_columns = "comm,pid,side,local_port,remote,remote_port,state,reset,sent_bytes,"
				  "received_bytes,wait_peer_ns,wait_network_ns,wait_send_ns,retransmits,"
				  "connect_ns,rtt_ns,cwnd,window_bytes,age_ns,cmdline",
		  .add_in_flight = connections_add_open }),
	.stores = stores,
	.state_size = sizeof(struct connections),
};
