// SPDX-License-Identifier: GPL-2.0-or-later
/* companions - stacks that were recorded with events: which event each belongs to, and what that began */
#include "stacks/companions.h"

#include <stdlib.h>

#include "decode/stack-record.h"
#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/contentions.h"
#include "engine/match/matcher.h"
#include "engine/match/requests.h"
#include "engine/observer.h"
#include "engine/session-events.h"
#include "engine/task-table.h"
#include "stacks/stack-builder.h"
#include "stacks/stacks.h"

/*
 * Contexts on a CPU: each interrupts those before it. The bits are TRACE_FLAG_* of trace_events.h, which no
 * format names.
 */
static const uint8_t context_bits[] = { [1] = 0x10,
					/* a softirq */[2] = 0x08,
					/* an interrupt */[3] = 0x40 /* an NMI */ };

#define PREEMPT_BITS 0xfu /* of common_preempt_count; newer kernels count disabled migrations above them */
#define CONTEXT_SHIFT 4
#define COMPANIONS_MAX_NESTED 8u

/* What an event begins, which its stack goes to. */
enum companion_kind {
	COMPANION_OTHER,
	COMPANION_SWITCH,
	COMPANION_LOCK,
	COMPANION_BLOCK,
	COMPANION_CALL,
	COMPANION_NAMED_CALL
};

static const struct {
	const char *system, *name;
	enum companion_kind kind;
} kinds[] = {
	{ "sched", "sched_switch", COMPANION_SWITCH },
	{ "lock", "contention_begin", COMPANION_LOCK },
	{ "block", "block_io_start", COMPANION_BLOCK },
	{ "block", "block_rq_insert", COMPANION_BLOCK },
	{ "block", "block_rq_issue", COMPANION_BLOCK },
	{ "raw_syscalls", "sys_enter", COMPANION_CALL },
};

/* An event, and the stacks that came after it so far. */
struct companion_event {
	uint64_t ts_ns;
	int32_t tid, pid;          /* pid: of user_stack; 0: unknown */
	uint32_t id;
	uint32_t stack;            /* of both parts; 0: none yet */
	/* its context, then how often preemption was disabled: a nested event is deeper */
	uint8_t depth;
	bool is_dispatched;        /* at the next event, when both parts are there */
	bool user_is_cut, kernel_is_cut;
	uint8_t nr_user, nr_kernel;
	uint64_t user[RS_STACK_RECORD_MAX_USER], kernel[RS_STACK_RECORD_MAX_KERNEL];
};

struct rs_companions {
	bool on;                   /* it sees events: a recording from its first stack on */
	struct companion_cpu {
		struct companion_event nested[COMPANIONS_MAX_NESTED]; /* each is deeper than the one before */
		unsigned int nr;
		unsigned int nr_ahead;     /* stacks that come next, and were handled */
	} *cpus;
	unsigned int nr_cpus;
	uint8_t *kinds;            /* by event id, below nr_kinds */
	unsigned int nr_kinds;
	struct rs_stack_record kernel, user;
	bool has_kernel, has_user;
	uint64_t nr_stacks, nr_unmatched; /* of the kernel's, of this time range; nr_unmatched: of no event */
	struct rs_ctx *ctx;
};

static struct rs_companions *companions_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_COMPANIONS);
}

/* ---- events ---- */

/*
 * While the kernel records a stack it may fault, and each fault may be an event with a stack of its own.
 * Preemption is disabled once more then, as it is while any event is recorded.
 */
static uint8_t companions_depth(const struct rs_session *s, const struct rs_event *ev)
{
	uint64_t flags = rs_u64(ev, &s->routes.common.flags),
		 preempt = rs_u64(ev, &s->routes.common.preempt_count) & PREEMPT_BITS;

	for (unsigned int i = sizeof context_bits; --i > 0;)
		if (flags & context_bits[i])
			return (uint8_t)(i << CONTEXT_SHIFT | preempt);
	return (uint8_t)preempt;
}

