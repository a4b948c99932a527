// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call-abi.c - detects 32-bit programs on a 64-bit kernel: their calls are numbered by another table
 *
 * No event says so. The first evidence counts, until the next exec:
 *
 *	/proc            live, for programs that ran before the capture; a recording of ringside's has it, too
 *	the exit of exec on x86 it has the number of execve in the new program's table
 *	sys_enter_NAME   the kernel has no event of a single call for a 32-bit program
 *	a word           above 32 bits among the arguments: no 32-bit program can pass one
 *	a number         without a name in the kernel's own table, but with one in the other, that was not
 *	                 refused
 *	all words        within 32 bits throughout, among them many that look like addresses of a 32-bit
 *	                 program
 *
 * A program that starts during the capture is judged by its calls where the exit of exec does not tell (all
 * but x86): reading /proc/PID/auxv of other users' processes takes root, which the engine has given up by
 * then, and may block.
 *
 * The last kind of evidence is likely before it is certain: names end in "?" then. Without evidence the
 * kernel's own table is used.
 */
#include "engine/calls/call-abi.h"
#include "engine/internal.h"

#define NR_WORDS 6
#define CERTAIN_HINTS \
	8 /* among so many calls of a 64-bit program one surely has a word of more than 32 bits */
#define ENOSYS_OF_ALL 38 /* on the architectures with a table of 32-bit programs here, except parisc */

static void call_abi_set(struct rs_session *s, struct rs_task_instance *inst, enum rs_abi abi)
{
	struct rs_task_instance *leader = inst->task.pid && inst->task.pid != inst->task.tid ?
						  rs_tasks_find(&s->tasks, inst->task.pid) :
						  NULL;

	inst->abi = abi;
	inst->call_table = abi == RS_ABI_COMPAT ? RS_CALL_COMPAT : 0;
	if (leader && leader->abi == RS_ABI_UNKNOWN) {
		leader->abi = inst->abi;
		leader->call_table = inst->call_table;
	}
}

void rs_call_abi_begin(const struct rs_session *s, struct rs_task_instance *inst,
		       const struct rs_initial_task *initial)
{
	if (!rs_syscall_has_compat(s->syscalls))
		inst->abi = RS_ABI_NATIVE;
	else if (initial && initial->abi <= RS_ABI_COMPAT)
		inst->abi = initial->abi;
	inst->call_table = inst->abi == RS_ABI_COMPAT ? RS_CALL_COMPAT : 0;
}

void rs_call_abi_fork(const struct rs_task_instance *parent, struct rs_task_instance *child)
{
	child->abi = parent->abi;
	child->call_table = parent->call_table;
	child->nr_abi_hints = parent->nr_abi_hints;
}

void rs_call_abi_exec(const struct rs_session *s, struct rs_task_instance *inst)
{
	if (!rs_syscall_has_compat(s->syscalls))
		return;
	inst->abi = RS_ABI_UNKNOWN;
	inst->call_table = 0;
	inst->nr_abi_hints = 0;
	inst->abi_changed = true;
}

/* The first thread of its process, or another thread that was classified by it, may be known already. */
static bool call_abi_is_known_by_leader(struct rs_session *s, struct rs_task_instance *inst)
{
	const struct rs_task_instance *leader = inst->task.pid != inst->task.tid ?
							rs_tasks_find(&s->tasks, inst->task.pid) :
							NULL;

	if (!leader || leader->abi == RS_ABI_UNKNOWN)
		return false;
	call_abi_set(s, inst, (enum rs_abi)leader->abi);
	return true;
}

/* Looks like a 32-bit program's call: after CERTAIN_HINTS of them the program is one. */
static void call_abi_count_hint(struct rs_session *s, struct rs_task_instance *inst, unsigned int nr)
{
	inst->nr_abi_hints += nr;
	inst->call_table = RS_CALL_COMPAT | RS_CALL_DOUBTFUL;
	if (inst->nr_abi_hints >= CERTAIN_HINTS)
		call_abi_set(s, inst, RS_ABI_COMPAT);
}

