/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-table.h - the table of tasks: the current instance of each tid, and all instances in order
 *
 * The data of the analyses follows each task, so that an analysis reaches its own data without another
 * look-up. Instances that have ended stay, so that tables can show them, until they expire or there are too
 * many; then the oldest ended ones are evicted, or the oldest of all if none has ended. A pointer to an
 * instance is valid until rs_tasks_trim or rs_tasks_expire.
 */
#ifndef RS_ENGINE_TASK_TABLE_H
#define RS_ENGINE_TASK_TABLE_H

#include <stddef.h>

#include "base/map.h"
#include "ringside/task.h"

struct rs_blamed_task;
struct rs_task_name;

/*
 * The names that a task had before its present one, which a picture of that time shows: a process is called
 * as its parent until its exec. The last few, the oldest first.
 */
#define RS_FORMER_NAMES 3

struct rs_former_names {
	unsigned int nr;
	struct {
		uint64_t until_ns;
		char comm[RS_COMM_LEN];
	} at[RS_FORMER_NAMES];
};

/* The engine's own data of a task; the public part comes first. */
struct rs_task_instance {
	struct rs_task task;
	struct rs_map_node node;                /* by tid */
	struct rs_task_instance *next, *prev;   /* all instances, oldest first */
	struct rs_task_instance *next_ended;    /* instances that have ended, in that order */
	bool ended;                    /* in that list */
	/* an exec by another thread continued it: from then on /proc has the counters of that thread */
	bool took_over;
	/* state machine, see states.c */
	uint64_t pending_wake_ns;      /* a waking came while it was on its CPU; 0 none */
	int32_t pending_waker;
	bool provisional;              /* RS_DELAY that began at the switch-out, see SEMANTICS "Delay" */
	bool partial;                  /* RS_RUN whose start is not known */
	/* created by task_newtask: sched_process_fork reports the same instance */
	bool fresh;
	/* its fork or first wake-up was seen: its first sys_exit is that of fork */
	bool new_task;
	/* a list of tasks marks it as ringside's; .task.self may be set by its name, too */
	bool own;
	bool followed;                 /* -p, -t: created by a selected task */
	bool seen_by_sched;            /* a sched event named it */
	uint32_t on_cpu;               /* 1 + the CPU that it is on; 0: none */
	/* counted in the depth of .task.cpu's run queue if equal to rs_states.queue_generation; 0: not */
	uint32_t queue_generation;
	int64_t wait_ns, delay_ns;     /* before the current on-CPU slice; -1: unknown */
	/* for the invariants: where each nanosecond of its lifetime went */
	uint64_t spent_ns[RS_NR_STATES];
	int64_t dead_ns;               /* between its exit and an exec that gave it a state again */
	uint64_t died_ns;              /* when it entered RS_DEAD */
	/* the part of spent_ns[RS_RUN] before the last reset, including a slice that goes on */
	uint64_t run_before_ns;
	uint64_t unknown_ns;           /* the part of spent_ns[RS_UNKNOWN] and dead_ns after the last reset */
	int64_t dead_since_reset_ns;
	/* its call, see calls.c */
	uint64_t call_oncpu_ns;
	uint64_t call_exit_ns;         /* the last one came then; see .has_exited_call */
	/* the table of its calls' numbers, see call-abi.c */
	/* RS_CALL_COMPAT, RS_CALL_DOUBTFUL; 0: the kernel's own, or not known */
	int64_t call_table;
	uint32_t call_holes;
	uint32_t watchers;             /* analyses that watch its calls: rs_analysis_instance.watcher */
	bool has_exited_call;          /* a sys_exit of this instance was seen */
	bool call_never_returns;
	uint8_t abi;                   /* enum rs_abi */
	uint8_t nr_abi_hints;          /* number of calls that look like a 32-bit program's */
	bool abi_changed;              /* it has run several programs */
	uint8_t enter_reported, exit_reported; /* enum rs_call_report: of its call, and of the last exit */
	/* stacks of its events, see companions.h; valid if they are of the time that is asked about */
	uint32_t stack, call_stack;    /* of its last switch-out; of its call */
	uint64_t stack_ns, call_stack_ns;
	int64_t exit_nr;               /* of that exit; set only if both kinds of events occur */
	uint64_t range_oncpu_ns;       /* .task.oncpu_ns at the start of the time range */
	struct rs_former_names *former; /* NULL: it was not renamed */
	/* for its waits, see waits.h */
	struct rs_task_name *name;     /* in the history; NULL: none */
	char *program;                 /* its own: the file that exec was given; NULL: no exec was seen */
	uint64_t program_ns;           /* of its last exec; 0: none was seen */
	uint32_t interpreted;          /* in a first thread: see process-program.h */
	bool knows_interpreted;
	struct rs_blamed_task *blamed; /* see blames.h; NULL: none */
	uint64_t request_done_ns, request_sector; /* its last completed request; 0: none */
	uint32_t request_dev;
	uint64_t futex_addr;           /* that it waited on last; 0: none */
	int32_t compaction_order;      /* 1 + the order of its next compaction, see stalls.c; 0: unknown */
	/* the descriptors of its process, see fd-paths.c */
	bool ends_fds;                 /* in a call that may reassign descriptors ... */
	int32_t ends_fds_of;           /* ... of this process; 0: unknown */
	/* in a first thread: the calls of the process do not show all that it opens and closes */
	bool hides_fds;
	/* likewise: another process moves its working directory, too; an exec does not end that */
	bool shares_cwd;
};

