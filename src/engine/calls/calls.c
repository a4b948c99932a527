// SPDX-License-Identifier: GPL-2.0-or-later
/* calls - sys_enter and sys_exit matched, by the rules of SEMANTICS "Calls" */
#include "engine/calls/calls.h"

#include "engine/internal.h"
#include "engine/states/waits.h"

static bool calls_is_discarded(const struct rs_calls *c, const struct rs_task_instance *inst, uint64_t now_ns)
{
	return rs_gaps_hit(&c->states->gaps, inst->task.syscall_enter_ns, now_ns);
}

/* For the rare calls of the other tables, or without a number. */
static __attribute__((noinline)) uint8_t calls_end_elsewhere(const struct rs_calls *c, int64_t nr)
{
	int place = rs_call_place(nr);

	return place >= 0 ? c->ends[place] : (uint8_t)RS_CALL_RETURNS;
}

static inline uint8_t calls_end_of(const struct rs_calls *c, int64_t nr)
{
	return __builtin_expect((uint64_t)nr >= RS_MAX_CALL_NUMBERS, 0) ? calls_end_elsewhere(c, nr) :
									  c->ends[nr];
}

static inline bool calls_is_sigreturn(const struct rs_calls *c, int64_t nr)
{
	return calls_end_of(c, nr) == RS_CALL_SIGRETURN;
}

/* The call in flight ends without an exit of its own. */
static __attribute__((noinline)) void calls_supersede(struct rs_calls *c, struct rs_task_instance *inst,
						      uint64_t ts_ns, uint64_t *count)
{
	if (calls_is_discarded(c, inst, ts_ns))
		c->matcher.counts.discarded_begins++;
	else
		++*count;
	inst->task.syscall = -1;
}

/* Nearly always no call is in flight. */
static inline void calls_drop_call(struct rs_calls *c, struct rs_task_instance *inst, uint64_t ts_ns,
				   uint64_t *count)
{
	if (__builtin_expect(inst->task.syscall >= 0 && !inst->call_never_returns, 0))
		calls_supersede(c, inst, ts_ns, count);
}

bool rs_calls_entered(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_report by)
{
	if (rs_call_number(inst->task.syscall) != nr || inst->enter_reported & by) {
		inst->enter_reported = by;
		return false;
	}
	inst->enter_reported |= by;
	/* the event of all calls will report its exit */
	if (calls_is_sigreturn(c, inst->task.syscall) && inst->call_never_returns) {
		inst->call_never_returns = false;
		c->matcher.counts.never_end--;
	}
	return true;
}

void rs_calls_entered_by_name(struct rs_calls *c, struct rs_task_instance *inst)
{
	if (inst->enter_reported != RS_CALL_REPORT_NAMED || !calls_is_sigreturn(c, inst->task.syscall) ||
	    inst->call_never_returns)
		return;
	inst->call_never_returns = true;
	c->matcher.counts.never_end++;
}

bool rs_calls_exited(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_report by)
{
	bool repeated = inst->task.syscall < 0 && inst->exit_nr == nr && inst->exit_reported &&
			!(inst->exit_reported & by);

	inst->exit_reported = repeated ? (uint8_t)(inst->exit_reported | by) : by;
	inst->exit_nr = nr;
	return repeated;
}

inline void rs_calls_enter(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, uint64_t ts_ns)
{
	struct rs_task *t = &inst->task;

	c->matcher.counts.begins++;
	calls_drop_call(c, inst, ts_ns, &c->matcher.counts.superseded);
	c->matcher.counts.superseded += nr < 0; /* a tracer cancelled the call: it has no number to match */
	t->syscall = nr;
	t->syscall_enter_ns = ts_ns;
	inst->call_oncpu_ns = rs_task_oncpu_ns(t, ts_ns);
	inst->call_holes = t->oncpu_holes;
	inst->call_never_returns = calls_end_of(c, nr) == RS_CALL_EXITS;
	c->matcher.counts.never_end += inst->call_never_returns;
}

/* An exit without an enter: the return of fork in the child, or unmatched. */
static void calls_exit_unmatched(struct rs_calls *c, const struct rs_task_instance *inst)
{
	if (inst->new_task && !inst->has_exited_call)
		c->matcher.counts.unused_ends++;
	else
		c->matcher.counts.unmatched_ends++;
}

static int64_t calls_cpu_ns(const struct rs_calls *c, const struct rs_task_instance *inst, uint64_t ts_ns)
{
	const struct rs_task *t = &inst->task;

	if (!c->states->on || inst->call_holes != t->oncpu_holes || t->state != RS_RUN)
		return -1;
	return (int64_t)(rs_task_oncpu_ns(t, ts_ns) - inst->call_oncpu_ns);
}

/* The part of cpu_ns inside the time range. */
static inline int64_t calls_cpu_inside_ns(const struct rs_calls *c, const struct rs_task_instance *inst,
					  uint64_t ts_ns, int64_t cpu_ns)
{
	if (inst->task.syscall_enter_ns >= c->range_from_ns || cpu_ns < 0)
		return cpu_ns;
	return (int64_t)(rs_task_oncpu_ns(&inst->task, ts_ns) - inst->range_oncpu_ns);
}

