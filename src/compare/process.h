/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - what a process takes for a unit of its work on each side, and which parts of its time changed
 *
 *	struct rs_process_list list;
 *
 *	rs_process_compare(&list, a, b, NULL);       // of all processes that are on both sides
 *	for (size_t i = 0; i < list.nr; i++)         // the costliest change first
 *		... list.at[i].change ...
 *	rs_process_list_done(&list);
 *
 * The parts of a process' time sum to its wall time; so do the parts of the change to the whole of it. Not
 * all of that time counts: a server that gets fewer requests waits longer for each. So time that waits for
 * input counts only where whoever ended it is a process of this machine that itself takes longer, or is new;
 * or where it waits for an answer over the network, as a client that asks for each unit of its work.
 */
#ifndef RS_COMPARE_PROCESS_H
#define RS_COMPARE_PROCESS_H

#include "compare/estimate.h"
#include "compare/workload.h"
#include "ringside/culprit.h"

/*
 * The first views of both sides, by these keys: where the time went, calls as work, and of connections the
 * time that was waited for the peer, and how often something was sent.
 */
enum rs_process_view {
	RS_PROCESS_WHY, RS_PROCESS_CALLS, RS_PROCESS_ANSWERS, RS_PROCESS_SENDS, RS_PROCESS_NR_VIEWS
};
#define RS_PROCESS_WHY_KEYS "comm,part,dev,type,culprit"
#define RS_PROCESS_CALLS_KEYS "comm,syscall"
#define RS_PROCESS_ENDS_KEYS "comm,side,server,server_port"
#define RS_PROCESS_ANSWERS_MEASURE "wait_peer_ns"
#define RS_PROCESS_SENDS_MEASURE "sends"

struct rs_process_part {
	enum rs_time_part part;     /* one of them: parts of one cause on one disk are one */
	const char *dev, *type, *culprit; /* texts of the view; "-" none */
	double a[RS_SIDE_MAX_BLOCKS], b[RS_SIDE_MAX_BLOCKS]; /* ns in each block */
	struct rs_estimate of_a, of_b, change; /* ns for a unit */
	bool counts;                /* in the change of the process */
	bool is_followed;           /* a wait for input that counts, for who ended it changed */
	/*
	 * of a wait for answers over the network, which counts: the row of RS_PROCESS_ANSWERS, which names
	 * the server; and the server's process where it is on this machine, and takes no longer itself
	 */
	const struct rs_side_row *asked;
	const char *server;
	bool is_told, is_new, is_absent;
};

enum rs_process_verdict {
	RS_PROCESS_ALIKE,           /* no difference was found */
	RS_PROCESS_SLOWER,
	RS_PROCESS_FASTER,
	RS_PROCESS_MORE,            /* busier in each second: slower, or with more to do: nothing tells */
	RS_PROCESS_LESS,
	RS_PROCESS_UNDETERMINED,    /* too few blocks, or it does other work */
	RS_NR_PROCESS_VERDICTS
};

struct rs_process_change {
	const char *comm;
	const char *worker;         /* whose calls are its work: its client's, else its own */
	struct rs_workload work;
	enum rs_process_verdict verdict;
	struct rs_process_part *parts; /* those that changed most first */
	size_t nr_parts, parts_room;
	struct rs_estimate of_a, of_b, change; /* of the parts that count, ns for a unit */
	double low_ns, high_ns;     /* the change's 95 % interval */
	/* waits for input that do not count: their change */
	double input_ns;
	double cost;                /* the change in each second of b: ns */
	bool is_root;               /* most of it is its own, not a wait for another that takes longer */
};

struct rs_process_list {
	struct rs_process_change *at;
	size_t nr, room;
	bool failed;                /* no memory: some are missing */
};

/* per: see rs_workload_find. Processes that are slower come first, those with a cause of their own before. */
void rs_process_compare(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b,
			const char *per);
void rs_process_list_done(struct rs_process_list *list);
/* Does a text of rs_culprit_text name somebody else? "itself", "interrupt" do not. */
bool rs_process_is_somebody(const char *culprit);
bool rs_process_has_verdict(const struct rs_process_change *p); /* other than alike */
const char *rs_process_word(enum rs_process_verdict verdict); /* "slower" */

/* The least change that is told: a share of what it was. */
#define RS_PROCESS_LEAST_SHARE 0.05

#endif
