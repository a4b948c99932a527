/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what-if-sums.h - the sums of what-if: waits of a process by call and peer, and what a change makes of them
 */
#ifndef RS_PLUGINS_PARTS_WHAT_IF_SUMS_H
#define RS_PLUGINS_PARTS_WHAT_IF_SUMS_H

#include "ringside/plugin.h"
#include "ringside/what-if.h"

struct rs_what_if_sum {
	/* without a change all waits, and .after is empty; else those that it changes, before and after */
	struct rs_hist before, after;
	uint64_t saved_ns;
	uint64_t unknown_ns;         /* of all waits: what nothing tells of, and what was not looked at */
	struct rs_what_if change;    /* .kind NONE: of all waits; .ns is not used */
	char peer[RS_COMM_LEN];
};

struct rs_what_if_pair {
	uint64_t ns;                 /* that processes of the first name waited for those of the second */
};

/* What an analysis has for them: .stores, .state_size, .task_size. */
enum { RS_WHAT_IF_WAITS, RS_WHAT_IF_PAIRS };

extern const struct rs_store rs_what_if_sums_stores[];

struct rs_what_if_state {
	struct rs_what_if_room *room;
	int64_t credit;              /* steps that may be made now */
	uint64_t credit_ns;
};

struct rs_what_if_task {
	uint64_t waited_ns;          /* in the call that it is in, as far as that has ended */
	uint64_t peer_ns;            /* of that, for the peer */
	char peer[RS_COMM_LEN];      /* "": none */
	uint64_t wall_ns;            /* of a first thread, while rows are made: that of all of its process */
};

struct rs_what_if_task *rs_what_if_sums_task(struct rs_ctx *c, const struct rs_task *t);

/*
 * Key 0 is what is waited for: a call, or a cause outside of calls, and the peer. Key 1 is the change; 0:
 * none. Names are hashed: with a thousand of them one time in ten thousand two are one.
 */
#define RS_WHAT_IF_KEY_IS_CAUSE (1ull << 31)

/* comm NULL, "": 0 */
uint64_t rs_what_if_sums_name_key(const char *comm);
/* call < 0: outside of calls, for the cause. */
uint64_t rs_what_if_sums_key(int64_t call, enum rs_cause cause, const char *peer);
uint64_t rs_what_if_sums_change_key(const struct rs_what_if *w);

#endif
