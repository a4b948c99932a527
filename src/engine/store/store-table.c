// SPDX-License-Identifier: GPL-2.0-or-later
/* store-table - the rows of the stores of analyses (ringside/store.h): find a row by its key, evict, reset */
#include "engine/store/store-table.h"

#include <stdlib.h>
#include <string.h>


#define STORE_FIRST_ROOM 256u

/* ---- measures ---- */

static const size_t measure_bytes[] = {
	[RS_MEASURE_LATENCY] = sizeof(struct rs_hist), [RS_MEASURE_SUM] = sizeof(uint64_t),
	[RS_MEASURE_MAX] = sizeof(uint64_t),           [RS_MEASURE_PEAK] = sizeof(struct rs_peak),
	[RS_MEASURE_TOP] = sizeof(struct rs_top),
};

static size_t store_measure_bytes(const struct rs_measure *m)
{
	return m->size_bytes ? m->size_bytes : measure_bytes[m->kind];
}

void rs_store_measures_init(const struct rs_store *store, void *measures)
{
	for (const struct rs_measure *m = store->measures; m->kind; m++) {
		void *at = (char *)measures + m->offset_bytes;

		if (m->kind == RS_MEASURE_LATENCY)
			rs_hist_init(at);
		else
			memset(at, 0, store_measure_bytes(m));
	}
}

void rs_store_measures_done(const struct rs_store *store, void *measures)
{
	for (const struct rs_measure *m = store->measures; m->kind; m++)
		if (m->kind == RS_MEASURE_LATENCY)
			rs_hist_done((struct rs_hist *)(void *)((char *)measures + m->offset_bytes));
}

static void store_reset_measures(const struct rs_store *store, void *measures)
{
	rs_store_measures_done(store, measures);
	rs_store_measures_init(store, measures);
}

static void store_merge_measure(const struct rs_measure *m, void *into, const void *from)
{
	uint64_t *to = into;
	const uint64_t *of = from;

	switch (m->kind) {
	case RS_MEASURE_LATENCY:
		rs_hist_merge(into, from);
		break;
	case RS_MEASURE_SUM:
		for (size_t i = 0; i < store_measure_bytes(m) / sizeof *to; i++)
			if (__builtin_add_overflow(to[i], of[i], &to[i]))
				to[i] = UINT64_MAX;
		break;
	case RS_MEASURE_MAX:
		*to = *of > *to ? *of : *to;
		break;
	case RS_MEASURE_PEAK:
		rs_peak_merge(into, from);
		break;
	case RS_MEASURE_TOP:
		rs_top_merge(into, from);
		break;
	case RS_MEASURE_OTHER:
		m->merge(into, from);
		break;
	}
}

void rs_store_measures_merge(const struct rs_store *store, void *into, const void *from)
{
	for (const struct rs_measure *m = store->measures; m->kind; m++)
		store_merge_measure(m, (char *)into + m->offset_bytes, (const char *)from + m->offset_bytes);
}

/* Looks at counts only: the other kinds of measures are never set without one. */
bool rs_store_measures_are_empty(const struct rs_store *store, const void *measures)
{
	for (const struct rs_measure *m = store->measures; m->kind; m++) {
		const void *of = (const char *)measures + m->offset_bytes;
		bool is_count = m->kind == RS_MEASURE_SUM || m->kind == RS_MEASURE_MAX;

		if (m->kind == RS_MEASURE_LATENCY && !rs_hist_is_empty(of))
			return false;
		for (size_t i = 0; is_count && i < store_measure_bytes(m) / sizeof(uint64_t); i++)
			if (((const uint64_t *)of)[i])
				return false;
	}
	return true;
}

/* ---- finding a row ---- */

static uint64_t store_hash(const struct rs_store_owner *owner, uint64_t key0, uint64_t key1, uint32_t stack)
{
	uint64_t hash = (((uint64_t)(uintptr_t)owner + stack) ^ key0 * 0x9e3779b97f4a7c15u) *
				0xc2b2ae3d27d4eb4fu ^
			key1 * 0x165667b19e3779f9u;

	return hash ^ hash >> 32;
}

static struct rs_store_recent *store_recent(struct rs_store_owner *owner, uint64_t key0, uint64_t key1)
{
	return &owner->recent[(key0 ^ key1) & (RS_STORE_RECENT - 1)];
}

