// SPDX-License-Identifier: GPL-2.0-or-later
/* task-events - the engine's own handlers of events about tasks, their names, states and requests */
#include "engine/task-events.h"

#include <stdlib.h>

#include "engine/analysis-instance.h"
#include "engine/match/contentions.h"
#include "engine/states/context.h"
#include "engine/calls/call-abi.h"
#include "engine/internal.h"
#include "engine/match/irq-events.h"
#include "engine/match/matcher.h"
#include "engine/names.h"
#include "engine/net/accepts.h"
#include "engine/net/polls.h"
#include "engine/net/round-trips.h"
#include "engine/net/sockets.h"
#include "engine/observer.h"
#include "engine/match/requests.h"
#include "engine/session-events.h"
#include "engine/session-select.h"
#include "engine/match/stalls.h"
#include "engine/states/states.h"
#include "engine/store/store-table.h"
#include "engine/task-args.h"
#include "engine/task-table.h"

enum {
	SWITCH_PREV_COMM,
	SWITCH_PREV_PID,
	SWITCH_PREV_STATE,
	SWITCH_NEXT_COMM,
	SWITCH_NEXT_PID,
	SWITCH_NEXT_PRIO,
	SWITCH_FLAGS
};

static void task_events_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	const struct rs_cpu *cpu = &s->states.cpus[ev->cpu];
	char letter = rs_api_prev_state_letter(c, rs_u64(ev, &f[SWITCH_PREV_STATE]));
	int32_t prev_tid = (int32_t)rs_i64(ev, &f[SWITCH_PREV_PID]);

	if (__builtin_expect(s->cpu_contexts.irqs_recorded == RS_IRQS_UNSURE, 0))
		rs_context_learn_flags(s, rs_u64(ev, &f[SWITCH_FLAGS]));
	/* by its current name, before it may die */
	if (cpu->inst && cpu->tid == prev_tid)
		rs_names_comm(s, cpu->inst, ev, &f[SWITCH_PREV_COMM]);
	else if (prev_tid > 0)
		rs_names_comm(s, rs_tasks_get(&s->tasks, prev_tid, ev->ts_ns), ev, &f[SWITCH_PREV_COMM]);
	rs_states_switch(&s->states, ev->cpu, prev_tid, letter, (int32_t)rs_i64(ev, &f[SWITCH_NEXT_PID]),
			 ev->ts_ns);
	rs_names_comm(s, cpu->inst, ev, &f[SWITCH_NEXT_COMM]);
	if (cpu->inst && rs_has(&f[SWITCH_NEXT_PRIO]))
		cpu->inst->task.prio = (int16_t)rs_i64(ev, &f[SWITCH_NEXT_PRIO]);
	if (cpu->left && cpu->left->task.state == RS_DEAD)
		rs_session_end_task(s, cpu->left, ev->ts_ns);
}

enum { WAKE_COMM, WAKE_PID, WAKE_TARGET_CPU, WAKE_FLAGS };

#define WAKE_FIELDS { "comm", "pid", "target_cpu", "?common_flags" }
#define IN_SOFTIRQ 16 /* TRACE_FLAG_SOFTIRQ, likewise */
#define IN_HARDIRQ 8 /* TRACE_FLAG_HARDIRQ of trace_events.h: no format says it, and no kernel has another */

/*
 * A hard interrupt is itself the waker, whichever task it interrupted. A softirq is not distinguished: the
 * sender of a packet runs it in its own call, and the woken task waited for that sender.
 */
static int32_t task_events_waker_of(const struct rs_event *ev, uint64_t flags)
{
	return flags & IN_HARDIRQ ? 0 : ev->tid;
}

static void task_events_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	int32_t tid = (int32_t)rs_i64(ev, &f[WAKE_PID]);
	uint64_t flags = rs_u64(ev, &f[WAKE_FLAGS]);

	RS_OBSERVE(s->observers.waking, s, ev->task, flags & IN_SOFTIRQ);
	rs_states_waking(&s->states, tid, (uint16_t)rs_u64(ev, &f[WAKE_TARGET_CPU]),
			 task_events_waker_of(ev, flags), ev->ts_ns);
	RS_OBSERVE(s->observers.woken, s);
	rs_names_comm(s, rs_tasks_find(&s->tasks, tid), ev, &f[WAKE_COMM]);
}

