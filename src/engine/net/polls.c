// SPDX-License-Identifier: GPL-2.0-or-later
/* polls - which socket a wait in poll, select or epoll_wait was for, where that is certain */
#include "engine/net/polls.h"

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/files/fd-sockets.h"
#include "engine/internal.h"
#include "engine/net/socket-waits.h"
#include "ringside/socket.h"

#define POLLS_SENDS (RS_CLASS_SEND | RS_CLASS_WRITE | RS_CLASS_FILL | RS_CLASS_CONNECT)
#define POLLS_READS (RS_CLASS_RECEIVE | RS_CLASS_READ | RS_CLASS_ACCEPT)

/* Of a thread: its last wait in a poll. */
struct polls_task {
	uint64_t enter_ns;          /* when that call began; 0: none */
	uint64_t socket;            /* by the waker; 0: unknown */
	uint64_t from_ns, to_ns;
	int64_t call;
};

/* ---- by the waker ---- */

/* The socket that a new connection is accepted from. */
static const struct rs_socket *polls_acceptor(const struct rs_ctx *c, const struct rs_socket *accepted)
{
	const struct rs_accept_queue *queue = rs_accepts_queue_at(c, &accepted->local);

	return queue ? rs_socket_find(c, queue->number) : NULL;
}

/* The socket that the waker sends on, or closes. */
static const struct rs_socket *polls_sender(struct rs_ctx *c, struct rs_task *waker)
{
	uint64_t number = rs_call_is(c, waker->syscall, POLLS_SENDS) ? rs_fd_sockets_get(c, waker) : 0;

	if (number)
		return rs_socket_find(c, number);
	return rs_call_is(c, waker->syscall, RS_CLASS_HANG_UP) ? rs_task_socket(c, waker) : NULL;
}

/* The socket that gets what the waker's call sends. */
static const struct rs_socket *polls_receiver(struct rs_ctx *c, struct rs_task *waker)
{
	bool connects = rs_call_is(c, waker->syscall, RS_CLASS_CONNECT);
	const struct rs_socket *k = polls_sender(c, waker), *peer = k ? rs_socket_peer(c, k) : NULL;

	return connects && peer ? polls_acceptor(c, peer) : peer;
}

/* It is whose task used it first, or a descriptor of it came to the process otherwise: by fork, by accept. */
static bool polls_has(const struct rs_ctx *c, const struct rs_task *t, const struct rs_socket *k)
{
	return k->pid == t->pid || rs_fd_sockets_has(c, t, k->number);
}

static uint64_t polls_find_by_waker(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_task *waker = iv->waker_tid > 0 ? rs_task_find(c, iv->waker_tid) : NULL;
	const struct rs_socket *k;

	if (!waker || !iv->task->pid || !rs_task_in_call(c, waker))
		return 0;
	k = polls_receiver(c, waker);
	return k && polls_has(c, iv->task, k) ? k->number : 0;
}

static void polls_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_task *t = iv->task;
	struct polls_task *d;

	if (!t || iv->letter != 'S' || iv->in_flight || t->syscall < 0 ||
	    !rs_call_is(c, t->syscall, RS_POLLS_CLASSES))
		return;
	d = rs_task_data(c, t);
	*d = (struct polls_task){ .enter_ns = t->syscall_enter_ns, .from_ns = iv->from_ns,
				  .to_ns = iv->to_ns, .call = t->syscall };
	if (!iv->discarded && rs_task_in_call(c, t))
		d->socket = polls_find_by_waker(c, iv);
}

uint64_t rs_polls_socket(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_analysis_instance *polls = &c->session->parts[RS_ENGINE_POLLS];
	const struct polls_task *d = polls->disabled[0] || !rs_call_is(c, call->nr, RS_POLLS_CLASSES) ?
					     NULL :
					     rs_task_data(&polls->ctx, call->task);

	return d && d->enter_ns && d->enter_ns == call->enter_ns ? d->socket : 0;
}

/* ---- by the next call ---- */

/* One descriptor was ready: what the task does next tells which. */
static void polls_end(struct rs_ctx *c, const struct rs_call *call)
{
	const struct polls_task *d = rs_task_data(c, call->task);

	rs_watch_calls(c, call->task,
		       d->enter_ns && d->enter_ns == call->enter_ns && !d->socket && !call->discarded &&
			       !call->in_flight && call->ret_known && call->ret == 1);
}

static void polls_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct polls_task *d = rs_task_data(c, call->task);
	struct rs_interval wait = { .kind = RS_BLOCKED, .task = call->task, .letter = 'S', .waker_tid = -1,
				    .from_ns = d->from_ns, .to_ns = d->to_ns };
	const struct rs_socket *k;

	if (rs_call_is(c, call->nr, RS_POLLS_CLASSES)) {
		polls_end(c, call);
		return;
	}
	rs_watch_calls(c, call->task, false);
	if (call->discarded || call->in_flight || !call->ret_known || call->ret < 0 || !d->enter_ns ||
	    !rs_call_is(c, call->nr, POLLS_READS) || rs_discarded(c, d->from_ns, call->exit_ns))
		return;
	k = rs_call_socket(c, call);
	if (k)
		RS_DISPATCH(&c->session->dispatch.on[RS_ON_POLLED], polled, &(struct rs_polled){
			.socket = k, .task = call->task, .call = d->call, .from_ns = d->from_ns,
			.to_ns = d->to_ns, .part = rs_socket_waits_receive(c, &wait, k) });
}

const struct rs_analysis rs_engine_polls = {
	.abi = RS_ABI, .name = "polls",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = polls_on_interval,
					    .kinds = 1 << RS_BLOCKED },
			     { RS_ON_CALL, .call = polls_on_call, .kinds = 1 << RS_CALL_IDLE,
			       .watched_kinds = ~(1u << RS_CALL_IDLE) & ((1u << RS_NR_CALL_KINDS) - 1) }),
	.task_size = sizeof(struct polls_task),
};
