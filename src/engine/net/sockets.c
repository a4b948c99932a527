// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sockets - TCP sockets from their begin to their close
 *
 *	client    connect: CLOSE -> SYN_SENT in the task's call, then by packets -> ESTABLISHED, or -> CLOSE
 *	listener  listen: CLOSE -> LISTEN
 *	server    by the last packet of the handshake: LISTEN -> SYN_RECV, of a copy of the listener whose
 *	          remote port is not set yet, then -> ESTABLISHED; accept comes later, and has no event
 *
 * Each is in the context of whatever task a packet interrupts, unless a task's own call does it. The port of
 * a client is chosen after SYN_SENT: its ends are read from each event that has both ports.
 */
#include "engine/net/sockets.h"

#include "engine/api.h"
#include "engine/files/fd-sockets.h"
#include "engine/internal.h"
#include "engine/net/socket-table.h"

#define PROTOCOL_TCP 6 /* IPPROTO_TCP; others (MPTCP, SCTP) have sockets of their own */

struct sockets {
	struct rs_socket_table *table; /* NULL: no event yet */
	/* what an error is told of has no address: it is that of the last one that closed, or of its ends */
	uint64_t last_closed;
};

static struct sockets *sockets_of(const struct rs_ctx *c)
{
	return rs_part_ctx(c->session, RS_ENGINE_SOCKETS)->state;
}

/* NULL: no memory */
static struct rs_socket_table *sockets_table(const struct rs_ctx *c)
{
	struct sockets *s = sockets_of(c);

	if (!s->table)
		s->table = rs_alloc(rs_part_ctx(c->session, RS_ENGINE_SOCKETS), 1, sizeof *s->table);
	return s->table;
}

/* ---- what changes ---- */

static void sockets_dispatch(struct rs_ctx *c, const struct rs_event *ev, struct rs_socket *k,
			     struct rs_socket_event socket_event)
{
	socket_event.socket = k;
	socket_event.ts_ns = ev->ts_ns;
	k->last_ns = ev->ts_ns;
	RS_DISPATCH(&c->session->dispatch.on[RS_ON_SOCKET], socket, &socket_event);
}

static struct rs_socket_entry *sockets_add(struct rs_ctx *c, uint64_t addr)
{
	struct rs_socket_table *t = sockets_table(c);
	struct rs_socket_entry *old = t && addr ? rs_socket_table_at(t, addr) : NULL, *e;
	bool evicted;

	if (!t)
		return NULL;
	if (old && !old->socket.is_over) { /* its close was not seen */
		old->socket.is_over = true;
		rs_socket_table_close(t, old);
	}
	e = rs_socket_table_add(t, addr, &evicted);
	c->session->quality.counted[RS_COUNT_EVICTED] += evicted;
	e->socket.shown = rs_shown(c, NULL);
	return e;
}

/* The socket at that address; one that no event has named before is added. NULL: no memory */
static struct rs_socket_entry *sockets_get(struct rs_ctx *c, uint64_t addr)
{
	struct rs_socket_table *t = sockets_table(c);
	struct rs_socket_entry *e = t && addr ? rs_socket_table_at(t, addr) : NULL;

	return e || !addr ? e : sockets_add(c, addr);
}

/* An idle CPU's task is none. */
static void sockets_set_task(struct rs_ctx *c, struct rs_socket *k, const struct rs_task *t)
{
	if (k->tid || !t)
		return;
	k->tid = t->tid;
	k->pid = t->pid;
	memcpy(k->comm, t->comm, sizeof k->comm);
	k->shown = rs_shown(c, t);
}

static void sockets_read_end(const struct rs_event *ev, const struct rs_field *addr, uint64_t port,
			     struct rs_socket_end *end)
{
	if (addr->size_bytes == sizeof end->addr)
		memcpy(end->addr, ev->data + addr->offset_bytes, sizeof end->addr);
	end->port = (uint16_t)port;
}

/* The fields of an event that has both ends. */
struct sockets_end_fields {
	const struct rs_field *local_port, *remote_port, *local, *remote;
};

static void sockets_read_ends(const struct rs_event *ev, const struct sockets_end_fields *f,
			      struct rs_socket *k)
{
	sockets_read_end(ev, f->local, rs_u64(ev, f->local_port), &k->local);
	sockets_read_end(ev, f->remote, rs_u64(ev, f->remote_port), &k->remote);
	k->has_ends = k->local.port && k->remote.port;
}

