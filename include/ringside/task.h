/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - what the engine knows of a task, read-only for analyses
 *
 * A task is one thread from fork to exit: a tid that is reused is another task
 * (a task instance). The pointer identifies it, and is valid until the analysis'
 * task_evict callback for it has returned.
 */
#ifndef RINGSIDE_TASK_H
#define RINGSIDE_TASK_H

#include "event.h"

enum rs_state {
	RS_UNKNOWN,   /* not seen yet, or a gap made it uncertain */
	RS_RUN,       /* on a CPU */
	RS_DELAY,     /* woken, not yet on a CPU */
	RS_PREEMPTED, /* left its CPU runnable, not yet on one again */
	RS_BLOCKED,   /* left its CPU in a sleeping state, not yet woken */
	RS_IDLE,      /* CPUs only: no task to run */
	RS_DEAD,      /* left its CPU for good */
	RS_NR_STATES,
};

/* "run", "delay", "preempted", "blocked" (D), "sleep"; NULL for the others. */
const char *rs_state_name(enum rs_state state, char letter);

#define RS_AGE_UNKNOWN UINT64_MAX /* of rs_task_state: the start is not known */

/*
 * These bits of a call's number name its table: a 64-bit kernel runs 32-bit programs, whose calls have other
 * numbers. Store and compare numbers with these bits; show rs_call_number.
 */
#define RS_CALL_COMPAT (1ll << 40)   /* a 32-bit program's */
#define RS_CALL_DOUBTFUL (1ll << 41) /* the table is likely but not certain: the call's name ends in "?" */

static inline int64_t rs_call_number(int64_t nr)
{
	return nr < 0 ? nr : nr & ~(RS_CALL_COMPAT | RS_CALL_DOUBTFUL);
}

/*
 * Whose limits findings tell of. With version 1 of cgroups a task has a path of its own in each one's
 * hierarchy.
 */
enum rs_cgroup_controller { RS_CGROUP_CPU, RS_CGROUP_MEMORY, RS_CGROUP_IO, RS_NR_CGROUP_CONTROLLERS };

struct rs_task {
	int32_t tid;
	int32_t pid;               /* thread group; 0: unknown */
	/* process that forked its process, or its parent when tracing began; 0: unknown */
	int32_t ppid;
	uint32_t inst;             /* number of this task instance among those of its tid, from 0 */
	char comm[RS_COMM_LEN];    /* last known; "": unknown */
	bool comm_is_from_event;   /* else from the recording's cmdlines or /proc */
	bool self;                 /* one of ringside's own threads */
	bool kernel_thread;
	bool exited;
	bool selected;             /* passes -p, -t, -c and is shown */
	/*
	 * its path when tracing began, or its parent's at the fork, or where it was moved to; NULL: unknown.
	 * See sample.h
	 */
	const char *cgroup;
	/* where it differs: see rs_task_cgroup. NULL: it does not; "": unknown */
	const char *cgroup_of[RS_NR_CGROUP_CONTROLLERS];
	uint64_t birth_ns;         /* fork within the capture; 0 if older */
	uint64_t first_ns, last_ns; /* first and last event that names it */

	/* the current state: [since_ns, ...) */
	enum rs_state state;
	char letter;               /* of RS_BLOCKED: S D I T t X Z P as the kernel prints */
	bool inferred;             /* RS_RUN that began at a bound, see SEMANTICS "a missing switch" */
	uint16_t cpu;              /* where it runs, or is expected to run */
	uint64_t since_ns;
	int32_t waker_tid;         /* of the last waking; -1 unknown, 0 an interrupt, or idle */
	/* the kernel's, at its last switch-in: 0 to 99 real-time, 120 + nice; -1 unknown */
	int16_t prio;
	/* a clock that runs while the task is seen on a CPU: see rs_task_oncpu_ns */
	uint64_t oncpu_ns;
	uint32_t oncpu_holes;      /* grows when oncpu_ns misses a part: compare it before and after */

	/* the system call it is in */
	int64_t syscall;           /* -1 none, or unknown; else see rs_call_number */
	uint64_t syscall_enter_ns;
	uint64_t syscall_args[6];
};

/* The path of the group whose limit of that kind holds for the task; NULL: unknown. */
static inline const char *rs_task_cgroup(const struct rs_task *t, enum rs_cgroup_controller controller)
{
	const char *path = t->cgroup_of[controller];

	return !path ? t->cgroup : *path ? path : NULL;
}

/* A system call that ended, as matched by the engine. */
struct rs_call {
	struct rs_task *task;
	int64_t nr;                /* of sys_enter, see rs_call_number */
	int64_t ret;
	bool ret_known;            /* false for rt_sigreturn, whose exit has no return value */
	uint64_t enter_ns, exit_ns;
	uint16_t cpu;              /* of the exit */
	uint8_t kind;              /* of RS_ON_CALL: enum rs_call_kind; others ask rs_call_kind */
	bool discarded;            /* overlaps a gap: count it, but do not use it */
	bool in_flight;            /* the time range ends at exit_ns, the call does not: ret is not known */
	int64_t cpu_ns;            /* its on-CPU part; -1 unknown */
	int64_t cpu_inside_ns;     /* of that, what lies inside the time range; -1 unknown */
	const uint64_t *args;      /* six words */
};

/* A state of a task that has ended, or of a CPU if task is NULL. */
struct rs_interval {
	enum rs_state kind;
	struct rs_task *task;      /* NULL: RS_IDLE and RS_UNKNOWN of a CPU */
	uint64_t from_ns, to_ns;
	uint16_t cpu;              /* RUN, IDLE: its CPU; DELAY, PREEMPTED: the CPU it was switched in on */
	/* RUN: prev_state at its end (R and R+ are 'R'); BLOCKED: the state it slept in */
	char letter;
	bool inferred;             /* from_ns (RUN) or to_ns (DELAY, PREEMPTED, IDLE) is an upper bound */
	bool discarded;            /* overlaps a gap: count it, but do not use it */
	bool in_flight;            /* the time range ends at to_ns, the state does not: see rs_latency_add */
	/* BLOCKED: includes the delay up to the switch-in, because no wakings were recorded */
	bool with_delay;
	const struct rs_task *prev; /* DELAY, PREEMPTED: prev of its switch-in; NULL: idle or unknown */
	/* RUN: the wait before this slice; -1: unknown */
	int64_t wait_ns;           /* blocked before it */
	int64_t delay_ns;          /* runnable before it */
	/* the waker: for RUN of this slice, for BLOCKED at its end, for DELAY at its start */
	int32_t waker_tid;         /* -1 unknown, 0 an interrupt, or idle */
	const char *waker_comm;    /* of RUN and BLOCKED; NULL unknown */
};

/* Lost events of a CPU: between its last event before and its first event after them. */
struct rs_gap {
	uint16_t cpu;
	uint64_t from_ns, to_ns;
	uint64_t nr_lost;          /* 0: the kernel did not count them */
};

/* On-CPU time of a task up to now_ns, for the on-CPU part of a span on it. */
static inline uint64_t rs_task_oncpu_ns(const struct rs_task *t, uint64_t now_ns)
{
	return t->oncpu_ns + (t->state == RS_RUN && now_ns > t->since_ns ? now_ns - t->since_ns : 0);
}

#endif
