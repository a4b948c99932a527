/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contentions.h - contention on kernel locks that is in flight, and where each lock is waited for
 */
#ifndef RS_ENGINE_MATCH_CONTENTIONS_H
#define RS_ENGINE_MATCH_CONTENTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ringside/match.h"

struct rs_analysis;
struct rs_session;
struct rs_task_instance;

#define RS_NR_LOCK_FLAGS 6      /* enum rs_lock_flags */
#define RS_LOCK_STACKS 64u      /* a power of two */

/* Contention on a kernel lock that is in flight. */
struct rs_lock_begun {
	struct rs_begun begun;  /* key: the lock's address */
	unsigned int flags;     /* enum rs_lock_flags */
	uint32_t stack;         /* 0: none */
	int32_t waker_tid;      /* the last to wake it meanwhile */
	bool has_waker;
};

struct rs_contentions {
	/* the kernel's bit for each enum rs_lock_flags; 0: this kernel has no such bit */
	uint64_t lock_bits[RS_NR_LOCK_FLAGS];
	/* of the last contention with a stack, by a hash of the lock's address */
	struct { uint64_t addr; uint32_t stack; } stacks[RS_LOCK_STACKS];
};

extern const struct rs_analysis rs_engine_locks;

/* Returns the innermost contention in flight; NULL: none, or a gap made it uncertain. */
struct rs_lock_begun *rs_contentions_innermost(const struct rs_session *s,
					       const struct rs_task_instance *inst);

#endif
