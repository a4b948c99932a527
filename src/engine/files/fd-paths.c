// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-paths - the file of a call's descriptor, where it is certain */
#include "engine/files/fd-paths.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/files/fd-paths-parts.h"
#include "engine/calls/syscall.h"
#include "engine/files/open-names.h"
#include "engine/task-table.h"
#include "ringside/plugin.h"

#define FD_PATHS_MAX_INHERITED 64u       /* descriptors that a fork takes along: more are looked up again */

#define CLOSE_RANGE_UNSHARE_FLAG 2u /* uapi/linux/close_range.h: the same on every architecture */

static const struct rs_fd_range all = { 0, UINT32_MAX, false }, of_exec = { 0, UINT32_MAX, true };

bool rs_fd_paths_is_socket(const char *path)
{
	const char *kind = path ? rs_file_kind(path) : NULL;

	return kind && !strcmp(kind, "socket");
}

struct rs_fd_paths *rs_fd_paths_new(const struct rs_fd_requester *requester, struct rs_tasks *tasks,
				    const struct rs_gaps *gaps, struct rs_syscall_names *names)
{
	struct rs_fd_paths *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->requester = *requester;
	p->tasks = tasks;
	p->gaps = gaps;
	p->calls = rs_syscall_facts(names);
	if (rs_file_ids_init(&p->ids))
		return p;
	rs_fd_paths_free(p);
	return NULL;
}

void rs_fd_paths_follow_files(struct rs_fd_paths *p, const struct rs_fd_path *recorded, size_t nr_recorded,
			      bool has_names, int32_t command)
{
	p->for_files = true;
	p->has_names = has_names;
	/* before it runs */
	if (has_names && command && p->requester.ask &&
	    p->requester.ask(p->requester.arg, command, RS_FD_CWD))
		p->command = command;
	p->recorded = recorded;
	p->nr_recorded = nr_recorded;
}

void rs_fd_paths_follow_sockets(struct rs_fd_paths *p)
{
	p->for_sockets = true;
}

void rs_fd_paths_keep_sockets_alone(struct rs_fd_paths *p)
{
	p->sockets_alone = true;
	p->history = rs_fd_history_new();
}

void rs_fd_paths_add_told(struct rs_fd_paths *p, const struct rs_fd_socket *known)
{
	/* it comes from a file, or a socket */
	if (known->pid <= 0 || known->fd < 0)
		return;
	if (p->for_sockets && p->told.nr < FD_PATHS_NR_TOLD)
		rs_fd_socket_list_add(&p->told, known);
}

void rs_fd_paths_free(struct rs_fd_paths *p)
{
	if (!p)
		return;
	for (unsigned int i = 0; i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS; i++)
		free(p->known[i].path);
	for (; p->nr_used < p->nr_replies; p->nr_used++)
		free(p->replies[p->nr_used % FD_PATHS_NR_REPLIES].path);
	rs_fd_socket_list_done(&p->told);
	rs_fd_history_free(p->history);
	rs_open_names_done(&p->names);
	rs_file_ids_done(&p->ids);
	free(p);
}

static struct rs_fd_range fd_paths_range_of(enum rs_fd_effect effect, const uint64_t *args)
{
	switch (effect) {
	case RS_FD_CLOSES_FIRST: return (struct rs_fd_range){ (uint32_t)args[0], (uint32_t)args[0], false };
	case RS_FD_CLOSES_SECOND: return (struct rs_fd_range){ (uint32_t)args[1], (uint32_t)args[1], false };
	case RS_FD_CLOSES_RANGE:
		return (struct rs_fd_range){ (uint32_t)args[0],
					     (uint32_t)args[1] < RS_FD_CWD ? (uint32_t)args[1] :
									     RS_FD_CWD - 1,
					     false };
	case RS_FD_MOVES: case RS_FD_MOVES_TO: return (struct rs_fd_range){ RS_FD_CWD, RS_FD_CWD, false };
	case RS_FD_CLOSES_ANY: return of_exec;
	default: return all;
	}
}

static enum rs_fd_effect fd_paths_effect_of(const struct rs_fd_paths *p, int64_t nr)
{
	return (enum rs_fd_effect)rs_call_fact(p->calls->effect, nr);
}

/* ---- calls ---- */

bool rs_fd_paths_can_query(struct rs_fd_paths *p, const struct rs_task *t)
{
	const struct rs_task_instance *leader = t->pid ? rs_tasks_find(p->tasks, t->pid) : NULL;

	/* nor is it if the table of its calls is not known */
	return leader && leader->abi && rs_task_instance_of(t)->abi && !leader->hides_fds &&
	       !*rs_fd_paths_in_flight(p, 0) && !*rs_fd_paths_in_flight(p, t->pid);
}

