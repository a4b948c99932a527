// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call-events.c - system calls from raw_syscalls:sys_enter and sys_exit, which report all of them, or from
 * syscalls:sys_enter_NAME and sys_exit_NAME, which report one each
 */
#include <stdlib.h>

#include "engine/bind.h"
#include "engine/calls/call-abi.h"
#include "engine/internal.h"

enum { CALL_NR, CALL_ARGS, CALL_RET = CALL_ARGS };

#define MAX_CALL_ARGS 6

/*
 * An event of a single call. Its fields are bound when the first one comes: a recording may have 700 such
 * formats.
 */
struct rs_named_call {
	struct rs_bound bound;          /* the number, then the arguments or what was returned */
	unsigned int id, nr_args;
	bool is_exit, is_bound, is_bad;
};

/* Such calls are captured, for a filter in the kernel costs more, and ignored here. */
static inline bool call_events_is_own(const struct rs_ctx *c, const struct rs_task_instance *inst)
{
	return __builtin_expect(inst->task.self, 0) && !c->session->config.selection.self;
}

static enum rs_call_report call_events_find_source(const struct rs_session *s, const struct rs_event *ev)
{
	const struct rs_analysis_instance *instance = &s->parts[RS_ENGINE_CALLS];

	for (size_t i = 0; i < instance->nr_bindings; i++)
		if (instance->bindings[i].bound.id == ev->id)
			return RS_CALL_REPORT_RAW;
	return RS_CALL_REPORT_NAMED;
}

/* If two events report a call, that of all calls has all six words. */
static __attribute__((noinline)) bool call_events_enter_is_reported(struct rs_session *s,
								    struct rs_task_instance *inst,
								    const struct rs_event *ev, int64_t nr,
								    const void *args)
{
	enum rs_call_report by = call_events_find_source(s, ev);
	bool reported = rs_calls_entered(&s->calls, inst, nr, by);

	if (reported && by == RS_CALL_REPORT_RAW)
		memcpy(inst->task.syscall_args, args, sizeof inst->task.syscall_args);
	return reported;
}

static __attribute__((noinline)) bool call_events_exit_is_reported(struct rs_session *s,
								   struct rs_task_instance *inst,
								   const struct rs_event *ev, int64_t nr)
{
	return rs_calls_exited(&s->calls, inst, nr, call_events_find_source(s, ev));
}

/* args: six words in our own size and order, wherever they lie. */
static inline __attribute__((always_inline)) void call_events_enter_words(struct rs_ctx *c,
									  const struct rs_event *ev,
									  int64_t nr, const void *args)
{
	struct rs_task_instance *inst = ev->task ? rs_task_instance_of(ev->task) : NULL;
	struct rs_session *s = c->session;

	if (!inst || call_events_is_own(c, inst))
		return;
	if (__builtin_expect(s->calls.named, 0) && call_events_enter_is_reported(s, inst, ev, nr, args))
		return;
	if (__builtin_expect(inst->abi == RS_ABI_UNKNOWN, 0))
		rs_call_abi_enter(s, inst, nr, args);
	/* the call in flight still owns the argument words: it is judged first */
	rs_calls_enter(&s->calls, inst, nr | inst->call_table, ev->ts_ns);
	memcpy(inst->task.syscall_args, args, sizeof inst->task.syscall_args);
	RS_OBSERVE(s->observers.call, s, inst);
}

static __attribute__((noinline)) void call_events_enter(struct rs_ctx *c, const struct rs_event *ev,
							int64_t nr, const void *args)
{
	call_events_enter_words(c, ev, nr, args);
}

/* For recordings of another word size or byte order. */
static __attribute__((noinline)) void call_events_enter_any(struct rs_ctx *c, const struct rs_event *ev,
							    const struct rs_field *f)
{
	uint64_t args[MAX_CALL_ARGS];

	for (unsigned int i = 0; i < MAX_CALL_ARGS; i++)
		args[i] = rs_u64_elem(ev, &f[CALL_ARGS], i, MAX_CALL_ARGS);
	call_events_enter(c, ev, rs_i64(ev, &f[CALL_NR]), args);
}

