/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - sys_enter and sys_exit matched, by the rules of SEMANTICS "Calls"
 *
 * The hot path: a task is in one call at most, so what is in flight is in the task itself (task.syscall and what is beside
 * it), and nothing is looked for. In the matcher's counts a call superseded is one that another enter, or the exit of
 * another number, came after; the unused exits are those, and the child's return from the fork that made it.
 */
#ifndef RS_ENGINE_CALLS_H
#define RS_ENGINE_CALLS_H

#include "engine/matcher.h"
#include "engine/states.h"

/* The kernel's own, that of 32-bit programs on a 64-bit kernel, and x32, whose numbers bear a bit of the kernel's. */
enum rs_call_table { RS_CALLS_NATIVE, RS_CALLS_COMPAT, RS_CALLS_X32, RS_NR_CALL_TABLES };

#define RS_MAX_CALL_NUMBERS 1024 /* of a table: what is beyond has no name, and is of no kind */

/* System call numbers with rules of their own, see rs_call_number; -1: the architecture has none. */
struct rs_call_numbers {
	int64_t rt_sigreturn, sigreturn, exit, exit_group, execve, execveat;
};

/* A call is told by the events of all calls, by those of its name alone, or by both, and is one call then too. */
enum rs_call_told { RS_CALL_TOLD_RAW = 1, RS_CALL_TOLD_NAMED = 2 };

struct rs_calls {
	const struct rs_states *states;
	bool named;             /* there are events of single calls: each may tell what another has told */
	struct rs_call_numbers nr[RS_NR_CALL_TABLES];
	uint64_t range_from_ns;        /* 0: of no time range, or before it */
	struct rs_matcher matcher;
};

/* This enter, or exit, has been told of already by an event of the other kind. Asked first of each where .named. */
bool rs_calls_entered(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_told by);
bool rs_calls_exited(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, enum rs_call_told by);
/* After the event of a single call: of the return from a signal handler the exit has no number, and so no event like it. */
void rs_calls_entered_by_name(struct rs_calls *c, struct rs_task_instance *inst);

/* args: read into life->task.syscall_args by the caller, before. */
void rs_calls_enter(struct rs_calls *c, struct rs_task_instance *inst, int64_t nr, uint64_t ts_ns);
/* True: the call that was open has ended with this, or a gap has made that uncertain; *call says which. */
bool rs_calls_exit(struct rs_calls *c, struct rs_task_instance *inst, uint16_t cpu, int64_t nr, int64_t ret, uint64_t ts_ns,
		   struct rs_call *call);
/* The task dies, or its tid begins a new life: its call never returns. */
void rs_calls_death(struct rs_calls *c, struct rs_task_instance *inst, uint64_t ts_ns);
/* The task is about to be forgotten: the end of its call will find no begin. */
void rs_calls_evict(struct rs_calls *c, struct rs_task_instance *inst);
/* exec by a thread: the execve that it is in returns under the leader's tid. */
void rs_calls_reassign(struct rs_calls *c, struct rs_task_instance *from, struct rs_task_instance *to,
		       uint64_t ts_ns);
/* The time range begins: of what is in a call the on-CPU part is counted from here, too. */
void rs_calls_range_begin(struct rs_calls *c, uint64_t from_ns);
/* The call that it is in, as if it returned now; false: none that is certain, and returns. */
bool rs_calls_open_call(const struct rs_calls *c, struct rs_task_instance *inst, uint64_t now_ns, struct rs_call *call);
/* Of the matcher: what is in flight. */
struct rs_match_open rs_calls_count_open(const struct rs_session *s, const struct rs_matcher *m);
/* In a call now that a gap has not made uncertain and that returns. */
bool rs_calls_in_flight(const struct rs_calls *c, const struct rs_task_instance *inst, uint64_t now_ns);

#endif
