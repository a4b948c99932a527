// SPDX-License-Identifier: GPL-2.0-or-later
/* execsnoop - each program that is begun, fails to begin, or ends */
#include <stdio.h>

#include "ringside/plugin.h"

enum { TIME, TYPE, LIFETIME, COMM, PID, PPID, RET, ARGS, FILENAME, NR_COLUMNS };

/* Of a row, and all that a span has. */
#define EXECSNOOP_FILENAME_COLUMN \
	{ "filename", "FILENAME", RS_TYPE_TEXT, 0, 0, 8, "exec: the file, as it was given" }

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIMEs", RS_TYPE_TIME, RS_UNIT_S, 0, 14,
		   "when it was begun, refused, or ended" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4,
		   "exec: a program was begun, or refused; exit: a process ended" },
	[LIFETIME] = { "lifetime_ns", "LIFE", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_LATENCY, 8,
		       "exit: since its fork; null where that was before the capture" },
	[COMM] = { "comm", "PCOMM", RS_TYPE_TEXT, 0, 0, 16, "the process: of an exec, under its new name" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "process" },
	[PPID] = { "ppid", "PPID", RS_TYPE_ID, 0, 0, 7,
		   "the process that made it; of an older one its parent when tracing began" },
	[RET] = { "ret", "RET", RS_TYPE_COUNT, 0, RS_COLUMN_SIGNED, 3,
		  "exec: 0, or the error (-2 ENOENT); exit: null, the kernel does not say" },
	[ARGS] = { "args", "ARGS", RS_TYPE_TEXT, 0, 0, 4,
		   "exec: its command line, as it was recorded, or live if it was still there to be asked" },
	[FILENAME] = EXECSNOOP_FILENAME_COLUMN,
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

enum { SPAN_EXEC };

/*
 * Kernels whose exit event has no group_dead: a process ends with the last of its
 * threads, so these are counted at its first one, which may end before the others.
 */
struct process {
	uint32_t nr_threads; /* born within the capture and alive, the first apart */
	bool first_has_expired;
	bool is_counted;     /* of any other thread: it is one of nr_threads */
	uint64_t expired_ns;
};

/* The first thread of t's process, whose fork was the process'; t itself where that is not known. */
static struct rs_task *execsnoop_process_id(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_task *first = t->pid && t->pid != t->tid ? rs_task_get(c, t->pid) : t;

	return first && first->pid ? first : t;
}

/* What happened to the tid across a gap is not known: it may have become another's. */
static bool execsnoop_is_discarded(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_discarded(c, t->birth_ns ? t->birth_ns : t->first_ns, rs_last_event_ns(c));
}

static void emit(struct rs_ctx *c, struct rs_task *t, const char *type, struct rs_value v[NR_COLUMNS])
{
	v[TIME] = rs_u(rs_last_event_ns(c));
	v[TYPE] = rs_s(type);
	v[COMM] = rs_s(rs_task_process_comm(c, t));
	v[PID] = rs_u_if(t->pid, (uint64_t)t->pid);
	v[PPID] = rs_u_if(t->ppid && !execsnoop_is_discarded(c, t), (uint64_t)t->ppid);
	rs_emit(c, 0, v);
}

enum { EXEC_FILENAME, EXEC_PID };

static void execsnoop_on_exec(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, &f[EXEC_PID]));
	struct rs_value v[NR_COLUMNS] = { 0 };
	char filename[512], args[4096];

	if (!t)
		return;
	/* it is the only thread now */
	*(struct process *)rs_task_data(c, t) = (struct process){ 0 };
	if (!rs_shown(c, t))
		return;
	rs_str(ev, &f[EXEC_FILENAME], filename, sizeof filename);
	v[FILENAME] = rs_s(filename);
	if (rs_spans_enabled(c))
		rs_emit_span(c, SPAN_EXEC, &(struct rs_span){ .task = t, .start_ns = ev->ts_ns,
							      .end_ns = ev->ts_ns,
							.values = &v[FILENAME] });
	if (!rs_row_is_shown(c, 0, 0))
		return;
	rs_task_args(c, t, true, args, sizeof args);
	v[RET] = rs_i(0);
	v[ARGS] = rs_s(args);
	emit(c, t, "exec", v);
}

static void refused(struct rs_ctx *c, struct rs_task *t, int64_t ret)
{
	struct rs_value v[NR_COLUMNS] = { 0 };

	if (!t || ret >= 0 || !rs_shown(c, t) || !rs_row_is_shown(c, 0, 0))
		return;
	v[RET] = rs_i(ret);
	emit(c, execsnoop_process_id(c, t), "exec", v);
}

enum { CALL_RET };

/* The event of execve alone: no record for other calls. */
static void on_execve(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	refused(c, ev->task, rs_i64(ev, &f[CALL_RET]));
}

