/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-events.h - what task-events.c knows of the events that it handles: switches, wakings, requests
 */
#ifndef RS_ENGINE_TASK_EVENTS_H
#define RS_ENGINE_TASK_EVENTS_H

#include <stdint.h>

/*
 * sched_waking (since 4.3) fires when a waking begins, sched_wakeup when it is complete: USED: sched_wakeup
 * counts, because the trace has no sched_waking; IGNORED: it has.
 */
enum rs_wakeups { RS_WAKEUPS_UNSURE, RS_WAKEUPS_USED, RS_WAKEUPS_IGNORED };

struct rs_task_events {
	enum rs_wakeups wakeups;        /* known when the first sched_wakeup comes */
	/* the last request of a disk, and where; ts_ns 0: an interrupt was found for it, or there was none */
	struct { uint64_t ts_ns; uint32_t cpu; } completed;
};

#endif
