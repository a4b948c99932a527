/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - finds why a task was off its CPU: when the task is woken, joins the wait with
 * the task's system call, locks, requests and stalls
 *
 * The cause is the first of these that applies:
 *
 *	lock      the task was in contention for a kernel lock when it left its CPU, and still is
 *	reclaim   likewise in a stall for memory
 *	disk      a request of the task completed during the wait, and it was in state D, or in a
 *	          call that waits for I/O that was submitted before
 *	other D   state D, for another reason
 *	futex     in futex(2), waiting
 *	idle      in a call that waits for new work (epoll_wait), or in state I
 *	sleep     in any other call, or a kernel thread, or stopped
 *	unknown   no recorded event shows it: the call began before the trace, for example
 */
#ifndef RS_ENGINE_STATES_WAITS_H
#define RS_ENGINE_STATES_WAITS_H

#include "engine/task-table.h"
#include "ringside/request.h"
#include "ringside/wait.h"

struct rs_session;

/* An RS_BLOCKED interval has ended, discarded or not. */
void rs_waits_ended(struct rs_session *s, const struct rs_interval *iv);
/* A request completed: the task that issued it may be waiting for it. */
void rs_waits_request(struct rs_session *s, const struct rs_request *request);

/* Returns true if system calls were recorded: a file may declare events that were never enabled. */
bool rs_waits_calls_are_recorded(const struct rs_session *s);

/* Returns whether the kernel has events of the locks that tasks wait for: 5.19 and later. */
bool rs_waits_has_lock_events(const struct rs_session *s);

#endif