__attribute__((noinline)) void rs_fd_paths_first_use(struct rs_fd_paths *p, const struct rs_task *t)
{
	int32_t fd = (int32_t)t->syscall_args[0];

	rs_fd_paths_reach(p, t->syscall_enter_ns);
	if (fd >= 0 && t->pid && !rs_fd_known_find(p, t->pid, fd) && rs_fd_paths_can_query(p, t))
		rs_fd_known_query(p, t->pid, fd, t->syscall_enter_ns);
}

#define CLOSE_ON_EXEC_IOCTL 0x5451u /* FIOCLEX of asm-generic */

/* The call marks a descriptor to be closed by an exec. That it takes the mark back is not used. */
static void fd_paths_mark(struct rs_fd_paths *p, const struct rs_task *t, enum rs_fd_effect effect)
{
	const uint64_t *args = t->syscall_args;
	struct rs_fd_known *k;

	if (!(effect == RS_FD_CONTROLS && args[1] == F_SETFD && args[2] & FD_CLOEXEC) &&
	    !(effect == RS_FD_MARKS && (uint32_t)args[1] == CLOSE_ON_EXEC_IOCTL))
		return;
	k = rs_fd_known_find(p, t->pid, (int32_t)args[0]);
	if (k)
		k->survives = false;
}

/* For calls that do something to descriptors: fd-observer.c passes over all others. */
__attribute__((noinline)) void rs_fd_paths_enter(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	const struct rs_task *t = &inst->task;
	enum rs_fd_effect effect = fd_paths_effect_of(p, t->syscall);

	rs_fd_paths_reach(p, t->syscall_enter_ns);
	if (p->has_names && (effect == RS_FD_OPENS || effect == RS_FD_OPENS_AT))
		rs_fd_names_cwd(p, t);
	fd_paths_mark(p, t, effect);
	if (inst->ends_fds) /* the exit of the call before was lost */
		rs_fd_paths_end_call(p, inst);
	if (effect == RS_FD_HIDES ||
	    (effect == RS_FD_UNSHARES &&
	     t->syscall_args[0] & (RS_CLONE_FILES | RS_CLONE_FS | RS_CLONE_NEWNS)) ||
	    (effect == RS_FD_CLOSES_RANGE && t->syscall_args[2] & CLOSE_RANGE_UNSHARE_FLAG))
		rs_fd_paths_discard(p, t->pid, t->syscall_enter_ns);
	if (effect < RS_FD_CLOSES_FIRST)
		return;
	inst->ends_fds = true;
	inst->ends_fds_of = t->pid;
	++*rs_fd_paths_in_flight(p, t->pid);
	rs_fd_known_end(p, t->pid, fd_paths_range_of(effect, t->syscall_args), t);
}

void rs_fd_paths_end_call(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	if (!inst->ends_fds)
		return;
	inst->ends_fds = false;
	--*rs_fd_paths_in_flight(p, inst->ends_fds_of);
	rs_fd_known_end(p, inst->ends_fds_of, all, NULL);
}

/* An exec leaves open what the call has opened. */
static bool fd_paths_survives(const struct rs_fd_paths *p, const struct rs_task *t, int64_t nr,
			      enum rs_fd_effect effect)
{
	unsigned int flags = rs_call_fact(p->calls->cloexec, nr);

	if (effect == RS_FD_CONTROLS)
		return t->syscall_args[1] == F_DUPFD;
	return flags == RS_FD_NO_FLAGS || (flags && !(t->syscall_args[flags - 1] & O_CLOEXEC));
}

/* A new descriptor, of the same file as old_fd if that is known: it was open since before the call. */
static void fd_paths_begin(struct rs_fd_paths *p, const struct rs_task *t, enum rs_fd_effect effect,
			   int32_t fd, int32_t old_fd, uint64_t now_ns)
{
	struct rs_fd_known *old = old_fd >= 0 && t->pid ? rs_fd_known_find(p, t->pid, old_fd) : NULL;

	if ((!p->for_files && (!p->for_sockets || !old)) || !t->pid || !rs_fd_paths_can_query(p, t))
		return;
	if (!old || old->ended_ns || old->since_ns > t->syscall_enter_ns ||
	    rs_gaps_hit(p->gaps, old->since_ns, now_ns)) {
		if (p->for_files)
			rs_fd_names_open(p, rs_fd_known_query(p, t->pid, fd, now_ns), t, effect);
		return;
	}
	rs_fd_known_duplicate(p, old, t->pid, fd, now_ns);
}

/* It has told which socket it returned: see rs_fd_sockets_opens. */
static void fd_paths_begin_socket(struct rs_fd_paths *p, const struct rs_task *t, int32_t fd, uint64_t now_ns)
{
	const struct rs_fd_opens opens = p->opens;
	struct rs_fd_known *k;

	p->opens.tid = 0;
	if (opens.tid != t->tid || opens.fd != fd || !rs_fd_paths_can_query(p, t))
		return;
	k = rs_fd_known_find(p, t->pid, fd);
	k = k ? k : rs_fd_known_query(p, t->pid, fd, now_ns);
	k->socket = opens.socket;
}

