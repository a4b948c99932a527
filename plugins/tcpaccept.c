// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcpaccept - each connection that a server accepts, its time in the accept queue, and queues that overflow
 *
 * A connection is in its listener's queue from the end of the handshake until an accept returns it. No event
 * tells which one that is. Where all of the listener's queue is known, it is the first in it; else it is told
 * by the first call that uses the new descriptor and has an event: a message, or the close. From the first
 * one that is told so on, the queue is known.
 */
#include "ringside/plugin.h"

#define ACCEPT_NR_LISTENERS 1024u
#define ACCEPT_NR_QUEUED 16384u  /* in all queues together */
#define ACCEPT_NR_UNTOLD 4096u   /* the next one of the same hash takes the place */
#define ACCEPT_MAX_BACKLOG 4096u /* SOMAXCONN: beyond, the sysctl of its network namespace may hold */

struct accept_queued {
	uint64_t number, since_ns; /* of the socket; since its handshake was over */
	uint32_t next;             /* 1 + index; 0: none */
};

struct accept_listener {
	uint64_t number;           /* of its socket; 0: the place was never taken */
	struct rs_socket_end local;
	uint64_t backlog;          /* 0: not known */
	uint64_t full_ns;          /* since when its queue is full; 0: it is not */
	uint64_t nr_accepts, nr_before; /* and how many of them came before nothing was known of the queue */
	uint32_t first, last, nr;  /* the queue: 1 + index */
	bool is_over;
	bool is_known;             /* the queue has no others */
};

/* An accept of which it is not told which connection it returned. */
struct accept_untold {
	int32_t pid, fd, tid;      /* pid 0: the place is free */
	uint32_t inst;
	uint64_t exit_ns;
	uint64_t listener, nr;     /* number of its socket, 0: not known; it is its nr-th accept */
};

struct accepts {
	struct accept_listener listeners[ACCEPT_NR_LISTENERS];
	uint32_t nr_listeners;
	struct accept_queued queued[ACCEPT_NR_QUEUED];
	uint32_t nr_queued, first_free;
	struct accept_untold untold[ACCEPT_NR_UNTOLD];
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

/* ---- queues ---- */

static bool accept_is_any_address(const struct rs_socket_end *end)
{
	static const uint8_t any[2][16] = { { 0 }, { [10] = 0xff, [11] = 0xff } };

	return !memcmp(end->addr, any[0], sizeof any[0]) || !memcmp(end->addr, any[1], sizeof any[1]);
}

static struct accept_listener *accept_listener_of(struct accepts *s, uint64_t number)
{
	for (uint32_t i = 0; i < s->nr_listeners; i++)
		if (s->listeners[i].number == number)
			return &s->listeners[i];
	return NULL;
}

/* Who listens there; NULL: it is not known, or several do (SO_REUSEPORT, other network namespaces). */
static struct accept_listener *accept_listener_at(struct accepts *s, const struct rs_socket_end *local)
{
	struct accept_listener *found = NULL, *l;

	for (uint32_t i = 0; i < s->nr_listeners; i++) {
		l = &s->listeners[i];
		if (l->is_over || l->local.port != local->port ||
		    (!accept_is_any_address(&l->local) &&
		     memcmp(l->local.addr, local->addr, sizeof local->addr)))
			continue;
		if (found)
			return NULL;
		found = l;
	}
	return found;
}

static void accept_drop_first(struct accepts *s, struct accept_listener *l)
{
	struct accept_queued *q = &s->queued[l->first - 1];
	uint32_t index = l->first;

	l->first = q->next;
	l->last = l->first ? l->last : 0;
	l->nr--;
	q->next = s->first_free;
	s->first_free = index;
}

/* It cannot be followed any more: a part of its queue is not known. */
static void accept_lose(struct accepts *s, struct accept_listener *l)
{
	while (l->first)
		accept_drop_first(s, l);
	l->is_known = false;
	l->nr_before = l->nr_accepts;
	l->full_ns = 0;
}

/* Another one listens there, as in another network namespace: what is in their queues may be its. */
static void accept_lose_others(struct accepts *s, const struct rs_socket_end *local)
{
	for (uint32_t i = 0; i < s->nr_listeners; i++)
		if (!s->listeners[i].is_over && s->listeners[i].local.port == local->port)
			accept_lose(s, &s->listeners[i]);
}

/* One that is not there yet is added: what is in its queue is not known. NULL: there is no room */
static struct accept_listener *accept_listener_get(struct accepts *s, const struct rs_socket *k)
{
	struct accept_listener *l = accept_listener_of(s, k->number);

