/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * companions.h - stacks that were recorded with events: kernel_stack and user_stack belong to the event
 * before them on their CPU
 *
 * An interrupt may come between an event and its stack, with events and stacks of its own. So the last event
 * of each context (task, softirq, interrupt, NMI, and nested in these) is remembered, until an event that is
 * less deep shows that it has ended. Lost events void what is remembered of their CPU.
 *
 * A stack goes to what its event begins: a wait, a contention, a request, a system call. Others are
 * dispatched (RS_ON_STACK).
 */
#ifndef RS_STACKS_COMPANIONS_H
#define RS_STACKS_COMPANIONS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_session;

/* Does the trace have stacks of events, which an analysis of the session uses? */
bool rs_companions_are_recorded(struct rs_session *s);
/* Calls fn with each stack that a task, or what is in flight, will have. */
void rs_companions_for_each_stack(struct rs_session *s, void (*fn)(void *arg, uint32_t stack), void *arg);

#endif
