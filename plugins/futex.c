// SPDX-License-Identifier: GPL-2.0-or-later
/* futex - waits in futex(2) by address, and who ended them */
#include <errno.h>
#include <stdio.h>

#include "ringside/plugin.h"

/* What one thread waited at one address. */
struct futex_row {
	struct rs_hist lat;
	uint64_t failed_at_once, timeouts, in_flight, lock_ns, lock_waits;
	struct rs_top wakers;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct futex_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 16384,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct futex_row, lat) },
		RS_MEASURE_SUMS(struct futex_row, failed_at_once, lock_waits),
		{ RS_MEASURE_TOP, offsetof(struct futex_row, wakers) }) },
	{ 0 },
};

/* Who ended the task's last wait in the call that it is in. */
struct task_wait {
	uint64_t enter_ns;           /* of that call; 0 none */
	int32_t waker_tid;
	char waker_comm[RS_COMM_LEN];
};

/*
 * ---- spans: .arg is the address, and in its lowest bit, which is no address's, whether a lock is waited for
 * ----
 */

static bool is_lock_span(struct rs_ctx *c, uint64_t arg)
{
	return arg & 1;
}

static void futex_emit_span(struct rs_ctx *c, const struct rs_call *call, const struct task_wait *w)
{
	char text[24] = "";
	struct rs_value values[] = {
		{ .s = text, .known = true }, call->in_flight ? rs_null() : rs_i(call->ret),
		w ? rs_s(w->waker_comm) : rs_null(),
		w ? rs_u((uint64_t)w->waker_tid) : rs_null(),
	};

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)call->args[0]);
	rs_emit_span(c, 0, &(struct rs_span){ .task = call->task, .start_ns = call->enter_ns,
					      .end_ns = call->exit_ns, .in_flight = call->in_flight,
					      .arg = (call->args[0] & ~1ull) | rs_futex_is_lock(call->args),
					      .values = values });
}

/*
 * In one call it may sleep more than once: the last one ended it. Of what is joined for .wait only the
 * call matters here, so events of locks, disks and memory need not be turned on for this.
 */
static void futex_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_task *t = iv->task;
	struct task_wait *d;

	if (iv->discarded || iv->in_flight || iv->letter != 'S' || t->syscall < 0 ||
	    rs_call_kind(c, t->syscall, t->syscall_args) != RS_CALL_FUTEX_WAIT)
		return;
	d = rs_task_data(c, t);
	d->enter_ns = t->syscall_enter_ns;
	d->waker_tid = iv->waker_tid;
	if (iv->waker_comm)
		memcpy(d->waker_comm, iv->waker_comm, RS_COMM_LEN);
	else
		d->waker_comm[0] = '\0';
}

/* Who ended the wait; NULL where it never slept, or ended by itself: a timer and a signal wake too. */
static const struct task_wait *ended_by(struct rs_ctx *c, const struct rs_call *call)
{
	const struct task_wait *d = rs_task_data(c, call->task);

	return call->ret >= 0 && d->enter_ns == call->enter_ns && d->waker_tid > 0 ? d : NULL;
}

static void futex_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct task_wait *waker;
	struct futex_row *r;

	if (call->discarded || !rs_shown(c, call->task))
		return;
	waker = call->in_flight ? NULL : ended_by(c, call);
	if (rs_spans_enabled(c) && !call->in_flight)
		futex_emit_span(c, call, waker);
	r = rs_store_row_of_stack(c, 0, call->task, call->args[0], 0, rs_call_wait_stack(c, call));
	if (!r)
		return;
	rs_latency_add(c, &r->lat, call->enter_ns, call->exit_ns, call->in_flight);
	if (rs_futex_is_lock(call->args)) {
		r->lock_ns += rs_part_ns(rs_since_ns(c), call->enter_ns, call->exit_ns);
		r->lock_waits += call->enter_ns >= c->range_from_ns;
	}
	if (call->in_flight)
		return;
	r->failed_at_once += call->ret == -EAGAIN; /* 11 in each architecture whose calls are known by name */
	r->timeouts += rs_call_timed_out(c, call);
	if (waker)
		rs_top_add(&r->wakers, waker->waker_tid, waker->waker_comm);
}

static void futex_list(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_call *call)
{
	bool lock = rs_futex_is_lock(call->args);
	char text[64];

	if (!rs_in_flight_accepts(to, call->enter_ns, !lock))
		return;
	snprintf(text, sizeof text, "%s at 0x%llx", lock ? "for a lock" : "to be woken",
		 (unsigned long long)call->args[0]);
	rs_in_flight_add(c, to, call->task, &(struct rs_in_flight){ .kind = "futex", .what = text,
		.since_ns = call->enter_ns, .idle = !lock });
}

