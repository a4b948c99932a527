// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contentions - contention on kernel locks, by SEMANTICS "Locks"
 *
 * A task waits for one lock at a time, and an interrupt on top of it for another. A mutex spins, then sleeps:
 * its begin repeats, and the first one counts.
 */
#include "engine/match/contentions.h"

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/matcher.h"
#include "engine/task-table.h"
#include "ringside/event.h"

static const struct {
	unsigned int flags;
	const char *name;
} types[] = {
	{ 0, "semaphore" },
	{ RS_LOCK_SPIN, "spinlock" },
	{ RS_LOCK_SPIN | RS_LOCK_READ, "rwlock:R" },
	{ RS_LOCK_SPIN | RS_LOCK_WRITE, "rwlock:W" },
	{ RS_LOCK_READ, "rwsem:R" },
	{ RS_LOCK_WRITE, "rwsem:W" },
	{ RS_LOCK_RT, "rt-mutex" },
	{ RS_LOCK_RT | RS_LOCK_READ, "rwlock-rt:R" },
	{ RS_LOCK_RT | RS_LOCK_WRITE, "rwlock-rt:W" },
	{ RS_LOCK_PERCPU | RS_LOCK_READ, "percpu-rwsem:R" },
	{ RS_LOCK_PERCPU | RS_LOCK_WRITE, "percpu-rwsem:W" },
	{ RS_LOCK_MUTEX, "mutex" },
	{ RS_LOCK_MUTEX | RS_LOCK_SPIN, "mutex" }, /* it spins before it sleeps */
};

const char *rs_lock_type(unsigned int flags)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].flags == flags)
			return types[i].name;
	return NULL;
}

static struct rs_contention contention_of(const struct rs_lock_begun *b, struct rs_task *task,
					  uint64_t end_ns, uint16_t cpu)
{
	return (struct rs_contention){
		.task = task, .lock_addr = b->begun.key, .flags = b->flags, .begin_ns = b->begun.begin_ns,
		.end_ns = end_ns, .cpu = cpu,
		.stack = b->stack, .waker_tid = b->has_waker ? b->waker_tid : -1,
	};
}

bool rs_task_contention(const struct rs_ctx *c, struct rs_task *t, unsigned int i,
			struct rs_contention *contention)
{
	const struct rs_session *s = c->session;
	const struct rs_lock_begun *b = rs_matcher_nth(rs_part_ctx(s, RS_ENGINE_LOCKS), 0, t, i);

	if (!b)
		return false;
	*contention = contention_of(b, t, s->now_ns, t->cpu);
	contention->discarded = rs_gaps_hit(&s->states.gaps, b->begun.begin_ns, s->now_ns);
	return true;
}

struct rs_lock_begun *rs_contentions_innermost(const struct rs_session *s,
					       const struct rs_task_instance *inst)
{
	struct rs_lock_begun *b, *innermost = NULL;

	for (unsigned int i = 0; (b = rs_matcher_nth(rs_part_ctx(s, RS_ENGINE_LOCKS), 0, &inst->task, i));
	     i++)
		innermost = b;
	return innermost && !rs_gaps_hit(&s->states.gaps, innermost->begun.begin_ns, s->now_ns) ? innermost :
												  NULL;
}

const char *rs_lock_caller(const struct rs_ctx *c, uint64_t lock_addr)
{
	size_t at = rs_hash_u64(lock_addr) % RS_LOCK_STACKS;
	const struct rs_contentions *contentions = &c->session->contentions;
	uint32_t stack = contentions->stacks[at].stack;
	struct rs_frame frame;

	if (!stack || contentions->stacks[at].addr != lock_addr)
		return NULL;
	rs_stack_frame(c, rs_stack_outside(c, stack, RS_STACK_OUTSIDE_LOCKS), &frame);
	return frame.function;
}

enum { LOCK_ADDR, LOCK_FLAGS, LOCK_RET = LOCK_FLAGS };

static void contention_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	struct rs_session *s = c->session;
	struct rs_contention k = contention_of(end->begun, end->task, end->end_ns, end->cpu);
	const struct rs_task_instance *waker;

	k.discarded = end->discarded;
	k.in_flight = end->in_flight;
	if (end->in_flight)
		k.waker_tid = -1;
	else
		k.failed = rs_i64(end->ev, &end->fields[LOCK_RET]) < 0;
	if (k.stack) {
		size_t at = rs_hash_u64(k.lock_addr) % RS_LOCK_STACKS;

		s->contentions.stacks[at].addr = k.lock_addr;
		s->contentions.stacks[at].stack = k.stack;
	}
	waker = k.waker_tid > 0 ? rs_tasks_find(&s->tasks, k.waker_tid) : NULL;
	k.waker_comm = waker && waker->task.comm[0] ? waker->task.comm : NULL;
	RS_DISPATCH(&s->dispatch.on[RS_ON_CONTENTION], contention, &k);
}

/* A bit without a name in the format makes the type unknown. */
static unsigned int contentions_lock_flags(const struct rs_session *s, uint64_t kernels)
{
	unsigned int flags = 0;

	for (unsigned int i = 0; i < RS_NR_LOCK_FLAGS; i++) {
		if (s->contentions.lock_bits[i] && kernels & s->contentions.lock_bits[i])
			flags |= 1u << i;
		kernels &= ~s->contentions.lock_bits[i];
	}
	return kernels ? flags | RS_LOCK_OTHER : flags;
}

static void on_lock_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_lock_begun *b = rs_match_begin(c, 0, ev, rs_u64(ev, &f[LOCK_ADDR]));

	if (b)
		b->flags = contentions_lock_flags(c->session, rs_u64(ev, &f[LOCK_FLAGS]));
}

static void on_lock_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_match_end(c, 0, ev, f, rs_u64(ev, &f[LOCK_ADDR]));
}

const struct rs_analysis rs_engine_locks = {
	.abi = RS_ABI, .name = "locks",
	.requirements = RS_LIST(rs_requirement,
		{ "lock", "contention_begin", RS_REQUIRED, RS_BY_ANYONE, on_lock_begin,
		  { "lock_addr", "flags" } },
		{ "lock", "contention_end", RS_REQUIRED, RS_BY_ANYONE, on_lock_end,
		  { "lock_addr", "?ret" } }),
	/* Four contexts: a task, a softirq, an interrupt, an NMI. */
	.matches = RS_LIST(rs_match,
		{ "contention", RS_MATCH_TASK, RS_MATCH_CONTINUES, .most = 4,
		  .begun_bytes = sizeof(struct rs_lock_begun), .end = contention_end }),
};
