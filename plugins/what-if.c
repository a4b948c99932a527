// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * what-if - what would help most: waits as they would have been without one of those who took their time, or
 * with a faster one
 *
 * Each wait is computed anew as it ends (what-if.h). A wait is a system call in which the task was blocked
 * or runnable, or such a state outside of calls. A row of the store is all waits of a process in one call for
 * one peer, or what one change makes of those that it changes.
 */
#include <stdio.h>
#include <string.h>

#include "plugins/parts/what-if-rows.h"

/*
 * The work that it may be: so many steps of about 30 instructions a second. Where waits are too many the long
 * ones come first.
 */
#define WORK_A_SECOND 4000000
#define LEAST_WAIT_NS 20000      /* what is shorter is not looked at */
#define LEAST_WHERE_MANY_NS 1000000 /* likewise, where half of the steps are used up */
#define LEAST_WHERE_TOO_MANY_NS 10000000 /* and where nearly all are */

/* ---- waits as they end ---- */

static const char nobody[RS_COMM_LEN];

static bool what_if_may_find(struct rs_ctx *c, struct rs_what_if_state *s, uint64_t ns)
{
	uint64_t now_ns = rs_last_event_ns(c), len_ns = now_ns - s->credit_ns;

	if (now_ns < s->credit_ns || len_ns > 1000000000)
		len_ns = 1000000000;
	s->credit += (int64_t)(len_ns * WORK_A_SECOND / 1000000000);
	s->credit_ns = now_ns;
	if (s->credit > WORK_A_SECOND)
		s->credit = WORK_A_SECOND;
	return s->credit > 0 && ns >= (s->credit > WORK_A_SECOND / 2 ? LEAST_WAIT_NS :
				       s->credit > WORK_A_SECOND / 8 ? LEAST_WHERE_MANY_NS :
									LEAST_WHERE_TOO_MANY_NS);
}

static void what_if_add_change(struct rs_ctx *c, struct rs_task *of, uint64_t key0,
			       const struct rs_what_if *w, uint64_t ns)
{
	struct rs_what_if_sum *row =
		rs_store_row(c, RS_WHAT_IF_WAITS, of, key0, rs_what_if_sums_change_key(w));

	if (!row)
		return;
	row->change = *w;
	rs_hist_add(&row->before, ns);
	rs_hist_add(&row->after, w->ns);
	row->saved_ns += ns - w->ns;
}

/* Adds a wait that ended, to the rows of its process. */
static void what_if_add(struct rs_ctx *c, struct rs_task *t, uint64_t key0, const char *peer,
			uint64_t from_ns, uint64_t to_ns)
{
	struct rs_what_if_state *s = c->state;
	struct rs_task *leader = t->pid ? rs_task_find(c, t->pid) : NULL, *of = leader ? leader : t;
	uint64_t ns = to_ns - from_ns, unknown_ns = ns;
	struct rs_what_if_sum *row;
	struct rs_what_ifs all = { .nr = 0 };

	if (!rs_shown(c, t) || t->kernel_thread || to_ns <= from_ns)
		return;
	if (what_if_may_find(c, s, ns)) {
		if (rs_what_if_find(c, s->room, t, from_ns, to_ns, &all))
			unknown_ns = all.unknown_ns;
		s->credit -= all.steps;
	}
	row = rs_store_row(c, RS_WHAT_IF_WAITS, of, key0, 0);
	if (!row)
		return;
	rs_hist_add(&row->before, ns);
	row->unknown_ns += unknown_ns;
	memcpy(row->peer, peer, sizeof row->peer);
	for (unsigned int i = 0; i < all.nr; i++)
		what_if_add_change(c, of, key0, &all.at[i], ns);
}

static bool what_if_is_idle(struct rs_ctx *c, int64_t nr, const uint64_t *args)
{
	return rs_call_kind(c, nr, args) == RS_CALL_IDLE || rs_call_is(c, nr, RS_CLASS_ACCEPT);
}

static bool what_if_is_in_call(struct rs_ctx *c, const struct rs_task *t)
{
	return t->syscall >= 0 && !what_if_is_idle(c, t->syscall, t->syscall_args);
}

static void what_if_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (iv->discarded || iv->in_flight || !iv->task || iv->from_ns < c->range_from_ns)
		return;
	if (what_if_is_in_call(c, iv->task))
		rs_what_if_sums_task(c, iv->task)->waited_ns += iv->to_ns - iv->from_ns;
	else
		what_if_add(c, iv->task, rs_what_if_sums_key(-1, RS_CAUSE_DELAY, ""), nobody, iv->from_ns,
			    iv->to_ns);
}

/* Who ended a wait that was not for a lock, a disk, memory: by an answer. NULL: nobody. */
static const struct rs_task *what_if_peer(struct rs_ctx *c, const struct rs_wait *w)
{
	int32_t tid = w->interval->waker_tid;
	bool is_futex = w->cause == RS_CAUSE_FUTEX && !(w->args && rs_futex_is_lock(w->args));

	if (tid <= 0 || (!is_futex && w->cause != RS_CAUSE_SLEEP && w->cause != RS_CAUSE_IDLE) ||
	    rs_call_is(c, w->syscall, RS_CLASS_LOCK | RS_CLASS_SEMAPHORE))
		return NULL;
	return rs_task_find(c, tid);
}