static bool companions_is_stack(const struct rs_companions *k, uint16_t id)
{
	return (k->has_kernel && id == k->kernel.bound.id) || (k->has_user && id == k->user.bound.id);
}

static void companions_dispatch(struct rs_session *s, struct companion_event *e, unsigned int cpu)
{
	struct rs_task_instance *inst = e->tid > 0 ? rs_tasks_find(&s->tasks, e->tid) : NULL;
	struct rs_event_stack stack = { .ts_ns = e->ts_ns, .id = e->id, .stack = e->stack,
					.cpu = (uint16_t)cpu };

	if (!e->stack || !e->is_dispatched || s->range.muted)
		return;
	stack.task = inst ? &inst->task : NULL;
	RS_DISPATCH(&s->dispatch.on[RS_ON_STACK], stack, &stack);
}

/* An event comes, before it is handled. */
static void companions_note(struct rs_session *s, const struct rs_event *ev)
{
	struct rs_companions *k = companions_of(s);
	struct companion_cpu *cpu = &k->cpus[ev->cpu];
	struct companion_event *e;
	uint8_t depth;

	if (companions_is_stack(k, ev->id))
		return;
	depth = companions_depth(s, ev);
	while (cpu->nr && (cpu->nested[cpu->nr - 1].depth >= depth || cpu->nr == COMPANIONS_MAX_NESTED))
		companions_dispatch(s, &cpu->nested[--cpu->nr], ev->cpu);
	e = &cpu->nested[cpu->nr++];
	e->depth = depth;
	e->ts_ns = ev->ts_ns;
	e->tid = ev->tid;
	e->id = ev->id;
	e->pid = 0;
	e->stack = 0;
	e->nr_user = e->nr_kernel = 0;
	e->user_is_cut = e->kernel_is_cut = e->is_dispatched = false;
}

static void companions_gap(struct rs_session *s, const struct rs_gap *gap)
{
	struct rs_companions *k = companions_of(s);

	if (gap->cpu < k->nr_cpus)
		k->cpus[gap->cpu].nr = k->cpus[gap->cpu].nr_ahead = 0;
}

/* The trace ends: dispatches the last stacks. */
static void companions_end(struct rs_session *s)
{
	struct rs_companions *k = companions_of(s);

	for (unsigned int cpu = 0; cpu < k->nr_cpus; cpu++)
		for (unsigned int i = 0; i < k->cpus[cpu].nr; i++)
			companions_dispatch(s, &k->cpus[cpu].nested[i], cpu);
}

/* ---- where a stack goes ---- */

static void companions_to_wait(struct rs_session *s, const struct companion_event *e, unsigned int cpu)
{
	struct rs_task_instance *left = s->states.cpus[cpu].left;

	if (!left || left->task.tid != e->tid || left->task.since_ns != e->ts_ns)
		return;
	left->stack = e->stack;
	left->stack_ns = e->ts_ns;
}

/* A mutex spins, then sleeps: the first begin counts. */
static void companions_to_contention(struct rs_session *s, const struct companion_event *e)
{
	const struct rs_task_instance *inst = rs_tasks_find(&s->tasks, e->tid);
	struct rs_lock_begun *b = inst ? rs_contentions_innermost(s, inst) : NULL;

	if (b && b->begun.begin_ns == e->ts_ns)
		b->stack = e->stack;
}

static void companions_to_call(struct rs_session *s, const struct companion_event *e, bool named)
{
	struct rs_task_instance *inst = rs_tasks_find(&s->tasks, e->tid);

	if (!inst || inst->task.syscall < 0 || (!named && inst->task.syscall_enter_ns != e->ts_ns))
		return;
	inst->call_stack = e->stack;
	inst->call_stack_ns = inst->task.syscall_enter_ns;
}