	if (l)
		return l;
	for (uint32_t i = 0; i < s->nr_listeners && !l; i++)
		l = s->listeners[i].is_over ? &s->listeners[i] : NULL;
	if (!l && s->nr_listeners < ACCEPT_NR_LISTENERS)
		l = &s->listeners[s->nr_listeners++];
	if (l) {
		accept_lose_others(s, &k->local);
		*l = (struct accept_listener){ .number = k->number, .local = k->local };
	}
	return l;
}

static struct accept_row *accept_row_of(struct rs_ctx *c, const struct accept_listener *l)
{
	const struct rs_socket *k = l ? rs_socket_find(c, l->number) : NULL;
	struct accept_row *row = (k ? k->shown : rs_shown(c, NULL)) ?
					 rs_store_row(c, 0, NULL, l ? l->number : 0, 0) :
					 NULL;

	if (row && l)
		row->backlog = l->backlog;
	return row;
}

static uint32_t accept_take_place(struct accepts *s)
{
	uint32_t index = s->first_free;

	if (index)
		s->first_free = s->queued[index - 1].next;
	else if (s->nr_queued < ACCEPT_NR_QUEUED)
		index = ++s->nr_queued;
	return index;
}

/* The kernel takes one more than the backlog. */
static void accept_push(struct rs_ctx *c, struct accept_listener *l, const struct rs_socket *k,
			uint64_t ts_ns)
{
	struct accepts *s = c->state;
	struct accept_row *row = accept_row_of(c, l);
	uint32_t index = accept_take_place(s);

	if (!index || l->nr > 2 * l->backlog + ACCEPT_MAX_BACKLOG) { /* its accepts are not seen: io_uring */
		accept_lose(s, l);
		return;
	}
	s->queued[index - 1] = (struct accept_queued){ k->number, ts_ns, 0 };
	*(l->last ? &s->queued[l->last - 1].next : &l->first) = index;
	l->last = index;
	l->nr++;
	if (l->is_known && l->backlog && l->nr > l->backlog)
		l->full_ns = ts_ns;
	if (row && l->is_known && l->nr > row->waiting_max)
		row->waiting_max = l->nr;
}

/* ---- rows ---- */

static void accept_emit(struct rs_ctx *c, const struct rs_task *t, int32_t fd, const struct rs_socket *k,
			uint64_t since_ns, uint64_t exit_ns, const struct accept_listener *l)
{
	uint64_t queue_ns = since_ns && exit_ns > since_ns ? exit_ns - since_ns : 0;
	static const struct rs_socket unknown;
	struct rs_socket_texts texts;

	if (!rs_shown(c, t) || !rs_row_is_shown(c, VIEW_ACCEPTS, queue_ns))
		return;
	k = k ? k : &unknown;
	rs_emit(c, VIEW_ACCEPTS, (const struct rs_value[NR_COLUMNS]){
		[TIME] = rs_u(exit_ns), [COMM] = RS_TASK_VALUES(t), [FD] = rs_u((uint64_t)fd),
		[LOCAL] = RS_SOCKET_VALUES(k, &texts), [QUEUE] = rs_u_if(queue_ns, queue_ns),
		[WAITING] = rs_u_if(l && l->is_known, l ? l->nr : 0),
	});
}

static void accept_count(struct rs_ctx *c, const struct accept_listener *l, uint64_t since_ns,
			 uint64_t exit_ns)
{
	struct accept_row *row = accept_row_of(c, l);

	if (!row)
		return;
	row->accepts++;
	if (since_ns && exit_ns > since_ns && !rs_discarded(c, since_ns, exit_ns))
		rs_latency_add(c, &row->queue, since_ns, exit_ns, false);
}

static void accept_end_full(struct rs_ctx *c, struct accept_listener *l, uint64_t ts_ns)
{
	struct accept_row *row = l->full_ns ? accept_row_of(c, l) : NULL;

	if (row)
		row->full_ns += rs_part_ns(rs_since_ns(c), l->full_ns, ts_ns);
	l->full_ns = 0;
}

/* ---- accepts ---- */

static struct accept_untold *accept_untold_place(struct accepts *s, int32_t pid, int32_t fd)
{
	return &s->untold[rs_hash_pair((uint64_t)pid, (uint64_t)fd) % ACCEPT_NR_UNTOLD];
}

static void accept_give_up(struct rs_ctx *c, struct accept_untold *u)
{
	const struct rs_task *t = u->pid ? rs_task_find(c, u->tid) : NULL;

	u->pid = 0;
	if (t && t->inst == u->inst)
		accept_emit(c, t, u->fd, NULL, 0, u->exit_ns, NULL);
}

static void accept_wait_for_use(struct rs_ctx *c, const struct rs_call *call, const struct accept_listener *l)
{
	const struct rs_task *t = call->task;
	struct accept_untold *u = accept_untold_place(c->state, t->pid, (int32_t)call->ret);

	accept_give_up(c, u);
	*u = (struct accept_untold){ t->pid, (int32_t)call->ret, t->tid, t->inst, call->exit_ns,
				     l ? l->number : 0, l ? l->nr_accepts : 0 };
}

/* Accepts of other kinds, and of connections that are older than the trace, make it uncertain. */
static const struct rs_socket *accept_first_of(struct rs_ctx *c, struct accept_listener *l,
					       const struct rs_call *call, uint64_t *since_ns)
{
	struct accepts *s = c->state;
	struct accept_queued *q = l->first ? &s->queued[l->first - 1] : NULL;
	const struct rs_socket *k;

	if (!q || q->since_ns > call->exit_ns || rs_discarded(c, q->since_ns, call->exit_ns)) {
		accept_lose(s, l);
		return NULL;
	}
	*since_ns = q->since_ns;
	k = rs_socket_find(c, q->number);
	accept_end_full(c, l, call->exit_ns);
	accept_drop_first(s, l);
	return k;
}

static void accept_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_socket *listens, *k = NULL;
	struct accept_listener *l;
	uint64_t since_ns = 0;

