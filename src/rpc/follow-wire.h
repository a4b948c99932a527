/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow-wire.h - the format of a follower's socket: raw pages as they come, and messages between them
 *
 * Both ends run on one machine, so numbers have its byte order. See docs/protocol.md, "follow".
 */
#ifndef RS_RPC_FOLLOW_WIRE_H
#define RS_RPC_FOLLOW_WIRE_H

#include <stdint.h>

enum rs_follow_type {
	RS_FOLLOW_PAGE = 1,  /* cpu; a: empty_at_ns (see struct rs_page); len bytes follow */
	RS_FOLLOW_MARK,      /* a: every event before this time has been sent */
	RS_FOLLOW_PAUSE,     /* a, b: tracing was off from a to b, on all CPUs. Sent before any later page */
	RS_FOLLOW_EVENT,     /* a: 1 on, 0 off from now on; len bytes follow: "system:name" */
	RS_FOLLOW_END,       /* the capture has ended, and everything was sent */
};

struct rs_follow_head {
	uint32_t type, cpu, len_bytes, zero;
	uint64_t a, b;
};

#define RS_FOLLOW_NAME_BYTES 256

#endif
