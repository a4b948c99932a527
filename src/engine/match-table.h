/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match-table.h - begins and ends of any key, matched in bounded memory: a map beside a matcher's counts
 *
 *	struct rs_match_table t;
 *	rs_match_table_init(&t, &(struct rs_match_table_decl){ .most = 4096, .nests = true, .gaps = gaps, ... });
 *	rs_match_table_begin(&t, &moment);
 *	rs_match_table_end(&t, &moment);      // calls .on_pair
 *	rs_match_table_done(&t);
 *
 * An end belongs to the begin of its key that came last. A begin that comes while its key is in flight lies in it where
 * pairs nest, and else supersedes it. What overlaps a gap is discarded. Where all places are taken the oldest begin is
 * evicted.
 */
#ifndef RS_ENGINE_MATCH_TABLE_H
#define RS_ENGINE_MATCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "engine/matcher.h"

/* A begin or an end. */
struct rs_match_moment {
	uint64_t key, ts_ns;
	int32_t tid;            /* the context; with inst it names a task for ever */
	uint32_t inst;
	uint16_t cpu;
};

/* Called as it ends; begin lives until the callback returns. depth: the number of its key that it lies in. */
typedef void rs_match_table_on_pair(void *arg, const struct rs_match_moment *begin, const struct rs_match_moment *end, unsigned int depth);

struct rs_match_table_decl {
	uint32_t most;          /* in flight at a time */
	bool nests;
	/* The gaps that apply to a pair that began on this CPU: of all CPUs if it can move, else of its own */
	const struct rs_gaps *(*gaps)(void *arg, uint16_t cpu);
	rs_match_table_on_pair *on_pair;
	void *arg;
};

struct rs_match_table_entry {
	struct rs_map_node node;        /* by key */
	struct rs_match_moment at;
	struct rs_match_table_entry *older, *newer; /* of all in flight; .newer chains the free ones */
};

struct rs_match_table {
	struct rs_matcher matcher;      /* its counts */
	struct rs_match_table_decl decl;
	struct rs_map by_key;
	struct rs_match_table_entry *entries, *oldest, *newest, *free; /* decl.most */
};

int rs_match_table_init(struct rs_match_table *t, const struct rs_match_table_decl *decl); /* 0, or -1 without memory; allocates everything */
void rs_match_table_done(struct rs_match_table *t);

void rs_match_table_begin(struct rs_match_table *t, const struct rs_match_moment *at);
void rs_match_table_end(struct rs_match_table *t, const struct rs_match_moment *at);

/* What is in flight at now_ns. */
struct rs_match_open rs_match_table_open(const struct rs_match_table *t, uint64_t now_ns);
/* The next one in flight that is not discarded, oldest first; *place is 0 at first. NULL: no more. */
const struct rs_match_moment *rs_match_table_next(const struct rs_match_table *t, uint64_t now_ns, uint32_t *place);

#endif
