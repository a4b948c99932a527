/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - the task that each CPU's events are fired by, and what an event of another task proves
 */
#ifndef RS_ENGINE_STATES_CONTEXT_H
#define RS_ENGINE_STATES_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct rs_cpu;
struct rs_event;
struct rs_session;
struct rs_task_instance;

/* What an event proves about the task on its CPU: see context.c. */
enum rs_context_kind {
	RS_CONTEXT_EVIDENCE,
	RS_CONTEXT_SWITCHING,   /* part of a switch: proves nothing about the task that leaves */
	RS_CONTEXT_COMPANION,   /* part of the event before it: proves nothing */
};

/* Does common_flags have the irqs-off flag? Some kernel configurations do not set it. */
enum rs_irqs_recorded { RS_IRQS_UNSURE, RS_IRQS_RECORDED, RS_IRQS_NOT_RECORDED };

/* A cache of the last task on a CPU: saves the look-up for most events. */
struct rs_cpu_context {
	int32_t tid;
	uint32_t generation;
	struct rs_task_instance *inst;
	const struct rs_cpu *cpu;       /* the CPU's current task, from the state machine */
	int32_t context_tid;            /* common_pid of its last event */
};

/* The session owns both arrays: one for each CPU, and one more. */
struct rs_cpu_contexts {
	struct rs_cpu_context *by_cpu;
	bool *shown;                    /* -C */
	enum rs_irqs_recorded irqs_recorded; /* known from the first sched_switch */
};

/* Call it after the routes are made. */
void rs_context_bind(struct rs_session *s);
/* Call it with the flags of the first sched_switch. */
void rs_context_learn_flags(struct rs_session *s, uint64_t switch_flags);
/*
 * Call it for an event whose common_pid is not the current task of its CPU; tid_before is the common_pid of
 * the CPU's previous event.
 */
void rs_context_check(struct rs_session *s, const struct rs_cpu_context *context, int32_t tid_before,
		      const struct rs_event *ev);

#endif
