// SPDX-License-Identifier: GPL-2.0-or-later
/* syscalls - latency of system calls: by process and call, and each call as it ends */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"

/* One system call of one task. */
struct call_row {
	struct rs_hist lat;
	uint64_t errors, in_flight;
	uint64_t cpu_ns, cpu_calls; /* of the calls whose part on a CPU is known, and how many these are */
	/* sum of what they returned, where it may be a number of bytes; how many returned 0 */
	uint64_t bytes, zeros;
	uint64_t last_error;
};

static uint64_t syscalls_resolve_key(const struct rs_task *t, uint64_t nr)
{
	return (uint64_t)rs_call_resolve_number(t, (int64_t)nr);
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct call_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 1 << 20, .kept_keys = 1, .resolve_key = syscalls_resolve_key,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct call_row, lat) },
		RS_MEASURE_SUMS(struct call_row, errors, zeros),
		{ RS_MEASURE_MAX, offsetof(struct call_row, last_error) }) },
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
	[STACK] = RS_STREAM_STACK_COLUMN,
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

static inline void syscalls_add_return(struct call_row *row, const struct rs_call *call)
{
	if (call->ret > 0)
		row->bytes += (uint64_t)call->ret < 1ull << 31 ? (uint64_t)call->ret : 0;
	else if (!call->ret)
		row->zeros += call->args && call->args[0]; /* select and poll of no descriptor are a sleep */
	else if (is_error(call)) {
		row->errors++;
		row->last_error = -(uint64_t)call->ret;
	}
}

static void syscalls_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct call_row *row;

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
	struct call_row *row;
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
	const struct call_row *row = g->row;

	return rs_u_if(row->cpu_calls || row->cpu_ns || rs_hist_is_empty(&row->lat), row->cpu_ns);
}

#define SYSCALLS_LATENCY .measure_bytes = offsetof(struct call_row, lat), .aspect
#define SYSCALLS_SUM(member) .measure_bytes = offsetof(struct call_row, member), .aspect = RS_VALUE

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

/* ---- what is wrong ---- */

enum { FAILING, AGAIN, BUSY_POLL, TINY_IO, TIMEOUTS, SIGNALS, TIMERS };

#define CALLS_A_SECOND "{rate} {call} calls a second"
#define CALLS_BUSY_LOOP ": {~it} {~polls} in a busy loop, and {~keeps} a CPU busy"
#define CALLS_RULE(id, name, summary, least, verb, advice, cause, ...) \
	[id] = { name, summary, least, "/s", verb, advice, .says = { cause }, .view = "syscall-latency", \
		 .where = "{pids}", __VA_ARGS__ }
#define CALLS_SEEN .evidence = of_calls

static const struct rs_evidence of_calls[] = { { "syscall-latency", NULL, "{pids}", "pid,syscall" },
					       { "syscalls", NULL, "{pids}" },
					       { 0 } },
				/* how often each calls */
				of_signals[] = { { "syscall-latency", "-calls", "{pids}", "pid,syscall" },
						 { "signals", NULL, "{pids}" },
						 { 0 } };