/* What the call has opened: its number was free until then, and what is known of it is old. */
static void fd_paths_open(struct rs_fd_paths *p, const struct rs_task *t, int64_t nr, int64_t ret,
			  uint64_t now_ns, bool has_args)
{
	enum rs_fd_effect effect = fd_paths_effect_of(p, nr);
	const uint64_t *args = t->syscall_args;
	struct rs_fd_known *k;
	bool moves = effect == RS_FD_MOVES || effect == RS_FD_MOVES_TO;
	bool is_dup = effect == RS_FD_DUPS || effect == RS_FD_CLOSES_SECOND ||
		      (effect == RS_FD_CONTROLS && has_args &&
		       (args[1] == F_DUPFD || args[1] == F_DUPFD_CLOEXEC));

	if (moves && p->has_names && has_args)
		fd_paths_begin(p, t, effect, RS_FD_CWD,
			       effect == RS_FD_MOVES_TO && !ret ? (int32_t)args[0] : -1, now_ns);
	k = moves && t->pid ? rs_fd_known_find(p, t->pid, RS_FD_CWD) : NULL;
	if (k)
		k->survives = true;
	if ((effect != RS_FD_OPENS && effect != RS_FD_OPENS_AT && !is_dup) || ret < 0 || ret > INT32_MAX ||
	    (has_args && is_dup && (int64_t)args[0] == ret))
		return;
	rs_fd_known_end(p, t->pid, (struct rs_fd_range){ (uint32_t)ret, (uint32_t)ret, false }, NULL);
	if (!has_args)
		return;
	fd_paths_begin(p, t, effect, (int32_t)ret, is_dup ? (int32_t)args[0] : -1, now_ns);
	if (p->opens.tid)
		fd_paths_begin_socket(p, t, (int32_t)ret, now_ns);
	k = rs_fd_known_find(p, t->pid, (int32_t)ret);
	if (k)
		k->survives = fd_paths_survives(p, t, nr, effect);
}

void rs_fd_paths_exec(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	if (inst->ends_fds)
		--*rs_fd_paths_in_flight(p, inst->ends_fds_of);
	inst->ends_fds = false;
	rs_fd_known_end(p, inst->task.tid, of_exec, NULL);
}

__attribute__((noinline)) void rs_fd_paths_exit(struct rs_fd_paths *p, struct rs_task_instance *inst,
						int64_t nr, int64_t ret, uint64_t now_ns, bool has_args)
{
	const struct rs_task *t = &inst->task;
	enum rs_fd_effect effect = fd_paths_effect_of(p, nr);

	rs_fd_paths_reach(p, now_ns);
	if (effect < RS_FD_CLOSES_FIRST) {
		rs_fd_paths_end_call(p, inst);
	} else if (inst->ends_fds) {
		inst->ends_fds = false;
		--*rs_fd_paths_in_flight(p, inst->ends_fds_of);
		rs_fd_known_end(p, inst->ends_fds_of, fd_paths_range_of(effect, t->syscall_args), NULL);
	} else { /* its enter was lost, and its arguments with it */
		rs_fd_known_end(p, t->pid, effect == RS_FD_CLOSES_ANY ? of_exec : all, NULL);
	}
	/* a call of a program whose table is not known may be any: what survived its exec may be closed */
	if (__builtin_expect(inst->abi == RS_ABI_UNKNOWN, 0) && t->tid == t->pid &&
	    effect != RS_FD_CLOSES_ANY)
		rs_fd_known_end(p, t->pid, all, NULL);
	fd_paths_open(p, t, nr, ret, now_ns, has_args);
	rs_open_names_drop(&p->names, t->tid);
}

/* Only those that were open since before the call that forks: the child has a copy of them. */
void rs_fd_paths_fork(struct rs_fd_paths *p, const struct rs_task *parent, int32_t child, uint64_t now_ns)
{
	int32_t fds[FD_PATHS_MAX_INHERITED];
	unsigned int nr = 0;

	if ((!p->for_files && !p->for_sockets) || !parent->pid || parent->syscall < 0 ||
	    !rs_fd_paths_can_query(p, parent))
		return;
	if (p->has_names && rs_fd_names_cwd(p, parent))
		fds[nr++] = RS_FD_CWD;
	for (uint32_t at = *rs_fd_known_chain_of(p, parent->pid); at && nr < FD_PATHS_MAX_INHERITED;
	     at = p->known[at - 1].next)
		if (p->known[at - 1].pid == parent->pid && p->known[at - 1].fd != RS_FD_CWD)
			fds[nr++] = p->known[at - 1].fd;
	while (nr) {
		/* an earlier one may have taken its place */
		struct rs_fd_known *k = rs_fd_known_find(p, parent->pid, fds[--nr]);

		if (k && k->since_ns <= parent->syscall_enter_ns &&
		    !rs_gaps_hit(p->gaps, k->since_ns, now_ns))
			rs_fd_known_duplicate(p, k, child, k->fd, now_ns);
	}
}

