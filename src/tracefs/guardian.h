/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guardian.h - the processes that remove the instance when the engine ends, however it ends
 *
 * There are two: if one is killed, the engine sees POLLHUP on its socket and ends, and the other one cleans
 * up, which the engine may no longer have the rights for.
 */
#ifndef RS_TRACEFS_GUARDIAN_H
#define RS_TRACEFS_GUARDIAN_H

#include <limits.h>
#include <time.h>

#include "tracefs/tracefs.h"

/* Messages to a guardian, in the order of a session's life cycle. */
enum rs_guardian_verb {
	RS_GUARDIAN_TRY = 't',  /* NAME will be made: only rmdir it, it may be another session's */
	RS_GUARDIAN_OURS = 'o', /* NAME is ours: stop its events too */
	RS_GUARDIAN_END = 'e',  /* the engine has closed its files: remove NAME now */
};

/* Forks both before the instance exists; fills guardian_fds and guardian_pids. */
int rs_guardians_start(struct rs_instance *in, const char *tracefs, struct rs_error *err);
void rs_guardians_notify(struct rs_instance *in, enum rs_guardian_verb verb);
/* Ends both, and waits at most 2 s until one of them has removed the instance. */
void rs_guardians_end(struct rs_instance *in);

/*
 * ---- what a descriptor of a process refers to: the guardian is still root, and answers ----
 *
 *	rs_guardian_ask_fd(in->ask_fd, pid, fd, CLOCK_BOOTTIME);   // never waits; false: not now
 *	...
 *	while (rs_guardian_take_reply(in->ask_fd, &reply))         // never waits; false: no reply yet
 *		...
 *
 * Without root /proc/PID/fd cannot be read. The request holds numbers only, the reply is bounded.
 */

#define RS_FD_CWD \
	INT32_MAX /* in place of a descriptor: the working directory. No descriptor has that number */

/*
 * Likewise: what the container of the process is called, see container-files.h. It is asked for and answered
 * at in->names_fd alone: it takes files, which may be on a slow disk.
 */
#define RS_FD_CONTAINER (INT32_MAX - 1)

struct rs_fd_reply {
	uint64_t read_ns;        /* in the clock of the request, right after the link was read */
	int32_t pid, fd;
	/* of a TCP socket: as the kernel has it (TCP_ESTABLISHED 1), at state_ns; 0: none, or unknown */
	uint64_t state_ns;
	int32_t state;
	int32_t len;             /* of path, which is not terminated; -1: no such descriptor, or no right */
	char path[PATH_MAX];     /* the link's text: "/etc/passwd", "TCP:[10.0.0.1:5000->10.0.0.2:80]" */
};

bool rs_guardian_ask_fd(int ask_fd, int32_t pid, int32_t fd, clockid_t clock);
bool rs_guardian_take_reply(int ask_fd, struct rs_fd_reply *reply);
/* The guardian's side: answers one request if there is one. False: the other end has closed. */
bool rs_guardian_answer(int socket_fd);

#endif