static void futex_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct futex_row *row;
	struct rs_call call;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (!rs_shown(c, t) || !rs_task_call(c, t, &call) ||
		    rs_call_kind(c, call.nr, call.args) != RS_CALL_FUTEX_WAIT)
			continue;
		else if (to->list)
			futex_list(c, to, &call);
		else if (!to->rows)
			futex_emit_span(c, &call, NULL);
		else if ((row = rs_grouping_row(
				  to->rows, t, call.args[0], 0,
				  rs_call_wait_stack(
					  c, &call)))) /* at addresses that no task returned from, too */
			row->in_flight++;
}

/* ---- futex: the view ---- */

#define FUTEX_LATENCY .measure_bytes = offsetof(struct futex_row, lat), .aspect
#define FUTEX_SUM(member) .measure_bytes = offsetof(struct futex_row, member), .aspect = RS_VALUE

static const struct rs_column columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "name of the process", .key = RS_KEY_COMM },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID },
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7,
	  "the thread, under --by tid, or where its process is not known", .key = RS_KEY_TID },
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_ON_REQUEST),
	{ "uaddr", "ADDRESS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 18, "the futex's address in the process",
	  .key = RS_KEY_0, .cell = rs_show_address },
	{ "waits", "WAITS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "calls to wait that returned, the two that follow among them", FUTEX_LATENCY = RS_COUNT },
	{ "failed_at_once", "EAGAIN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "failed with EAGAIN: the value had changed, nothing to wait for", FUTEX_SUM(failed_at_once) },
	{ "timeouts", "TIMEOUTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "ended by their time-out",
	  FUTEX_SUM(timeouts) },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
	  "wall time in these calls", FUTEX_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "average", FUTEX_LATENCY = RS_AVG },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "99 % of the calls took at most this",
	  FUTEX_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  FUTEX_LATENCY = RS_MAX },
	{ "top_waker", "TOP WAKER", RS_TYPE_TEXT, 0, 0, 20,
	  "comm/tid of the task that ended most of the waits",
	  .measure_bytes = offsetof(struct futex_row, wakers), .aspect = RS_TOP_TASK },
	{ "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5,
	  "threads that still wait at the end: in no other column, but at the end of a time range (--to) in "
	  "WAITS and TOTAL",
	  FUTEX_SUM(in_flight) },
	RS_BY_STACK_COLUMN(rs_show_stack),
	{ 0 },
};

const struct rs_analysis rs_analysis_futex = {
	.abi = RS_ABI,
	.name = "futex",
	.summary = "who waits on which futex, and for whom",
	.callbacks = RS_LIST(rs_callback,
			     { RS_ON_CALL, .call = futex_on_call, .kinds = 1 << RS_CALL_FUTEX_WAIT },
			     { RS_ON_INTERVAL, .interval = futex_on_interval, .kinds = 1 << RS_BLOCKED }),
	.views = RS_LIST(rs_view, { .name = "futex", .topic = RS_TOPIC_LOCKS,
				    .diff_by = "",
				    .summary = "waits in futex(2) by address, and who ended them",
				    .kind = RS_VIEW_TABLE,
				    .columns = columns,
				    .sort = "-total_ns",
				    .options = "by",
				    .store = stores,
				    .by = "pid,uaddr",
				    .add_in_flight = futex_in_flight,
				    .text_columns = "comm,pid,uaddr,waits,failed_at_once,timeouts,total_ns,"
						    "p99_ns,max_ns,top_waker,stack",
				    .latencies = RS_LIST(rs_latencies, { "total_ns,avg_ns,p99_ns,max_ns",
									 .kind = "futex wait" }) }),
	.spans = RS_LIST(rs_span_kind,
			 { .name = "futex wait",
			   .track = RS_TRACK_TASK,
			   .slowest = "futex",
			   .cause = RS_CAUSE_FUTEX,
			   .is_slowest = is_lock_span,
			   .columns = RS_LIST(
				   rs_column,
				   { "uaddr", "ADDRESS", RS_TYPE_TEXT, 0, 0, 0, "the futex, in its process" },
				   { "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 0,
				     "what the call returned; null: it did not" },
				   { "waker", "WAKER", RS_TYPE_TEXT, 0, 0, 0, "who ended the wait" },
				   { "waker_tid", "WAKER TID", RS_TYPE_ID, 0, 0, 0, "the thread" }) }),
	.requires_states = true,
	.uses_stacks = true,
	.stores = stores,
	.task_size = sizeof(struct task_wait),
	.list_in_flight = futex_in_flight,
	.emit_in_flight = futex_in_flight,
};