/* Removes a row from its owner's recent rows. Returns true if it was one. */
static bool store_drop_recent(struct rs_store_row *row)
{
	struct rs_store_recent *recent = store_recent(row->owner, row->keys[0], row->keys[1]);

	if (recent->measures != row->measures)
		return false;
	recent->measures = NULL;
	return true;
}

static struct rs_store_row *store_find(const struct rs_store_rows *s, const struct rs_store_owner *owner,
				       uint64_t key0, uint64_t key1, uint32_t stack)
{
	for (struct rs_map_node *n = rs_map_find(&s->by_key, store_hash(owner, key0, key1, stack)); n;
	     n = rs_map_find_next(n)) {
		struct rs_store_row *row = RS_MAP_ENTRY(n, struct rs_store_row, node);

		if (row->owner == owner && row->keys[0] == key0 && row->keys[1] == key1 &&
		    row->stack == stack)
			return row;
	}
	return NULL;
}

/* ---- making and removing rows ---- */

static void store_unlink(struct rs_store_rows *s, struct rs_store_row *row)
{
	rs_map_remove(&s->by_key, &row->node);
	if (s->hand == row)
		s->hand = row->newer;
	*(row->older ? &row->older->newer : &s->oldest) = row->newer;
	*(row->newer ? &row->newer->older : &s->newest) = row->older;
	*(row->before ? &row->before->after : &row->owner->first) = row->after;
	*(row->after ? &row->after->before : &row->owner->last) = row->before;
	store_drop_recent(row);
	s->nr_rows -= row->owner != &s->evicted;
}

static void store_remove(struct rs_store_rows *s, struct rs_store_row *row)
{
	store_unlink(s, row);
	rs_store_measures_done(s->store, row->measures);
	row->newer = s->free;
	s->free = row;
}

static void store_link(struct rs_store_rows *s, struct rs_store_row *row)
{
	rs_map_add(&s->by_key, &row->node, store_hash(row->owner, row->keys[0], row->keys[1], row->stack));
	row->newer = row->after = NULL;
	row->older = s->newest;
	*(s->newest ? &s->newest->newer : &s->oldest) = row;
	s->newest = row;
	row->before = row->owner->last;
	*(row->owner->last ? &row->owner->last->after : &row->owner->first) = row;
	row->owner->last = row;
	s->nr_rows += row->owner != &s->evicted;
}

static struct rs_store_row *store_new(struct rs_store_rows *s, struct rs_store_owner *owner,
				      struct rs_task *t, uint64_t key0, uint64_t key1, uint32_t stack)
{
	struct rs_store_row *row = s->free;

	if (row)
		s->free = row->newer;
	else if (!(row = malloc(sizeof *row + s->store->row_bytes)))
		return NULL;
	row->owner = owner;
	row->task = t;
	row->keys[0] = key0;
	row->keys[1] = key1;
	row->stack = stack;
	row->used = false;
	memset(row->measures, 0, s->store->row_bytes);
	rs_store_measures_init(s->store, row->measures);
	store_link(s, row);
	return row;
}

/* ---- eviction ---- */

/* Adds a row's measures to the evicted total, which has no task and only the keys of .kept_keys. */
static void store_add_to_evicted(struct rs_store_rows *s, const struct rs_store_row *row)
{
	uint64_t bits = s->store->kept_bits ? s->store->kept_bits : UINT64_MAX;
	uint64_t key0 = s->store->kept_keys & 1 ? rs_store_resolve_key(s->store, row) & bits :
						  RS_KEY_FORGOTTEN;
	uint64_t key1 = s->store->kept_keys & 2 ? row->keys[1] : RS_KEY_FORGOTTEN;
	struct rs_store_row *into = store_find(s, &s->evicted, key0, key1, 0);

	if (!into)
		into = store_new(s, &s->evicted, NULL, key0, key1, 0);
	if (into)
		rs_store_measures_merge(s->store, into->measures, row->measures);
}

/*
 * Returns the next row that was not used since the hand passed it last. At least one row must not be of
 * `evicted`.
 */
static struct rs_store_row *store_victim(struct rs_store_rows *s)
{
	for (;;) {
		struct rs_store_row *row = s->hand ? s->hand : s->oldest;

		s->hand = row->newer;
		if (row->owner == &s->evicted)
			continue;
		if (!store_drop_recent(row) && !row->used)
			return row;
		row->used = false;
	}
}

/* ---- rows for an analysis ---- */

