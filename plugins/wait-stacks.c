// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wait-stacks - where tasks wait: time off the CPU, and other waits, by the stack of the event that began
 * them
 */
#include <string.h>

#include "ringside/plugin.h"

#define WAIT_STACK_TEXT_BYTES 16384

enum stacks_type {
	STACKS_OFF_CPU,
	STACKS_RUN_QUEUE,
	STACKS_BLOCK,
	STACKS_LOCK,
	STACKS_CALL,
	STACKS_FAULT,
	STACKS_OTHER
};

static const char *const type_names[] = {
	[STACKS_OFF_CPU] = "off-cpu", [STACKS_RUN_QUEUE] = "run-queue", [STACKS_BLOCK] = "block",
	[STACKS_LOCK] = "lock",       [STACKS_CALL] = "syscall",        [STACKS_FAULT] = "fault",
	[STACKS_OTHER] = "event",
};

struct stacks_row {
	uint64_t time_ns, count;
	uint64_t max_ns;
};

/* Keys are the stack, and the type of wait with its state and cause. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct stacks_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 1 << 18, .key0_is_stack = true,
	  .kept_keys = 2,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct stacks_row, time_ns, count),
		{ RS_MEASURE_MAX, offsetof(struct stacks_row, max_ns) }) },
	{ 0 },
};

struct stacks {
	bool seen;                 /* stacks were recorded: a wait without one is shown, too */
	char text[WAIT_STACK_TEXT_BYTES], modules[WAIT_STACK_TEXT_BYTES];
};

static uint64_t stacks_key(enum stacks_type type, char letter, enum rs_cause cause)
{
	return (uint64_t)type | (uint64_t)(unsigned char)letter << 8 | (uint64_t)cause << 16;
}

static enum stacks_type stacks_type_of(const struct rs_group *g)
{
	return (enum stacks_type)(g->keys[1] & 0xff);
}

static void stacks_add(struct rs_ctx *c, struct rs_task *t, uint32_t stack, uint64_t key, uint64_t from_ns,
		       uint64_t to_ns)
{
	struct stacks *s = c->state;
	struct stacks_row *row;

	s->seen |= stack > 0;
	if (!s->seen)
		return;
	row = rs_store_row(c, 0, t, stack, key);
	if (!row)
		return;
	row->time_ns += rs_part_ns(rs_since_ns(c), from_ns, to_ns);
	row->count += from_ns >= c->range_from_ns;
	if (to_ns - from_ns > row->max_ns)
		row->max_ns = to_ns - from_ns;
}

static void stacks_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;

	if (!iv->discarded)
		stacks_add(c, iv->task, rs_interval_stack(c, iv),
			   stacks_key(STACKS_OFF_CPU, iv->letter, w->cause), iv->from_ns, iv->to_ns);
}

static void stacks_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint32_t stack = iv->discarded ? 0 : rs_interval_stack(c, iv);

	if (stack)
		stacks_add(c, iv->task, stack, stacks_key(STACKS_RUN_QUEUE, 'R', RS_CAUSE_UNKNOWN),
			   iv->from_ns, iv->to_ns);
}

static void stacks_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct rs_task *t = r->stack && !r->discarded ? rs_task_find(c, r->tid) : NULL;

	if (t && r->shown)
		stacks_add(c, t, r->stack, stacks_key(STACKS_BLOCK, 0, RS_CAUSE_UNKNOWN), r->begin_ns,
			   r->complete_ns);
}

static void stacks_on_contention(struct rs_ctx *c, const struct rs_contention *k)
{
	if (k->stack && !k->discarded && k->task)
		stacks_add(c, k->task, k->stack, stacks_key(STACKS_LOCK, 0, RS_CAUSE_UNKNOWN), k->begin_ns,
			   k->end_ns);
}

