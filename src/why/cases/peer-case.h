/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer-case.h - what a rule about waits for another task judges */
#ifndef RS_WHY_CASES_PEER_CASE_H
#define RS_WHY_CASES_PEER_CASE_H

#include "ringside/plugin.h"
#include "why/peer.h"

/* What .rule of a struct rs_peer_case is. */
enum rs_peer_rule {
	RS_PEER_READ,
	RS_PEER_WRITE,
	RS_PEER_SOCKET,
	RS_PEER_CHILD,
	RS_PEER_SERVER,
	RS_PEER_ONE_THREAD,
	RS_PEER_FILE_LOCK,
	RS_PEER_OWN_SLEEP,
};

#define RS_PEER_POLLS (RS_CLASS_POLL | RS_CLASS_SELECT)

/* Polls that found something, since the last reset: a reset does not come by all tasks. */
struct rs_peer_polls {
	uint64_t since_ns, nr;
};

/* A callback of an analysis whose tasks have a struct rs_peer_polls. */
void rs_peer_case_on_poll(struct rs_ctx *c, const struct rs_call *call);

bool rs_peer_case_is_write(struct rs_ctx *c, int64_t call);
bool rs_peer_case_is_semaphore(struct rs_ctx *c, int64_t call);
/* Is it a wait for a child? Who calls vfork waits in state D until its child calls exec. */
bool rs_peer_case_is_child(struct rs_ctx *c, const struct rs_blame_entry *e);
/* Returns which rule of rs_peer_rule such a wait is of. */
unsigned int rs_peer_case_rule(struct rs_ctx *c, const struct rs_blame_entry *e);
/* Are there so many children that one finding covers them? */
bool rs_peer_case_has_many_children(const struct rs_peer_case *k);
/* Is the peer the cause, and not idle for lack of requests? */
bool rs_peer_case_is_to_blame(struct rs_ctx *c, const struct rs_peer_case *k);

#endif
