// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks - contention on kernel locks: how often and how long tasks waited for each, and who ended their waits
 *
 * The kernel names a lock by its address alone. A symbol is known for those that are variables; the code that
 * wants it is known where stacks were recorded with the events (--stacks=contention).
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

/* The task whose waking ended the last contention that ended by a waking. */
struct locks_waker {
	uint64_t woken_ns;       /* 0: there was no waker */
	int32_t tid;             /* 0 idle: an interrupt */
	char comm[RS_COMM_LEN];  /* "" unknown */
};

/* The system call of which most of the time was waited. */
struct locks_call {
	uint64_t wait_ns;        /* 0: none is known */
	int64_t nr;
};

struct lock_row {
	struct rs_hist lat;
	struct locks_waker waker;
	struct locks_call call;
};

static void locks_add_call(struct locks_call *call, int64_t nr, uint64_t wait_ns)
{
	if (call->wait_ns && call->nr == nr)
		call->wait_ns += wait_ns;
	else if (wait_ns > call->wait_ns)
		*call = (struct locks_call){ wait_ns, nr };
}

static void locks_merge_call(void *into, const void *from)
{
	const struct locks_call *call = from;

	locks_add_call(into, call->nr, call->wait_ns);
}

static void locks_merge_waker(void *into, const void *from)
{
	if (((const struct locks_waker *)from)->woken_ns >= ((const struct locks_waker *)into)->woken_ns)
		*(struct locks_waker *)into = *(const struct locks_waker *)from;
}

/* Keys are the lock's address, and its type; the second is all that an evicted row is known by. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct lock_row), .of_tasks = true, .max_rows = 8192, .kept_keys = 2,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct lock_row, lat) },
		{ RS_MEASURE_OTHER, offsetof(struct lock_row, waker), locks_merge_waker,
		  sizeof(struct locks_waker) },
		{ RS_MEASURE_OTHER, offsetof(struct lock_row, call), locks_merge_call,
		  sizeof(struct locks_call) }) },
	{ 0 },
};

enum { SPAN_LOCK };

/* Out of line: made for who shows details, and wants stack. */
static __attribute__((noinline)) void locks_emit_span(struct rs_ctx *c, const struct rs_in_flight_to *to,
						      const struct rs_contention *k)
{
	char addr[32];
	struct rs_value values[1];

	snprintf(addr, sizeof addr, "0x%" PRIx64, k->lock_addr);
	values[0] = rs_s(addr);
	rs_emit_span(c, SPAN_LOCK, &(struct rs_span){ .task = k->task, .start_ns = k->begin_ns,
						      .end_ns = k->end_ns,
						.in_flight = to, .arg = k->flags, .values = values });
}

static void on_contention(struct rs_ctx *c, const struct rs_contention *k)
{
	/* a mutex is waited for spinning, then asleep: one type */
	unsigned int type = k->flags & RS_LOCK_MUTEX ? k->flags & ~(unsigned int)RS_LOCK_SPIN : k->flags;
	struct lock_row *row;

	if (k->discarded || (!k->task && !rs_shown(c, NULL)))
		return;
	if (rs_spans_enabled(c) && k->task && !k->in_flight)
		locks_emit_span(c, NULL, k);
	row = rs_store_row_of_stack(c, 0, k->task, k->lock_addr, type, k->stack);
	if (!row)
		return;
	rs_latency_add(c, &row->lat, k->begin_ns, k->end_ns, k->in_flight);
	if (k->task && k->task->syscall >= 0)
		locks_add_call(&row->call, k->task->syscall, k->end_ns - k->begin_ns);
	if (k->waker_tid < 0)
		return;
	row->waker = (struct locks_waker){ .woken_ns = k->end_ns, .tid = k->waker_tid };
	if (k->waker_comm)
		memcpy(row->waker.comm, k->waker_comm, sizeof row->waker.comm);
}

static void locks_list(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_contention *k)
{
	const char *type = rs_lock_type(k->flags), *symbol;
	char text[160];

	if (!rs_shown(c, k->task) || !rs_in_flight_accepts(to, k->begin_ns, false))
		return;
	symbol = rs_symbol(c, k->lock_addr);
	snprintf(text, sizeof text, "%s %.100s", type ? type : "lock", symbol ? symbol : "");
	if (!symbol)
		snprintf(text, sizeof text, "%s at 0x%" PRIx64, type ? type : "lock", k->lock_addr);
	rs_in_flight_add(c, to, k->task, &(struct rs_in_flight){ .kind = "lock", .what = text,
		.since_ns = k->begin_ns });
}

static void locks_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_contention k;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		for (unsigned int i = 0; rs_task_contention(c, t, i, &k); i++)
			if (!k.discarded)
				(to->list ? locks_list : locks_emit_span)(c, to, &k);
}

/* ---- rows ---- */

static struct rs_value locks_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_lock_type((unsigned int)g->keys[1]));
}

