// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/task-table.h"

#include <stdlib.h>
#include <string.h>

#define TASK_TABLE_FIRST_SLOTS 1024u

int rs_tasks_init(struct rs_tasks *t, size_t extra_bytes, size_t max_instances)
{
	*t = (struct rs_tasks){ .max_instances = max_instances,
				.instance_bytes = sizeof(struct rs_task_instance) + extra_bytes };
	t->slots = calloc(TASK_TABLE_FIRST_SLOTS, sizeof *t->slots);
	t->mask = TASK_TABLE_FIRST_SLOTS - 1;
	t->ended_tail = &t->ended;
	return t->slots ? 0 : -1;
}

void rs_tasks_done(struct rs_tasks *t)
{
	struct rs_task_instance *inst, *next;

	for (inst = t->oldest; inst; inst = next) {
		next = inst->next;
		if (t->on_end)
			t->on_end(t->arg, inst);
		free(inst);
	}
	for (inst = t->free; inst; inst = next) {
		next = inst->next;
		free(inst);
	}
	free(t->slots);
	*t = (struct rs_tasks){ 0 };
}

static uint32_t task_table_hash_index(int32_t tid)
{
	return ((uint32_t)tid * 2654435761u) >> 7;
}

static struct rs_task_instance **slot(struct rs_task_instance **slots, uint32_t mask, int32_t tid)
{
	uint32_t i = task_table_hash_index(tid);

	while (slots[i & mask] && slots[i & mask]->task.tid != tid)
		i++;
	return &slots[i & mask];
}

struct rs_task_instance *rs_tasks_find(const struct rs_tasks *t, int32_t tid)
{
	return *slot(t->slots, t->mask, tid);
}

static int task_table_grow(struct rs_tasks *t)
{
	uint32_t mask = t->mask * 2 + 1;
	struct rs_task_instance **slots = calloc((size_t)mask + 1, sizeof *slots);

	if (!slots)
		return -1;
	for (uint32_t i = 0; i <= t->mask; i++)
		if (t->slots[i])
			*slot(slots, mask, t->slots[i]->task.tid) = t->slots[i];
	free(t->slots);
	t->slots = slots;
	t->mask = mask;
	return 0;
}

/* Takes a tid out of open addressing: the ones behind it move up, so that no search stops short. */
static void forget_slot(struct rs_tasks *t, struct rs_task_instance **at)
{
	uint32_t hole = (uint32_t)(at - t->slots), i = hole;

	for (;;) {
		uint32_t home;

		t->slots[hole] = NULL;
		do {
			i = (i + 1) & t->mask;
			if (!t->slots[i]) {
				t->used--;
				return;
			}
			home = task_table_hash_index(t->slots[i]->task.tid) & t->mask;
		} while (hole <= i ? hole < home && home <= i : hole < home || home <= i);
		t->slots[hole] = t->slots[i];
		hole = i;
	}
}

static void unlink_instance(struct rs_tasks *t, struct rs_task_instance *inst)
{
	*(inst->prev ? &inst->prev->next : &t->oldest) = inst->next;
	*(inst->next ? &inst->next->prev : &t->newest) = inst->prev;
	t->nr_instances--;
}

static void task_table_on_evict(struct rs_tasks *t, struct rs_task_instance *inst)
{
	struct rs_task_instance **at = slot(t->slots, t->mask, inst->task.tid);

	if (t->on_evict)
		t->on_evict(t->arg, inst);
	if (t->on_end)
		t->on_end(t->arg, inst);
	if (*at == inst)
		forget_slot(t, at);
	unlink_instance(t, inst);
	inst->next = t->free;
	t->free = inst;
	t->nr_evicted++;
	t->generation++;
}

void rs_tasks_ended(struct rs_tasks *t, struct rs_task_instance *inst)
{
	if (inst->ended)
		return;
	inst->ended = true;
	inst->next_ended = NULL;
	*t->ended_tail = inst;
	t->ended_tail = &inst->next_ended;
}

/*
 * The first of those that have ended; not one that an exec gave a state again, nor
 * one that is still on its CPU: it ends once more when it leaves that.
 */
static struct rs_task_instance *first_ended(struct rs_tasks *t)
{
	while (t->ended) {
		struct rs_task_instance *inst = t->ended;

		t->ended = inst->next_ended;
		if (!t->ended)
			t->ended_tail = &t->ended;
		inst->ended = false;
		if (!inst->on_cpu && (inst->task.exited || inst->task.state == RS_DEAD))
			return inst;
	}
	return NULL;
}

/* On each CPU is one at most: few are passed over. */
static struct rs_task_instance *oldest_off_cpu(const struct rs_tasks *t)
{
	struct rs_task_instance *inst = t->oldest;

	while (inst && inst->on_cpu)
		inst = inst->next;
	return inst;
}

void rs_tasks_trim(struct rs_tasks *t)
{
	while (t->nr_instances > t->max_instances) {
		struct rs_task_instance *inst = first_ended(t);

		if (!inst)
			inst = oldest_off_cpu(t);
		if (!inst)
			return;
		task_table_on_evict(t, inst);
	}
}

static struct rs_task_instance *new_instance(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_task_instance *inst = t->free;

	if (inst) {
		t->free = inst->next;
		memset(inst, 0, t->instance_bytes);
	} else {
		inst = calloc(1, t->instance_bytes);
		if (!inst)
			return NULL;
	}
	inst->task.tid = tid;
	inst->task.waker_tid = -1;
	inst->task.syscall = -1;
	inst->task.first_ns = inst->task.last_ns = inst->task.since_ns = now_ns;
	inst->wait_ns = inst->delay_ns = -1;
	inst->prev = t->newest;
	*(t->newest ? &t->newest->next : &t->oldest) = inst;
	t->newest = inst;
	t->nr_instances++;
	return inst;
}

struct rs_task_instance *rs_tasks_get(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_task_instance **at, *inst;

	if (tid <= 0)
		return NULL;
	at = slot(t->slots, t->mask, tid);
	if (*at)
		return *at;
	if (t->used > t->mask / 2 && task_table_grow(t) < 0)
		return NULL;
	inst = new_instance(t, tid, now_ns);
	if (inst) {
		*slot(t->slots, t->mask, tid) = inst;
		t->used++;
		if (t->on_new)
			t->on_new(t->arg, inst);
	}
	return inst;
}

struct rs_task_instance *rs_tasks_renew(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_task_instance *old = rs_tasks_find(t, tid), *inst;

	if (!old)
		return rs_tasks_get(t, tid, now_ns);
	old->task.exited = true;
	rs_tasks_ended(t, old);
	inst = new_instance(t, tid, now_ns);
	if (!inst)
		return NULL;
	inst->task.inst = old->task.inst + 1;
	*slot(t->slots, t->mask, tid) = inst;
	t->generation++;
	if (t->on_new)
		t->on_new(t->arg, inst);
	return inst;
}
