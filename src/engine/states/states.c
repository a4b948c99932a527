// SPDX-License-Identifier: GPL-2.0-or-later
/* states - the current task of each CPU, and the state of every task */
#include "engine/states/states.h"

#include <stdlib.h>

#include "engine/states/states-queue.h"

int rs_states_init(struct rs_states *st, struct rs_tasks *tasks, unsigned int nr_cpus)
{
	*st = (struct rs_states){ .tasks = tasks, .nr_cpus = nr_cpus, .queue_generation = 1 };
	st->cpus = calloc(nr_cpus ? nr_cpus : 1, sizeof *st->cpus);
	if (!st->cpus)
		return -1;
	for (unsigned int i = 0; i < nr_cpus; i++)
		st->cpus[i].tid = st->cpus[i].left_tid = RS_TID_UNKNOWN;
	return 0;
}

void rs_states_done(struct rs_states *st)
{
	free(st->cpus);
	st->cpus = NULL;
}

/* ---- one task: ending a state and entering the next ---- */

/* How an interval ended, for the callbacks. */
struct ending {
	uint16_t cpu;
	char letter;
	bool inferred;
	bool with_delay;
	const struct rs_task *prev;
};

static void states_notify_interval(struct rs_states *st, struct rs_task_instance *inst, uint64_t to_ns,
				   bool discarded, const struct ending *end)
{
	struct rs_task *t = &inst->task;
	struct rs_interval iv = {
		.kind = t->state, .task = t,
		.from_ns = t->since_ns,
		.to_ns = to_ns,
		.cpu = end->cpu,
		.letter = end->letter,
		.inferred = end->inferred,
		.discarded = discarded,
		.with_delay = end->with_delay,
		.prev = end->prev,
		.wait_ns = inst->wait_ns,
		.delay_ns = inst->delay_ns,
		.waker_tid = t->waker_tid,
	};

	if (t->waker_tid > 0 && (t->state == RS_RUN || t->state == RS_BLOCKED)) {
		const struct rs_task_instance *waker = rs_tasks_find(st->tasks, t->waker_tid);

		iv.waker_comm = waker && waker->task.comm[0] ? waker->task.comm : NULL;
	}
	st->on_interval(st->arg, &iv);
}

/* Ends the current state as unknown, so that no sum includes it. */
static void states_close_unknown(struct rs_states *st, struct rs_task_instance *inst, uint64_t to_ns)
{
	struct rs_task *t = &inst->task;

	if (t->state == RS_DEAD)
		return;
	if (t->state == RS_RUN) {
		t->oncpu_holes++;
		inst->run_before_ns -= rs_states_run_before_ns(st, inst);
	}
	rs_states_add_unknown(st, inst, to_ns);
}

static void states_close_state(struct rs_states *st, struct rs_task_instance *inst, uint64_t to_ns,
			       const struct ending *end)
{
	struct rs_task *t = &inst->task;
	bool discarded;

	if (t->state == RS_UNKNOWN || t->state == RS_DEAD) {
		states_close_unknown(st, inst, to_ns);
		return;
	}
	discarded = rs_states_is_discarded(st, inst, to_ns);
	if (discarded) {
		states_close_unknown(st, inst, to_ns);
	} else if (t->state == RS_RUN && inst->partial) {
		/* it was on the CPU all the time, but a slice without a known start does not count as run */
		rs_states_add_unknown(st, inst, to_ns);
		t->oncpu_ns += to_ns - t->since_ns;
		return;
	} else {
		inst->spent_ns[t->state] += to_ns - t->since_ns;
		if (t->state == RS_RUN)
			t->oncpu_ns += to_ns - t->since_ns;
	}
	st->nr_discarded += discarded;
	states_notify_interval(st, inst, to_ns, discarded, end);
}

static void states_enter(struct rs_task_instance *inst, enum rs_state state, uint64_t ts_ns)
{
	inst->task.state = state;
	inst->task.since_ns = ts_ns;
	inst->task.last_ns = ts_ns;
	inst->fresh = false;
	inst->seen_by_sched = true;
}

static void states_enter_unknown(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	rs_states_queue_leave(st, inst, ts_ns);
	states_enter(inst, RS_UNKNOWN, ts_ns);
	inst->pending_wake_ns = 0;
	inst->provisional = false;
}

/* Ends a state that overlaps a gap. Called before an event about the task is handled. */
static void states_end_uncertain(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	struct rs_task *t = &inst->task;
	struct ending end = { .cpu = t->cpu, .letter = t->letter };

	if (t->state == RS_UNKNOWN || t->state == RS_DEAD || !rs_states_is_discarded(st, inst, ts_ns))
		return;
	states_close_state(st, inst, ts_ns, &end);
	states_enter_unknown(st, inst, ts_ns);
}

