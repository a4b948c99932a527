// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqlite-states.c - the states of tasks, waits with what they went to, samples with their stacks, the tasks
 * themselves
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/vector.h"
#include "export/sqlite/sqlite.h"

/* ---- stacks: each that a row names, and its callers ---- */

/* Returns the number of the stack, and notes it; null: there is none. */
static struct rs_value states_stack(struct rs_ctx *c, struct rs_sqlite *sq, uint32_t stack)
{
	size_t room = sq->stacks_room;
	uint32_t at = stack;

	while (at && (at >= sq->stacks_room || !sq->stacks[at])) {
		if (at >= sq->stacks_room) {
			if (!RS_VECTOR_RESERVE(&sq->stacks, &sq->stacks_room, (size_t)at + 1))
				return rs_null();
			memset(sq->stacks + room, 0, sq->stacks_room - room);
			room = sq->stacks_room;
		}
		sq->stacks[at] = 1;
		at = rs_stack_caller(c, at);
	}
	return rs_u_if(stack, stack);
}

static void states_put_stacks(struct rs_ctx *c, struct rs_sqlite *sq)
{
	for (uint32_t stack = 1; stack < sq->stacks_room; stack++) {
		uint32_t caller = sq->stacks[stack] ? rs_stack_caller(c, stack) : 0;
		struct rs_frame frame;
		char address[RS_CELL_TEXT_BYTES];

		if (!sq->stacks[stack])
			continue;
		rs_stack_frame(c, stack, &frame);
		rs_stack_put_address(&frame, address, sizeof address);
		rs_sqlite_put(sq, RS_SQLITE_STACK,
			      (const struct rs_value[]){ rs_u(stack), rs_u_if(caller, caller),
							 rs_s(frame.function), rs_s(frame.module),
							 rs_s(address) });
	}
}

static void states_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *s)
{
	struct rs_sqlite *sq = rs_api_session_arg(c);

	if (rs_shown(c, s->task))
		rs_sqlite_put(sq, RS_SQLITE_SAMPLE,
			      (const struct rs_value[]){ rs_u(s->ts_ns), rs_u(rs_sqlite_thread_id(s->task)),
							 rs_u(s->cpu), states_stack(c, sq, s->stack),
							 rs_u(s->in_kernel), rs_u(s->weight) });
}

/* ---- states ---- */

static const char *states_culprit_kind(const struct rs_culprit *k)
{
	static const char *const names[] = { [RS_CULPRIT_SELF] = "itself",
					     [RS_CULPRIT_TASK] = "task",
					     [RS_CULPRIT_INTERRUPT] = "interrupt",
					     [RS_CULPRIT_IDLE] = "idle",
					     [RS_CULPRIT_OTHERS] = "others" };

	return k->kind == RS_CULPRIT_IRQ                      ? rs_irq_kind_name(k->irq->kind) :
	       (size_t)k->kind < sizeof names / sizeof *names ? names[k->kind] :
								NULL;
}

static struct rs_value states_culprit_thread(struct rs_ctx *c, const struct rs_culprit *k)
{
	const struct rs_task *t;

	if (k->kind != RS_CULPRIT_TASK)
		return rs_null();
	if (k->name)
		return rs_u((uint32_t)(k->name->task ? k->name->task->tid : k->name->tid) |
			    (uint64_t)(k->name->task ? k->name->task->inst : k->name->inst) << 32);
	t = k->tid > 0 ? rs_task_find(c, k->tid) : NULL;
	return t ? rs_u(rs_sqlite_thread_id(t)) : rs_null();
}

static void states_put_culprits(struct rs_ctx *c, struct rs_sqlite *sq, const struct rs_interval *iv)
{
	struct rs_culprits culprits;
	char buf[RS_IRQ_NAME_LEN + 24];

	rs_culprits_find(c, iv->task, iv->from_ns, iv->to_ns, &culprits);
	for (const struct rs_culprit *k = culprits.at; k < culprits.at + culprits.nr; k++) {
		bool is_task = k->kind == RS_CULPRIT_TASK;

		rs_sqlite_put(
			sq, RS_SQLITE_CULPRIT,
			(const struct rs_value[]){ rs_u(sq->nr_states), rs_s(rs_part_row(k->part)->name),
						   rs_s(states_culprit_kind(k)), states_culprit_thread(c, k),
						   rs_u_if(is_task && k->pid > 0, (uint64_t)k->pid),
						   rs_s(is_task || k->kind == RS_CULPRIT_IRQ ?
								rs_culprit_text(c, k, buf, sizeof buf) :
								NULL),
						   rs_u(k->ns), rs_u_if(k->piece_ns, k->at_ns) });
	}
}

/* Who woke it: 0 an interrupt. */
static struct rs_value states_waker(struct rs_ctx *c, int32_t tid)
{
	const struct rs_task *t = tid > 0 ? rs_task_find(c, tid) : NULL;

	return t ? rs_u(rs_sqlite_thread_id(t)) : rs_u_if(tid >= 0, (uint64_t)(uint32_t)tid);
}

