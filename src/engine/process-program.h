/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process-program.h - the program that a process interprets, as a number: processes of one name, as python3,
 * are told apart by it
 *
 * 0: its name tells what it runs, or its command line is not known yet, or has the program itself (-c).
 * Equal numbers of one name are one program. It is found with the first command line that is known of a
 * process, and again after an exec.
 */
#ifndef RS_ENGINE_PROCESS_PROGRAM_H
#define RS_ENGINE_PROCESS_PROGRAM_H

#include <stdint.h>

struct rs_ctx;
struct rs_task;
struct rs_task_name;

/* pid: of the process, or of a thread */
uint32_t rs_process_program(struct rs_ctx *c, int32_t pid);
/* Of the process of a task. */
uint32_t rs_process_program_of_task(struct rs_ctx *c, const struct rs_task *t);
uint32_t rs_process_program_of_name(struct rs_ctx *c, const struct rs_task_name *n);

#endif
