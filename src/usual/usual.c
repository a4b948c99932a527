// SPDX-License-Identifier: GPL-2.0-or-later
/* usual - the series that are learned: which have a place, their intervals and blocks */
#include "usual/usual-parts.h"

#include <stdlib.h>
#include <string.h>

/* Who takes a place has that many times its time: else two would take it from each other. */
#define USUAL_MORE 2u

struct rs_usual *rs_usual_new(struct rs_error *err)
{
	struct rs_usual *u = calloc(1, sizeof *u);

	if (u && rs_map_init(&u->map, RS_USUAL_SERIES))
		return u;
	free(u);
	rs_fail(err, "cannot learn what is usual: out of memory");
	return NULL;
}

void rs_usual_forget(struct rs_usual *u)
{
	for (size_t i = 0; i < u->nr_series; i++) {
		rs_map_remove(&u->map, &u->series[i]->node);
		free(u->series[i]);
	}
	u->nr_series = u->nr_intervals = 0;
	u->blocks = (struct rs_block_ring){ 0 };
	u->least = NULL;
	u->block = 0;
	u->nr_recent = u->nr_lost = u->nr_away = u->nr_turned_away = 0;
	memset(u->waiting, 0, sizeof u->waiting);
}

void rs_usual_free(struct rs_usual *u)
{
	if (!u)
		return;
	rs_usual_forget(u);
	rs_map_done(&u->map);
	free(u);
}

/* ---- series ---- */

static uint64_t usual_hash(unsigned int source, const char *key, size_t key_bytes)
{
	return rs_hash_bytes(key, key_bytes) ^ rs_hash_u64(source + 1);
}

static struct rs_series *usual_find(const struct rs_usual *u, const struct rs_usual_key *key, uint64_t hash)
{
	struct rs_map_node *n = rs_map_find(&u->map, hash);

	for (; n; n = rs_map_find_next(n)) {
		struct rs_series *s = RS_MAP_ENTRY(n, struct rs_series, node);

		if (s->source == key->source && s->key_bytes == key->key_bytes &&
		    !memcmp(s->key, key->key, key->key_bytes))
			return s;
	}
	return NULL;
}

static void usual_begin_series(struct rs_usual *u, struct rs_series *s, unsigned int source, const char *key,
			       size_t key_bytes)
{
	memset(s, 0, sizeof *s);
	s->source = source;
	memcpy(s->key, key, key_bytes);
	s->key_bytes = key_bytes;
	rs_map_add(&u->map, &s->node, usual_hash(source, key, key_bytes));
}

struct rs_series *rs_usual_add_series(struct rs_usual *u, unsigned int source, const char *key,
				      size_t key_bytes)
{
	struct rs_series *s = u->nr_series < RS_USUAL_SERIES ? malloc(sizeof *s) : NULL;

	if (!s)
		return NULL;
	usual_begin_series(u, s, source, key, key_bytes);
	return u->series[u->nr_series++] = s;
}

static struct rs_series *usual_find_least(const struct rs_usual *u)
{
	struct rs_series *least = u->series[0];

	for (size_t i = 1; i < u->nr_series; i++)
		if (u->series[i]->cost_ns < least->cost_ns)
			least = u->series[i];
	return least;
}

/* One that has much more time takes the place of the one with the least. */
static struct rs_series *usual_admit(struct rs_usual *u, const struct rs_usual_key *key, uint64_t hash)
{
	struct rs_series *s = rs_usual_add_series(u, key->source, key->key, key->key_bytes);
	struct rs_frequent *place;

	if (s || !u->nr_series)
		return s;
	place = rs_frequent_add(u->waiting, RS_USUAL_WAITING, (unsigned int)(hash % RS_USUAL_WAITING), hash,
				0, key->cost_ns);
	u->least = u->least ? u->least : usual_find_least(u);
	if (!place || place->sum / USUAL_MORE <= u->least->cost_ns) {
		u->nr_away += place && place->nr == 1;
		return NULL;
	}
	s = u->least;
	u->least = NULL;
	rs_map_remove(&u->map, &s->node);
	usual_begin_series(u, s, key->source, key->key, key->key_bytes);
	s->cost_ns = place->sum;
	place->sum = 0;
	return s;
}

struct rs_short_dist *rs_usual_get(struct rs_usual *u, const struct rs_usual_key *asked)
{
	struct rs_usual_key key = *asked;
	struct rs_series *s;
	uint64_t hash;

