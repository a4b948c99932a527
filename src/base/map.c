// SPDX-License-Identifier: GPL-2.0-or-later
/* map - a hash map of structs that the caller allocates */
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>

#define MAP_FIRST_BUCKETS 16u

static struct rs_map_node **map_bucket(const struct rs_map *m, uint64_t hash)
{
	return &m->buckets[hash & (m->nr_buckets - 1)];
}

/* Chains that are rehashed keep their order: among entries of one hash the one added last stays the first. */
static void map_append(struct rs_map *m, struct rs_map_node *node)
{
	struct rs_map_node **at = map_bucket(m, node->hash);

	while (*at)
		at = &(*at)->chain;
	node->chain = NULL;
	*at = node;
}

static void map_rehash(struct rs_map *m, const struct rs_map *old)
{
	for (size_t i = 0; i < old->nr_buckets; i++)
		for (struct rs_map_node *node = old->buckets[i], *next; node; node = next) {
			next = node->chain;
			map_append(m, node);
		}
}

bool rs_map_reserve(struct rs_map *m, size_t nr)
{
	struct rs_map grown = { .nr_buckets = m->nr_buckets ? m->nr_buckets : MAP_FIRST_BUCKETS,
				.nr = m->nr };

	while (grown.nr_buckets < nr && grown.nr_buckets <= SIZE_MAX / 2)
		grown.nr_buckets *= 2;
	if (grown.nr_buckets == m->nr_buckets)
		return true;
	grown.buckets = calloc(grown.nr_buckets, sizeof(struct rs_map_node *));
	if (!grown.buckets)
		return false;
	map_rehash(&grown, m);
	free(m->buckets);
	*m = grown;
	return true;
}

bool rs_map_init(struct rs_map *m, size_t nr)
{
	*m = (struct rs_map){ .nr = 0 };
	return rs_map_reserve(m, nr);
}

void rs_map_done(struct rs_map *m)
{
	free(m->buckets);
	*m = (struct rs_map){ .nr = 0 };
}

void rs_map_add(struct rs_map *m, struct rs_map_node *node, uint64_t hash)
{
	struct rs_map_node **bucket;

	/*
	 * Without memory chains get longer, which costs time only; it is tried again when they are twice as
	 * long.
	 */
	if (m->nr >= m->nr_buckets && !(m->nr & (m->nr - 1)))
		rs_map_reserve(m, 2 * m->nr);
	bucket = map_bucket(m, hash);
	node->hash = hash;
	node->chain = *bucket;
	*bucket = node;
	m->nr++;
}

void rs_map_remove(struct rs_map *m, struct rs_map_node *node)
{
	struct rs_map_node **at = map_bucket(m, node->hash);

	while (*at != node)
		at = &(*at)->chain;
	*at = node->chain;
	m->nr--;
}
