/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matcher.h - the matchers of a session: what is in flight, what became of each begin and end, and what loss made uncertain
 *
 * A matcher runs one declaration of ringside/match.h: what is in flight is a short list, oldest first, behind the
 * analysis' other bytes in each task, or by CPU. Calls (one in flight, inline in the task), named pairs (by any key, see
 * match-table.h) and block requests (see requests.h) keep what is in flight themselves; they count here like the others,
 * so that the data quality and --check are sums over all matchers of the session.
 */
#ifndef RS_ENGINE_MATCHER_H
#define RS_ENGINE_MATCHER_H

#include "engine/gaps.h"
#include "ringside/match.h"

struct rs_session;
struct rs_analysis;

/*
 * begins = paired + discarded_begins + unmatched_begins + superseded + never_end + evicted + in flight
 * ends   = paired + discarded_ends + unmatched_ends + unused_ends
 */
struct rs_match_counts {
	uint64_t begins, ends, paired;
	uint64_t discarded_begins, discarded_ends; /* uncertain because of a loss */
	uint64_t unmatched_begins, unmatched_ends; /* the other half was not seen, though nothing was lost */
	uint64_t superseded;    /* begins that another begin or end came after, which is nothing odd */
	uint64_t never_end;     /* begins: calls that do not return */
	uint64_t unused_ends;   /* that need no begin, or are another's */
	uint64_t evicted;       /* begins without room */
};

struct rs_match_open {
	uint64_t in_flight, discarded; /* discarded: begun before a loss, and not ended since */
};

struct rs_matcher {
	const struct rs_match *decl;
	struct rs_match_counts counts;
	struct rs_matcher *next;       /* of the session */
	/* set by those that store what is in flight themselves; NULL: the lists below */
	struct rs_match_open (*count_open)(const struct rs_session *s, const struct rs_matcher *m);
	struct rs_ctx *ctx;
	size_t task_offset, list_bytes;
	char *by_cpu;                  /* a list by CPU */
};

/* Makes the matchers of an analysis; their lists follow *task_bytes in each task. -1: no memory. */
int rs_matcher_init(struct rs_ctx *c, const struct rs_analysis *a, size_t *task_bytes);
void rs_matcher_done(struct rs_ctx *c, const struct rs_analysis *a);
void rs_matcher_add(struct rs_session *s, struct rs_matcher *m); /* adds one to the session */
int rs_matcher_start(struct rs_session *s);                      /* once the CPUs are known; -1: no memory */

/* The i-th in flight of a task, outermost first; NULL: no more. */
void *rs_matcher_nth(const struct rs_ctx *c, unsigned int n, const struct rs_task *task, unsigned int i);
/* Calls f for each in flight that is not discarded, as if it ended now. */
void rs_matcher_each(struct rs_matcher *m, void (*f)(struct rs_ctx *c, const struct rs_match_end *end));

/* The task has died or is evicted: what it has in flight never ends. */
void rs_matcher_end_task(struct rs_session *s, struct rs_task *task, uint64_t ts_ns);
/* Exec by a thread: what it has in flight goes on under the leader's tid. */
void rs_matcher_reassign(struct rs_session *s, struct rs_task *from, struct rs_task *to, uint64_t ts_ns);
void rs_matcher_end_trace(struct rs_session *s); /* a task that has exited has nothing in flight */
void rs_matcher_end_range(struct rs_session *s); /* calls .end for what is in flight */

/* Sums over all matchers. */
struct rs_match_counts rs_matcher_sum(const struct rs_session *s);
struct rs_match_open rs_matcher_sum_open(const struct rs_session *s);
void rs_matcher_check(const struct rs_session *s, void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);

#endif