/* "dcache_dir_close": perf lock contention names the same function. */
static struct rs_value locks_show_caller(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint32_t caller = rs_stack_outside(c, g->stack, RS_STACK_OUTSIDE_LOCKS);
	struct rs_frame frame;

	if (!caller)
		return rs_null();
	rs_stack_frame(c, caller, &frame);
	if (frame.function)
		return rs_s(frame.function);
	rs_stack_put_address(&frame, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_value locks_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_stack_value(c, g->stack, RS_STACK_OUTSIDE_LOCKS);
}

static struct rs_value locks_show_syscall(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct locks_call *call = &((const struct lock_row *)g->row)->call;

	return call->wait_ns ? rs_s(rs_call_name(c, call->nr, buf, RS_CELL_TEXT_BYTES)) : rs_null();
}

static const char *waker_text(const struct locks_waker *w, char *buf, size_t size_bytes)
{
	if (!w->woken_ns)
		return NULL;
	if (!w->tid)
		return "<idle>";
	if (w->comm[0])
		snprintf(buf, size_bytes, "%.*s (%d)", RS_COMM_LEN, w->comm, (int)w->tid);
	else
		snprintf(buf, size_bytes, "(%d)", (int)w->tid);
	return buf;
}

static struct rs_value locks_show_waker(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(waker_text(&((const struct lock_row *)g->row)->waker, buf, RS_CELL_TEXT_BYTES));
}

static struct rs_value locks_show_symbol(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const char *symbol = g->one_key & 1 ? rs_symbol(c, g->keys[0]) : NULL;

	if (symbol)
		snprintf(buf, RS_CELL_TEXT_BYTES, "%s", symbol);
	return rs_s(symbol ? buf : NULL);
}

#define LOCKS_LATENCY .measure_bytes = offsetof(struct lock_row, lat), .aspect

static const struct rs_column columns[] = {
	{ "lock_addr", "lock", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 18,
	  "its address; null: of several, or of locks that were forgotten", .key = RS_KEY_0,
	  .cell = rs_show_address },
	{ "type", "type", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 14,
	  "spinlock, mutex, rwsem:R (to read), rwsem:W (to write) ...", .key = RS_KEY_1, .by_cell = true,
	  .cell = locks_show_type },
	{ "caller", "caller", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 24,
	  "the function that wants the lock, where stacks were recorded (--stacks=contention)",
	  .key = RS_KEY_STACK, .by_cell = true, .cell = locks_show_caller },
	RS_GROUP_BY_COLUMNS,
	{ "contended", "contended", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was waited for",
	  LOCKS_LATENCY = RS_COUNT },
	{ "total_ns", "total wait", RS_TYPE_DURATION, 0, RS_COLUMN_SUM, 11,
	  "waited in all, from the begin of contention to its end", LOCKS_LATENCY = RS_TOTAL },
	{ "avg_ns", "avg wait", RS_TYPE_DURATION, 0, 0, 11, "average", LOCKS_LATENCY = RS_AVG },
	{ "p99_ns", "p99 wait", RS_TYPE_DURATION, 0, 0, 11, "99 % waited at most this",
	  LOCKS_LATENCY = RS_P99 },
	{ "max_ns", "max wait", RS_TYPE_DURATION, 0, RS_COLUMN_LATENCY, 11, "longest",
	  LOCKS_LATENCY = RS_MAX },
	{ "last_waker", "last waker", RS_TYPE_TEXT, 0, 0, 22,
	  "who woke the last that slept for it: most likely who held it; <idle>: an interrupt; null: all "
	  "spun",
	  .cell = locks_show_waker },
	{ "syscall", "syscall", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 16,
	  "the system call in which it was waited for most of the time", .cell = locks_show_syscall },
	{ "symbol", "symbol", RS_TYPE_TEXT, 0, 0, 16, "the lock's name, where it is a variable of the kernel",
	  .cell = locks_show_symbol },
	RS_BY_STACK_COLUMN(locks_show_stack),
	{ 0 },
};


static const char *locks_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *type = rs_lock_type((unsigned int)arg);

	return type ? type : "lock";
}

const struct rs_analysis rs_analysis_locks = {
	.abi = RS_ABI,
	.name = "locks",
	.summary = "contention on kernel locks",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CONTENTION, .contention = on_contention }),
	.views = RS_LIST(rs_view,
			 { .name = "locks", .topic = RS_TOPIC_LOCKS,
			   .diff_by = "",
			   .summary = "kernel locks that were waited for: how often, how long, who let go",
			   .kind = RS_VIEW_TABLE,
			   .columns = columns,
			   .sort = "-total_ns",
			   .options = "by",
			   .store = stores,
			   .by = "lock_addr,type,caller",
			   .text_columns = "contended,total_ns,max_ns,avg_ns,type,lock_addr,caller,syscall,"
					   "comm,pid,last_waker,symbol,stack",
			   .latencies = RS_LIST(rs_latencies, { "total_ns,avg_ns,p99_ns,max_ns",
								.kind = "lock", .label_column = "type" }) }),
	.spans = RS_LIST(rs_span_kind, [SPAN_LOCK] = { .name = "lock",
						       .track = RS_TRACK_TASK,
						       .shape = RS_SPAN_SLICE,
						       .label = locks_span_label,
						       .rate = "lock waits",
						       .slowest = "kernel lock",
						       .cause = RS_CAUSE_LOCK,
						       .columns = RS_LIST(rs_column,
									  { "lock_addr", "lock", RS_TYPE_TEXT,
									    0, 0, 18, "its address" }) }),
	.uses_stacks = true,
	.stores = stores,
	.list_in_flight = locks_in_flight,
	.emit_in_flight = locks_in_flight,
};
