/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket-waits.h - what a wait in a call on a socket is for: see rs_socket_wait_part */
#ifndef RS_ENGINE_NET_SOCKET_WAITS_H
#define RS_ENGINE_NET_SOCKET_WAITS_H

struct rs_ctx;
struct rs_interval;
struct rs_socket;
struct rs_wait;

/* As rs_socket_wait_part, of a wait for what the peer sends on that socket. */
unsigned int rs_socket_waits_receive(struct rs_ctx *c, const struct rs_interval *wait,
				     const struct rs_socket *socket);

/*
 * A wait in a poll has ended: sets its socket, where that is certain. Where a client asked on that
 * connection, and has not waited for another since, it is RS_CAUSE_SLEEP, for the answer. Who waits for
 * whatever comes is idle.
 */
void rs_socket_waits_poll(struct rs_ctx *c, struct rs_wait *w);

#endif
