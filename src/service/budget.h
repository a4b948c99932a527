/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - what the capture costs the machine, and whether that is more than it may (--max-overhead)
 *
 *	b = rs_budget_new(50, nr_cpus, in->event_cost_ns, &err);  // 5 % of all CPUs together
 *	rs_budget_add(b, "sched:sched_switch", 0, &err);           // kind 0, and so on
 *	... about once a second:
 *	rs_budget_begin(b, monotonic_ns, own_cpu_ns, nr_lost);
 *	rs_budget_count(b, 0, nr_so_far);
 *	rs_budget_judge(b);
 *
 * Two parts: our own CPU time, which the kernel counts, and what the tracepoints cost those who fire them, estimated:
 * events by kind, times what one costs as it was measured when the capture began. Over the budget there is a warning
 * and nothing else. One thread uses it.
 */
#ifndef RS_SERVICE_BUDGET_H
#define RS_SERVICE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RS_EVENT_COST_NS 250 /* where it could not be measured: between the 220 and 360 of the machines that were */

struct rs_budget;

/* max_milli: thousandths of the whole machine, 0 no bound; event_cost_ns 0: not measured. */
struct rs_budget *rs_budget_new(unsigned int max_milli, unsigned int nr_cpus, uint64_t event_cost_ns, struct rs_error *err);
void rs_budget_free(struct rs_budget *b);
/* cost_ns: of this kind, 0 as any event's. */
int rs_budget_add(struct rs_budget *b, const char *event, uint64_t cost_ns, struct rs_error *err);
void rs_budget_limit(struct rs_budget *b, unsigned int max_milli); /* from now on */

/* All are sums since the beginning: what is of the last second is found here. Lost events cost as others do. */
void rs_budget_begin(struct rs_budget *b, uint64_t now_ns, uint64_t own_cpu_ns, uint64_t nr_lost);
void rs_budget_count(struct rs_budget *b, size_t kind, uint64_t nr_events);
/* True: the warning has come, names another event, or has gone. */
bool rs_budget_judge(struct rs_budget *b);

const char *rs_budget_warning(const struct rs_budget *b); /* NULL: within its bound */

/* Of the last turn. */
struct rs_budget_kind {
	const char *event;
	uint64_t per_s, cost_ns, cost_ns_per_s;
};

struct rs_budget_state {
	unsigned int own_milli, events_milli; /* thousandths of one CPU */
	unsigned int max_milli;               /* thousandths of the machine */
	uint64_t event_cost_ns;               /* of one that has no cost of its own */
	bool measured;
	size_t nr_kinds;
};

void rs_budget_state(const struct rs_budget *b, struct rs_budget_state *state);
bool rs_budget_kind(const struct rs_budget *b, size_t kind, struct rs_budget_kind *k);

uint64_t rs_budget_own_cpu_ns(void); /* of this process, all threads */

#endif
