/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-table.h - the table of tasks: tid to its life now, and all lives in order
 *
 * Each task carries behind it the bytes that the analyses asked for, so that an
 * analysis reaches its own data without another look-up. Lives that have ended
 * are kept for the tables until there are too many; then the oldest go, and
 * where none has ended the oldest of those that live. A pointer to a life holds
 * until rs_tasks_trim: nothing else evicts.
 */
#ifndef RS_ENGINE_TASK_TABLE_H
#define RS_ENGINE_TASK_TABLE_H

#include <stddef.h>

#include "base/map.h"
#include "ringside/task.h"

/* The engine's own part of a task: the public one first. */
struct rs_task_instance {
	struct rs_task task;
	struct rs_map_node node;                /* by tid */
	struct rs_task_instance *next, *prev;   /* all lives, oldest first */
	struct rs_task_instance *next_ended;    /* lives that have ended, in that order */
	bool ended;                    /* in that list */
	/* state machine, see states.c */
	uint64_t pending_wake_ns;      /* a waking came while it was on its CPU; 0 none */
	int32_t pending_waker;
	bool provisional;              /* RS_DELAY that began at the switch-out, see SEMANTICS "Delay" */
	bool partial;                  /* RS_RUN whose begin is not known */
	bool fresh;                    /* born by task_newtask: sched_process_fork tells of the same life */
	bool new_task;                  /* its fork or first wake-up was seen: its first sys_exit is fork's */
	bool own;                      /* a list of tasks says that it is ringside's; .task.self may be by its name, too */
	bool followed;                 /* -p, -t: a task that was asked for made it */
	bool seen_by_sched;            /* a sched event named it */
	uint32_t on_cpu;               /* 1 + the CPU whose current it is; 0 none */
	uint32_t wait_interval;           /* counted in the depth of .task.cpu's run queue if it is the epoch now; 0 not */
	int64_t wait_ns, delay_ns;     /* what led to the stint now; -1 unknown */
	/* conservation: where each nanosecond of its life went */
	uint64_t spent_ns[RS_NR_STATES];
	int64_t dead_ns;               /* between its own death and an exec that gave it a state again */
	uint64_t died_ns;              /* of RS_DEAD */
	uint64_t unknown_ns;           /* of spent_ns[RS_UNKNOWN], and of dead_ns, what lies after the last reset */
	int64_t dead_since_reset_ns;
	/* the call it is in, see calls.c */
	uint64_t call_oncpu_ns;
	uint32_t call_holes;
	uint64_t range_oncpu_ns;       /* .task.oncpu_ns where the time range began, of a task that lived then */
	bool has_exited_call;          /* a sys_exit of this life was seen */
	bool call_never_returns;
	uint8_t enter_told, exit_told; /* enum rs_call_told: of the call it is in, and of the exit before */
	int64_t exit_nr;               /* of that exit; only where both kinds may tell */
	/* of which table its calls' numbers are, see call-abi.c */
	int64_t call_table;            /* RS_CALL_COMPAT, and RS_CALL_DOUBTFUL; 0 the kernel's own, or nothing tells */
	uint8_t abi;                   /* enum rs_abi */
	uint8_t nr_abi_hints;          /* calls so far that look like a 32-bit program's */
	bool abi_changed;              /* its calls are not all of one program */
	/* what it waits for, see waits.h */
	uint64_t request_done_ns, request_sector; /* of its request that completed last; 0 none */
	uint32_t request_dev;
	int32_t compaction_order;      /* 1 + that of the compaction that comes next, see stalls.c; 0 unknown */
	/* what is known of its process' descriptors, see fd-paths.c */
	bool ends_fds;                 /* in a call that may give numbers to other files ... */
	int32_t ends_fds_of;           /* ... of this process; 0 unknown */
	bool hides_fds;                /* of a process' first thread: its calls do not tell of all that it opens and closes */
};

struct rs_tasks {
	struct rs_map by_tid;          /* the one that each tid means now */
	struct rs_task_instance *oldest, *newest;
	struct rs_task_instance *ended, **ended_tail;
	size_t nr_instances, max_instances, instance_bytes;
	struct rs_task_instance *free;          /* evicted, for use again: linked by next */
	uint64_t nr_evicted;
	uint32_t generation;           /* moves when a tid begins to mean another life: caches are stale */
	void (*on_new)(void *arg, struct rs_task_instance *inst);  /* a life has begun */
	void (*on_evict)(void *arg,
			 struct rs_task_instance *inst); /* before one is evicted, and then on_end */
	void (*on_end)(void *arg, struct rs_task_instance *inst);  /* before a life is freed */
	void *arg;
};

int rs_tasks_init(struct rs_tasks *t, size_t extra_bytes, size_t max_instances);
void rs_tasks_done(struct rs_tasks *t); /* calls on_end for each life */

struct rs_task_instance *rs_tasks_find(const struct rs_tasks *t, int32_t tid); /* the life now, or NULL */
/* The life now, made at now_ns if this is the first sight. NULL: tid <= 0, or no memory. */
struct rs_task_instance *rs_tasks_get(struct rs_tasks *t, int32_t tid, uint64_t now_ns);
/* The life has ended: it may be evicted when there are too many. */
void rs_tasks_ended(struct rs_tasks *t, struct rs_task_instance *inst);
/* Ends the life of that tid, if any, and begins the next. */
struct rs_task_instance *rs_tasks_renew(struct rs_tasks *t, int32_t tid, uint64_t now_ns);
/* Evicts until there are at most max_lives, those on a CPU apart: for a moment when nobody holds a life. */
void rs_tasks_trim(struct rs_tasks *t);

#endif