	if (call->discarded || call->in_flight || call->ret < 0 || !call->task->pid)
		return;
	listens = rs_call_socket(c, call);
	l = listens ? accept_listener_get(c->state, listens) : NULL;
	if (l)
		l->nr_accepts++;
	if (l && l->is_known)
		k = accept_first_of(c, l, call, &since_ns);
	if (l && l->is_known) {
		accept_emit(c, call->task, (int32_t)call->ret, k, since_ns, call->exit_ns, l);
		accept_count(c, l, since_ns, call->exit_ns);
		return;
	}
	accept_wait_for_use(c, call, l);
	accept_count(c, l, 0, call->exit_ns);
}

/*
 * The nr-th accept returned k: what was established before is gone, and so is one for each accept since.
 */
static void accept_learn(struct rs_ctx *c, struct accept_listener *l, uint64_t nr, const struct rs_socket *k)
{
	struct accepts *s = c->state;

	if (!l || l->is_known || nr <= l->nr_before || !k->established_ns)
		return;
	while (l->first && s->queued[l->first - 1].since_ns <= k->established_ns)
		accept_drop_first(s, l);
	for (; l->first && nr < l->nr_accepts; nr++)
		accept_drop_first(s, l);
	l->is_known = nr == l->nr_accepts;
}

/* A call of the task's own names the socket, and its first argument the descriptor. */
static void accept_on_use(struct rs_ctx *c, const struct rs_socket *k, const struct rs_task *t)
{
	struct accept_untold *u, done;

	if (!t || k->side == RS_SIDE_CLIENT || !rs_task_in_call(c, t))
		return;
	u = accept_untold_place(c->state, t->pid, (int32_t)t->syscall_args[0]);
	if (u->pid != t->pid || u->fd != (int32_t)t->syscall_args[0] ||
	    !rs_call_is(c, t->syscall, RS_CLASS_RECEIVE | RS_CLASS_SEND | RS_CLASS_READ | RS_CLASS_WRITE |
						 RS_CLASS_HANG_UP))
		return;
	done = *u;
	u->pid = 0;
	accept_learn(c, accept_listener_of(c->state, done.listener), done.nr, k);
	t = rs_task_find(c, done.tid);
	if (t && t->inst == done.inst)
		accept_emit(c, t, done.fd, k, k->established_ns, done.exit_ns, NULL);
}

/* ---- sockets ---- */

