// SPDX-License-Identifier: GPL-2.0-or-later
/* offcpu - time off the CPU: of whom, in which state and system call, for what, and who ended it */
#include <stdio.h>

#include "ringside/plugin.h"

/* What a task was off its CPU for: one system call (key 0), state and cause (key 1). */
struct offcpu_row {
	struct rs_hist lat;
	struct rs_top wakers;
};

static uint64_t offcpu_resolve_key(const struct rs_task *t, uint64_t nr)
{
	return (uint64_t)rs_call_resolve_number(t, (int64_t)nr);
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct offcpu_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 1 << 18,
	  .kept_keys = 3, .resolve_key = offcpu_resolve_key,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct offcpu_row, lat) },
		{ RS_MEASURE_TOP, offsetof(struct offcpu_row, wakers) }) },
	{ 0 },
};

static uint64_t offcpu_key(const struct rs_wait *w)
{
	return (uint64_t)(unsigned char)w->interval->letter | (uint64_t)w->cause << 8 |
	       (uint64_t)w->socket << 16;
}

static char offcpu_letter(const struct rs_group *g)
{
	return (char)g->keys[1];
}

static enum rs_cause offcpu_cause(const struct rs_group *g)
{
	return (enum rs_cause)(g->keys[1] >> 8 & 0xff);
}

/* ---- spans: the number of .arg is that of the call ---- */

static const char *offcpu_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *name = rs_syscall_name(c, (int64_t)rs_span_number(arg));

	return name ? name : "wait";
}

/* On the track of the connection: the states of the task are on its own. */
static void offcpu_draw(struct rs_ctx *c, const struct rs_polled *wait)
{
	const struct rs_socket *k = wait->socket;
	const struct rs_value values[] = { rs_s(wait->task->comm), rs_u((uint64_t)wait->task->tid) };

	if (k && k->side != RS_SIDE_LISTENS && rs_shown(c, wait->task))
		rs_emit_span(c, 0, &(struct rs_span){
			.id = k->number, .start_ns = wait->from_ns, .end_ns = wait->to_ns,
			.values = values,
			.arg = rs_span_tid_and(wait->task->tid, (uint64_t)wait->call) });
}

static void offcpu_draw_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;

	offcpu_draw(c, &(struct rs_polled){
		.socket = w->syscall >= 0 ? rs_task_socket(c, iv->task) : NULL, .task = iv->task,
		.call = w->syscall, .from_ns = iv->from_ns, .to_ns = iv->to_ns });
}

/* One in a poll: the rows were counted when it ended. */
static void offcpu_on_polled(struct rs_ctx *c, const struct rs_polled *polled)
{
	if (rs_spans_enabled(c))
		offcpu_draw(c, polled);
}

static void offcpu_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct offcpu_row *row = iv->discarded ? NULL :
						 rs_store_row_of_stack(c, 0, iv->task, (uint64_t)w->syscall,
								       offcpu_key(w),
								       rs_interval_stack(c, iv));

	if (w->socket && !iv->discarded && !iv->in_flight && rs_spans_enabled(c))
		offcpu_draw_wait(c, w);
	if (!row)
		return;
	rs_latency_add(c, &row->lat, iv->from_ns, iv->to_ns, iv->in_flight);
	if (iv->waker_tid >= 0)
		rs_top_add(&row->wakers, iv->waker_tid, iv->waker_comm);
}

/* ---- offcpu: the view ---- */

static const char *offcpu_kind_of(enum rs_cause cause)
{
	enum rs_cause_rank rank = rs_cause_row(cause)->rank;

	return rank == RS_RANK_UNKNOWN ? NULL : rank == RS_RANK_IDLE ? "idle" : "block";
}

static struct rs_value offcpu_show_state(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	buf[0] = offcpu_letter(g);
	buf[1] = '\0';
	return rs_s(buf);
}

static struct rs_value offcpu_show_syscall(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_call_name(c, (int64_t)g->keys[0], buf, RS_CELL_TEXT_BYTES));
}

static struct rs_value offcpu_show_kind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(offcpu_kind_of(offcpu_cause(g)));
}

static struct rs_value offcpu_show_cause(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return offcpu_cause(g) == RS_CAUSE_UNKNOWN ? rs_null() : rs_s(rs_cause_row(offcpu_cause(g))->name);
}

