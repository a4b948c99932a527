/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - which system calls the engine's process may still make once it runs
 *
 * It reads files and requests of strangers. Should one of them get the better of it, there is little left to be had:
 * no program can be begun, no file opened for writing, no connection made.
 */
#ifndef RS_DAEMON_SANDBOX_H
#define RS_DAEMON_SANDBOX_H

#include "base/error.h"

/*
 * rs_sandbox_enter - for all threads, those to come too, for good. After privileges are dropped, plugins loaded and
 * every thread's priority set. -1 where the kernel cannot (no seccomp, before 3.17): nothing is forbidden then.
 */
int rs_sandbox_enter(struct rs_error *err);

#endif
