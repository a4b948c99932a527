/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - the one matcher: begins and ends of one key, in bounded memory
 *
 *	struct rs_match m;
 *	rs_match_init(&m, &(struct rs_match_decl){ .most = 4096, .nests = true, .gaps = &states->gaps, ... });
 *	rs_match_begin(&m, &moment);
 *	rs_match_end(&m, &moment);            // .on_pair is told
 *	rs_match_done(&m);
 *
 * It knows no event: who uses it says what the key is. An end belongs to the begin of its key that came last. A begin
 * that comes while its key is in flight lies in it where pairs nest, and else supersedes it. What a gap of the event
 * buffers overlaps is discarded, never used. Where all places are taken the begin that is oldest gives its own.
 */
#ifndef RS_ENGINE_MATCH_H
#define RS_ENGINE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/gaps.h"

/* A begin or an end. */
struct rs_match_moment {
	uint64_t key, ts_ns;
	int32_t tid;            /* in whose context; with the life it names a task for ever */
	uint32_t inst;
	uint16_t cpu;
};

/* Told as it ends; begin lives until the callback returns. depth: how many of its key it lies in. */
typedef void rs_match_pair(void *arg, const struct rs_match_moment *begin, const struct rs_match_moment *end, unsigned int depth);

struct rs_match_decl {
	uint32_t most;          /* in flight at once */
	bool nests;
	/* By which gaps a pair that began on this CPU is judged: of all CPUs for what can move, else of its own */
	const struct rs_gaps *(*gaps)(void *arg, uint16_t cpu);
	rs_match_pair *on_pair;
	void *arg;
};

struct rs_match_counts {
	uint64_t begins, ends, paired, unmatched, superseded, evicted;
	uint64_t discarded_begins, discarded_ends;
};

struct rs_match_entry {
	struct rs_match_moment at;
	uint32_t chain;         /* of its bucket, the one that began last first */
	uint32_t older, newer;  /* of all in flight; the free ones are chained by newer */
};

struct rs_match {
	struct rs_match_decl decl;
	struct rs_match_entry *entries; /* decl.most and, at 0, none */
	uint32_t *buckets, nr_buckets;  /* a power of two */
	uint32_t oldest, newest, free, nr;
	struct rs_match_counts counts;
};

int rs_match_init(struct rs_match *m, const struct rs_match_decl *decl); /* 0, or -1 without memory: all is taken here */
void rs_match_done(struct rs_match *m);

void rs_match_begin(struct rs_match *m, const struct rs_match_moment *at);
void rs_match_end(struct rs_match *m, const struct rs_match_moment *at);

/* What is in flight at now_ns, and of it what a gap made uncertain. */
void rs_match_open(const struct rs_match *m, uint64_t now_ns, uint64_t *nr_in_flight, uint64_t *nr_discarded);
/* Each that is certain, oldest first; *place begins at 0. NULL: no more. */
const struct rs_match_moment *rs_match_next(const struct rs_match *m, uint64_t now_ns, uint32_t *place);

#endif
