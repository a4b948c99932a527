/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accepts.h - follows the accept queues of TCP listeners, and which connection an accept returns
 *
 * rs_engine_accepts: a connection is in its listener's queue from the end of the handshake until an accept
 * returns it. No event tells which one that is. Where all of the listener's queue is known, it is the first
 * in it; else it is told by the first call that uses the new descriptor and has an event: a message, or the
 * close. From the first one that is told so on, the queue is known.
 */
#ifndef RS_ENGINE_NET_ACCEPTS_H
#define RS_ENGINE_NET_ACCEPTS_H

struct rs_analysis;

extern const struct rs_analysis rs_engine_accepts;

#endif
