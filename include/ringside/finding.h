/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - what an analysis reports beside rows: what is in flight, and findings
 *
 *	static void open(struct rs_ctx *c, struct rs_open_sink *out)
 *	{
 *		for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
 *			if (rs_shown(c, t) && rs_task_in_call(c, t) && rs_open_sink_accepts(out, t->syscall_enter_ns, false))
 *				rs_open_task(out, t, "call", "read(3, ...)", t->syscall_enter_ns);
 *	}
 *
 * The engine calls both between two events, as it does for rows. Do not report what overlaps a gap.
 */
#ifndef RINGSIDE_FINDING_H
#define RINGSIDE_FINDING_H

#include "task.h"

/* Something in flight. */
struct rs_open {
	const char *kind;      /* a word: "call", "request", "runnable", "lock", "futex", "blocked", "stall" */
	const char *what;      /* for a person: "read(3</srv/fifo>, 4096)"; hostile bytes, lives until .open returns */
	const char *comm;      /* whose it is; NULL or "" unknown */
	int32_t pid, tid;      /* 0: unknown */
	uint64_t since_ns;
	bool at_least;         /* it had begun before: since_ns is when it was first seen, its age is at least that */
	bool idle;             /* a wait for whatever comes (epoll, nanosleep): normal however old it is */
};

struct rs_open_sink {
	void (*open)(struct rs_open_sink *sink, const struct rs_open *open);
	uint64_t latest_ns;    /* omit what began later; a list of the oldest lowers it */
	bool idle_too;
};

/* Returns false if the sink does not take it: call it before making the text. */
static inline bool rs_open_sink_accepts(const struct rs_open_sink *sink, uint64_t since_ns, bool idle)
{
	return since_ns <= sink->latest_ns && (sink->idle_too || !idle);
}

static inline void rs_open_task(struct rs_open_sink *sink, const struct rs_task *t, const char *kind, const char *what,
				uint64_t since_ns)
{
	sink->open(sink, &(struct rs_open){ .kind = kind, .what = what, .comm = t->comm, .pid = t->pid, .tid = t->tid,
					    .since_ns = since_ns });
}

/*
 * A sentence of what is wrong, from the numbers since the last reset: "postgres (4242) waited 71 % of its time for
 * disk vda". If in doubt, report no finding. The threshold is in the code beside the sentence.
 */
#define RS_MAX_EVIDENCE 6

/* Rows of a view, of any analysis, that show why a sentence is true. One that is not there is left out. */
struct rs_evidence {
	const char *view;
	const char *sort;      /* which rows come first, as a view's .sort; NULL: as the view has it */
	const char *where;     /* of which rows, an expression: "pid == 4242"; NULL all */
	const char *by;        /* how rows are grouped: "pid,lock_addr"; NULL: as the view does */
};

struct rs_finding {
	unsigned int weight;   /* 1 to 1000: of the time that is lost, roughly, how many thousandths */
	const char *text;      /* one sentence, no full stop; hostile bytes (names), lives until .finding returns */
	const char *brief;     /* the same where there is little room, the cause first: what is cut is its end; NULL: .text */
	int32_t pid;           /* the process it is about; not shown for viewers (rs_is_viewer). 0: none */
	const char *view;      /* where more of it is seen: the name of a view of this analysis */
	const char *where;     /* and of which rows there, an expression: "pid == 4242"; NULL all */
	const struct rs_evidence *evidence; /* the cause first; ends with a NULL view. NULL: .view and .where alone */
};

struct rs_finding_sink {
	void (*finding)(struct rs_finding_sink *sink, const struct rs_finding *finding);
};

#endif
