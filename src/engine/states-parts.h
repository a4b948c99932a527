/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states-parts.h - shared by the files engine/states*.c only
 */
#ifndef RS_ENGINE_STATES_PARTS_H
#define RS_ENGINE_STATES_PARTS_H

#include "engine/states.h"

/* Returns true if a gap overlaps the task's current state. */
static inline bool rs_states_is_discarded(const struct rs_states *st, const struct rs_task_instance *inst,
					  uint64_t to_ns)
{
	const struct rs_task *t = &inst->task;
	/* a running task stays on its CPU, so only that CPU's gaps count; in other states it can migrate */
	const struct rs_gaps *gaps = t->state == RS_RUN && t->cpu < st->nr_cpus ? &st->cpus[t->cpu].gaps : &st->gaps;

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
	return to_ns >= from_ns ? (int64_t)rs_since_reset_ns(st, from_ns, to_ns) : -(int64_t)rs_since_reset_ns(st, to_ns, from_ns);
}

static inline void rs_states_add_unknown(struct rs_states *st, struct rs_task_instance *inst, uint64_t to_ns)
{
	inst->spent_ns[RS_UNKNOWN] += to_ns - inst->task.since_ns;
	inst->unknown_ns += rs_since_reset_ns(st, inst->task.since_ns, to_ns);
}

#endif