/* Makes the task's state unknown, though there was no gap. */
static void states_forget(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	if (inst->task.state == RS_DEAD)
		return;
	states_close_unknown(st, inst, ts_ns);
	states_enter_unknown(st, inst, ts_ns);
}

/* Returns true for a CPU that -C hides: a task on it may run, wait and sleep unseen. */
static bool states_is_hidden(const struct rs_states *st, uint16_t cpu)
{
	return st->cpu_shown && cpu < st->nr_cpus && !st->cpu_shown[cpu];
}

/* Returns the task instance of a tid in an event, a new one if the last is dead. NULL for idle. */
static struct rs_task_instance *states_instance_of(struct rs_states *st, int32_t tid, uint64_t ts_ns)
{
	struct rs_task_instance *inst = rs_tasks_get(st->tasks, tid, ts_ns);

	if (inst && inst->task.state == RS_DEAD) /* its fork was not recorded */
		inst = rs_tasks_renew(st->tasks, tid, ts_ns);
	return inst;
}

/* ---- one CPU ---- */

static void states_forget_left(struct rs_cpu *c)
{
	c->left = NULL;
	c->left_tid = RS_TID_UNKNOWN;
}

/* The CPU's task is unknown until an event names it, and its on-CPU time until the next switch. */
static void states_lose_current(struct rs_cpu *c)
{
	if (c->inst)
		c->inst->on_cpu = 0;
	c->tid = RS_TID_UNKNOWN;
	c->inst = NULL;
	c->since_ns = 0;
	c->partial = true;
	c->switched = false;
}

static void states_set_current(struct rs_states *st, uint16_t cpu, int32_t tid, struct rs_task_instance *inst,
			       uint64_t ts_ns, bool partial)
{
	struct rs_cpu *c = &st->cpus[cpu];

	if (c->inst != inst) {
		if (c->inst)
			c->inst->on_cpu = 0;
		/* it cannot be on two CPUs: its switch-out from the other was not seen */
		if (inst && inst->on_cpu)
			states_lose_current(&st->cpus[inst->on_cpu - 1]);
		if (inst)
			inst->on_cpu = cpu + 1u;
	}
	c->tid = tid;
	c->inst = inst;
	c->since_ns = ts_ns;
	c->partial = partial;
}

static void states_close_idle(struct rs_states *st, uint16_t cpu, uint64_t ts_ns, bool inferred)
{
	struct rs_cpu *c = &st->cpus[cpu];
	struct rs_interval iv = {
		.kind = RS_IDLE, .from_ns = c->since_ns, .to_ns = ts_ns, .cpu = cpu, .inferred = inferred,
		.waker_tid = -1, .wait_ns = -1, .delay_ns = -1,
	};

	if (c->tid != 0 || c->partial || rs_gaps_hit(&c->gaps, c->since_ns, ts_ns))
		return;
	st->on_interval(st->arg, &iv);
}

/*
 * The task was switched in without a waking. If no wakings were recorded, blocked time and delay are reported
 * as one interval. Otherwise a waking is missing, or hidden by -C, and how the time divides is unknown.
 */
static void states_end_unwoken(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns,
			       struct ending *end)
{
	if (inst->task.state != RS_BLOCKED || !rs_states_lacks_wakings(st)) {
		states_close_unknown(st, inst, ts_ns);
		return;
	}
	end->letter = inst->task.letter;
	end->with_delay = true;
	states_close_state(st, inst, ts_ns, end);
}

static void states_begin_run(struct rs_states *st, uint16_t cpu, struct rs_task_instance *inst,
			     uint64_t ts_ns, bool inferred)
{
	const struct rs_cpu *c = &st->cpus[cpu];
	struct rs_task *t = &inst->task;
	struct ending end = { .cpu = cpu, .inferred = inferred, .prev = c->left ? &c->left->task : NULL };
	bool waited;

	states_end_uncertain(st, inst, ts_ns);
	waited = t->state == RS_DELAY || t->state == RS_PREEMPTED;
	if (waited) {
		inst->delay_ns = rs_states_is_discarded(st, inst, ts_ns) ? -1
			: (int64_t)(ts_ns - t->since_ns);
		states_close_state(st, inst, ts_ns, &end);
		rs_states_queue_leave(st, inst, ts_ns);
	} else { /* no waking was seen: the end of the blocked time is unknown */
		inst->delay_ns = inst->wait_ns = -1;
		t->waker_tid = -1;
		states_end_unwoken(st, inst, ts_ns, &end);
	}
	t->cpu = cpu;
	t->inferred = inferred;
	inst->partial = false;
	inst->provisional = false;
	inst->pending_wake_ns = 0;
	states_enter(inst, RS_RUN, ts_ns);
	st->nr_inferred += inferred;
	st->on_switch_in(st->arg, t);
}

