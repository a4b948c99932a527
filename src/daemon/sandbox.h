/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - limits the system calls of the engine's process once it runs
 *
 * It reads untrusted files and requests. If one of them takes it over, it cannot start a program, open a file
 * for writing, or connect anywhere.
 */
#ifndef RS_DAEMON_SANDBOX_H
#define RS_DAEMON_SANDBOX_H

#include <sys/types.h>

#include "base/error.h"

/* Zeroed: none. */
struct rs_sandbox {
	pid_t pid;   /* the child that makes the filter; 0: none */
	pid_t ours;  /* the process that enters it */
	int fd;      /* the filter */
};

/*
 * Call early, while there is one thread: another process makes the filter. rs_sandbox_enter reports its
 * error.
 */
void rs_sandbox_begin(struct rs_sandbox *sb);
/* For a sandbox that is not entered. Does nothing if it was entered, or not begun. */
void rs_sandbox_cancel(struct rs_sandbox *sb);

/*
 * rs_sandbox_enter - for all threads, those to come too, for good. After privileges are dropped, plugins
 * loaded and every thread's priority set. -1 where the kernel cannot (no seccomp, before 3.17), and where
 * memory ran out, which counts as a failed allocation (memory-watch.h): nothing is forbidden then.
 */
int rs_sandbox_enter(struct rs_sandbox *sb, struct rs_error *err);

#endif
