/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oncpu.h - what a task does on a CPU: in user mode, in which system call, in direct reclaim, in a signal
 * handler
 *
 *	struct rs_oncpu o;                                 // of one task, zeroed
 *
 *	rs_oncpu_call(&o, call, since_ns, outside_known);     // in RS_ON_CALL
 *	rs_oncpu_irq(&o, irq, since_ns);                      // in RS_ON_IRQ
 *	rs_oncpu_stall(&o, stall, since_ns);                  // in RS_ON_STALL, and for one in flight as a
 *	                                                      // slice ends
 *	rs_oncpu_deliver(&o, task, now_ns, since_ns, ...);    // where a signal handler begins
 *	rs_oncpu_end(&o, interval, since_ns, outside_known);  // in RS_ON_INTERVAL of RS_RUN: then o.at is
 *	                                                      // complete
 *
 * The parts of a slice add up to at most its length without the interrupts that came meanwhile; the rest was
 * not recorded. The time outside of calls is known where all system calls are recorded, and none was lost
 * since rs_oncpu_known_ns: it is user mode, with its page faults, for no event tells when a page fault ends.
 */
#ifndef RS_PLUGINS_PARTS_ONCPU_H
#define RS_PLUGINS_PARTS_ONCPU_H

#include "ringside/irq.h"
#include "ringside/task.h"
#include "ringside/wait.h"

enum rs_oncpu_kind { RS_ONCPU_UNDIVIDED, RS_ONCPU_USER, RS_ONCPU_HANDLER, RS_ONCPU_CALL, RS_ONCPU_STALL };

#define RS_ONCPU_PLACES 8 /* of one slice: what comes when they are full stays undivided */

struct rs_oncpu_part {
	enum rs_oncpu_kind kind;
	int64_t what;              /* CALL: its number; STALL: enum rs_stall_kind */
	uint64_t ns;
};

struct rs_oncpu {
	uint64_t mark_ns;          /* up to here it is divided */
	uint64_t known_ns;         /* the last call ended here; 0: none was seen, so that it may be in one */
	uint64_t taken_ns[2];      /* interrupts and stalls since the mark: outside of calls, in one */
	uint64_t handler_ns;       /* user mode that is a handler's, if that returns */
	bool in_handler;
	unsigned int nr;
	struct rs_oncpu_part at[RS_ONCPU_PLACES + 1]; /* the last is for the rest */
};

/*
 * Since when it is known whether it is in a call: it may have been in one as the recording began. 0: it is
 * not known.
 */
uint64_t rs_oncpu_known_ns(const struct rs_oncpu *o, const struct rs_task *t);

/* The call ended. outside_known: all calls since rs_oncpu_known_ns were recorded. */
void rs_oncpu_call(struct rs_oncpu *o, const struct rs_call *call, uint64_t since_ns, bool outside_known);

void rs_oncpu_irq(struct rs_oncpu *o, const struct rs_irq *irq, uint64_t since_ns);

/*
 * Its part in the current slice. Interrupts that came into it count as its own, and not as the call's.
 * Throttled, it sleeps.
 */
void rs_oncpu_stall(struct rs_oncpu *o, const struct rs_stall *stall, uint64_t since_ns);

/* A signal handler begins. */
void rs_oncpu_deliver(struct rs_oncpu *o, const struct rs_task *t, uint64_t now_ns, uint64_t since_ns,
		      bool outside_known);

/*
 * The slice ends: the task is in the call .syscall, or in user mode if that is known. A task that has exited
 * is in neither.
 */
void rs_oncpu_end(struct rs_oncpu *o, const struct rs_interval *iv, uint64_t since_ns, bool outside_known);

/*
 * Adds what is left of the run_ns that the slice took. What does not fit into it was of another time, as
 * where an interrupt is no task's: then nothing is known of it. The list has room for one more, once.
 */
void rs_oncpu_add_undivided(struct rs_oncpu *o, uint64_t run_ns);

/* Forgets the slice that was divided, or what is divided of the one in flight: a reset. */
void rs_oncpu_clear(struct rs_oncpu *o);

#endif