static void stacks_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	uint32_t stack = call->discarded ? 0 : rs_call_stack(c, call);

	if (stack)
		stacks_add(c, call->task, stack, stacks_key(STACKS_CALL, 0, RS_CAUSE_UNKNOWN), call->enter_ns,
			   call->exit_ns);
}

static void stacks_on_stack(struct rs_ctx *c, const struct rs_event_stack *ev)
{
	const char *system = NULL, *name = ev->task ? rs_event_name(c, ev->id, &system) : NULL;

	if (name)
		stacks_add(c, ev->task, ev->stack,
			   stacks_key(!strcmp(system, "exceptions") ? STACKS_FAULT : STACKS_OTHER, 0,
				      RS_CAUSE_UNKNOWN),
			   ev->ts_ns, ev->ts_ns);
}

static void stacks_reset(struct rs_ctx *c)
{
	((struct stacks *)c->state)->seen = false;
}

/* ---- cells ---- */

static struct rs_value stacks_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return g->keys[1] == RS_KEY_FORGOTTEN ? rs_null() : rs_s(type_names[stacks_type_of(g)]);
}

static struct rs_value stacks_show_state(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	buf[0] = (char)(g->keys[1] >> 8);
	buf[1] = '\0';
	return rs_s(buf);
}

static struct rs_value stacks_show_cause(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	enum rs_cause cause = (enum rs_cause)(g->keys[1] >> 16 & 0xff);

	return stacks_type_of(g) != STACKS_OFF_CPU || cause == RS_CAUSE_UNKNOWN ?
		       rs_null() :
		       rs_s(rs_cause_row(cause)->name);
}

/* Without the frames that each wait of its type has. */
static uint32_t stacks_shown(const struct rs_ctx *c, const struct rs_group *g)
{
	unsigned int parts = RS_STACK_TRACING | RS_STACK_SCHEDULER;

	return rs_stack_outside_or_all(c, (uint32_t)g->keys[0],
				       stacks_type_of(g) == STACKS_LOCK ? parts | RS_STACK_LOCKS : parts);
}

static struct rs_value stacks_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, stacks_shown(c, g), &frame);
	return rs_s(frame.function ? frame.function : "[unknown]");
}

static struct rs_value stacks_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, stacks_shown(c, g), &frame);
	return rs_s(frame.module);
}

static uint32_t stacks_whole(const struct rs_ctx *c, const struct rs_group *g)
{
	return rs_stack_outside_or_all(c, (uint32_t)g->keys[0], RS_STACK_TRACING);
}

static struct rs_value stacks_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct stacks *s = c->state;

	return rs_s(rs_stack_text(c, stacks_whole(c, g), s->text, sizeof s->text));
}

static struct rs_value stacks_show_modules(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct stacks *s = c->state;

	return rs_s(rs_stack_modules(c, stacks_whole(c, g), s->modules, sizeof s->modules));
}

static struct rs_value stacks_show_callers(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct stacks *s = c->state;

	return rs_s(rs_stack_callers(c, stacks_shown(c, g), s->text, sizeof s->text));
}

/* For a flame graph: microseconds; events without a length count. */
static struct rs_value stacks_show_weight(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct stacks_row *row = g->row;

	return rs_u(stacks_type_of(g) >= STACKS_FAULT ? row->count : (row->time_ns + 500) / 1000);
}

#define STACKS_MEASURE(member) .measure_bytes = offsetof(struct stacks_row, member), .aspect = RS_VALUE
#define STACKS_KEY_1 .key = RS_KEY_1, .by_cell = true, .cell
#define STACKS_KEY_0 .key = RS_KEY_0, .by_cell = true, .cell

#define TYPE_COLUMNS \
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 9, \
	  "off-cpu, run-queue (where it had left its CPU), block, lock, syscall, fault, event: what " \
	  "was recorded with stacks", STACKS_KEY_1 = stacks_show_type }, \
	{ "state", "STATE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, \
	  "off-cpu: S sleep, D disk or other, as in offcpu", STACKS_KEY_1 = stacks_show_state }, \
	{ "cause", "CAUSE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, \
	  "off-cpu: what it waited for, as in offcpu; null unknown", STACKS_KEY_1 = stacks_show_cause }
