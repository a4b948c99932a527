/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - pairs of events of one task or CPU, matched by the engine; what is in flight
 *
 *	struct hold { struct rs_begun begun; bool write; };
 *
 *	static void hold_end(struct rs_ctx *c, const struct rs_match_end *end) { ... rs_latency_add(...) ... }
 *
 *	static const struct rs_match matches[] = {
 *		{ "mmap_lock hold", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = 4,
 *		  .begun_bytes = sizeof(struct hold), .end = hold_end },
 *		{ 0 },
 *	};
 *
 *	on_acquired: struct hold *h = rs_match_begin(c, 0, ev, mm); on_released: rs_match_end(c, 0,
 *		ev, f, mm);
 *
 * The analysis says which event begins and which ends. The engine decides about loss, unmatched halves, exec,
 * exit and eviction of tasks, what is in flight, and counts all of it for the data quality and for --check.
 */
#ifndef RINGSIDE_MATCH_H
#define RINGSIDE_MATCH_H

#include "event.h"
#include "task.h"

struct rs_ctx;

enum rs_match_scope {
	/* begins and ends in one task, or for idle on one CPU. Gaps of all CPUs discard it */
	RS_MATCH_TASK,
	RS_MATCH_CPU,            /* begins and ends on one CPU. Only that CPU's gaps discard it */
};

/* What a begin means while one of the same key is in flight. */
enum rs_match_repeat {
	RS_MATCH_NESTS,          /* it nests in that one, which continues */
	RS_MATCH_CONTINUES,      /* it is ignored: that one continues */
	RS_MATCH_RESTARTS,       /* that one has ended, but its end was not seen */
};

/* A begin: the first member of the analysis' own struct. */
struct rs_begun {
	uint64_t key, begin_ns;
};

/* A pair that ended, or, with .in_flight, one that is in flight when the time range ends. */
struct rs_match_end {
	void *begun;             /* the analysis' struct */
	/* in flight in the same task or CPU, begun just before and just after; NULL: none */
	void *outer, *inner;
	struct rs_task *task;    /* NULL: idle */
	uint64_t end_ns;
	uint16_t cpu;
	bool discarded;          /* overlaps a gap: count it, but do not use it */
	bool in_flight;
	const struct rs_event *ev;     /* the end, with its fields; NULL if in flight */
	const struct rs_field *fields;
};

struct rs_match {
	const char *name;        /* in --check */
	enum rs_match_scope scope;
	enum rs_match_repeat repeat;
	uint32_t most;           /* most begins in flight in one task or CPU; more drop the oldest */
	uint32_t begun_bytes;    /* at most RS_MATCH_BEGUN_BYTES */
	bool ends_alone;         /* an end without a begin is normal */
	void (*end)(struct rs_ctx *c, const struct rs_match_end *end);
};

#define RS_MATCH_BEGUN_BYTES 64

/*
 * n is the index in the analysis' .matches. Returns the new begin, zeroed, for the analysis to fill in; valid
 * until the next begin or end of that task or CPU. NULL: an earlier one continues (RS_MATCH_CONTINUES).
 */
void *rs_match_begin(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/*
 * Calls .end for the last begin of that key, even if discarded. Returns false if none is in flight. f may be
 * NULL.
 */
bool rs_match_end(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, const struct rs_field *f,
		  uint64_t key);
/* Returns the last begin of that key in flight, which may be discarded by now; NULL: none. */
void *rs_match_find(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/*
 * Removes the begins of that task or CPU whose end was missed, where is_over returns true; innermost first.
 */
void rs_match_lose_if(struct rs_ctx *c, unsigned int n, const struct rs_event *ev,
		      bool (*is_over)(const struct rs_begun *b, bool discarded, const void *arg),
		      const void *arg);
/* Removes the last begin of that key: it turned out not to be one. */
void rs_match_withdraw(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);

/*
 * ---- pairs of events that an analysis knows only when it is asked ----
 *
 *	static size_t pairs(const struct rs_pair_words *asked, struct rs_pair *pairs, size_t max)
 *	{
 *		pairs[0] = (struct rs_pair){ "kvm:kvm_exit", "kvm:kvm_entry", .key = "task" };
 *		return 1;
 *	}
 *
 * The engine binds the events and the key, and matches: an end belongs to the begin of the same key that came
 * last. Loss, unmatched ends, what is in flight and what had no room are its matter.
 */
#define RS_MAX_PAIRS 64

/* What follows the view's name on the command line. */
struct rs_pair_words {
	const char *const *words;
	size_t nr_words;
	const char *key;             /* --key; NULL not given */
};

struct rs_pair {
	/*
	 * "SYSTEM:EVENT", or "EVENT" alone. With one '*' in both ("irq_vectors:*_entry",
	 * "irq_vectors:*_exit") a pair for each event that matches. The same event twice: each ends what the
	 * one before began.
	 */
	const char *begin, *end;
	const char *key;             /* "task", "cpu", or a field that both events have */
	bool nests;                  /* begins of one key nest: an end belongs to the innermost */
	bool on_cpu;                 /* it happens to a CPU, whichever task is there */
	/* the user named it: where an event is missing that is said. Else there is no such pair */
	bool required;
	/*
	 * Of one event that both begins and ends: it ends where this field is end_value, and begins where it
	 * is not
	 */
	const char *state;
	uint64_t end_value;
};

/* One that was found in this trace: names for who shows it, as long as the session lives. */
struct rs_pair_name {
	const char *begin, *end;     /* "kvm_exit" */
	const char *key;
	bool on_cpu, by_task, by_cpu;
};

/* A pair that ended; or, with .in_flight, one that is in flight, up to now. */
struct rs_pair_end {
	unsigned int index;          /* which: rs_pair_name */
	uint64_t key;                /* the field's value; of "task" and "cpu" nothing that is shown */
	uint64_t begin_ns, end_ns;
	uint16_t begin_cpu, end_cpu;
	/* in whose context it began; NULL: idle, forgotten, or it happens to a CPU (.on_cpu) */
	struct rs_task *task;
	unsigned int depth;          /* of those of its key that it lies in */
	bool in_flight;
};

/* What was counted of a pair. */
struct rs_pair_counts {
	uint64_t in_flight;
	/* ends without a begin, and begins that the next begin of their key came after */
	uint64_t unmatched;
	uint64_t discarded;          /* begins that a loss made uncertain */
};

/* Returns the name of the index-th of .pairs that this trace has, patterns expanded; NULL: no more. */
const struct rs_pair_name *rs_pair_name(const struct rs_ctx *c, unsigned int index);
struct rs_pair_counts rs_pair_counts(const struct rs_ctx *c, unsigned int index);
/* Returns the next pair in flight that overlaps no gap, oldest first; *place starts at 0. False: no more. */
bool rs_pair_in_flight(struct rs_ctx *c, unsigned int index, uint32_t *place, struct rs_pair_end *open);

/*
 * ---- what is in flight, of any kind ----
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

/* Returns false if the list does not take it: call it before making the text. */
bool rs_in_flight_accepts(const struct rs_in_flight_to *to, uint64_t since_ns, bool idle);
/*
 * t: whose it is; NULL: .comm, .pid and .tid say it. What is in flight in a viewer is left out
 * (rs_is_viewer).
 */
void rs_in_flight_add(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_task *t,
		      const struct rs_in_flight *row);

#endif
