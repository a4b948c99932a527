/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - what tasks wait for, as the engine finds it: the tree of time, contention on kernel locks, stalls
 * for memory, the cause why a task was off its CPU, and what a system call is
 */
#ifndef RINGSIDE_WAIT_H
#define RINGSIDE_WAIT_H

#include "task.h"

/*
 * ---- the tree of time: what the time of a task or a CPU goes to ----
 *
 * A category has causes, and a cause has parts where more is known (culprit.h). Each level sums to wall
 * time. Each has one row. Tables, timelines, panels, exports and findings read it; `tasks` has a column for
 * each WAIT. A new cause is one row here, and the test in engine/states/waits.c that tells it from the
 * others.
 */

/* How time counts in a verdict, and its place in a bar: the first is drawn first. */
enum rs_cause_rank {
	RS_RANK_WORK,    /* what the task is there for */
	RS_RANK_WAIT,    /* wanted to work and could not: worth a finding */
	RS_RANK_CHOICE,  /* waits for another thread, or for input: as long as that takes */
	RS_RANK_IDLE,    /* waits for whatever comes */
	RS_RANK_UNKNOWN,
};

/*
 * CATEGORY(id, name, heading, help, cause that has its color, legend): a column of `waterfall`; legend: a
 * layer of the
 * page that `export -f html` makes, NULL: it leaves blank what goes to it
 */
#define RS_CATEGORIES(CATEGORY) \
	CATEGORY(RUN, "run", "RUN%", "on a CPU, as all that follow of its wall time", RUN, "runs") \
	CATEGORY(IRQ, "irq", "IRQ%", "interrupts and softirqs that ran in its place", IRQ, NULL) \
	CATEGORY(QUEUE, "queue", "QUEUE%", "runnable, and another ran, or the CPU was idle", DELAY, \
		 "run-queue wait") \
	CATEGORY(LOCK, "lock", "LOCK%", "locks of the kernel, futexes", LOCK, "waits for a lock, a futex") \
	CATEGORY(DISK, "disk", "DISK%", "disks, major faults", DISK, "waits for a disk") \
	CATEGORY(MEMORY, "memory", "MEM%", "reclaim, compaction, write-back throttling", RECLAIM, \
		 "waits for memory") \
	CATEGORY(PEER, "peer", "PEER%", "pipes, sockets, children", SLEEP, NULL) \
	CATEGORY(SLEEP, "sleep", "SLEEP%", "by its own choice: timers, poll, signals", IDLE, NULL) \
	CATEGORY(OTHER, "other", "OTHER%", "any other sleep, and unknown", OTHER_D, "blocked")

#define RS_CATEGORY_ID(id, ...) RS_CATEGORY_##id,
enum rs_category { RS_CATEGORIES(RS_CATEGORY_ID) RS_NR_CATEGORIES };
#undef RS_CATEGORY_ID

/* What a task does, as it is said of one that another waits for. */
enum rs_peer_does {
	RS_PEER_UNKNOWN,
	RS_PEER_RUNS,
	RS_PEER_WAITS_FOR_CPU,
	RS_PEER_WAITS_FOR_DISK,
	RS_PEER_WAITS_FOR_LOCK,
	RS_PEER_WAITS_FOR_FUTEX,
	RS_PEER_WAITS_FOR_MEMORY,
	RS_PEER_SLEEPS,
	RS_PEER_WAITS,             /* for another in turn */
	RS_NR_PEER_DOES
};

enum rs_cause_rows { RS_OF_ALL, RS_OF_PROCESS, RS_OF_DISK };

/*
 * A view that explains such a wait: which of its rows, in which order, grouped by what. NULL: as the view has
 * it.
 */
struct rs_cause_view {
	const char *view, *sort;
	enum rs_cause_rows rows;
	const char *by;
};

