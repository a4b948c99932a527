/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - what an analysis reports beside rows: what is in flight, and findings
 *
 *	static void in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
 *	{
 *		struct rs_call call;
 *
 *		for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
 *			if (rs_shown(c, t) && rs_task_call(c, t, &call) &&
 *			    rs_in_flight_accepts(to, call.enter_ns, false))
 *				rs_in_flight_add(c, to, t, &(struct rs_in_flight){
 *					.kind = "call", .what = "read(3, ...", .since_ns = call.enter_ns });
 *	}
 *
 * The engine calls this between two events, as it does for rows. Do not report what overlaps a gap.
 */
#ifndef RINGSIDE_FINDING_H
#define RINGSIDE_FINDING_H

#include "task.h"

/* Something in flight, in a list of it. */
struct rs_in_flight {
	/* a word: "call", "request", "runnable", "lock", "futex", "blocked", "stall" */
	const char *kind;
	const char *what;      /* for a person: "read(3</srv/fifo>, 4096)"; hostile bytes */
	const char *comm;      /* whose it is; NULL or "" unknown */
	int32_t pid, tid;      /* 0: unknown */
	uint64_t since_ns;
	/* it had begun before: since_ns is when it was first seen, its age is at least that */
	bool at_least;
	bool idle;             /* a wait for whatever comes (epoll, nanosleep): normal however old it is */
};

/*
 * What a walk of what is in flight is for. One function may be .emit_in_flight and .list_in_flight of an
 * analysis and .add_in_flight of its view: it emits a span with .in_flight set for each, lists each, or adds
 * each to its row.
 */
struct rs_in_flight_to {
	struct rs_in_flight_list *list;  /* see rs_in_flight_add */
	struct rs_grouping *rows;        /* see rs_grouping_row */
	const struct rs_query *query;    /* of these rows */
};

struct rs_ctx;

/* Returns false if the list does not take it: call it before making the text. */
bool rs_in_flight_accepts(const struct rs_in_flight_to *to, uint64_t since_ns, bool idle);
/*
 * t: whose it is; NULL: .comm, .pid and .tid say it. What is in flight in a viewer is left out
 * (rs_is_viewer).
 */
void rs_in_flight_add(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_task *t,
		      const struct rs_in_flight *row);

/* ---- findings ---- */

#define RS_MAX_EVIDENCE 6

/* Rows of a view, of any analysis, that show why a sentence is true. One that is not there is left out. */
struct rs_evidence {
	const char *view;
	/* which rows come first, as a view's .sort, by numbers: "-total_ns"; NULL: as the view has it */
	const char *sort;
	const char *where;     /* of which rows, an expression: "pid == 4242"; NULL all */
	const char *by;        /* how rows are grouped: "pid,lock_addr"; NULL: as the view does */
};

enum rs_confidence {
	RS_MEASURED,           /* events tell who waited, for what, and because of whom */
	RS_INFERRED,           /* victim and cause are measured, the culprit is the likely one */
};

/*
 * A rule of an analysis: what it judges, from which value on, and what helps. If in doubt, a rule reports no
 * finding: a machine at work has none.
 */
struct rs_rule {
	const char *name;      /* "disk-wait": for --silence, --fail-on and JSON */
	const char *summary;   /* for `list rules`: "a process waits for a disk" */
	uint64_t threshold;    /* in thousandths of .unit: the least .measured of a finding */
	/*
	 * "/s", or one of two of which a finding's .measured is computed: "%" of the victim's time, as the
	 * sentence says it (.lost_ns of .of_ns), and "ms/s", the time that is lost each second, of all
	 * threads: 2000 of two that wait all the time.
	 */
	const char *unit;
	const char *verb;      /* of the sentence, ends in "s": "waits" */
	const char *advice;    /* what to try, a sentence without a full stop */
	/*
	 * the victim sleeps until others are done: its critical path (see chain.h) says more than the
	 * sentence
	 */
	bool has_chain;
};

/*
 * In .cause and .how of a finding, before a word in the singular that follows the number of its victims, its
 * culprits: RS_VICTIM "its cgroup"
 */
#define RS_VICTIM "\1"
#define RS_CULPRIT "\2"

/*
 * One sentence, from the numbers since the last reset: "reader (88) waits 83 % of its time for disk vda: 91 %
 * of it for requests of writer (90)". The engine makes it of the parts below, so that processes of one name
 * become one finding: "30 reader processes wait ...". .names_code adds a second one: "writer (90) spends 61 %
 * of its CPU time in deflate (libz.so.1)", where the session has enough samples of the CPUs. Texts are
 * hostile bytes (names), and live until .findings returns.
 */
struct rs_finding {
	const struct rs_rule *rule;
	/* what it costs in the interval: findings are ranked by it. May be more than what was measured */
	uint64_t cost_ns;
	/*
	 * time that the slowed tasks lost, as it was measured; 0: all of the cost where .of_ns is set, else
	 * none was
	 */
	uint64_t lost_ns;
	/* time of the victim that the sentence says the share of .lost_ns of; 0: it says none */
	uint64_t of_ns;
	/* .of_ns is of all processes of that name, of which several findings may tell: it counts once */
	bool of_name;
	const char *victim;    /* name of the process that lost the time, else what was slowed: "CPU 0" */
	/* processes of that name; 0: those of .victim_pid and .culprit_pid are counted */
	unsigned int nr_victims, nr_culprits;
	int32_t victim_pid;    /* 0: not one process. No finding is about viewers (rs_is_viewer) */
	const char *cause;     /* follows the verb and the share: "for disk vda" */
	/*
	 * follows the colon; '*' stands for the culprit: "* runs on CPU 1 meanwhile". NULL: nothing follows
	 */
	const char *how;
	const char *culprit;   /* name of the process that took it, a device, a lock; NULL: unknown */
	int32_t culprit_pid;   /* 0: not one process */
	/*
	 * what the culprit runs, or the victim where that is no process, explains it: samples name the
	 * function
	 */
	bool names_code;
	enum rs_confidence confidence;
	/* in thousandths of the rule's unit, unless it follows from .lost_ns: see there */
	uint64_t measured;
	uint64_t since_ns;     /* when it began; 0: with the interval */
	const char *view;      /* where more of it is seen: the name of a view of this analysis */
	const char *where;     /* and of which rows there, an expression: "pid == 4242"; NULL all */
	/* the cause first; ends with a NULL view. NULL: .view and .where alone */
	const struct rs_evidence *evidence;
};

/*
 * Called from .findings of an analysis, of everybody: -p, -t, -c and --cgroup say whose findings are told,
 * and leave out no evidence about others (rs_shown is true there for all).
 */
void rs_report_finding(struct rs_ctx *c, const struct rs_finding *finding);
/*
 * For .where: rs_where_pids writes "pid == 10 || pid == 11", the former alone if the other is 0 or the same;
 * rs_where_text writes "column == \"text\"". Return buf; NULL: the text, hostile bytes, cannot be in an
 * expression, or there is none.
 */
const char *rs_where_pids(int32_t pid, int32_t other, char *buf, size_t size_bytes);
const char *rs_where_text(const char *column, const char *text, char *buf, size_t size_bytes);
/*
 * Returns true if a process of that name, or the one of that pid, passes these options, or there are none: a
 * finding is of all processes of a name. False for what is no process (pid 0), if there are any.
 */
bool rs_is_selected(struct rs_ctx *c, const char *process, int32_t pid);

#endif
