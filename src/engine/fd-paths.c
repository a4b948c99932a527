// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/fd-paths.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/hash.h"
#include "engine/internal.h"
#include "engine/fd-effects.h"
#include "engine/file-ids.h"
#include "engine/open-names.h"

#define FD_PATHS_NR_SETS 1024u           /* of known descriptors, by pid and number */
#define FD_PATHS_NR_WAYS 4u              /* the least recently shown one is replaced: it shows its number again */
#define AGAIN_NS 1000000000u    /* checked again: a file may have been renamed, and what was no file may be one now */
#define ASK_NS 50000000u        /* at most ASKS requests in that time: a storm of new files is not worth more */
#define ASKS 64u
#define FD_PATHS_NR_REPLIES 256u         /* that wait for the events before them */
#define FD_PATHS_NR_CHAINS 1024u
#define FD_PATHS_MAX_INHERITED 64u       /* descriptors that a fork takes along: more are looked up again */

#define CLOSE_RANGE_UNSHARE_FLAG 2u /* uapi/linux/close_range.h: the same on every architecture */

struct known {
	int32_t pid, fd;        /* pid 0: empty */
	uint64_t since_ns;      /* no call that closes it has begun since */
	uint64_t read_ns;       /* path is valid from since_ns until here at least; 0: not known yet */
	uint64_t looked_ns;     /* the last reply, 0: none; set also if it has no path */
	uint64_t used_ns;
	uint64_t asked_ns;      /* 0: no reply is awaited */
	uint64_t ended_ns;      /* begin of the call of ended_by that closes it; 0: none */
	int32_t ended_by;
	bool wanted;            /* to be requested */
	char *path;             /* NULL: not known, or it has none */
	bool survives;          /* an exec: it was opened without O_CLOEXEC, and not marked so since */
	bool as_opened;         /* path is the name that it was opened by */
	uint64_t file;          /* see file-ids.h; 0: not needed yet. A duplicate has the same */
	uint32_t next;          /* 1 + the index of the next one in the chain of its process */
};

struct rs_fd_paths {
	struct rs_fd_requester requester;
	struct rs_tasks *tasks;
	const struct rs_gaps *gaps;
	bool for_files;                     /* each call on a file is followed, not only those that are shown */
	struct rs_fd_effects calls;
	/*
	 * Threads in a call that may close a descriptor, by a hash of their process: a collision only makes it more
	 * careful. The first is for threads of unknown processes, which may be any.
	 */
	uint32_t in_flight[257];
	uint32_t nr_wanted, next;
	uint64_t budget_ns;
	uint32_t budget;
	struct known known[FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS];
	uint32_t chains[FD_PATHS_NR_CHAINS]; /* 1 + the index of the first known one, by pid; 0: none */
	struct rs_file_ids ids;
	/* Replies in order of their time, not used yet: of a recording all of them, live a ring of copies. */
	const struct rs_fd_path *recorded;
	size_t nr_recorded, at_recorded;
	struct rs_fd_path replies[FD_PATHS_NR_REPLIES];
	uint64_t nr_replies, nr_used;
	struct rs_open_names names;
	struct rs_fd_reply reply;
};

struct rs_fd_paths *rs_fd_paths_new(const struct rs_fd_requester *requester, struct rs_tasks *tasks,
				    const struct rs_gaps *gaps, struct rs_syscall_names *names)
{
	struct rs_fd_paths *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->requester = *requester;
	p->tasks = tasks;
	p->gaps = gaps;
	p->budget = ASKS;
	rs_fd_effects_init(&p->calls, names);
	if (rs_file_ids_init(&p->ids))
		return p;
	rs_fd_paths_free(p);
	return NULL;
}

void rs_fd_paths_follow_files(struct rs_fd_paths *p, const struct rs_fd_path *recorded, size_t nr_recorded)
{
	p->for_files = true;
	p->recorded = recorded;
	p->nr_recorded = nr_recorded;
}

void rs_fd_paths_free(struct rs_fd_paths *p)
{
	if (!p)
		return;
	for (unsigned int i = 0; i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS; i++)
		free(p->known[i].path);
	for (; p->nr_used < p->nr_replies; p->nr_used++)
		free(p->replies[p->nr_used % FD_PATHS_NR_REPLIES].path);
	rs_open_names_done(&p->names);
	rs_file_ids_done(&p->ids);
	free(p);
}

