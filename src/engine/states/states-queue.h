/* SPDX-License-Identifier: GPL-2.0-or-later */
/* states-queue.h - how many tasks wait for each CPU: inline, as each switch and each waking changes it */
#ifndef RS_ENGINE_STATES_STATES_QUEUE_H
#define RS_ENGINE_STATES_STATES_QUEUE_H

#include "engine/states/states.h"

static inline void rs_states_queue_leave(struct rs_states *st, struct rs_task_instance *inst, uint64_t ts_ns)
{
	if (inst->queue_generation == st->queue_generation && inst->task.cpu < st->nr_cpus) {
		struct rs_cpu *c = &st->cpus[inst->task.cpu];

		st->on_queue(st->arg, inst->task.cpu, --c->depth, ts_ns);
	}
	inst->queue_generation = 0;
}

/*
 * In a switch one task enters the queue and another leaves it at the same time: the callback comes after
 * both. A task that begins to wait during a gap may have been switched in during it, so it is not counted.
 */
static inline void rs_states_queue_enter_quietly(struct rs_states *st, struct rs_task_instance *inst,
						 uint16_t cpu, uint64_t ts_ns)
{
	inst->task.cpu = cpu;
	if (cpu >= st->nr_cpus || ts_ns < rs_gaps_to_ns(&st->gaps))
		return;
	inst->queue_generation = st->queue_generation;
	st->cpus[cpu].depth++;
}

static inline void rs_states_queue_enter(struct rs_states *st, struct rs_task_instance *inst, uint16_t cpu,
					 uint64_t ts_ns)
{
	rs_states_queue_enter_quietly(st, inst, cpu, ts_ns);
	if (inst->queue_generation == st->queue_generation)
		st->on_queue(st->arg, cpu, st->cpus[cpu].depth, ts_ns);
}

#endif