static void sockets_pair(struct rs_ctx *c, struct rs_socket_entry *e)
{
	if (e->socket.has_ends || (e->socket.side == RS_SIDE_LISTENS && e->socket.local.port))
		rs_socket_table_pair(sockets_table(c), e);
}

static void sockets_set_ends(struct rs_ctx *c, const struct rs_event *ev, const struct sockets_end_fields *f,
			     struct rs_socket_entry *e)
{
	sockets_read_ends(ev, f, &e->socket);
	sockets_pair(c, e);
}

/* One that was looked up has no address until an event tells it. */
static struct rs_socket_entry *sockets_adopt(struct rs_ctx *c, struct rs_socket_entry *e, uint64_t addr)
{
	if (!e || e->socket.addr || e->socket.is_over)
		return NULL;
	rs_socket_table_set_addr(sockets_table(c), e, addr);
	return e;
}

/* As sockets_get, by an event that has both ends. */
static struct rs_socket_entry *sockets_get_by_ends(struct rs_ctx *c, const struct rs_event *ev,
						   const struct sockets_end_fields *f, uint64_t addr)
{
	struct rs_socket_table *t = sockets_table(c);
	struct rs_socket ends = { 0 };
	struct rs_socket_entry *e;
	bool several;

	if (!t || !addr || rs_socket_table_at(t, addr))
		return sockets_get(c, addr);
	sockets_read_ends(ev, f, &ends);
	e = sockets_adopt(c, rs_socket_table_by_ends(t, &ends.local, &ends.remote, &several), addr);
	return e ? e : sockets_get(c, addr);
}

/* ---- states ---- */

enum {
	STATE_ADDR, STATE_OLD, STATE_NEW, STATE_SPORT, STATE_DPORT, STATE_PROTOCOL, STATE_SADDR, STATE_DADDR,
	STATE_FLAGS
};

/* A task's own call, and not a packet or a timer in its time. */
static struct rs_task *sockets_caller(const struct rs_event *ev, const struct rs_field *flags)
{
	return rs_has(flags) && !(rs_u64(ev, flags) & RS_FLAGS_IN_INTERRUPT) ? ev->task : NULL;
}

/* The first state of a socket tells its side. */
static bool sockets_is_begin(enum rs_tcp_state old, enum rs_tcp_state new, enum rs_socket_side *side)
{
	*side = new == RS_TCP_SYN_SENT ? RS_SIDE_CLIENT :
		new == RS_TCP_LISTEN   ? RS_SIDE_LISTENS :
					 RS_SIDE_SERVER;
	return (old == RS_TCP_CLOSE && (new == RS_TCP_SYN_SENT || new == RS_TCP_LISTEN)) ||
	       (old == RS_TCP_LISTEN && new == RS_TCP_SYN_RECV);
}

static struct rs_socket_entry *sockets_begin(struct rs_ctx *c, const struct rs_event *ev, uint64_t addr,
					     enum rs_socket_side side)
{
	struct rs_socket_entry *e = sockets_add(c, addr);

	if (!e)
		return NULL;
	e->socket.side = side;
	e->socket.begin_ns = ev->ts_ns;
	e->socket.congestion = rs_event_is_recorded(c, "tcp", "tcp_cong_state_set") ? RS_CONGESTION_OPEN :
										      RS_CONGESTION_UNKNOWN;
	if (side != RS_SIDE_SERVER) /* only tasks connect and listen */
		sockets_set_task(c, &e->socket, ev->task);
	return e;
}

static enum rs_socket_event_kind sockets_kind(enum rs_tcp_state new)
{
	switch (new) {
	case RS_TCP_SYN_SENT:
		return RS_SOCKET_CONNECTS;
	case RS_TCP_LISTEN:
		return RS_SOCKET_LISTENS;
	case RS_TCP_ESTABLISHED:
		return RS_SOCKET_ESTABLISHED;
	case RS_TCP_CLOSE:
		return RS_SOCKET_CLOSED;
	default:
		return RS_SOCKET_STATE;
	}
}

