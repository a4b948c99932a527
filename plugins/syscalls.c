// SPDX-License-Identifier: GPL-2.0-or-later
/* syscalls - latency of system calls: by process and call, and each call as it ends */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"
#include "plugins/parts/syscalls-rules.h"

static uint64_t syscalls_resolve_key(const struct rs_task *t, uint64_t nr)
{
	return (uint64_t)rs_call_resolve_number(t, (int64_t)nr);
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct rs_call_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 1 << 20, .kept_keys = 1, .resolve_key = syscalls_resolve_key,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct rs_call_row, lat) },
		RS_MEASURE_SUMS(struct rs_call_row, errors, shorts),
		{ RS_MEASURE_MAX, offsetof(struct rs_call_row, last_error) }) },
	{ 0 },
};

enum { VIEW_LATENCY, VIEW_SYSCALLS };

/* ---- syscalls: each call ---- */

enum {
	START,
	END,
	S_COMM,
	S_PID,
	S_TID,
	CPU,
	S_SYSCALL,
	ARGS,
	RET,
	ERRNO,
	LAT,
	CALL,
	SOCKET,
	STACK,
	NR_STREAM_COLUMNS
};

static const struct rs_column stream_columns[] = {
	[START] = { "start_ns", "START(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "sys_enter" },
	[END] = { "end_ns", "END(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "sys_exit" },
	[S_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	[S_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[S_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, 0, 3, "the CPU that it returned on" },
	[S_SYSCALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16,
			"its name in the recording's architecture" },
	[ARGS] = { "args", "ARGS", RS_TYPE_TEXT, 0, 0, 0, "the six argument words" },
	[RET] = { "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 15,
		  "what it returned; null for a return from a signal" },
	[ERRNO] = { "errno", "ERRNO", RS_TYPE_ID, 0, 0, 5, "the error, where it returned one" },
	[LAT] = { "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11,
		  "from sys_enter to sys_exit, time off the CPU included" },
	[CALL] = { "call", "CALL", RS_TYPE_TEXT, 0, 0, 0,
		   "the call with descriptors (live: and their files, where certain), sizes and known "
		   "constants; what a pointer points to is not recorded" },
	[SOCKET] = { "socket", "SOCKET", RS_TYPE_TEXT, 0, RS_COLUMN_OF_FILE, 0,
		     "the socket that its first argument is, as strace -yy has it; null: it is none, or "
		     "unknown" },
	[STACK] = RS_STREAM_STACK_COLUMN,
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static bool is_error(const struct rs_call *call)
{
	return call->ret_known & (call->ret >= -4095) & (call->ret <= -1);
}

static struct rs_value syscalls_error(const struct rs_call *call)
{
	return rs_u_if(is_error(call), -(uint64_t)call->ret);
}

/* Out of line: on_call is run for each call, this for the few that are shown, and it wants a large stack. */
static __attribute__((noinline)) void emit_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_task *t = call->task;
	struct rs_value v[NR_STREAM_COLUMNS];
	char name[32];

	v[START] = rs_u(call->enter_ns);
	v[END] = rs_u(call->exit_ns);
	v[S_COMM] = rs_s(t->comm);
	v[S_PID] = rs_u_if(t->pid, (uint64_t)t->pid);
	v[S_TID] = rs_u((uint64_t)t->tid);
	v[CPU] = rs_u(call->cpu);
	v[S_SYSCALL] = rs_s(rs_call_name(c, call->nr, name, sizeof name));
	v[ARGS] = rs_s(rs_call_words(c, call));
	v[RET] = call->ret_known ? rs_i(call->ret) : rs_null();
	v[ERRNO] = syscalls_error(call);
	v[LAT] = rs_u(call->exit_ns - call->enter_ns);
	v[CALL] = rs_s(rs_call_text(c, v[S_SYSCALL].s, call));
	v[SOCKET] = rs_s(rs_call_socket_text(c, call));
	v[STACK] = rs_stack_value(c, rs_call_wait_stack(c, call), RS_STACK_OUTSIDE_ENTRY);
	rs_emit(c, VIEW_SYSCALLS, v);
}

/* ---- the calls on a task's track: .arg is the number, and whether the call reads a terminal ---- */

#define TERMINAL_READ_NS 1000000
#define READS_TERMINAL (1ull << 48) /* above the bits of the call's table */

static int64_t syscalls_number_of(uint64_t arg)
{
	return (int64_t)(arg & ~READS_TERMINAL);
}

static const char *call_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return rs_call_name(c, syscalls_number_of(arg), buf, size_bytes);
}

/* The number of futex(2) does not tell its operation; futex waits are spans of their own. */
static bool syscalls_is_by_choice(struct rs_ctx *c, uint64_t arg)
{
	static const uint64_t no_args[6];
	enum rs_call_kind kind = rs_call_kind(c, syscalls_number_of(arg), no_args);

	return arg & READS_TERMINAL || kind == RS_CALL_FUTEX_WAIT ||
	       rs_call_is_idle(c, syscalls_number_of(arg), no_args);
}

/*
 * Only the task knows whether it waits in futex(2) for work or for a lock: the span kind "futex wait" shows
 * these.
 */
static bool syscalls_is_slowest(struct rs_ctx *c, uint64_t arg)
{
	static const uint64_t no_args[6];

	return !syscalls_is_by_choice(c, arg) &&
	       rs_call_kind(c, syscalls_number_of(arg), no_args) != RS_CALL_IO_WAIT;
}

static __attribute__((noinline)) void emit_call_span(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_value values[] = {
		rs_s(rs_call_args(c, call)), call->ret_known ? rs_i(call->ret) : rs_null(),
		rs_u_if(call->cpu_ns >= 0 && !call->in_flight, (uint64_t)call->cpu_ns),
	};

	/* not looked up for short calls, which are many */
	bool is_terminal_read = call->exit_ns - call->enter_ns > TERMINAL_READ_NS &&
				rs_call_reads_terminal(c, call);

	rs_emit_span(c, 0, &(struct rs_span){ .task = call->task, .start_ns = call->enter_ns,
					      .end_ns = call->exit_ns, .in_flight = call->in_flight,
					.arg = (uint64_t)call->nr | (is_terminal_read ? READS_TERMINAL : 0),
					.values = values });
}

/* Asked first, so that no text is made and no descriptor looked up for a row that is not shown. */
static bool syscalls_is_shown(struct rs_ctx *c, const struct rs_call *call)
{
	char name[32];

	return rs_cell_is_shown(c, &stream_columns[ERRNO], syscalls_error(call)) &&
	       rs_cell_is_shown(c, &stream_columns[S_SYSCALL],
				rs_s(rs_call_name(c, call->nr, name, sizeof name)));
}

static inline void syscalls_add_return(struct rs_call_row *row, const struct rs_call *call)
{
	if (call->ret > 0) {
		row->bytes += (uint64_t)call->ret < 1ull << 31 ? (uint64_t)call->ret : 0;
		row->shorts += call->args && (uint64_t)call->ret < call->args[2] / 4;
	} else if (!call->ret)
		row->zeros += call->args && call->args[0]; /* select and poll of no descriptor are a sleep */
	else if (is_error(call)) {
		row->errors++;
		row->last_error = -(uint64_t)call->ret;
	}
}

static void syscalls_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_call_row *row;

	if (call->discarded)
		return;
	if (rs_spans_enabled(c) && !call->in_flight)
		emit_call_span(c, call);
	if (c->no_rows)
		return;
	row = rs_store_row_of_stack(c, 0, call->task, (uint64_t)call->nr, 0, rs_call_wait_stack(c, call));
	if (!row)
		return;
	rs_latency_add(c, &row->lat, call->enter_ns, call->exit_ns, call->in_flight);
	syscalls_add_return(row, call);
	if (call->cpu_inside_ns >= 0) {
		row->cpu_ns += (uint64_t)call->cpu_inside_ns;
		row->cpu_calls += call->enter_ns >= c->range_from_ns;
	}
	if (!call->in_flight && rs_has_subscriber(c, VIEW_SYSCALLS) && rs_shown(c, call->task) &&
	    rs_row_is_shown(c, VIEW_SYSCALLS, call->exit_ns - call->enter_ns) &&
	    syscalls_is_shown(c, call))
		emit_call(c, call);
}

/* ---- calls in flight ---- */

/* Writes "read(3, 0x7ffc..., 4096)", and the state of the task unless it sleeps. */
static void call_in_flight(struct rs_ctx *c, const struct rs_call *call, char *text, size_t size_bytes)
{
	const struct rs_task *t = call->task;
	struct rs_wait w = { .cause = RS_CAUSE_UNKNOWN };
	const char *how = "", *cause = "";
	uint64_t open_ns;
	enum rs_state state = rs_task_state(c, t, &open_ns);
	char name[32];

	if (state == RS_RUN)
		how = ": on a CPU";
	else if (state == RS_DELAY || state == RS_PREEMPTED)
		how = ": waits for a CPU";
	else if (state == RS_BLOCKED && t->letter == 'D')
		how = ": in D";
	if (*how && rs_task_wait(c, t, &w) && w.cause != RS_CAUSE_UNKNOWN)
		cause = rs_cause_row(w.cause)->name;
	snprintf(text, size_bytes, "%.150s%s%s%s",
		 rs_call_text(c, rs_call_name(c, call->nr, name, sizeof name), call), how, *cause ? ", " : "",
		 cause);
}

/* "read(0</dev/pts/3>, ...": a shell at its prompt. */
static bool syscalls_is_terminal_read(const char *text)
{
	return !strncmp(text, "read(", 5) &&
	       (strstr(text, "</dev/pts/") || strstr(text, "</dev/tty") || strstr(text, "</dev/console"));
}

/* The analysis `futex` lists its waits. */
static void syscalls_list(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_call *call)
{
	struct rs_in_flight row = { .kind = "call", .since_ns = call->enter_ns,
				    .idle = rs_call_is_idle(c, call->nr, call->args) };
	char text[200];

	if (rs_call_kind(c, call->nr, call->args) == RS_CALL_FUTEX_WAIT ||
	    !rs_in_flight_accepts(to, row.since_ns, row.idle))
		return;
	call_in_flight(c, call, text, sizeof text);
	row.idle = row.idle || syscalls_is_terminal_read(text) || rs_call_reads_terminal(c, call);
	row.what = text;
	rs_in_flight_add(c, to, call->task, &row);
}

static void syscalls_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_call_row *row;
	struct rs_call call;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (!rs_shown(c, t) || !rs_task_call(c, t, &call))
			continue;
		else if (to->list)
			syscalls_list(c, to, &call);
		else if (!to->rows)
			emit_call_span(c, &call);
		else if ((row = rs_grouping_row(to->rows, t, syscalls_resolve_key(t, (uint64_t)call.nr), 0,
						rs_call_wait_stack(c, &call))))
			row->in_flight++;
}

/* ---- syscall-latency: by process and call, or as --by says ---- */

static struct rs_value syscalls_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_call_name(c, (int64_t)g->keys[0], buf, RS_CELL_TEXT_BYTES));
}