/* w: of one that was blocked; else NULL */
static void states_put(struct rs_ctx *c, const struct rs_interval *iv, const struct rs_wait *w)
{
	struct rs_sqlite *sq = rs_api_session_arg(c);
	uint64_t lock = !w                         ? 0 :
			w->cause == RS_CAUSE_LOCK  ? w->lock_addr :
			w->cause == RS_CAUSE_FUTEX ? w->uaddr :
						     0;
	bool has_disk = w && w->cause == RS_CAUSE_DISK, blocked = iv->kind == RS_BLOCKED,
	     has_waker = blocked || iv->kind == RS_DELAY;
	char letter[2] = { iv->letter }, dev[32], address[RS_UNIT_TEXT + 1], call[32];

	if (has_disk)
		rs_dev_text(w->dev, dev, sizeof dev);
	address[rs_units_put_hex(address, lock)] = '\0';
	sq->nr_states++;
	rs_sqlite_put(sq, RS_SQLITE_STATE,
		      (const struct rs_value[]){
			      rs_u(sq->nr_states), rs_u(rs_sqlite_thread_id(iv->task)), rs_u(iv->from_ns),
			      rs_u(iv->to_ns), rs_s(rs_state_name(iv->kind, iv->letter)),
			      rs_s(blocked ? letter : NULL),
			      rs_s(rs_cause_row(rs_cause_of_state(iv->kind, w ? w->cause : RS_CAUSE_UNKNOWN))
					   ->name),
			      rs_u_if(!blocked, iv->cpu),
			      rs_s(w ? rs_call_name(c, w->syscall, call, sizeof call) : NULL),
			      has_waker ? states_waker(c, iv->waker_tid) : rs_null(),
			      rs_s(has_disk ? dev : NULL), rs_s(lock ? address : NULL),
			      states_stack(c, sq, iv->in_flight ? 0 : rs_interval_stack(c, iv)),
			      rs_u(iv->inferred), rs_u(iv->in_flight) });
	if (iv->kind != RS_RUN && !iv->in_flight)
		states_put_culprits(c, sq, iv);
}

static bool states_is_shown(struct rs_ctx *c, const struct rs_interval *iv)
{
	return iv->task && !iv->discarded && !iv->in_flight && rs_shown(c, iv->task) && !rs_api_is_muted(c);
}

static void states_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (states_is_shown(c, iv))
		states_put(c, iv, NULL);
}

static void states_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	if (states_is_shown(c, w->interval))
		states_put(c, w->interval, w);
}

static void states_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct rs_sqlite *sq = rs_api_session_arg(c);

	rs_sqlite_put(sq, RS_SQLITE_GAP, (const struct rs_value[]){
		rs_u(gap->cpu), rs_u(gap->from_ns), rs_u(gap->to_ns), rs_u_if(gap->nr_lost, gap->nr_lost) });
}

/* ---- tasks, and what is in flight at the end ---- */

static void states_put_thread(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_sqlite *sq = rs_api_session_arg(c);
	const char *args = t->tid == t->pid && sq->info ? rs_source_args(sq->info, t->pid, t->comm) : NULL;

	rs_sqlite_put(sq, RS_SQLITE_THREAD,
		      (const struct rs_value[]){
			      rs_u(rs_sqlite_thread_id(t)), rs_u((uint64_t)t->tid), rs_u(t->inst),
			      rs_u_if(t->pid > 0, (uint64_t)t->pid), rs_u_if(t->ppid > 0, (uint64_t)t->ppid),
			      rs_s(t->comm), rs_s(rs_task_process_comm(c, t)), rs_u(t->kernel_thread),
			      rs_u_if(t->birth_ns, t->birth_ns), rs_u_if(t->first_ns, t->first_ns),
			      rs_u_if(t->last_ns, t->last_ns), rs_u(t->exited), rs_s(t->cgroup),
			      rs_s(args) });
}

static void states_put_in_flight(struct rs_ctx *c, struct rs_task *t, uint64_t end_ns)
{
	struct rs_interval iv = { .task = t, .to_ns = end_ns, .letter = t->letter, .cpu = t->cpu,
				  .waker_tid = -1, .in_flight = true };
	struct rs_wait w = { .interval = &iv, .syscall = -1 };
	uint64_t open_ns;

	iv.kind = rs_task_state(c, t, &open_ns);
	if (iv.kind == RS_UNKNOWN || iv.kind == RS_DEAD || open_ns == RS_AGE_UNKNOWN)
		return;
	iv.from_ns = end_ns - open_ns;
	iv.waker_tid = iv.kind == RS_DELAY ? t->waker_tid : -1;
	states_put(c, &iv, iv.kind == RS_BLOCKED && rs_task_wait(c, t, &w) ? &w : NULL);
}

static void states_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct rs_sqlite *sq = rs_api_session_arg(c);

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		if (rs_shown(c, t))
			states_put_in_flight(c, t, end_ns);
		states_put_thread(c, t);
	}
	states_put_stacks(c, sq);
}

const struct rs_analysis rs_sqlite_subscriber = {
	.abi = RS_ABI, .name = "sqlite", .summary = "what a database needs beside rows and spans",
	.requires_states = true, .requires_history = true, .uses_stacks = true,
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = states_on_interval,
		  .kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = states_on_wait }, { RS_ON_GAP, .gap = states_on_gap },
		{ RS_ON_SAMPLE, .sample = states_on_sample, .if_recorded = true }),
	.task_evict = states_put_thread, .end = states_end,
};