static void sockets_enter(struct rs_ctx *c, const struct rs_event *ev, struct rs_socket_entry *e,
			  const struct rs_socket_event *to)
{
	struct rs_socket *k = &e->socket;

	if (to->kind == RS_SOCKET_ESTABLISHED)
		k->established_ns = ev->ts_ns;
	if (to->kind == RS_SOCKET_CLOSED && !k->is_over) {
		k->closed_ns = ev->ts_ns;
		k->is_over = true;
		sockets_of(c)->last_closed = k->number;
		rs_socket_table_close(sockets_table(c), e);
	}
	sockets_dispatch(c, ev, k, *to);
}

static void sockets_on_state(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	enum rs_tcp_state old = (enum rs_tcp_state)rs_u64(ev, &f[STATE_OLD]),
			  new = (enum rs_tcp_state)rs_u64(ev, &f[STATE_NEW]);
	const struct sockets_end_fields ends = {
		&f[STATE_SPORT], &f[STATE_DPORT], &f[STATE_SADDR], &f[STATE_DADDR]
	};
	struct rs_socket_event to = { .kind = sockets_kind(new), .was = old };
	uint64_t addr = rs_u64(ev, &f[STATE_ADDR]);
	struct rs_socket_entry *e;
	enum rs_socket_side side;
	bool is_begin;

	if (!addr || rs_u64(ev, &f[STATE_PROTOCOL]) != PROTOCOL_TCP || (unsigned int)new >= RS_NR_TCP_STATES)
		return;
	is_begin = sockets_is_begin(old, new, &side);
	e = is_begin ? sockets_begin(c, ev, addr, side) : sockets_get_by_ends(c, ev, &ends, addr);
	if (!e)
		return;
	to.task = sockets_caller(ev, &f[STATE_FLAGS]);
	to.discarded = !is_begin && e->socket.last_ns && rs_discarded(c, e->socket.last_ns, ev->ts_ns);
	to.was_ns = is_begin || to.discarded ? 0 : e->socket.state_ns;
	e->socket.state = new;
	e->socket.state_ns = ev->ts_ns;
	sockets_set_ends(c, ev, &ends, e);
	if (to.task)
		rs_fd_sockets_set(c, to.task, e->socket.number);
	sockets_enter(c, ev, e, &to);
}

/* ---- resets, errors, retransmits ---- */

static void sockets_on_reset(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			     enum rs_socket_reset by)
{
	struct rs_socket_entry *e = sockets_get(c, rs_u64(ev, f));

	/* what is reset as the answer to a reset is not news; a listener's socket refuses for another one */
	if (e && !e->socket.reset && e->socket.side != RS_SIDE_LISTENS)
		e->socket.reset = by;
}

static void sockets_on_receive_reset(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	sockets_on_reset(c, ev, f, RS_RESET_BY_PEER);
}

static void sockets_on_send_reset(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	sockets_on_reset(c, ev, f, RS_RESET_BY_US);
}

enum {
	RETRANSMIT_ADDR, RETRANSMIT_SPORT, RETRANSMIT_DPORT, RETRANSMIT_SADDR, RETRANSMIT_DADDR,
	RETRANSMIT_STATE
};

/* Of a socket that is older than the trace, or whose last state was lost. */
static void sockets_learn_state(struct rs_socket *k, uint64_t state)
{
	if (!state || state >= RS_NR_TCP_STATES || k->state == state)
		return;
	k->state = (enum rs_tcp_state)state;
	k->state_ns = 0;
	if (state == RS_TCP_SYN_SENT && k->side == RS_SIDE_UNKNOWN)
		k->side = RS_SIDE_CLIENT;
}

static void sockets_on_retransmit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct sockets_end_fields ends = {
		&f[RETRANSMIT_SPORT], &f[RETRANSMIT_DPORT], &f[RETRANSMIT_SADDR], &f[RETRANSMIT_DADDR]
	};
	struct rs_socket_entry *e = sockets_get_by_ends(c, ev, &ends, rs_u64(ev, &f[RETRANSMIT_ADDR]));

	if (!e)
		return;
	sockets_set_ends(c, ev, &ends, e);
	if (rs_has(&f[RETRANSMIT_STATE]))
		sockets_learn_state(&e->socket, rs_u64(ev, &f[RETRANSMIT_STATE]));
	e->socket.retransmit_ns = ev->ts_ns;
	sockets_dispatch(c, ev, &e->socket,
			 (struct rs_socket_event){ .kind = RS_SOCKET_RETRANSMITS, .was = e->socket.state });
}