	key.key_bytes = key.key_bytes < RS_SERIES_KEY ? key.key_bytes : RS_SERIES_KEY - 1;
	hash = usual_hash(key.source, key.key, key.key_bytes);
	s = usual_find(u, &key, hash);
	if (!s)
		s = usual_admit(u, &key, hash);
	if (!s)
		return NULL;
	s->cost_ns += key.cost_ns;
	s->can_be_slow = key.can_be_slow;
	s->can_be_less = key.can_be_less;
	s->can_be_more = key.can_be_more;
	return &s->intervals[u->slot];
}

/* ---- intervals ---- */

void rs_usual_begin_interval(struct rs_usual *u)
{
	u->slot = (u->slot + 1) % RS_SERIES_INTERVALS;
	u->least = NULL;
	u->skipped = 0;
	for (size_t i = 0; i < u->nr_series; i++)
		rs_short_dist_clear(&u->series[i]->intervals[u->slot]);
}

void rs_usual_skip(struct rs_usual *u, unsigned int source)
{
	u->skipped |= 1u << source;
}

void rs_usual_compare(struct rs_usual *u, uint32_t block)
{
	u->block = block;
	rs_block_ring_compare(&u->blocks, block, &u->like);
	for (size_t i = 0; i < u->nr_series; i++)
		rs_series_find_usual(u->series[i], &u->blocks, &u->like);
}

static void usual_end_block(struct rs_usual *u)
{
	unsigned int place = rs_block_ring_add(&u->blocks, u->block);

	for (size_t i = 0; i < u->nr_series; i++) {
		rs_series_end_block(u->series[i], place);
		if (u->blocks.next % RS_BLOCK_RING_HOUR == 0)
			u->series[i]->cost_ns /= 2;
	}
	for (unsigned int i = 0; u->blocks.next % RS_BLOCK_RING_HOUR == 0 && i < RS_USUAL_WAITING; i++)
		u->waiting[i].sum /= 2;
	u->nr_turned_away = u->nr_away;
	u->nr_away = 0;
}

/* What came before a loss is not of one window with what comes after it. */
static void usual_lose(struct rs_usual *u)
{
	u->nr_lost++;
	u->nr_intervals = 0;
	for (size_t i = 0; i < u->nr_series; i++)
		u->series[i]->nr_known = 0;
}

bool rs_usual_end_interval(struct rs_usual *u, const struct rs_usual_interval *interval)
{
	uint32_t block = (uint32_t)(interval->wall_s / RS_BLOCK_RING_SECONDS);
	bool ends = u->block && block != u->block;

	if (ends)
		usual_end_block(u);
	if (ends || !u->block)
		rs_usual_compare(u, block);
	if (interval->has_lost) {
		usual_lose(u);
		return ends;
	}
	u->lens_ns[u->slot] = interval->to_ns - interval->from_ns;
	u->nr_intervals += u->nr_intervals < RS_SERIES_INTERVALS;
	for (size_t i = 0; i < u->nr_series; i++)
		if (u->skipped >> u->series[i]->source & 1)
			u->series[i]->nr_known = 0;
		else
			rs_usual_judge(u, u->series[i], interval);
	return ends;
}

/* ---- answers ---- */

static int usual_compare_cost(const void *a, const void *b)
{
	const struct rs_usual_item *x = a, *y = b;

	return (x->cost_ppm < y->cost_ppm) - (x->cost_ppm > y->cost_ppm);
}

size_t rs_usual_list(const struct rs_usual *u, struct rs_usual_item *items, size_t most)
{
	size_t nr = 0;

	for (size_t i = 0; i < u->nr_series; i++)
		for (enum rs_series_kind kind = 0; kind < RS_SERIES_NR_KINDS && nr < most; kind++)
			if (u->series[i]->unusual[kind].since_ns)
				rs_usual_fill_item(u, u->series[i], kind, &items[nr++]);
	if (nr)
		qsort(items, nr, sizeof *items, usual_compare_cost);
	return nr;
}

size_t rs_usual_list_ended(const struct rs_usual *u, struct rs_usual_item *items, size_t most)
{
	size_t nr = 0;

	for (; nr < most && nr < RS_USUAL_RECENT && nr < u->nr_recent; nr++)
		items[nr] = u->recent[(u->nr_recent - 1 - nr) % RS_USUAL_RECENT];
	return nr;
}

void rs_usual_stats(const struct rs_usual *u, struct rs_usual_stats *stats)
{
	*stats = (struct rs_usual_stats){
		.learned_s = (uint64_t)u->blocks.nr * RS_BLOCK_RING_SECONDS,
		.nr_series = u->nr_series, .nr_lost = u->nr_lost, .nr_turned_away = u->nr_turned_away,
		.nr_begun = u->nr_begun, .by_day = u->like.by_day,
	};
}
