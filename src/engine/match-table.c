// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/match-table.h"

#include <stdlib.h>

#define MATCH_TABLE_NONE 0u

int rs_match_table_init(struct rs_match_table *t, const struct rs_match_table_decl *decl)
{
	*t = (struct rs_match_table){ .decl = *decl, .nr_buckets = 16 };
	while (t->nr_buckets < decl->most)
		t->nr_buckets *= 2;
	t->entries = calloc((size_t)decl->most + 1, sizeof *t->entries);
	t->buckets = calloc(t->nr_buckets, sizeof *t->buckets);
	if (!t->entries || !t->buckets) {
		rs_match_table_done(t);
		return -1;
	}
	for (uint32_t i = decl->most; i; i--) {
		t->entries[i].newer = t->free;
		t->free = i;
	}
	return 0;
}

void rs_match_table_done(struct rs_match_table *t)
{
	free(t->entries);
	free(t->buckets);
	*t = (struct rs_match_table){ .nr = 0 };
}

/* ---- places ---- */

static uint32_t *match_table_bucket(const struct rs_match_table *t, uint64_t key)
{
	return &t->buckets[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->nr_buckets - 1)];
}

static void match_table_remove(struct rs_match_table *t, uint32_t i)
{
	struct rs_match_table_entry *e = &t->entries[i];
	uint32_t *at = match_table_bucket(t, e->at.key);

	while (*at != i)
		at = &t->entries[*at].chain;
	*at = e->chain;
	*(e->older ? &t->entries[e->older].newer : &t->oldest) = e->newer;
	*(e->newer ? &t->entries[e->newer].older : &t->newest) = e->older;
	e->newer = t->free;
	t->free = i;
	t->nr--;
}

static void match_table_add(struct rs_match_table *t, const struct rs_match_moment *at)
{
	uint32_t *bucket, i;

	if (!t->free) {
		match_table_remove(t, t->oldest);
		t->matcher.counts.evicted++;
	}
	i = t->free;
	t->free = t->entries[i].newer;
	bucket = match_table_bucket(t, at->key);
	t->entries[i] = (struct rs_match_table_entry){ .at = *at, .chain = *bucket, .older = t->newest };
	*bucket = i;
	*(t->newest ? &t->entries[t->newest].newer : &t->oldest) = i;
	t->newest = i;
	t->nr++;
}

/* Of a key: the one that began last, after the one given; NONE: no more. */
static uint32_t match_table_of_key(const struct rs_match_table *t, uint64_t key, uint32_t after)
{
	uint32_t i = after ? t->entries[after].chain : *match_table_bucket(t, key);

	while (i && t->entries[i].at.key != key)
		i = t->entries[i].chain;
	return i;
}

/* ---- loss ---- */

static bool match_table_is_uncertain(const struct rs_match_table *t, uint32_t i, uint64_t now_ns)
{
	const struct rs_match_moment *at = &t->entries[i].at;

	return rs_gaps_hit(t->decl.gaps(t->decl.arg, at->cpu), at->ts_ns, now_ns);
}

/* What a gap made uncertain of a key is over: it starts afresh. Returns how many that were. */
static uint64_t match_table_discard(struct rs_match_table *t, uint64_t key, uint64_t now_ns)
{
	uint32_t i = match_table_of_key(t, key, MATCH_TABLE_NONE), next;
	uint64_t nr = 0;

	for (; i; i = next) {
		next = match_table_of_key(t, key, i);
		if (!match_table_is_uncertain(t, i, now_ns))
			continue;
		match_table_remove(t, i);
		nr++;
	}
	t->matcher.counts.discarded_begins += nr;
	return nr;
}

/* ---- begins and ends ---- */

void rs_match_table_begin(struct rs_match_table *t, const struct rs_match_moment *at)
{
	uint32_t i;

	t->matcher.counts.begins++;
	match_table_discard(t, at->key, at->ts_ns);
	i = t->decl.nests ? MATCH_TABLE_NONE : match_table_of_key(t, at->key, MATCH_TABLE_NONE);
	if (i) {
		match_table_remove(t, i);
		t->matcher.counts.superseded++;
	}
	match_table_add(t, at);
}

static unsigned int match_table_depth(const struct rs_match_table *t, uint32_t i)
{
	unsigned int depth = 0;

	for (uint32_t outer = i; t->decl.nests && (outer = match_table_of_key(t, t->entries[i].at.key, outer)); )
		depth++;
	return depth;
}

void rs_match_table_end(struct rs_match_table *t, const struct rs_match_moment *at)
{
	uint64_t nr_discarded = match_table_discard(t, at->key, at->ts_ns);
	uint32_t i = match_table_of_key(t, at->key, MATCH_TABLE_NONE);
	struct rs_match_moment begin;
	unsigned int depth;

	t->matcher.counts.ends++;
	if (!i) {
		*(nr_discarded ? &t->matcher.counts.discarded_ends : &t->matcher.counts.unmatched_ends) += 1;
		return;
	}
	begin = t->entries[i].at;
	depth = match_table_depth(t, i);
	match_table_remove(t, i);
	t->matcher.counts.paired++;
	t->decl.on_pair(t->decl.arg, &begin, at, depth);
}

/* ---- what is in flight ---- */

struct rs_match_open rs_match_table_open(const struct rs_match_table *t, uint64_t now_ns)
{
	struct rs_match_open open = { 0 };

	for (uint32_t i = t->oldest; i; i = t->entries[i].newer)
		++*(match_table_is_uncertain(t, i, now_ns) ? &open.discarded : &open.in_flight);
	return open;
}

const struct rs_match_moment *rs_match_table_next(const struct rs_match_table *t, uint64_t now_ns, uint32_t *place)
{
	uint32_t i = *place ? t->entries[*place].newer : t->oldest;

	while (i && match_table_is_uncertain(t, i, now_ns))
		i = t->entries[i].newer;
	*place = i;
	return i ? &t->entries[i].at : NULL;
}
