// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/match.h"

#include <stdlib.h>

#define MATCH_NONE 0u

int rs_match_init(struct rs_match *m, const struct rs_match_decl *decl)
{
	*m = (struct rs_match){ .decl = *decl, .nr_buckets = 16 };
	while (m->nr_buckets < decl->most)
		m->nr_buckets *= 2;
	m->entries = calloc((size_t)decl->most + 1, sizeof *m->entries);
	m->buckets = calloc(m->nr_buckets, sizeof *m->buckets);
	if (!m->entries || !m->buckets) {
		rs_match_done(m);
		return -1;
	}
	for (uint32_t i = decl->most; i; i--) {
		m->entries[i].newer = m->free;
		m->free = i;
	}
	return 0;
}

void rs_match_done(struct rs_match *m)
{
	free(m->entries);
	free(m->buckets);
	*m = (struct rs_match){ .nr = 0 };
}

/* ---- places ---- */

static uint32_t *match_bucket(const struct rs_match *m, uint64_t key)
{
	return &m->buckets[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->nr_buckets - 1)];
}

static void match_remove(struct rs_match *m, uint32_t i)
{
	struct rs_match_entry *e = &m->entries[i];
	uint32_t *at = match_bucket(m, e->at.key);

	while (*at != i)
		at = &m->entries[*at].chain;
	*at = e->chain;
	*(e->older ? &m->entries[e->older].newer : &m->oldest) = e->newer;
	*(e->newer ? &m->entries[e->newer].older : &m->newest) = e->older;
	e->newer = m->free;
	m->free = i;
	m->nr--;
}

static void match_add(struct rs_match *m, const struct rs_match_moment *at)
{
	uint32_t *bucket, i;

	if (!m->free) {
		match_remove(m, m->oldest);
		m->counts.evicted++;
	}
	i = m->free;
	m->free = m->entries[i].newer;
	bucket = match_bucket(m, at->key);
	m->entries[i] = (struct rs_match_entry){ .at = *at, .chain = *bucket, .older = m->newest };
	*bucket = i;
	*(m->newest ? &m->entries[m->newest].newer : &m->oldest) = i;
	m->newest = i;
	m->nr++;
}

/* Of a key: the one that began last, after the one given; NONE: no more. */
static uint32_t match_of_key(const struct rs_match *m, uint64_t key, uint32_t after)
{
	uint32_t i = after ? m->entries[after].chain : *match_bucket(m, key);

	while (i && m->entries[i].at.key != key)
		i = m->entries[i].chain;
	return i;
}

/* ---- loss ---- */

static bool match_is_uncertain(const struct rs_match *m, uint32_t i, uint64_t now_ns)
{
	const struct rs_match_moment *at = &m->entries[i].at;

	return rs_gaps_hit(m->decl.gaps(m->decl.arg, at->cpu), at->ts_ns, now_ns);
}

/* What a gap made uncertain of a key is over: it starts afresh. Returns how many that were. */
static uint64_t match_discard(struct rs_match *m, uint64_t key, uint64_t now_ns)
{
	uint32_t i = match_of_key(m, key, MATCH_NONE), next;
	uint64_t nr = 0;

	for (; i; i = next) {
		next = match_of_key(m, key, i);
		if (!match_is_uncertain(m, i, now_ns))
			continue;
		match_remove(m, i);
		nr++;
	}
	m->counts.discarded_begins += nr;
	return nr;
}

/* ---- begins and ends ---- */

void rs_match_begin(struct rs_match *m, const struct rs_match_moment *at)
{
	uint32_t i;

	m->counts.begins++;
	match_discard(m, at->key, at->ts_ns);
	i = m->decl.nests ? MATCH_NONE : match_of_key(m, at->key, MATCH_NONE);
	if (i) {
		match_remove(m, i);
		m->counts.superseded++;
	}
	match_add(m, at);
}

static unsigned int match_depth(const struct rs_match *m, uint32_t i)
{
	unsigned int depth = 0;

	for (uint32_t outer = i; m->decl.nests && (outer = match_of_key(m, m->entries[i].at.key, outer)); )
		depth++;
	return depth;
}

void rs_match_end(struct rs_match *m, const struct rs_match_moment *at)
{
	uint64_t nr_discarded = match_discard(m, at->key, at->ts_ns);
	uint32_t i = match_of_key(m, at->key, MATCH_NONE);
	struct rs_match_moment begin;
	unsigned int depth;

	m->counts.ends++;
	if (!i) {
		*(nr_discarded ? &m->counts.discarded_ends : &m->counts.unmatched) += 1;
		return;
	}
	begin = m->entries[i].at;
	depth = match_depth(m, i);
	match_remove(m, i);
	m->counts.paired++;
	m->decl.on_pair(m->decl.arg, &begin, at, depth);
}

/* ---- what is in flight ---- */

void rs_match_open(const struct rs_match *m, uint64_t now_ns, uint64_t *nr_in_flight, uint64_t *nr_discarded)
{
	*nr_in_flight = *nr_discarded = 0;
	for (uint32_t i = m->oldest; i; i = m->entries[i].newer)
		*(match_is_uncertain(m, i, now_ns) ? nr_discarded : nr_in_flight) += 1;
}

const struct rs_match_moment *rs_match_next(const struct rs_match *m, uint64_t now_ns, uint32_t *place)
{
	uint32_t i = *place ? m->entries[*place].newer : m->oldest;

	while (i && match_is_uncertain(m, i, now_ns))
		i = m->entries[i].newer;
	*place = i;
	return i ? &m->entries[i].at : NULL;
}