static struct rs_value offcpu_show_socket(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_socket_name(c, (uint32_t)(g->keys[1] >> 16)));
}

static struct rs_value offcpu_show_peer(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_far_task_text(rs_socket_far_task_of_name(c, (uint32_t)(g->keys[1] >> 16)), buf));
}

static struct rs_value offcpu_show_label(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	if (!rs_group_is_by(g, "state") || !rs_group_is_by(g, "cause"))
		return rs_null();
	return rs_s(rs_state_label(rs_state_arg(RS_BLOCKED, offcpu_letter(g), offcpu_cause(g), 0), buf,
				   RS_CELL_TEXT_BYTES));
}

#define PART_OF_STATE .key = RS_KEY_1, .by_cell = true, .cell
#define OFFCPU_LATENCY .measure_bytes = offsetof(struct offcpu_row, lat), .aspect

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "state", "STATE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5,
	  "S sleep, D disk or other, I a kernel thread with nothing to do, T stopped, t traced",
	  PART_OF_STATE = offcpu_show_state },
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16,
	  "the call that it was in; null: none, or one that began before the recording", .key = RS_KEY_0,
	  .cell = offcpu_show_syscall },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5,
	  "idle: for whatever comes, or for time to pass; block: for something; null unknown",
	  PART_OF_STATE = offcpu_show_kind, .follows = "cause" },
	{ "cause", "CAUSE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8,
	  "disk, lock, futex, reclaim, other D, idle, sleep; sleep (cause not recorded): no system calls "
	  "were; off-CPU (sleep + delay): no wakings were; null unknown",
	  PART_OF_STATE = offcpu_show_cause },
	{ "socket", "SOCKET", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 20,
	  "the socket that the call is on, as strace -yy has it; null: none, unknown, or not asked for (--by "
	  "socket)",
	  PART_OF_STATE = offcpu_show_socket },
	{ "peer", "PEER", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 20, RS_FAR_TASK_HELP,
	  .cell = offcpu_show_peer },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times", OFFCPU_LATENCY = RS_COUNT },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
	  "switch-out to waking, in all; to the switch-in where no wakings were recorded",
	  OFFCPU_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "average", OFFCPU_LATENCY = RS_AVG },
	{ "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "99 % took at most this",
	  OFFCPU_LATENCY = RS_P99 },
	{ "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "longest",
	  OFFCPU_LATENCY = RS_MAX },
	{ "top_waker", "TOP WAKER", RS_TYPE_TEXT, 0, 0, 20,
	  "comm/tid of who ended most of them; <irq>: interrupts, timers among them",
	  .measure_bytes = offsetof(struct offcpu_row, wakers), .aspect = RS_TOP_TASK },
	{ "label", "LABEL", RS_TYPE_TEXT, 0, 0, 12,
	  "its state and cause as timelines have them; null: of several", .cell = offcpu_show_label },
	RS_BY_STACK_COLUMN(rs_show_stack),
	{ 0 },
};

/* ---- what sleeps and is not woken ---- */

/* The analysis `syscalls` lists calls in flight: this is for kernel threads and page faults. */
static void offcpu_list_blocked(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_wait w;
		char text[64];

		if (!rs_shown(c, t) || t->letter != 'D' || rs_task_in_call(c, t) ||
		    !rs_in_flight_accepts(to, t->since_ns, false) || !rs_task_wait(c, t, &w))
			continue;
		snprintf(text, sizeof text, "in D%s%s", w.cause == RS_CAUSE_UNKNOWN ? "" : ", ",
			 w.cause == RS_CAUSE_UNKNOWN ? "" : rs_cause_row(w.cause)->name);
		rs_in_flight_add(c, to, t, &(struct rs_in_flight){ .kind = "blocked", .what = text,
			.since_ns = t->since_ns });
	}
}

/* "read(0, 0x7ffc..., 1024): in S, at pipe_read" */
static void what_it_sleeps_in(struct rs_ctx *c, const struct rs_unseen *a, char *text, size_t size_bytes)
{
	const struct rs_call call = { .nr = a->syscall, .args = a->args, .exit_ns = rs_last_event_ns(c) };
	char name[32];
	const char *call_text = a->args ? rs_call_text(c, rs_call_name(c, a->syscall, name, sizeof name),
						       &call) :
					  "";

	snprintf(text, size_bytes, "%.120s%sin %c%s%s", call_text, *call_text ? ": " : "", a->letter,
		 a->wchan ? ", at " : "", a->wchan ? a->wchan : "");
}

