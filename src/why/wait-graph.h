/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait-graph.h - what had to happen before a wait ended: steps, each after one or two others
 *
 * Of the task that waits, and of each that it waited for, what they did since the wait began, in order. A
 * wait for another task is a step after two: the task has to be there, and the other has to have come to
 * where it woke it. With the steps' own times as recorded, each is done when it was done; with other times
 * when it would have been (what-if.h).
 *
 * A wait for a CPU is a step for each slice of others, in order, with since when that one stood in line: who
 * was not there yet takes no turn that has become free.
 */
#ifndef RS_WHY_WAIT_GRAPH_H
#define RS_WHY_WAIT_GRAPH_H

#include "why/device-times.h"
#include "why/history.h"

#define RS_WAIT_GRAPH_STEPS 4096u
#define RS_WAIT_GRAPH_SEGMENTS 4096u /* that are looked at and not yet steps */
#define RS_WAIT_GRAPH_TASKS 64u
#define RS_WAIT_GRAPH_REACHED 128u
#define RS_WAIT_NOBODY UINT16_MAX

enum rs_wait_step_kind {
	RS_WAIT_STEP_BEGIN,          /* the first, number 0 */
	RS_WAIT_STEP_TIME,           /* takes .ns after .after */
	RS_WAIT_STEP_TURN,           /* likewise, while another runs on the CPU that is waited for */
	RS_WAIT_STEP_JOIN,           /* after .after and .other: it was woken */
	RS_WAIT_STEP_UNKNOWN,        /* done at .at_ns whatever comes before: nothing tells what it was */
};

/* Times are counted from the begin of the wait. */
struct rs_wait_step {
	uint64_t at_ns;              /* when it was done */
	uint64_t ns;                 /* TIME, TURN, UNKNOWN: how long it took */
	uint64_t ready_ns;           /* TURN: how long after .other who ran was in line; 0: from then on */
	uint32_t dev;                /* of a request; 0: none */
	uint16_t after;              /* the step of the same task before it */
	/* JOIN: of the task that woke it; TURN: after which it waits for the CPU */
	uint16_t other;
	/* JOIN: in place of .other where that task is not there: who handed it what both waited for */
	uint16_t instead;
	uint16_t task;                /* whose time or request it is; 0: the victim's; RS_WAIT_NOBODY */
	uint8_t kind, part;          /* enum rs_wait_step_kind, enum rs_time_part */
	/*
	 * that task took it from who waits: it had the CPU, the disk; JOIN: it had what is handed on, see
	 * lines.h
	 */
	bool is_taken;
};

/* Processes of one name are one; threads of the victim's own process by the name of the thread. */
struct rs_wait_graph_task {
	char comm[RS_COMM_LEN];
	bool is_own_thread;
};

struct rs_wait_graph {
	struct rs_ctx *c;
	const struct rs_device_times *times;
	const struct rs_task_name *victim;
	uint64_t from_ns;
	unsigned int nr, nr_tasks;
	unsigned int steps;          /* of work, in slices and culprits that were looked at */
	struct rs_wait_step at[RS_WAIT_GRAPH_STEPS];
	struct rs_wait_graph_task tasks[RS_WAIT_GRAPH_TASKS]; /* the first is the victim */
	/* while it is built */
	struct rs_wait_graph_seg {
		struct rs_segment seg;
		uint64_t from_ns, to_ns;
	} segs[RS_WAIT_GRAPH_SEGMENTS];
	struct rs_wait_graph_reached {
		const struct rs_task_name *name;
		uint64_t ns;
		uint16_t step;
	} reached[RS_WAIT_GRAPH_REACHED];
	unsigned int nr_segs, nr_reached, depth;
	bool is_full;
};

/*
 * Sets the graph to that of the task's time between two times, of which the last step is the end. times: of
 * the disks. Returns false: nothing is known of the task, or it is more than there is room for.
 */
bool rs_wait_graph_find(struct rs_wait_graph *g, struct rs_ctx *c, const struct rs_device_times *times,
			const struct rs_task *t, uint64_t from_ns, uint64_t to_ns);

#endif
