// SPDX-License-Identifier: GPL-2.0-or-later
/* accepts - the accept queues of TCP listeners, and which connection an accept returns */
#include "engine/net/accepts.h"

#include "engine/analysis-instance.h"
#include "engine/api.h"
#include "engine/dispatch.h"
#include "engine/files/fd-sockets.h"
#include "engine/internal.h"
#include "engine/net/sockets.h"

#define ACCEPTS_NR_QUEUES 1024u
#define ACCEPTS_NR_ENTRIES 16384u  /* in all queues together */
#define ACCEPTS_NR_UNTOLD 4096u   /* the next one of the same hash takes the place */
#define ACCEPTS_MAX_BACKLOG 4096u /* SOMAXCONN: beyond, the sysctl of its network namespace may hold */

struct accepts_entry {
	uint64_t number, since_ns; /* of the socket; since its handshake was over */
	uint32_t next;             /* 1 + index; 0: none */
	bool is_apart;             /* no other handshake ended at the same time: its place is certain */
};

struct accepts_queue {
	struct rs_accept_queue shown;  /* .number 0: the place was never taken */
	struct rs_socket_end local;
	uint64_t nr_accepts, nr_before; /* and how many of them came before nothing was known of the queue */
	uint32_t first, last;      /* the queue: 1 + index */
	int32_t acceptor;          /* the first thread that accepts; 0: none yet */
	bool is_over;
	bool several;              /* threads accept: the first one to return may have a later connection */
};

/* An accept of which it is not told which connection it returned. */
struct accepts_untold {
	int32_t pid, fd, tid;      /* pid 0: the place is free */
	uint32_t inst;
	uint64_t exit_ns;
	uint64_t socket, nr;       /* of the one that listens, 0: not known; it is its nr-th accept */
};

struct accepts_table {
	struct accepts_queue queues[ACCEPTS_NR_QUEUES];
	uint32_t nr_queues;
	struct accepts_entry queued[ACCEPTS_NR_ENTRIES];
	uint32_t nr_queued, first_free;
	struct accepts_untold untold[ACCEPTS_NR_UNTOLD];
};

/* The part's own state. */
struct accepts_state {
	struct accepts_table *table; /* NULL: nobody listens or accepts yet */
};

static struct accepts_table *accepts_of(const struct rs_ctx *c)
{
	const struct accepts_state *s = rs_part_ctx(c->session, RS_ENGINE_ACCEPTS)->state;

	return s->table;
}

/* NULL: no memory */
static struct accepts_table *accepts_get(struct rs_ctx *c)
{
	struct accepts_state *s = c->state;

	if (!s->table)
		s->table = rs_alloc(c, 1, sizeof *s->table);
	return s->table;
}

static void accepts_dispatch(struct rs_ctx *c, const struct accepts_queue *l, struct rs_accept a)
{
	a.queue = l ? &l->shown : NULL;
	RS_DISPATCH(&c->session->dispatch.on[RS_ON_ACCEPT], accept, &a);
}

/* ---- queues ---- */

static bool accepts_is_any_address(const struct rs_socket_end *end)
{
	static const uint8_t any[2][16] = { { 0 }, { [10] = 0xff, [11] = 0xff } };

	return !memcmp(end->addr, any[0], sizeof any[0]) || !memcmp(end->addr, any[1], sizeof any[1]);
}

static struct accepts_queue *accepts_find(struct accepts_table *s, uint64_t number)
{
	for (uint32_t i = 0; s && number && i < s->nr_queues; i++)
		if (s->queues[i].shown.number == number)
			return &s->queues[i];
	return NULL;
}

/* Who listens there; NULL: it is not known, or several do (SO_REUSEPORT, other network namespaces). */
static struct accepts_queue *accepts_find_at(struct accepts_table *s, const struct rs_socket_end *local)
{
	struct accepts_queue *found = NULL, *l;

	for (uint32_t i = 0; s && i < s->nr_queues; i++) {
		l = &s->queues[i];
		if (l->is_over || l->local.port != local->port ||
		    (!accepts_is_any_address(&l->local) &&
		     memcmp(l->local.addr, local->addr, sizeof local->addr)))
			continue;
		if (found)
			return NULL;
		found = l;
	}
	return found;
}

/* Of a connection that is in a queue, or not any more. */
static void accepts_set(struct rs_ctx *c, uint64_t number, enum rs_accepted accepted, uint64_t ts_ns)
{
	struct rs_socket *k = rs_sockets_find(c, number);

	if (!k)
		return;
	k->accepted = (uint8_t)accepted;
	k->accepted_ns = ts_ns;
}