enum { CONGESTION_ADDR, CONGESTION_STATE };

static void sockets_on_congestion(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_socket_entry *e = sockets_get(c, rs_u64(ev, &f[CONGESTION_ADDR]));
	uint64_t state = rs_u64(ev, &f[CONGESTION_STATE]) + RS_CONGESTION_OPEN;

	if (e)
		e->socket.congestion = state < RS_NR_CONGESTIONS ? (uint8_t)state : RS_CONGESTION_UNKNOWN;
}

enum { ERROR_NUMBER, ERROR_PROTOCOL, ERROR_SPORT, ERROR_DPORT, ERROR_SADDR, ERROR_DADDR };

/*
 * It has no address of a socket. The kernel reports it right after the close, or (ICMP, before 6.11) right
 * before: then the socket's next event is the close, and it is found by nothing.
 */
static void sockets_on_error(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct sockets *s = sockets_of(c);
	struct rs_socket_entry *e = s->table ? rs_socket_table_find(s->table, s->last_closed) : NULL;
	struct rs_socket ends = { 0 };

	if (!e || rs_u64(ev, &f[ERROR_PROTOCOL]) != PROTOCOL_TCP)
		return;
	sockets_read_ends(ev, &(struct sockets_end_fields){ &f[ERROR_SPORT], &f[ERROR_DPORT], &f[ERROR_SADDR],
							    &f[ERROR_DADDR] }, &ends);
	if (memcmp(&ends.remote, &e->socket.remote, sizeof ends.remote) ||
	    ends.local.port != e->socket.local.port)
		return;
	e->socket.error = (uint16_t)rs_u64(ev, &f[ERROR_NUMBER]);
	sockets_dispatch(c, ev, &e->socket,
			 (struct rs_socket_event){ .kind = RS_SOCKET_ERROR, .was = e->socket.state });
}

/* ---- messages ---- */

enum { MESSAGE_ADDR, MESSAGE_PROTOCOL, MESSAGE_BYTES, MESSAGE_FLAGS };

/* As sockets_get, of a task's own call: it may be of a descriptor whose socket was looked up. */
static struct rs_socket_entry *sockets_get_of_call(struct rs_ctx *c, const struct rs_task *t, uint64_t addr)
{
	struct rs_socket_table *table = sockets_table(c);
	struct rs_socket_entry *e = table && addr ? rs_socket_table_at(table, addr) : NULL;

	if (!e && table && addr && t)
		e = sockets_adopt(c, rs_socket_table_find(table, rs_fd_sockets_get(c, t)), addr);
	return e ? e : sockets_get(c, addr);
}

#define PEEKS 2 /* MSG_PEEK: what is read stays */

/* Fires in the task's call, at its end. */
static void sockets_on_message(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			       bool sent)
{
	bool peeks = !sent && (rs_u64(ev, &f[MESSAGE_FLAGS]) & PEEKS);
	struct rs_socket_entry *e;

	if (peeks || rs_u64(ev, &f[MESSAGE_PROTOCOL]) != PROTOCOL_TCP)
		return;
	e = sockets_get_of_call(c, ev->task, rs_u64(ev, &f[MESSAGE_ADDR]));
	if (!e || !ev->task)
		return;
	sockets_set_task(c, &e->socket, ev->task);
	e->socket.last_ns = ev->ts_ns;
	rs_fd_sockets_set(c, ev->task, e->socket.number);
	RS_DISPATCH(&c->session->dispatch.on[RS_ON_MESSAGE], message, &(struct rs_socket_message){
		.socket = &e->socket, .task = ev->task, .sent = sent, .bytes = rs_i64(ev, &f[MESSAGE_BYTES]),
		.ts_ns = ev->ts_ns });
}

static void sockets_on_send(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	sockets_on_message(c, ev, f, true);
}

static void sockets_on_receive(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	sockets_on_message(c, ev, f, false);
}

/* ---- look-ups ---- */

