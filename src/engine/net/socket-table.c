// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-table - sockets by address and by number, in memory that does not grow */
#include "engine/net/socket-table.h"

#include "ringside/event.h"

/* More in one bucket are none of a real kernel: the oldest of them is not found by its address any more. */
#define MAX_CHAIN 32

static uint32_t *socket_table_bucket(struct rs_socket_table *t, uint64_t addr)
{
	return &t->buckets[rs_hash_u64(addr) % RS_MAX_SOCKETS];
}

struct rs_socket_entry *rs_socket_table_at(struct rs_socket_table *t, uint64_t addr)
{
	for (uint32_t at = *socket_table_bucket(t, addr); at; at = t->entries[at - 1].chain)
		if (t->entries[at - 1].socket.addr == addr)
			return &t->entries[at - 1];
	return NULL;
}

static void socket_table_unchain(struct rs_socket_table *t, const struct rs_socket_entry *e)
{
	uint32_t *at = socket_table_bucket(t, e->socket.addr), index = (uint32_t)(e - t->entries) + 1;

	while (*at && *at != index)
		at = &t->entries[*at - 1].chain;
	if (*at)
		*at = e->chain;
}

static void socket_table_chain(struct rs_socket_table *t, struct rs_socket_entry *e)
{
	uint32_t *first = socket_table_bucket(t, e->socket.addr), *at = first;

	e->chain = *first;
	*first = (uint32_t)(e - t->entries) + 1;
	for (unsigned int nr = 0; *at && nr < MAX_CHAIN; nr++)
		at = &t->entries[*at - 1].chain;
	*at = 0;
}

static struct rs_socket_entry *socket_table_take_closed(struct rs_socket_table *t)
{
	struct rs_socket_entry *e = &t->entries[t->first_closed - 1];

	t->first_closed = e->next_closed;
	if (!t->first_closed)
		t->last_closed = 0;
	return e;
}

static struct rs_socket_entry *socket_table_take(struct rs_socket_table *t, bool *evicted)
{
	*evicted = false;
	if (t->nr_used < RS_MAX_SOCKETS)
		return &t->entries[t->nr_used++];
	if (t->first_closed)
		return socket_table_take_closed(t);
	*evicted = true;
	return &t->entries[t->hand++ % RS_MAX_SOCKETS];
}

struct rs_socket_entry *rs_socket_table_add(struct rs_socket_table *t, uint64_t addr, bool *evicted)
{
	struct rs_socket_entry *e = rs_socket_table_at(t, addr);

	if (e)
		socket_table_unchain(t, e);
	e = socket_table_take(t, evicted);
	if (e->socket.number)
		socket_table_unchain(t, e);
	*e = (struct rs_socket_entry){ .socket = {
		.number = ++t->nr_added * RS_MAX_SOCKETS + (uint64_t)(e - t->entries), .addr = addr } };
	socket_table_chain(t, e);
	return e;
}

void rs_socket_table_close(struct rs_socket_table *t, struct rs_socket_entry *e)
{
	uint32_t index = (uint32_t)(e - t->entries) + 1;

	e->next_closed = 0;
	*(t->last_closed ? &t->entries[t->last_closed - 1].next_closed : &t->first_closed) = index;
	t->last_closed = index;
}

struct rs_socket_entry *rs_socket_table_find(struct rs_socket_table *t, uint64_t number)
{
	struct rs_socket_entry *e = &t->entries[number % RS_MAX_SOCKETS];

	return number && e->socket.number == number ? e : NULL;
}
