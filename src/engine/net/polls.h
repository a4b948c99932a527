/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * polls.h - which socket a wait in poll, select or epoll_wait was for, where that is certain
 *
 * rs_engine_polls. No event tells which descriptors a poll is for, nor which one ended it. Two things do:
 *
 *	by the waker      the task that ended the wait was in a call that sends on a connection, or hangs it
 *	                  up, whose other end is the process' own (loopback, veth, Unix sockets: the packet
 *	                  is received in the sender's call); or in a connect to a socket that it listens on
 *	by the next call  the poll returned one descriptor, and the first call of the task after it reads
 *	                  from a socket, or accepts, and does not fail. See RS_ON_POLLED
 *
 * Where neither does, the socket is unknown.
 */
#ifndef RS_ENGINE_NET_POLLS_H
#define RS_ENGINE_NET_POLLS_H

#include <stdint.h>

struct rs_analysis;
struct rs_call;
struct rs_ctx;

#define RS_POLLS_CLASSES (RS_CLASS_POLL | RS_CLASS_SELECT | RS_CLASS_EPOLL)

/*
 * Returns the number of the socket that the last wait in that call was for, by its waker; 0: unknown, or it
 * is no poll.
 */
uint64_t rs_polls_socket(const struct rs_ctx *c, const struct rs_call *call);

extern const struct rs_analysis rs_engine_polls;

#endif