/* Older recordings, and custom ones, have sched_wakeup alone; if there is a sched_waking, that one counts. */
static void on_wakeup(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	enum rs_wakeups *wakeups = &s->task_events.wakeups;

	if (__builtin_expect(*wakeups == RS_WAKEUPS_UNSURE, 0))
		*wakeups = rs_session_occurs(s, rs_session_event_id(s, "sched", "sched_waking")) ?
				   RS_WAKEUPS_IGNORED :
				   RS_WAKEUPS_USED;
	if (*wakeups == RS_WAKEUPS_USED)
		task_events_on_waking(c, ev, f);
}

static void on_wakeup_new(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	int32_t tid = (int32_t)rs_i64(ev, &f[WAKE_PID]);

	rs_states_wakeup_new(&s->states, tid, (uint16_t)rs_u64(ev, &f[WAKE_TARGET_CPU]),
			     task_events_waker_of(ev, rs_u64(ev, &f[WAKE_FLAGS])), ev->ts_ns);
	rs_names_comm(s, rs_tasks_find(&s->tasks, tid), ev, &f[WAKE_COMM]);
}

enum { MIGRATE_COMM, MIGRATE_PID, MIGRATE_DEST_CPU, MIGRATE_ORIG_CPU };

static void task_events_on_migrate(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	struct rs_task_instance *inst = rs_tasks_get(&s->tasks, (int32_t)rs_i64(ev, &f[MIGRATE_PID]),
						     ev->ts_ns);

	if (!inst)
		return;
	rs_names_comm(s, inst, ev, &f[MIGRATE_COMM]);
	RS_OBSERVE(s->observers.migrate, s, inst, (uint16_t)rs_i64(ev, &f[MIGRATE_ORIG_CPU]), ev->tid,
		   ev->ts_ns);
	rs_states_migrate(&s->states, inst, (uint16_t)rs_u64(ev, &f[MIGRATE_ORIG_CPU]),
			  (uint16_t)rs_u64(ev, &f[MIGRATE_DEST_CPU]), ev->ts_ns);
}

/* The tid's next instance begins, and everything of the last one ends. */
static struct rs_task_instance *task_events_begin_lifetime(struct rs_session *s, int32_t tid, uint64_t ts_ns)
{
	struct rs_task_instance *old = rs_tasks_find(&s->tasks, tid), *inst;

	if (old) {
		rs_session_end_task(s, old, ts_ns);
		rs_states_end_task(&s->states, old, ts_ns);
		RS_OBSERVE(s->observers.end_task, s, old);
	}
	s->names.names_it = true; /* the event at hand has the name: no look-up needed */
	inst = rs_tasks_renew(&s->tasks, tid, ts_ns);
	s->names.names_it = false;
	if (inst) {
		inst->task.birth_ns = inst->task.start_ns = ts_ns;
		inst->new_task = true;
	}
	return inst;
}

enum { NEWTASK_PID, NEWTASK_COMM, NEWTASK_FLAGS };

static void task_events_on_newtask(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	struct rs_task_instance *child = task_events_begin_lifetime(s, (int32_t)rs_i64(ev, &f[NEWTASK_PID]),
								    ev->ts_ns),
				*parent;

	if (!child)
		return;
	child->fresh = true;
	rs_names_comm(s, child, ev, &f[NEWTASK_COMM]);
	parent = rs_tasks_get(&s->tasks, ev->tid, ev->ts_ns);
	if (!parent)
		return;
	rs_names_fork(s, parent, child, true, rs_u64(ev, &f[NEWTASK_FLAGS]));
	RS_OBSERVE(s->observers.fork, s, &parent->task, &child->task, rs_u64(ev, &f[NEWTASK_FLAGS]),
		   ev->ts_ns);
}

enum { FORK_PARENT_COMM, FORK_PARENT_PID, FORK_CHILD_COMM, FORK_CHILD_PID };