static inline struct rs_task_instance *rs_task_instance_of(const struct rs_task *t)
{
	return (struct rs_task_instance *)(uintptr_t)t; /* the task is its first member */
}

struct rs_tasks {
	struct rs_map by_tid;          /* the current instance of each tid */
	struct rs_task_instance *oldest, *newest;
	struct rs_task_instance *ended, **ended_tail;
	size_t nr_instances, max_instances, instance_bytes;
	struct rs_task_instance *free;          /* evicted, for reuse: linked by next */
	uint64_t nr_evicted;
	uint32_t generation;           /* changes when a tid gets another instance: caches are stale */
	void (*on_new)(void *arg, struct rs_task_instance *inst);  /* a new instance */
	void (*on_evict)(void *arg,
			 struct rs_task_instance *inst); /* before one is evicted; on_end follows */
	void (*on_end)(void *arg, struct rs_task_instance *inst);  /* before an instance is freed */
	void *arg;
};

int rs_tasks_init(struct rs_tasks *t, size_t extra_bytes, size_t max_instances);
void rs_tasks_done(struct rs_tasks *t); /* calls on_end for each instance */

/* the current instance, or NULL */
struct rs_task_instance *rs_tasks_find(const struct rs_tasks *t, int32_t tid);
/* The current instance, created at now_ns if there is none. NULL: tid <= 0, or no memory. */
struct rs_task_instance *rs_tasks_get(struct rs_tasks *t, int32_t tid, uint64_t now_ns);
/* Until now that was the name of the task. Without memory the time before has the new one. */
void rs_tasks_note_rename(struct rs_task_instance *inst, const char *former, uint64_t now_ns);
/* Returns the name that the task had then, "" if none is known. Valid until its next rename, or its end. */
const char *rs_tasks_comm_at(const struct rs_task_instance *inst, uint64_t ts_ns);
/* The instance has ended: it may be evicted when there are too many. */
void rs_tasks_ended(struct rs_tasks *t, struct rs_task_instance *inst);
/* Ends the instance of that tid, if any, and begins the next one. */
struct rs_task_instance *rs_tasks_renew(struct rs_tasks *t, int32_t tid, uint64_t now_ns);
/*
 * Evicts until there are at most max_instances, except tasks on a CPU: call it when no pointer to an instance
 * is in use.
 */
void rs_tasks_trim(struct rs_tasks *t);
/*
 * Evicts those that ended before that time, which no table and no question is about any more: they do not
 * count as evicted. Call it where rs_tasks_trim may be called.
 */
void rs_tasks_expire(struct rs_tasks *t, uint64_t before_ns);

#endif
