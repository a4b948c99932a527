// SPDX-License-Identifier: GPL-2.0-or-later
/* match-table - a matcher for pairs of any key, in bounded memory */
#include "engine/match/match-table.h"

#include <stdlib.h>

int rs_match_table_init(struct rs_match_table *t, const struct rs_match_table_decl *decl)
{
	*t = (struct rs_match_table){ .decl = *decl };
	t->entries = calloc(decl->most, sizeof *t->entries);
	if (!t->entries || !rs_map_init(&t->by_key, decl->most)) {
		rs_match_table_done(t);
		return -1;
	}
	for (uint32_t i = decl->most; i--;) {
		t->entries[i].newer = t->free;
		t->free = &t->entries[i];
	}
	return 0;
}

void rs_match_table_done(struct rs_match_table *t)
{
	free(t->entries);
	rs_map_done(&t->by_key);
	*t = (struct rs_match_table){ .free = NULL };
}

static void match_table_remove(struct rs_match_table *t, struct rs_match_table_entry *e)
{
	rs_map_remove(&t->by_key, &e->node);
	*(e->older ? &e->older->newer : &t->oldest) = e->newer;
	*(e->newer ? &e->newer->older : &t->newest) = e->older;
	e->newer = t->free;
	t->free = e;
}

static void match_table_add(struct rs_match_table *t, const struct rs_match_moment *at)
{
	struct rs_match_table_entry *e;

	if (!t->free) {
		match_table_remove(t, t->oldest);
		t->matcher.counts.evicted++;
	}
	e = t->free;
	t->free = e->newer;
	*e = (struct rs_match_table_entry){ .at = *at, .older = t->newest };
	rs_map_add(&t->by_key, &e->node, rs_hash_u64(at->key));
	*(t->newest ? &t->newest->newer : &t->oldest) = e;
	t->newest = e;
}

/* The last one of a key to begin; NULL: none. */
static struct rs_match_table_entry *match_table_last(const struct rs_match_table *t, uint64_t key)
{
	return RS_MAP_ENTRY(rs_map_find(&t->by_key, rs_hash_u64(key)), struct rs_match_table_entry, node);
}

/* The one of the same key that began before it. */
static struct rs_match_table_entry *match_table_before(const struct rs_match_table_entry *e)
{
	return RS_MAP_ENTRY(rs_map_find_next(&e->node), struct rs_match_table_entry, node);
}

/* ---- loss ---- */

static bool match_table_is_uncertain(const struct rs_match_table *t, const struct rs_match_table_entry *e,
				     uint64_t now_ns)
{
	return rs_gaps_hit(t->decl.gaps(t->decl.arg, e->at.cpu), e->at.ts_ns, now_ns);
}

/* Discards those of a key that a gap made uncertain. Returns their number. */
static uint64_t match_table_discard(struct rs_match_table *t, uint64_t key, uint64_t now_ns)
{
	struct rs_match_table_entry *e = match_table_last(t, key), *before;
	uint64_t nr = 0;

	for (; e; e = before) {
		before = match_table_before(e);
		if (!match_table_is_uncertain(t, e, now_ns))
			continue;
		match_table_remove(t, e);
		nr++;
	}
	t->matcher.counts.discarded_begins += nr;
	return nr;
}

/* ---- begins and ends ---- */

void rs_match_table_begin(struct rs_match_table *t, const struct rs_match_moment *at)
{
	struct rs_match_table_entry *e;

	t->matcher.counts.begins++;
	match_table_discard(t, at->key, at->ts_ns);
	e = t->decl.nests ? NULL : match_table_last(t, at->key);
	if (e) {
		match_table_remove(t, e);
		t->matcher.counts.superseded++;
	}
	match_table_add(t, at);
}

void rs_match_table_end(struct rs_match_table *t, const struct rs_match_moment *at)
{
	uint64_t nr_discarded = match_table_discard(t, at->key, at->ts_ns);
	struct rs_match_table_entry *e = match_table_last(t, at->key);
	struct rs_match_moment begin;
	unsigned int depth = 0;

	t->matcher.counts.ends++;
	if (!e) {
		++*(nr_discarded ? &t->matcher.counts.discarded_ends : &t->matcher.counts.unmatched_ends);
		return;
	}
	begin = e->at;
	for (const struct rs_match_table_entry *outer = e; (outer = match_table_before(outer));)
		depth++;
	match_table_remove(t, e);
	t->matcher.counts.paired++;
	t->decl.on_pair(t->decl.arg, &begin, at, depth);
}

/* ---- what is in flight ---- */

struct rs_match_open rs_match_table_open(const struct rs_match_table *t, uint64_t now_ns)
{
	struct rs_match_open open = { 0 };

	for (const struct rs_match_table_entry *e = t->oldest; e; e = e->newer)
		++*(match_table_is_uncertain(t, e, now_ns) ? &open.discarded : &open.in_flight);
	return open;
}

const struct rs_match_moment *rs_match_table_next(const struct rs_match_table *t, uint64_t now_ns,
						  uint32_t *place)
{
	const struct rs_match_table_entry *e = *place ? t->entries[*place - 1].newer : t->oldest;

	while (e && match_table_is_uncertain(t, e, now_ns))
		e = e->newer;
	*place = e ? (uint32_t)(e - t->entries) + 1 : 0;
	return e ? &e->at : NULL;
}