static struct rs_store_row *store_get(struct rs_ctx *c, struct rs_store_rows *s, struct rs_store_owner *owner,
				      struct rs_task *t, uint64_t key0, uint64_t key1, uint32_t stack)
{
	struct rs_store_row *row = store_find(s, owner, key0, key1, stack);

	if (row) {
		row->used = true;
		return row;
	}
	if (s->nr_rows >= s->store->max_rows) {
		row = store_victim(s);
		if (!row->task || rs_shown(c, row->task))
			store_add_to_evicted(s, row);
		store_remove(s, row);
		rs_count(c, RS_COUNT_EVICTED);
	}
	row = store_new(s, owner, t, key0, key1, stack);
	if (!row)
		rs_count(c, RS_COUNT_EVICTED);
	return row;
}

static struct rs_store_owner *store_owner(struct rs_store_rows *s, struct rs_task *t)
{
	return t && s->access->task_offset ? rs_store_owner_of(s, t) : &s->no_task;
}

/* Rows with a stack are never among the recent ones, which have none in their keys. */
void *rs_store_find_of_stack(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0,
			     uint64_t key1, uint32_t stack)
{
	struct rs_store_rows *s = &c->stores[store];
	struct rs_store_row *row = store_get(c, s, store_owner(s, t), t, key0, key1, stack);

	return row ? row->measures : NULL;
}

void *rs_store_find(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0, uint64_t key1)
{
	struct rs_store_rows *s = &c->stores[store];
	struct rs_store_owner *owner = store_owner(s, t);
	struct rs_store_row *row = store_get(c, s, owner, t, key0, key1, 0);

	if (row)
		*store_recent(owner, key0, key1) = (struct rs_store_recent){ key0, key1, row->measures };
	return row ? row->measures : NULL;
}

static struct rs_store_row *store_row_of(void *measures)
{
	return (struct rs_store_row *)(void *)((char *)measures - offsetof(struct rs_store_row, measures));
}

void *rs_store_next(struct rs_ctx *c, unsigned int store, void *after)
{
	struct rs_store_row *row = after ? store_row_of(after)->after : c->stores[store].no_task.first;

	return row ? row->measures : NULL;
}

void *rs_store_next_of(struct rs_ctx *c, unsigned int store, const struct rs_task *t, void *after,
		       uint64_t *key0)
{
	const struct rs_store_row
		*row = after ? store_row_of(after)->after :
			       rs_store_owner_of(&c->stores[store], (struct rs_task *)(uintptr_t)t)->first;

	if (!row)
		return NULL;
	*key0 = row->keys[0];
	return (void *)(uintptr_t)row->measures;
}

/* Adds the row of an evicted task to the one row without a task. */
static void store_evict_in_task(struct rs_ctx *c, struct rs_store_rows *s, struct rs_task *t)
{
	void *row = rs_store_in_task(s, t);
	struct rs_store_row *into;

	if (!rs_shown(c, t) || (s->store->by_states && !rs_store_has_row(c, t)))
		return;
	if (s->store->complete)
		s->store->complete(c, NULL, t, row);
	if (rs_store_measures_are_empty(s->store, row))
		return;
	into = store_find(s, &s->no_task, 0, 0, 0);
	if (!into)
		into = store_new(s, &s->no_task, NULL, 0, 0, 0);
	if (into)
		rs_store_measures_merge(s->store, into->measures, row);
}

void rs_store_task_begin(struct rs_ctx *c, struct rs_task *t)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++)
		if (s->store->in_task)
			rs_store_measures_init(s->store, rs_store_in_task(s, t));
}

/* The number of rows does not grow, so this evicts nothing. */
static void store_reassign(struct rs_store_rows *s, struct rs_store_row *row, struct rs_store_owner *owner,
			   struct rs_task *to, uint64_t key0)
{
	struct rs_store_row *into = store_find(s, owner, key0, row->keys[1], row->stack);

	if (into) {
		rs_store_measures_merge(s->store, into->measures, row->measures);
		store_remove(s, row);
		return;
	}
	store_unlink(s, row);
	row->owner = owner;
	row->task = to;
	row->keys[0] = key0;
	store_link(s, row);
}

/* The rows of an evicted task stay, without a task. */
static void store_evict_task(struct rs_store_rows *s, struct rs_task *t)
{
	struct rs_store_row *row;

	while ((row = rs_store_owner_of(s, t)->first))
		store_reassign(s, row, &s->no_task, NULL, rs_store_resolve_key(s->store, row));
}