static void accepts_drop_first(struct accepts_table *s, struct accepts_queue *l)
{
	struct accepts_entry *q = &s->queued[l->first - 1];
	uint32_t index = l->first;

	l->first = q->next;
	l->last = l->first ? l->last : 0;
	l->shown.nr--;
	q->next = s->first_free;
	s->first_free = index;
}

/* It cannot be followed any more: a part of its queue is not known. */
static void accepts_lose(struct rs_ctx *c, struct accepts_queue *l)
{
	struct accepts_table *s = accepts_of(c);

	while (l->first) {
		accepts_set(c, s->queued[l->first - 1].number, RS_ACCEPTED_UNKNOWN, 0);
		accepts_drop_first(s, l);
	}
	l->shown.is_known = false;
	l->shown.full_ns = 0;
	l->nr_before = l->nr_accepts;
}

/* Another one listens there, as in another network namespace: what is in their queues may be its. */
static void accepts_lose_others(struct rs_ctx *c, const struct rs_socket_end *local)
{
	struct accepts_table *s = accepts_of(c);

	for (uint32_t i = 0; i < s->nr_queues; i++)
		if (!s->queues[i].is_over && s->queues[i].local.port == local->port)
			accepts_lose(c, &s->queues[i]);
}

/* One that is not there yet is added: what is in its queue is not known. NULL: there is no room */
static struct accepts_queue *accepts_queue_get(struct rs_ctx *c, const struct rs_socket *k)
{
	struct accepts_table *s = accepts_get(c);
	struct accepts_queue *l = accepts_find(s, k->number);

	if (l || !s)
		return l;
	for (uint32_t i = 0; i < s->nr_queues && !l; i++)
		l = s->queues[i].is_over ? &s->queues[i] : NULL;
	if (!l && s->nr_queues < ACCEPTS_NR_QUEUES)
		l = &s->queues[s->nr_queues++];
	if (l) {
		accepts_lose_others(c, &k->local);
		*l = (struct accepts_queue){ .shown.number = k->number, .local = k->local };
	}
	return l;
}

static uint32_t accepts_take_place(struct accepts_table *s)
{
	uint32_t index = s->first_free;

	if (index)
		s->first_free = s->queued[index - 1].next;
	else if (s->nr_queued < ACCEPTS_NR_ENTRIES)
		index = ++s->nr_queued;
	return index;
}

/*
 * The kernel queues it between the two events of its end of the handshake: where those of two connections
 * overlap, on two CPUs, either may be the first.
 */
static bool accepts_is_apart(struct accepts_table *s, const struct accepts_queue *l,
			     const struct rs_socket *k)
{
	struct accepts_entry *before = l->last ? &s->queued[l->last - 1] : NULL;

	if (!before || (k->begin_ns && k->begin_ns > before->since_ns))
		return true;
	before->is_apart = false;
	return false;
}

/* The kernel takes one more than the backlog. */
static void accepts_push(struct rs_ctx *c, struct accepts_queue *l, const struct rs_socket *k,
			 uint64_t ts_ns)
{
	struct accepts_table *s = accepts_of(c);
	uint32_t index = accepts_take_place(s);

	if (!index || l->shown.nr > 2 * l->shown.backlog + ACCEPTS_MAX_BACKLOG) {
		accepts_lose(c, l);     /* its accepts are not seen: io_uring */
		return;
	}
	s->queued[index - 1] = (struct accepts_entry){ k->number, ts_ns, 0, accepts_is_apart(s, l, k) };
	*(l->last ? &s->queued[l->last - 1].next : &l->first) = index;
	l->last = index;
	l->shown.nr++;
	if (l->shown.is_known)
		accepts_set(c, k->number, RS_ACCEPTED_NOT_YET, 0);
	if (l->shown.is_known && l->shown.backlog && l->shown.nr > l->shown.backlog)
		l->shown.full_ns = ts_ns;
	accepts_dispatch(c, l, (struct rs_accept){ .kind = RS_ACCEPT_QUEUED, .socket = k, .ts_ns = ts_ns });
}

static void accepts_end_full(struct rs_ctx *c, struct accepts_queue *l, uint64_t ts_ns)
{
	uint64_t since_ns = l->shown.full_ns;

	l->shown.full_ns = 0;
	if (since_ns)
		accepts_dispatch(c, l, (struct rs_accept){ .kind = RS_ACCEPT_HAS_ROOM, .since_ns = since_ns,
							   .ts_ns = ts_ns });
}

/* ---- accepts ---- */