#define MEASURE_COLUMNS \
	{ "time_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, \
	  "waited in all; faults and events have no length", STACKS_MEASURE(time_ns) }, \
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times", STACKS_MEASURE(count) }, \
	{ "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "longest", \
	  STACKS_MEASURE(max_ns) }, \
	{ "self", "WEIGHT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10, \
	  "time in us; of faults and events, their number", .cell = stacks_show_weight }

static const struct rs_column columns[] = {
	RS_TASK_COLUMNS,
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_IF_KNOWN),
	TYPE_COLUMNS,
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "innermost, outside of the scheduler; of a lock, who wants it",
	  STACKS_KEY_0 = stacks_show_function },
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16,
	  "program, library or kernel module that has the function", STACKS_KEY_0 = stacks_show_module,
	  .follows = "function" },
	{ "callers", "FUNCTION < CALLERS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "the function and its callers, innermost first", STACKS_KEY_0 = stacks_show_callers },
	MEASURE_COLUMNS,
	{ 0 },
};

/* For flame graphs: all frames, outermost first. */
static const struct rs_column whole_columns[] = {
	RS_TASK_COLUMNS,
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_IF_KNOWN),
	TYPE_COLUMNS,
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "functions, outermost first",
	  STACKS_KEY_0 = stacks_show_stack, .stack = stacks_whole },
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "modules of these functions, in the same order", STACKS_KEY_0 = stacks_show_modules,
	  .stack = stacks_whole, .of_modules = true, .follows = "stack" },
	MEASURE_COLUMNS,
	{ 0 },
};

#define TYPES "off-cpu,run-queue,block,lock,syscall,fault,event"

const struct rs_analysis rs_analysis_wait_stacks = {
	.abi = RS_ABI,
	.name = "stacks",
	.summary = "where tasks wait, by stacks",
	.by_name = true,
	.uses_stacks = true,
	.requires_stacks = "off-cpu",
	.requires_states = true,
	.samples = RS_SAMPLE_CGROUPS,
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_WAIT, .wait = stacks_on_wait },
		{ RS_ON_INTERVAL, .interval = stacks_on_interval,
		  .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_REQUEST, .request = stacks_on_request, .if_recorded = true },
		{ RS_ON_CONTENTION, .contention = stacks_on_contention, .if_recorded = true },
		{ RS_ON_CALL, .call = stacks_on_call, .if_recorded = true },
		{ RS_ON_STACK, .stack = stacks_on_stack }),
	.views = RS_LIST(rs_view,
		{ .name = "stacks", .topic = RS_TOPIC_CODE,
		  .summary = "where tasks wait: time by stack and cause",
		  .kind = RS_VIEW_TABLE, .columns = columns,
		  .sort = "-time_ns,-count", .options = "by,type,format,debuginfod", .store = stores,
		  .by = "pid,type,state,cause,callers",
		  .types = TYPES, .text_columns = "time_ns,count,max_ns,comm,pid,type,state,cause,callers",
		  .folded = "wait-stacks" },
		{ .name = "wait-stacks", .topic = RS_TOPIC_CODE, .role = RS_ROLE_WAIT_STACKS,
		  .summary = "whole stacks of waits: time by type and stack", .kind = RS_VIEW_TABLE,
		  .columns = whole_columns,
		  .sort = "-time_ns,-count", .options = "by,type,format,debuginfod", .folded = "wait-stacks",
		  .store = stores, .by = "pid,type,cause,stack", .types = TYPES,
		  .text_columns = "time_ns,count,max_ns,comm,pid,type,cause,stack",
		  .folded_type = "off-cpu" }),
	.stores = stores,
	.state_size = sizeof(struct stacks),
	.reset = stacks_reset,
};
