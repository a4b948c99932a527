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

struct rs_analysis;

extern const struct rs_analysis rs_engine_sockets, rs_engine_messages;

#endif