static bool call_abi_has_name_there_alone(struct rs_session *s, int64_t nr)
{
	return !rs_syscall_names_get(s->syscalls, nr) &&
	       rs_syscall_names_get(s->syscalls, nr | RS_CALL_COMPAT);
}

void rs_call_abi_enter(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, const void *args)
{
	uint64_t words[NR_WORDS];
	bool is_address = false;

	if (call_abi_is_known_by_leader(s, inst))
		return;
	memcpy(words, args, sizeof words);
	for (unsigned int i = 0; i < NR_WORDS; i++) {
		if (words[i] > UINT32_MAX || rs_call_place(nr) >= (int)RS_CALLS_X32 * RS_MAX_CALL_NUMBERS) {
			call_abi_set(s, inst, RS_ABI_NATIVE);
			return;
		}
		/*
		 * The stack and the mappings of a 32-bit program lie from 1 GiB up to 4 GiB, where a 64-bit
		 * one has nothing (its stack and mappings lie far above, its heap and what is linked to a
		 * fixed address below). The last page is that of small negative numbers.
		 */
		is_address |= words[i] >= 0x40000000 && words[i] < 0xfffff000;
	}
	if (nr >= 0 && (is_address || call_abi_has_name_there_alone(s, nr)))
		call_abi_count_hint(s, inst, 1);
}

/* The call in flight was interpreted before this was known. */
static void call_abi_renumber_call(struct rs_task_instance *inst)
{
	if (inst->task.syscall >= 0)
		inst->task.syscall = rs_call_number(inst->task.syscall) | inst->call_table;
}

void rs_call_abi_named(struct rs_session *s, struct rs_task_instance *inst, int64_t nr)
{
	if (rs_call_number(inst->task.syscall) != nr)
		return;
	call_abi_set(s, inst, RS_ABI_NATIVE);
	call_abi_renumber_call(inst);
}

/* The program that an execve started, by the number of execve in its table. */
static enum rs_abi abi_of_exec(const struct rs_session *s, int64_t nr)
{
	if (rs_syscall_kind(s->syscalls, nr, NULL) == RS_CALL_EXEC)
		return RS_ABI_NATIVE; /* or of x32, whose numbers have a bit of their own */
	return rs_syscall_kind(s->syscalls, nr | RS_CALL_COMPAT, NULL) == RS_CALL_EXEC ? RS_ABI_COMPAT :
											 RS_ABI_UNKNOWN;
}

/* The trace has events of single calls, and of this call for other tasks, but not for this one. */
static bool call_abi_lacks_its_event(const struct rs_session *s, const struct rs_task_instance *inst,
				     int64_t nr)
{
	return s->calls.named && inst->enter_reported == RS_CALL_REPORT_RAW && nr < RS_MAX_CALL_NUMBERS &&
	       s->call_events.seen[nr];
}

int64_t rs_call_abi_exit(struct rs_session *s, struct rs_task_instance *inst, int64_t nr, int64_t ret)
{
	int64_t open = inst->task.syscall;

	if (open < 0 || nr < 0)
		return nr;
	if (ret == 0 && rs_syscall_exec_reports(s->syscalls) &&
	    rs_syscall_kind(s->syscalls, inst->task.syscall, inst->task.syscall_args) == RS_CALL_EXEC) {
		enum rs_abi abi = abi_of_exec(s, nr);

		if (abi == RS_ABI_UNKNOWN)
			return nr;
		inst->abi_changed = true;
		call_abi_set(s, inst, abi);
		return rs_call_number(open);
	}
	if (inst->abi != RS_ABI_UNKNOWN || nr != rs_call_number(open))
		return nr;
	if (call_abi_has_name_there_alone(s, nr) && ret != -ENOSYS_OF_ALL)
		call_abi_set(s, inst, RS_ABI_COMPAT);
	else if (call_abi_lacks_its_event(s, inst, nr))
		call_abi_count_hint(s, inst, CERTAIN_HINTS / 2);
	call_abi_renumber_call(inst);
	return nr;
}
