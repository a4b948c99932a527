/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matcher.h - the matchers of a session: pair begins and ends, hold what is in flight, and count what became
 * of each
 *
 * A matcher runs one declaration of ringside/match.h. What is in flight is a short list, oldest first, in
 * each task (after the analysis' other bytes) or for each CPU. Calls (one in flight, in the task itself),
 * named pairs (by any key, see match-table.h) and block requests (see requests.h) store what is in flight
 * themselves. They use the same counts, so that the data quality and --check are sums over all matchers of
 * the session.
 */
#ifndef RS_ENGINE_MATCH_MATCHER_H
#define RS_ENGINE_MATCH_MATCHER_H

#include "engine/match/gaps.h"
#include "ringside/match.h"

struct rs_session;
struct rs_analysis;

/*
 * begins = paired + discarded_begins + unmatched_begins + superseded + never_end + evicted + in flight
 * ends   = paired + discarded_ends + unmatched_ends + unused_ends
 */
struct rs_match_counts {
	uint64_t begins, ends, paired;
	uint64_t discarded_begins, discarded_ends; /* overlap a gap */
	/* the other half was not seen, though no events were lost */
	uint64_t unmatched_begins, unmatched_ends;
	uint64_t superseded;    /* begins replaced by a later begin or end, which is normal */
	uint64_t never_end;     /* begins of calls that do not return, such as exit */
	uint64_t unused_ends;   /* ends that need no begin, or belong to another one */
	uint64_t evicted;       /* begins dropped because a table was full */
};

struct rs_match_open {
	uint64_t in_flight, discarded; /* discarded: begun before a gap, and not ended yet */
};

struct rs_matcher {
	const struct rs_match *decl;
	struct rs_match_counts counts;
	struct rs_matcher *next;       /* in the session's list */
	/* for matchers that store what is in flight themselves; NULL: the lists below */
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

/* Returns what the task has in flight, the i-th, outermost first; NULL at the end. */
void *rs_matcher_nth(const struct rs_ctx *c, unsigned int n, const struct rs_task *task, unsigned int i);
/* Calls f for each pair in flight that is not discarded, as if it ended now. */
void rs_matcher_each(struct rs_matcher *m, void (*f)(struct rs_ctx *c, const struct rs_match_end *end));

/* The task has died or is evicted: what it has in flight never ends. */
void rs_matcher_end_task(struct rs_session *s, struct rs_task *task, uint64_t ts_ns);
/* Exec by a thread: what it has in flight continues under the leader's tid. */
void rs_matcher_reassign(struct rs_session *s, struct rs_task *from, struct rs_task *to, uint64_t ts_ns);
void rs_matcher_end_trace(struct rs_session *s); /* a task that has exited has nothing in flight */
void rs_matcher_end_range(struct rs_session *s); /* calls .end for what is in flight */

/* Sums over all matchers. */
struct rs_match_counts rs_matcher_sum(const struct rs_session *s);
struct rs_match_open rs_matcher_sum_open(const struct rs_session *s);
void rs_matcher_check(const struct rs_session *s,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);

#endif