static void sockets_set_found(struct rs_ctx *c, struct rs_socket_entry *e, const struct rs_socket *ends,
			    const struct rs_task *user)
{
	struct rs_socket *k = &e->socket;

	k->local = ends->local;
	k->remote = ends->remote;
	k->has_ends = ends->remote.port;
	if (!k->has_ends) {
		k->side = RS_SIDE_LISTENS;
		k->state = RS_TCP_LISTEN;
	}
	k->last_ns = rs_last_event_ns(c);
	sockets_set_task(c, k, user);
	sockets_pair(c, e);
}

static bool sockets_has_ends(const struct rs_socket *k, const struct rs_socket *ends)
{
	return k->has_ends && !memcmp(&k->local, &ends->local, sizeof k->local) &&
	       !memcmp(&k->remote, &ends->remote, sizeof k->remote);
}

uint64_t rs_sockets_join(struct rs_ctx *c, uint64_t number, const struct rs_ends *ends,
			 const struct rs_task *user)
{
	struct rs_socket_table *t = sockets_table(c);
	struct rs_socket_entry *e = t ? rs_socket_table_find(t, number) : NULL;
	struct rs_socket is = { .local.port = ends->port[RS_ENDS_LOCAL],
				.remote.port = ends->port[RS_ENDS_REMOTE] };
	bool several = false;

	memcpy(is.local.addr, ends->addr[RS_ENDS_LOCAL], sizeof is.local.addr);
	memcpy(is.remote.addr, ends->addr[RS_ENDS_REMOTE], sizeof is.remote.addr);
	if (!t || (e && sockets_has_ends(&e->socket, &is)))
		return number;
	if (e && e->socket.has_ends) /* it was taken for another one: see accepts.h */
		e = NULL;
	if (!e)
		e = rs_socket_table_by_ends(t, &is.local, &is.remote, &several);
	if (!e && !several)
		e = sockets_add(c, 0);
	if (e && !e->socket.local.port)
		sockets_set_found(c, e, &is, user);
	else if (e) /* an event told its ends, and no task */
		sockets_set_task(c, &e->socket, user);
	return e ? e->socket.number : 0;
}

/* After a loss of events it is unknown, as one that an event told. */
void rs_sockets_set_state(struct rs_ctx *c, uint64_t number, enum rs_tcp_state state, uint64_t ts_ns)
{
	struct rs_socket *k = rs_sockets_find(c, number);

	if (!k || k->state || !k->has_ends || !state || state >= RS_NR_TCP_STATES ||
	    rs_discarded(c, ts_ns, rs_last_event_ns(c)))
		return;
	k->state = state;
}

uint64_t rs_sockets_join_unix(struct rs_ctx *c, const struct rs_unix_ends *ends, const char *path,
			      const struct rs_task *user)
{
	struct rs_socket_table *t = ends->peer ? sockets_table(c) : NULL;
	struct rs_socket_end local = rs_socket_unix_end(ends->inode), remote = rs_socket_unix_end(ends->peer);
	struct rs_socket_entry *e;
	bool several;

	if (!t)
		return 0;
	e = rs_socket_table_by_ends(t, &local, &remote, &several);
	if (e || several || !(e = sockets_add(c, 0)))
		return e ? e->socket.number : 0;
	e->socket.local = local;
	e->socket.remote = remote;
	e->socket.has_ends = e->socket.is_unix = true;
	e->socket.path = path;
	e->socket.path_is_peers = path && ends->is_peers;
	e->socket.side = !path ? RS_SIDE_UNKNOWN : ends->is_peers ? RS_SIDE_CLIENT : RS_SIDE_SERVER;
	e->socket.state = RS_TCP_ESTABLISHED;
	e->socket.last_ns = rs_last_event_ns(c);
	sockets_set_task(c, &e->socket, user);
	sockets_pair(c, e);
	return e->socket.number;
}

void rs_sockets_leave(struct rs_ctx *c, uint64_t number, uint64_t ts_ns)
{
	struct rs_socket_table *t = sockets_of(c)->table;
	struct rs_socket_entry *e = t ? rs_socket_table_find(t, number) : NULL;

	if (!e || !e->socket.is_unix || e->socket.is_over)
		return;
	e->socket.is_over = true;
	e->socket.closed_ns = e->socket.last_ns = ts_ns;
	e->socket.state = RS_TCP_CLOSE;
	rs_socket_table_close(t, e);
}

/* ---- for analyses ---- */

void rs_sockets_use(struct rs_ctx *c, uint64_t number, const struct rs_task *t)
{
	struct rs_socket *k = rs_sockets_find(c, number);

	if (k)
		sockets_set_task(c, k, t);
}

