/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * requests.h - block requests matched from insert over issue to completion, by SEMANTICS "Block"
 *
 * They are more than pairs: requests of one sector are first in, first out; they merge into others, come back
 * (requeue) and end in parts, at another sector each time. So they have a table of their own, and the
 * session's matcher only their counts, without begins: there is no sum to check.
 */
#ifndef RS_ENGINE_MATCH_REQUESTS_H
#define RS_ENGINE_MATCH_REQUESTS_H

#include "engine/match/matcher.h"
#include "ringside/request.h"

#define RS_NR_REQUEST_BUCKETS 4096u
#define RS_MAX_REQUESTS 65536u  /* in flight at a time; beyond, the oldest is evicted */
#define RS_NR_BIOS 1024u
#define RS_MAX_CHAIN 1024u      /* in flight at a time in one bucket */

/* A request from its first event to its completion. */
struct rs_request_begun {
	struct rs_request_begun *chain;         /* same bucket, first in first */
	struct rs_request_begun *older, *newer; /* all in flight, oldest first */
	uint64_t at_sector, nr_sectors;        /* what remains: a partial completion moves it on */
	uint64_t stack_ns;                     /* of the event with the stack */
	bool counted;                          /* on_depth was called for it */
	struct rs_request r;                   /* issue_ns 0: not issued yet, or taken back */
};

/* The task that queued a bio which is no request yet; a newer one replaces it. */
struct rs_bio {
	uint64_t sector, ts_ns;
	uint32_t dev;
	int32_t tid;                           /* 0: free */
	char comm[RS_COMM_LEN];
};

struct rs_requests {
	struct rs_bio bios[RS_NR_BIOS];
	const struct rs_gaps *gaps;            /* of all CPUs */
	struct rs_request_begun *buckets[RS_NR_REQUEST_BUCKETS];
	struct rs_request_begun *oldest, *newest, *free;
	unsigned int nr_open, nr_waiting;      /* waiting: those not issued */
	/* this recording has a block_io_start for each request with data */
	bool starts_seen;
	struct rs_matcher matcher;
	/*
	 * Called when the number of issued requests of dev changes by +1 or -1. It begins anew with each gap:
	 * from then on requests that were issued before the gap's end are not reported.
	 */
	void (*on_depth)(void *arg, uint32_t dev, int change, uint64_t ts_ns);
	void (*on_request)(void *arg, const struct rs_request *request);
	void *arg;
};

/*
 * The contents of an event. A request without data has no sector of its own: a flush completes at sector -1.
 */
struct rs_request_event {
	uint32_t dev;
	uint64_t sector, nr_sectors, bytes;
	char rwbs[RS_RWBS_LEN];
	const struct rs_task *task;            /* the task in whose context it fired; NULL: idle */
	/* of the call that it is in, if that may be for it; 0: unknown */
	uint64_t file;
	bool shown;                            /* that task passes -p, -t, -c */
	bool shown_unnamed;                    /* no task: passes where nothing was narrowed */
	uint64_t ts_ns;
};

void rs_requests_done(struct rs_requests *q);
void rs_requests_bio(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_start(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_insert(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_issue(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_requeue(struct rs_requests *q, const struct rs_request_event *ev);
void rs_requests_complete(struct rs_requests *q, const struct rs_request_event *ev);
/* A request that was begun, inserted or issued at this time has this stack, if it has none. */
void rs_requests_set_stack(struct rs_requests *q, uint64_t ts_ns, uint32_t stack);
/* The matcher's count of what is in flight. */
struct rs_match_open rs_requests_count_open(const struct rs_session *s, const struct rs_matcher *m);

#endif