static void on_fork(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	int32_t tid = (int32_t)rs_i64(ev, &f[FORK_CHILD_PID]);
	struct rs_task_instance *child = rs_tasks_find(&s->tasks, tid), *parent;

	/* task_newtask has reported this very fork already: it comes first and knows more */
	if (child && child->fresh)
		child->fresh = false;
	else
		child = task_events_begin_lifetime(s, tid, ev->ts_ns);
	parent = rs_tasks_get(&s->tasks, (int32_t)rs_i64(ev, &f[FORK_PARENT_PID]), ev->ts_ns);
	if (!child || !parent)
		return;
	rs_names_comm(s, parent, ev, &f[FORK_PARENT_COMM]);
	rs_names_comm(s, child, ev, &f[FORK_CHILD_COMM]);
	if (!child->task.pid)
		rs_names_fork(s, parent, child, false, 0);
}

enum { EXEC_FILENAME, EXEC_PID, EXEC_OLD_PID };

static void task_events_on_exec(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	int32_t tid = (int32_t)rs_i64(ev, &f[EXEC_PID]), old_tid = (int32_t)rs_i64(ev, &f[EXEC_OLD_PID]);
	struct rs_task_instance *inst = rs_tasks_get(&s->tasks, tid, ev->ts_ns), *old;
	char path[512];
	const char *base;

	if (!inst)
		return;
	if (s->states.on && s->states.cpus[ev->cpu].tid != old_tid && s->states.cpus[ev->cpu].tid != tid)
		rs_states_infer_switch(&s->states, ev->cpu, old_tid, ev->ts_ns);
	old = old_tid != tid ? rs_tasks_find(&s->tasks, old_tid) : NULL;
	if (old) {
		rs_states_reassign(&s->states, old, inst, ev->ts_ns);
		RS_OBSERVE(s->observers.reassign, s, old, inst);
		rs_calls_reassign(&s->calls, old, inst, ev->ts_ns);
		rs_matcher_reassign(s, &old->task, &inst->task, ev->ts_ns);
		if (!inst->task.ppid) /* a first thread that was never seen */
			inst->task.ppid = old->task.ppid;
		inst->took_over = true;
		for (unsigned int i = 0; i < s->nr_analyses; i++)
			rs_store_task_reassign(&s->analyses[i].ctx, &old->task, &inst->task);
	}
	RS_OBSERVE(s->observers.exec, s, old, inst);
	rs_call_abi_exec(s, inst);
	inst->hides_fds = false; /* exec gives it a table of its own, and closes its rings */
	inst->program_ns = ev->ts_ns;
	inst->knows_interpreted = false;
	/* after an exec it is the only thread of its process */
	inst->task.pid = tid;
	rs_session_select(s, inst);
	if (!rs_str(ev, &f[EXEC_FILENAME], path, sizeof path))
		return;
	free(inst->program);
	inst->program = strdup(path); /* NULL without memory: unknown, as one that began earlier */
	base = strrchr(path, '/');
	rs_names_comm_text(s, inst, base ? base + 1 : path);
	rs_task_args_ask(s, inst);
}

enum { EXIT_COMM, EXIT_PID };

static void task_events_on_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	struct rs_task_instance *inst = rs_tasks_get(&s->tasks, (int32_t)rs_i64(ev, &f[EXIT_PID]), ev->ts_ns);

	if (!inst)
		return;
	rs_names_comm(s, inst, ev, &f[EXIT_COMM]);
	inst->task.exited = true;
	inst->task.last_ns = ev->ts_ns;
	rs_calls_end_task(&s->calls, inst, ev->ts_ns);
	RS_OBSERVE(s->observers.end_task, s, inst);
	rs_tasks_ended(&s->tasks, inst);
}

enum { RENAME_PID, RENAME_OLD, RENAME_NEW };

static void on_rename(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	/* newer kernels omit the pid: then it is the current task, unless the old name says otherwise */
	int32_t tid = rs_has(&f[RENAME_PID]) ? (int32_t)rs_i64(ev, &f[RENAME_PID]) : ev->tid;
	struct rs_task_instance *inst = rs_tasks_get(&s->tasks, tid, ev->ts_ns);
	char old[RS_COMM_LEN];

	if (!inst)
		return;
	rs_str(ev, &f[RENAME_OLD], old, sizeof old);
	if (!rs_has(&f[RENAME_PID]) && inst->task.comm_is_from_event && strcmp(old, inst->task.comm) != 0)
		return;
	/* a name that no event has given yet is that of a list, which may be of another time */
	if (!inst->task.comm_is_from_event)
		rs_tasks_note_rename(inst, old, ev->ts_ns);
	rs_names_comm(s, inst, ev, &f[RENAME_NEW]);
}

