// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unanswered - requests that threads send on a descriptor, the polls and receives that wait for the answers,
 * and which of these end by their time-outs
 */
#include "why/cases/unanswered.h"

#include <string.h>

#include "ringside/socket.h"
#include "ringside/task.h"
#include "why/blame.h"
#include "why/namesakes.h"

#define UNANSWERED_LEAST_NS 1000000   /* of a wait: a call that does not block returns at once */
#define UNANSWERED_MOST_TRIES 3       /* before it asks another */
#define UNANSWERED_MOST_NAMES 32      /* of programs whose processes live for a moment */

static struct rs_unanswered_task *unanswered_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	struct rs_unanswered_task *of = rs_task_data(c, t);

	if (of->since_ns != rs_since_ns(c))
		*of = (struct rs_unanswered_task){ .since_ns = rs_since_ns(c) };
	return of;
}

static void unanswered_add(struct rs_unanswered_sum *to, const struct rs_unanswered_sum *from)
{
	if (!to->least_ns || (from->least_ns && from->least_ns < to->least_ns))
		to->least_ns = from->least_ns;
	to->nr += from->nr;
	to->ns += from->ns;
	to->nr_against += from->nr_against;
	to->nr_connects += from->nr_connects;
	to->is_doubtful |= from->is_doubtful;
	if (from->nr) {
		to->call = from->call;
		to->file = from->file;
		to->socket = from->socket;
		to->fd = from->fd;
	}
}

static uint64_t unanswered_descriptor(const struct rs_call *call)
{
	return (uint64_t)(uint32_t)call->args[0] + 1;
}

/* The last request waited for its answer in vain, in that call. */
static struct rs_unanswered_sum unanswered_wait(struct rs_ctx *c, const struct rs_unanswered_task *t,
						const struct rs_call *call)
{
	return (struct rs_unanswered_sum){
		.nr = 1, .ns = rs_part_ns(rs_since_ns(c), call->enter_ns, call->exit_ns),
		.nr_connects = t->is_connect, .least_ns = call->exit_ns - call->enter_ns, .call = call->nr,
		.file = t->file, .socket = t->socket,
	};
}

/* ---- what no other answers: the poll right after the request ---- */

/*
 * Is it likely to wait for the answer? The descriptors that are polled are not known, but for select's
 * largest: a heartbeat is sent on another, or to nobody in particular. Who sleeps in poll asks for no
 * descriptor; an event loop (epoll) waits for whatever comes. Of a process that lives for a moment, to ask is
 * all that it does, as getent(1) for a name.
 */
static bool unanswered_is_waited_for(struct rs_ctx *c, struct rs_unanswered_task *t,
				     const struct rs_call *call)
{
	if (!call->args || !call->args[0])
		return false;
	if (rs_call_is(c, call->nr, RS_CLASS_POLL)) {
		bool is_known = t->has_address || t->is_connect;

		if (call->args[1] != 1 || (!is_known && !rs_namesakes_is_brief(c, call->task)))
			return false;
		t->sums[RS_UNANSWERED_POLL].is_doubtful |= !is_known;
		return true;
	}
	if (!rs_call_is(c, call->nr, RS_CLASS_SELECT))
		return false;
	return t->has_address ? call->args[0] >= t->asked : call->args[0] == t->asked;
}

static void unanswered_end_poll(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	struct rs_unanswered_sum *sum = &t->sums[RS_UNANSWERED_POLL], wait = unanswered_wait(c, t, call);

	sum->nr_against += call->ret > 0;
	if (!call->ret && unanswered_is_waited_for(c, t, call))
		unanswered_add(sum, &wait);
	t->awaits_poll = false;
}

/* ---- what another answers ---- */

/* It gave up, or went on with the same one. */
static void unanswered_forget(struct rs_unanswered_task *t)
{
	t->sums[RS_UNANSWERED_FAILOVER].nr_against += t->wait.nr;
	t->wait = (struct rs_unanswered_sum){ 0 };
	t->silent = 0;
	t->awaits_answer = t->is_other = false;
}