/* The call in flight ends with its exit, or with one of another number. */
static inline bool calls_exit_in_flight(struct rs_calls *c, struct rs_task_instance *inst, uint16_t cpu,
					int64_t nr, int64_t ret, uint64_t ts_ns, struct rs_call *call)
{
	struct rs_task *t = &inst->task;
	bool sigreturn = calls_is_sigreturn(c, t->syscall);
	bool discarded = calls_is_discarded(c, inst, ts_ns);

	if (discarded) {
		c->matcher.counts.discarded_begins++;
		c->matcher.counts.discarded_ends++;
	} else if (nr != t->syscall && nr != rs_call_number(t->syscall) && !(sigreturn && nr == -1)) {
		c->matcher.counts.superseded++;
		c->matcher.counts.unused_ends++;
		return false;
	} else {
		c->matcher.counts.paired++;
	}
	*call = (struct rs_call){
		.task = t, .nr = t->syscall, .ret = ret, .ret_known = !sigreturn,
		.enter_ns = t->syscall_enter_ns, .exit_ns = ts_ns, .cpu = cpu, .discarded = discarded,
		.cpu_ns = discarded ? -1 : calls_cpu_ns(c, inst, ts_ns), .args = t->syscall_args,
	};
	call->cpu_inside_ns = calls_cpu_inside_ns(c, inst, ts_ns, call->cpu_ns);
	return true;
}

bool rs_calls_exit(struct rs_calls *c, struct rs_task_instance *inst, uint16_t cpu, int64_t nr, int64_t ret,
		   uint64_t ts_ns, struct rs_call *call)
{
	bool ended = false;

	c->matcher.counts.ends++;
	if (inst->task.syscall < 0 || inst->call_never_returns)
		calls_exit_unmatched(c, inst);
	else
		ended = calls_exit_in_flight(c, inst, cpu, nr, ret, ts_ns, call);
	inst->task.syscall = -1;
	inst->call_never_returns = false;
	inst->has_exited_call = true;
	inst->call_exit_ns = ts_ns;
	return ended;
}

void rs_calls_end_task(struct rs_calls *c, struct rs_task_instance *inst, uint64_t ts_ns)
{
	calls_drop_call(c, inst, ts_ns, &c->matcher.counts.never_end);
}

void rs_calls_evict(struct rs_calls *c, struct rs_task_instance *inst)
{
	c->matcher.counts.discarded_begins += inst->task.syscall >= 0 && !inst->call_never_returns;
	inst->task.syscall = -1;
}

void rs_calls_reassign(struct rs_calls *c, struct rs_task_instance *from, struct rs_task_instance *to,
		       uint64_t ts_ns)
{
	rs_calls_end_task(c, to, ts_ns);
	to->task.syscall = from->task.syscall;
	to->task.syscall_enter_ns = from->task.syscall_enter_ns;
	memcpy(to->task.syscall_args, from->task.syscall_args, sizeof to->task.syscall_args);
	to->call_oncpu_ns = from->call_oncpu_ns;
	to->call_holes = from->call_holes;
	to->call_never_returns = from->call_never_returns;
	to->has_exited_call = true;
	to->call_exit_ns = ts_ns;
	from->task.syscall = -1;
}

void rs_calls_range_begin(struct rs_calls *c, uint64_t from_ns)
{
	c->range_from_ns = from_ns;
	for (struct rs_task_instance *inst = c->states->tasks->oldest; inst; inst = inst->next)
		inst->range_oncpu_ns = rs_task_oncpu_ns(&inst->task, from_ns);
}

/*
 * Who makes no call at all may be in one since before the recording. For as long as this hardly any call
 * lasts: most likely it works on memory alone.
 */
#define CALLS_LONG_NS 100000000

bool rs_task_in_no_call(const struct rs_ctx *ctx, const struct rs_task *t)
{
	const struct rs_task_instance *inst = rs_task_instance_of(t);
	const struct rs_session *s = ctx->session;
	uint64_t since_ns = inst->has_exited_call ? inst->call_exit_ns : s->range.begin_ns;

	if (t->syscall >= 0 || t->kernel_thread || s->parts[RS_ENGINE_CALLS].off[0] ||
	    rs_gaps_hit(&s->states.gaps, since_ns, s->now_ns))
		return false;
	if (!inst->has_exited_call)
		return !s->calls.named && rs_waits_calls_are_recorded(s) &&
		       s->now_ns - since_ns >= CALLS_LONG_NS;
	return !s->calls.named || inst->exit_reported & RS_CALL_REPORT_RAW;
}

bool rs_task_in_call(const struct rs_ctx *ctx, const struct rs_task *t)
{
	const struct rs_task_instance *inst = rs_task_instance_of(t);

	return t->syscall >= 0 && !inst->call_never_returns &&
	       !calls_is_discarded(&ctx->session->calls, inst, ctx->session->now_ns);
}

bool rs_task_call(const struct rs_ctx *ctx, struct rs_task *t, struct rs_call *call)
{
	const struct rs_calls *c = &ctx->session->calls;
	const struct rs_task_instance *inst = rs_task_instance_of(t);
	uint64_t now_ns = ctx->session->now_ns;
	bool has_states = c->states->on && inst->call_holes == t->oncpu_holes && t->state != RS_UNKNOWN;

	if (!rs_task_in_call(ctx, t))
		return false;
	*call = (struct rs_call){
		.task = t, .nr = t->syscall, .enter_ns = t->syscall_enter_ns, .exit_ns = now_ns,
		.cpu = t->cpu,
		.in_flight = true, .args = t->syscall_args,
		.cpu_ns = has_states ? (int64_t)(rs_task_oncpu_ns(t, now_ns) - inst->call_oncpu_ns) : -1,
	};
	call->cpu_inside_ns = calls_cpu_inside_ns(c, inst, now_ns, call->cpu_ns);
	return true;
}

struct rs_match_open rs_calls_count_open(const struct rs_session *s, const struct rs_matcher *m)
{
	struct rs_match_open open = { 0 };

	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst->task.syscall >= 0 && !inst->call_never_returns)
			++*(calls_is_discarded(&s->calls, inst, s->now_ns) ? &open.discarded :
									     &open.in_flight);
	return open;
}
