/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - what the engine knows of a task and of its files, read-only for analyses
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
	/* the same; of an older one as /proc had it, to 10 ms, in the trace's clock; 0: unknown */
	uint64_t start_ns;
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

/*
 * What people call a control group, as far as its path tells; "" for what it is not in. A container's name is
 * the short id that docker ps and crictl ps print, or the name of an lxc container, nspawn machine, guest.
 */
#define RS_CONTAINER_ID 12
#define RS_CONTAINER_WHOLE_ID 64
#define RS_POD_NAME 128

struct rs_ctx;

struct rs_cgroup_names {
	char unit[96], slice[96];  /* of systemd, the nearest: "ssh.service", "app.slice" */
	/* "docker", "podman", "containerd", "cri-o", "lxc", "machine"; "container": any */
	char runtime[16];
	char container[64];
	char pod[40];              /* of Kubernetes: its uid */
	/* as their runtime calls them, where that was looked up: "web", "default/web-5d9c7"; else "" */
	char container_name[64], pod_name[RS_POD_NAME];
	const char *id;            /* of the container, in path: RS_CONTAINER_WHOLE_ID; NULL: it has none */
	char last[64];             /* the last part of the path */
};

/* c NULL: from the path alone. */
void rs_cgroup_names(const struct rs_ctx *c, const char *path, struct rs_cgroup_names *names);

/*
 * One name of all that: "ssh.service", "docker 3f2a1b4c5d6e", "docker web (3f2a1b4c5d6e)" where its name is
 * known, "pod 1f6c2d1e/3f2a1b4c5d6e", "pod default/web-5d9c7", else the slice, else the last part of the
 * path. Returns buf.
 */
const char *rs_cgroup_unit(const struct rs_ctx *c, const char *path, char *buf, size_t size_bytes);

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

/* ---- what the engine knows of tasks ---- */

/* the current task instance, created if needed; NULL for tid <= 0 */
struct rs_task *rs_task_get(struct rs_ctx *c, int32_t tid);
struct rs_task *rs_task_find(struct rs_ctx *c, int32_t tid);    /* the current task instance, or NULL */
/* all task instances, oldest first; NULL starts and ends */
struct rs_task *rs_task_next(struct rs_ctx *c, struct rs_task *after);
/*
 * Writes the command line of t's process, its arguments separated by spaces, untrusted bytes: as it was
 * recorded, or as /proc had it when it was read, since the process' last exec. Of one that ran no program
 * since its fork that of its parent. Returns the length; 0: unknown, or not yet. At most 4096 bytes, in which
 * secrets are masked. at_once: live it is read now if it is not known, by system calls: for rare events such
 * as a new program.
 */
size_t rs_task_args(struct rs_ctx *c, const struct rs_task *t, bool at_once, char *buf, size_t size_bytes);
/* Likewise, not at once; NULL: unknown. Lives until the next such call. t may be NULL. */
const char *rs_task_cmdline(struct rs_ctx *c, const struct rs_task *t);
/* Likewise of a process that no event may have named. */
const char *rs_process_cmdline(struct rs_ctx *c, int32_t pid, const char *comm);
/*
 * Writes the path of the file that t's process runs: as its last exec was given it, else the first word of
 * its recorded command line, if that is a path. Untrusted bytes. Returns the length; 0: unknown, or longer
 * than the buffer.
 */
size_t rs_task_program(struct rs_ctx *c, const struct rs_task *t, char *buf, size_t size_bytes);
/* the name of the group leader, else the task's own */
const char *rs_task_process_comm(struct rs_ctx *c, const struct rs_task *t);
/* Returns the name of a process, also of one that no event named yet; NULL: unknown. */
const char *rs_api_process_comm(struct rs_ctx *c, int32_t pid);
/*
 * Returns the state of the task at rs_last_event_ns, and its duration so far in *open_ns: the interval in
 * flight, which tables show apart from those that have ended. RS_UNKNOWN if it overlaps a gap.
 * RS_RUN with RS_AGE_UNKNOWN: the start of the slice was not seen.
 */
enum rs_state rs_task_state(const struct rs_ctx *c, const struct rs_task *t, uint64_t *open_ns);
/*
 * Returns the task's lifetime since rs_since_ns, and the part of it whose state is unknown: before its first
 * event, in gaps, or where a switch or a waking is missing. The lifetime is 0 if it exited before; then show
 * no row.
 */
void rs_task_lifetime_ns(const struct rs_ctx *c, const struct rs_task *t, uint64_t *lifetime_ns,
			 uint64_t *unknown_ns);
