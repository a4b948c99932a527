// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * task-states - the state of each task over time, as spans on its track
 *
 * Blocked states come with .wait, which knows the cause; all others with .interval. Together they cover the
 * track.
 */
#include "ringside/plugin.h"

#define STATE_STACK_BYTES 16384

struct task_states {
	char stack[STATE_STACK_BYTES], modules[STATE_STACK_BYTES];
};

struct task_states_task {
	uint64_t emitted_to_ns;
};

static const char *state_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return rs_state_label(arg, buf, size_bytes);
}

/* A switch is a slice on a CPU. */
static bool is_run(struct rs_ctx *c, uint64_t arg)
{
	return rs_state_of(arg) == RS_RUN;
}

static bool is_runnable(struct rs_ctx *c, uint64_t arg)
{
	return rs_state_of(arg) == RS_DELAY || rs_state_of(arg) == RS_PREEMPTED;
}

/* Waits for a CPU, a disk, a lock or memory are what people look for. */
static bool state_by_choice(struct rs_ctx *c, uint64_t arg)
{
	return rs_cause_row(rs_cause_of_state(rs_state_of(arg), rs_state_cause(arg)))->rank != RS_RANK_WAIT;
}

/*
 * Nothing on the track overlaps: what an exec by a thread brings to its leader may begin before the leader's
 * own last state ended.
 */
static void emit_clipped(struct rs_ctx *c, struct rs_span *span)
{
	struct task_states_task *d = rs_task_data(c, span->task);

	if (span->start_ns < d->emitted_to_ns)
		span->start_ns = d->emitted_to_ns;
	if (span->end_ns <= span->start_ns && !span->in_flight)
		return;
	if (!span->in_flight) /* one that is open comes again, longer */
		d->emitted_to_ns = span->end_ns;
	rs_emit_span(c, 0, span);
}

/* w: what is known of a blocked one, else NULL */
static void task_states_emit(struct rs_ctx *c, const struct rs_interval *iv, const struct rs_wait *w)
{
	uint32_t stack = rs_span_values_enabled(c) ? rs_interval_stack(c, iv) : 0;
	struct task_states *s = c->state;
	struct rs_value values[] = {
		rs_s(w && w->syscall >= 0 ? rs_syscall_name(c, w->syscall) : NULL), rs_s(iv->waker_comm),
		rs_u_if(iv->waker_tid >= 0, (uint64_t)iv->waker_tid), rs_u(iv->inferred),
		rs_s(stack ? rs_stack_text(c, stack, s->stack, sizeof s->stack) : NULL),
		rs_s(stack ? rs_stack_modules(c, stack, s->modules, sizeof s->modules) : NULL),
	};
	struct rs_span span = {
		.task = iv->task, .start_ns = iv->from_ns, .end_ns = iv->to_ns, .values = values,
		.arg = rs_state_arg(iv->discarded ? RS_UNKNOWN : iv->kind, iv->letter,
				    w ? w->cause : RS_CAUSE_UNKNOWN, iv->cpu),
	};

	span.arg = rs_state_woken_by(span.arg, iv->discarded ? -1 : iv->waker_tid);
	emit_clipped(c, &span);
}

/* What each task is in now. */
static void task_states_emit_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	uint64_t now_ns = rs_last_event_ns(c);

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_span span = { .task = t, .end_ns = now_ns, .in_flight = true };
		struct rs_wait w = { .cause = RS_CAUSE_UNKNOWN };
		uint64_t open_ns;
		enum rs_state state = rs_task_state(c, t, &open_ns);

		if (state == RS_UNKNOWN || state == RS_DEAD || open_ns == RS_AGE_UNKNOWN)
			continue;
		rs_task_wait(c, t, &w);
		span.start_ns = now_ns - open_ns;
		span.arg = rs_state_woken_by(rs_state_arg(state, t->letter, w.cause, t->cpu),
					     state == RS_DELAY || state == RS_RUN ? t->waker_tid : -1);
		emit_clipped(c, &span);
	}
}

static void task_states_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (rs_spans_enabled(c) && !iv->in_flight)
		task_states_emit(c, iv, NULL);
}

static void task_states_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	if (rs_spans_enabled(c) && !w->interval->in_flight)
		task_states_emit(c, w->interval, w);
}

const struct rs_analysis rs_analysis_task_states = {
	.abi = RS_ABI,
	.name = "task-states",
	.summary = "what each task was in, over time",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = task_states_on_interval,
		  .kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = task_states_on_wait }),
	.spans = RS_LIST(rs_span_kind,
		{ .name = "state", .track = RS_TRACK_TASK, .shape = RS_SPAN_STATE, .label = state_label,
		  .rate = "switches", .counts = is_run, .slowest = "run-queue wait",
		  .is_slowest = is_runnable,
		  .by_choice = state_by_choice,
		  .columns = RS_LIST(rs_column,
			{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 0, "blocked: the call that it was in" },
			{ "waker", "WAKER", RS_TYPE_TEXT, 0, 0, 0, "who ended it, or began the delay" },
			{ "waker_tid", "WAKER TID", RS_TYPE_ID, 0, 0, 0, "0: an interrupt" },
			{ "inferred", "INFERRED", RS_TYPE_COUNT, 0, 0, 0,
			  "1: a bound, the switch is missing" }, RS_STACK_COLUMNS) }),
	.requires_states = true,
	.uses_stacks = true,
	.state_size = sizeof(struct task_states),
	.task_size = sizeof(struct task_states_task),
	.emit_in_flight = task_states_emit_in_flight,
};