/* ---- what is known ---- */

static struct known *fd_paths_set_of(struct rs_fd_paths *p, int32_t pid, int32_t fd)
{
	uint64_t hash = rs_hash_u64((uint64_t)(uint32_t)pid << 32 | (uint32_t)fd);

	return &p->known[hash % FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS];
}

static struct known *fd_paths_find(struct rs_fd_paths *p, int32_t pid, int32_t fd)
{
	struct known *set = fd_paths_set_of(p, pid, fd);

	for (unsigned int i = 0; i < FD_PATHS_NR_WAYS; i++)
		if (set[i].pid == pid && set[i].fd == fd)
			return &set[i];
	return NULL;
}

static void fd_paths_set_wanted(struct rs_fd_paths *p, struct known *k, bool wanted)
{
	p->nr_wanted += wanted - k->wanted;
	k->wanted = wanted;
}

static uint32_t *fd_paths_chain_of(struct rs_fd_paths *p, int32_t pid)
{
	return &p->chains[(uint32_t)pid % FD_PATHS_NR_CHAINS];
}

static void fd_paths_forget(struct rs_fd_paths *p, struct known *k)
{
	uint32_t *at;

	if (!k->pid)
		return;
	for (at = fd_paths_chain_of(p, k->pid); &p->known[*at - 1] != k;)
		at = &p->known[*at - 1].next;
	*at = k->next;
	fd_paths_set_wanted(p, k, false);
	free(k->path);
	*k = (struct known){ 0 };
}

static struct known *fd_paths_add(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns)
{
	struct known *set = fd_paths_set_of(p, pid, fd), *k = set;
	uint32_t *chain = fd_paths_chain_of(p, pid);

	for (unsigned int i = 1; i < FD_PATHS_NR_WAYS; i++) /* an empty one was used at time 0 */
		if (set[i].used_ns < k->used_ns)
			k = &set[i];
	fd_paths_forget(p, k);
	*k = (struct known){ .pid = pid, .fd = fd, .since_ns = now_ns, .used_ns = now_ns, .next = *chain };
	*chain = (uint32_t)(k - p->known) + 1;
	return k;
}

static struct known *fd_paths_begin_query(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns)
{
	struct known *k = fd_paths_add(p, pid, fd, now_ns);

	fd_paths_set_wanted(p, k, true);
	return k;
}

static uint64_t fd_paths_file_of(struct rs_fd_paths *p, struct known *k)
{
	const char *path = k->file && rs_file_ids_is_resolved(&p->ids, k->file) ? rs_file_ids_path(&p->ids, k->file) : NULL;

	if (!k->file && k->as_opened) {
		k->file = rs_file_ids_add_pending(&p->ids);
		rs_file_ids_suggest(&p->ids, k->file, rs_file_ids_add_path(&p->ids, k->path));
	}
	/* from the look-up on all calls have the path's own number */
	if (path || !k->file)
		k->file = path || k->path ? rs_file_ids_add_path(&p->ids, path ? path : k->path) : rs_file_ids_add_pending(&p->ids);
	return k->file;
}

/* fd is of the same file as `of` from now on. */
static void fd_paths_add_duplicate(struct rs_fd_paths *p, struct known *of, int32_t pid, int32_t fd, uint64_t now_ns)
{
	char *path = of->path ? strdup(of->path) : NULL;
	bool as_opened = of->as_opened && path, survives = of->survives;
	uint64_t file = fd_paths_file_of(p, of);
	struct known *k = fd_paths_add(p, pid, fd, now_ns); /* may take the place of `of` */

	k->file = file;
	k->path = path;
	k->as_opened = as_opened;
	k->survives = survives;
	k->read_ns = path ? now_ns : 0;
	k->looked_ns = as_opened ? 0 : k->read_ns;
	fd_paths_set_wanted(p, k, !path || as_opened);
}

/* ---- what ends it ---- */

struct fd_paths_range {
	uint32_t from, to;
	bool by_exec;           /* without those that survive it */
};

static const struct fd_paths_range all = { 0, UINT32_MAX, false }, of_exec = { 0, UINT32_MAX, true };

