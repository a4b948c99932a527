/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-path.h - what a descriptor of a process is, asked of the guardian, who is still root
 *
 *	rs_fd_path_ask(in->ask_fd, pid, fd, CLOCK_BOOTTIME);   // never waits; false: not now
 *	...
 *	while (rs_fd_path_answer(in->ask_fd, &reply))          // never waits; false: none has come
 *		...
 *
 * /proc/PID/fd is closed to whoever gave up root. One verb, numbers alone in the
 * request, a bounded reply: there is nothing in it that could be misread.
 */
#ifndef RS_TRACEFS_FD_PATH_H
#define RS_TRACEFS_FD_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct rs_fd_reply {
	uint64_t read_ns;        /* in the clock that was asked for, right after the look */
	int32_t pid, fd;
	int32_t len;             /* of path, which is not terminated; -1: no such descriptor, or no right */
	char path[PATH_MAX];     /* the link's text: "/etc/passwd", "socket:[123]" */
};

bool rs_fd_path_ask(int ask_fd, int32_t pid, int32_t fd, clockid_t clock);
bool rs_fd_path_answer(int ask_fd, struct rs_fd_reply *reply);

/* The guardian's side: answers one request if there is one. False: nobody will ask any more. */
bool rs_fd_path_serve(int socket_fd);

#endif
