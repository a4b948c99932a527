/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * far-turns.h - what the task at the other end of a connection did while it had the turn, for the session of
 * another machine
 *
 * A task has the turn from the return of a call that receives on a connection until its next call on it
 * sends: it has the request, and has not answered. The first pass over the recordings of several machines
 * collects these times, with the part that took most of each (rs_far_turns_analysis beside one that follows
 * sockets), on the clock that the machines share; a machine whose clock was not compared with theirs has
 * none.
 */
#ifndef RS_WHY_FAR_TURNS_H
#define RS_WHY_FAR_TURNS_H

#include "ringside/culprit.h"
#include "ringside/socket.h"

struct rs_machine_ends;
struct rs_session;

struct rs_far_turn {
	struct rs_socket_end local, remote; /* of its own end */
	uint64_t from_ns, to_ns;
	enum rs_time_part part;    /* that took most of it */
	uint64_t part_ns;
};

/* In a session of its own, or beside others: keeps at most FAR_TURNS_MAX. */
extern const struct rs_analysis rs_far_turns_analysis;

/* Adds those of a session that has the analysis. Returns -1 without memory. */
int rs_far_turns_collect(struct rs_machine_ends *ends, const struct rs_session *s);

/* Of the machine that has the other end of a connection of that name: the turn with most of the time. */
struct rs_far_share {
	const struct rs_far_turn *turn;
	uint64_t ns;               /* of the time, in that turn */
};
bool rs_far_turns_find(const struct rs_ctx *c, uint32_t name, uint64_t from_ns, uint64_t to_ns,
		       struct rs_far_share *share);

#endif
