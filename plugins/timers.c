// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timers - the kernel's timers by function and by who sets them: how often they expire, and how late
 *
 * A timer is set in the context of a task, or in an interrupt. One that an interrupt sets anew, as the
 * function of a periodic timer does, stays that of the task that had set it.
 */
#include "ringside/plugin.h"

#define TIMERS_NR 16384u /* timers that are remembered: the next one of the same hash takes the place */

enum timers_kind { TIMERS_WHEEL, TIMERS_HRTIMER, TIMERS_ITIMER, TIMERS_NR_KINDS };

struct timers_row {
	uint64_t starts, expirations, cancels;
	struct rs_hist late;
};

/* The keys: the function, of an itimer which of the three; the kind. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct timers_row), .of_tasks = true, .max_rows = 16384, .kept_keys = 2,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct timers_row, starts, cancels),
			      { RS_MEASURE_LATENCY, offsetof(struct timers_row, late) }) },
	{ 0 },
};

enum timers_state { TIMERS_OFF, TIMERS_ARMED, TIMERS_CANCELED };

struct timers_timer {
	uint64_t addr, function, start_ns;
	int64_t due_ns;           /* of a hrtimer, in its own clock */
	int32_t tid;              /* who set it; 0: an interrupt, or idle */
	uint32_t inst;
	enum timers_state state;
};

struct timers {
	struct timers_timer timers[TIMERS_NR];
};

/* The place of a timer, which another one may have. */
static struct timers_timer *timers_place(struct rs_ctx *c, uint64_t addr)
{
	return &((struct timers *)c->state)->timers[rs_hash_u64(addr) % TIMERS_NR];
}

/* NULL: its start was not seen. */
static struct timers_timer *timers_find(struct rs_ctx *c, uint64_t addr)
{
	struct timers_timer *timer = timers_place(c, addr);

	return timer->addr == addr && timer->state != TIMERS_OFF ? timer : NULL;
}

static struct rs_task *timers_task_of(struct rs_ctx *c, const struct timers_timer *timer)
{
	struct rs_task *t = timer && timer->tid ? rs_task_find(c, timer->tid) : NULL;

	return t && t->inst == timer->inst ? t : NULL;
}

/* NULL: it is not shown, or there is no memory. */
static struct timers_row *timers_row_of(struct rs_ctx *c, struct rs_task *t, uint64_t function,
					enum timers_kind kind)
{
	return rs_shown(c, t) ? rs_store_row(c, 0, t, function, kind) : NULL;
}

/* ---- set, stopped, expired ---- */

enum { START_ADDR, START_FUNCTION, START_FLAGS, START_DUE };

static void timers_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			 enum timers_kind kind)
{
	uint64_t addr = rs_u64(ev, &f[START_ADDR]), function = rs_u64(ev, &f[START_FUNCTION]);
	bool in_interrupt = rs_u64(ev, &f[START_FLAGS]) & RS_FLAGS_IN_INTERRUPT;
	struct timers_timer *timer = timers_place(c, addr);
	struct rs_task *t = in_interrupt ? NULL : ev->task;
	struct timers_row *row;

	if (in_interrupt && timer->addr == addr && timer->function == function)
		t = timers_task_of(c, timer);
	else if (timer->addr != addr && timer->state == TIMERS_ARMED)
		rs_count(c, RS_COUNT_EVICTED);
	*timer = (struct timers_timer){ .addr = addr, .function = function, .start_ns = ev->ts_ns,
					.due_ns = rs_i64(ev, &f[START_DUE]), .tid = t ? t->tid : 0,
					.inst = t ? t->inst : 0, .state = TIMERS_ARMED };
	row = timers_row_of(c, t, function, kind);
	if (row)
		row->starts++;
}