static const struct rs_rule rules[] = {
	CALLS_RULE(FAILING, "calls-fail", "a process makes calls in a loop that fail", 300000, "makes",
		   "see why they fail, and stop after a few tries", CALLS_A_SECOND " that fail: {error}",
		   CALLS_SEEN,
	  .found =
		"Nine of ten calls of one system call fail, at least {least}, and take a noticeable "
		"part of a thread's time. Fewer are enough for connect, and for a process that does "
		"little else.",
	  .wrong =
		"Some programs try on purpose what may fail: a search path, a file that may exist. The "
		"error that is named is that of the last call."),
	CALLS_RULE(AGAIN, "calls-again",
		   "a process repeats a call that would block (EAGAIN), and keeps a CPU busy", 1000000,
		   "makes", "wait with poll or epoll until there is something",
		   CALLS_A_SECOND " that fail with EAGAIN" CALLS_BUSY_LOOP, CALLS_SEEN,
	  .found =
		"Nine of ten calls of one system call return EAGAIN at once, at least {least}, and take "
		"a noticeable part of a thread's time.",
	  .wrong = "A program that has a CPU of its own may spin on purpose, for the lowest latency."),
	CALLS_RULE(BUSY_POLL, "busy-poll",
		   "a process asks in a loop for what is not there, and keeps a CPU busy", 1000000, "makes",
		   "let it sleep until there is something (a longer time-out)",
		   CALLS_A_SECOND ", and nothing to do" CALLS_BUSY_LOOP, CALLS_SEEN,
	  .found =
		"Nine of ten polls find nothing and return at once, or a process calls sched_yield: at "
		"least {least}, and a noticeable part of a thread's time.",
	  .wrong = "A program that has a CPU of its own may poll on purpose, for the lowest latency."),
	CALLS_RULE(TINY_IO, "tiny-io", "a process reads or writes a few bytes at a time", 1500000, "makes",
		   "buffer: read and write 4 KiB and more at once",
		   CALLS_A_SECOND " of {bytes} byte{plural} each: too small", CALLS_SEEN,
	  .found =
		"The reads or writes of one system call move a few bytes each on average, at least "
		"{least}, and take a noticeable part of a thread's time.",
	  .wrong =
		"A protocol of short messages that each need an answer has such calls by nature: "
		"buffering would delay them."),
	CALLS_RULE(TIMEOUTS, "timeouts",
		   "a process waits for what does not come, until its time-out, over and over", 25000,
		   "makes", "see what it waits for, and why that does not come",
		   CALLS_A_SECOND " that end by their time-out{, after |time_out}", CALLS_SEEN,
	  .found =
		"Waits of one system call end by their time-out nine times of ten, at least {least}, "
		"and take a noticeable part of a thread's time. Fewer are enough for calls on the "
		"network.",
	  .wrong =
		"A loop that uses the time-out as its clock has nothing else to wait for: then only the "
		"wake-ups are wasted."),
	CALLS_RULE(SIGNALS, "signal-storm", "a process handles very many signals", 300000, "handles",
		   "see who sends them, and why", "{rate} signals a second",
		   .says.how = "a timer of its own sends them (setitimer, timer_create)",
		   .evidence = of_signals,
	  .found =
		"The signals that a process handles, or takes by sigwait, are counted: at least "
		"{least}; fewer if one process sends very many. Not counted: one for each child of "
		"its own whose end it waits for.",
	  .wrong =
		"A profiler's timer sends them on purpose. The sender that is named is the one that "
		"sends most signals of all, to whichever process."),
	CALLS_RULE(TIMERS, "timer-storm", "a process is woken by timers very often", 700000, "wakes",
		   "use a longer interval", "{rate} times a second by a timer",
		   .says.how = "{~it} {~waits} in {call} for one tick after the other", CALLS_SEEN,
	  .found =
		"A process sleeps for very short times, in nanosleep or a poll of nothing, or reads a "
		"timerfd: at least {least}.",
	  .wrong = "A program that must act this often, as for audio or a control loop, is meant to."),
	{ 0 },
};

static const struct rs_sentence by_sender = { "{rate} signals a second", "{culprit} {^sends} them" },
				by_sleep = { "{rate} times a second by a timer",
					     "{~it} {~sleeps} for {median} at a time in {call}, and {~asks} "
					     "for {least} at most" };

#define TINY_IO_BYTES 16
#define SMALL_IO_BYTES 512   /* of read and write: too small where they are many more */
#define SMALL_IO_LEAST 4000000
#define NETWORK_LEAST 500    /* calls a second, in thousandths, that a network leaves without an answer */
#define FUTEX_TIMEOUTS_LEAST \
	100000 /* time-outs a second, in thousandths: each thread of an idle pool has a few */
#define FAILING_LEAST_OF_ALL \
	100000 /* calls a second, in thousandths, that fail, where a process makes hardly any others */
