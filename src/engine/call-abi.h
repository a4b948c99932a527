/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-abi.h - the table of system calls that a task's numbers are of: the kernel's own, or that of 32-bit programs
 */
#ifndef RS_ENGINE_CALL_ABI_H
#define RS_ENGINE_CALL_ABI_H

#include "engine/internal.h"

void rs_call_abi_begin(const struct rs_session *s, struct rs_task_instance *inst,
		       const struct rs_initial_task *initial);
void rs_call_abi_fork(const struct rs_task_instance *parent, struct rs_task_instance *child);
void rs_call_abi_exec(const struct rs_session *s, struct rs_task_instance *inst); /* another program: nothing is known of it */
/* Of a task of which it is not known: before its call's number is kept. args: six words. */
void rs_call_abi_enter(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, const void *args);
/* Its event of a single call was there: of a 32-bit program the kernel has none. */
void rs_call_abi_named(struct rs_session *s, struct rs_task_instance *inst, int64_t nr);
/*
 * Of such a task, or where the exit's number is not that of the call: before the call is ended. Returns the number by
 * which it is to be ended, that of the call where it was an exec.
 */
int64_t rs_call_abi_exit(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, int64_t ret);

#endif
