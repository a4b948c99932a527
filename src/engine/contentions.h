/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contentions.h - contention on kernel locks, from begin to end, by SEMANTICS "Locks"
 *
 * A task waits for one lock at a time, and an interrupt on top of it for another:
 * so what is open hangs on the task (in idle's context on the CPU), in a few places.
 */
#ifndef RS_ENGINE_CONTENTIONS_H
#define RS_ENGINE_CONTENTIONS_H

#include "engine/gaps.h"
#include "ringside/wait.h"

#define RS_OPEN_LOCKS 4 /* of one context: a task, a softirq, an interrupt, an NMI */

struct rs_open_lock {
	uint64_t lock_addr, begin_ns;
	unsigned int flags;
	int32_t waker_tid;
};

struct rs_open_locks {
	struct rs_open_lock at[RS_OPEN_LOCKS];
	unsigned int nr;        /* open, from the front: the last is the innermost */
};

struct rs_contentions {
	const struct rs_gaps *gaps;     /* of all CPUs */
	struct rs_open_locks *idle;     /* by CPU */
	unsigned int nr_cpus;
	uint64_t nr_unmatched, nr_discarded, nr_evicted;
	void (*on_contention)(void *arg, const struct rs_contention *contention);
	void *arg;
};

int rs_contentions_init(struct rs_contentions *c, unsigned int nr_cpus);
void rs_contentions_done(struct rs_contentions *c);
/* open: the task's, or idle's of that CPU */
void rs_contentions_begin(struct rs_contentions *c, struct rs_open_locks *open, uint64_t lock_addr, unsigned int flags, uint64_t ts_ns);
void rs_contentions_end(struct rs_contentions *c, struct rs_open_locks *open, struct rs_contention *end);
/* The task is gone: what it waited for never ends. */
void rs_contentions_drop(struct rs_contentions *c, struct rs_open_locks *open, uint64_t ts_ns);
/* The innermost that is open and that no gap has made uncertain; NULL none. */
struct rs_open_lock *rs_contentions_current(const struct rs_contentions *c, struct rs_open_locks *open, uint64_t now_ns);
void rs_contentions_count(const struct rs_contentions *c, const struct rs_open_locks *open, uint64_t now_ns,
			  uint64_t *nr_in_flight, uint64_t *nr_discarded);

#endif