void rs_fd_paths_forget(struct rs_fd_paths *p, int32_t pid)
{
	rs_fd_known_end(p, pid, all, NULL);
}

void rs_fd_paths_discard(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns)
{
	/* the threads may be seen before their leader */
	struct rs_task_instance *leader = rs_tasks_get(p->tasks, pid, now_ns);

	if (leader && leader->hides_fds)
		return;
	if (leader)
		leader->hides_fds = true;
	rs_fd_known_end(p, pid, all, NULL);
}

void rs_fd_paths_share_cwd(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns)
{
	struct rs_task_instance *leader = rs_tasks_get(p->tasks, pid, now_ns);

	if (leader)
		leader->shares_cwd = true;
}

/* ---- what is shown ---- */

bool rs_fd_paths_is_open(const struct rs_fd_known *k, const struct rs_call *call)
{
	if (k->since_ns > call->enter_ns)
		return false;
	/* closed by this very call: it was still open when the call began */
	return !k->ended_ns || (k->ended_by == call->task->tid && k->ended_ns == call->enter_ns);
}

static bool fd_paths_is_valid(const struct rs_fd_known *k, const struct rs_call *call)
{
	return k->path && rs_fd_paths_is_open(k, call) &&
	       k->read_ns <= (k->ended_ns ? k->ended_ns : call->exit_ns);
}

struct rs_fd_known *rs_fd_paths_use(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	const struct rs_task *t = call->task;
	uint64_t now_ns = call->exit_ns;
	struct rs_fd_known *k;

	rs_fd_paths_reach(p, now_ns);
	k = fd >= 0 && fd != RS_FD_CWD && t->pid ? rs_fd_known_find(p, t->pid, fd) : NULL;

	if (k && rs_gaps_hit(p->gaps, k->since_ns, now_ns)) {
		rs_fd_known_forget(p, k);
		k = NULL;
	}
	if (!k) {
		if (fd >= 0 && fd != RS_FD_CWD && rs_fd_paths_can_query(p, t))
			rs_fd_known_set_wanted(p, rs_fd_known_query(p, t->pid, fd, now_ns), true);
		return NULL;
	}
	rs_fd_paths_touch(p, k, now_ns);
	return k;
}

/* Likewise for the path; NULL also: it is no socket, and only these are asked for. */
static struct rs_fd_known *fd_paths_use_path(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	struct rs_fd_known *k;

	if (!p->sockets_alone)
		return rs_fd_paths_use(p, call, fd);
	k = call->task->pid ? rs_fd_known_find(p, call->task->pid, fd) : NULL;
	return k && rs_fd_paths_is_socket(k->path) ? rs_fd_paths_use(p, call, fd) : NULL;
}

const char *rs_fd_paths_get(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	struct rs_fd_known *k = fd_paths_use_path(p, call, fd);

	return k && fd_paths_is_valid(k, call) ? k->path : NULL;
}

enum rs_file_op rs_call_file_op(const struct rs_ctx *c, int64_t nr)
{
	const struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	return p ? (enum rs_file_op)rs_call_fact(p->calls->op, nr) : RS_FILE_NONE;
}

uint64_t rs_call_file(const struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	struct rs_fd_known *k = p && call->task ? fd_paths_use_path(p, call, (int32_t)call->args[0]) : NULL;

	if (!k || k->since_ns > call->enter_ns || k->ended_ns)
		return 0;
	return rs_fd_known_file(p, k);
}

uint64_t rs_task_file(struct rs_ctx *c, struct rs_task *t, enum rs_file_op *op)
{
	const struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	struct rs_call call;

	if (!t || !p || !p->for_files || !rs_task_call(c, t, &call) || !(*op = rs_call_file_op(c, call.nr)))
		return 0;
	return rs_call_file(c, &call);
}

uint64_t rs_fd_file(const struct rs_ctx *c, const struct rs_task *t, int32_t fd)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	struct rs_fd_known *k;

	if (!p || !p->for_files || !t->pid)
		return 0;
	rs_fd_paths_reach(p, rs_last_event_ns(c)); /* what was looked up since the last event counts, too */
	k = rs_fd_known_find(p, t->pid, fd);
	return k && !k->ended_ns ? rs_fd_known_file(p, k) : 0;
}

const char *rs_file_path(const struct rs_ctx *c, uint64_t file)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);

	return p ? rs_file_ids_path(&p->ids, file) : NULL;
}