/* An event shows the CPU's task, which was unknown: a slice begins whose start is not known. */
static void states_begin_partial_run(struct rs_states *st, uint16_t cpu, int32_t tid, uint64_t ts_ns)
{
	struct rs_task_instance *inst = states_instance_of(st, tid, ts_ns);

	states_set_current(st, cpu, tid, inst, ts_ns, true);
	if (!inst)
		return;
	states_end_uncertain(st, inst, ts_ns);
	states_forget(st, inst, ts_ns);
	inst->task.cpu = cpu;
	inst->task.inferred = false;
	inst->partial = true;
	inst->wait_ns = inst->delay_ns = -1;
	inst->task.waker_tid = -1;
	states_enter(inst, RS_RUN, ts_ns);
}

bool rs_states_is_leaving(const struct rs_states *st, uint16_t cpu, int32_t tid, bool switching)
{
	const struct rs_cpu *c = &st->cpus[cpu];
	bool may_be_back = c->tid == 0 && c->left && c->left->task.since_ns != c->since_ns;

	return c->switched && c->left_tid == tid && (switching || !may_be_back);
}

/*
 * A switch is missing and cannot be inferred (--exact, or no switch was seen yet): drops the state of the
 * task that ran; the task that runs now gets neither run nor delay for this slice.
 */
static void states_forget_current(struct rs_states *st, uint16_t cpu, int32_t tid, uint64_t ts_ns)
{
	struct rs_cpu *c = &st->cpus[cpu];

	if (c->inst)
		states_forget(st, c->inst, ts_ns);
	states_lose_current(c);
	states_begin_partial_run(st, cpu, tid, ts_ns);
}

void rs_states_infer_switch(struct rs_states *st, uint16_t cpu, int32_t tid, uint64_t ts_ns)
{
	struct rs_cpu *c = &st->cpus[cpu];
	struct rs_task_instance *inst;

	if (!c->switched || st->exact) {
		states_forget_current(st, cpu, tid, ts_ns);
		return;
	}
	inst = states_instance_of(st, tid, ts_ns);
	states_close_idle(st, cpu, ts_ns, true);
	if (c->inst)
		states_forget(st, c->inst, ts_ns);
	states_forget_left(c);
	states_set_current(st, cpu, tid, inst, ts_ns, false);
	if (inst)
		states_begin_run(st, cpu, inst, ts_ns, true);
}

static void states_leave_cpu(struct rs_states *st, uint16_t cpu, struct rs_task_instance *inst, char letter,
			     uint64_t ts_ns)
{
	struct rs_task *t = &inst->task;
	struct ending end = { .cpu = cpu, .letter = letter, .inferred = t->inferred };

	states_end_uncertain(st, inst, ts_ns);
	states_close_state(st, inst, ts_ns, &end);
	inst->wait_ns = -1;
	t->letter = letter;
	if (letter == 'R') {
		inst->wait_ns = 0;
		t->waker_tid = -1;
		states_enter(inst, RS_PREEMPTED, ts_ns);
		rs_states_queue_enter_quietly(st, inst, cpu, ts_ns);
	} else if (letter == 'X' || letter == 'Z' || letter == 'x') {
		states_enter(inst, RS_DEAD, ts_ns);
		inst->died_ns = ts_ns;
		t->exited = true;
		rs_tasks_ended(st->tasks, inst);
	} else if (inst->pending_wake_ns) {
		t->waker_tid = inst->pending_waker;
		inst->wait_ns = 0;
		inst->provisional = true;
		states_enter(inst, RS_DELAY, ts_ns);
		rs_states_queue_enter_quietly(st, inst, cpu, ts_ns);
	} else {
		states_enter(inst, RS_BLOCKED, ts_ns);
	}
	inst->pending_wake_ns = 0;
}