/* listen(fd, backlog), whose first state it is. */
static uint64_t accept_backlog(struct rs_ctx *c, const struct rs_task *t)
{
	const char *call = t && rs_task_in_call(c, t) ? rs_syscall_name(c, t->syscall) : NULL;
	uint64_t backlog = call && !strcmp(call, "listen") ? t->syscall_args[1] : 0;

	return backlog <= ACCEPT_MAX_BACKLOG ? backlog : 0;
}

static void accept_on_listen(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct accept_listener *l = accept_listener_get(c->state, ev->socket);

	if (l) {
		l->is_known = true;
		l->backlog = accept_backlog(c, ev->task);
	}
}

static void accept_on_close(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct accept_listener *l = accept_listener_of(c->state, ev->socket->number);

	if (!l)
		return;
	accept_end_full(c, l, ev->ts_ns);
	accept_lose(c->state, l);
	l->is_over = true;
}

/* A SYN to a queue that is full is dropped, always: its client sends it again. */
static void accept_on_syn(struct rs_ctx *c, const struct rs_socket *client)
{
	struct accept_listener *l = accept_listener_at(c->state, &client->remote);
	struct accept_row *row = l && l->full_ns ? accept_row_of(c, l) : NULL;

	if (row)
		row->overflows++;
}

static void accept_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;
	struct accept_listener *l;

	if (ev->kind == RS_SOCKET_LISTENS)
		accept_on_listen(c, ev);
	else if (k->side == RS_SIDE_LISTENS && k->is_over)
		accept_on_close(c, ev);
	else if (ev->kind == RS_SOCKET_CONNECTS ||
		 (ev->kind == RS_SOCKET_RETRANSMITS && k->state == RS_TCP_SYN_SENT))
		accept_on_syn(c, k);
	else if (ev->kind == RS_SOCKET_ESTABLISHED && k->side == RS_SIDE_SERVER &&
		 (l = accept_listener_at(c->state, &k->local)))
		accept_push(c, l, k, ev->ts_ns);
	else if (ev->task)
		accept_on_use(c, k, ev->task);
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
	struct accept_listener *l = listens ? accept_listener_of(c->state, k->number) : NULL;
	bool is_overflow = l && (l->full_ns || (s->overflow && rs_u64(ev, &f[DROP_REASON]) == s->overflow));
	struct accept_row *row = is_overflow ? accept_row_of(c, l) : NULL;

	if (row)
		row->overflows++;
}

static void accept_on_message(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct rs_socket *k = rs_socket_at(c, rs_u64(ev, f));

	if (k)
		accept_on_use(c, k, ev->task);
}

/* Ends of handshakes may be among what was lost, and accepts. */
static void accept_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct accepts *s = c->state;

	for (uint32_t i = 0; i < s->nr_listeners; i++)
		accept_lose(s, &s->listeners[i]);
}

static int accept_begin(struct rs_ctx *c)
{
	struct accepts *s = c->state;

	if (!rs_event_symbol(c, "skb", "kfree_skb", "TCP_LISTEN_OVERFLOW", &s->overflow))
		s->overflow = 0;
	return 0;
}

static void accept_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct accepts *s = c->state;

	for (uint32_t i = 0; i < ACCEPT_NR_UNTOLD; i++)
		accept_give_up(c, &s->untold[i]);
}

/* Those whose queue is full now, or has something. */
static void accept_add_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct accepts *s = c->state;
	struct accept_listener *l;
	const struct rs_socket *k;
	struct accept_row *row;

	for (uint32_t i = 0; i < s->nr_listeners; i++) {
		l = &s->listeners[i];
		k = l->nr ? rs_socket_find(c, l->number) : NULL;
		row = k && k->shown ? rs_grouping_row(to->rows, NULL, l->number, 0, 0) : NULL;
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
		{ "skb", "kfree_skb", RS_OPTIONAL, RS_BY_ANYONE, accept_on_drop, { "?reason", "rx_sk" } },
		{ "sock", "sock_send_length", RS_PASSIVE, RS_BY_TASK, accept_on_message, { "sk" } },
		{ "sock", "sock_recv_length", RS_PASSIVE, RS_BY_TASK, accept_on_message, { "sk" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = accept_on_socket },
			     { RS_ON_CALL, .call = accept_on_call, .kinds = 1 << RS_CALL_ACCEPT },
			     { RS_ON_GAP, .gap = accept_on_gap }),
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
	.end = accept_end,
};