static struct fd_paths_range fd_paths_range_of(enum rs_fd_effect effect, const uint64_t *args)
{
	switch (effect) {
	case RS_FD_CLOSES_FIRST: return (struct fd_paths_range){ (uint32_t)args[0], (uint32_t)args[0], false };
	case RS_FD_CLOSES_SECOND: return (struct fd_paths_range){ (uint32_t)args[1], (uint32_t)args[1], false };
	case RS_FD_CLOSES_RANGE: return (struct fd_paths_range){ (uint32_t)args[0], (uint32_t)args[1], false };
	case RS_FD_CLOSES_ANY: return of_exec;
	default: return all;
	}
}

/* pid 0: of any process. t: the task whose call begins to close it, and may still show it; NULL: it is closed. */
static void fd_paths_end_one(struct rs_fd_paths *p, struct known *k, const struct rs_task *t)
{
	if (!t || k->ended_ns || !k->path) { /* either of two calls that close it may have been the first */
		fd_paths_forget(p, k);
		return;
	}
	fd_paths_set_wanted(p, k, false);
	k->ended_ns = t->syscall_enter_ns;
	k->ended_by = t->tid;
}

static void fd_paths_end_range(struct rs_fd_paths *p, int32_t pid, struct fd_paths_range r, const struct rs_task *t)
{
	uint32_t *first = pid ? fd_paths_chain_of(p, pid) : p->chains, *last = pid ? first : p->chains + FD_PATHS_NR_CHAINS - 1;
	struct known *k;

	if (pid && r.from == r.to) {
		k = fd_paths_find(p, pid, (int32_t)r.from);
		if (k)
			fd_paths_end_one(p, k, t);
		return;
	}
	for (uint32_t *chain = first; chain <= last; chain++)
		for (uint32_t at = *chain; at;) {
			k = &p->known[at - 1];
			at = k->next;
			if ((!pid || k->pid == pid) && (uint32_t)k->fd >= r.from && (uint32_t)k->fd <= r.to && !(r.by_exec && k->survives))
				fd_paths_end_one(p, k, t);
		}
}

static enum rs_fd_effect fd_paths_effect_of(const struct rs_fd_paths *p, int64_t nr)
{
	return (enum rs_fd_effect)rs_fd_effects_at(p->calls.effects, nr);
}

static uint32_t *fd_paths_in_flight_of(struct rs_fd_paths *p, int32_t pid)
{
	return &p->in_flight[pid ? 1 + (uint32_t)pid % 256 : 0];
}

/* ---- replies ---- */

static void fd_paths_set_path(struct rs_fd_paths *p, struct known *k, const char *path)
{
	free(k->path);
	k->path = path ? strdup(path) : NULL;
	k->as_opened = false;
	if (k->looked_ns && k->file) /* of calls from now on */
		k->file = 0;
	else if (k->path)
		rs_file_ids_resolve(&p->ids, k->file, rs_file_ids_add_path(&p->ids, k->path));
}

/*
 * The path has changed although nothing closed the descriptor: the file was renamed, or the descriptor changed in a
 * way that is not known here.
 */
static void fd_paths_accept_reply(struct rs_fd_paths *p, struct known *k, const struct rs_fd_path *r)
{
	bool same = r->path && k->path && !strcmp(k->path, r->path);

	if (!same && (r->path || !k->as_opened)) {
		fd_paths_set_path(p, k, r->path);
		if (k->looked_ns)
			k->since_ns = r->read_ns;
		k->read_ns = r->read_ns;
	}
	k->asked_ns = 0;
	k->looked_ns = r->read_ns;
}

static const struct rs_fd_path *fd_paths_next_reply(const struct rs_fd_paths *p)
{
	if (p->at_recorded < p->nr_recorded)
		return &p->recorded[p->at_recorded];
	return p->nr_used < p->nr_replies ? &p->replies[p->nr_used % FD_PATHS_NR_REPLIES] : NULL;
}

static int32_t fd_paths_process_of(struct rs_fd_paths *p, const struct rs_fd_path *r)
{
	const struct rs_task_instance *inst = rs_tasks_find(p->tasks, r->tid);

	return p->nr_recorded ? inst ? inst->task.pid : 0 : r->tid;
}