void rs_store_task_evict(struct rs_ctx *c, struct rs_task *t)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++)
		if (s->store->in_task)
			store_evict_in_task(c, s, t);
		else if (s->store->of_tasks && rs_shown(c, t))
			store_evict_task(s, t);
}

void rs_store_task_end(struct rs_ctx *c, struct rs_task *t)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++)
		if (s->store->in_task)
			rs_store_measures_done(s->store, rs_store_in_task(s, t));
		else
			while (s->store->of_tasks && rs_store_owner_of(s, t)->first)
				store_remove(s, rs_store_owner_of(s, t)->first);
}

void rs_store_task_reassign(struct rs_ctx *c, struct rs_task *from, struct rs_task *to)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++) {
		struct rs_store_row *row;

		if (s->store->stays_with_thread)
			continue;
		if (s->store->in_task) {
			rs_store_measures_merge(s->store, rs_store_in_task(s, to), rs_store_in_task(s, from));
			store_reset_measures(s->store, rs_store_in_task(s, from));
		}
		while (s->store->of_tasks && (row = rs_store_owner_of(s, from)->first))
			store_reassign(s, row, rs_store_owner_of(s, to), to, row->keys[0]);
	}
}

/* ---- life cycle ---- */

size_t rs_store_task_bytes(const struct rs_analysis *a)
{
	size_t nr_bytes = 0;

	for (const struct rs_store *store = a->stores; store && store->row_bytes; store++)
		nr_bytes += store->of_tasks ? sizeof(struct rs_store_owner) : 0;
	return nr_bytes;
}

size_t rs_store_task_data_bytes(const struct rs_analysis *a)
{
	for (const struct rs_store *store = a->stores; store && store->row_bytes; store++)
		if (store->in_task && store->row_bytes > a->task_size)
			return store->row_bytes;
	return a->task_size;
}

static unsigned int store_count(const struct rs_analysis *a)
{
	unsigned int nr = 0;

	while (a->stores && a->stores[nr].row_bytes)
		nr++;
	return nr;
}

int rs_store_begin(struct rs_ctx *c, const struct rs_analysis *a, size_t task_offset)
{
	unsigned int nr = store_count(a);
	struct rs_store_access *access = nr ? calloc(nr, sizeof *access) : NULL;

	c->store_access = access;
	c->stores = nr ? calloc(nr + 1, sizeof *c->stores) : NULL;
	if (nr && (!c->stores || !access))
		return -1;
	for (unsigned int i = 0; i < nr; i++) {
		struct rs_store_rows *s = &c->stores[i];

		*s = (struct rs_store_rows){ .store = &a->stores[i], .access = &access[i] };
		access[i].no_task = s->no_task.recent;
		if (!rs_map_init(&s->by_key, STORE_FIRST_ROOM))
			return -1;
		if (s->store->in_task)
			access[i].task_offset = c->task_offset;
		if (!s->store->of_tasks)
			continue;
		access[i].task_offset = task_offset;
		task_offset += sizeof(struct rs_store_owner);
	}
	return 0;
}

static void store_forget(struct rs_store_rows *s)
{
	while (s->oldest)
		store_remove(s, s->oldest);
}

void rs_store_reset(struct rs_ctx *c)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++) {
		for (struct rs_task *t = s->store->in_task ? rs_task_next(c, NULL) : NULL; t;
		     t = rs_task_next(c, t))
			store_reset_measures(s->store, rs_store_in_task(s, t));
		if (!s->store->keeps_rows)
			store_forget(s);
		for (struct rs_store_row *row = s->oldest; row; row = row->newer)
			store_reset_measures(s->store, row->measures);
	}
}

void rs_store_for_each_stack(const struct rs_ctx *c, void (*fn)(void *arg, uint32_t stack), void *arg)
{
	for (const struct rs_store_rows *s = c->stores; s && s->store; s++)
		for (const struct rs_store_row *row = s->oldest; row; row = row->newer)
			if (s->store->key0_is_stack || row->stack)
				fn(arg, row->stack ? row->stack : (uint32_t)row->keys[0]);
}

void rs_store_done(struct rs_ctx *c)
{
	for (struct rs_store_rows *s = c->stores; s && s->store; s++) {
		store_forget(s);
		for (struct rs_store_row *row = s->free, *next; row; row = next) {
			next = row->newer;
			free(row);
		}
		rs_map_done(&s->by_key);
	}
	free(c->stores);
	free((void *)c->store_access);
	c->stores = NULL;
	c->store_access = NULL;
}