#define SIGNALS_LEAST \
	100000 /* handled a second, in thousandths: those that come before one is handled are one */
#define SHORT_NS 500000      /* a call that takes less has not waited for anything */
#define SHORT_SLEEP_NS \
	800000 /* likewise, a mean of sleeps: on a busy machine each lasts longer than was asked for */
#define LEAST_OF_TIME 80     /* of one thread's time in such calls, in thousandths */

#define CALLS_EVENTS (RS_CLASS_POLL | RS_CLASS_SELECT | RS_CLASS_EPOLL)
#define CALLS_IO (RS_CLASS_READ | RS_CLASS_WRITE | RS_CLASS_RECEIVE | RS_CLASS_SEND)
#define CALLS_NETWORK (RS_CLASS_CONNECT | RS_CLASS_ACCEPT | RS_CLASS_RECEIVE)

/*
 * asm-generic/errno.h, the same in each architecture whose calls are known by name, but for alpha, mips,
 * parisc and sparc
 */
enum { E_INTR = 4, E_AGAIN = 11, E_TIMEDOUT = 110, E_IN_PROGRESS = 115, E_RESTART = 512 };

struct syscalls_case {
	int64_t call;
	const char *name, *comm;
	const struct call_row *row;
	uint64_t nr, rate, total_ns; /* rate: calls a second, in thousandths */
};

/* Who sends most signals, and how many calls a process makes. */
struct syscalls {
	bool has_sender;             /* who sends most signals was looked for: */
	uint64_t nr_signals;
	int32_t sender;
	char comm[RS_COMM_LEN];
	int32_t pid;                 /* whose calls are counted */
	uint64_t nr_calls;
	uint64_t nr_reaped;          /* children whose end it was told */
};

/* Nine of ten. */
static bool syscalls_is_most(uint64_t part, uint64_t all)
{
	return part >= all - all / 10;
}

/* -1: it does nothing odd. */
static int syscalls_rule_of_failing(const struct syscalls_case *k, bool is_short)
{
	switch (k->row->last_error) {
	case E_AGAIN:
		return is_short ? AGAIN : TIMEOUTS;
	case E_TIMEDOUT:
		return is_short ? FAILING : TIMEOUTS;
	case E_INTR:
	case E_IN_PROGRESS: /* a connect that does not block */
		return -1;
	default:
		return k->row->last_error < E_RESTART ? FAILING : -1;
	}
}

/* The reads of its processes are ended by interrupts, not by other tasks. */
static bool syscalls_is_by_timer(struct rs_ctx *c, const char *comm)
{
	enum rs_culprit_kind kind;

	return rs_main_culprit(c, comm, RS_PART_BIT(READ_WRITE) | RS_PART_BIT(POLL), &kind) &&
	       kind == RS_CULPRIT_INTERRUPT;
}

/* Also by select or poll, of no descriptor: these return 0 and are not counted among the zeros. */
static bool syscalls_is_sleep(const struct rs_ctx *c, const struct syscalls_case *k)
{
	return rs_call_is(c, k->call, RS_CLASS_SLEEP) ||
	       (rs_call_is(c, k->call, CALLS_EVENTS) && !k->row->zeros && !k->row->bytes && !k->row->errors);
}

/* An editor looks for keys very often, and waits for some: neither is all that it does. */
static int syscalls_rule_of_poll(const struct syscalls_case *k)
{
	if (rs_hist_quantile(&k->row->lat, 900) < SHORT_NS)
		return BUSY_POLL;
	return rs_hist_quantile(&k->row->lat, 300) >= SHORT_NS ? TIMEOUTS : -1;
}