void rs_states_switch(struct rs_states *st, uint16_t cpu, int32_t prev_tid, char letter, int32_t next_tid,
		      uint64_t ts_ns)
{
	struct rs_cpu *c = &st->cpus[cpu];
	struct rs_task_instance *prev, *next;

	/* rs_context_check has done this already, except for prev of the last switch */
	if (c->tid != prev_tid)
		rs_states_infer_switch(st, cpu, prev_tid, ts_ns);
	prev = c->inst;
	states_close_idle(st, cpu, ts_ns, false);
	if (prev)
		states_leave_cpu(st, cpu, prev, letter, ts_ns);
	c->left = prev;
	c->left_tid = prev_tid;
	c->switched = true;
	next = states_instance_of(st, next_tid, ts_ns);
	states_set_current(st, cpu, next_tid, next, ts_ns, false);
	if (next)
		states_begin_run(st, cpu, next, ts_ns, false);
	if (prev && prev->queue_generation == st->queue_generation)
		st->on_queue(st->arg, cpu, c->depth, ts_ns);
}

/* ---- wakings ---- */

static void states_begin_delay(struct rs_states *st, struct rs_task_instance *inst, uint16_t cpu,
			       int32_t waker_tid, uint64_t ts_ns)
{
	if (inst->on_cpu) /* a woken task is not on a CPU: its switch-out was not seen */
		states_lose_current(&st->cpus[inst->on_cpu - 1]);
	inst->task.waker_tid = waker_tid;
	inst->provisional = false;
	states_enter(inst, RS_DELAY, ts_ns);
	rs_states_queue_enter(st, inst, cpu, ts_ns);
}

/* Ends blocked time at the waking. A provisional delay becomes blocked time. */
static void states_end_blocked(struct rs_states *st, struct rs_task_instance *inst, int32_t waker_tid,
			       uint64_t ts_ns)
{
	struct rs_task *t = &inst->task;
	struct ending end = { .cpu = t->cpu, .letter = t->letter };

	rs_states_queue_leave(st, inst, ts_ns);
	t->state = RS_BLOCKED;
	t->waker_tid = waker_tid;
	inst->wait_ns = rs_states_is_discarded(st, inst, ts_ns) ? -1 : (int64_t)(ts_ns - t->since_ns);
	states_close_state(st, inst, ts_ns, &end);
}

void rs_states_waking(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid,
		      uint64_t ts_ns)
{
	struct rs_task_instance *inst = states_instance_of(st, tid, ts_ns);

	if (!inst)
		return;
	st->wakings_seen = true;
	states_end_uncertain(st, inst, ts_ns);
	inst->seen_by_sched = true;
	if (states_is_hidden(st, target_cpu)) { /* most likely it runs there next */
		states_forget(st, inst, ts_ns);
		return;
	}
	if (st->cpu_shown && inst->task.state == RS_DELAY && !inst->provisional)
		states_forget(
			st, inst,
			ts_ns); /* a task that waits for a CPU is not woken: it has run in between, unseen */
	switch (inst->task.state) {
	case RS_RUN:
		inst->pending_wake_ns = ts_ns;
		inst->pending_waker = waker_tid;
		break;
	case RS_DELAY:
		if (!inst->provisional)
			break; /* the first waking counts */
		/* fall through */
	case RS_BLOCKED:
		states_end_blocked(st, inst, waker_tid, ts_ns);
		states_begin_delay(st, inst, target_cpu, waker_tid, ts_ns);
		break;
	case RS_UNKNOWN:
		states_close_unknown(st, inst, ts_ns);
		inst->wait_ns = -1;
		states_begin_delay(st, inst, target_cpu, waker_tid, ts_ns);
		break;
	default: /* preempted: it is runnable already */
		break;
	}
}

void rs_states_wakeup_new(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid,
			  uint64_t ts_ns)
{
	struct rs_task_instance *inst = states_instance_of(st, tid, ts_ns);

	if (!inst)
		return;
	states_end_uncertain(st, inst, ts_ns);
	states_close_unknown(st, inst, ts_ns);
	rs_states_queue_leave(st, inst, ts_ns);
	inst->wait_ns = -1;
	inst->new_task = true;
	if (!inst->task.birth_ns && inst->task.first_ns == ts_ns) /* its fork was not recorded */
		inst->task.birth_ns = ts_ns;
	if (states_is_hidden(st, target_cpu))
		states_enter(inst, RS_UNKNOWN, ts_ns);
	else
		states_begin_delay(st, inst, target_cpu, waker_tid, ts_ns);
}