/* In D, or in a call; of a task that was named (-p, -t) also any other sleep. */
static bool is_stuck(const struct rs_unseen *a)
{
	return a->letter == 'D' || (a->letter == 'S' && (a->args || a->named));
}

/* "cat" without a file, a shell at its prompt: not one whose output a terminal has stopped. */
static bool offcpu_reads_terminal(struct rs_ctx *c, const struct rs_unseen *a)
{
	return a->terminal && a->args && rs_call_is(c, a->syscall, RS_CLASS_READ);
}

/*
 * In S, nobody knows since when and what for: most of these wait for work, and always have. One that was
 * named (-p, -t) is asked about, whatever it does.
 */
static bool offcpu_is_healthy(struct rs_ctx *c, const struct rs_unseen *a)
{
	if (a->letter == 'D')
		return false;
	return !a->named || (a->args && (rs_call_is_idle(c, a->syscall, a->args) ||
					 rs_call_kind(c, a->syscall, a->args) == RS_CALL_FUTEX_WAIT ||
					 offcpu_reads_terminal(c, a)));
}

/* What slept before the capture began, and still does. */
static void offcpu_list_asleep(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_unseen a;
	size_t at = 0;

	while (rs_unseen_next(c, &at, &a)) {
		struct rs_in_flight row = {
			.kind = a.letter == 'D' ? "blocked" : "call", .comm = a.comm, .pid = a.pid,
			.tid = a.tid, .since_ns = a.seen_ns,
			.at_least = true,
			.idle = offcpu_is_healthy(c, &a),
		};
		char text[200];

		if (a.uncertain || !is_stuck(&a) || !rs_in_flight_accepts(to, row.since_ns, row.idle))
			continue;
		what_it_sleeps_in(c, &a, text, sizeof text);
		row.what = text;
		rs_in_flight_add(c, to, NULL, &row);
	}
}

static void offcpu_list_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	offcpu_list_blocked(c, to);
	offcpu_list_asleep(c, to);
}

#define NO_LABELS(...)
#define LABELS(id, column, heading, help, labels, ...) labels ","

const struct rs_analysis rs_analysis_offcpu = {
	.abi = RS_ABI,
	.name = "offcpu",
	.summary = "why tasks were off their CPU",
	.callbacks = RS_LIST(rs_callback, { RS_ON_WAIT, .wait = offcpu_on_wait },
			     { RS_ON_POLLED, .polled = offcpu_on_polled }),
	.views = RS_LIST(
		rs_view,
		{ .name = "offcpu", .topic = RS_TOPIC_WAITS,
		  .summary = "time off the CPU by task, state, system call and cause, and who ended it",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns,
		  .sort = "-total_ns",
		  .options = "by,syscall",
		  .store = stores,
		  .by = "pid,tid,state,syscall,kind,cause",
		  .text_columns = "comm,tid,state,syscall,kind,cause,socket,peer,count,total_ns,avg_ns,"
				  "p99_ns,max_ns,top_waker,stack",
		  /* Spans of the analysis `tasks`, which emits the states. */
		  .latencies = RS_LIST(
			  rs_latencies,
			  { "total_ns,avg_ns,p99_ns,max_ns", .kind = "state", .label_column = "label",
			    .labels = RS_CAUSES(NO_LABELS, LABELS) "S,off-CPU (sleep + delay)" }) }),
	.spans = RS_LIST(rs_span_kind,
		{ .name = "socket wait", .track = RS_TRACK_CONNECTION, .shape = RS_SPAN_ASYNC,
		  .label = offcpu_span_label, .get_tid = rs_span_only_tid,
		  .label_bits = RS_SPAN_NUMBER_BITS,
		  .columns = RS_LIST(rs_column,
			{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "the task that waited in a call on it" },
			{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "the thread" }) }),
	.requires_states = true,
	.uses_stacks = true,
	.requires_sockets = true,
	.stores = stores,
	.list_in_flight = offcpu_list_in_flight,
};
