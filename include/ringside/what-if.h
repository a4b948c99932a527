/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what-if.h - how long a wait would have taken without one of those who took its time, or with a faster one
 *
 *	struct rs_what_ifs all;
 *
 *	if (rs_what_if_find(c, state->room, call->task, call->enter_ns, call->exit_ns, &all))
 *		...                                        // all.at[i].ns: in place of exit_ns - enter_ns
 *
 * What happened between two times is computed anew, with the order of events kept. A wait for another task
 * ends when that one would have come to where it woke it, and not before the waiting task is there itself.
 * A CPU, a disk and a lock that become free go to the next in line; who came later is not yet in line. All
 * else takes as long as it took: what others ran, sleeps until a timer, the time on a device. Nothing was
 * different before the wait. So where two culprits overlap, each of them alone may save nothing.
 *
 * Requires .requires_history.
 */
#ifndef RINGSIDE_WHAT_IF_H
#define RINGSIDE_WHAT_IF_H

#include "culprit.h"

#define RS_MAX_WHAT_IFS 16

/* FASTER: in half the time. */
enum rs_what_if_kind {
	RS_WHAT_IF_NONE,
	RS_WHAT_IF_ABSENT,           /* a task took no CPU, no disk, and had no lock; it still answers */
	RS_WHAT_IF_TASK_FASTER,      /* what a task runs */
	RS_WHAT_IF_DISK_FASTER,      /* all requests of a disk */
	RS_WHAT_IF_NO_CATEGORY,      /* no time went to a category of the tree of time */
	RS_WHAT_IF_NO_QUOTA,         /* nothing was throttled by cpu.max */
	RS_NR_WHAT_IF_KINDS
};

struct rs_what_if {
	enum rs_what_if_kind kind;
	/*
	 * ABSENT, TASK_FASTER: the name of a process, or of a thread of the task's own process; "": the task
	 * itself
	 */
	char comm[RS_COMM_LEN];
	bool is_own_thread;
	uint32_t dev;                /* DISK_FASTER */
	enum rs_category category;   /* NO_CATEGORY */
	uint64_t ns;                 /* how long it would have taken: less than it took */
};

struct rs_what_ifs {
	unsigned int nr;
	struct rs_what_if at[RS_MAX_WHAT_IFS];
	uint64_t unknown_ns;         /* of what it took: nothing tells what to, so nothing changes it */
	unsigned int steps;          /* of work that it was */
};

struct rs_ctx;
struct rs_what_if_room;

/* Returns memory to work in, as of rs_alloc; NULL: none. */
struct rs_what_if_room *rs_what_if_find_room(struct rs_ctx *c);
/* Of RS_ON_REQUEST: tells how long requests take by themselves. */
void rs_what_if_find_add_request(struct rs_what_if_room *room, const struct rs_request *r);
/* Returns false: nothing is known of that time, or too much happened in it. */
bool rs_what_if_find(struct rs_ctx *c, struct rs_what_if_room *room, const struct rs_task *t,
		     uint64_t from_ns, uint64_t to_ns, struct rs_what_ifs *out);

#endif
