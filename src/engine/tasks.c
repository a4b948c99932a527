// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/tasks.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024u

int rs_tasks_init(struct rs_tasks *t, size_t extra_bytes, size_t max_lives)
{
	*t = (struct rs_tasks){ .max_lives = max_lives, .life_bytes = sizeof(struct rs_life) + extra_bytes };
	t->slots = calloc(FIRST_SLOTS, sizeof *t->slots);
	t->mask = FIRST_SLOTS - 1;
	t->ended_tail = &t->ended;
	return t->slots ? 0 : -1;
}

void rs_tasks_done(struct rs_tasks *t)
{
	struct rs_life *life, *next;

	for (life = t->oldest; life; life = next) {
		next = life->next;
		if (t->on_end)
			t->on_end(t->arg, life);
		free(life);
	}
	for (life = t->free; life; life = next) {
		next = life->next;
		free(life);
	}
	free(t->slots);
	*t = (struct rs_tasks){ 0 };
}

static uint32_t task_table_hash_index(int32_t tid)
{
	return ((uint32_t)tid * 2654435761u) >> 7;
}

static struct rs_life **slot(struct rs_life **slots, uint32_t mask, int32_t tid)
{
	uint32_t i = task_table_hash_index(tid);

	while (slots[i & mask] && slots[i & mask]->task.tid != tid)
		i++;
	return &slots[i & mask];
}

struct rs_life *rs_tasks_find(const struct rs_tasks *t, int32_t tid)
{
	return *slot(t->slots, t->mask, tid);
}

static int task_table_grow(struct rs_tasks *t)
{
	uint32_t mask = t->mask * 2 + 1;
	struct rs_life **slots = calloc((size_t)mask + 1, sizeof *slots);

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
static void forget_slot(struct rs_tasks *t, struct rs_life **at)
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

static void unlink_life(struct rs_tasks *t, struct rs_life *life)
{
	*(life->prev ? &life->prev->next : &t->oldest) = life->next;
	*(life->next ? &life->next->prev : &t->newest) = life->prev;
	t->nr_lives--;
}

static void task_table_on_evict(struct rs_tasks *t, struct rs_life *life)
{
	struct rs_life **at = slot(t->slots, t->mask, life->task.tid);

	if (t->on_evict)
		t->on_evict(t->arg, life);
	if (t->on_end)
		t->on_end(t->arg, life);
	if (*at == life)
		forget_slot(t, at);
	unlink_life(t, life);
	life->next = t->free;
	t->free = life;
	t->nr_evicted++;
	t->generation++;
}

void rs_tasks_ended(struct rs_tasks *t, struct rs_life *life)
{
	if (life->ended)
		return;
	life->ended = true;
	life->next_ended = NULL;
	*t->ended_tail = life;
	t->ended_tail = &life->next_ended;
}

/*
 * The first of those that have ended; not one that an exec gave a state again, nor
 * one that is still on its CPU: it ends once more when it leaves that.
 */
static struct rs_life *first_ended(struct rs_tasks *t)
{
	while (t->ended) {
		struct rs_life *life = t->ended;

		t->ended = life->next_ended;
		if (!t->ended)
			t->ended_tail = &t->ended;
		life->ended = false;
		if (!life->on_cpu && (life->task.exited || life->task.state == RS_DEAD))
			return life;
	}
	return NULL;
}

/* On each CPU is one at most: few are passed over. */
static struct rs_life *oldest_off_cpu(const struct rs_tasks *t)
{
	struct rs_life *life = t->oldest;

	while (life && life->on_cpu)
		life = life->next;
	return life;
}

void rs_tasks_trim(struct rs_tasks *t)
{
	while (t->nr_lives > t->max_lives) {
		struct rs_life *life = first_ended(t);

		if (!life)
			life = oldest_off_cpu(t);
		if (!life)
			return;
		task_table_on_evict(t, life);
	}
}

static struct rs_life *new_life(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_life *life = t->free;

	if (life) {
		t->free = life->next;
		memset(life, 0, t->life_bytes);
	} else {
		life = calloc(1, t->life_bytes);
		if (!life)
			return NULL;
	}
	life->task.tid = tid;
	life->task.waker_tid = -1;
	life->task.syscall = -1;
	life->task.first_ns = life->task.last_ns = life->task.since_ns = now_ns;
	life->wait_ns = life->delay_ns = -1;
	life->prev = t->newest;
	*(t->newest ? &t->newest->next : &t->oldest) = life;
	t->newest = life;
	t->nr_lives++;
	return life;
}

struct rs_life *rs_tasks_get(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_life **at, *life;

	if (tid <= 0)
		return NULL;
	at = slot(t->slots, t->mask, tid);
	if (*at)
		return *at;
	if (t->used > t->mask / 2 && task_table_grow(t) < 0)
		return NULL;
	life = new_life(t, tid, now_ns);
	if (life) {
		*slot(t->slots, t->mask, tid) = life;
		t->used++;
		if (t->on_new)
			t->on_new(t->arg, life);
	}
	return life;
}

struct rs_life *rs_tasks_renew(struct rs_tasks *t, int32_t tid, uint64_t now_ns)
{
	struct rs_life *old = rs_tasks_find(t, tid), *life;

	if (!old)
		return rs_tasks_get(t, tid, now_ns);
	old->task.exited = true;
	rs_tasks_ended(t, old);
	life = new_life(t, tid, now_ns);
	if (!life)
		return NULL;
	life->task.life = old->task.life + 1;
	*slot(t->slots, t->mask, tid) = life;
	t->generation++;
	if (t->on_new)
		t->on_new(t->arg, life);
	return life;
}
