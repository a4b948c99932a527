/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - what the capture costs the machine, and whether that is more than it may (--max-overhead)
 *
 *	rs_budget_measure(&instance, &costs);                  // before tracing is on
 *	rs_budget_init(&b, 50, nr_cpus, costs.event_ns);       // 5 % of all CPUs together
 *	rs_budget_add(&b, "sched:sched_switch", 0, &err);      // event 0, and so on
 *	... about once a second:
 *	rs_budget_count(&b, 0, nr_so_far);
 *	rs_budget_check(&b, &(struct rs_budget_sums){ monotonic_ns, rs_budget_own_cpu_ns(), nr_lost });
 *
 * Two parts: our own CPU time, which the kernel counts, and what the tracepoints cost the tasks that fire
 * them, which is estimated: events times what one costs, as it was measured when the capture began. Over the
 * budget there is a warning and nothing else. One thread uses it.
 */
#ifndef RS_CAPTURE_BUDGET_H
#define RS_CAPTURE_BUDGET_H

#include "tracefs/tracefs.h"

#define RS_EVENT_COST_NS \
	250 /* where it could not be measured: between the 220 and 360 of the machines that were */

/* What one event costs; 0: could not be measured. */
struct rs_budget_costs {
	uint64_t event_ns;
	uint64_t call_ns;              /* an event of raw_syscalls */
};

/* The instance is as new: no event is enabled. Its buffer is empty again afterwards. */
void rs_budget_measure(struct rs_instance *in, struct rs_budget_costs *costs);

struct rs_budget_event {
	char *name;
	size_t group;                  /* the first event of its group: they are turned off together */
	uint64_t cost_ns;              /* of one */
	uint64_t nr, nr_before;        /* since the beginning: now, and at the check before */
	uint64_t per_s;                /* in the last interval, lost ones included */
};

/* All since the beginning. */
struct rs_budget_sums {
	uint64_t now_ns, own_cpu_ns, nr_lost;
};

struct rs_budget {
	struct rs_budget_event *events;
	size_t nr_events, events_room;
	unsigned int max_milli;        /* thousandths of the machine; 0: no limit */
	unsigned int nr_cpus;
	uint64_t event_cost_ns;        /* of an event that has no cost of its own */
	bool measured;
	unsigned int own_milli, events_milli; /* thousandths of one CPU, in the last interval */
	struct rs_budget_sums before;  /* of the check before; now_ns 0: there was none */
	unsigned int nr_over, nr_under, nr_other; /* intervals in a row */
	size_t named;                  /* the group in the warning; SIZE_MAX: there is no warning */
	char warning[1024];
};

/* event_cost_ns 0: not measured. */
void rs_budget_init(struct rs_budget *b, unsigned int max_milli, unsigned int nr_cpus,
		    uint64_t event_cost_ns);
void rs_budget_done(struct rs_budget *b);
/* cost_ns 0: as any event's. */
int rs_budget_add(struct rs_budget *b, const char *name, uint64_t cost_ns, struct rs_error *err);
void rs_budget_limit(struct rs_budget *b, unsigned int max_milli); /* from now on */

void rs_budget_count(struct rs_budget *b, size_t event, uint64_t nr_so_far);
/* Lost events cost as others do. True: the warning has come, names another event, or has gone. */
bool rs_budget_check(struct rs_budget *b, const struct rs_budget_sums *sums);
const char *rs_budget_warning(const struct rs_budget *b); /* NULL: within its limit */

/* This process: its own CPU time, and memory. */
struct rs_budget_self {
	int statm_fd;                  /* opened before the sandbox */
	uint64_t wall_ns, cpu_ns, cpu_milli;
};

uint64_t rs_budget_own_cpu_ns(void); /* all threads */
void rs_budget_self_init(struct rs_budget_self *self);
void rs_budget_self_done(struct rs_budget_self *self);
/* Thousandths of one CPU, over a second or more. */
uint64_t rs_budget_self_cpu_milli(struct rs_budget_self *self);
uint64_t rs_budget_self_rss_bytes(const struct rs_budget_self *self);

#endif