static void companions_hand_over(struct rs_session *s, struct companion_event *e, unsigned int cpu)
{
	switch (e->id < companions_of(s)->nr_kinds ? companions_of(s)->kinds[e->id] : COMPANION_OTHER) {
	case COMPANION_SWITCH:
		companions_to_wait(s, e, cpu);
		break;
	case COMPANION_LOCK:
		companions_to_contention(s, e);
		break;
	case COMPANION_BLOCK:
		rs_requests_set_stack(&s->requests, e->ts_ns, e->stack);
		break;
	case COMPANION_CALL:
	case COMPANION_NAMED_CALL:
		companions_to_call(s, e, companions_of(s)->kinds[e->id] == COMPANION_NAMED_CALL);
		break;
	default:
		e->is_dispatched = true;
		break;
	}
}

/* ---- stacks ---- */

/* The innermost address of a program is where it was; all others are where a call returns to. */
static void companions_build(struct rs_session *s, struct companion_event *e)
{
	struct rs_stack_address all[RS_STACK_RECORD_MAX_USER + RS_STACK_RECORD_MAX_KERNEL + 2];
	const struct rs_task_instance *inst = e->pid ? NULL : rs_tasks_find(&s->tasks, e->tid);
	int32_t pid = inst ? inst->task.pid : e->pid;
	size_t nr = 0;

	for (unsigned int i = 0; i < e->nr_kernel; i++)
		all[nr++] = (struct rs_stack_address){ e->kernel[i], .in_kernel = true, .caller = true };
	if (e->kernel_is_cut)
		all[nr++] = (struct rs_stack_address){ RS_STACK_CUT, false, false };
	for (unsigned int i = 0; i < e->nr_user; i++)
		all[nr++] = (struct rs_stack_address){ e->user[i], .caller = i > 0 };
	if (e->user_is_cut)
		all[nr++] = (struct rs_stack_address){ RS_STACK_CUT, false, false };
	if (nr)
		e->stack = rs_stacks_add(s, pid, all, nr);
}

/* The last event that is not deeper. Some kernels count the stack's own recording: one deeper. */
static struct companion_event *companions_event_of(struct rs_session *s, const struct rs_event *ev)
{
	struct companion_cpu *cpu = &companions_of(s)->cpus[ev->cpu];
	uint8_t depth = companions_depth(s, ev);
	struct companion_event *e = NULL;

	/* a recording has stacks from here on; without an event before it this one is not used */
	if (!companions_of(s)->on) {
		companions_of(s)->on = true;
		rs_observers_list(s);
	}
	for (unsigned int i = 0; i < cpu->nr && cpu->nested[i].depth <= depth; i++)
		e = &cpu->nested[i];
	return e && e->tid == ev->tid && depth - e->depth <= 1 &&
			       depth >> CONTEXT_SHIFT == e->depth >> CONTEXT_SHIFT ?
		       e :
		       NULL;
}

/*
 * Most events have no use for the program's stack alone: it is built with the kernel's, or if it comes later.
 */
static void companions_on_user(struct rs_session *s, const struct rs_event *ev)
{
	const struct rs_field *f = companions_of(s)->user.bound.fields;
	struct companion_event *e = companions_event_of(s, ev);

	if (!e || e->nr_user)
		return;
	e->nr_user = (uint8_t)rs_stack_record_read(&companions_of(s)->user, ev, e->user,
						   RS_STACK_RECORD_MAX_USER, &e->user_is_cut);
	e->pid = (int32_t)rs_u64(ev, &f[RS_STACK_RECORD_TGID]);
	if (!e->nr_kernel)
		return;
	companions_build(s, e);
	companions_hand_over(s, e, ev->cpu);
}