/* The kernel fires this for a timer that expires, too, right before its function is called: see below. */
static void timers_cancel(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			  enum timers_kind kind)
{
	struct timers_timer *timer = timers_find(c, rs_u64(ev, f));
	struct timers_row *row;

	if (!timer || timer->state != TIMERS_ARMED)
		return;
	timer->state = TIMERS_CANCELED;
	row = timers_row_of(c, timers_task_of(c, timer), timer->function, kind);
	if (row)
		row->cancels++;
}

enum { EXPIRE_ADDR, EXPIRE_FUNCTION, EXPIRE_NOW };

static void timers_expire(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			  enum timers_kind kind)
{
	struct timers_timer *timer = timers_find(c, rs_u64(ev, &f[EXPIRE_ADDR]));
	struct timers_row *row = timers_row_of(c, timers_task_of(c, timer), rs_u64(ev, &f[EXPIRE_FUNCTION]),
					       kind);
	int64_t late_ns;

	if (row) {
		row->expirations++;
		row->cancels -= timer && timer->state == TIMERS_CANCELED && row->cancels;
	}
	if (!timer)
		return;
	timer->state = TIMERS_OFF;
	/* those of the wheel count in ticks, whose length no event tells */
	late_ns = kind == TIMERS_HRTIMER ? rs_i64(ev, &f[EXPIRE_NOW]) - timer->due_ns : -1;
	if (row && late_ns >= 0 && !rs_discarded(c, timer->start_ns, ev->ts_ns))
		rs_hist_add(&row->late, (uint64_t)late_ns);
}

#define TIMERS_HANDLERS(name, kind) \
	static void timers_on_##name##_start(struct rs_ctx *c, const struct rs_event *ev, \
					     const struct rs_field *f) \
	{ \
		timers_start(c, ev, f, kind); \
	} \
	static void timers_on_##name##_cancel(struct rs_ctx *c, const struct rs_event *ev, \
					      const struct rs_field *f) \
	{ \
		timers_cancel(c, ev, f, kind); \
	} \
	static void timers_on_##name##_expire(struct rs_ctx *c, const struct rs_event *ev, \
					      const struct rs_field *f) \
	{ \
		timers_expire(c, ev, f, kind); \
	}

TIMERS_HANDLERS(wheel, TIMERS_WHEEL)
TIMERS_HANDLERS(hrtimer, TIMERS_HRTIMER)

enum { ITIMER_WHICH, ITIMER_SECONDS, ITIMER_NS, ITIMER_US };

/* Set to 0 it is stopped. */
static void timers_on_itimer_state(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct timers_row *row = timers_row_of(c, ev->task, rs_u64(ev, &f[ITIMER_WHICH]), TIMERS_ITIMER);

	if (row && (rs_u64(ev, &f[ITIMER_SECONDS]) || rs_u64(ev, &f[ITIMER_NS]) || rs_u64(ev, &f[ITIMER_US])))
		row->starts++;
	else if (row)
		row->cancels++;
}

enum { ITIMER_PID = ITIMER_WHICH + 1 };

static void timers_on_itimer_expire(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_find(c, (int32_t)rs_u64(ev, &f[ITIMER_PID]));
	struct timers_row *row = timers_row_of(c, t, rs_u64(ev, &f[ITIMER_WHICH]), TIMERS_ITIMER);

	if (row)
		row->expirations++;
}

/* ---- rows ---- */

static struct rs_value timers_show_kind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const char *const names[TIMERS_NR_KINDS] = {
		[TIMERS_WHEEL] = "timer", [TIMERS_HRTIMER] = "hrtimer", [TIMERS_ITIMER] = "itimer",
	};

	return rs_s(g->keys[1] < TIMERS_NR_KINDS ? names[g->keys[1]] : NULL);
}

