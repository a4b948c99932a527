/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wake-flows.h - arrows from the system call that woke a task to the one that was woken
 *
 * Readers refuse an arrow with an end in no slice, and whether there is one is known only when the slice
 * comes: a call whose end is lost, or that began before the range, is not drawn. So an arrow waits for the
 * slices of both ends; without one it is left out.
 *
 *	struct exporter { struct rs_wake_flows flows; ... };      // .put is set, the rest is 0
 *	struct task { struct rs_wake_task wakes; ... };           // with each task, all 0 at first
 *
 *	rs_wake_flows_wake(&flows, &waker->wakes, &woken->wakes, (struct rs_wake_end){ track, ts_ns });
 *	rs_wake_flows_switch_in(&flows, &woken->wakes, (struct rs_wake_end){ track, ts_ns }, is_drawn);
 *	rs_wake_flows_slice(&flows, &t->wakes, start_ns, end_ns);  // drawn; then, when it was a call:
 *	rs_wake_flows_call(&flows, &t->wakes, exit_ns);            // drawn or not
 */
#ifndef RS_EXPORT_WAKE_FLOWS_H
#define RS_EXPORT_WAKE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_wake_end {
	uint64_t track;         /* as the exporter numbers them */
	uint64_t ts_ns;
};

struct rs_wake_flow;

struct rs_wake_flows {
	/*
	 * Writes one that has both slices: in rs_wake_flows_switch_in and rs_wake_flows_end, between other
	 * events
	 */
	void (*put)(struct rs_wake_flows *f, const struct rs_wake_end *from, const struct rs_wake_end *to);
	struct rs_wake_flow *at;
	size_t nr, room;
	uint32_t unused, ready, last_ready; /* lists, by number; 0 none */
};

/* Of one task. */
struct rs_wake_task {
	struct rs_wake_end waker; /* its last wake-up, until it is switched in; .ts_ns 0: none */
	uint32_t woken;           /* the number of that; 0: too many wait */
	/* those of which this task's slice has not come: that it made, and that it got */
	uint32_t waiting[2];
};

void rs_wake_flows_wake(struct rs_wake_flows *f, struct rs_wake_task *waker, struct rs_wake_task *woken,
			struct rs_wake_end from);
/* is_drawn false: the wake-up that the task has leads to nothing. Without one nothing happens. */
void rs_wake_flows_switch_in(struct rs_wake_flows *f, struct rs_wake_task *woken, struct rs_wake_end to,
			     bool is_drawn);
/* What `from` has is the wake-up of another one, which has none: it leads there. */
void rs_wake_flows_give(struct rs_wake_flows *f, struct rs_wake_task *from, struct rs_wake_task *woken,
			struct rs_wake_end to);
void rs_wake_flows_slice(struct rs_wake_flows *f, struct rs_wake_task *t, uint64_t start_ns, uint64_t end_ns);
void rs_wake_flows_call(struct rs_wake_flows *f, struct rs_wake_task *t, uint64_t exit_ns);
void rs_wake_flows_evict(struct rs_wake_flows *f, struct rs_wake_task *t);
/* Behind the last slice: writes what is ready, and forgets all that waits. */
void rs_wake_flows_end(struct rs_wake_flows *f);

#endif