static void unanswered_on_time_out(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	struct rs_unanswered_sum wait = unanswered_wait(c, t, call);

	if (wait.least_ns < UNANSWERED_LEAST_NS)
		return;
	if (!t->silent) {
		t->silent = t->asked;
		t->from_ns = call->enter_ns;
	}
	wait.fd = (uint32_t)(t->silent - 1);
	unanswered_add(&t->wait, &wait);
	t->awaits_answer = t->is_other = false;
	if (t->wait.nr > UNANSWERED_MOST_TRIES)
		unanswered_forget(t);
}

static void unanswered_on_answer(struct rs_ctx *c, struct rs_unanswered_task *t)
{
	if (t->silent && t->is_other && !rs_discarded(c, t->from_ns, rs_last_event_ns(c))) {
		t->wait.nr_connects = t->wait.nr_connects == t->wait.nr;
		t->wait.nr = 1;
		unanswered_add(&t->sums[RS_UNANSWERED_FAILOVER], &t->wait);
		t->wait = (struct rs_unanswered_sum){ 0 };
	}
	unanswered_forget(t);
}

/*
 * Of poll, one descriptor alone, which is most likely the one that was asked on; select tells the largest,
 * which Perl rounds up. Who polls many has a loop of events.
 */
static bool unanswered_polls_one(struct rs_ctx *c, const struct rs_unanswered_task *t,
				 const struct rs_call *call)
{
	enum { PERL = 8 };

	if (rs_call_is(c, call->nr, RS_CLASS_POLL))
		return call->args[1] == 1;
	return (call->args[0] == t->asked || call->args[0] == (t->asked + PERL - 1) / PERL * PERL) &&
	       rs_call_is(c, call->nr, RS_CLASS_SELECT);
}

/* ---- calls ---- */

/*
 * A connect of the descriptor that did not answer is of another socket, or at least another try: its number
 * was closed and is free again.
 */
static void unanswered_ask(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call,
			   bool is_connect)
{
	uint64_t descriptor = unanswered_descriptor(call);
	const struct rs_socket *socket = rs_call_socket(c, call);
	bool is_again = t->awaits_answer && t->asked == descriptor;

	if (is_connect)
		t->is_other = t->silent;
	else if (!is_again || !t->is_connect)
		t->is_other = t->silent && (t->silent != descriptor || (t->is_other && is_again));
	t->asked = descriptor;
	t->socket = socket ? socket->number : 0;
	t->file = rs_call_file(c, call);
	t->is_connect = is_connect;
	t->has_address = false;
	t->awaits_answer = true;
}

/* One that does not block returns, and who waits for it polls. */
static void unanswered_on_connect(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	enum { E_IN_PROGRESS = 115 }; /* asm-generic/errno.h, see syscalls.c */
	bool in_progress = call->ret == -E_IN_PROGRESS, timed_out = rs_call_timed_out(c, call);
	bool is_late = call->exit_ns - call->enter_ns >= UNANSWERED_LEAST_NS;

	t->awaits_poll = call->args && in_progress;
	if (!call->args || (call->ret && !in_progress && !timed_out))
		return;
	unanswered_ask(c, t, call, true);
	if (timed_out || (call->ret && is_late)) /* EINPROGRESS, of SO_SNDTIMEO */
		unanswered_on_time_out(c, t, call);
	else if (!call->ret && t->wait.nr_connects)
		unanswered_on_answer(c, t);
}

/* A poll is for the answer to what goes to an address: what a window system is sent, by sendmsg, is none. */
static void unanswered_on_send(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	t->awaits_poll = call->args && rs_call_is(c, call->nr, RS_CLASS_ADDRESS);
	if (!call->args)
		return;
	unanswered_ask(c, t, call, false);
	t->has_address = t->awaits_poll && call->args[4];
}

static void unanswered_on_poll(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	if (t->awaits_poll)
		unanswered_end_poll(c, t, call);
	if (!t->awaits_answer || !call->args || !unanswered_polls_one(c, t, call))
		return;
	if (!call->ret)
		unanswered_on_time_out(c, t, call);
	else if (t->is_connect && t->wait.nr_connects)
		unanswered_on_answer(c, t);
}