struct rs_cause_row {
	const char *name;    /* in rows: "reclaim" */
	const char *word;    /* on bars, in a few columns, and in the protocol: "memory" */
	const char *legend;  /* in the legend of timelines: "kernel lock"; NULL: not in it */
	const char *labels;  /* what rs_state_label makes of it, a comma between; NULL: .name */
	bool no_label;       /* on a timeline the state letter alone, "D" for "D (disk)" */
	bool no_letter;      /* or the name alone: it says already that the task sleeps */
	char letter;         /* on bars and timelines; of idle a blank: nothing is there */
	/*
	 * Colors of 256 on a dark and on a light background, 28 apart in any sight: see test-theme.c; of 8,
	 * where + 8 is bold; -1: the terminal's own
	 */
	int16_t dark, light;
	int8_t dark_8, light_8;
	bool bold, dim;      /* without colors */
	enum rs_category category;
	enum rs_cause_rank rank;
	enum rs_peer_does does;
	/*
	 * enum rs_time_part of culprit.h, where the cause is all that is known of a wait; RS_PART_RUN:
	 * unknown
	 */
	unsigned int part;
	bool of_parts;       /* no wait has it, but parts that are found later: see culprit.h */
	bool with_next;      /* a finding counts the next row's time too */
	/* of RS_RANK_WAIT, in a finding: "waits 71 % of its busy time for disk"; NULL: with another's */
	const char *blame;
	struct rs_cause_view views[6]; /* that show why, the cause first; ends with a NULL view */
};

/*
 * STATE(id, row)
 * WAIT(id, column, heading, help, labels, row): the column of `tasks`; labels: what rs_state_label makes of
 * it
 */
