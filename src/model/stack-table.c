// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-table - stacks, each kept once: a tree whose nodes are calls */
#include "model/stack-table.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ringside/event.h"

#define STACKS_FREE UINT32_MAX   /* module of a node that is free: caller is the next one */
#define STACKS_FIRST_ROOM 4096u /* a power of two */

struct rs_stack_table {
	struct rs_stack_node *nodes;
	size_t nr, room, max;
	uint32_t *places;            /* by hash: the number of a node; 0: free */
	size_t nr_places;            /* a power of two, at least twice nr */
	uint32_t free;               /* the first free node; 0: none */
	uint64_t nr_cut;
};

static uint64_t stack_hash(uint32_t caller, uint32_t module, uint64_t offset)
{
	return rs_hash_u64(offset ^ rs_hash_u64((uint64_t)module << 32 | caller));
}

static void stack_table_put(struct rs_stack_table *t, uint32_t id)
{
	const struct rs_stack_node *n = &t->nodes[id];
	size_t at = stack_hash(n->caller, n->module, n->offset) & (t->nr_places - 1);

	while (t->places[at])
		at = (at + 1) & (t->nr_places - 1);
	t->places[at] = id;
}

static void stack_table_put_all(struct rs_stack_table *t)
{
	memset(t->places, 0, t->nr_places * sizeof *t->places);
	for (size_t id = RS_STACK_OTHERS + 1; id < t->nr; id++)
		if (t->nodes[id].module != STACKS_FREE)
			stack_table_put(t, (uint32_t)id);
}

static bool stack_table_grow(struct rs_stack_table *t)
{
	size_t nr = t->nr_places ? t->nr_places * 2 : STACKS_FIRST_ROOM;
	uint32_t *places = malloc(nr * sizeof *places);

	if (!places)
		return false;
	free(t->places);
	t->places = places;
	t->nr_places = nr;
	stack_table_put_all(t);
	return true;
}

struct rs_stack_table *rs_stack_table_new(size_t max)
{
	struct rs_stack_table *t = calloc(1, sizeof *t);

	if (t && stack_table_grow(t) && RS_VECTOR_RESERVE(&t->nodes, &t->room, STACKS_FIRST_ROOM)) {
		t->max = max;
		t->nr = RS_STACK_OTHERS + 1;
		memset(t->nodes, 0, t->nr * sizeof *t->nodes);
		return t;
	}
	rs_stack_table_free(t);
	return NULL;
}

void rs_stack_table_free(struct rs_stack_table *t)
{
	if (!t)
		return;
	free(t->nodes);
	free(t->places);
	free(t);
}

static uint32_t stack_table_find(const struct rs_stack_table *t, uint32_t caller, uint32_t module,
				 uint64_t offset)
{
	for (size_t at = stack_hash(caller, module, offset);; at++) {
		uint32_t id = t->places[at & (t->nr_places - 1)];
		const struct rs_stack_node *n = &t->nodes[id];

		if (!id || (n->caller == caller && n->module == module && n->offset == offset))
			return id;
	}
}

/* NULL: it is full, or there is no memory. */
static struct rs_stack_node *stack_table_new_node(struct rs_stack_table *t)
{
	struct rs_stack_node *n = t->free ? &t->nodes[t->free] : NULL;

	if (n) {
		t->free = n->caller;
		return n;
	}
	if (t->nr >= t->max || (t->nr * 2 >= t->nr_places && !stack_table_grow(t)))
		return NULL;
	return RS_VECTOR_ADD(&t->nodes, &t->nr, &t->room);
}

uint32_t rs_stack_table_add(struct rs_stack_table *t, uint32_t caller, uint32_t module, uint64_t offset)
{
	uint32_t id = caller == RS_STACK_OTHERS ? RS_STACK_OTHERS :
						  stack_table_find(t, caller, module, offset);
	struct rs_stack_node *n;

	if (id)
		return id;
	n = stack_table_new_node(t);
	if (!n) {
		t->nr_cut++;
		return RS_STACK_OTHERS;
	}
	*n = (struct rs_stack_node){ .offset = offset, .module = module, .caller = caller };
	id = (uint32_t)(n - t->nodes);
	stack_table_put(t, id);
	return id;
}

struct rs_stack_node *rs_stack_table_node(const struct rs_stack_table *t, uint32_t id)
{
	return &t->nodes[id < t->nr ? id : RS_STACK_OTHERS];
}

bool rs_stack_table_is_full(const struct rs_stack_table *t)
{
	return !t->free && t->nr >= t->max;
}

size_t rs_stack_table_nr(const struct rs_stack_table *t)
{
	return t->nr;
}

void rs_stack_table_sweep(struct rs_stack_table *t, uint8_t *used)
{
	/* a caller of one in use is in use; 2: its callers are marked, too */
	for (size_t i = RS_STACK_OTHERS + 1; i < t->nr; i++)
		for (uint32_t id = (uint32_t)i; used[i] && id > RS_STACK_OTHERS && used[id] != 2;
		     id = t->nodes[id].caller)
			used[id] = 2;
	t->free = 0;
	for (size_t i = t->nr; --i > RS_STACK_OTHERS;)
		if (!used[i]) {
			t->nodes[i] = (struct rs_stack_node){ .module = STACKS_FREE, .caller = t->free };
			t->free = (uint32_t)i;
		}
	stack_table_put_all(t);
}

uint64_t rs_stack_table_nr_cut(const struct rs_stack_table *t)
{
	return t->nr_cut;
}
