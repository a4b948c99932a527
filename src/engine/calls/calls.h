/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - sys_enter and sys_exit matched, by the rules of SEMANTICS "Calls"
 *
 * The hot path: a task is in one call at most, so what is in flight is stored in the task itself
 * (task.syscall and the members beside it), without any look-up. In the matcher's counts a call is superseded
 * if another enter, or the exit of another number, came before its own exit; the unused exits are those, and
 * the return of a child from the fork that created it.
 */
#ifndef RS_ENGINE_CALLS_CALLS_H
#define RS_ENGINE_CALLS_CALLS_H

#include "engine/match/matcher.h"
#include "engine/states/states.h"

/*
 * The kernel's own table, that of 32-bit programs on a 64-bit kernel, and x32, which adds a bit to the
 * kernel's numbers.
 */
enum rs_call_table { RS_CALLS_NATIVE, RS_CALLS_COMPAT, RS_CALLS_X32, RS_NR_CALL_TABLES };

#define RS_MAX_CALL_NUMBERS 1024 /* in one table; a larger number has no name and no kind */

/* What becomes of a call, beside what it waits for (enum rs_call_kind). */
enum rs_call_end {
	RS_CALL_RETURNS,
	RS_CALL_SIGRETURN,      /* its exit has no number of its own, and no return value */
	RS_CALL_EXITS,          /* never returns */
	RS_CALL_FORKS, RS_CALL_CLONES, /* return in the child, too: a process; as the flags say */
};

/*
 * A call is reported by the events of all calls, by those of its name alone, or by both; it is one call in
 * each case.
 */
enum rs_call_report { RS_CALL_REPORT_RAW = 1, RS_CALL_REPORT_NAMED = 2 };

struct rs_calls {
	const struct rs_states *states;
	/* there are events of single calls: one may repeat what another one reported */
	bool named;
	const uint8_t *ends;    /* enum rs_call_end by rs_call_place: rs_syscall_facts */
	const uint8_t *kinds;   /* enum rs_call_kind, likewise */
	uint64_t range_from_ns;        /* 0: no time range, or before it begins */
	struct rs_matcher matcher;
};

/*
 * Returns true if an event of the other kind has reported this enter, or exit, already. Called first for each
 * event if .named.
 */
bool rs_calls_entered(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_report by);
bool rs_calls_exited(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_report by);
/*
 * Called after the event of a single call: the exit of the return from a signal handler has no number, hence
 * no such event.
 */
void rs_calls_entered_by_name(struct rs_calls *c, struct rs_task_instance *inst);

/* The caller has stored the arguments in inst->task.syscall_args. */
void rs_calls_enter(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, uint64_t ts_ns);
/* Returns true if the call in flight has ended, or a gap made that uncertain; *call describes it. */
bool rs_calls_exit(struct rs_calls *c, struct rs_task_instance *inst, uint16_t cpu, int64_t nr, int64_t ret,
		   uint64_t ts_ns, struct rs_call *call);
/* The task has died, or its tid belongs to another task instance: its call never returns. */
void rs_calls_end_task(struct rs_calls *c, struct rs_task_instance *inst, uint64_t ts_ns);
/* The task is about to be evicted: the end of its call will be unmatched. */
void rs_calls_evict(struct rs_calls *c, struct rs_task_instance *inst);
/* Exec by a thread: its execve returns under the leader's tid. */
void rs_calls_reassign(struct rs_calls *c, struct rs_task_instance *from, struct rs_task_instance *to,
		       uint64_t ts_ns);
/* The time range begins: the on-CPU part of the calls in flight is counted from here, too. */
void rs_calls_range_begin(struct rs_calls *c, uint64_t from_ns);
/* The matcher's count of what is in flight. */
struct rs_match_open rs_calls_count_open(const struct rs_session *s, const struct rs_matcher *m);

#endif
