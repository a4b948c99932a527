// SPDX-License-Identifier: GPL-2.0-or-later
/* seen-addresses - addresses that processes had in stacks of events, for a recorder: whose symbols to save */
#include "symbols/seen-addresses.h"

#include <stdlib.h>

#include "base/vector.h"
#include "ringside/event.h"
#include "symbols/maps.h"

#define SEEN_FIRST_ROOM 1024u
#define SEEN_MAX_FORKS 16u    /* from a process to the one that mapped the address */
#define SEEN_MAX_STEPS 20000u /* for an address: a PID that is used again and again has many parents */

/* An entry of the table; pid 0: none. */
struct seen_address {
	uint64_t address;
	int32_t pid;
};

/* A mapping, or, where it is empty, the parent that the process is a fork of. */
struct seen_mapping {
	int32_t pid, parent;
	struct rs_mapping at;
};

struct rs_seen_addresses {
	struct seen_address *addresses;    /* by hash; a power of two, at most half of it in use */
	size_t nr, room;
	struct seen_mapping *mappings;
	size_t nr_mappings, mappings_room;
};

struct rs_seen_addresses *rs_seen_addresses_new(void)
{
	struct rs_seen_addresses *s = calloc(1, sizeof *s);

	if (s && (s->addresses = calloc(SEEN_FIRST_ROOM, sizeof *s->addresses))) {
		s->room = SEEN_FIRST_ROOM;
		return s;
	}
	free(s);
	return NULL;
}

void rs_seen_addresses_free(struct rs_seen_addresses *s)
{
	if (!s)
		return;
	free(s->addresses);
	free(s->mappings);
	free(s);
}

/* ---- addresses ---- */

/* Returns the entry of the address, or the free one that it gets. */
static struct seen_address *seen_find(struct seen_address *table, size_t room, int32_t pid, uint64_t address)
{
	size_t i = rs_hash_pair((uint32_t)pid, address) & (room - 1);

	while (table[i].pid && (table[i].pid != pid || table[i].address != address))
		i = (i + 1) & (room - 1);
	return &table[i];
}

static bool seen_grow(struct rs_seen_addresses *s)
{
	struct seen_address *table = s->nr < RS_SEEN_ADDRESSES_MAX ? calloc(2 * s->room, sizeof *table) :
								     NULL;

	if (!table)
		return false;
	for (size_t i = 0; i < s->room; i++)
		if (s->addresses[i].pid)
			*seen_find(table, 2 * s->room, s->addresses[i].pid,
				   s->addresses[i].address) = s->addresses[i];
	free(s->addresses);
	s->addresses = table;
	s->room *= 2;
	return true;
}

void rs_seen_addresses_add(struct rs_seen_addresses *s, int32_t pid, uint64_t address)
{
	struct seen_address *entry;

	if (pid <= 0)
		return;
	entry = seen_find(s->addresses, s->room, pid, address);
	if (entry->pid)
		return;
	if (2 * s->nr >= s->room) {
		if (!seen_grow(s))
			return;
		entry = seen_find(s->addresses, s->room, pid, address);
	}
	*entry = (struct seen_address){ address, pid };
	s->nr++;
}

/* ---- mappings ---- */

static void seen_add_mapping(struct rs_seen_addresses *s, const struct seen_mapping *mapping)
{
	struct seen_mapping *new = s->nr_mappings < RS_SEEN_MAPPINGS_MAX ?
					   RS_VECTOR_ADD(&s->mappings, &s->nr_mappings, &s->mappings_room) :
					   NULL;

	if (new)
		*new = *mapping;
}

void rs_seen_addresses_map(struct rs_seen_addresses *s, int32_t pid, const struct rs_mapping *mapping)
{
	if (mapping->start < mapping->end)
		seen_add_mapping(s, &(struct seen_mapping){ .pid = pid, .at = *mapping });
}

void rs_seen_addresses_fork(struct rs_seen_addresses *s, int32_t parent, int32_t child)
{
	if (parent != child)
		seen_add_mapping(s, &(struct seen_mapping){ .pid = child, .parent = parent });
}

/* ---- the end ---- */

struct seen_search {
	const struct rs_seen_addresses *seen;
	uint64_t address;
	unsigned int nr_steps;
	void (*fn)(void *arg, uint32_t module, uint64_t offset);
	void *arg;
};

static int seen_compare(const void *a, const void *b)
{
	const struct seen_mapping *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Returns the first mapping of a process, if it has any. */
static size_t seen_first_of(const struct rs_seen_addresses *s, int32_t pid)
{
	size_t from = 0, to = s->nr_mappings;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (s->mappings[mid].pid < pid)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void seen_search_in(struct seen_search *search, int32_t pid, unsigned int nr_forks)
{
	const struct rs_seen_addresses *s = search->seen;

	for (size_t i = seen_first_of(s, pid);
	     i < s->nr_mappings && s->mappings[i].pid == pid && search->nr_steps++ < SEEN_MAX_STEPS; i++) {
		const struct seen_mapping *m = &s->mappings[i];

		if (m->parent && nr_forks < SEEN_MAX_FORKS)
			seen_search_in(search, m->parent, nr_forks + 1);
		else if (m->at.start <= search->address && search->address < m->at.end)
			search->fn(search->arg, m->at.module, search->address - m->at.start + m->at.offset);
	}
}

void rs_seen_addresses_for_each(struct rs_seen_addresses *s,
				void (*fn)(void *arg, uint32_t module, uint64_t offset), void *arg)
{
	if (s->nr_mappings)
		qsort(s->mappings, s->nr_mappings, sizeof *s->mappings, seen_compare);
	for (size_t i = 0; i < s->room; i++)
		if (s->addresses[i].pid)
			seen_search_in(&(struct seen_search){ .seen = s, .address = s->addresses[i].address,
				.fn = fn, .arg = arg }, s->addresses[i].pid, 0);
}