/* All events before now_ns have been seen, so none of them has closed what replies until then are about. */
static __attribute__((noinline)) void fd_paths_use_replies(struct rs_fd_paths *p, uint64_t now_ns)
{
	const struct rs_fd_path *r;

	for (; (r = fd_paths_next_reply(p)) && r->read_ns < now_ns; ) {
		int32_t pid = fd_paths_process_of(p, r);
		struct known *k = pid > 0 && r->fd >= 0 ? fd_paths_find(p, pid, r->fd) : NULL;

		/* the reply may be about the file before: another one will come */
		if (k && !k->ended_ns && r->read_ns >= k->since_ns && !rs_gaps_hit(p->gaps, k->since_ns, r->read_ns))
			fd_paths_accept_reply(p, k, r);
		if (p->nr_recorded)
			p->at_recorded++;
		else
			free(p->replies[p->nr_used++ % FD_PATHS_NR_REPLIES].path);
	}
}

/* For every call. */
static inline void fd_paths_reach(struct rs_fd_paths *p, uint64_t now_ns)
{
	const struct rs_fd_path *r = fd_paths_next_reply(p);

	if (r && r->read_ns < now_ns)
		fd_paths_use_replies(p, now_ns);
}

/* ---- names ---- */

void rs_fd_paths_name(struct rs_fd_paths *p, const struct rs_task *t, const char *name)
{
	rs_open_names_set(&p->names, t->tid, name);
}

/* Where the name begins: "": nowhere known, and the name is shown as the program gave it. */
static const char *fd_paths_base_of(struct rs_fd_paths *p, const struct rs_task *t, enum rs_fd_effect effect)
{
	int32_t dir = (int32_t)t->syscall_args[0];
	const struct known *k = effect == RS_FD_OPENS_AT && dir >= 0 ? fd_paths_find(p, t->pid, dir) : NULL;

	return k && k->path && !k->ended_ns && k->since_ns <= t->syscall_enter_ns && *k->path == '/' ? k->path : "";
}

static void fd_paths_set_opened(struct rs_fd_paths *p, struct known *k, const struct rs_task *t, enum rs_fd_effect effect)
{
	const char *name = rs_open_names_get(&p->names, t->tid);
	const char *base;

	if ((effect != RS_FD_OPENS && effect != RS_FD_OPENS_AT) || !name)
		return;
	base = *name == '/' ? "" : fd_paths_base_of(p, t, effect);
	if (asprintf(&k->path, "%s%s%s", base, *base ? "/" : "", name) < 0)
		k->path = NULL;
	k->as_opened = k->path;
	k->read_ns = k->since_ns;
}

/* ---- calls ---- */

/* The effect of a call in flight at the time of the look-up is not known. */
static bool fd_paths_can_query(struct rs_fd_paths *p, const struct rs_task *t)
{
	const struct rs_task_instance *leader = t->pid ? rs_tasks_find(p->tasks, t->pid) : NULL;

	/* nor is it if the table of its calls is not known */
	return leader && leader->abi && rs_task_instance_of(t)->abi && !leader->hides_fds && !*fd_paths_in_flight_of(p, 0) && !*fd_paths_in_flight_of(p, t->pid);
}

/* The call's descriptor is open since before it, until a call closes it: the look-up may come later. */
static void fd_paths_follow(struct rs_fd_paths *p, const struct rs_task *t)
{
	int32_t fd = (int32_t)t->syscall_args[0];

	if (fd >= 0 && t->pid && !fd_paths_find(p, t->pid, fd) && fd_paths_can_query(p, t))
		fd_paths_begin_query(p, t->pid, fd, t->syscall_enter_ns);
}

#define CLOSE_ON_EXEC_IOCTL 0x5451u /* FIOCLEX of asm-generic */

/* The call marks a descriptor to be closed by an exec. That it takes the mark back is not used. */
static void fd_paths_mark(struct rs_fd_paths *p, const struct rs_task *t, enum rs_fd_effect effect)
{
	const uint64_t *args = t->syscall_args;
	struct known *k;

	if (!(effect == RS_FD_CONTROLS && args[1] == F_SETFD && args[2] & FD_CLOEXEC) && !(effect == RS_FD_MARKS && (uint32_t)args[1] == CLOSE_ON_EXEC_IOCTL))
		return;
	k = fd_paths_find(p, t->pid, (int32_t)args[0]);
	if (k)
		k->survives = false;
}