/* Where addresses have no names the address tells one function from another. */
static struct rs_value timers_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const char *const itimers[] = { "ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF" };
	uint64_t function = g->keys[0];
	const char *name;

	if (function == RS_KEY_FORGOTTEN)
		return rs_null();
	if (g->keys[1] == TIMERS_ITIMER)
		return rs_s(function < sizeof itimers / sizeof *itimers ? itimers[function] : NULL);
	name = rs_function(c, function);
	return name ? rs_s(name) : rs_show_address(c, g, buf);
}

static struct rs_value timers_show_rate(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_milli_per_second(c, ((const struct timers_row *)g->row)->expirations);
}

#define TIMERS_SUM(member) .measure_bytes = offsetof(struct timers_row, member), .aspect = RS_VALUE
#define TIMERS_LATE .measure_bytes = offsetof(struct timers_row, late), .aspect

static const struct rs_column columns[] = {
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 24,
	  "what the kernel calls when it expires; an address where its name is not known; of an itimer which "
	  "of the three", .key = RS_KEY_0, .by_cell = true, .cell = timers_show_function },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 7,
	  "timer (of the timer wheel, in ticks), hrtimer, itimer (setitimer, alarm)", .key = RS_KEY_1,
	  .by_cell = true, .cell = timers_show_kind },
	RS_GROUP_BY_COLUMNS,
	{ "starts", "STARTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "times that it was set: by this task, or anew by the kernel for it", TIMERS_SUM(starts) },
	{ "expirations", "EXPIRED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that it expired",
	  TIMERS_SUM(expirations) },
	{ "rate", "EXPIRED/s", RS_TYPE_MILLI, 0, 0, 9, "expirations a second", .cell = timers_show_rate },
	{ "cancels", "CANCELED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "times that it was stopped before it expired, for good or to be set anew", TIMERS_SUM(cancels),
	  .if_recorded = "timer:timer_cancel,timer:hrtimer_cancel,timer:itimer_state" },
	{ "late_avg_ns", "LATEavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11,
	  "hrtimers: how long after the earliest time it was set for it expired, the average",
	  TIMERS_LATE = RS_AVG },
	{ "late_p99_ns", "LATEp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "99 % were late by at most this",
	  TIMERS_LATE = RS_P99 },
	{ "late_max_ns", "LATEmax(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "the latest",
	  TIMERS_LATE = RS_MAX },
	{ 0 },
};

#define TIMERS_EVENTS(kind, addr, due) \
	{ "timer", #kind "_start", RS_REQUIRED, RS_BY_ANYONE, timers_on_##addr##_start, \
	  { #kind, "function", "common_flags", due } }, \
	{ "timer", #kind "_cancel", RS_OPTIONAL, RS_BY_ANYONE, timers_on_##addr##_cancel, { #kind } }, \
	{ "timer", #kind "_expire_entry", RS_REQUIRED, RS_BY_ANYONE, timers_on_##addr##_expire, \
	  { #kind, "function", "now" } }

const struct rs_analysis rs_analysis_timers = {
	.abi = RS_ABI,
	.name = "timers",
	.summary = "timers of the kernel: who sets them, how often they expire, and how late",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		TIMERS_EVENTS(timer, wheel, "expires"),
		TIMERS_EVENTS(hrtimer, hrtimer, "softexpires"),
		{ "timer", "itimer_state", RS_OPTIONAL, RS_BY_ANYONE, timers_on_itimer_state,
		  { "which", "value_sec", "?value_nsec", "?value_usec" } },
		{ "timer", "itimer_expire", RS_OPTIONAL, RS_BY_ANYONE, timers_on_itimer_expire,
		  { "which", "pid" } }),
	.views = RS_LIST(rs_view,
		{ .name = "timers", .topic = RS_TOPIC_CPU,
		  .summary = "timers by function and task: how often they are set, expire, and how late",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-expirations", .by = "function,kind,comm,pid",
		  .text_columns = "function,kind,comm,pid,starts,expirations,rate,cancels,late_avg_ns,"
				  "late_p99_ns,late_max_ns" }),
	.stores = stores,
	.state_size = sizeof(struct timers),
};
