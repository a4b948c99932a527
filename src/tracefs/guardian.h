/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guardian.h - the processes that remove the instance when the engine ends, however it ends
 *
 * There are two, alike, because one that is killed must not leave the instance
 * without one: the engine sees POLLHUP on that guardian's socket and ends, and
 * the other cleans up (the engine itself may be nobody by then).
 */
#ifndef RS_TRACEFS_GUARDIAN_H
#define RS_TRACEFS_GUARDIAN_H

#include "tracefs/tracefs.h"

/* Messages to a guardian, in the order of a session's life cycle. */
enum rs_guardian_verb {
	RS_GUARDIAN_TRY = 't',  /* NAME will be made: only rmdir it, it may be somebody else's */
	RS_GUARDIAN_OURS = 'o', /* NAME is ours: stop its events too */
	RS_GUARDIAN_END = 'e',  /* the engine has closed its files: remove NAME now */
};

/* Forks both before the instance exists; fills guardian_fds and guardian_pids. */
int rs_guardians_start(struct rs_instance *in, const char *tracefs, struct rs_error *err);
void rs_guardians_notify(struct rs_instance *in, enum rs_guardian_verb verb);
/* Tells both that the end has come and waits, 2 s at most, until one has seen the instance gone. */
void rs_guardians_end(struct rs_instance *in);

#endif
