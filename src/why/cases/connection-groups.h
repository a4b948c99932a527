/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connection-groups.h - TCP connections by process and address, as rules judge them
 *
 * Sockets of one process, with one address (of a client: and port), are one group. Of those that are older
 * than the trace nobody knows whose they are: then their own address stands for it.
 */
#ifndef RS_WHY_CASES_CONNECTION_GROUPS_H
#define RS_WHY_CASES_CONNECTION_GROUPS_H

#include "ringside/plugin.h"

#define RS_CONNECTION_GROUPS 128
#define RS_CONNECTION_DROPS_LEAST 3   /* packets of handshakes, for a queue to be full */

struct rs_connection_group {
	int32_t pid;                  /* 0: unknown */
	struct rs_socket_end local;   /* of one of them; port 0 of a client: each has another */
	struct rs_socket_end remote;  /* port 0 of a server, likewise */
	uint64_t nr_again, nr_timers; /* segments that are sent again */
	uint64_t wait_ns;             /* of their task, during which it happened */
	uint64_t nr_syn;              /* likewise, in the handshake of a client */
	uint64_t syn_wait_ns;         /* of such handshakes, one beside the other; .._open_ns: not over yet */
	uint64_t syn_open_ns;
	uint64_t nr_half;             /* of nr_again: of a client whose other end is not here, or not yet */
	uint64_t nr_maybe_half;       /* likewise, of one that is older than the trace */
	uint64_t queue_wait_ns;       /* of its tasks for an answer, since a queue has overflowed */
	uint64_t again_ns;            /* the last one */
	uint64_t nr_opened, connect_ns;
	uint64_t nr_closed, lasted_ns;  /* of those whose begin was seen */
	uint64_t nr_resets, reset_lasted_ns;
	int32_t reset_pid;            /* the process here that does it; 0: unknown */
};

/* All zeros: none. */
struct rs_connection_groups {
	uint64_t nr_overflows;        /* packets that a listener's full queue has dropped, where it is told */
	unsigned int nr;
	struct rs_connection_group at[RS_CONNECTION_GROUPS];
};

/* Where the begin was not seen the port of the service is taken for the lower one. */
bool rs_connection_group_is_client(const struct rs_socket *k);
/* The socket's group; NULL: there is none, or it has no peer. */
struct rs_connection_group *rs_connection_group_find(struct rs_connection_groups *s,
						     const struct rs_socket *k);
/* Likewise, and adds it; NULL: more than there is room for, or a socket without a peer. */
struct rs_connection_group *rs_connection_group_add(struct rs_connection_groups *s,
						    const struct rs_socket *k);
/* Is the group's peer here, and accepts others? */
bool rs_connection_group_has_server(const struct rs_connection_groups *s,
				    const struct rs_connection_group *g);
/*
 * Whose they are. Connections of a client that are older than the trace are taken for those of the others
 * that have its peer, if these are all of programs of one name. 0: unknown
 */
int32_t rs_connection_group_owner(struct rs_ctx *c, const struct rs_connection_groups *s,
				  const struct rs_connection_group *g);
/*
 * What a full queue drops: requests to connect, and the last packets of handshakes. Then the client is
 * established, the server has no such connection, and the first data is sent again. Of a server elsewhere
 * nothing tells, and of connections that are older than the trace only the reason of a drop.
 */
uint64_t rs_connection_group_dropped(const struct rs_connection_groups *s,
				     const struct rs_connection_group *g);
/* Does the queue of its peer, which is here, drop enough of all clients together? */
bool rs_connection_group_queue_is_full(const struct rs_connection_groups *s,
				       const struct rs_connection_group *g);

#endif
