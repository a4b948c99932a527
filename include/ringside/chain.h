/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - what a wait waited for, and that in turn: the critical path backwards over wake-ups
 *
 * The first link is a task and a time: a slow call, a wait, the whole run of a command. Of its time the
 * largest share is looked at. If the task was blocked and another task woke it, that task is the next link,
 * for just that time; so each link says what a task did while the one before waited for it. Time on a CPU, in
 * a run queue, in a device, of a timer, of an interrupt ends the chain. Those above a link are blocked
 * meanwhile, so no task comes twice.
 */
#ifndef RINGSIDE_CHAIN_H
#define RINGSIDE_CHAIN_H

#include "culprit.h"

#define RS_MAX_LINKS 10

struct rs_chain_link {
	int32_t pid, tid;            /* pid 0: unknown */
	uint32_t pid_inst, inst;     /* their task instances */
	char comm[RS_COMM_LEN];      /* the task's own name */
	char process[RS_COMM_LEN];
	/* of the longest wait for it, which it ended; of the first link, what was asked about */
	uint64_t from_ns, to_ns;
	uint64_t ns;                 /* how long the link before waited for it, in all */
	uint32_t nr_waits;           /* in how many waits */
	bool several;                /* for several tasks of that name; this is the one of the longest wait */
	/* what most of that time went to: */
	enum rs_time_part part;
	uint64_t part_ns;
	int64_t call;                /* in which system call, see rs_call_number; -1: none, or unknown */
	bool followed;               /* it waited for the next link */
	bool kernel_thread;
	struct rs_culprit culprit;   /* of the last link; .name and .comm are not valid */
	char culprit_text[48];
	/* what was not followed: other tasks that this one waited for, and for how long */
	uint32_t nr_others;
	uint64_t others_ns;
};

/* Why the last link is RS_PART_UNKNOWN. */
enum rs_trail {
	RS_TRAIL_KNOWN,
	RS_TRAIL_FORGOTTEN,          /* it is older than the history */
	RS_TRAIL_EVENTS_LOST,
	RS_TRAIL_NOT_SEEN,           /* no event tells of the task at that time */
};

struct rs_chain {
	unsigned int nr;
	struct rs_chain_link at[RS_MAX_LINKS];
	enum rs_trail trail;
	bool is_cut;                 /* there is no room for the rest */
	/* of a block request: its type, rs_rwbs_text; 0: the first link is a call or a wait */
	uint64_t rwbs;
};

/* Finds the chain of a task's time between two times. Requires .requires_history; without it nr is 0. */
void rs_chain_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		   struct rs_chain *chain);

/*
 * The chain of a block request that completes now, of one link: what its time went to. Call it in
 * RS_ON_REQUEST.
 */
void rs_chain_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_chain *chain);

/*
 * Of an analysis that requires the events workqueue_queue_work, workqueue_execute_start and
 * workqueue_execute_end: what they tell. by: the task in whose context the work was queued; NULL: an
 * interrupt. Then a chain goes on from a worker of the kernel to who queued the work that ended the wait,
 * with the time that it was queued as RS_PART_WORK.
 */
void rs_works_queue(struct rs_ctx *c, uint64_t work, const struct rs_task *by, uint64_t ts_ns);
void rs_works_begin(struct rs_ctx *c, uint64_t work, const struct rs_task *worker, uint64_t ts_ns);
void rs_works_end(struct rs_ctx *c, uint64_t work, const struct rs_task *worker, uint64_t ts_ns);

/*
 * The whole run of the command that was launched, or that a recording was made of (--command). nr 0: there is
 * none.
 */
void rs_chain_find_command(struct rs_ctx *c, struct rs_chain *chain);

/*
 * Returns how much of the time the last link explains: 0 if the trail is lost there or ringside took it, less
 * than all if in the end somebody slept of his own choice, or the wait is a kernel thread's. To compare
 * chains.
 */
uint64_t rs_chain_explained_ns(const struct rs_chain *chain);

#define RS_MAX_CHAINS 8

/* The chains that explain most, the first one the most; of each process name one. All zeros: empty. */
struct rs_chain_list {
	unsigned int nr;
	uint64_t least_ns;           /* what took less is not worth finding its chain */
	/*
	 * a process' chain gives way to one that may explain an eighth more, not to each: far fewer are
	 * looked for
	 */
	bool is_rough;
	struct rs_listed_chain {
		uint64_t explained_ns;
		struct rs_chain chain;
	} at[RS_MAX_CHAINS];
};

/* Returns false for what is too short to be listed: nearly all calls. */
static inline bool rs_chain_list_has_room(const struct rs_chain_list *list, uint64_t ns)
{
	return ns >= list->least_ns;
}

void rs_chain_list_add(struct rs_chain_list *list, const struct rs_chain *chain);
/*
 * Of callbacks: find the chain of what ended, if it may explain more than one in the list. A state in which
 * the task did not run and a wait count only outside of a call, for the call itself is a candidate. syscall:
 * that it was in; -1: none.
 */
void rs_chain_list_add_state(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_interval *iv,
			     int64_t syscall);
void rs_chain_list_add_wait(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_wait *w);
void rs_chain_list_add_call(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_call *call);

/*
 * "server (297) meanwhile: recvfrom, 37.2 ms of it waiting for db: socket". Of the i-th link; hostile bytes
 * (names).
 */
void rs_chain_text(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, char *buf,
		   size_t size_bytes);

#endif