static int syscalls_rule(struct rs_ctx *c, const struct syscalls_case *k)
{
	bool is_short = k->total_ns / k->nr < SHORT_NS, is_plain;

	if (rs_call_is(c, k->call, RS_CLASS_SIGRETURN) ||
	    (rs_call_is(c, k->call, RS_CLASS_SIGNAL_WAIT) && !k->row->errors))
		return SIGNALS;
	if (rs_call_is(c, k->call, RS_CLASS_YIELD))
		return BUSY_POLL;
	if (k->row->errors && syscalls_is_most(k->row->errors, k->nr))
		return syscalls_rule_of_failing(k, is_short);
	/* it finds nothing if it returns 0 */
	if (rs_call_is(c, k->call, CALLS_EVENTS | RS_CLASS_REAP) && syscalls_is_most(k->row->zeros, k->nr))
		return syscalls_rule_of_poll(k);
	if (syscalls_is_sleep(c, k) && k->total_ns / k->nr < SHORT_SLEEP_NS)
		return TIMERS;
	is_plain = !rs_call_is(c, k->call, RS_CLASS_GATHER);
	if (is_plain && rs_call_is(c, k->call, RS_CLASS_READ) && !rs_call_is(c, k->call, RS_CLASS_SEEK) &&
	    (k->row->bytes + k->nr / 2) / k->nr == 8) /* an eventfd or a timerfd: who wakes it tells */
		return syscalls_is_by_timer(c, k->comm) ? TIMERS : -1;
	if (!k->row->bytes || !rs_call_is(c, k->call, CALLS_IO) || rs_call_is(c, k->call, RS_CLASS_MANY))
		return -1;
	if (is_plain && rs_call_is(c, k->call, RS_CLASS_READ | RS_CLASS_WRITE) && k->rate >= SMALL_IO_LEAST &&
	    k->row->bytes / k->nr <= SMALL_IO_BYTES)
		return TINY_IO;
	return k->row->bytes / k->nr <= TINY_IO_BYTES ? TINY_IO : -1;
}

/*
 * How much time the rule is worth: what the calls took, of storms all of it, and what fails in a loop is what
 * the loop sleeps for.
 */
static uint64_t syscalls_cost_ns(const struct syscalls_case *k, int rule, uint64_t interval_ns)
{
	if (rule == FAILING)
		return interval_ns + k->total_ns;
	return rule == SIGNALS || rule == TIMERS || k->total_ns > interval_ns ? interval_ns : k->total_ns;
}

static const char *syscalls_error_name(uint64_t error, char *buf, size_t size_bytes)
{
	const char *name = strerrorname_np((int)error);

	if (name)
		return name;
	snprintf(buf, size_bytes, "error %u", (unsigned int)error);
	return buf;
}

static const struct rs_sentence *syscalls_sentence(const struct rs_ctx *c, const struct syscalls_case *k,
						   int rule, bool has_sender)
{
	if (rule == TIMERS)
		return k->row->errors || !syscalls_is_sleep(c, k) ? NULL : &by_sleep;
	return has_sender ? &by_sender : NULL;
}

static void syscalls_count_signals(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct call_row *row = g->row;
	struct syscalls *s = c->state;

	if (row->lat.nr <= s->nr_signals || !(g->one_key & 1) ||
	    !rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_SIGNAL))
		return;
	s->nr_signals = row->lat.nr;
	s->sender = g->pid;
	snprintf(s->comm, sizeof s->comm, "%s", g->comm);
}

/* Once for all that take signals. */
static void syscalls_find_sender(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	struct syscalls *s = c->state;

	if (!s->has_sender)
		rs_group_for_each(c, g, syscalls_count_signals, interval_ns);
	s->has_sender = true;
}

/* Without those by which it sleeps in between, or is told that there is something to do. */
static void syscalls_count_calls(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct call_row *row = g->row;
	struct syscalls *s = c->state;

	if (g->pid == s->pid && (g->one_key & 1) &&
	    !rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_SLEEP | CALLS_EVENTS))
		s->nr_calls += rs_hist_nr_begun(&row->lat);
}

static void syscalls_count_reaped(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct call_row *row = g->row;
	struct syscalls *s = c->state;

	if (g->pid == s->pid && (g->one_key & 1) && rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_REAP))
		s->nr_reaped += row->lat.nr - row->errors - row->zeros;
}