static struct rs_value syscalls_show_number(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(g->one_key & 1, (uint64_t)rs_call_number((int64_t)g->keys[0]));
}

static struct rs_value syscalls_show_cpu_time(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_call_row *row = g->row;

	return rs_u_if(row->cpu_calls || row->cpu_ns || rs_hist_is_empty(&row->lat), row->cpu_ns);
}

#define SYSCALLS_LATENCY .measure_bytes = offsetof(struct rs_call_row, lat), .aspect
#define SYSCALLS_SUM(member) .measure_bytes = offsetof(struct rs_call_row, member), .aspect = RS_VALUE

static const struct rs_column latency_columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_PART, 18,
	  "its name in the recording's architecture; null: all of them", .key = RS_KEY_0,
	  .cell = syscalls_show_name },
	{ "nr", "NR", RS_TYPE_ID, 0, 0, 4, "its number", .cell = syscalls_show_number },
	{ "calls", "CALLS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "calls that returned",
	  SYSCALLS_LATENCY = RS_COUNT },
	{ "errors", "ERRORS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "of these, returned an error",
	  SYSCALLS_SUM(errors) },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12,
	  "wall time in the call, time off the CPU included", SYSCALLS_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "average", SYSCALLS_LATENCY = RS_AVG },
	{ "min_ns", "MIN(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "shortest", SYSCALLS_LATENCY = RS_MIN },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "half of the calls took at most this",
	  SYSCALLS_LATENCY = RS_P50 },
	{ "p95_ns", "P95(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "95 % took at most this",
	  SYSCALLS_LATENCY = RS_P95 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took at most this",
	  SYSCALLS_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  SYSCALLS_LATENCY = RS_MAX },
	{ "cpu_ns", "CPU(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "the part of the total that was on a CPU, of the cpu_calls calls of which it is known; null: of "
	  "none",
	  .cell = syscalls_show_cpu_time },
	{ "cpu_calls", "CPUCALLS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "the calls whose part on a CPU is known: where these are fewer than calls, cpu_ns is a lower bound",
	  SYSCALLS_SUM(cpu_calls) },
	{ "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5,
	  "begun and not returned at the end: in no other column, but at the end of a time range (--to) in "
	  "CALLS and TOTAL",
	  SYSCALLS_SUM(in_flight) },
	RS_BY_STACK_COLUMN(rs_show_stack),
	{ 0 },
};

