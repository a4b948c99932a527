// SPDX-License-Identifier: GPL-2.0-or-later
/* task-table - the table of tasks: the current instance of each tid, and all instances in order */
#include "engine/task-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASK_TABLE_FIRST_ROOM 1024

int rs_tasks_init(struct rs_tasks *t, size_t extra_bytes, size_t max_instances)
{
	*t = (struct rs_tasks){ .max_instances = max_instances,
				.instance_bytes = sizeof(struct rs_task_instance) + extra_bytes };
	t->ended_tail = &t->ended;
	return rs_map_init(&t->by_tid, TASK_TABLE_FIRST_ROOM) ? 0 : -1;
}

void rs_tasks_done(struct rs_tasks *t)
{
	struct rs_task_instance *inst, *next;

	for (inst = t->oldest; inst; inst = next) {
		next = inst->next;
		if (t->on_end)
			t->on_end(t->arg, inst);
		free(inst->former);
		free(inst);
	}
	for (inst = t->free; inst; inst = next) {
		next = inst->next;
		free(inst);
	}
	rs_map_done(&t->by_tid);
	*t = (struct rs_tasks){ 0 };
}

struct rs_task_instance *rs_tasks_find(const struct rs_tasks *t, int32_t tid)
{
	return RS_MAP_ENTRY(rs_map_find(&t->by_tid, rs_hash_u64((uint32_t)tid)), struct rs_task_instance,
			    node);
}

static void task_table_map(struct rs_tasks *t, struct rs_task_instance *inst)
{
	rs_map_add(&t->by_tid, &inst->node, rs_hash_u64((uint32_t)inst->task.tid));
}

static void task_table_remove(struct rs_tasks *t, struct rs_task_instance *inst)
{
	if (t->on_evict)
		t->on_evict(t->arg, inst);
	if (t->on_end)
		t->on_end(t->arg, inst);
	free(inst->former);
	if (rs_tasks_find(t, inst->task.tid) == inst)
		rs_map_remove(&t->by_tid, &inst->node);
	*(inst->prev ? &inst->prev->next : &t->oldest) = inst->next;
	*(inst->next ? &inst->next->prev : &t->newest) = inst->prev;
	t->nr_instances--;
	inst->next = t->free;
	t->free = inst;
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
 * Not one that an exec gave a state again, nor one that is still on its CPU: that one ends once more when it
 * leaves.
 */
static bool task_table_has_left(const struct rs_task_instance *inst)
{
	return !inst->on_cpu && (inst->task.exited || inst->task.state == RS_DEAD);
}

static struct rs_task_instance *task_table_pop_ended(struct rs_tasks *t)
{
	struct rs_task_instance *inst = t->ended;

	t->ended = inst->next_ended;
	if (!t->ended)
		t->ended_tail = &t->ended;
	inst->ended = false;
	return inst;
}

static struct rs_task_instance *task_table_first_ended(struct rs_tasks *t)
{
	while (t->ended) {
		struct rs_task_instance *inst = task_table_pop_ended(t);

		if (task_table_has_left(inst))
			return inst;
	}
	return NULL;
}

void rs_tasks_expire(struct rs_tasks *t, uint64_t before_ns)
{
	while (t->ended && t->ended->task.last_ns < before_ns) {
		struct rs_task_instance *inst = task_table_pop_ended(t);

		if (task_table_has_left(inst))
			task_table_remove(t, inst);
	}
}

/* Each CPU has one at most: few are skipped. */
static struct rs_task_instance *task_table_oldest_off_cpu(const struct rs_tasks *t)
{
	struct rs_task_instance *inst = t->oldest;

	while (inst && inst->on_cpu)
		inst = inst->next;
	return inst;
}

void rs_tasks_trim(struct rs_tasks *t)
{
	while (t->nr_instances > t->max_instances) {
		struct rs_task_instance *inst = task_table_first_ended(t);

		if (!inst)
			inst = task_table_oldest_off_cpu(t);
		if (!inst)
			return;
		task_table_remove(t, inst);
		t->nr_evicted++;
	}
}

static struct rs_task_instance *task_table_new(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
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
	inst->task.prio = -1;
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
	struct rs_task_instance *inst;

	if (tid <= 0)
		return NULL;
	inst = rs_tasks_find(t, tid);
	if (inst)
		return inst;
	inst = task_table_new(t, tid, now_ns);
	if (!inst)
		return NULL;
	task_table_map(t, inst);
	if (t->on_new)
		t->on_new(t->arg, inst);
	return inst;
}

struct rs_task_instance *rs_tasks_renew(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_task_instance *old = rs_tasks_find(t, tid), *inst;

	if (!old)
		return rs_tasks_get(t, tid, now_ns);
	old->task.exited = true;
	rs_tasks_ended(t, old);
	inst = task_table_new(t, tid, now_ns);
	if (!inst)
		return NULL;
	inst->task.inst = old->task.inst + 1;
	rs_map_remove(&t->by_tid, &old->node);
	task_table_map(t, inst);
	t->generation++;
	if (t->on_new)
		t->on_new(t->arg, inst);
	return inst;
}

/* ---- names ---- */

void rs_tasks_note_rename(struct rs_task_instance *inst, const char *former, uint64_t now_ns)
{
	struct rs_former_names *f = inst->former;

	if (!*former)
		return;
	if (!f)
		f = inst->former = calloc(1, sizeof *f);
	if (!f)
		return;
	if (f->nr == RS_FORMER_NAMES)
		memmove(f->at, f->at + 1, --f->nr * sizeof *f->at);
	f->at[f->nr].until_ns = now_ns;
	snprintf(f->at[f->nr++].comm, RS_COMM_LEN, "%s", former);
}

const char *rs_tasks_comm_at(const struct rs_task_instance *inst, uint64_t ts_ns)
{
	const struct rs_former_names *former = inst->former;

	for (unsigned int i = 0; former && i < former->nr; i++)
		if (ts_ns < former->at[i].until_ns)
			return former->at[i].comm;
	return inst->task.comm;
}