/*
 * A shell that starts many programs handles a SIGCHLD for each that ends: that follows from what it does, and
 * no timer and nobody else sends it. Plain recordings have no signal_generate, but each child is reaped.
 */
static void syscalls_leave_out_children(struct rs_ctx *c, struct syscalls_case *k, const struct rs_group *g,
					uint64_t interval_ns)
{
	struct syscalls *s = c->state;

	s->pid = g->pid;
	s->nr_reaped = 0;
	rs_group_for_each(c, g, syscalls_count_reaped, interval_ns);
	k->nr -= s->nr_reaped < k->nr ? s->nr_reaped : k->nr;
	k->rate = rs_milli(k->nr * 1000000000, interval_ns, 1).u;
}

/*
 * Does the process ask for hardly anything else, but for sleep? Then it gets nowhere, however short the calls
 * are.
 */
static bool syscalls_is_all_it_does(struct rs_ctx *c, const struct syscalls_case *k,
				    const struct rs_group *g, uint64_t interval_ns)
{
	struct syscalls *s = c->state;

	s->pid = g->pid;
	s->nr_calls = 0;
	rs_group_for_each(c, g, syscalls_count_calls, interval_ns);
	return syscalls_is_most(k->nr, s->nr_calls);
}

/*
 * How often is odd: of the network's calls each that ends without an answer; of signals fewer where one task
 * sends very many.
 */
static bool syscalls_is_enough(const struct rs_ctx *c, const struct syscalls_case *k, int rule,
			       uint64_t interval_ns)
{
	const struct syscalls *s = c->state;
	bool is_network = rs_call_is(c, k->call, CALLS_NETWORK),
	     takes_time = rs_milli(k->total_ns, interval_ns, 1).u >= LEAST_OF_TIME;

	if (is_network && ((rule == TIMEOUTS && takes_time) ||
			   (rule == FAILING && rs_call_is(c, k->call, RS_CLASS_CONNECT))))
		return k->rate >= (rule == TIMEOUTS ? NETWORK_LEAST : 10 * NETWORK_LEAST);
	if (rule == TIMEOUTS && rs_call_is(c, k->call, RS_CLASS_FUTEX) && k->rate < FUTEX_TIMEOUTS_LEAST)
		return false;
	if (rule == SIGNALS &&
	    rs_milli(s->nr_signals * 1000000000, interval_ns, 1).u >= rules[SIGNALS].threshold)
		return k->rate >= SIGNALS_LEAST;
	return k->rate >= rules[rule].threshold && (takes_time || rule == SIGNALS);
}

/* Most are rare and short, whatever they are. */
static bool syscalls_may_be_enough(const struct syscalls_case *k, uint64_t interval_ns)
{
	return k->rate >= 10 * NETWORK_LEAST ||
	       (k->rate >= NETWORK_LEAST && rs_milli(k->total_ns, interval_ns, 1).u >= LEAST_OF_TIME);
}

/* Of futex(2) most calls may be unlocks: where the waits end by their time-out, these are the calls. */
static void syscalls_count_waits(const struct rs_ctx *c, struct syscalls_case *k, uint64_t interval_ns)
{
	if (!rs_call_is(c, k->call, RS_CLASS_FUTEX) || k->row->last_error != E_TIMEDOUT ||
	    k->row->errors < k->nr / 4)
		return;
	k->nr = k->row->errors;
	k->rate = rs_milli(k->nr * 1000000000, interval_ns, 1).u;
}

