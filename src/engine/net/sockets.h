/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets.h - follows the TCP sockets of the machine, by the address of the kernel's struct sock
 *
 * rs_engine_sockets: inet_sock_set_state, from connect, listen and the handshake to the close; resets, errors
 * and retransmits. rs_engine_messages: what is sent and received (sock_send_length, sock_recv_length, since
 * 6.3), which names the task of a socket, too, and costs an event each.
 */
#ifndef RS_ENGINE_NET_SOCKETS_H
#define RS_ENGINE_NET_SOCKETS_H

#include "base/ends.h"
#include "base/unix-ends.h"
#include "ringside/socket.h"

struct rs_analysis;
struct rs_socket_table;

/*
 * A look-up told the ends of a descriptor of the task. number: of its socket, by an event that did not tell
 * them; 0: it is the open one that has these ends, and is added where no event has named it. Returns its
 * number; 0: several have them, in other network namespaces, or there is no memory.
 */
uint64_t rs_sockets_join(struct rs_ctx *c, uint64_t number, const struct rs_ends *ends,
			 const struct rs_task *user);

/* It was in that state at that time, by a look-up, which an event knows better; 0: unknown. */
void rs_sockets_set_state(struct rs_ctx *c, uint64_t number, enum rs_tcp_state state, uint64_t ts_ns);

/* A call of the task sends or receives on it: the first one tells whose it is. */
void rs_sockets_use(struct rs_ctx *c, uint64_t number, const struct rs_task *t);
/* See rs_socket_find. */
struct rs_socket *rs_sockets_find(const struct rs_ctx *c, uint64_t number);
/*
 * Likewise of a Unix socket, whose inodes are its ends. path: outlives the session; NULL: none. Returns 0 if
 * it is not connected.
 */
uint64_t rs_sockets_join_unix(struct rs_ctx *c, const struct rs_unix_ends *ends, const char *path,
			      const struct rs_task *user);
/* The last descriptor of a Unix socket that is known has been closed. */
void rs_sockets_leave(struct rs_ctx *c, uint64_t number, uint64_t ts_ns);

/* All that are known; NULL: none are followed. */
const struct rs_socket_table *rs_sockets_table(const struct rs_ctx *c);

extern const struct rs_analysis rs_engine_sockets, rs_engine_messages;

#endif
