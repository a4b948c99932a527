/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow-source.h - a daemon's capture as a source, from now on
 *
 *	struct rs_source *s = rs_follow_source_open(client, samples, &err);
 *	... a session over it, as over a live one ...
 *	while (rs_follow_source_event(s, &system, &name, &on))     // regularly: events that were switched
 *	                                                           // meanwhile
 *		rs_session_event(session, system, name, on);
 *	while ((known = rs_follow_source_socket(s)))               // before the next events
 *		rs_session_add_socket(session, known);
 *	rs_follow_source_stop(s);                                  // the events so far arrive, then the end
 *	s->ops->close(s);
 *
 * Reads names and samples from /proc with the rights of this user, as its own capture would. One thread uses
 * it.
 */
#ifndef RS_RPC_FOLLOW_SOURCE_H
#define RS_RPC_FOLLOW_SOURCE_H

#include "rpc/client.h"
#include "source/source.h"

/* samples: enum rs_sample. NULL with err set. */
struct rs_source *rs_follow_source_open(struct rs_client *client, unsigned int samples, struct rs_error *err);
/* Returns the trace clock's time from which on all events are there; a few earlier ones may come, too. */
uint64_t rs_follow_source_from_ns(const struct rs_source *s);
/* Returns true if the daemon records that event. Call before the first page. */
bool rs_follow_source_has(const struct rs_source *s, const char *system, const char *name);
/* The texts are valid until the next call. Returns false if no event was switched. */
bool rs_follow_source_event(struct rs_source *s, const char **system, const char **name, bool *on);
/*
 * Returns a descriptor that the daemon knows to be of a socket, which it may have looked up; NULL: no more by
 * now. Lives until the next call.
 */
const struct rs_fd_socket *rs_follow_source_socket(struct rs_source *s);
enum rs_follow_end {
	RS_FOLLOW_AS_ASKED,      /* by rs_follow_source_stop, or it has not ended */
	RS_FOLLOW_CAPTURE_ENDED, /* the daemon ended */
	RS_FOLLOW_BROKEN,        /* it is gone, or breaks the protocol */
};
enum rs_follow_end rs_follow_source_ended(const struct rs_source *s);
/* The source then ends within a second. */
void rs_follow_source_stop(struct rs_source *s);

/*
 * ---- the socket's format: raw pages as they come, and messages between them (docs/protocol.md, "follow")
 * ----
 *
 * Both ends run on one machine, so numbers have its byte order.
 */

enum rs_follow_type {
	RS_FOLLOW_PAGE = 1, /* cpu; a: empty_at_ns (see struct rs_page); len bytes follow */
	RS_FOLLOW_MARK,     /* a: every event before this time has been sent */
	RS_FOLLOW_PAUSE,    /* a, b: tracing was off from a to b, on all CPUs, sent before any later page; or,
			       with len bytes,    what another program had changed from a to b */
	RS_FOLLOW_EVENT,    /* a: 1 on, 0 off from now on; len bytes follow: "system:name" */
	RS_FOLLOW_END,      /* the capture has ended, and everything was sent */
	RS_FOLLOW_SOCKET,   /* a, b: since_ns and until_ns of a struct rs_fd_socket; cpu: its pid, fd;
			       len bytes follow: its name */
};

struct rs_follow_head {
	uint32_t type, cpu, len_bytes, fd;
	uint64_t a, b;
};

#define RS_FOLLOW_NAME_BYTES 256
#define RS_FOLLOW_SOCKET_BYTES 4096

#endif
