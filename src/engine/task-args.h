/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-args.h - the command line of a task's process: see ringside/task.h
 */
#ifndef RS_ENGINE_TASK_ARGS_H
#define RS_ENGINE_TASK_ARGS_H

struct rs_session;
struct rs_task_instance;

/* Live: inst is of a process that is new, or runs a new program: has its command line read. Never waits. */
void rs_task_args_ask(struct rs_session *s, const struct rs_task_instance *inst);

#endif
