/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - pairs of events of one task or CPU, matched by the engine
 *
 *	struct hold { struct rs_begun begun; bool write; };
 *
 *	static void hold_end(struct rs_ctx *c, const struct rs_match_end *end) { ... rs_latency_add(...) ... }
 *
 *	static const struct rs_match matches[] = {
 *		{ "mmap_lock hold", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = 4, .begun_bytes = sizeof(struct hold), .end = hold_end },
 *		{ 0 },
 *	};
 *
 *	on_acquired: struct hold *h = rs_match_begin(c, 0, ev, mm);   on_released: rs_match_end(c, 0, ev, f, mm);
 *
 * The analysis says which event begins and which ends. The engine decides about loss, unmatched halves, exec, exit and
 * eviction of tasks, what is in flight, and counts all of it for the data quality and for --check.
 */
#ifndef RINGSIDE_MATCH_H
#define RINGSIDE_MATCH_H

#include "event.h"
#include "task.h"

struct rs_ctx;

enum rs_match_scope {
	RS_MATCH_TASK,           /* begins and ends in one task, or for idle on one CPU. Gaps of all CPUs discard it */
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
	void *outer, *inner;     /* in flight in the same task or CPU, begun just before and just after; NULL: none */
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
 * n is the index in the analysis' .matches. Returns the new begin, zeroed, for the analysis to fill in; valid until the next
 * begin or end of that task or CPU. NULL: an earlier one continues (RS_MATCH_CONTINUES).
 */
void *rs_match_begin(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/* Calls .end for the last begin of that key, even if discarded. Returns false if none is in flight. f may be NULL. */
bool rs_match_end(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, const struct rs_field *f, uint64_t key);
/* Returns the last begin of that key in flight, which may be discarded by now; NULL: none. */
void *rs_match_find(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/* Removes the begins of that task or CPU whose end was missed, where is_over returns true; innermost first. */
void rs_match_lose_if(struct rs_ctx *c, unsigned int n, const struct rs_event *ev,
		      bool (*is_over)(const struct rs_begun *b, bool discarded, const void *arg), const void *arg);
/* Removes the last begin of that key: it turned out not to be one. */
void rs_match_withdraw(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);

#endif