static struct accepts_untold *accepts_untold_place(struct accepts_table *s, int32_t pid, int32_t fd)
{
	return &s->untold[rs_hash_pair((uint64_t)pid, (uint64_t)fd) % ACCEPTS_NR_UNTOLD];
}

/* k: that it returned; NULL: nothing will tell. */
static void accepts_dispatch_told(struct rs_ctx *c, const struct accepts_untold *u, const struct rs_socket *k)
{
	struct rs_task *t = u->pid ? rs_task_find(c, u->tid) : NULL;

	if (t && t->inst == u->inst)
		accepts_dispatch(c, NULL, (struct rs_accept){
			.kind = RS_ACCEPT_TOLD, .socket = k, .task = t, .fd = u->fd,
			.since_ns = k ? k->established_ns : 0, .ts_ns = u->exit_ns });
}

static void accepts_wait_for_use(struct rs_ctx *c, const struct rs_call *call,
				 const struct accepts_queue *l)
{
	const struct rs_task *t = call->task;
	struct accepts_table *s = accepts_get(c);
	struct accepts_untold *u = s ? accepts_untold_place(s, t->pid, (int32_t)call->ret) : NULL, before;

	if (!u)
		return;
	before = *u;
	*u = (struct accepts_untold){ t->pid, (int32_t)call->ret, t->tid, t->inst, call->exit_ns,
				      l ? l->shown.number : 0, l ? l->nr_accepts : 0 };
	accepts_dispatch_told(c, &before, NULL);
}

/*
 * Takes the first of the queue. Accepts of other kinds, and of connections that are older than the trace,
 * make it uncertain. *is_certain: it is that one, and not the next.
 */
static const struct rs_socket *accepts_take_first(struct rs_ctx *c, struct accepts_queue *l,
						  const struct rs_call *call, uint64_t *since_ns,
						  bool *is_certain)
{
	struct accepts_table *s = accepts_of(c);
	struct accepts_entry *q = l->first ? &s->queued[l->first - 1] : NULL;
	const struct rs_socket *k;

	if (!q || q->since_ns > call->exit_ns || rs_discarded(c, q->since_ns, call->exit_ns)) {
		accepts_lose(c, l);
		return NULL;
	}
	*since_ns = q->since_ns;
	*is_certain = q->is_apart && (!l->several || l->shown.nr == 1);
	k = rs_socket_find(c, q->number);
	accepts_end_full(c, l, call->exit_ns);
	accepts_set(c, q->number, RS_ACCEPTED, call->exit_ns);
	accepts_drop_first(s, l);
	return k;
}

static void accepts_count(struct accepts_queue *l, const struct rs_task *t)
{
	l->nr_accepts++;
	l->several |= l->acceptor && l->acceptor != t->tid;
	l->acceptor = t->tid;
}

static void accepts_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_socket *listens, *k = NULL;
	struct accepts_queue *l;
	uint64_t since_ns = 0;
	bool is_certain = false;

	if (call->discarded || call->in_flight || call->ret < 0 || !call->task->pid)
		return;
	listens = rs_call_socket(c, call);
	l = listens ? accepts_queue_get(c, listens) : NULL;
	if (l)
		accepts_count(l, call->task);
	if (l && l->shown.is_known)
		k = accepts_take_first(c, l, call, &since_ns, &is_certain);
	if (k && is_certain)
		rs_fd_sockets_opens(c, call->task, (int32_t)call->ret, k->number);
	else
		k = NULL;
	accepts_dispatch(c, l, (struct rs_accept){
		.kind = RS_ACCEPT_RETURNED, .socket = k, .task = call->task, .fd = (int32_t)call->ret,
		.since_ns = since_ns, .ts_ns = call->exit_ns });
	if (!k)
		accepts_wait_for_use(c, call, l);
}

/*
 * The nr-th accept returned k: what was established before is gone, and so is one for each accept since.
 */
static void accepts_learn(struct rs_ctx *c, struct accepts_queue *l, uint64_t nr, const struct rs_socket *k)
{
	struct accepts_table *s = accepts_of(c);

	if (!l || l->shown.is_known || nr <= l->nr_before || !k->established_ns)
		return;
	while (l->first && s->queued[l->first - 1].since_ns <= k->established_ns)
		accepts_drop_first(s, l);
	for (; l->first && nr < l->nr_accepts; nr++)
		accepts_drop_first(s, l);
	l->shown.is_known = nr == l->nr_accepts;
	for (uint32_t at = l->shown.is_known ? l->first : 0; at; at = s->queued[at - 1].next)
		accepts_set(c, s->queued[at - 1].number, RS_ACCEPTED_NOT_YET, 0);
}