/*
 * Returns the state of the CPU at rs_last_event_ns, RS_RUN or RS_IDLE, and its duration so far. RS_UNKNOWN if
 * its start was not seen, or if it overlaps a gap.
 */
enum rs_state rs_cpu_state(const struct rs_ctx *c, unsigned int cpu, uint64_t *open_ns);
/*
 * Returns how long the task ran since rs_since_ns, its slice in flight included; 0 where no sched event was
 * recorded.
 */
uint64_t rs_task_run_ns(const struct rs_ctx *c, const struct rs_task *t);
/* Returns true if a sched event named the task: tables of tasks then have a row for it. */
bool rs_task_has_states(const struct rs_ctx *c, const struct rs_task *t);
/*
 * Returns true if it is known that the task is in no system call: its last one has returned, and nothing was
 * lost since; or it has made none for long. It is in user mode, in a page fault, or on its way back from one.
 * False for a kernel thread, and where calls were not recorded.
 */
bool rs_task_in_no_call(const struct rs_ctx *c, const struct rs_task *t);
/* Returns true if the task is in a system call that returns, and that overlaps no gap. */
bool rs_task_in_call(const struct rs_ctx *c, const struct rs_task *t);
/* Likewise, and describes that call as if it ended now, with .in_flight set. */
bool rs_task_call(const struct rs_ctx *c, struct rs_task *t, struct rs_call *call);

/* A task that existed when the capture began and that no event has named since, as /proc showed it then. */
struct rs_unseen {
	int32_t tid, pid;
	const char *comm, *cgroup; /* cgroup NULL: not requested */
	bool kernel_thread;
	bool named;                /* by -p or -t */
	bool uncertain;            /* events were lost since, so its state may have changed */
	char letter;               /* its state letter in /proc, still valid unless it was R */
	bool terminal;             /* the call's first argument is a descriptor of a terminal */
	int64_t syscall;           /* the system call it is in; -1: none, or unknown */
	const uint64_t *args;      /* its six arguments; NULL without a call */
	const char *wchan;         /* the kernel function that it sleeps in; NULL: unknown */
	uint64_t seen_ns;          /* when /proc was read: it has been in that state since before */
};

/* Live: returns the next such task that passes -p, -t and -c; *at starts at 0. False: no more. */
bool rs_unseen_next(const struct rs_ctx *c, size_t *at, struct rs_unseen *unseen);

/*
 * ---- the file that a call on a descriptor works on ----
 *
 * An event has the descriptor's number only. The engine follows the descriptors of each process by open, dup,
 * close, fork and exec, and looks their files up in /proc: live, or as ringside did while it recorded. The
 * reply may come after the call, so a call has a file, a key for a store, and the file's path is asked for
 * when rows are shown.
 */

/* What a call does with its first argument, a descriptor. */
enum rs_file_op {
	RS_FILE_NONE,              /* it is no descriptor, or it is neither read, written nor synced */
	RS_FILE_READ,
	RS_FILE_WRITE,
	RS_FILE_SYNC,              /* fsync, fdatasync, sync_file_range, syncfs */
};

/*
 * An analysis that calls these sets .requires_files, or .uses_files. Without descriptors, rs_call_file
 * returns 0.
 */
enum rs_file_op rs_call_file_op(const struct rs_ctx *c, int64_t nr);
/* Returns the file of a call that ends now. 0: it is and stays unknown. */
uint64_t rs_call_file(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns the file of the call that the task is in, and sets what that does with it. 0: in none, or it is
 * unknown.
 */
uint64_t rs_task_file(struct rs_ctx *c, struct rs_task *t, enum rs_file_op *op);
/*
 * Returns the file of a descriptor that t's process has now, as after the call that opened it; 0: unknown.
 * Its path is looked up.
 */
uint64_t rs_fd_file(const struct rs_ctx *c, const struct rs_task *t, int32_t fd);
/*
 * Returns its path as far as it is known by now ("/etc/passwd", "socket:[123]"), or NULL. Lives as long as
 * the session.
 */
const char *rs_file_path(const struct rs_ctx *c, uint64_t file);
/*
 * Returns the name that a call was given which ends now, and which opens a file or asks for its attributes,
 * as the kernel's probes read it; NULL: unknown, or empty. Of an analysis that .requires_names. Untrusted
 * bytes, valid until the next event.
 */
const char *rs_call_path(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns what a path is of: "file", "pipe", "socket", "device", "kernel", "other"; NULL if path is. A pipe
 * with a name in a file system is taken for a file: its path does not tell.
 */
const char *rs_file_kind(const char *path);

#endif
