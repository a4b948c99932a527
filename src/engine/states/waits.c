// SPDX-License-Identifier: GPL-2.0-or-later
/* waits - finds why a task was off its CPU when it is woken */
#include "engine/states/waits.h"

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/contentions.h"
#include "engine/match/stalls.h"
#include "engine/net/socket-waits.h"
#include "engine/observer.h"
#include "engine/states/states.h"
#include "engine/task-table.h"
#include "ringside/culprit.h"

void rs_waits_request(struct rs_session *s, const struct rs_request *request)
{
	struct rs_task_instance *inst = request->tid > 0 && !request->discarded ?
						rs_tasks_find(&s->tasks, request->tid) :
						NULL;

	/* a request that was issued before the fork belongs to an earlier task instance */
	if (!inst || request->issue_ns < inst->task.birth_ns)
		return;
	inst->request_done_ns = request->complete_ns;
	inst->request_dev = request->dev;
	inst->request_sector = request->sector;
}

static bool waits_held_by_lock(struct rs_session *s, struct rs_task_instance *inst, struct rs_wait *w)
{
	const struct rs_lock_begun *lock = rs_contentions_innermost(s, inst);

	if (!lock || lock->begun.begin_ns > w->interval->from_ns)
		return false;
	w->lock_addr = lock->begun.key;
	w->lock_flags = lock->flags;
	return true;
}

static bool waits_held_by_stall(struct rs_session *s, struct rs_task_instance *inst, struct rs_wait *w)
{
	struct rs_stall stall;

	if (!rs_stalls_current(s, &inst->task, &stall) || stall.begin_ns > w->interval->from_ns)
		return false;
	w->stall = stall.kind;
	return true;
}

static bool waits_held_by_disk(const struct rs_task_instance *inst, enum rs_call_kind call, struct rs_wait *w)
{
	if (w->interval->letter != 'D' && call != RS_CALL_IO_WAIT)
		return false;
	if (!inst->request_done_ns || inst->request_done_ns < w->interval->from_ns)
		return false;
	w->dev = inst->request_dev;
	w->sector = inst->request_sector;
	return true;
}

bool rs_waits_calls_are_recorded(const struct rs_session *s)
{
	const struct rs_analysis_instance *calls = &s->parts[RS_ENGINE_CALLS];

	return s->calls.matcher.counts.begins || s->calls.matcher.counts.ends ||
	       (s->call_events.occur && !calls->disabled[0] && !calls->off[0]);
}

bool rs_waits_has_lock_events(const struct rs_session *s)
{
	return !s->parts[RS_ENGINE_LOCKS].disabled[0];
}

/* Who calls vfork waits in state D until its child calls exec. */
static bool waits_is_for_child(const struct rs_session *s, const struct rs_wait *w)
{
	return w->syscall >= 0 &&
	       rs_call_fact(rs_syscall_facts(s->syscalls)->sleep, w->syscall) == RS_PART_CHILD;
}

static enum rs_cause waits_cause_of(struct rs_session *s, struct rs_task_instance *inst, struct rs_wait *w)
{
	enum rs_call_kind call = w->syscall >= 0 ? rs_syscall_kind(s->syscalls, w->syscall, w->args) :
						   RS_CALL_PLAIN;

	if (w->interval->with_delay)
		return RS_CAUSE_OFF_CPU;
	if (waits_held_by_lock(s, inst, w))
		return RS_CAUSE_LOCK;
	if (waits_held_by_stall(s, inst, w))
		return RS_CAUSE_RECLAIM;
	if (waits_held_by_disk(inst, call, w))
		return RS_CAUSE_DISK;
	if (w->interval->letter == 'D')
		return waits_is_for_child(s, w) ? RS_CAUSE_SLEEP : RS_CAUSE_OTHER_D;
	/* stopped, possibly within a call: that is not the cause */
	if (w->interval->letter == 'T' || w->interval->letter == 't')
		return RS_CAUSE_SLEEP;
	if (call == RS_CALL_FUTEX_WAIT) {
		w->uaddr = w->args[0];
		return RS_CAUSE_FUTEX;
	}
	if (call == RS_CALL_IDLE || w->interval->letter == 'I')
		return RS_CAUSE_IDLE;
	if (w->syscall >= 0)
		return RS_CAUSE_SLEEP;
	/* it waits for work: where it does not, an event told, or it is in state D */
	if (inst->task.kernel_thread)
		return RS_CAUSE_IDLE;
	return rs_waits_calls_are_recorded(s) ? RS_CAUSE_UNKNOWN : RS_CAUSE_NOT_RECORDED;
}