/* The call's own event reports it, too, before this one or after it. */
static bool has_own_event(const struct rs_ctx *c, const struct rs_call *call)
{
	const char *name = rs_syscall_name(c, call->nr);
	char event[64];

	snprintf(event, sizeof event, "sys_exit_%s", name ? name : "execve");
	return rs_event_is_recorded(c, "syscalls", event);
}

/* A recording of all system calls, and not of those events. */
static void execsnoop_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	if (!call->discarded && !call->in_flight && call->ret < 0 && call->ret >= -4095 &&
	    rs_has_subscriber(c, 0) && !has_own_event(c, call))
		refused(c, call->task, call->ret);
}

static void execsnoop_on_newtask(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, &f[0])), *first = t
		? execsnoop_process_id(c, t) : NULL;

	if (!t || first == t)
		return;
	((struct process *)rs_task_data(c, t))->is_counted = true;
	((struct process *)rs_task_data(c, first))->nr_threads++;
}

static bool execsnoop_is_last(struct rs_ctx *c, struct rs_task *t, struct rs_task *first)
{
	struct process *p = rs_task_data(c, first), *own = rs_task_data(c, t);

	if (t == first) {
		p->first_has_expired = true;
		p->expired_ns = rs_last_event_ns(c);
	} else if (own->is_counted) {
		own->is_counted = false;
		p->nr_threads -= p->nr_threads > 0;
	} else {
		return false; /* older than the capture: its process is taken to end with its first thread */
	}
	return p->first_has_expired && !p->nr_threads;
}

enum { EXIT_PID, EXIT_GROUP_DEAD };

static void execsnoop_on_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, &f[EXIT_PID])),
		       *first = t ? execsnoop_process_id(c, t) : NULL;
	struct rs_value v[NR_COLUMNS] = { 0 };
	bool created_here, is_known;

	if (!t || !(rs_has(&f[EXIT_GROUP_DEAD]) ? rs_u64(ev, &f[EXIT_GROUP_DEAD]) != 0 :
						  execsnoop_is_last(c, t, first)))
		return;
	((struct process *)rs_task_data(c, first))->first_has_expired = false;
	if (!t->pid && !rs_has(&f[EXIT_GROUP_DEAD])) {
		/* the end of a process, or of one of its threads: not known */
		if (rs_has_subscriber(c, 0) || rs_spans_enabled(c))
			rs_count(c, RS_COUNT_UNMATCHED);
		return;
	}
	created_here = first->birth_ns && t->pid;
	is_known = created_here && !execsnoop_is_discarded(c, first);
	if (created_here && !is_known)
		rs_count(c, RS_COUNT_DISCARDED);
	if (!rs_shown(c, first) || !rs_row_is_shown(c, 0, is_known ? ev->ts_ns - first->birth_ns : 0))
		return;
	v[LIFETIME] = rs_u_if(is_known, ev->ts_ns - first->birth_ns);
	emit(c, first, "exit", v);
}

/* The end of a process whose last thread's was lost. */
static void execsnoop_on_end(struct rs_ctx *c, uint64_t end_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct process *p = rs_task_data(c, t);

		if (p->first_has_expired && rs_discarded(c, p->expired_ns, end_ns))
			rs_count(c, RS_COUNT_DISCARDED);
	}
}

const struct rs_analysis rs_analysis_execsnoop = {
	.abi = RS_ABI,
	.name = "execsnoop",
	.summary = "programs that are begun, and processes that end",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = execsnoop_on_call, .kinds = 1 << RS_CALL_EXEC,
					    .if_recorded = true }),
	.requirements = RS_LIST(rs_requirement,
		{ "sched", "sched_process_exec", RS_REQUIRED, RS_BY_TASK, execsnoop_on_exec,
		  { "filename", "pid" } },
		{ "sched", "sched_process_exit", RS_REQUIRED, RS_BY_TASK, execsnoop_on_exit,
		  { "pid", "?group_dead" } },
		{ "syscalls", "sys_exit_execve", RS_OPTIONAL, RS_BY_TASK, on_execve, { "ret" } },
		{ "syscalls", "sys_exit_execveat", RS_OPTIONAL, RS_BY_TASK, on_execve, { "ret" } },
		{ "task", "task_newtask", RS_OPTIONAL, RS_BY_TASK, execsnoop_on_newtask, { "pid" } }),
	.views = RS_LIST(rs_view,
		{ .name = "execsnoop", .topic = RS_TOPIC_CALLS,
		  .summary = "each program that is begun, and each process that ends",
		  .kind = RS_VIEW_STREAM,
		  .columns = columns, .options = "type", .types = "exec,exit",
		  .text_columns = "type,lifetime_ns,comm,pid,ppid,ret,args" }),
	.spans = RS_LIST(rs_span_kind, [SPAN_EXEC] = { .name = "exec", .track = RS_TRACK_TASK,
						       .shape = RS_SPAN_INSTANT,
						       .columns = RS_LIST(rs_column,
							       EXECSNOOP_FILENAME_COLUMN) }),
	.task_size = sizeof(struct process),
	.end = execsnoop_on_end,
};
