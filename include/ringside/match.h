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
	RS_MATCH_TASK,           /* begins and ends in one task; in idle's context, on one CPU. Judged by the gaps of all CPUs */
	RS_MATCH_CPU,            /* stays on its CPU, and is judged by that CPU's gaps */
};

/* A begin while one of the same key is in flight: */
enum rs_match_repeat {
	RS_MATCH_NESTS,          /* lies in that one, which goes on */
	RS_MATCH_CONTINUES,      /* is no begin: that one goes on */
	RS_MATCH_RESTARTS,       /* that one has ended, unseen */
};

/* What is kept of a begin: the first member of the analysis' own struct. */
struct rs_begun {
	uint64_t key, begin_ns;
};

/* A pair, as it ends; or, .in_flight, what has come of it where the time range ends. */
struct rs_match_end {
	void *begun;             /* the analysis' struct */
	void *outer, *inner;     /* in flight beside it, begun just before and just after; NULL: nothing */
	struct rs_task *task;    /* NULL: idle */
	uint64_t end_ns;
	uint16_t cpu;
	bool discarded;          /* overlaps a gap: to be counted, never used */
	bool in_flight;
	const struct rs_event *ev;     /* of the end, with its fields; NULL in flight */
	const struct rs_field *fields;
};

struct rs_match {
	const char *name;        /* in --check */
	enum rs_match_scope scope;
	enum rs_match_repeat repeat;
	uint32_t most;           /* in flight of one task or CPU; beyond, the oldest is lost */
	uint32_t begun_bytes;    /* at most RS_MATCH_BEGUN_BYTES */
	bool ends_alone;         /* an end without a begin is nothing odd */
	void (*end)(struct rs_ctx *c, const struct rs_match_end *end);
};

#define RS_MATCH_BEGUN_BYTES 64

/*
 * n is the index in the analysis' .matches. What begins is returned zeroed, to be filled in, and stays in its place until
 * the next begin or end of that task or CPU; NULL: an earlier one goes on.
 */
void *rs_match_begin(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/* Calls .end for the one of that key that began last, also where it is discarded; false: none was in flight. f may be NULL. */
bool rs_match_end(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, const struct rs_field *f, uint64_t key);
/* The one of that key that began last; NULL: none. It may be discarded by now. */
void *rs_match_find(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);
/* What is in flight of that task or CPU and has ended unseen, as is_over tells, innermost first. */
void rs_match_lose_if(struct rs_ctx *c, unsigned int n, const struct rs_event *ev,
		      bool (*is_over)(const struct rs_begun *b, bool discarded, const void *arg), const void *arg);
/* The one of that key did not begin after all. */
void rs_match_withdraw(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key);

#endif
