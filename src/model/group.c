// SPDX-License-Identifier: GPL-2.0-or-later
/* group - what merges under --by: a map from a key of several parts to some bytes */
#include "model/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

struct group {
	struct rs_map_node node;
	struct group *next;          /* in the order of first use */
	size_t key_len;
	_Alignas(max_align_t) unsigned char payload[]; /* then the key: as many bytes as it has */
};

/* Memory of many groups, which end together. */
struct group_block {
	struct group_block *before;
	_Alignas(max_align_t) unsigned char bytes[];
};

#define GROUP_FIRST_BLOCK_BYTES 4096
#define GROUP_MOST_BLOCK_BYTES 65536

struct rs_groups {
	size_t payload_bytes;
	struct rs_map map;
	struct group *first, **tail;
	struct group_block *block;     /* the last one; NULL: there is none */
	size_t used_bytes, block_bytes;
};

static void group_append(struct rs_group_key *k, const void *bytes, size_t len)
{
	if (len > sizeof k->bytes - k->len) { /* mix the whole value, so that order and length still matter */
		uint64_t h = rs_hash_pair(rs_hash_bytes(bytes, len), rs_hash_bytes(k->bytes, k->len));

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
	g->tail = &g->first;
	if (!rs_map_init(&g->map, 256)) {
		free(g);
		return NULL;
	}
	return g;
}

void rs_groups_free(struct rs_groups *g)
{
	struct group_block *before;

	if (!g)
		return;
	for (struct group_block *at = g->block; at; at = before) {
		before = at->before;
		free(at);
	}
	rs_map_done(&g->map);
	free(g);
}

/* Returns false without memory. */
static bool group_add_block(struct rs_groups *g, size_t nr_bytes)
{
	size_t block_bytes = g->block_bytes ? 2 * g->block_bytes : GROUP_FIRST_BLOCK_BYTES;
	struct group_block *block;

	if (block_bytes > GROUP_MOST_BLOCK_BYTES)
		block_bytes = GROUP_MOST_BLOCK_BYTES;
	if (block_bytes < nr_bytes)
		block_bytes = nr_bytes;
	block = calloc(1, sizeof *block + block_bytes);
	if (!block)
		return false;
	block->before = g->block;
	g->block = block;
	g->block_bytes = block_bytes;
	g->used_bytes = 0;
	return true;
}

/* Returns zeroed memory that lives as long as the groups; NULL: there is none. */
static void *group_alloc(struct rs_groups *g, size_t nr_bytes)
{
	size_t rest_bytes = g->block_bytes - g->used_bytes;
	void *at;

	nr_bytes = (nr_bytes + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	if (rest_bytes < nr_bytes && !group_add_block(g, nr_bytes))
		return NULL;
	at = g->block->bytes + g->used_bytes;
	g->used_bytes += nr_bytes;
	return at;
}

static unsigned char *group_key(const struct rs_groups *g, struct group *at)
{
	return at->payload + g->payload_bytes;
}

void *rs_groups_get(struct rs_groups *g, const struct rs_group_key *k)
{
	uint64_t hash = rs_hash_bytes(k->bytes, k->len);
	struct group *at;

	for (struct rs_map_node *node = rs_map_find(&g->map, hash); node; node = rs_map_find_next(node)) {
		at = RS_MAP_ENTRY(node, struct group, node);
		if (at->key_len == k->len && !memcmp(group_key(g, at), k->bytes, k->len))
			return at->payload;
	}
	at = group_alloc(g, sizeof *at + g->payload_bytes + k->len);
	if (!at)
		return NULL;
	at->key_len = k->len;
	memcpy(group_key(g, at), k->bytes, k->len);
	rs_map_add(&g->map, &at->node, hash);
	*g->tail = at;
	g->tail = &at->next;
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
