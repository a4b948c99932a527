/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-abi.h - the table of system calls that a task's numbers are of: the kernel's own, or that of 32-bit
 * programs
 */
#ifndef RS_ENGINE_CALLS_CALL_ABI_H
#define RS_ENGINE_CALLS_CALL_ABI_H

#include <stdint.h>

struct rs_initial_task;
struct rs_session;
struct rs_task_instance;

void rs_call_abi_begin(const struct rs_session *s, struct rs_task_instance *inst,
		       const struct rs_initial_task *initial);
void rs_call_abi_fork(const struct rs_task_instance *parent, struct rs_task_instance *child);
/* another program: its table is not known yet */
void rs_call_abi_exec(const struct rs_session *s, struct rs_task_instance *inst);
/* For a task whose table is not known: called before the number of its call is stored. args: six words. */
void rs_call_abi_enter(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, const void *args);
/* An event of a single call came for the task: the kernel has none for 32-bit programs. */
void rs_call_abi_named(struct rs_session *s, struct rs_task_instance *inst, int64_t nr);
/*
 * For such a task, or where the number of the exit is not that of the call: called before the call ends.
 * Returns the number to end the call with, which is that of the call after an exec.
 */
int64_t rs_call_abi_exit(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, int64_t ret);

#endif