/* As the two are called: processes, or threads of one. */
static const char *what_if_comm(struct rs_ctx *c, const struct rs_task *t, const struct rs_task *peer)
{
	bool is_own = t->pid && t->pid == peer->pid;
	const char *comm = is_own ? t->comm : rs_task_process_comm(c, t);

	return comm ? comm : "";
}

static void what_if_add_pair(struct rs_ctx *c, const struct rs_task *t, const struct rs_task *peer,
			     uint64_t ns)
{
	uint64_t waits = rs_what_if_sums_name_key(what_if_comm(c, t, peer)),
		 is_awaited = rs_what_if_sums_name_key(what_if_comm(c, peer, t));
	struct rs_what_if_pair *pair = rs_store_row(c, RS_WHAT_IF_PAIRS, NULL, waits, is_awaited);

	if (pair)
		pair->ns += ns;
}

static void what_if_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct rs_what_if_task *task = rs_what_if_sums_task(c, iv->task);
	uint64_t ns = iv->to_ns - iv->from_ns;
	const struct rs_task *peer;

	if (iv->discarded || iv->in_flight || iv->from_ns < c->range_from_ns)
		return;
	peer = what_if_peer(c, w);
	if (peer)
		what_if_add_pair(c, iv->task, peer, ns);
	if (what_if_is_in_call(c, iv->task)) {
		task->waited_ns += ns;
		if (peer && ns > task->peer_ns) {
			task->peer_ns = ns;
			snprintf(task->peer, sizeof task->peer, "%s", what_if_comm(c, peer, iv->task));
		}
	} else if (iv->task->syscall < 0 && rs_cause_row(w->cause)->rank == RS_RANK_WAIT) {
		what_if_add(c, iv->task, rs_what_if_sums_key(-1, w->cause, ""), nobody, iv->from_ns,
			    iv->to_ns);
	}
}

static void what_if_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_what_if_task *task = rs_what_if_sums_task(c, call->task), of = *task;

	*task = (struct rs_what_if_task){ .wall_ns = of.wall_ns };
	if (of.waited_ns && !call->discarded && !call->in_flight && call->enter_ns >= c->range_from_ns)
		what_if_add(c, call->task, rs_what_if_sums_key(call->nr, RS_CAUSE_UNKNOWN, of.peer), of.peer,
			    call->enter_ns, call->exit_ns);
}

/* Interrupts are kept by the engine, where they are recorded: nothing is to be done here. */
static void what_if_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
}

static void what_if_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	rs_what_if_find_add_request(((struct rs_what_if_state *)c->state)->room, r);
}

/* Nothing saves more than was waited. */
static void what_if_check(struct rs_ctx *c,
			  void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	uint64_t over_ns = 0, key0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct rs_what_if_sum *row = NULL;

		while ((row = rs_store_next_of(c, RS_WHAT_IF_WAITS, t, (void *)(uintptr_t)row, &key0))) {
			uint64_t left_ns = row->after.sum + row->saved_ns;

			if (row->change.kind != RS_WHAT_IF_NONE)
				over_ns += left_ns > row->before.sum ? left_ns - row->before.sum :
								       row->before.sum - left_ns;
		}
	}
	invariant(arg, "what-if: saved + what would be left = waited (ns)", (int64_t)over_ns);
}

static int what_if_begin(struct rs_ctx *c)
{
	struct rs_what_if_state *s = c->state;

	s->room = rs_what_if_find_room(c);
	s->credit = WORK_A_SECOND;
	return s->room ? 0 : -12; /* ENOMEM */
}

const struct rs_analysis rs_analysis_what_if = {
	.abi = RS_ABI,
	.name = "what-if",
	.summary = "what would help most: waits without one of those who took their time",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = what_if_on_interval,
		  .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = what_if_on_wait },
		{ RS_ON_CALL, .call = what_if_on_call, .if_recorded = true },
		{ RS_ON_REQUEST, .request = what_if_on_request, .if_recorded = true },
		{ RS_ON_IRQ, .irq = what_if_on_irq }),
	.stores = rs_what_if_sums_stores,
	.views = RS_LIST(rs_view,
		{ .name = "what-if", .topic = RS_TOPIC_WAITS, .role = RS_ROLE_WHAT_IF,
		  .summary = "what would help most: waits without one culprit, or with a faster one",
		  .base = "sums over threads; % of wall time; each change alone",
		  .kind = RS_VIEW_TABLE,
		  .columns = rs_what_if_rows_columns, .sort = "-saved_ns", .rows = rs_what_if_rows_put,
		  .text_columns = "comm,pid,wait,peer,culprit,change,p50_ns,p50_after_ns,p99_ns,p99_after_ns,"
				  "saved_ns,share,known" }),
	.requires_history = true,
	.by_name = true,
	.state_size = sizeof(struct rs_what_if_state),
	.task_size = sizeof(struct rs_what_if_task),
	.begin = what_if_begin,
	.check = what_if_check,
};
