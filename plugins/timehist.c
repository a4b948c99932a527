// SPDX-License-Identifier: GPL-2.0-or-later
/* timehist - each stint on a CPU, as it ends, with the wait that led to it */
#include "ringside/plugin.h"

enum { TIME, CPU, COMM, PID, TID, WAIT, DELAY, RUN, STATE, WAKER, INFERRED, NR_COLUMNS };

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "time", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the stint ended" },
	[CPU] = { "cpu", "cpu", RS_TYPE_ID, 0, 0, 4, "the CPU" },
	[COMM] = { "comm", "task name", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	[PID] = { "pid", "pid", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "tid", RS_TYPE_ID, 0, 0, 7, "thread" },
	[WAIT] = { "wait_ns", "wait time", RS_TYPE_DURATION, RS_UNIT_MS, 0, 11, "blocked before the stint, until the waking (msec)" },
	[DELAY] = { "delay_ns", "sch delay", RS_TYPE_DURATION, RS_UNIT_MS, 0, 11, "runnable before the stint (msec)" },
	[RUN] = { "run_ns", "run time", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 11, "on the CPU (msec)" },
	[STATE] = { "state", "state", RS_TYPE_TEXT, 0, 0, 5, "what it left in: R still runnable, S, D, ..." },
	[WAKER] = { "waker", "waker", RS_TYPE_TEXT, 0, 0, 16, "who woke it before the stint; <idle>: an interrupt on an idle CPU" },
	[INFERRED] = { "inferred", "inferred", RS_TYPE_COUNT, 0, 0, 8, "1: the stint began at the latest then, the switch is missing" },
	{ 0 },
};

static void on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_task *t = iv->task;
	char state[2] = { iv->letter, '\0' };
	struct rs_value v[NR_COLUMNS];

	if (iv->kind != RS_RUN || iv->voided || !rs_shown(c, t) ||
	    !rs_wants_row(c, 0, iv->to_ns - iv->from_ns))
		return;
	v[TIME] = rs_u(iv->to_ns);
	v[CPU] = rs_u(iv->cpu);
	v[COMM] = rs_s(t->comm);
	v[PID] = rs_u_if(t->pid, (uint64_t)t->pid);
	v[TID] = rs_u((uint64_t)t->tid);
	v[WAIT] = rs_u_if(iv->wait_ns >= 0, (uint64_t)iv->wait_ns);
	v[DELAY] = rs_u_if(iv->delay_ns >= 0, (uint64_t)iv->delay_ns);
	v[RUN] = rs_u(iv->to_ns - iv->from_ns);
	v[STATE] = rs_s(state);
	v[WAKER] = iv->waker_tid == 0 ? rs_s("<idle>") : rs_s(iv->waker_comm);
	v[INFERRED] = rs_u(iv->inferred);
	rs_emit(c, 0, v);
}

static const struct rs_view views[] = {
	{ .name = "timehist", .summary = "each stint on a CPU with the wait before it", .kind = RS_VIEW_STREAM,
	  .columns = columns, .text_columns = "time_ns,cpu,comm,tid,wait_ns,delay_ns,run_ns,state" },
	{ 0 },
};

const struct rs_analysis rs_analysis_timehist = {
	.abi = RS_ABI,
	.name = "timehist",
	.summary = "each stint on a CPU",
	.views = views,
	.wants_states = true,
	.interval = on_interval,
};
