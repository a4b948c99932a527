/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * requests.h - block requests matched from insert over issue to completion, by SEMANTICS "Block"
 *
 * More than a pair: requests of one sector are first in, first out; they merge into others, come back (requeue) and end
 * in parts, at another sector each time. So this table is its own, and the session's matcher has its counts alone,
 * without begins: there is no sum to check.
 */
#ifndef RS_ENGINE_REQUESTS_H
#define RS_ENGINE_REQUESTS_H

#include "engine/matcher.h"
#include "ringside/request.h"

#define RS_NR_REQUEST_BUCKETS 4096u
#define RS_MAX_REQUESTS 65536u  /* open at once; beyond, the oldest is evicted */
#define RS_NR_BIOS 1024u
#define RS_MAX_CHAIN 1024u      /* open at once in one bucket */

/* A request from its first event to its completion. */
struct rs_open_request {
	struct rs_open_request *chain;         /* same bucket, first in first */
	struct rs_open_request *older, *newer; /* all that are open, oldest first */
	uint64_t at_sector, nr_sectors;        /* what is left: a partial completion moves it on */
	uint64_t begin_ns;                     /* of its first event */
	bool counted;                          /* on_depth was told of it */
	struct rs_request r;                   /* issue_ns 0: not issued yet, or taken back */
};

/* Who queued a bio that has not become a request yet; a newer one takes its place. */
struct rs_bio {
	uint64_t sector, ts_ns;
	uint32_t dev;
	int32_t tid;                           /* 0: free */
	char comm[RS_COMM_LEN];
};

struct rs_requests {
	struct rs_bio bios[RS_NR_BIOS];
	const struct rs_gaps *gaps;            /* of all CPUs */
	struct rs_open_request *buckets[RS_NR_REQUEST_BUCKETS];
	struct rs_open_request *oldest, *newest, *free;
	unsigned int nr_open, nr_waiting;      /* waiting: of these, not issued */
	bool starts_seen;                      /* each request with data has a block_io_start in this recording */
	struct rs_matcher matcher;
	/*
	 * dev's number of issued requests changed by +1 or -1. It begins anew with each gap: of
	 * requests that were issued before the gap's end nothing is told from then on.
	 */
	void (*on_depth)(void *arg, uint32_t dev, int change, uint64_t ts_ns);
	void (*on_request)(void *arg, const struct rs_request *request);
	void *arg;
};

/* What an event says. Requests without data have no sector of their own: a flush completes at sector -1. */
struct rs_request_event {
	uint32_t dev;
	uint64_t sector, nr_sectors, bytes;
	char rwbs[RS_RWBS_LEN];
	const struct rs_task *task;            /* in whose context; NULL idle */
	bool shown;                            /* of that task, or of none */
	bool shown_unnamed;                    /* of none */
	uint64_t ts_ns;
};

void rs_requests_done(struct rs_requests *q);
void rs_requests_bio(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_start(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_insert(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_issue(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_requeue(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_complete(struct rs_requests *q, const struct rs_request_event *ev);
/* Of the matcher: what is in flight. */
struct rs_match_open rs_requests_count_open(const struct rs_session *s, const struct rs_matcher *m);
/* Those in flight, oldest first: see rs_request_next in ringside/plugin.h. */
const struct rs_open_request *rs_requests_next(const struct rs_requests *q, const struct rs_open_request *after, uint64_t now_ns);

#endif