static void syscalls_report(struct rs_ctx *c, const struct syscalls_case *k, int rule,
			    const struct rs_group *g, uint64_t interval_ns)
{
	const struct syscalls *s = c->state;
	const struct rs_hist *lat = &k->row->lat;
	bool has_thread = g->task && strcmp(g->task->comm, g->comm) != 0,
	     has_sender = rule == SIGNALS && s->nr_signals > k->nr / 10,
	     /* of futex some are no waits, and short */
	     are_all = k->nr == rs_hist_nr_begun(lat);
	uint64_t median_ns = rs_hist_quantile(lat, 500), bytes = k->row->bytes / k->nr;
	char victim[2 * RS_COMM_LEN + 4], error[32];
	const struct rs_slot slots[] = {
		{ "rate", RS_SLOT_NUMBER, rs_u(k->rate / 1000) },
		{ "call", RS_SLOT_NAME, rs_s(k->name) },
		{ "error", RS_SLOT_NAME,
		  rs_s(syscalls_error_name(k->row->last_error, error, sizeof error)) },
		{ "bytes", RS_SLOT_NUMBER, rs_u(bytes) },
		{ "plural", RS_SLOT_TEXT, rs_s(bytes == 1 ? NULL : "s") },
		{ "time_out", RS_SLOT_DURATION, rs_u_if(are_all, median_ns) },
		{ "median", RS_SLOT_DURATION, rs_u(median_ns) },
		/* the shortest sleep was as long as was asked for, or longer by the timer's slack */
		{ "least", RS_SLOT_DURATION, rs_u(lat->min) },
		{ 0 },
	};

	snprintf(victim, sizeof victim, "%s%s%s", g->comm, has_thread ? "/" : "",
		 has_thread ? g->task->comm : "");
	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[rule], .says = syscalls_sentence(c, k, rule, has_sender), .slots = slots,
		.cost_ns = syscalls_cost_ns(k, rule, interval_ns),
		.lost_ns = rule == SIGNALS || rule == TIMERS ? 0 : k->total_ns,
		.victim = victim, .victim_pid = g->pid, .culprit = has_sender ? s->comm : g->comm,
		.culprit_pid = has_sender ? s->sender : g->pid,
		.names_code = rule != TIMEOUTS && rule != SIGNALS && rule != TIMERS, .measured = k->rate,
	});
}

static void syscalls_judge_group(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct call_row *row = g->row;
	struct syscalls_case k = { .row = row, .nr = rs_hist_nr_begun(&row->lat),
				   .total_ns = rs_hist_sum_inside(&row->lat),
				   .comm = g->comm };
	char name[48];
	int rule;

	if (!k.nr || !(g->one_key & 1) || !g->comm[0])
		return;
	k.rate = rs_milli(k.nr * 1000000000, interval_ns, 1).u;
	if (!syscalls_may_be_enough(&k, interval_ns))
		return;
	k.call = (int64_t)g->keys[0];
	k.name = rs_call_name(c, k.call, name, sizeof name);
	syscalls_count_waits(c, &k, interval_ns);
	rule = syscalls_rule(c, &k);
	if (rule == SIGNALS && k.rate >= SIGNALS_LEAST) {
		syscalls_find_sender(c, g, interval_ns);
		syscalls_leave_out_children(c, &k, g, interval_ns);
	}
	if (rule >= 0 &&
	    (syscalls_is_enough(c, &k, rule, interval_ns) ||
	     (rule == FAILING && k.rate >= FAILING_LEAST_OF_ALL &&
	      syscalls_is_all_it_does(c, &k, g, interval_ns))))
		syscalls_report(c, &k, rule, g, interval_ns);
}

static void syscalls_put_findings(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct syscalls));
	rs_store_for_each_group(c, VIEW_LATENCY, syscalls_judge_group);
}

const struct rs_analysis rs_analysis_syscalls = {
	.abi = RS_ABI,
	.name = "syscalls",
	.summary = "how long system calls take, and how much of that on a CPU",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = syscalls_on_call }),
	.views = RS_LIST(
		rs_view,
		[VIEW_LATENCY] = { .name = "syscall-latency", .topic = RS_TOPIC_CALLS,
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
				    .options = "syscall,failed",
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
	.stores = stores,
	.state_size = sizeof(struct syscalls),
	.rules = rules,
	.findings = syscalls_put_findings,
	.list_in_flight = syscalls_in_flight,
	.emit_in_flight = syscalls_in_flight,
};
