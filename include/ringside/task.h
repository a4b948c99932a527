/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - what the engine knows of a task, read-only for analyses
 *
 * A task is one thread over one life: a tid that is used again is another
 * task. The pointer is the identity and holds until the analysis' task_evict
 * callback for it has returned.
 */
#ifndef RINGSIDE_TASK_H
#define RINGSIDE_TASK_H

#include "event.h"

enum rs_state {
	RS_UNKNOWN,   /* not seen yet, or a gap made it uncertain */
	RS_RUN,       /* on a CPU */
	RS_DELAY,     /* woken, not yet on a CPU */
	RS_PREEMPTED, /* left its CPU runnable, not yet on one again */
	RS_BLOCKED,   /* left its CPU not runnable, not yet woken */
	RS_IDLE,      /* of a CPU only: nothing to run */
	RS_DEAD,      /* left its CPU for good */
	RS_NR_STATES,
};

/* "run", "delay", "preempted", "blocked" (D), "sleep"; NULL for the others. */
const char *rs_state_name(enum rs_state state, char letter);

#define RS_OPEN_UNKNOWN UINT64_MAX /* of rs_task_open: since when is not known */

/*
 * A call's number says which table it is of, too: a 64-bit kernel runs 32-bit programs, whose calls are numbered
 * otherwise. So wherever a call's number is kept or compared, it is with these; what is shown is rs_call_number.
 */
#define RS_CALL_COMPAT (1ll << 40)   /* a 32-bit program's */
#define RS_CALL_DOUBTFUL (1ll << 41) /* and which of both it is, is likely and not certain: its name ends in "?" */

static inline int64_t rs_call_number(int64_t nr)
{
	return nr < 0 ? nr : nr & ~(RS_CALL_COMPAT | RS_CALL_DOUBTFUL);
}

struct rs_task {
	int32_t tid;
	int32_t pid;               /* thread group; 0 where nothing told */
	int32_t ppid;              /* process that made its process, or was its parent when tracing began; 0 unknown */
	uint32_t inst;             /* counts the lives of this tid from 0 */
	char comm[RS_COMM_LEN];    /* last known; "" where nothing told */
	bool comm_is_from_event;   /* else from the file's list or /proc */
	bool self;                 /* one of ringside's own threads */
	bool kernel_thread;
	bool exited;
	bool selected;             /* passes -p, -t, -c and is shown */
	const char *cgroup;        /* its path when tracing began, or its parent's at its birth; NULL unknown: see sample.h */
	uint64_t birth_ns;         /* fork within the capture; 0 if older */
	uint64_t first_ns, last_ns; /* first and last sight */

	/* the state now: [since_ns, ...) */
	enum rs_state state;
	char letter;               /* of RS_BLOCKED: S D I T t X Z P as the kernel prints */
	bool inferred;             /* RS_RUN that began at a bound, see SEMANTICS "a missing switch" */
	uint16_t cpu;              /* where it runs, or will run as far as known */
	uint64_t since_ns;
	int32_t waker_tid;         /* of the last waking; -1 unknown, 0 an interrupt, or idle */
	uint64_t oncpu_ns;         /* a clock that runs while the task is seen on a CPU: see rs_task_oncpu_ns */
	uint32_t oncpu_holes;      /* where this moved, oncpu_ns has a hole in between */

	/* the system call it is in */
	int64_t syscall;           /* -1 none, or unknown; else see rs_call_number */
	uint64_t syscall_enter_ns;
	uint64_t syscall_args[6];
};

/* A system call that ended, as matched by the engine. */
struct rs_call {
	struct rs_task *task;
	int64_t nr;                /* the enter's, see rs_call_number */
	int64_t ret;
	bool ret_known;            /* rt_sigreturn's exit tells nothing */
	uint64_t enter_ns, exit_ns;
	uint16_t cpu;              /* of the exit */
	bool discarded;               /* overlaps a gap: to be counted, never used */
	bool in_flight;            /* the time range ends at exit_ns, the call does not: ret is not known */
	int64_t cpu_ns;            /* its on-CPU part; -1 unknown */
	int64_t cpu_inside_ns;     /* of that, what lies inside the time range; -1 unknown */
	const uint64_t *args;      /* six words */
};

/* One closed interval of a task, or of a CPU where task is NULL. */
struct rs_interval {
	enum rs_state kind;
	struct rs_task *task;      /* NULL: RS_IDLE and RS_UNKNOWN of a CPU */
	uint64_t from_ns, to_ns;
	uint16_t cpu;              /* RUN, IDLE: where; DELAY, PREEMPTED: where it was switched in */
	char letter;               /* RUN: the state it left in (R and R+ are 'R'); BLOCKED: that state */
	bool inferred;             /* from_ns (RUN) or to_ns (DELAY, PREEMPTED, IDLE) is a bound */
	bool discarded;               /* overlaps a gap: to be counted, never used */
	bool in_flight;            /* the time range ends at to_ns, the state does not: see rs_latency_add */
	bool with_delay;           /* BLOCKED: to the switch-in, for no wakings were recorded: its delay is in it */
	const struct rs_task *prev; /* DELAY, PREEMPTED: who left the CPU for it; NULL idle or unknown */
	/* RUN: what led to this slice, each -1 where unknown */
	int64_t wait_ns;           /* blocked before it */
	int64_t delay_ns;          /* runnable before it */
	/* RUN: who woke it for this slice; BLOCKED, DELAY: who ended, or began, it */
	int32_t waker_tid;         /* -1 unknown, 0 an interrupt, or idle */
	const char *waker_comm;    /* of RUN and BLOCKED; NULL unknown */
};

/* What a ring buffer dropped on a CPU: (from_ns, to_ns) between its last event before and its first after. */
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
