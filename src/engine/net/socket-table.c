// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-table - sockets by address, number and ends, in memory that does not grow */
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

static uint64_t socket_table_end_hash(const struct rs_socket_end *end)
{
	uint64_t half[2];

	memcpy(half, end->addr, sizeof half);
	return rs_hash_u64(half[0] ^ rs_hash_u64(half[1] ^ end->port));
}

void rs_socket_table_pair(struct rs_socket_table *t, struct rs_socket_entry *e)
{
	uint32_t bucket, *first, *at;

	if (e->pair_bucket || e->socket.is_over)
		return;
	bucket = (socket_table_end_hash(&e->socket.local) + socket_table_end_hash(&e->socket.remote)) %
		 RS_MAX_SOCKETS;
	first = at = &t->pair_buckets[bucket];
	e->pair_bucket = bucket + 1;
	e->pair_chain = *first;
	*first = (uint32_t)(e - t->entries) + 1;
	for (unsigned int nr = 0; *at && nr < MAX_CHAIN; nr++)
		at = &t->entries[*at - 1].pair_chain;
	*at = 0;
}

static void socket_table_unpair(struct rs_socket_table *t, struct rs_socket_entry *e)
{
	uint32_t *at = e->pair_bucket ? &t->pair_buckets[e->pair_bucket - 1] : NULL,
		 index = (uint32_t)(e - t->entries) + 1;

	while (at && *at && *at != index)
		at = &t->entries[*at - 1].pair_chain;
	if (at && *at)
		*at = e->pair_chain;
	e->pair_bucket = 0;
}

struct rs_socket_entry *rs_socket_table_by_ends(struct rs_socket_table *t, const struct rs_socket_end *local,
						const struct rs_socket_end *remote, bool *several)
{
	uint32_t bucket = (socket_table_end_hash(local) + socket_table_end_hash(remote)) % RS_MAX_SOCKETS;
	struct rs_socket_entry *found = NULL, *e;

	*several = false;
	for (uint32_t at = t->pair_buckets[bucket]; at && !*several; at = e->pair_chain) {
		e = &t->entries[at - 1];
		if (memcmp(&e->socket.local, local, sizeof *local) != 0 ||
		    memcmp(&e->socket.remote, remote, sizeof *remote) != 0)
			continue;
		*several = found;
		found = e;
	}
	return *several ? NULL : found;
}

/* One whose begin, or close, was not seen may have been there. */
static bool socket_table_is_at(const struct rs_socket *k, uint64_t at_ns)
{
	return k->begin_ns <= at_ns && (!k->is_over || (k->closed_ns ? k->closed_ns : k->last_ns) >= at_ns);
}

const struct rs_socket_entry *rs_socket_table_at_time(const struct rs_socket_table *t,
						      const struct rs_socket_end *local,
						      const struct rs_socket_end *remote, uint64_t at_ns)
{
	const struct rs_socket_entry *found = NULL;

	for (uint32_t i = 0; i < t->nr_used; i++) {
		const struct rs_socket *k = &t->entries[i].socket;

		if (memcmp(&k->local, local, sizeof *local) != 0 ||
		    memcmp(&k->remote, remote, sizeof *remote) != 0 || !socket_table_is_at(k, at_ns))
			continue;
		if (found)
			return NULL;
		found = &t->entries[i];
	}
	return found;
}

static bool socket_table_is_mirror(const struct rs_socket *a, const struct rs_socket *b)
{
	return !memcmp(&a->local, &b->remote, sizeof a->local) &&
	       !memcmp(&a->remote, &b->local, sizeof a->remote);
}

/* NULL: none, or several: other network namespaces may have the same addresses. */
static const struct rs_socket_entry *socket_table_mirror(const struct rs_socket_table *t,
							 const struct rs_socket_entry *e)
{
	const struct rs_socket_entry *mirror = NULL, *other;

	for (uint32_t at = e->pair_bucket ? t->pair_buckets[e->pair_bucket - 1] : 0; at;
	     at = other->pair_chain) {
		other = &t->entries[at - 1];
		if (other == e || !socket_table_is_mirror(&e->socket, &other->socket))
			continue;
		if (mirror)
			return NULL;
		mirror = other;
	}
	return mirror;
}

const struct rs_socket_entry *rs_socket_table_peer(const struct rs_socket_table *t,
						   const struct rs_socket_entry *e)
{
	const struct rs_socket_entry *peer = socket_table_mirror(t, e);

	return peer && socket_table_mirror(t, peer) == e ? peer : NULL;
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
	struct rs_socket_entry *e = addr ? rs_socket_table_at(t, addr) : NULL;

	if (e)
		socket_table_unchain(t, e);
	e = socket_table_take(t, evicted);
	if (e->socket.number) {
		socket_table_unchain(t, e);
		socket_table_unpair(t, e);
	}
	*e = (struct rs_socket_entry){ .socket = {
		.number = ++t->nr_added * RS_MAX_SOCKETS + (uint64_t)(e - t->entries), .addr = addr } };
	if (addr)
		socket_table_chain(t, e);
	return e;
}

void rs_socket_table_set_addr(struct rs_socket_table *t, struct rs_socket_entry *e, uint64_t addr)
{
	e->socket.addr = addr;
	socket_table_chain(t, e);
}

void rs_socket_table_close(struct rs_socket_table *t, struct rs_socket_entry *e)
{
	uint32_t index = (uint32_t)(e - t->entries) + 1;

	socket_table_unpair(t, e);
	e->next_closed = 0;
	*(t->last_closed ? &t->entries[t->last_closed - 1].next_closed : &t->first_closed) = index;
	t->last_closed = index;
}

struct rs_socket_entry *rs_socket_table_find(struct rs_socket_table *t, uint64_t number)
{
	struct rs_socket_entry *e = &t->entries[number % RS_MAX_SOCKETS];

	return number && e->socket.number == number ? e : NULL;
}
