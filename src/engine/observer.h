/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observer.h - what follows the session and is no view: the history, wait profiles, stacks, files, control
 * groups ...
 *
 * An observer is a row of the table in observers.c. It begins only if something in the session requires it,
 * and is called through dense lists of functions, so that one that nobody requires costs nothing for an
 * event. The session, dispatch, task events and waits name no observer: they call hooks, before the callbacks
 * of the analyses.
 */
#ifndef RS_ENGINE_OBSERVER_H
#define RS_ENGINE_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/irq.h"
#include "ringside/request.h"
#include "ringside/wait.h"

struct rs_event;
struct rs_gap;
struct rs_page_cursor;
struct rs_quality;
struct rs_range_counts;
struct rs_session;
struct rs_task_instance;

/* In the order in which they are called: wait profiles divide what the history has of a wait. */
enum rs_observer_id {
	RS_OBSERVER_CGROUPS,
	RS_OBSERVER_THROTTLES,
	RS_OBSERVER_COMPANIONS,
	RS_OBSERVER_HISTORY,
	RS_OBSERVER_BLAMES,
	RS_OBSERVER_SLOW_WAITS,
	RS_OBSERVER_WORKS,
	RS_OBSERVER_POWERS,
	RS_OBSERVER_STACKS,
	RS_OBSERVER_FILES,
	RS_OBSERVER_TERMINALS,
	RS_NR_OBSERVERS,
};

/*
 * X(name, parameters):
 *
 *	event, event_done   an event comes; its handlers have been called (cursor: its place in its page). See
 *	                    .sees_events
 *	batch, batch_done   around the events of one rs_session_run
 *	records             records of other sources than the trace are due, up to a time: sets
 *	                    rs_observers.records_due_ns
 *	interval, wait      a state other than RS_BLOCKED has ended; a wait has ended, with its cause
 *	request, irq, gap   has ended; of a lost part of a CPU's events
 *	waking, woken       around a waking in the context of t (NULL: unknown), which may be a softirq
 *	migrate             a task moves to another CPU, in the context of the task context_tid
 *	call, call_done     a call begins: its number and arguments are set; it has returned. is_paired: its
 *	                    begin was seen
 *	fork, exec          old: the thread that called exec, if it is not the leader: its call is over, and
 *	                    it is gone; else NULL
 *	reassign            to continues the time of from (an exec by a thread)
 *	end_task, evict     the task is dead, or its tid begins anew; its memory is needed
 *	attach              a task moves to a control group
 *	sample, reset       a sample of /proc was taken, or time begins; an interval ends and the next one
 *	                    begins
 *	count, quality      adds what it knows to the counts of a time range, to the data quality
 *	end                 the trace ends
 */
#define RS_OBSERVER_HOOKS(X) \
	X(event, (struct rs_session *s, const struct rs_event *ev)) \
	X(event_done, (struct rs_session *s, const struct rs_event *ev, \
		       const struct rs_page_cursor *cursor)) \
	X(batch, (struct rs_session *s)) \
	X(batch_done, (struct rs_session *s)) \
	X(records, (struct rs_session *s, uint64_t until_ns)) \
	X(interval, (struct rs_session *s, const struct rs_interval *iv)) \
	X(wait, (struct rs_session *s, const struct rs_wait *w)) \
	X(request, (struct rs_session *s, const struct rs_request *r)) \
	X(irq, (struct rs_session *s, const struct rs_irq *irq)) \
	X(gap, (struct rs_session *s, const struct rs_gap *gap)) \
	X(waking, (struct rs_session *s, const struct rs_task *t, bool in_softirq)) \
	X(woken, (struct rs_session *s)) \
	X(migrate, (struct rs_session *s, struct rs_task_instance *inst, uint16_t from_cpu, \
		    int32_t context_tid, uint64_t ts_ns)) \
	X(call, (struct rs_session *s, struct rs_task_instance *inst)) \
	X(call_done, (struct rs_session *s, struct rs_task_instance *inst, int64_t nr, int64_t ret, \
		      uint64_t ts_ns, bool is_paired)) \
	X(fork, (struct rs_session *s, const struct rs_task *parent, const struct rs_task *child, \
		 uint64_t clone_flags, uint64_t ts_ns)) \
	X(reassign, (struct rs_session *s, struct rs_task_instance *from, struct rs_task_instance *to)) \
	X(exec, (struct rs_session *s, struct rs_task_instance *old, struct rs_task_instance *inst)) \
	X(end_task, (struct rs_session *s, struct rs_task_instance *inst)) \
	X(evict, (struct rs_session *s, struct rs_task_instance *inst)) \
	X(attach, (struct rs_session *s, int32_t tid, uint64_t hierarchy, const char *path, uint64_t ts_ns)) \
	X(sample, (struct rs_session *s)) \
	X(reset, (struct rs_session *s)) \
	X(count, (const struct rs_session *s, struct rs_range_counts *counts)) \
	X(quality, (const struct rs_session *s, struct rs_quality *quality)) \
	X(end, (struct rs_session *s))

#define RS_OBSERVER_MEMBER(hook, parameters) void (*hook) parameters;
#define RS_OBSERVER_LIST(hook, parameters) void (*hook[RS_NR_OBSERVERS + 1]) parameters;

struct rs_observer {
	const char *name;
	/*
	 * Makes its state, if the analyses of the session require it: rs_observer_set. 0, or -1 without
	 * memory. NULL: another function does
	 */
	int (*begin)(struct rs_session *s);
	/*
	 * For events of its own, after those of the analyses: binds them, and makes its state if there are
	 * such; routes them to their handlers, again after each change of what is recorded. 0, or -1 without
	 * memory. NULL: it has none
	 */
	int (*bind)(struct rs_session *s);
	int (*route)(struct rs_session *s);
	void (*free)(struct rs_session *s, void *state); /* NULL: free() */
	/* Are events to be passed to it now? NULL: never. After a change call rs_observers_list. */
	bool (*sees_events)(const struct rs_session *s);
	RS_OBSERVER_HOOKS(RS_OBSERVER_MEMBER)
};

extern const struct rs_observer rs_observer_blames, rs_observer_cgroups, rs_observer_companions,
	rs_observer_files, rs_observer_history, rs_observer_slow_waits, rs_observer_stacks,
	rs_observer_powers, rs_observer_terminals, rs_observer_throttles, rs_observer_works;

/* The observers of a session. */
struct rs_observers {
	void *state[RS_NR_OBSERVERS];      /* NULL: it has not begun */
	/* no record of another source that was not handled is earlier; UINT64_MAX: there are none */
	uint64_t records_due_ns;
	RS_OBSERVER_HOOKS(RS_OBSERVER_LIST) /* functions of those that have begun; ends with NULL */
};

/* Calls a hook of all observers. list: of rs_session.observers. */
#define RS_OBSERVE(list, ...) \
	do { \
		for (unsigned int i_ = 0; __builtin_expect((list)[i_] != NULL, 0); i_++) \
			(list)[i_](__VA_ARGS__); \
	} while (0)

/* Binds and routes the events of observers; routes them again. 0, or -1 without memory */
int rs_observers_bind(struct rs_session *s);
int rs_observers_route(struct rs_session *s);
/* Begins what is required. Called after the events are bound. 0, or -1 without memory */
int rs_observers_begin(struct rs_session *s);
/* Makes the lists again: one has begun, or sees events now. */
void rs_observers_list(struct rs_session *s);
void rs_observers_free(struct rs_session *s);

#endif