/* Runs for every call, but only if paths are requested: not inlined into its caller. */
__attribute__((noinline)) void rs_fd_paths_enter(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	const struct rs_task *t = &inst->task;
	enum rs_fd_effect effect = fd_paths_effect_of(p, t->syscall);

	fd_paths_reach(p, t->syscall_enter_ns);
	if (p->for_files && rs_fd_effects_at(p->calls.ops, t->syscall))
		fd_paths_follow(p, t);
	fd_paths_mark(p, t, effect);
	if (inst->ends_fds) /* the exit of the call before was lost */
		rs_fd_paths_end_call(p, inst);
	if (effect == RS_FD_HIDES || (effect == RS_FD_UNSHARES && t->syscall_args[0] & RS_CLONE_FILES) ||
	    (effect == RS_FD_CLOSES_RANGE && t->syscall_args[2] & CLOSE_RANGE_UNSHARE_FLAG))
		rs_fd_paths_discard(p, t->pid, t->syscall_enter_ns);
	if (effect < RS_FD_CLOSES_FIRST)
		return;
	inst->ends_fds = true;
	inst->ends_fds_of = t->pid;
	++*fd_paths_in_flight_of(p, t->pid);
	fd_paths_end_range(p, t->pid, fd_paths_range_of(effect, t->syscall_args), t);
}

void rs_fd_paths_end_call(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	if (!inst->ends_fds)
		return;
	inst->ends_fds = false;
	--*fd_paths_in_flight_of(p, inst->ends_fds_of);
	fd_paths_end_range(p, inst->ends_fds_of, all, NULL);
}

/* An exec leaves open what the call has opened. */
static bool fd_paths_survives(const struct rs_fd_paths *p, const struct rs_task *t, int64_t nr, enum rs_fd_effect effect)
{
	unsigned int flags = rs_fd_effects_at(p->calls.flags, nr);

	if (effect == RS_FD_CONTROLS)
		return t->syscall_args[1] == F_DUPFD;
	return flags == RS_FD_NO_FLAGS || (flags && !(t->syscall_args[flags - 1] & O_CLOEXEC));
}

/* A new descriptor, of the same file as old_fd if that is known: it was open since before the call. */
static void fd_paths_begin(struct rs_fd_paths *p, const struct rs_task *t, enum rs_fd_effect effect, int32_t fd, int32_t old_fd, uint64_t now_ns)
{
	struct known *old = old_fd >= 0 && t->pid ? fd_paths_find(p, t->pid, old_fd) : NULL;

	if (!p->for_files || !t->pid || !fd_paths_can_query(p, t))
		return;
	if (!old || old->ended_ns || old->since_ns > t->syscall_enter_ns || rs_gaps_hit(p->gaps, old->since_ns, now_ns)) {
		fd_paths_set_opened(p, fd_paths_begin_query(p, t->pid, fd, now_ns), t, effect);
		return;
	}
	fd_paths_add_duplicate(p, old, t->pid, fd, now_ns);
}

/* What the call has opened: its number was free until then, and what is known of it is old. */
static void fd_paths_open(struct rs_fd_paths *p, const struct rs_task *t, int64_t nr, int64_t ret, uint64_t now_ns, bool has_args)
{
	enum rs_fd_effect effect = fd_paths_effect_of(p, nr);
	const uint64_t *args = t->syscall_args;
	struct known *k;
	bool is_dup = effect == RS_FD_DUPS || effect == RS_FD_CLOSES_SECOND ||
		      (effect == RS_FD_CONTROLS && has_args && (args[1] == F_DUPFD || args[1] == F_DUPFD_CLOEXEC));

	if ((effect != RS_FD_OPENS && effect != RS_FD_OPENS_AT && !is_dup) || ret < 0 || ret > INT32_MAX || (has_args && is_dup && (int64_t)args[0] == ret))
		return;
	fd_paths_end_range(p, t->pid, (struct fd_paths_range){ (uint32_t)ret, (uint32_t)ret, false }, NULL);
	if (!has_args)
		return;
	fd_paths_begin(p, t, effect, (int32_t)ret, is_dup ? (int32_t)args[0] : -1, now_ns);
	k = fd_paths_find(p, t->pid, (int32_t)ret);
	if (k)
		k->survives = fd_paths_survives(p, t, nr, effect);
}