static void waits_find_socket(struct rs_ctx *c, struct rs_task_instance *inst, struct rs_wait *w)
{
	w->socket = rs_task_socket_name(c, &inst->task);
	if (w->socket)
		w->socket_part = (uint8_t)rs_socket_wait_part(c, w->interval);
}

static struct rs_wait waits_describe(struct rs_session *s, struct rs_task_instance *inst,
				     const struct rs_interval *iv)
{
	struct rs_wait w = { .interval = iv, .syscall = -1 };

	/* includes calls that never return: a task can sleep while it exits */
	if (inst->task.syscall >= 0 &&
	    !rs_gaps_hit(&s->states.gaps, inst->task.syscall_enter_ns, s->now_ns)) {
		w.syscall = inst->task.syscall;
		w.args = inst->task.syscall_args;
	}
	w.in_no_call = rs_task_in_no_call(&s->parts[RS_ENGINE_CALLS].ctx, &inst->task);
	if (!iv->discarded)
		w.cause = waits_cause_of(s, inst, &w);
	if (w.cause == RS_CAUSE_SLEEP && w.args)
		waits_find_socket(&s->parts[RS_ENGINE_CALLS].ctx, inst, &w);
	else if (w.cause == RS_CAUSE_IDLE && w.args && iv->to_ns && !iv->in_flight)
		rs_socket_waits_poll(&s->parts[RS_ENGINE_CALLS].ctx, &w);
	return w;
}

/* A task in state D that is not woken yet most likely waits for its own request in flight. */
static bool waits_awaits_disk(const struct rs_session *s, const struct rs_task_instance *inst,
			      struct rs_wait *w)
{
	const struct rs_ctx *c = &s->parts[RS_ENGINE_REQUESTS].ctx;

	for (const struct rs_request *r = rs_request_next(c, NULL); r; r = rs_request_next(c, r))
		if (r->issue_ns && r->tid == inst->task.tid) {
			w->dev = r->dev;
			w->sector = r->sector;
			w->cause = RS_CAUSE_DISK;
			return true;
		}
	return false;
}

bool rs_task_wait(const struct rs_ctx *c, const struct rs_task *t, struct rs_wait *w)
{
	struct rs_session *s = c->session;
	struct rs_task_instance *inst = rs_task_instance_of(t);
	struct rs_interval iv = { .kind = RS_BLOCKED, .task = &inst->task, .letter = inst->task.letter };
	uint64_t open_ns;

	if (rs_states_current(&s->states, inst, s->now_ns, &open_ns) != RS_BLOCKED)
		return false;
	iv.from_ns = inst->task.since_ns;
	*w = waits_describe(s, inst, &iv);
	w->interval = NULL;
	/* its request may be queued but not issued yet; a child that goes no further is what hangs */
	if (iv.letter == 'D' && (w->cause == RS_CAUSE_OTHER_D || w->cause == RS_CAUSE_SLEEP) &&
	    !waits_awaits_disk(s, inst, w))
		w->cause = RS_CAUSE_UNKNOWN;
	return true;
}

void rs_waits_ended(struct rs_session *s, const struct rs_interval *iv)
{
	struct rs_task_instance *inst = rs_task_instance_of(iv->task);
	struct rs_wait w = waits_describe(s, inst, iv);

	if (iv->in_flight && w.cause == RS_CAUSE_OTHER_D)
		waits_awaits_disk(s, inst, &w);
	if (w.cause == RS_CAUSE_LOCK && !iv->in_flight) {
		struct rs_lock_begun *lock = rs_contentions_innermost(s, inst);

		lock->waker_tid = iv->waker_tid;
		lock->has_waker = true;
	}
	RS_OBSERVE(s->observers.wait, s, &w);
	if (w.cause == RS_CAUSE_FUTEX)
		inst->futex_addr = w.uaddr;
	RS_DISPATCH(&s->dispatch.on[RS_ON_WAIT], wait, &w);
	if (!iv->in_flight)
		rs_stalls_end_dirty(s, iv->task, iv);
}