/* A call of the task's own names the socket, and its first argument the descriptor. */
static void accepts_on_use(struct rs_ctx *c, const struct rs_socket *k, const struct rs_task *t)
{
	struct accepts_table *s = accepts_of(c);
	struct accepts_queue *l = s && k->accepted == RS_ACCEPTED_NOT_YET ? accepts_find_at(s, &k->local) :
									       NULL;
	struct accepts_untold *u, done;

	if (!s || !t || k->side == RS_SIDE_CLIENT || !rs_task_in_call(c, t))
		return;
	u = accepts_untold_place(s, t->pid, (int32_t)t->syscall_args[0]);
	if (!rs_call_is(c, t->syscall, RS_CLASS_RECEIVE | RS_CLASS_SEND | RS_CLASS_READ | RS_CLASS_WRITE |
					       RS_CLASS_HANG_UP))
		return;
	if (l) /* it was accepted before the first of the queue: the order is another one */
		accepts_lose(c, l);
	if (u->pid != t->pid || u->fd != (int32_t)t->syscall_args[0])
		return;
	done = *u;
	u->pid = 0;
	accepts_set(c, k->number, RS_ACCEPTED, done.exit_ns);
	accepts_learn(c, accepts_find(s, done.socket), done.nr, k);
	accepts_dispatch_told(c, &done, k);
}

/* ---- sockets ---- */

/* listen(fd, backlog), whose first state it is. */
static uint64_t accepts_backlog(struct rs_ctx *c, const struct rs_task *t)
{
	const char *call = t && rs_task_in_call(c, t) ? rs_syscall_name(c, t->syscall) : NULL;
	uint64_t backlog = call && !strcmp(call, "listen") ? t->syscall_args[1] : 0;

	return backlog <= ACCEPTS_MAX_BACKLOG ? backlog : 0;
}

static void accepts_on_listen(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct accepts_queue *l = accepts_queue_get(c, ev->socket);

	if (!l)
		return;
	l->shown.is_known = true;
	l->shown.backlog = accepts_backlog(c, ev->task);
}

static void accepts_on_close(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct accepts_queue *l = accepts_find(accepts_of(c), ev->socket->number);

	if (!l)
		return;
	accepts_end_full(c, l, ev->ts_ns);
	accepts_lose(c, l);
	l->is_over = true;
}

static void accepts_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;
	struct accepts_queue *l;

	if (ev->kind == RS_SOCKET_LISTENS)
		accepts_on_listen(c, ev);
	else if (k->side == RS_SIDE_LISTENS && k->is_over)
		accepts_on_close(c, ev);
	else if (ev->kind == RS_SOCKET_ESTABLISHED && k->side == RS_SIDE_SERVER &&
		 (l = accepts_find_at(accepts_of(c), &k->local)))
		accepts_push(c, l, k, ev->ts_ns);
	else if (ev->task)
		accepts_on_use(c, k, ev->task);
}

static void accepts_on_message(struct rs_ctx *c, const struct rs_socket_message *m)
{
	accepts_on_use(c, m->socket, m->task);
}

/* Ends of handshakes may be among what was lost, and accepts. */
static void accepts_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct accepts_table *s = accepts_of(c);

	for (uint32_t i = 0; s && i < s->nr_queues; i++)
		accepts_lose(c, &s->queues[i]);
}

static void accepts_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct accepts_table *s = accepts_of(c);

	for (uint32_t i = 0; s && i < ACCEPTS_NR_UNTOLD; i++)
		accepts_dispatch_told(c, &s->untold[i], NULL);
}

/* ---- for analyses ---- */

const struct rs_accept_queue *rs_accepts_queue(const struct rs_ctx *c, uint64_t number)
{
	const struct accepts_queue *l = accepts_find(accepts_of(c), number);

	return l ? &l->shown : NULL;
}

const struct rs_accept_queue *rs_accepts_queue_at(const struct rs_ctx *c, const struct rs_socket_end *local)
{
	const struct accepts_queue *l = accepts_find_at(accepts_of(c), local);

	return l ? &l->shown : NULL;
}

const struct rs_analysis rs_engine_accepts = {
	.abi = RS_ABI, .name = "accepts",
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = accepts_on_socket },
			     { RS_ON_MESSAGE, .message = accepts_on_message },
			     { RS_ON_CALL, .call = accepts_on_call, .kinds = 1 << RS_CALL_ACCEPT },
			     { RS_ON_GAP, .gap = accepts_on_gap }),
	.state_size = sizeof(struct accepts_state),
	.end = accepts_end,
};
