/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-path.h - asks the guardian, which is still root, what a descriptor of a process refers to
 *
 *	rs_fd_path_ask(in->ask_fd, pid, fd, CLOCK_BOOTTIME);   // never waits; false: not now
 *	...
 *	while (rs_fd_path_answer(in->ask_fd, &reply))          // never waits; false: none has come
 *		...
 *
 * Without root /proc/PID/fd cannot be read. The protocol has one verb: the request holds numbers only, the reply is
 * bounded.
 */
#ifndef RS_TRACEFS_FD_PATH_H
#define RS_TRACEFS_FD_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct rs_fd_reply {
	uint64_t read_ns;        /* in the clock of the request, right after the link was read */
	int32_t pid, fd;
	int32_t len;             /* of path, which is not terminated; -1: no such descriptor, or no right */
	char path[PATH_MAX];     /* the link's text: "/etc/passwd", "socket:[123]" */
};

bool rs_fd_path_ask(int ask_fd, int32_t pid, int32_t fd, clockid_t clock);
bool rs_fd_path_answer(int ask_fd, struct rs_fd_reply *reply);

/* The guardian's side: answers one request if there is one. False: the other end has closed. */
bool rs_fd_path_serve(int socket_fd);

#endif
