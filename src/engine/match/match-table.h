/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match-table.h - a matcher for pairs of any key, in bounded memory
 *
 *	struct rs_match_table t;
 *	rs_match_table_init(&t, &(struct rs_match_table_decl){ .most = 4096, .nests = true, .gaps =
 *		gaps, ... });
 *	rs_match_table_begin(&t, &moment);
 *	rs_match_table_end(&t, &moment);      // calls .on_pair
 *	rs_match_table_done(&t);
 *
 * An end matches the last begin of its key. A begin while its key is in flight nests in it if .nests is set,
 * else it supersedes it. Pairs that overlap a gap are discarded. If the table is full, the oldest begin is
 * evicted.
 */
#ifndef RS_ENGINE_MATCH_MATCH_TABLE_H
#define RS_ENGINE_MATCH_MATCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "engine/match/matcher.h"

/* A begin or an end. */
struct rs_match_moment {
	uint64_t key, ts_ns;
	int32_t tid;            /* common_pid; with inst it identifies a task instance */
	uint32_t inst;
	uint16_t cpu;
};

/* Called when a pair ends; begin is valid until it returns. depth: how many pairs of its key it nests in. */
typedef void rs_match_table_on_pair(void *arg, const struct rs_match_moment *begin,
				    const struct rs_match_moment *end, unsigned int depth);

struct rs_match_table_decl {
	uint32_t most;          /* in flight at a time */
	bool nests;
	/*
	 * Returns the gaps that affect a pair that began on this CPU: of all CPUs if it can end on another,
	 * else of this one
	 */
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

/* 0, or -1 without memory; allocates everything */
int rs_match_table_init(struct rs_match_table *t, const struct rs_match_table_decl *decl);
void rs_match_table_done(struct rs_match_table *t);

void rs_match_table_begin(struct rs_match_table *t, const struct rs_match_moment *at);
void rs_match_table_end(struct rs_match_table *t, const struct rs_match_moment *at);

/* What is in flight at now_ns. */
struct rs_match_open rs_match_table_open(const struct rs_match_table *t, uint64_t now_ns);
/*
 * Returns the next begin in flight that is not discarded, oldest first; *place starts at 0. NULL at the end.
 */
const struct rs_match_moment *rs_match_table_next(const struct rs_match_table *t, uint64_t now_ns,
						  uint32_t *place);

#endif