enum { ATTACH_ROOT, ATTACH_PID, ATTACH_PATH };

/*
 * Root 0 is version 2's hierarchy. With version 1 a task has a group of each controller, and the one that is
 * shown stays.
 */
static void task_events_on_attach(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	char path[1024];

	if (rs_str(ev, &f[ATTACH_PATH], path, sizeof path) && *path)
		RS_OBSERVE(c->session->observers.attach, c->session, (int32_t)rs_i64(ev, &f[ATTACH_PID]),
			   rs_u64(ev, &f[ATTACH_ROOT]), path, ev->ts_ns);
}

/* Block events name the task in whose context they fire. */
static void on_own_comm(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_names_comm(c->session, ev->task ? rs_task_instance_of(ev->task) : NULL, ev, &f[0]);
}

enum { RQ_DEV, RQ_SECTOR, RQ_NR_SECTOR, RQ_RWBS, RQ_BYTES };

/* A read does not sync, and what a task writes while it reads a file is of others, as in reclaim. */
static uint64_t task_events_request_file(struct rs_ctx *c, struct rs_task *t, const char *rwbs)
{
	enum rs_file_op op = RS_FILE_NONE;
	uint64_t file = rs_task_file(c, t, &op);

	return op == (strchr(rwbs, 'R') ? RS_FILE_SYNC : RS_FILE_READ) ? 0 : file;
}

static struct rs_request_event task_events_request(struct rs_ctx *c, const struct rs_event *ev,
						   const struct rs_field *f)
{
	struct rs_request_event rq = {
		.dev = (uint32_t)rs_u64(ev, &f[RQ_DEV]),
		.sector = rs_u64(ev, &f[RQ_SECTOR]),
		.nr_sectors = rs_u64(ev, &f[RQ_NR_SECTOR]),
		.task = ev->task,
		.shown = rs_shown(c, ev->task),
		.shown_unnamed = rs_shown(c, NULL),
		.ts_ns = ev->ts_ns,
	};

	/* a passthrough request has bytes and no sectors; a sector is 512 bytes on any device */
	rq.bytes = rs_has(&f[RQ_BYTES]) ? rs_u64(ev, &f[RQ_BYTES]) : rq.nr_sectors * 512;
	rs_str(ev, &f[RQ_RWBS], rq.rwbs, sizeof rq.rwbs);
	if (ev->task)
		rq.file = task_events_request_file(c, ev->task, rq.rwbs);
	return rq;
}

#define REQUEST_HANDLER(event) \
	static void on_rq_##event(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f) \
	{ \
		struct rs_request_event rq = task_events_request(c, ev, f); \
		rs_requests_##event(&c->session->requests, &rq); \
	}

REQUEST_HANDLER(bio)
REQUEST_HANDLER(start)
REQUEST_HANDLER(insert)
REQUEST_HANDLER(issue)
REQUEST_HANDLER(requeue)

static void on_rq_complete(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_request_event rq = task_events_request(c, ev, f);

	c->session->task_events.completed.ts_ns = ev->ts_ns;
	c->session->task_events.completed.cpu = ev->cpu;
	rs_requests_complete(&c->session->requests, &rq);
}

#define REQUEST(event, need, handler) \
	{ "block", event, need, RS_BY_ANYONE, handler, { "dev", "sector", "nr_sector", "rwbs", "?bytes" } }

#define BLOCK_COMM(event) { "block", event, RS_PASSIVE, RS_BY_ANYONE, on_own_comm, { "comm" } }

