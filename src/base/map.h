/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.h - a hash map of structs that the caller allocates
 *
 *	struct name { struct rs_map_node node; int32_t tid; char comm[16]; };
 *
 *	struct rs_map names;
 *
 *	if (!rs_map_init(&names, 64))
 *		return -ENOMEM;
 *	rs_map_add(&names, &name->node, rs_hash_u64(tid));
 *	name = RS_MAP_ENTRY(rs_map_find(&names, rs_hash_u64(tid)), struct name, node);    // NULL: none
 *
 * A key of at most 64 bits needs no comparison: rs_hash_u64 is one to one. For a longer key the caller
 * compares each entry with the same hash:
 *
 *	for (struct rs_map_node *n = rs_map_find(m, hash); n; n = rs_map_find_next(n))
 *		if (is_key_of(RS_MAP_ENTRY(n, struct name, node), key))
 *			...
 *
 * Only rs_map_init fails for want of memory. The map grows by itself; where it cannot, it gets slower.
 * Entries do not move. Nothing is in order here: to walk entries link them in a list as well.
 */
#ifndef RS_BASE_MAP_H
#define RS_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/event.h"

struct rs_map_node {
	struct rs_map_node *chain;      /* the next one of its bucket */
	uint64_t hash;
};

struct rs_map {
	struct rs_map_node **buckets;
	size_t nr_buckets;              /* a power of two */
	size_t nr;                      /* entries */
};

/* Room for nr entries before it grows. False: no memory (errno ENOMEM); rs_map_done is fine all the same. */
bool rs_map_init(struct rs_map *m, size_t nr);
/* Entries are the caller's: they are not freed. */
void rs_map_done(struct rs_map *m);
/* Makes room for nr entries at once; false: no memory (errno ENOMEM), and nothing has changed. */
bool rs_map_reserve(struct rs_map *m, size_t nr);
/* Does not look whether there is one with this key. */
void rs_map_add(struct rs_map *m, struct rs_map_node *node, uint64_t hash);
/* The node must be in the map. */
void rs_map_remove(struct rs_map *m, struct rs_map_node *node);

static inline struct rs_map_node *rs_map_with_hash(struct rs_map_node *node, uint64_t hash)
{
	while (node && node->hash != hash)
		node = node->chain;
	return node;
}

/* Returns the entry with this hash that was added last; NULL: none. */
static inline struct rs_map_node *rs_map_find(const struct rs_map *m, uint64_t hash)
{
	return rs_map_with_hash(m->buckets[hash & (m->nr_buckets - 1)], hash);
}

/* Returns the next one with the same hash. */
static inline struct rs_map_node *rs_map_find_next(const struct rs_map_node *node)
{
	return rs_map_with_hash(node->chain, node->hash);
}

static inline void *rs_map_entry(struct rs_map_node *node, size_t offset_bytes)
{
	return node ? (char *)node - offset_bytes : NULL;
}

/* The struct that a node is a member of; NULL for NULL. */
#define RS_MAP_ENTRY(node, type, member) ((type *)rs_map_entry((node), offsetof(type, member)))

#endif
