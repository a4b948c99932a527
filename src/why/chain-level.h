/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain-level.h - a step of a critical path: one task, the times that it is asked about, what these went to,
 * and whom it waited for
 *
 *	rs_chain_level_begin(&level, c, task, from_ns, to_ns);
 *	while ((waker = rs_chain_level_main_waker(&level)))
 *		rs_chain_level_next(&level, waker);   // what that task did while this one waited for it
 */
#ifndef RS_WHY_CHAIN_LEVEL_H
#define RS_WHY_CHAIN_LEVEL_H

#include "why/history.h"

#define RS_CHAIN_LEVEL_WAITS 512u   /* that are looked at; the newest */
#define RS_CHAIN_LEVEL_WAKERS 32u

/* A wait that ended with a task as its waker, clipped to the time of its level. */
struct rs_chain_wait {
	const struct rs_segment *seg;
	uint64_t from_ns, to_ns;
};

/* Tasks of one name are one: a hundred compilers, one after the other, are what make waits for. */
struct rs_chain_waker {
	const struct rs_task_name *name;       /* of the newest */
	uint64_t ns;
	uint32_t nr;
	bool several;
};

struct rs_chain_level {
	struct rs_ctx *c;
	const struct rs_task_name *name;
	struct rs_culprits parts;              /* of all that is not followed */
	struct rs_chain_wait waits[RS_CHAIN_LEVEL_WAITS];
	unsigned int nr_waits;
	struct rs_chain_waker wakers[RS_CHAIN_LEVEL_WAKERS];
	unsigned int nr_wakers;
};

/* Sets the level to what the task did between two times. Returns false: nothing is known of the task. */
bool rs_chain_level_begin(struct rs_chain_level *level, struct rs_ctx *c, const struct rs_task *t,
			  uint64_t from_ns, uint64_t to_ns);
/* Returns whom the task waited for longest; NULL: for nobody. */
const struct rs_chain_waker *rs_chain_level_main_waker(const struct rs_chain_level *level);
/* Leaves only the waits for that waker in the level, and returns the longest of them. */
const struct rs_chain_wait *rs_chain_level_keep(struct rs_chain_level *level,
						const struct rs_chain_waker *waker);
/* Returns the part of the time that the wait went to. */
enum rs_time_part rs_chain_level_part(const struct rs_chain_level *level, const struct rs_chain_wait *wait);
/*
 * Sets the level to what the waker did during the waits that are left in this one: see rs_chain_level_keep.
 * The waker may be of the level itself.
 */
void rs_chain_level_next(struct rs_chain_level *level, const struct rs_chain_waker *waker);
/* Returns the task's own name. */
const char *rs_chain_level_comm(const struct rs_task_name *n);

#endif
