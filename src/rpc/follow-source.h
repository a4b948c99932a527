/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow-source.h - a daemon's capture as a source of one's own, from now on
 *
 *	struct rs_source *s = rs_follow_source_open(client, samples, &err);
 *	... a session over it, as over a live one ...
 *	while (rs_follow_source_event(s, &system, &name, &on))     // now and then: events that were switched meanwhile
 *		rs_session_event(session, system, name, on);
 *	rs_follow_source_stop(s);                                  // what has happened so far comes, then the end
 *	s->ops->close(s);
 *
 * Names and samples are read from /proc here, with our own rights, as a capture of our own would. One thread uses it.
 */
#ifndef RS_RPC_FOLLOW_SOURCE_H
#define RS_RPC_FOLLOW_SOURCE_H

#include "rpc/client.h"
#include "source/source.h"

/* samples: enum rs_sample. NULL with err set. */
struct rs_source *rs_follow_source_open(struct rs_client *client, unsigned int samples, struct rs_error *err);
/* The moment, in the trace clock, from which on all is there; a little of before it may come, too. */
uint64_t rs_follow_source_from_ns(const struct rs_source *s);
/* Before the first page is asked for: is that event recorded there? */
bool rs_follow_source_has(const struct rs_source *s, const char *system, const char *name);
/* Texts until the next call. False: no event was switched. */
bool rs_follow_source_event(struct rs_source *s, const char **system, const char **name, bool *on);
enum rs_follow_end {
	RS_FOLLOW_AS_ASKED,      /* by rs_follow_source_stop, or not yet */
	RS_FOLLOW_CAPTURE_ENDED, /* the daemon ended */
	RS_FOLLOW_BROKEN,        /* it is gone, or speaks nonsense */
};
enum rs_follow_end rs_follow_source_ended(const struct rs_source *s);
/* Ends at the latest after a second. */
void rs_follow_source_stop(struct rs_source *s);

#endif
