/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.h - the current task of each CPU, and the state of every task
 *
 * One state machine for all analyses, by the rules of SEMANTICS (order, loss,
 * run, delay, preempted, blocked, a missing switch). Each nanosecond of a task's
 * lifetime is in exactly one interval: a state ends when the next one begins, and
 * a state that overlaps a gap ends as unknown.
 */
#ifndef RS_ENGINE_STATES_STATES_H
#define RS_ENGINE_STATES_STATES_H

#include "engine/match/gaps.h"
#include "engine/task-table.h"

#define RS_TID_UNKNOWN (-1)

struct rs_cpu {
	int32_t tid;            /* the task on it; or RS_TID_UNKNOWN */
	/* NULL: idle or unknown; else its on_cpu is this CPU, and it is on no other */
	struct rs_task_instance *inst;
	struct rs_task_instance *left;   /* prev of the last switch; NULL: idle or unknown */
	int32_t left_tid;       /* 0: idle; or RS_TID_UNKNOWN */
	uint64_t since_ns;      /* idle: since when */
	bool partial;           /* idle: its start was not seen */
	/* a sched_switch was seen since the task was last unknown, so a missing one can be detected */
	bool switched;
	struct rs_gaps gaps;
	unsigned int depth;     /* of the run queue: tasks that wait for this CPU */
};

struct rs_states {
	struct rs_tasks *tasks;
	struct rs_cpu *cpus;
	unsigned int nr_cpus;
	struct rs_gaps gaps;    /* of all CPUs */
	uint32_t queue_generation; /* changes with each gap, where run-queue depths restart at 0 */
	bool on;                /* the trace has sched_switch: without it no states are known */
	bool exact;             /* no inferred switch where one is missing */
	bool wakings_known;     /* the recording declares sched_waking or sched_wakeup */
	/* one was seen, or is enabled live. Without wakings a sleep ends at the switch-in */
	bool wakings_seen;
	const bool *cpu_shown;  /* -C: events of other CPUs are not read; NULL: all are */
	uint64_t reset_ns;      /* start of the current -I interval: see rs_states_lifetime_ns */
	uint64_t nr_discarded, nr_inferred;
	/* callbacks; none may be NULL */
	void (*on_interval)(void *arg, const struct rs_interval *iv);
	void (*on_switch_in)(void *arg, struct rs_task *t);
	void (*on_queue)(void *arg, uint16_t cpu, unsigned int depth, uint64_t ts_ns);
	void *arg;
};

/* Returns true if no wakings were recorded. Returns false under -C, which may hide the CPUs of wakers. */
static inline bool rs_states_lacks_wakings(const struct rs_states *st)
{
	return !st->wakings_seen && !st->cpu_shown;
}

int rs_states_init(struct rs_states *st, struct rs_tasks *tasks, unsigned int nr_cpus);
void rs_states_done(struct rs_states *st);

void rs_states_gap(struct rs_states *st, const struct rs_gap *gap);

/*
 * Was tid (0: idle) prev of this CPU's last switch? If it left for idle and was woken since, it may run
 * again, for some kernels omit the switch from idle: then only an event that is part of a switch (switching)
 * is from before.
 */
bool rs_states_is_leaving(const struct rs_states *st, uint16_t cpu, int32_t tid, bool switching);

/*
 * An event fired in the context of tid, which is not the CPU's current task: a sched_switch is missing.
 * Infers it.
 */
void rs_states_infer_switch(struct rs_states *st, uint16_t cpu, int32_t tid, uint64_t ts_ns);

/* sched_switch. letter: prev's state letter, 'R' for R and R+. */
void rs_states_switch(struct rs_states *st, uint16_t cpu, int32_t prev_tid, char letter, int32_t next_tid,
		      uint64_t ts_ns);
void rs_states_waking(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid,
		      uint64_t ts_ns);
void rs_states_wakeup_new(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid,
			  uint64_t ts_ns);
