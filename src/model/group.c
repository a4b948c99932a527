// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/group.h"

#include <stdlib.h>
#include <string.h>

struct group {
	struct group *chain, *next;  /* in the same hash slot; in the order of first use */
	struct rs_group_key key;
	_Alignas(max_align_t) unsigned char payload[];
};

struct rs_groups {
	size_t payload_bytes, nr, nr_slots;
	struct group **slots, *first, **tail;
};

static uint64_t group_hash_key(const unsigned char *p, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	while (len--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

static void group_append(struct rs_group_key *k, const void *bytes, size_t len)
{
	if (len > sizeof k->bytes - k->len) { /* mix the whole value, so that order and length still matter */
		uint64_t h = group_hash_key(bytes, len) ^ group_hash_key(k->bytes, k->len) * 31;

		memcpy(k->bytes, &h, sizeof h);
		k->len = sizeof h;
		return;
	}
	memcpy(k->bytes + k->len, bytes, len);
	k->len += len;
}

void rs_group_key_u64(struct rs_group_key *k, uint64_t v)
{
	group_append(k, &v, sizeof v);
}

void rs_group_key_str(struct rs_group_key *k, const char *s)
{
	group_append(k, s, strlen(s) + 1);
}

struct rs_groups *rs_groups_new(size_t payload_bytes)
{
	struct rs_groups *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->payload_bytes = payload_bytes;
	g->nr_slots = 256;
	g->slots = calloc(g->nr_slots, sizeof(struct group *));
	g->tail = &g->first;
	if (!g->slots) {
		free(g);
		return NULL;
	}
	return g;
}

void rs_groups_free(struct rs_groups *g)
{
	struct group *next;

	if (!g)
		return;
	for (struct group *at = g->first; at; at = next) {
		next = at->next;
		free(at);
	}
	free(g->slots);
	free(g);
}

static void group_grow(struct rs_groups *g)
{
	size_t nr_slots = g->nr_slots * 4;
	struct group **slots = calloc(nr_slots, sizeof(struct group *));

	if (!slots) /* without memory for it chains grow longer: slower, still correct */
		return;
	for (struct group *at = g->first; at; at = at->next) {
		size_t i = group_hash_key(at->key.bytes, at->key.len) & (nr_slots - 1);

		at->chain = slots[i];
		slots[i] = at;
	}
	free(g->slots);
	g->slots = slots;
	g->nr_slots = nr_slots;
}

void *rs_groups_get(struct rs_groups *g, const struct rs_group_key *k)
{
	size_t i = group_hash_key(k->bytes, k->len) & (g->nr_slots - 1);
	struct group *at;

	for (at = g->slots[i]; at; at = at->chain)
		if (at->key.len == k->len && !memcmp(at->key.bytes, k->bytes, k->len))
			return at->payload;
	at = calloc(1, sizeof *at + g->payload_bytes);
	if (!at)
		return NULL;
	at->key = *k;
	at->chain = g->slots[i];
	g->slots[i] = at;
	*g->tail = at;
	g->tail = &at->next;
	if (++g->nr > 2 * g->nr_slots)
		group_grow(g);
	return at->payload;
}

void *rs_groups_next(const struct rs_groups *g, const void *after)
{
	const struct group *at;

	if (!after)
		return g->first ? g->first->payload : NULL;
	at = (const struct group *)((const char *)after - offsetof(struct group, payload));
	return at->next ? at->next->payload : NULL;
}