const struct rs_socket_table *rs_sockets_table(const struct rs_ctx *c)
{
	return sockets_of(c)->table;
}

struct rs_socket *rs_sockets_find(const struct rs_ctx *c, uint64_t number)
{
	struct rs_socket_table *t = sockets_of(c)->table;
	struct rs_socket_entry *e = t ? rs_socket_table_find(t, number) : NULL;

	return e ? &e->socket : NULL;
}

const struct rs_socket *rs_socket_find(const struct rs_ctx *c, uint64_t number)
{
	return rs_sockets_find(c, number);
}

const struct rs_socket *rs_socket_at(const struct rs_ctx *c, uint64_t addr)
{
	struct rs_socket_table *t = sockets_of(c)->table;
	const struct rs_socket_entry *e = t && addr ? rs_socket_table_at(t, addr) : NULL;

	return e ? &e->socket : NULL;
}

const struct rs_socket *rs_socket_peer(const struct rs_ctx *c, const struct rs_socket *socket)
{
	struct rs_socket_table *t = sockets_of(c)->table;
	const struct rs_socket_entry *e = t ? rs_socket_table_find(t, socket->number) : NULL,
				     *peer = e ? rs_socket_table_peer(t, e) : NULL;

	return peer ? &peer->socket : NULL;
}

const struct rs_socket *rs_socket_of_name(const struct rs_ctx *c, uint32_t name, uint64_t at_ns)
{
	const struct rs_socket_table *t = sockets_of(c)->table;
	const char *text = t ? rs_socket_name(c, name) : NULL;
	struct rs_socket_end local, remote;
	const struct rs_socket_entry *e = text && rs_socket_read_ends(text, &local, &remote) ?
						  rs_socket_table_at_time(t, &local, &remote, at_ns) :
						  NULL;

	return e ? &e->socket : NULL;
}

const struct rs_socket *rs_socket_next(const struct rs_ctx *c, const struct rs_socket *after)
{
	const struct rs_socket_table *t = sockets_of(c)->table;
	uint32_t at = after ? (uint32_t)(after->number % RS_MAX_SOCKETS) + 1 : 0;

	for (; t && at < t->nr_used; at++)
		if (!t->entries[at].socket.is_over)
			return &t->entries[at].socket;
	return NULL;
}

#define MESSAGE(name, handler) \
	{ "sock", name, RS_OPTIONAL, RS_BY_TASK, handler, { "sk", "protocol", "ret", "flags" } }

const struct rs_analysis rs_engine_sockets = {
	.abi = RS_ABI, .name = "sockets",
	.requirements = RS_LIST(rs_requirement,
		{ "sock", "inet_sock_set_state", RS_REQUIRED, RS_BY_ANYONE, sockets_on_state,
		  { "skaddr", "oldstate", "newstate", "sport", "dport", "protocol", "saddr_v6", "daddr_v6",
		    "?common_flags" } },
		{ "sock", "inet_sk_error_report", RS_OPTIONAL, RS_BY_ANYONE, sockets_on_error,
		  { "error", "protocol", "sport", "dport", "saddr_v6", "daddr_v6" } },
		{ "tcp", "tcp_retransmit_skb", RS_OPTIONAL, RS_BY_ANYONE, sockets_on_retransmit,
		  { "skaddr", "sport", "dport", "saddr_v6", "daddr_v6", "?state" } },
		{ "tcp", "tcp_cong_state_set", RS_OPTIONAL, RS_BY_ANYONE, sockets_on_congestion,
		  { "skaddr", "cong_state" } },
		{ "tcp", "tcp_receive_reset", RS_OPTIONAL, RS_BY_ANYONE, sockets_on_receive_reset,
		  { "skaddr" } },
		{ "tcp", "tcp_send_reset", RS_OPTIONAL, RS_BY_ANYONE, sockets_on_send_reset, { "skaddr" } }),
	.state_size = sizeof(struct sockets),
};

const struct rs_analysis rs_engine_messages = {
	.abi = RS_ABI, .name = "messages",
	.requirements = RS_LIST(rs_requirement,
		MESSAGE("sock_send_length", sockets_on_send),
		MESSAGE("sock_recv_length", sockets_on_receive)),
};
