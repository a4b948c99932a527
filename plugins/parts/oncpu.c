// SPDX-License-Identifier: GPL-2.0-or-later
/* oncpu - divides the slices of a task by what it does in them */
#include "plugins/parts/oncpu.h"

static void oncpu_add(struct rs_oncpu *o, enum rs_oncpu_kind kind, int64_t what, uint64_t ns)
{
	unsigned int i = 0;

	while (i < o->nr && (o->at[i].kind != kind || o->at[i].what != what))
		i++;
	if (i == o->nr && ns && o->nr < RS_ONCPU_PLACES)
		o->at[o->nr++] = (struct rs_oncpu_part){ .kind = kind, .what = what };
	if (i < o->nr)
		o->at[i].ns += ns;
}

/* From the mark, the begin of the slice or the last reset on, whichever is the latest. */
static uint64_t oncpu_from_ns(const struct rs_oncpu *o, uint64_t slice_ns, uint64_t since_ns)
{
	uint64_t from_ns = o->mark_ns > slice_ns ? o->mark_ns : slice_ns;

	return from_ns > since_ns ? from_ns : since_ns;
}

static uint64_t oncpu_less(uint64_t ns, uint64_t taken_ns)
{
	return ns > taken_ns ? ns - taken_ns : 0;
}

static void oncpu_mark(struct rs_oncpu *o, uint64_t at_ns)
{
	o->mark_ns = at_ns;
	o->taken_ns[0] = o->taken_ns[1] = 0;
}

static void oncpu_add_user(struct rs_oncpu *o, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = to_ns > from_ns ? oncpu_less(to_ns - from_ns, o->taken_ns[0]) : 0;

	if (o->in_handler)
		o->handler_ns += ns;
	else
		oncpu_add(o, RS_ONCPU_USER, 0, ns);
}

/*
 * A handler that does not return is left by a jump, nobody knows when: what it did is user mode, in any case.
 */
static void oncpu_leave_handler(struct rs_oncpu *o, bool returns)
{
	oncpu_add(o, returns ? RS_ONCPU_HANDLER : RS_ONCPU_USER, 0, o->handler_ns);
	o->handler_ns = 0;
	o->in_handler = false;
}

/* The time before a call begins, and the call up to to_ns. */
static void oncpu_add_call(struct rs_oncpu *o, int64_t nr, uint64_t from_ns, uint64_t enter_ns,
				     uint64_t to_ns, bool user_is_known)
{
	uint64_t begin_ns = enter_ns > from_ns ? enter_ns : from_ns;

	if (user_is_known)
		oncpu_add_user(o, from_ns, begin_ns);
	oncpu_add(o, RS_ONCPU_CALL, nr,
		     to_ns > begin_ns ? oncpu_less(to_ns - begin_ns, o->taken_ns[1]) : 0);
}

uint64_t rs_oncpu_known_ns(const struct rs_oncpu *o, const struct rs_task *t)
{
	return o->known_ns ? o->known_ns : t->birth_ns;
}

void rs_oncpu_call(struct rs_oncpu *o, const struct rs_call *call, uint64_t since_ns,
				 bool outside_known)
{
	const struct rs_task *t = call->task;

	if (t->state == RS_RUN && !call->discarded) {
		oncpu_add_call(o, call->nr, oncpu_from_ns(o, t->since_ns, since_ns), call->enter_ns,
				  call->exit_ns, outside_known);
		if (o->in_handler && !call->ret_known) /* rt_sigreturn */
			oncpu_leave_handler(o, true);
	}
	oncpu_mark(o, call->exit_ns);
	o->known_ns = call->exit_ns;
}

void rs_oncpu_irq(struct rs_oncpu *o, const struct rs_irq *irq, uint64_t since_ns)
{
	uint64_t ns = irq->to_ns > since_ns ?
			      irq->to_ns - (irq->from_ns > since_ns ? irq->from_ns : since_ns) :
			      0;

	o->taken_ns[irq->task->syscall >= 0] += ns < irq->own_inside_ns ? ns : irq->own_inside_ns;
}

void rs_oncpu_stall(struct rs_oncpu *o, const struct rs_stall *stall, uint64_t since_ns)
{
	const struct rs_task *t = stall->task;
	uint64_t from_ns = oncpu_from_ns(o, t->since_ns, since_ns), ns;

	from_ns = stall->begin_ns > from_ns ? stall->begin_ns : from_ns;
	if (t->state != RS_RUN || stall->discarded || stall->kind >= RS_STALL_THROTTLE ||
	    stall->end_ns <= from_ns)
		return;
	ns = stall->end_ns - from_ns;
	oncpu_add(o, RS_ONCPU_STALL, stall->kind, ns);
	o->taken_ns[t->syscall >= 0] += ns;
}

void rs_oncpu_deliver(struct rs_oncpu *o, const struct rs_task *t, uint64_t now_ns,
				    uint64_t since_ns, bool outside_known)
{
	if (t->state != RS_RUN || t->syscall >= 0)
		return;
	if (outside_known)
		oncpu_add_user(o, oncpu_from_ns(o, t->since_ns, since_ns), now_ns);
	oncpu_leave_handler(o, false);
	oncpu_mark(o, now_ns);
	o->known_ns = now_ns;
	o->in_handler = true;
}

void rs_oncpu_end(struct rs_oncpu *o, const struct rs_interval *iv, uint64_t since_ns,
				bool outside_known)
{
	const struct rs_task *t = iv->task;
	uint64_t from_ns = oncpu_from_ns(o, iv->from_ns, since_ns);

	if (t->syscall >= 0)
		oncpu_add_call(o, t->syscall, from_ns, t->syscall_enter_ns, iv->to_ns, outside_known);
	else if (outside_known && !t->exited)
		oncpu_add_user(o, from_ns, iv->to_ns);
	if (o->handler_ns)
		oncpu_leave_handler(o, false);
	oncpu_mark(o, iv->to_ns);
}

void rs_oncpu_add_undivided(struct rs_oncpu *o, uint64_t run_ns)
{
	uint64_t sum_ns = 0;

	for (unsigned int i = 0; i < o->nr; i++)
		sum_ns += o->at[i].ns;
	if (sum_ns > run_ns)
		o->nr = sum_ns = 0;
	if (run_ns > sum_ns && o->nr <= RS_ONCPU_PLACES)
		o->at[o->nr++] = (struct rs_oncpu_part){ .kind = RS_ONCPU_UNDIVIDED, .ns = run_ns - sum_ns };
}

void rs_oncpu_clear(struct rs_oncpu *o)
{
	o->nr = 0;
	o->handler_ns = 0;
}