static void syscalls_put_findings(struct rs_ctx *c)
{
	rs_syscalls_rules_judge(c, VIEW_LATENCY);
}

const struct rs_analysis rs_analysis_syscalls = {
	.abi = RS_ABI,
	.name = "syscalls",
	.summary = "how long system calls take, and how much of that on a CPU",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = syscalls_on_call }),
	.views = RS_LIST(
		rs_view,
		[VIEW_LATENCY] = { .name = "syscall-latency", .topic = RS_TOPIC_CALLS,
				   .diff_by = "",
				   .summary = "system call latency by process and call",
				   .kind = RS_VIEW_TABLE,
				   .columns = latency_columns,
				   .sort = "-total_ns",
				   .options = "by,syscall",
				   .store = stores,
				   .by = "pid",
				   .also_by = "pid,syscall",
				   .add_in_flight = syscalls_in_flight,
				   .text_columns = "comm,pid,syscall,calls,errors,total_ns,avg_ns,p50_ns,p99_"
						   "ns,max_ns,cpu_ns,cpu_calls,in_flight,stack",
				   .latencies = RS_LIST(
					   rs_latencies,
					   { "avg_ns,min_ns,p50_ns,p95_ns,p99_ns,max_ns,total_ns",
					     .kind = "syscall", .label_column = "syscall" }) },
		[VIEW_SYSCALLS] = { .name = "syscalls", .topic = RS_TOPIC_CALLS,
				    .summary = "each system call as it returns",
				    .kind = RS_VIEW_STREAM,
				    .columns = stream_columns,
				    .options = "syscall,failed,follow",
				    .follow = "strace",
				    .text_columns = "start_ns,comm,tid,lat_ns,ret,call,stack",
				    .latencies = RS_LIST(rs_latencies, { "lat_ns", .kind = "syscall",
									 .label_column = "syscall" }) }),
	.spans = RS_LIST(rs_span_kind,
			 { .name = "syscall",
			   .track = RS_TRACK_TASK,
			   .shape = RS_SPAN_SLICE,
			   .label = call_label,
			   .rate = "calls",
			   .slowest = "system call",
			   .is_slowest = syscalls_is_slowest,
			   .by_choice = syscalls_is_by_choice,
			   .columns = RS_LIST(rs_column,
					      { "args", "ARGS", RS_TYPE_TEXT, 0, 0, 0,
						"the argument words that it takes, as far as that is known" },
					      { "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 0,
						"what it returned; null: it did not, or from a signal" },
					      { "cpu_ns", "CPU", RS_TYPE_DURATION, 0, 0, 0,
						"the part on a CPU; null where that is not known" }) }),
	.requires_states = true,
	.requires_blame = true,
	.uses_stacks = true,
	.uses_files = true,
	.stores = stores,
	.state_size = sizeof(struct rs_syscalls_rules),
	.rules = rs_syscalls_rules,
	.findings = syscalls_put_findings,
	.list_in_flight = syscalls_in_flight,
	.emit_in_flight = syscalls_in_flight,
};