void rs_fd_paths_exec(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	if (inst->ends_fds)
		--*fd_paths_in_flight_of(p, inst->ends_fds_of);
	inst->ends_fds = false;
	fd_paths_end_range(p, inst->task.tid, of_exec, NULL);
}

__attribute__((noinline)) void rs_fd_paths_exit(struct rs_fd_paths *p, struct rs_task_instance *inst, int64_t nr, int64_t ret,
						uint64_t now_ns, bool has_args)
{
	const struct rs_task *t = &inst->task;
	enum rs_fd_effect effect = fd_paths_effect_of(p, nr);

	fd_paths_reach(p, now_ns);
	if (effect < RS_FD_CLOSES_FIRST) {
		rs_fd_paths_end_call(p, inst);
	} else if (inst->ends_fds) {
		inst->ends_fds = false;
		--*fd_paths_in_flight_of(p, inst->ends_fds_of);
		fd_paths_end_range(p, inst->ends_fds_of, fd_paths_range_of(effect, t->syscall_args), NULL);
	} else { /* its enter was lost, and its arguments with it */
		fd_paths_end_range(p, t->pid, effect == RS_FD_CLOSES_ANY ? of_exec : all, NULL);
	}
	/* a call of a program whose table is not known may be any: what survived its exec may be closed */
	if (__builtin_expect(inst->abi == RS_ABI_UNKNOWN, 0) && t->tid == t->pid && effect != RS_FD_CLOSES_ANY)
		fd_paths_end_range(p, t->pid, all, NULL);
	fd_paths_open(p, t, nr, ret, now_ns, has_args);
	rs_open_names_drop(&p->names, t->tid);
}

/* Only those that were open since before the call that forks: the child has a copy of them. */
void rs_fd_paths_fork(struct rs_fd_paths *p, const struct rs_task *parent, int32_t child, uint64_t now_ns)
{
	int32_t fds[FD_PATHS_MAX_INHERITED];
	unsigned int nr = 0;

	if (!p->for_files || !parent->pid || parent->syscall < 0 || !fd_paths_can_query(p, parent))
		return;
	for (uint32_t at = *fd_paths_chain_of(p, parent->pid); at && nr < FD_PATHS_MAX_INHERITED; at = p->known[at - 1].next)
		if (p->known[at - 1].pid == parent->pid)
			fds[nr++] = p->known[at - 1].fd;
	while (nr) {
		struct known *k = fd_paths_find(p, parent->pid, fds[--nr]); /* an earlier one may have taken its place */

		if (k && k->since_ns <= parent->syscall_enter_ns && !rs_gaps_hit(p->gaps, k->since_ns, now_ns))
			fd_paths_add_duplicate(p, k, child, k->fd, now_ns);
	}
}

void rs_fd_paths_forget(struct rs_fd_paths *p, int32_t pid)
{
	fd_paths_end_range(p, pid, all, NULL);
}

void rs_fd_paths_discard(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns)
{
	struct rs_task_instance *leader = rs_tasks_get(p->tasks, pid, now_ns); /* the threads may be seen before their leader */

	if (leader && leader->hides_fds)
		return;
	if (leader)
		leader->hides_fds = true;
	fd_paths_end_range(p, pid, all, NULL);
}

/* ---- what is shown ---- */

static bool fd_paths_is_valid(const struct known *k, const struct rs_call *call)
{
	if (!k->path || k->since_ns > call->enter_ns)
		return false;
	if (k->ended_ns) /* closed by this very call: it was still open when the call began */
		return k->ended_by == call->task->tid && k->ended_ns == call->enter_ns && k->read_ns <= k->ended_ns;
	return k->read_ns <= call->exit_ns;
}

