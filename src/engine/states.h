/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.h - who is on which CPU, and what every task does meanwhile
 *
 * One state machine for all analyses, by the rules of SEMANTICS (order, loss,
 * run, delay, preempted, blocked, a missing switch). Each nanosecond of a task's
 * life is in exactly one interval: a state is closed when the next one begins,
 * and what a gap made uncertain is closed as unknown.
 */
#ifndef RS_ENGINE_STATES_H
#define RS_ENGINE_STATES_H

#include "engine/gaps.h"
#include "engine/task-table.h"

#define RS_TID_UNKNOWN (-1)

struct rs_cpu {
	int32_t tid;            /* who is on it; RS_TID_UNKNOWN */
	struct rs_task_instance *inst;   /* NULL: idle or unknown; else its on_cpu names this CPU, and no other has it */
	struct rs_task_instance *left;   /* who left it in the last switch; NULL: idle, or unknown */
	int32_t left_tid;       /* 0 idle, RS_TID_UNKNOWN */
	uint64_t since_ns;      /* idle: since when */
	bool partial;           /* idle: begun before we looked */
	bool switched;          /* a sched_switch was seen since it was unknown: from then on one can be missing */
	struct rs_gaps gaps;
	unsigned int depth;     /* tasks that wait for it */
};

struct rs_states {
	struct rs_tasks *tasks;
	struct rs_cpu *cpus;
	unsigned int nr_cpus;
	struct rs_gaps gaps;    /* of all CPUs */
	uint32_t interval;         /* moves with each gap: run queue depths begin anew */
	bool on;                /* the trace has sched_switch: without it nothing is known of states */
	bool exact;             /* no bound where a switch is missing */
	bool wakings_known;     /* the recording declares sched_waking or sched_wakeup */
	bool wakings_seen;      /* and one came; live: they are on. Without them a sleep ends at the switch-in */
	const bool *cpu_shown;  /* -C, by CPU: what happens on the others is not seen; NULL: all are */
	uint64_t reset_ns;      /* the books of an epoch begin here: rs_states_lifetime_ns */
	uint64_t nr_discarded, nr_inferred;
	/* what to call; none may be NULL */
	void (*on_interval)(void *arg, const struct rs_interval *iv);
	void (*on_switch_in)(void *arg, struct rs_task *t);
	void (*on_queue)(void *arg, uint16_t cpu, unsigned int depth, uint64_t ts_ns);
	void *arg;
};

/* Switches were recorded, and no wakings; -C may have left out the CPUs that they were on. */
static inline bool rs_states_lacks_wakings(const struct rs_states *st)
{
	return !st->wakings_seen && !st->cpu_shown;
}

int rs_states_init(struct rs_states *st, struct rs_tasks *tasks, unsigned int nr_cpus);
void rs_states_done(struct rs_states *st);

void rs_states_gap(struct rs_states *st, const struct rs_gap *gap);

/* The last switch of this CPU was from tid, 0 idle. */
bool rs_states_has_left(const struct rs_states *st, uint16_t cpu, int32_t tid);
/* It left for idle and was woken since: some kernels leave the switch from idle out. */
bool rs_states_may_be_back(const struct rs_states *st, uint16_t cpu);

/* An event fired in the context of a task that is not the one on this CPU as far as known: a switch is missing. */
void rs_states_context(struct rs_states *st, uint16_t cpu, int32_t tid, uint64_t ts_ns);

/* sched_switch; letter: 'R' for R and R+, else as the kernel prints it. */
void rs_states_switch(struct rs_states *st, uint16_t cpu, int32_t prev_tid, char letter, int32_t next_tid, uint64_t ts_ns);
void rs_states_waking(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid, uint64_t ts_ns);
void rs_states_wakeup_new(struct rs_states *st, int32_t tid, uint16_t target_cpu, int32_t waker_tid, uint64_t ts_ns);
void rs_states_migrate(struct rs_states *st, struct rs_task_instance *inst, uint16_t from_cpu, uint16_t to_cpu, uint64_t ts_ns);
/* exec by a thread: its state goes on under the leader's tid. */
void rs_states_reassign(struct rs_states *st, struct rs_task_instance *from, struct rs_task_instance *to,
			uint64_t ts_ns);

/* Its tid begins another life: that it died was not seen. */
void rs_states_end_task(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns);
/* It is about to be forgotten altogether: no CPU nor its queue may know it any more. */
void rs_states_evict(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns);

/* See rs_task_open in ringside/plugin.h. */
enum rs_state rs_states_open(const struct rs_states *st, const struct rs_task_instance *inst, uint64_t now_ns, uint64_t *open_ns);

/* Open intervals that a gap has made uncertain by now: void, though nothing has closed them. */
uint64_t rs_states_open_discarded(const struct rs_states *st, uint64_t now_ns);

/* The time range ends: tells of each state, and of each idle CPU, as in flight, the part up to now. */
void rs_states_range_end(struct rs_states *st, uint64_t now_ns);

/* An epoch ends here: what is told of lives from now on is of the next. */
void rs_states_reset(struct rs_states *st, uint64_t now_ns);

/* See rs_cpu_open in ringside/plugin.h. */
enum rs_state rs_states_cpu(const struct rs_states *st, unsigned int cpu, uint64_t now_ns, uint64_t *open_ns);

/* See rs_task_lifetime_ns in ringside/plugin.h. */
void rs_states_lifetime_ns(const struct rs_states *st, const struct rs_task_instance *inst, uint64_t begin_ns, uint64_t now_ns,
			   uint64_t *lifetime_ns, uint64_t *unknown_ns);

/* What a life does not account for: life - (run + delay + preempted + blocked + unknown + open + unseen). */
int64_t rs_states_imbalance(const struct rs_states *st, const struct rs_task_instance *inst, uint64_t begin_ns, uint64_t now_ns);

#endif