void rs_states_migrate(struct rs_states *st, struct rs_task_instance *inst, uint16_t from_cpu,
		       uint16_t to_cpu, uint64_t ts_ns)
{
	if (inst->task.state != RS_RUN && (states_is_hidden(st, from_cpu) || states_is_hidden(st, to_cpu))) {
		states_forget(st, inst, ts_ns);
		inst->task.cpu = to_cpu;
	} else if (inst->queue_generation == st->queue_generation) {
		rs_states_queue_leave(st, inst, ts_ns);
		rs_states_queue_enter(st, inst, to_cpu, ts_ns);
	} else if (inst->task.state != RS_RUN) {
		inst->task.cpu = to_cpu;
	}
}

/* Reassigns the CPU, or the place in its run queue. */
static void states_move_place(struct rs_states *st, struct rs_task_instance *from,
			      struct rs_task_instance *to)
{
	if (to->on_cpu)
		states_lose_current(&st->cpus[to->on_cpu - 1]);
	to->on_cpu = from->on_cpu;
	to->queue_generation = from->queue_generation;
	from->on_cpu = from->queue_generation = 0;
	if (to->on_cpu) {
		st->cpus[to->on_cpu - 1].inst = to;
		st->cpus[to->on_cpu - 1].tid = to->task.tid;
	}
}

/* If to_ns is before from_ns, the time in between counts twice. */
static void states_add_dead(struct rs_states *st, struct rs_task_instance *inst, uint64_t from_ns,
			    uint64_t to_ns)
{
	inst->dead_ns += (int64_t)to_ns - (int64_t)from_ns;
	inst->dead_since_reset_ns += rs_signed_since_reset_ns(st, from_ns, to_ns);
}

void rs_states_reassign(struct rs_states *st, struct rs_task_instance *from, struct rs_task_instance *to,
			uint64_t ts_ns)
{
	struct rs_task *f = &from->task, *t = &to->task;

	if (f->state == RS_DEAD) /* no state to reassign */
		return;
	rs_states_queue_leave(st, to, ts_ns);
	if (t->state == RS_DEAD) {
		states_add_dead(st, to, to->died_ns, f->since_ns);
	} else { /* its exit was not seen: its state until now is unknown, and overlaps the reassigned one */
		states_add_dead(st, to, ts_ns, f->since_ns);
		states_close_unknown(st, to, ts_ns);
	}
	t->state = f->state;
	t->since_ns = f->since_ns;
	t->letter = f->letter;
	t->inferred = f->inferred;
	t->cpu = f->cpu;
	t->waker_tid = f->waker_tid;
	t->exited = false;
	/* its on-CPU time continues that of the thread */
	t->oncpu_ns = f->oncpu_ns;
	t->oncpu_holes = f->oncpu_holes;
	to->run_before_ns += rs_states_run_before_ns(st, from);
	from->run_before_ns -= rs_states_run_before_ns(st, from);
	to->partial = from->partial;
	to->provisional = from->provisional;
	to->pending_wake_ns = from->pending_wake_ns;
	to->pending_waker = from->pending_waker;
	to->wait_ns = from->wait_ns;
	to->delay_ns = from->delay_ns;
	to->seen_by_sched |= from->seen_by_sched;
	states_move_place(st, from, to);
	from->died_ns = f->since_ns;
	f->state = RS_DEAD;
	f->exited = true;
	rs_tasks_ended(st->tasks, from);
}

/* Removes the instance from its CPU and run queue, which must not refer to a freed one. */
static void states_leave_place(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	rs_states_queue_leave(st, inst, ts_ns);
	if (inst->on_cpu)
		states_lose_current(&st->cpus[inst->on_cpu - 1]);
}

void rs_states_end_task(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	if (inst->task.state == RS_DEAD)
		return;
	states_end_uncertain(st, inst, ts_ns);
	states_forget(st, inst, ts_ns);
	states_enter(inst, RS_DEAD, ts_ns);
	inst->died_ns = ts_ns;
	states_leave_place(st, inst, ts_ns);
}

void rs_states_evict(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	states_leave_place(st, inst, ts_ns);
	for (unsigned int i = 0; i < st->nr_cpus; i++)
		if (st->cpus[i].left == inst)
			states_forget_left(&st->cpus[i]);
}

/* ---- loss ---- */

void rs_states_gap(struct rs_states *st, const struct rs_gap *gap)
{
	struct rs_cpu *c;

	rs_gaps_add(&st->gaps, gap->from_ns, gap->to_ns);
	st->queue_generation++;
	for (unsigned int i = 0; i < st->nr_cpus; i++)
		st->cpus[i].depth = 0;
	if (gap->cpu >= st->nr_cpus)
		return;
	c = &st->cpus[gap->cpu];
	rs_gaps_add(&c->gaps, gap->from_ns, gap->to_ns);
	states_forget_left(c);
	states_lose_current(c);
}