static const struct rs_analysis tasks = {
	.abi = RS_ABI,
	.name = "tasks",
	.requirements = RS_LIST(
		rs_requirement,
		{ "task",
		  "task_newtask",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  task_events_on_newtask,
		  { "pid", "comm", "clone_flags" } },
		{ "task",
		  "task_rename",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  on_rename,
		  { "?pid", "oldcomm", "newcomm" } },
		{ "sched",
		  "sched_process_fork",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  on_fork,
		  { "parent_comm", "parent_pid", "child_comm", "child_pid" } },
		{ "sched",
		  "sched_process_exec",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  task_events_on_exec,
		  { "filename", "pid", "old_pid" } },
		{ "sched",
		  "sched_process_exit",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  task_events_on_exit,
		  { "comm", "pid" } },
		/* others fire it, too; but as RS_BY_ANYONE it would keep -p from narrowing any capture */
		{ "cgroup",
		  "cgroup_attach_task",
		  RS_OPTIONAL,
		  RS_BY_TASK,
		  task_events_on_attach,
		  { "dst_root", "pid", "dst_path" } },
		BLOCK_COMM("block_rq_insert"), BLOCK_COMM("block_rq_issue"), BLOCK_COMM("block_rq_merge"),
		BLOCK_COMM("block_io_start"), BLOCK_COMM("block_io_done"), BLOCK_COMM("block_bio_queue"),
		BLOCK_COMM("block_bio_backmerge"), BLOCK_COMM("block_bio_frontmerge"),
		BLOCK_COMM("block_getrq"), BLOCK_COMM("block_plug"), BLOCK_COMM("block_unplug")),
};

static const struct rs_analysis states = {
	.abi = RS_ABI, .name = "states",
	.requirements = RS_LIST(rs_requirement,
		{ "sched", "sched_switch", RS_REQUIRED, RS_BY_ANYONE, task_events_on_switch,
		  { "prev_comm", "prev_pid", "prev_state", "next_comm", "next_pid", "?next_prio",
		    "?common_flags" } },
		{ "sched", "sched_waking", RS_OPTIONAL, RS_BY_ANYONE, task_events_on_waking, WAKE_FIELDS },
		{ "sched", "sched_wakeup", RS_FALLBACK, RS_BY_ANYONE, on_wakeup, WAKE_FIELDS },
		{ "sched", "sched_wakeup_new", RS_OPTIONAL, RS_BY_ANYONE, on_wakeup_new, WAKE_FIELDS },
		{ "sched", "sched_migrate_task", RS_OPTIONAL, RS_BY_ANYONE, task_events_on_migrate,
		  { "comm", "pid", "dest_cpu", "orig_cpu" } }),
};

static const struct rs_analysis requests = {
	.abi = RS_ABI, .name = "requests",
	.requirements = RS_LIST(rs_requirement,
		REQUEST("block_rq_issue", RS_REQUIRED, on_rq_issue),
		REQUEST("block_rq_complete", RS_REQUIRED, on_rq_complete),
		REQUEST("block_rq_insert", RS_OPTIONAL, on_rq_insert),
		REQUEST("block_rq_requeue", RS_OPTIONAL, on_rq_requeue),
		REQUEST("block_io_start", RS_OPTIONAL, on_rq_start),
		REQUEST("block_bio_queue", RS_PASSIVE, on_rq_bio)),
};

/* The engine requires events just as an analysis does: tasks first, so that a named task exists. */
const struct rs_analysis *const rs_engine_parts[RS_NR_ENGINE_PARTS] = {
	[RS_ENGINE_TASKS] = &tasks,
	[RS_ENGINE_STATES] = &states,
	[RS_ENGINE_CALLS] = &rs_engine_calls,
	[RS_ENGINE_REQUESTS] = &requests,
	[RS_ENGINE_LOCKS] = &rs_engine_locks,
	[RS_ENGINE_STALLS] = &rs_engine_stalls,
	[RS_ENGINE_IRQS] = &rs_engine_irqs,
	[RS_ENGINE_SOCKETS] = &rs_engine_sockets,
	[RS_ENGINE_MESSAGES] = &rs_engine_messages,
	[RS_ENGINE_ACCEPTS] = &rs_engine_accepts,
	[RS_ENGINE_POLLS] = &rs_engine_polls,
	[RS_ENGINE_ROUND_TRIPS] = &rs_engine_round_trips,
};
