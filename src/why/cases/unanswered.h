/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unanswered.h - requests that threads send, and waits for the answers that end by their time-outs */
#ifndef RS_WHY_CASES_UNANSWERED_H
#define RS_WHY_CASES_UNANSWERED_H

#include "ringside/plugin.h"

/* What such waits are counted as: a rule judges each by itself. */
enum rs_unanswered_kind {
	RS_UNANSWERED_POLL,     /* a poll right after a request of its own ended by its time-out */
	RS_UNANSWERED_FAILOVER, /* after some waits for the one, another was asked, and answered */
	RS_NR_UNANSWERED_KINDS
};

struct rs_unanswered_sum {
	uint64_t nr, ns;
	/*
	 * what speaks against the rule. POLL: requests that were answered; FAILOVER: time-outs after which
	 * it asked no other, or that one did not answer either
	 */
	uint64_t nr_against;
	uint64_t nr_connects;   /* of nr: they waited for a connection */
	uint64_t least_ns;      /* the shortest time-out */
	int64_t call;           /* the last that ended by its time-out */
	uint64_t file;          /* of the descriptor of the request; 0: unknown */
	uint64_t socket;        /* its TCP socket; 0: none, or unknown */
	uint32_t fd;
	bool is_doubtful;       /* some of the polls tell no descriptor */
};

/* Of a thread, since the last reset: a reset does not come by all tasks. */
struct rs_unanswered_task {
	uint64_t since_ns;
	/* 1 + the descriptor of the last request, its file and socket, while one of these is set */
	uint64_t asked, file, socket;
	bool awaits_poll;       /* there was no poll after it */
	bool awaits_answer;     /* it is not answered yet */
	bool is_connect;        /* it was no request but a connect */
	bool has_address;       /* a datagram to an address */
	bool is_other;          /* and goes to another than the one that did not answer */
	/* 1 + the descriptor of that one; 0: none; and when the wait for it began */
	uint64_t silent, from_ns;
	struct rs_unanswered_sum wait; /* of the time-outs since then */
	struct rs_unanswered_sum sums[RS_NR_UNANSWERED_KINDS];
};

/* A callback of an analysis whose tasks have a struct rs_unanswered_task. */
void rs_unanswered_on_call(struct rs_ctx *c, const struct rs_call *call);

/* The calls that the callback is for: waits of those tasks alone that have sent a request. */
#define RS_UNANSWERED_CALLS \
	.kinds = 1 << RS_CALL_SEND | 1 << RS_CALL_CONNECT, \
	.watched_kinds = 1 << RS_CALL_IDLE | 1 << RS_CALL_PLAIN | 1 << RS_CALL_ACCEPT

/* A thread, or the processes of a name that live for a moment: each has no more than a request or two. */
struct rs_unanswered_case {
	const char *comm;       /* of the process */
	const struct rs_task *task;
	unsigned int nr_processes;
	struct rs_unanswered_sum sum;
};

/* Calls judge with each case of a kind in which a wait ended by its time-out. */
typedef void rs_unanswered_judge_fn(struct rs_ctx *c, const struct rs_unanswered_case *k, const void *arg);
void rs_unanswered_each(struct rs_ctx *c, enum rs_unanswered_kind kind, rs_unanswered_judge_fn *judge,
			const void *arg);
/*
 * Returns what the processes of that name and program did, or waited for, in all: their time that a sentence
 * says the share of.
 */
uint64_t rs_unanswered_of_ns(struct rs_ctx *c, enum rs_unanswered_kind kind,
			     const struct rs_unanswered_case *k);

#endif