/*
 * Often every second event of a recording: rare cases are in functions of their own, so that they cost no
 * registers here.
 */
static void on_enter(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	int64_t nr;

	if (!(f[CALL_NR].flags & RS_FIELD_WORD) || f[CALL_ARGS].size_bytes != MAX_CALL_ARGS * sizeof nr) {
		call_events_enter_any(c, ev, f);
		return;
	}
	memcpy(&nr, ev->data + f[CALL_NR].offset_bytes, sizeof nr);
	call_events_enter_words(c, ev, nr, ev->data + f[CALL_ARGS].offset_bytes);
}

/* Exits of all calls and of single ones: both have the number and the returned value. */
static void on_exit_call(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	int64_t nr = rs_i64(ev, &f[CALL_NR]), ret = rs_i64(ev, &f[CALL_RET]);
	struct rs_task_instance *inst = ev->task ? rs_task_instance_of(ev->task) : NULL;
	struct rs_session *s = c->session;
	struct rs_call call;
	bool ended;

	if (!inst || call_events_is_own(c, inst))
		return;
	if (__builtin_expect(s->calls.named, 0) && call_events_exit_is_reported(s, inst, ev, nr))
		return;
	if (__builtin_expect(inst->abi == RS_ABI_UNKNOWN || nr != inst->task.syscall, 0))
		nr = rs_call_abi_exit(s, inst, nr, ret);
	ended = rs_calls_exit(&s->calls, inst, ev->cpu, nr, ret, ev->ts_ns, &call);
	if (ended)
		rs_dispatch_call(s, &call);
	RS_OBSERVE(s->observers.call_done, s, inst, nr | inst->call_table, ret, ev->ts_ns, ended);
}

/* ---- events of single calls ---- */

/* Newer kernels add the text that an argument points to: that is no argument. */
static bool call_events_is_word(const struct rs_field *f)
{
	return rs_has(f) && !(f->flags & RS_FIELD_DYNAMIC);
}

static void call_events_bind_named(struct rs_session *s, struct rs_named_call *n)
{
	unsigned int nr_fields;

	n->is_bound = true;
	n->is_bad = rs_formats_bind_own(s->formats, n->id, &n->bound, &nr_fields) != RS_BIND_OK ||
		    !nr_fields || (n->is_exit && nr_fields <= CALL_RET);
	if (n->is_bad)
		return;
	while (n->nr_args < MAX_CALL_ARGS && CALL_ARGS + n->nr_args < nr_fields &&
	       call_events_is_word(&n->bound.fields[CALL_ARGS + n->nr_args]))
		n->nr_args++;
	if (n->bound.min_len_bytes > s->routes.by_id[n->id].min_len_bytes)
		s->routes.by_id[n->id].min_len_bytes = n->bound.min_len_bytes;
}

/* Returns false if the format cannot be parsed, or the record is too short for it. */
static bool call_events_can_read(struct rs_session *s, struct rs_named_call *n, const struct rs_event *ev)
{
	if (__builtin_expect(!n->is_bound, 0))
		call_events_bind_named(s, n);
	if (!n->is_bad && ev->len_bytes >= n->bound.min_len_bytes)
		return true;
	s->quality.nr_bad_records++;
	return false;
}

/* A handler gets its fields, which are the first of bound.fields. */
static struct rs_named_call *call_events_named_of(const struct rs_field *f)
{
	return (struct rs_named_call *)(uintptr_t)((const char *)f -
						   offsetof(struct rs_named_call, bound.fields));
}