void rs_states_migrate(struct rs_states *st, struct rs_task_instance *inst, uint16_t from_cpu,
		       uint16_t to_cpu, uint64_t ts_ns);
/* Exec by a thread: its state continues under the leader's tid. */
void rs_states_reassign(struct rs_states *st, struct rs_task_instance *from, struct rs_task_instance *to,
			uint64_t ts_ns);

/* The tid was reused by another task instance, and the exit was not seen. */
void rs_states_end_task(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns);
/* The task is about to be evicted: removes it from CPUs and run queues. */
void rs_states_evict(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns);

/* See rs_task_state in ringside/plugin.h. */
enum rs_state rs_states_current(const struct rs_states *st, const struct rs_task_instance *inst,
				uint64_t now_ns, uint64_t *open_ns);

/* The number of intervals in flight that a gap has made uncertain. */
uint64_t rs_states_open_discarded(const struct rs_states *st, uint64_t now_ns);

/* The time range ends: reports each state, and each idle CPU, as in flight up to now. */
void rs_states_range_end(struct rs_states *st, uint64_t now_ns);

/* How long it ran since the last reset: slices whose start was seen, including the one in flight. */
uint64_t rs_states_run_ns(const struct rs_states *st, const struct rs_task_instance *inst, uint64_t now_ns);

/* An -I interval ends: durations reported from now on belong to the next one. */
void rs_states_reset(struct rs_states *st, uint64_t now_ns);

/* See rs_cpu_state in ringside/plugin.h. */
enum rs_state rs_states_cpu(const struct rs_states *st, unsigned int cpu, uint64_t now_ns, uint64_t *open_ns);

/*
 * The imbalance of a task instance: lifetime - (run + delay + preempted + blocked + unknown + open + unseen).
 */
int64_t rs_states_imbalance(const struct rs_states *st, const struct rs_task_instance *inst,
			    uint64_t begin_ns, uint64_t now_ns);

/* ---- shared by states.c and states-balance.c ---- */

/* Returns true if a gap overlaps the task's current state. */
static inline bool rs_states_is_discarded(const struct rs_states *st, const struct rs_task_instance *inst,
					  uint64_t to_ns)
{
	const struct rs_task *t = &inst->task;
	/* a running task stays on its CPU, so only that CPU's gaps count; in other states it can migrate */
	const struct rs_gaps *gaps = t->state == RS_RUN && t->cpu < st->nr_cpus ? &st->cpus[t->cpu].gaps :
										  &st->gaps;

	return rs_gaps_hit(gaps, t->since_ns, to_ns);
}

/* The part of [from_ns, to_ns) since the last reset. */
static inline uint64_t rs_since_reset_ns(const struct rs_states *st, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < st->reset_ns)
		from_ns = st->reset_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Likewise; negative if to_ns is before from_ns, for a time that overlaps another one. */
static inline int64_t rs_signed_since_reset_ns(const struct rs_states *st, uint64_t from_ns, uint64_t to_ns)
{
	return to_ns >= from_ns ? (int64_t)rs_since_reset_ns(st, from_ns, to_ns) :
				  -(int64_t)rs_since_reset_ns(st, to_ns, from_ns);
}

/* The part before the last reset of a slice that will count as run when it ends. */
static inline uint64_t rs_states_run_before_ns(const struct rs_states *st,
					       const struct rs_task_instance *inst)
{
	const struct rs_task *t = &inst->task;

	return t->state == RS_RUN && !inst->partial && t->since_ns < st->reset_ns ?
		       st->reset_ns - t->since_ns :
		       0;
}

static inline void rs_states_add_unknown(struct rs_states *st, struct rs_task_instance *inst, uint64_t to_ns)
{
	inst->spent_ns[RS_UNKNOWN] += to_ns - inst->task.since_ns;
	inst->unknown_ns += rs_since_reset_ns(st, inst->task.since_ns, to_ns);
}

#endif