static void companions_on_kernel(struct rs_session *s, const struct rs_event *ev)
{
	bool is_first = !companions_of(s)->on; /* its event was before that */
	struct companion_event *e = companions_event_of(s, ev);

	if (!s->range.muted) {
		companions_of(s)->nr_stacks += e && !e->nr_kernel;
		companions_of(s)->nr_unmatched += (!e || e->nr_kernel) && !is_first;
	}
	if (!e || e->nr_kernel)
		return;
	e->nr_kernel = (uint8_t)rs_stack_record_read(&companions_of(s)->kernel, ev, e->kernel,
						     RS_STACK_RECORD_MAX_KERNEL, &e->kernel_is_cut);
	companions_build(s, e);
	if (e->stack)
		companions_hand_over(s, e, ev->cpu);
}

/*
 * Handles the stacks that follow an event on its CPU at once: another CPU may end the event's wait before
 * they are recorded, as where a child exits while its parent begins to wait for it.
 */
static void companions_read_ahead(struct rs_session *s, const struct rs_event *ev,
				  const struct rs_page_cursor *cursor)
{
	const struct rs_companions *k = companions_of(s);
	struct rs_page_cursor next = *cursor;
	struct rs_event stack = *ev;

	if (companions_is_stack(k, ev->id))
		return;
	while (rs_page_next(&next) && next.len_bytes >= s->routes.common.min_len_bytes) {
		stack.data = next.record;
		stack.len_bytes = next.len_bytes;
		stack.id = (uint16_t)rs_u64(&stack, &s->routes.common.type);
		stack.tid = (int32_t)rs_u64(&stack, &s->routes.common.pid);
		if (!companions_is_stack(k, stack.id) ||
	    stack.len_bytes < s->routes.by_id[stack.id].min_len_bytes)
			break;
		if (k->has_user && stack.id == k->user.bound.id)
			companions_on_user(s, &stack);
		else
			companions_on_kernel(s, &stack);
		k->cpus[ev->cpu].nr_ahead++;
	}
}

/* True once for each stack that was handled with its event. */
static bool companions_was_ahead(const struct rs_session *s, unsigned int cpu)
{
	unsigned int *nr_ahead = &companions_of(s)->cpus[cpu].nr_ahead;

	return *nr_ahead && (*nr_ahead)--;
}

static void on_user_stack(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (!companions_was_ahead(c->session, ev->cpu))
		companions_on_user(c->session, ev);
}

static void on_kernel_stack(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (!companions_was_ahead(c->session, ev->cpu))
		companions_on_kernel(c->session, ev);
}

static void companions_quality(const struct rs_session *s, struct rs_quality *quality)
{
	const struct rs_companions *k = companions_of(s);

	quality->stacks = k->nr_stacks;
	quality->stacks_unmatched = k->nr_unmatched;
}

void rs_companions_for_each_stack(struct rs_session *s, void (*fn)(void *arg, uint32_t stack), void *arg)
{
	const struct rs_companions *k = companions_of(s);
	const struct rs_lock_begun *b;

	for (unsigned int cpu = 0; k && cpu < k->nr_cpus; cpu++)
		for (unsigned int i = 0; i < k->cpus[cpu].nr; i++)
			fn(arg, k->cpus[cpu].nested[i].stack);
	for (unsigned int i = 0; k && i < RS_LOCK_STACKS; i++)
		fn(arg, s->contentions.stacks[i].stack);
	for (const struct rs_task_instance *inst = k ? s->tasks.oldest : NULL; inst; inst = inst->next) {
		fn(arg, inst->stack);
		fn(arg, inst->call_stack);
		for (unsigned int i = 0;
		     (b = rs_matcher_nth(rs_part_ctx(s, RS_ENGINE_LOCKS), 0, &inst->task, i)); i++)
			fn(arg, b->stack);
	}
	for (const struct rs_request_begun *o = k ? s->requests.oldest : NULL; o; o = o->newer)
		fn(arg, o->r.stack);
}

/* ---- what analyses ask ---- */

uint32_t rs_interval_stack(const struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_task_instance *inst = rs_task_instance_of(iv->task);
	uint64_t left_ns = iv->kind != RS_DELAY ? iv->from_ns :
			   iv->wait_ns >= 0     ? iv->from_ns - (uint64_t)iv->wait_ns :
						  UINT64_MAX;

	return inst->stack_ns == left_ns && iv->kind != RS_RUN ? inst->stack : 0;
}