/* Returns what is known of the descriptor; requests it if there is nothing, or it is old. NULL: nothing yet. */
static struct known *fd_paths_use(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	const struct rs_task *t = call->task;
	uint64_t now_ns = call->exit_ns;
	struct known *k;
	uint64_t then_ns;

	fd_paths_reach(p, now_ns);
	k = fd >= 0 && t->pid ? fd_paths_find(p, t->pid, fd) : NULL;

	if (k && rs_gaps_hit(p->gaps, k->since_ns, now_ns)) {
		fd_paths_forget(p, k);
		k = NULL;
	}
	if (!k) {
		if (fd >= 0 && fd_paths_can_query(p, t))
			fd_paths_begin_query(p, t->pid, fd, now_ns);
		return NULL;
	}
	k->used_ns = now_ns;
	then_ns = k->asked_ns ? k->asked_ns : k->looked_ns;
	if (!k->ended_ns && now_ns > then_ns && now_ns - then_ns > AGAIN_NS)
		fd_paths_set_wanted(p, k, true);
	return k;
}

const char *rs_fd_paths_get(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	struct known *k = fd_paths_use(p, call, fd);

	return k && fd_paths_is_valid(k, call) ? k->path : NULL;
}

enum rs_file_op rs_call_file_op(const struct rs_ctx *c, int64_t nr)
{
	const struct rs_fd_paths *p = c->session->fd_paths;
	return p ? (enum rs_file_op)rs_fd_effects_at(p->calls.ops, nr) : RS_FILE_NONE;
}

uint64_t rs_call_file(const struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_fd_paths *p = c->session->fd_paths;
	struct known *k = p && call->task ? fd_paths_use(p, call, (int32_t)call->args[0]) : NULL;

	if (!k || k->since_ns > call->enter_ns || k->ended_ns)
		return 0;
	return fd_paths_file_of(p, k);
}

uint64_t rs_task_file(struct rs_ctx *c, struct rs_task *t, enum rs_file_op *op)
{
	struct rs_call call;

	if (!t || !rs_task_call(c, t, &call) || !(*op = rs_call_file_op(c, call.nr)))
		return 0;
	return rs_call_file(c, &call);
}

const char *rs_file_path(const struct rs_ctx *c, uint64_t file)
{
	return c->session->fd_paths ? rs_file_ids_path(&c->session->fd_paths->ids, file) : NULL;
}

/* ---- asking ---- */

/* Another path than before: which one is that of the calls up to then is not known. */
static void fd_paths_doubt(struct rs_fd_paths *p, const struct rs_fd_path *r)
{
	struct known *k = r->tid > 0 && r->fd >= 0 ? fd_paths_find(p, r->tid, r->fd) : NULL;

	if (!k || !k->path || k->as_opened || k->ended_ns || r->read_ns < k->since_ns || (r->path && !strcmp(r->path, k->path)))
		return;
	free(k->path);
	k->path = NULL;
	k->file = 0;
}

void rs_fd_paths_take_replies(struct rs_fd_paths *p)
{
	const struct rs_fd_reply *r = &p->reply;

	while (p->requester.answer && p->nr_replies - p->nr_used < FD_PATHS_NR_REPLIES && p->requester.answer(p->requester.arg, &p->reply)) {
		struct rs_fd_path *reply = &p->replies[p->nr_replies++ % FD_PATHS_NR_REPLIES];

		*reply = (struct rs_fd_path){
			.read_ns = r->read_ns, .tid = r->pid, .fd = r->fd, .path = r->len > 0 ? strndup(r->path, (size_t)r->len) : NULL,
		};
		fd_paths_doubt(p, reply);
	}
}

void rs_fd_paths_send_requests(struct rs_fd_paths *p, uint64_t now_ns)
{
	fd_paths_reach(p, now_ns);
	if (!p->requester.ask)
		return;
	if (!p->nr_wanted)
		return;
	if (now_ns - p->budget_ns >= ASK_NS) {
		p->budget_ns = now_ns;
		p->budget = ASKS;
	}
	for (uint32_t i = 0; i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS && p->nr_wanted && p->budget; i++) {
		struct known *k = &p->known[p->next];

		p->next = (p->next + 1) % (FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS);
		if (!k->wanted)
			continue;
		if (!p->requester.ask(p->requester.arg, k->pid, k->fd))
			return;
		fd_paths_set_wanted(p, k, false);
		k->asked_ns = now_ns;
		p->budget--;
	}
}