#define RS_CAUSES(STATE, WAIT) \
	/* blocked, and nothing that was traced tells why */ \
	STATE(UNKNOWN, .name = "unknown", .word = "unknown", .no_label = true, .letter = '?', \
	      .dark = 246, .light = 241, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* on a CPU */ \
	STATE(RUN, .name = "run", .word = "run", .legend = "runs", .letter = 'R', \
	      .dark = 65, .light = 107, .dark_8 = 2, .light_8 = 2, .bold = true, \
	      .category = RS_CATEGORY_RUN, .rank = RS_RANK_WORK, .does = RS_PEER_RUNS) \
	/* woken, not yet on a CPU */ \
	STATE(DELAY, .name = "delay", .word = "delay", .legend = "run-queue wait", .letter = 'w', \
	      .dark = 222, .light = 178, .dark_8 = 11, .light_8 = 3, .category = RS_CATEGORY_QUEUE, \
	      .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_CPU, \
	      .part = RS_PART_QUEUE, .with_next = true, .blame = "a CPU", \
	      .views = { { "tasks", "-run_ns" }, { "cpus" }, { "tasks", NULL, RS_OF_PROCESS }, \
			 { "runqslower", NULL, RS_OF_PROCESS } }) \
	/* left its CPU runnable */ \
	STATE(PREEMPTED, .name = "preempted", .word = "preempted", .legend = "preempted", .letter = 'p', \
	      .dark = 222, .light = 178, .dark_8 = 3, .light_8 = 3, .category = RS_CATEGORY_QUEUE, \
	      .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_CPU) \
	/* a block request of its own completed meanwhile */ \
	WAIT(DISK, "disk_ns", "DISK(ms)", "blocked until a block request of its own completed", \
	     "D (disk),S (disk)", \
	     .name = "disk", .word = "disk", .legend = "disk", .letter = 'D', \
	     .dark = 160, .light = 88, .dark_8 = 1, .light_8 = 1, .bold = true, \
	     .category = RS_CATEGORY_DISK, .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_DISK, \
	     .part = RS_PART_DISK_DEVICE, .blame = "disk", \
	     .views = { { "disks", NULL, RS_OF_DISK }, { "iosnoop", NULL, RS_OF_PROCESS }, \
			{ "tasks", "-disk_ns" }, \
			{ "offcpu", NULL, RS_OF_PROCESS }, { "tasks", NULL, RS_OF_PROCESS } }) \
	/* in contention for a kernel lock */ \
	WAIT(LOCK, "lock_ns", "LOCK(ms)", "blocked in contention for a kernel lock", "D (lock),S (lock)", \
	     .name = "lock", .word = "lock", .legend = "kernel lock", .letter = 'L', \
	     .dark = 141, .light = 93, .dark_8 = 5, .light_8 = 5, .category = RS_CATEGORY_LOCK, \
	     .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_LOCK, \
	     .part = RS_PART_LOCK, .blame = "locks of the kernel", \
	     .views = { { "locks", NULL, RS_OF_PROCESS, "lock_addr,type,pid" }, \
			{ "mmaplock", NULL, RS_OF_PROCESS }, \
			{ "offcpu", NULL, RS_OF_PROCESS }, { "tasks", NULL, RS_OF_PROCESS } }) \
	/* in futex(2), waiting */ \
	WAIT(FUTEX, "futex_ns", "FUTEX(ms)", "blocked in futex(2)", "S (futex)", \
	     .name = "futex", .word = "futex", .legend = "futex", .letter = 'f', \
	     .dark = 141, .light = 93, .dark_8 = 14, .light_8 = 14, .category = RS_CATEGORY_LOCK, \
	     .rank = RS_RANK_CHOICE, .does = RS_PEER_WAITS_FOR_FUTEX, .part = RS_PART_FUTEX) \
	/* in a stall for memory */ \
	WAIT(RECLAIM, "reclaim_ns", "RECL(ms)", "blocked in a stall for memory", "D (reclaim),S (reclaim)", \
	     .name = "reclaim", .word = "memory", .legend = "memory", .letter = 'M', \
	     .dark = 208, .light = 95, .dark_8 = 9, .light_8 = 9, .category = RS_CATEGORY_MEMORY, \
	     .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_MEMORY, \
	     .part = RS_PART_RECLAIM, .blame = "memory", \
	     .views = { { "reclaim", NULL, RS_OF_PROCESS }, { "memory" }, { "meminfo" }, \
			{ "tasks", NULL, RS_OF_PROCESS } }) \
	/* state D, and none of these */ \
	WAIT(OTHER_D, "other_d_ns", "OTHER D(ms)", "blocked in state D, and none of these", "D", \
	     .name = "other D", .word = "blocked", .legend = "blocked", .no_label = true, .letter = 'B', \
	     .dark = 160, .light = 88, .dark_8 = 1, .light_8 = 1, .category = RS_CATEGORY_OTHER, \
	     .rank = RS_RANK_WAIT, .does = RS_PEER_WAITS_FOR_DISK, .part = RS_PART_KERNEL, \
	     .blame = "something in the kernel that no event tells (state D)", \
	     .views = { { "offcpu", NULL, RS_OF_PROCESS }, { "syscall-latency", NULL, RS_OF_PROCESS }, \
			{ "tasks", NULL, RS_OF_PROCESS } }) \
	/* it waits for events or a timer: epoll, nanosleep ...; of a CPU: nothing to run */ \
	WAIT(IDLE, "idle_ns", "IDLE(ms)", \
	     "waited for whatever comes: epoll, poll, nanosleep; a kernel thread without work", \
	     "S (idle),I (idle)", \
	     .name = "idle", .word = "idle", .legend = "waits for events", .letter = ' ', \
	     .dark = 242, .light = 245, .dark_8 = -1, .light_8 = -1, .dim = true, \
	     .category = RS_CATEGORY_SLEEP, .rank = RS_RANK_IDLE, .does = RS_PEER_SLEEPS, \
	     .part = RS_PART_POLL) \
	/* any other sleep: a pipe, a socket, a child */ \
	WAIT(SLEEP, "sleep_ns", "SLEEP(ms)", \
	     "any other sleep: a pipe, a socket, a child; stopped; all sleep where no system calls " \
	     "were recorded", \
	     "S (sleep),D (sleep),T (sleep),t (sleep),sleep (cause not recorded)", \
	     .name = "sleep", .word = "sleep", .legend = "sleeps", .letter = 's', \
	     .dark = 117, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_PEER, \
	     .rank = RS_RANK_CHOICE, .does = RS_PEER_WAITS, .part = RS_PART_READ_WRITE) \
	/* a sleep, and no system calls were recorded that would tell for what */ \
	STATE(NOT_RECORDED, .name = "sleep (cause not recorded)", .word = "sleep", .no_letter = true, \
	      .letter = 's', \
	      .dark = 246, .light = 241, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* no wakings were recorded: the sleep, whatever for, and the delay after it */ \
	STATE(OFF_CPU, .name = "off-CPU (sleep + delay)", .word = "sleep", .no_letter = true, .letter = 's', \
	      .dark = 246, .light = 241, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* of a CPU: in interrupts and softirqs */ \
	STATE(IRQ, .name = "irq", .word = "irq", .letter = 'I', \
	      .dark = 21, .light = 17, .dark_8 = 13, .light_8 = 13, .category = RS_CATEGORY_IRQ, \
	      .rank = RS_RANK_WAIT) \
	/* the state itself is not known: not seen, or events were lost */ \
	STATE(NOT_SEEN, .name = "unknown", .word = "unknown", .legend = "not known", .letter = '?', \
	      .dark = 246, .light = 241, .dark_8 = -1, .light_8 = -1, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* a SLEEP in a call that is none of those in which a task waits for another */ \
	STATE(OTHER_CALL, .name = "sleep", .word = "sleep", .letter = 's', \
	      .dark = 117, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_CHOICE, .of_parts = true)

#define RS_CAUSE_ID(id, ...) RS_CAUSE_##id,
enum rs_cause { RS_CAUSES(RS_CAUSE_ID, RS_CAUSE_ID) RS_NR_CAUSES };
#undef RS_CAUSE_ID

struct rs_category_row {
	const char *name, *legend; /* "queue", "run-queue wait"; .legend may be NULL */
	enum rs_cause color;       /* the cause whose color it has */
};

/* One that does not exist is RS_CATEGORY_OTHER. */
const struct rs_category_row *rs_category_row(enum rs_category category);
/* By .name; RS_CATEGORY_RUN: none has it. */
enum rs_category rs_category_find(const char *name);
/* One that does not exist is RS_CAUSE_UNKNOWN. */
const struct rs_cause_row *rs_cause_row(enum rs_cause cause);
/* By .word; false: none has it. */
bool rs_cause_find(const char *word, enum rs_cause *cause);

/*
 * ---- ink: how pictures draw the time of a task ----
 *
 * Lightness is pain. Bars, timelines and pages all draw by this rule: what cost nobody anything leaves no
 * ink. Whether a wait for another thread, or for input, costs is told by the findings of the time that is
 * shown, not by the state.
 */
enum rs_ink {
	RS_INK_BLANK,        /* it cost nothing, or nothing is known of it */
	RS_INK_DIM,          /* it may have cost, and no finding says so; or it is ringside's own */
	RS_INK_CALM,         /* work, in a calm color */
	RS_INK_FULL,         /* a wait that cost */
};

/* What the rule has to know of a task besides its state. */
struct rs_ink_task {
	bool own;            /* ringside's */
	uint32_t pains;      /* bit n: a finding says that waits of category n cost it time */
};

/*
 * task: NULL: of no task, such as a CPU. *as, where it is not NULL: the cause whose letter and color it has,
 * which is another where a poll costs.
 */
enum rs_ink rs_cause_ink(enum rs_cause cause, const struct rs_ink_task *task, enum rs_cause *as);

/* ---- kernel locks: lock:contention_begin to contention_end ---- */

/* The type of a lock. These bits are ringside's; the kernel's are read from the event's format. */
enum rs_lock_flags {
	RS_LOCK_SPIN = 1,
	RS_LOCK_READ = 2,
	RS_LOCK_WRITE = 4,
	RS_LOCK_RT = 8,
	RS_LOCK_PERCPU = 16,
	RS_LOCK_MUTEX = 32,
	RS_LOCK_OTHER = 64,        /* any other bit of the kernel */
};

/* Returns "spinlock", "rwsem:R" and so on, as perf lock contention prints them; NULL for an unknown type. */
const char *rs_lock_type(unsigned int flags);

struct rs_contention {
	struct rs_task *task;      /* NULL: in idle's context */
	uint64_t lock_addr;
	unsigned int flags;        /* enum rs_lock_flags, of the first begin */
	uint64_t begin_ns, end_ns;
	uint16_t cpu;              /* of the end */
	bool discarded;               /* overlaps a gap: to be counted, never used */
	bool in_flight;            /* the time range ends at end_ns, the contention does not */
	uint32_t stack;            /* where it began, see sample.h; 0: not recorded */
	bool failed;               /* it ended without the lock: by a signal or a timeout */
	int32_t waker_tid;         /* its last waker while it waited; -1: none, it spun */
	const char *waker_comm;    /* NULL: unknown, or none */
};

/* ---- stalls for memory ---- */

enum rs_stall_kind {
	RS_STALL_RECLAIM,          /* direct reclaim */
	RS_STALL_MEMCG,            /* the same, for the limit of its memory cgroup */
	RS_STALL_COMPACTION,       /* direct compaction */
	RS_STALL_THROTTLE,         /* reclaim waits for reclaim or write-back */
	RS_STALL_DIRTY,            /* a writer is held back: too many dirty pages */
	RS_NR_STALLS,
};

const char *rs_stall_name(enum rs_stall_kind kind);

struct rs_stall {
	enum rs_stall_kind kind;
	struct rs_task *task;      /* never kswapd or kcompactd */
	uint64_t begin_ns, end_ns;
	int32_t order;             /* pages wanted are 1 << order; -1 unknown */
	int64_t syscall;           /* that it was in at the end; -1 none, or unknown */
	bool discarded;
	bool in_flight;            /* the time range ends at end_ns, the stall does not */
};

/* ---- why a task was off its CPU ---- */

/* Returns the cause for a blocked task, else the cause that stands for the state. */
/*
 * What a piece of a task's history shows, of its time by cause: a wait that the task could not help from an
 * eighth of it on, else work, likewise, else what took most. RS_NR_CAUSES: there is nothing.
 */
unsigned int rs_cause_of_piece(const uint64_t ns[RS_NR_CAUSES]);
enum rs_cause rs_cause_of_state(enum rs_state state, enum rs_cause cause);

/* An RS_BLOCKED interval that ended, joined with the events during it. */
struct rs_wait {
	const struct rs_interval *interval; /* its task, times, letter, waker; discarded ones come too */
	enum rs_cause cause;
	int64_t syscall;           /* that it is in; -1 none, or unknown */
	const uint64_t *args;      /* of that call, six words; NULL without one */
	bool in_no_call;           /* it is known to be in none: see rs_task_in_no_call */
	uint64_t lock_addr;        /* LOCK */
	unsigned int lock_flags;
	uint64_t uaddr;            /* FUTEX */
	uint32_t dev;              /* DISK: of the request that completed last */
	uint64_t sector;
	enum rs_stall_kind stall;  /* RECLAIM */
	/*
	 * SLEEP: enum rs_time_part, where the socket tells it better than the call does; RS_PART_RUN, 0: it
	 * does not. A poll is SLEEP where a client waits in it for the answer of a peer that is known
	 */
	uint8_t socket_part;
	/* SLEEP, IDLE: that the call is on, or was for, by rs_socket_name; 0: none, or unknown */
	uint32_t socket;
};

/*
 * Returns the likely cause if the task is blocked now, before it is woken: w->interval is NULL, and in state
 * D with a request of its own in flight the cause is the disk. Returns false if it is not blocked, or its
 * state is unknown.
 */
bool rs_task_wait(const struct rs_ctx *c, const struct rs_task *t, struct rs_wait *w);
/* Returns the task's i-th contention in flight, outermost first, as if it ended now. False: no more. */
bool rs_task_contention(const struct rs_ctx *c, struct rs_task *t, unsigned int i,
			struct rs_contention *contention);
/* Likewise, the stall of that kind. False: there is none, or a gap made it uncertain. */
bool rs_task_stall(const struct rs_ctx *c, struct rs_task *t, enum rs_stall_kind kind,
		   struct rs_stall *stall);

/* ---- system calls ---- */

/* What a system call is waiting for, as far as its number and arguments tell. */
enum rs_call_kind {
	RS_CALL_PLAIN,
	RS_CALL_IDLE,              /* waits for whatever comes, or for time to pass */
	RS_CALL_FUTEX_WAIT,
	RS_CALL_IO_WAIT,           /* for I/O that was submitted before: io_getevents, io_uring_enter */
	RS_CALL_EXEC,              /* as PLAIN, but of the exec family */
	RS_CALL_FORK,              /* as PLAIN, but starts a task */
	/* as PLAIN, but of the write family: returns how many bytes were written */
	RS_CALL_WRITE,
	RS_CALL_SEND,              /* as PLAIN, but of the send family, to a socket */
	RS_CALL_CONNECT,           /* as PLAIN */
	RS_CALL_ACCEPT,            /* as PLAIN: returns the descriptor of a connection */
	RS_NR_CALL_KINDS,
};

/*
 * Classes of system calls, as rules ask for them. Bits: a call may be of several. engine/calls/calls.tbl says
 * of which.
 */
enum rs_call_class {
	RS_CLASS_READ = 1 << 0,    /* read and its kin, of files and of all else */
	RS_CLASS_WRITE = 1 << 1,
	RS_CLASS_SEEK = 1 << 2,    /* of these, at a place that they name: pread64 */
	RS_CLASS_GATHER = 1 << 3,  /* of these, and of messages, with several buffers: readv, recvmsg */
	RS_CLASS_RECEIVE = 1 << 4, /* from a socket */
	RS_CLASS_SEND = 1 << 5,
	RS_CLASS_MANY = 1 << 6,    /* of these, several messages: returns how many */
	RS_CLASS_ADDRESS = 1 << 7, /* of these, to an address, the fifth argument */
	RS_CLASS_FILL = 1 << 8,    /* writes to a pipe or a socket what it has from elsewhere: sendfile */
	RS_CLASS_FLUSH = 1 << 9,   /* waits until what was written is on the medium */
	/* may change a folder or a file's size, owner, times: the journal of a file system has to know */
	RS_CLASS_CHANGE = 1 << 10,
	RS_CLASS_LOCK = 1 << 11,   /* may wait for a lock of a file */
	RS_CLASS_SEMAPHORE = 1 << 12,
	RS_CLASS_SLEEP = 1 << 13,  /* for as long as is asked for */
	RS_CLASS_PAUSE = 1 << 14,  /* until a handler of a signal has run */
	RS_CLASS_SIGNAL_WAIT = 1 << 15, /* takes a signal without a handler */
	RS_CLASS_POLL = 1 << 16,   /* poll, ppoll: the second argument counts descriptors */
	RS_CLASS_SELECT = 1 << 17, /* the first argument is above all descriptors */
	RS_CLASS_EPOLL = 1 << 18,
	RS_CLASS_REAP = 1 << 19,   /* waits for a child */
	RS_CLASS_SPAWN = 1 << 20,  /* may wait until the child that it makes calls exec: vfork */
	RS_CLASS_ACCEPT = 1 << 21,
	RS_CLASS_CONNECT = 1 << 22,
	RS_CLASS_MAP = 1 << 23,    /* changes the memory map of the process */
	RS_CLASS_SIGNAL = 1 << 24, /* sends a signal */
	RS_CLASS_FUTEX = 1 << 25,
	RS_CLASS_YIELD = 1 << 26,
	RS_CLASS_SIGRETURN = 1 << 27, /* each handler of a signal ends in it */
	RS_CLASS_AWAIT = 1 << 28,  /* servers and shells wait in it for new work */
	RS_CLASS_HANG_UP = 1 << 29, /* may close a connection, and send the end of its stream */
	RS_CLASS_SPLICE = 1 << 30,  /* moves bytes from one descriptor to another: splice */
};

/* NULL unknown; lives as long as the session */
const char *rs_syscall_name(const struct rs_ctx *c, int64_t nr);
/* Is it of one of these classes (enum rs_call_class)? False for a number that is not known for certain. */
bool rs_call_is(const struct rs_ctx *c, int64_t nr, uint32_t classes);
/* May a softirq that comes in it be for packets of the caller's own: does it send, receive or close? */
bool rs_call_has_own_softirqs(const struct rs_ctx *c, int64_t nr);
/* Likewise, or "syscall_NR" in buf if the architecture's table does not have it; NULL for nr < 0, no call. */
const char *rs_call_name(const struct rs_ctx *c, int64_t nr, char *buf, size_t size_bytes);
/*
 * Returns the number of an earlier call, corrected by what is known of the task's program by now: since the
 * call it may have turned out to be a 32-bit program. Without a task, returns nr.
 */
int64_t rs_call_resolve_number(const struct rs_task *t, int64_t nr);
/* Returns what a call waits for; for RS_CALL_FUTEX_WAIT args[0] is the futex' address. */
enum rs_call_kind rs_call_kind(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/*
 * Returns true if a call waits for new work: RS_CALL_IDLE, and calls in which servers and shells wait
 * (accept, wait4).
 */
bool rs_call_is_idle(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/*
 * Returns true if the call reads a terminal, so it waits for user input. Live, if its descriptor was looked
 * up while it was in flight. False if unknown.
 */
bool rs_call_reads_terminal(const struct rs_ctx *c, const struct rs_call *call);
/* Returns true if the call returned ETIMEDOUT, by the errno of the recording's architecture. */
bool rs_call_timed_out(const struct rs_ctx *c, const struct rs_call *call);
/* Returns the six argument words in hex. Valid until the next rs_call_words or rs_call_args. */
const char *rs_call_words(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns the words that the call takes, all six if their number is not known, "" for a call without
 * arguments. Valid until the next rs_call_words or rs_call_args.
 */
const char *rs_call_args(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns "read(3, 0x7f..., 4096)", with constants by name where they are known. Valid until the next
 * rs_call_text.
 */
const char *rs_call_text(const struct rs_ctx *c, const char *name, const struct rs_call *call);

/*
 * A thread of a pool waits for work by the same call as for a lock, and that may well last. A lock it is
 * where the kernel itself keeps its owner, or where the value that is waited on is that of a lock with
 * waiters, 2 in glibc, musl, Go and Rust, or 3, glibc's of a read-write lock that a writer has: they wait for
 * it to change. A condition's counter may have that value too, once: it is a guess.
 */
static inline bool rs_futex_is_lock(const uint64_t *args)
{
	/* uapi/linux/futex.h */
	enum {
		WAIT = 0,
		LOCK_PI = 6,
		WAIT_BITSET = 9,
		LOCK_PI2 = 13,
		OP_MASK = 127,
		CONTENDED = 2,
		READ_PHASE = 3
	};
	unsigned int op = args[1] & OP_MASK;

	return op == LOCK_PI || op == LOCK_PI2 ||
	       ((op == WAIT || op == WAIT_BITSET) && (uint32_t)args[2] == CONTENDED) ||
	       (op == WAIT_BITSET && (uint32_t)args[2] == READ_PHASE);
}

#endif