uint32_t rs_call_stack(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_task_instance *inst = rs_task_instance_of(call->task);

	return inst->call_stack_ns == call->enter_ns ? inst->call_stack : 0;
}

uint32_t rs_call_wait_stack(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_task_instance *inst = rs_task_instance_of(call->task);
	uint32_t stack = rs_call_stack(c, call);

	return stack || inst->stack_ns < call->enter_ns ? stack : inst->stack;
}

bool rs_companions_are_recorded(struct rs_session *s)
{
	const struct rs_companions *k = companions_of(s);

	return k && ((k->has_kernel && rs_session_occurs(s, k->kernel.bound.id)) ||
		     (k->has_user && rs_session_occurs(s, k->user.bound.id)));
}

/* ---- the session's ---- */

static void companions_find_kinds(struct rs_session *s, struct rs_companions *k)
{
	const char *system, *name;
	unsigned int id;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if ((id = rs_session_event_id(s, kinds[i].system, kinds[i].name)) < k->nr_kinds)
			k->kinds[id] = (uint8_t)kinds[i].kind;
	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++)
		if (id < k->nr_kinds && !strcmp(system, "syscalls") && !strncmp(name, "sys_enter_", 10))
			k->kinds[id] = COMPANION_NAMED_CALL;
}

static bool companions_are_used(const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->uses_stacks)
			return true;
	return false;
}

static int companions_bind(struct rs_session *s)
{
	struct rs_companions *k;

	if (!companions_are_used(s))
		return 0;
	k = calloc(1, sizeof *k);
	if (!k)
		return -1;
	rs_observer_set(s, RS_OBSERVER_COMPANIONS, k);
	k->has_kernel = rs_stack_record_bind(&k->kernel, s->formats, &s->source->info, false);
	k->has_user = rs_stack_record_bind(&k->user, s->formats, &s->source->info, true);
	if (!k->has_kernel && !k->has_user) {
		rs_observer_set(s, RS_OBSERVER_COMPANIONS, NULL);
		free(k);
		return 0;
	}
	k->nr_cpus = s->source->info.nr_cpus;
	k->nr_kinds = s->routes.nr;
	k->cpus = calloc(k->nr_cpus + 1, sizeof *k->cpus);
	k->kinds = calloc(k->nr_kinds + 1, 1);
	if (!k->cpus || !k->kinds)
		return -1;
	companions_find_kinds(s, k);
	k->on = s->source->info.live; /* a recording: from the first stack on */
	return 0;
}

/* As handlers of all events are: export shows these events themselves. */
static int companions_route_stack(struct rs_session *s, const struct rs_bound *bound, rs_handler *handler)
{
	s->routes.by_id[bound->id].nr_undrawn++;
	return rs_bind_target(s, bound->id, bound, handler, rs_part_ctx(s, RS_ENGINE_TASKS));
}

static int companions_route(struct rs_session *s)
{
	const struct rs_companions *k = companions_of(s);

	if (k && k->has_kernel && companions_route_stack(s, &k->kernel.bound, on_kernel_stack) < 0)
		return -1;
	return k && k->has_user ? companions_route_stack(s, &k->user.bound, on_user_stack) : 0;
}

static void companions_free(struct rs_session *s, void *state)
{
	struct rs_companions *k = state;

	free(k->cpus);
	free(k->kinds);
	free(k);
}

static bool companions_sees_events(const struct rs_session *s)
{
	return companions_of(s)->on;
}

const struct rs_observer rs_observer_companions = {
	.name = "companions",
	.bind = companions_bind,
	.route = companions_route,
	.free = companions_free,
	.sees_events = companions_sees_events,
	.event = companions_note,
	.event_done = companions_read_ahead,
	.gap = companions_gap,
	.quality = companions_quality,
	.end = companions_end,
};
