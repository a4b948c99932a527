/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slow-waits.h - each wait of a user task that was slow enough to be noticed, and for whom: what recurs
 *
 * It exists if an analysis of the session sets .requires_blame. Unlike what findings are judged by it
 * is not cleared by a reset: who waits for 300 ms every 5 s does so in one interval of five. The oldest
 * are overwritten. Waits of one kind are those of processes of one name, with one cause, in one system
 * call, for one futex or disk.
 */
#ifndef RS_WHY_SLOW_WAITS_H
#define RS_WHY_SLOW_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "ringside/wait.h"

#define RS_SLOW_WAIT_NS 20000000u   /* from which on they are kept */
#define RS_SLOW_WAITS 4096u         /* of each class */

/*
 * LOST: it wanted to work, and could not: RS_RANK_WAIT, and futexes that are locks. OTHER: it waited for
 * another thread, or for input; whether that costs is for rules to say.
 */
enum rs_slow_waits_class { RS_SLOW_WAITS_LOST, RS_SLOW_WAITS_OTHER, RS_SLOW_WAITS_CLASSES };

struct rs_slow_wait {
	uint64_t from_ns, to_ns;
	uint64_t what;               /* FUTEX its address, DISK the device; else 0 */
	int64_t call;                /* -1: none, or unknown, or for a CPU */
	int32_t tid, pid;            /* pid 0: unknown */
	enum rs_cause cause;         /* DELAY: for a CPU, preempted or not */
	char comm[RS_COMM_LEN];      /* of the process */
	/* LOST, of some that took RS_SLOW_WAIT_CULPRIT_NS: who had most of it; "": unknown */
	char culprit[RS_COMM_LEN];
	int32_t culprit_pid;
	bool is_own_thread;          /* the culprit is a thread of the process: its own name, and its tid */
};

#define RS_SLOW_WAIT_CULPRIT_NS 100000000u

struct rs_session;

/*
 * Each wait of a class has a number, in the order in which they ended; this is that of the one to come. 0:
 * there are none.
 */
uint64_t rs_slow_waits_end(const struct rs_session *s, enum rs_slow_waits_class class);
/* NULL: it was overwritten, or there is none of that number. Valid until the session goes on. */
const struct rs_slow_wait *rs_slow_waits_get(const struct rs_session *s, enum rs_slow_waits_class class,
					     uint64_t number);
bool rs_slow_waits_are_alike(const struct rs_slow_wait *a, const struct rs_slow_wait *b);
/*
 * Nothing is said of waits that began before: the end of the last loss of events, the begin of the time
 * range, and, of a session that is reset, most_ns ago.
 */
uint64_t rs_slow_waits_from_ns(const struct rs_session *s, uint64_t most_ns);
/* The session is reset: it is asked about the last interval, and about some time before it. */
bool rs_slow_waits_are_of_window(const struct rs_session *s);
/* When events were lost last; 0: never. */
uint64_t rs_slow_waits_lost_ns(const struct rs_session *s);

#endif
