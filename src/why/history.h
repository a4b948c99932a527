/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - the last states of all tasks and CPUs, and the last block requests, in bounded memory
 *
 * It exists if an analysis of the session sets .requires_history. A segment is a state that has ended; each
 * is linked to the one before of its task, and a slice also to the one before on its CPU. The oldest segments
 * are overwritten.
 *
 *	struct rs_history_walk w;
 *	const struct rs_segment *seg;
 *
 *	rs_history_walk_task(c, &w, rs_history_name(c, task));
 *	while ((seg = rs_history_next(&w)) && seg->to_ns > from_ns)
 *		...                                        // newest first; the state in flight comes first,
 *		                                           // up to now
 *
 * Time between two segments of a task is unknown: before its first event, in gaps, where a switch or a waking
 * is missing.
 */
#ifndef RS_WHY_HISTORY_H
#define RS_WHY_HISTORY_H

#include "ringside/culprit.h"

enum rs_waker_kind {
	RS_WAKER_UNKNOWN,
	RS_WAKER_INTERRUPT,          /* a timer or a device, or the idle task */
	RS_WAKER_TASK,
};

#define RS_SEGMENT_COMPLETION 1 /* it was woken by the interrupt in which a request completed, of whoever */

/*
 * A state that has ended: [from_ns, to_ns). Of RS_RUN, RS_DELAY, RS_PREEMPTED, RS_BLOCKED; of a CPU RS_IDLE.
 */
struct rs_segment {
	uint64_t from_ns, to_ns;
	const struct rs_task_name *of;   /* NULL: RS_IDLE, interrupts */
	union {
		const struct rs_task_name *waker;   /* BLOCKED, RS_WAKER_TASK */
		const struct rs_irq_source *irq;    /* of an interrupt */
		/* RUN: since when its CPU was idle before it; 0: it was not. The engine's */
		uint64_t idle_from_ns;
	};
	union {
		/*
		 * BLOCKED: LOCK its address, FUTEX its address, DISK the device, SLEEP and IDLE in a call
		 * its socket, by rs_socket_name; an interrupt: its own time
		 */
		uint64_t what;
		/* RUN: since when it waited for its CPU before it; 0: other segments tell. The engine's */
		uint64_t wait_from_ns;
	};
	uint32_t before;             /* the engine's links */
	union {
		uint32_t cpu_before; /* RUN, IDLE, an interrupt */
		/*
		 * BLOCKED, RS_WAKER_TASK: the waker's newest segment at the waking: see rs_history_walk_waker
		 */
		uint32_t waker_at;
	};
	int16_t prio;                /* RUN: its priority; -1 unknown */
	uint16_t cpu;                /* RUN, IDLE: its CPU; DELAY, PREEMPTED: the CPU that it waited for */
	/* BLOCKED: 1 + the number of the system call that it was in; 0: none, or unknown */
	uint16_t call;
	uint8_t call_table;          /* of that number: see rs_segment_call */
	uint8_t kind;                /* enum rs_state; RS_UNKNOWN: an interrupt */
	union {
		uint8_t cause;       /* BLOCKED: enum rs_cause */
		uint8_t waited;      /* RUN: the kind of that wait, RS_DELAY or RS_PREEMPTED. The engine's */
	};
	uint8_t waker_kind;          /* BLOCKED: enum rs_waker_kind */
	/*
	 * BLOCKED: LOCK enum rs_lock_flags, FUTEX 1 if it is most likely a lock (rs_futex_is_lock), RECLAIM
	 * enum rs_stall_kind, SLEEP in a call enum rs_time_part
	 * where the socket tells it, else 0, OTHER_D, and SLEEP and IDLE of a
	 * kernel thread, RS_SEGMENT_COMPLETION: .what is a device
	 */
	uint8_t detail;
	char letter;                 /* BLOCKED: its state letter */
	bool in_flight;              /* it goes on at to_ns, which is now */
	/* DELAY, PREEMPTED: the first part of a wait that goes on at another CPU */
	bool continues;
};

/* The system call of a blocked segment, see rs_call_number; -1: none, or unknown. */
static inline int64_t rs_segment_call(const struct rs_segment *seg)
{
	if (!seg->call)
		return -1;
	return (int64_t)(seg->call - 1) | (seg->call_table & 1 ? RS_CALL_COMPAT : 0) |
	       (seg->call_table & 2 ? RS_CALL_DOUBTFUL : 0);
}

/* The socket that a blocked segment waited on, by rs_socket_name; 0: none, or unknown. */
static inline uint32_t rs_segment_socket(const struct rs_segment *seg)
{
	return seg->call && (seg->cause == RS_CAUSE_SLEEP || seg->cause == RS_CAUSE_IDLE) ?
		       (uint32_t)seg->what :
		       0;
}

/* It was known to be in no call: see rs_task_in_no_call. */
static inline bool rs_segment_in_no_call(const struct rs_segment *seg)
{
	return seg->call_table & 4;
}

/* A block request that completed. Times that are not known are 0, except begin_ns: its first event. */
struct rs_done_request {
	uint64_t begin_ns, insert_ns, issue_ns, complete_ns;
	uint32_t dev, bytes;
	int32_t pid, tid;            /* whose it is; 0: unknown */
	uint64_t rwbs;               /* rs_rwbs_text */
	char comm[RS_COMM_LEN];
	uint32_t before;             /* the engine's link: of the same device */
};

struct rs_history_walk {
	struct rs_history *history;
	uint32_t next;
	enum { RS_WALK_TASK, RS_WALK_CPU } by;
	bool has_open;
	struct rs_segment open;      /* the state in flight, or what was told */
	struct rs_segment told;      /* by a slice, of the time before it; .to_ns 0: nothing */
};

struct rs_ctx;

/* Returns NULL if nothing is known of the task, or there is no history. */
const struct rs_task_name *rs_history_name(struct rs_ctx *c, const struct rs_task *t);

/*
 * The states of a task, of a CPU (RS_RUN and RS_IDLE), the interrupts of a CPU as they ended: newest first.
 * Those of a CPU that begin after to_ns are of no interest: most of them are skipped.
 */
void rs_history_walk_task(struct rs_ctx *c, struct rs_history_walk *w, const struct rs_task_name *n);
void rs_history_walk_cpu(struct rs_ctx *c, struct rs_history_walk *w, unsigned int cpu, uint64_t to_ns);
void rs_history_walk_irqs(struct rs_ctx *c, struct rs_history_walk *w, unsigned int cpu, uint64_t to_ns);
/*
 * The states of the task that ended `seg`, from the waking on: the first is the slice in which it woke, up to
 * then.
 */
void rs_history_walk_waker(struct rs_ctx *c, struct rs_history_walk *w, const struct rs_segment *seg);
/*
 * Returns the next segment, valid until the next call, if BLOCKED until the session goes on; NULL: no more.
 */
const struct rs_segment *rs_history_next(struct rs_history_walk *w);

/* Returns the request of the device that completed last before `after`; NULL starts, and ends. */
const struct rs_done_request *rs_history_request(struct rs_ctx *c, uint32_t dev,
						 const struct rs_done_request *after);
/* Returns the request of the device that completed last, and not after by_ns; NULL: it is not known. */
const struct rs_done_request *rs_history_request_by(struct rs_ctx *c, uint32_t dev, uint64_t by_ns);

/* The history is complete from here on; 0: from the begin. */
uint64_t rs_history_from_ns(const struct rs_ctx *c);

#endif