static void on_named_enter(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_named_call *n = call_events_named_of(f);
	uint64_t args[MAX_CALL_ARGS] = { 0 };
	int64_t nr;

	if (!call_events_can_read(c->session, n, ev))
		return;
	for (unsigned int i = 0; i < n->nr_args; i++)
		args[i] = rs_u64(ev, &f[CALL_ARGS + i]);
	call_events_enter(c, ev, rs_i64(ev, &f[CALL_NR]), args);
	if (!ev->task || ev->task->syscall < 0)
		return;
	nr = rs_i64(ev, &f[CALL_NR]);
	if (nr >= 0 && nr < RS_MAX_CALL_NUMBERS)
		c->session->call_events.seen[nr] = true;
	if (rs_task_instance_of(ev->task)->abi == RS_ABI_UNKNOWN)
		rs_call_abi_named(c->session, rs_task_instance_of(ev->task), nr);
	rs_calls_entered_by_name(&c->session->calls, rs_task_instance_of(ev->task));
}

static void on_named_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (call_events_can_read(c->session, call_events_named_of(f), ev))
		on_exit_call(c, ev, f);
}

/* "sys_enter_NAME" or "sys_exit_NAME" */
static bool call_events_is_named(const char *system, const char *name, bool *is_exit)
{
	*is_exit = !strncmp(name, "sys_exit_", strlen("sys_exit_"));
	return !strcmp(system, "syscalls") &&
	       (*is_exit || !strncmp(name, "sys_enter_", strlen("sys_enter_")));
}

static unsigned int call_events_count_named(const struct rs_formats *formats)
{
	unsigned int nr = 0, id;
	const char *system, *name;
	bool is_exit;

	for (size_t i = 0; rs_formats_nth(formats, i, &system, &name, &id); i++)
		nr += call_events_is_named(system, name, &is_exit);
	return nr;
}

int rs_call_events_find_named(struct rs_session *s)
{
	unsigned int nr = call_events_count_named(s->formats), nr_exits = 0, id;
	const char *system, *name;
	bool is_exit;

	if (!nr)
		return 0;
	s->call_events.named = calloc(nr, sizeof *s->call_events.named);
	if (!s->call_events.named)
		return -1;
	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++)
		if (call_events_is_named(system, name, &is_exit)) {
			s->call_events.named[s->call_events.nr_named++] = (struct rs_named_call){ .id = id,
				.is_exit = is_exit };
			nr_exits += is_exit;
		}
	/* ends without begins are no calls: execsnoop requires the exit of execve alone */
	if (!nr_exits || nr_exits == nr)
		s->call_events.nr_named = 0;
	s->calls.named = s->call_events.nr_named > 0;
	if (s->calls.named) /* bind one now: the common fields may be known from no other format */
		call_events_bind_named(s, s->call_events.named);
	return s->calls.named;
}

bool rs_calls_occur(struct rs_session *s)
{
	bool occur = rs_session_occurs(s, rs_session_event_id(s, "raw_syscalls", "sys_enter")) ||
		     rs_session_occurs(s, rs_session_event_id(s, "raw_syscalls", "sys_exit"));

	for (unsigned int i = 0; i < s->call_events.nr_named && !occur; i++)
		occur = rs_session_occurs(s, s->call_events.named[i].id);
	return occur;
}

int rs_call_events_route_named(struct rs_session *s)
{
	struct rs_analysis_instance *instance = &s->parts[RS_ENGINE_CALLS];

	for (unsigned int i = 0; i < s->call_events.nr_named && !instance->off[0]; i++) {
		struct rs_named_call *n = &s->call_events.named[i];

		if (rs_bind_target(s, n->id, &n->bound, n->is_exit ? on_named_exit : on_named_enter,
				   &instance->ctx) < 0)
			return -1;
	}
	return 0;
}

const struct rs_analysis rs_engine_calls = {
	.abi = RS_ABI, .name = "calls",
	.requirements = RS_LIST(rs_requirement,
		{ "raw_syscalls", "sys_enter", RS_REQUIRED, RS_BY_TASK, on_enter, { "id", "args" } },
		{ "raw_syscalls", "sys_exit", RS_REQUIRED, RS_BY_TASK, on_exit_call, { "id", "ret" } }),
};
