/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - why a task was off its CPU: what is known of its call, locks, requests and
 * stalls, joined when it is woken
 *
 * The causes, the first that holds:
 *
 *	lock      contention of this task had begun before it left its CPU, and has not ended
 *	reclaim   likewise a stall for memory
 *	disk      a request of its own completed meanwhile, and it was in state D, or in a call
 *	          that waits for input and output begun before
 *	other D   state D, and none of these
 *	futex     in futex(2), waiting
 *	idle      in a call that waits for whatever comes, or the kernel's own idle state (I)
 *	sleep     in any other call, or a kernel thread; stopped
 *	unknown   nothing that was recorded tells: its call began before the trace, say
 */
#ifndef RS_ENGINE_WAITS_H
#define RS_ENGINE_WAITS_H

#include "ringside/wait.h"

struct rs_session;
struct rs_task_instance;

/* An RS_BLOCKED interval has ended, discarded or not. */
void rs_waits_ended(struct rs_session *s, const struct rs_interval *iv);
/* A request of a task completed: the task may be waiting for it. */
void rs_waits_request(struct rs_session *s, const struct rs_request *request);

/* See rs_task_wait in ringside/plugin.h. */
bool rs_waits_current(struct rs_session *s, struct rs_task_instance *inst, struct rs_wait *w);

#endif
