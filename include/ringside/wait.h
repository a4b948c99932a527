/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - what tasks wait for, as the engine finds it: contention on kernel locks,
 * stalls for memory, and the cause why a task was off its CPU
 */
#ifndef RINGSIDE_WAIT_H
#define RINGSIDE_WAIT_H

#include "cause.h"
#include "request.h"
#include "task.h"

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
	uint32_t stack;            /* where it began, see stack.h; 0: not recorded */
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
};

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
	RS_CLASS_GATHER = 1 << 3,  /* of these, with several buffers: readv */
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
};

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