/* Another that it asks then may answer: that is failover. */
static void unanswered_on_receive(struct rs_ctx *c, struct rs_unanswered_task *t, const struct rs_call *call)
{
	enum { E_AGAIN = 11 };

	if (!call->args || t->asked != unanswered_descriptor(call) ||
	    !rs_call_is(c, call->nr, RS_CLASS_READ | RS_CLASS_RECEIVE))
		return;
	if (call->ret > 0 && t->awaits_poll) {
		t->sums[RS_UNANSWERED_POLL].nr_against++;
		t->awaits_poll = false;
	}
	if (call->ret > 0 && t->awaits_answer)
		unanswered_on_answer(c, t);
	else if (t->awaits_answer && (call->ret == -E_AGAIN || rs_call_timed_out(c, call)))
		unanswered_on_time_out(c, t, call);
}

/* Of waits only those after a request count, and most programs send none. */
void rs_unanswered_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_unanswered_task *t = rs_task_data(c, call->task);
	bool is_plain = call->kind == RS_CALL_PLAIN || call->kind == RS_CALL_ACCEPT,
	     is_wait = call->kind == RS_CALL_IDLE || is_plain;

	if ((is_wait && !t->awaits_poll && !t->awaits_answer) || call->discarded || !call->ret_known)
		return; /* most calls */
	t = unanswered_task_of(c, call->task);
	if (call->kind == RS_CALL_CONNECT)
		unanswered_on_connect(c, t, call);
	else if (call->kind == RS_CALL_SEND && call->ret >= 0)
		unanswered_on_send(c, t, call);
	else if (call->kind == RS_CALL_IDLE && call->ret >= 0)
		unanswered_on_poll(c, t, call);
	else if (is_plain)
		unanswered_on_receive(c, t, call);
	rs_watch_calls(c, call->task, t->awaits_poll || t->awaits_answer);
}

/* ---- cases ---- */

/* Returns NULL if no wait of the kind ended by its time-out in the interval. */
static const struct rs_unanswered_sum *unanswered_sum(struct rs_ctx *c, const struct rs_task *t,
						      enum rs_unanswered_kind kind)
{
	const struct rs_unanswered_task *of = rs_task_data(c, t);

	return of->since_ns == rs_since_ns(c) && of->sums[kind].nr ? &of->sums[kind] : NULL;
}

static size_t unanswered_add_brief(struct rs_unanswered_case *cases, size_t nr,
				   const struct rs_unanswered_case *k)
{
	size_t i = rs_namesakes_find(cases, nr, sizeof *cases, k->comm);

	if (i == UNANSWERED_MOST_NAMES)
		return nr;
	if (i == nr)
		cases[nr++] = (struct rs_unanswered_case){ .comm = k->comm };
	cases[i].task = k->task;
	cases[i].nr_processes++;
	unanswered_add(&cases[i].sum, &k->sum);
	return nr;
}

void rs_unanswered_each(struct rs_ctx *c, enum rs_unanswered_kind kind, rs_unanswered_judge_fn *judge,
			const void *arg)
{
	struct rs_unanswered_case brief[UNANSWERED_MOST_NAMES];
	size_t nr = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct rs_unanswered_sum *sum = unanswered_sum(c, t, kind);

		if (!sum || !rs_shown(c, t))
			continue;

		struct rs_unanswered_case k = { rs_task_process_comm(c, t), t, 1, *sum };

		if (rs_namesakes_is_brief(c, t))
			nr = unanswered_add_brief(brief, nr, &k);
		else
			judge(c, &k, arg);
	}
	for (size_t i = 0; i < nr; i++)
		judge(c, &brief[i], arg);
}

uint64_t rs_unanswered_of_ns(struct rs_ctx *c, enum rs_unanswered_kind kind,
			     const struct rs_unanswered_case *k)
{
	const struct rs_blame *b = rs_blame_find(c, k->comm, k->task->pid);
	uint64_t ns = b ? rs_blame_busy_ns(b) : 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct rs_unanswered_sum *sum = unanswered_sum(c, t, kind);

		if (sum && rs_blame_has_task(c, b, t))
			ns += sum->ns;
	}
	return ns;
}
