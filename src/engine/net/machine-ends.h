/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine-ends.h - the ends of the connections of several machines whose recordings are read together, by
 * their addresses
 *
 * Each machine has a session of its own. The first pass collects the ends of all, and the sessions of the
 * second ask for the other end of what leaves their machine:
 *
 *	rs_machine_ends_collect(&ends, session, "guest");     // of each machine, at its end
 *	rs_machine_ends_sort(&ends);
 *	config.machine_ends = &ends;
 *
 * Loopback addresses are left out, and what several tasks of other machines had, as where they have the same
 * private addresses, is not known.
 */
#ifndef RS_ENGINE_NET_MACHINE_ENDS_H
#define RS_ENGINE_NET_MACHINE_ENDS_H

#include "ringside/socket.h"

struct rs_far_turn;
struct rs_session;

struct rs_machine_ends {
	struct rs_machine_end {
		struct rs_socket_end local, remote;
		struct rs_far_task task;
	} *row;
	size_t nr, room;
	struct rs_far_turn *far_turns; /* see why/far-turns.h */
	size_t nr_far_turns, far_turns_room;
};

/* Adds those of a session that follows sockets; machine outlives the list. Returns -1 without memory. */
int rs_machine_ends_collect(struct rs_machine_ends *ends, const struct rs_session *s, const char *machine);
void rs_machine_ends_sort(struct rs_machine_ends *ends);
/* The task of a sorted list that has that end on a machine other than this one; NULL: none, or several. */
const struct rs_far_task *rs_machine_ends_find(const struct rs_machine_ends *ends, const char *machine,
					       const struct rs_socket_end *local,
					       const struct rs_socket_end *remote);
void rs_machine_ends_done(struct rs_machine_ends *ends);

#endif
