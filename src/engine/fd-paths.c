// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/fd-paths.h"

#include <stdlib.h>
#include <string.h>

#include "ringside/hash.h"
#include "engine/internal.h"

#define FD_PATHS_NR_SETS 256u            /* of known descriptors, by pid and number */
#define FD_PATHS_NR_WAYS 4u              /* the least recently shown one is replaced: it shows its number again */
#define AGAIN_NS 1000000000u    /* checked again: a file may have been renamed, and what was no file may be one now */
#define ASK_NS 50000000u        /* at most ASKS requests in that time: a storm of new files is not worth more */
#define ASKS 64u

#define CLOSE_RANGE_UNSHARE_FLAG 2u /* uapi/linux/close_range.h: the same on every architecture */

/* What a call does to its process' descriptors. */
enum effect {
	NOTHING,
	OPENS,         /* returns a descriptor that was free */
	UNSHARES,      /* with that flag the thread gets a table of its own */
	HIDES,         /* opens and closes without calls from now on */
	CLOSES_FIRST,  /* may close its first argument: this one and all below may close descriptors */
	CLOSES_SECOND,
	CLOSES_RANGE,
	CLOSES_ANY,
};

static const struct {
	const char *name;
	enum effect effect;
} effects[] = {
	{ "close", CLOSES_FIRST }, { "dup2", CLOSES_SECOND }, { "dup3", CLOSES_SECOND }, { "close_range", CLOSES_RANGE },
	{ "execve", CLOSES_ANY }, { "execveat", CLOSES_ANY }, { "unshare", UNSHARES },
	{ "io_uring_setup", HIDES }, { "io_uring_enter", HIDES }, { "io_uring_register", HIDES },
	{ "open", OPENS }, { "openat", OPENS }, { "openat2", OPENS }, { "creat", OPENS }, { "open_by_handle_at", OPENS },
	{ "dup", OPENS }, { "socket", OPENS }, { "accept", OPENS }, { "accept4", OPENS }, { "memfd_create", OPENS },
	{ "epoll_create", OPENS }, { "epoll_create1", OPENS }, { "eventfd", OPENS }, { "eventfd2", OPENS },
	{ "signalfd", OPENS }, { "signalfd4", OPENS }, { "timerfd_create", OPENS }, { "inotify_init", OPENS },
	{ "inotify_init1", OPENS }, { "fanotify_init", OPENS }, { "perf_event_open", OPENS }, { "userfaultfd", OPENS },
	{ "pidfd_open", OPENS }, { "pidfd_getfd", OPENS }, { "mq_open", OPENS }, { "open_tree", OPENS },
};

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
};

struct rs_fd_paths {
	struct rs_fd_requester requester;
	struct rs_tasks *tasks;
	const struct rs_gaps *gaps;
	uint8_t effects[RS_NR_CALL_PLACES]; /* by rs_call_place */
	/*
	 * Threads in a call that may close a descriptor, by a hash of their process: a collision only makes it more
	 * careful. The first is for threads of unknown processes, which may be any.
	 */
	uint32_t in_flight[257];
	uint32_t nr_wanted, next;
	uint64_t budget_ns;
	uint32_t budget;
	struct known known[FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS];
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
	for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
		for (int table = 0; table < RS_NR_CALL_TABLES; table++) {
			int place = rs_call_place(rs_syscall_number(names, (enum rs_call_table)table, effects[i].name));

			if (place >= 0)
				p->effects[place] = effects[i].effect;
		}
	return p;
}

void rs_fd_paths_free(struct rs_fd_paths *p)
{
	for (unsigned int i = 0; p && i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS; i++)
		free(p->known[i].path);
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

static void fd_paths_forget(struct rs_fd_paths *p, struct known *k)
{
	if (!k->pid)
		return;
	fd_paths_set_wanted(p, k, false);
	free(k->path);
	*k = (struct known){ 0 };
}

static void fd_paths_begin_query(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns)
{
	struct known *set = fd_paths_set_of(p, pid, fd), *k = set;

	for (unsigned int i = 1; i < FD_PATHS_NR_WAYS; i++) /* an empty one was used at time 0 */
		if (set[i].used_ns < k->used_ns)
			k = &set[i];
	fd_paths_forget(p, k);
	*k = (struct known){ .pid = pid, .fd = fd, .since_ns = now_ns, .used_ns = now_ns };
	fd_paths_set_wanted(p, k, true);
}

/* ---- what ends it ---- */

struct fd_paths_range {
	uint32_t from, to;
};

static const struct fd_paths_range all = { 0, UINT32_MAX };

static struct fd_paths_range fd_paths_range_of(enum effect effect, const uint64_t *args)
{
	switch (effect) {
	case CLOSES_FIRST: return (struct fd_paths_range){ (uint32_t)args[0], (uint32_t)args[0] };
	case CLOSES_SECOND: return (struct fd_paths_range){ (uint32_t)args[1], (uint32_t)args[1] };
	case CLOSES_RANGE: return (struct fd_paths_range){ (uint32_t)args[0], (uint32_t)args[1] };
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
	struct known *k;

	if (pid && r.from == r.to) {
		k = fd_paths_find(p, pid, (int32_t)r.from);
		if (k)
			fd_paths_end_one(p, k, t);
		return;
	}
	for (k = p->known; k < p->known + FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS; k++)
		if (k->pid && (!pid || k->pid == pid) && (uint32_t)k->fd >= r.from && (uint32_t)k->fd <= r.to)
			fd_paths_end_one(p, k, t);
}

static enum effect fd_paths_effect_of(const struct rs_fd_paths *p, int64_t nr)
{
	int place = rs_call_place(nr);

	return place >= 0 ? p->effects[place] : NOTHING;
}

static uint32_t *fd_paths_in_flight_of(struct rs_fd_paths *p, int32_t pid)
{
	return &p->in_flight[pid ? 1 + (uint32_t)pid % 256 : 0];
}

/* Runs for every call, but only if paths are requested: not inlined into its caller. */
__attribute__((noinline)) void rs_fd_paths_enter(struct rs_fd_paths *p, struct rs_task_instance *inst)
{
	const struct rs_task *t = &inst->task;
	enum effect effect = fd_paths_effect_of(p, t->syscall);

	if (inst->ends_fds) /* the exit of the call before was lost */
		rs_fd_paths_end_call(p, inst);
	if (effect == HIDES || (effect == UNSHARES && t->syscall_args[0] & RS_CLONE_FILES) ||
	    (effect == CLOSES_RANGE && t->syscall_args[2] & CLOSE_RANGE_UNSHARE_FLAG))
		rs_fd_paths_discard(p, t->pid, t->syscall_enter_ns);
	if (effect < CLOSES_FIRST)
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

__attribute__((noinline)) void rs_fd_paths_exit(struct rs_fd_paths *p, struct rs_task_instance *inst, int64_t nr, int64_t ret)
{
	const struct rs_task *t = &inst->task;
	enum effect effect = fd_paths_effect_of(p, nr);

	if (effect == OPENS && ret >= 0 && ret <= INT32_MAX) /* it was free: what is known of it is old */
		fd_paths_end_range(p, t->pid, (struct fd_paths_range){ (uint32_t)ret, (uint32_t)ret }, NULL);
	if (effect < CLOSES_FIRST) {
		rs_fd_paths_end_call(p, inst);
	} else if (inst->ends_fds) {
		inst->ends_fds = false;
		--*fd_paths_in_flight_of(p, inst->ends_fds_of);
		fd_paths_end_range(p, inst->ends_fds_of, fd_paths_range_of(effect, t->syscall_args), NULL);
	} else { /* its enter was lost, and its arguments with it */
		fd_paths_end_range(p, t->pid, all, NULL);
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

/* The effect of a call in flight at the time of the look-up is not known. */
static bool fd_paths_can_query(struct rs_fd_paths *p, const struct rs_task *t)
{
	const struct rs_task_instance *leader = t->pid ? rs_tasks_find(p->tasks, t->pid) : NULL;

	/* nor is it if the table of its calls is not known */
	return leader && leader->abi && rs_task_instance_of(t)->abi && !leader->hides_fds && !*fd_paths_in_flight_of(p, 0) && !*fd_paths_in_flight_of(p, t->pid);
}

static bool fd_paths_is_valid(const struct known *k, const struct rs_call *call)
{
	if (!k->path || k->since_ns > call->enter_ns)
		return false;
	if (k->ended_ns) /* closed by this very call: it was still open when the call began */
		return k->ended_by == call->task->tid && k->ended_ns == call->enter_ns && k->read_ns <= k->ended_ns;
	return k->read_ns <= call->exit_ns;
}

const char *rs_fd_paths_get(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd)
{
	const struct rs_task *t = call->task;
	uint64_t now_ns = call->exit_ns;
	struct known *k = fd >= 0 && t->pid ? fd_paths_find(p, t->pid, fd) : NULL;
	uint64_t then_ns;

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
	return fd_paths_is_valid(k, call) ? k->path : NULL;
}

/* ---- asking ---- */

/*
 * The path has changed although nothing closed the descriptor: the file was renamed, or the descriptor changed in a
 * way that is not known here.
 */
static void fd_paths_accept_reply(struct rs_fd_paths *p, struct known *k, const struct rs_fd_reply *r)
{
	bool same = r->len > 0 && k->path && !strncmp(k->path, r->path, (size_t)r->len) && !k->path[r->len];

	if (!same) {
		free(k->path);
		k->path = r->len > 0 ? strndup(r->path, (size_t)r->len) : NULL;
		if (k->looked_ns)
			k->since_ns = r->read_ns;
		k->read_ns = r->read_ns;
	}
	k->asked_ns = 0;
	k->looked_ns = r->read_ns;
}

void rs_fd_paths_take_replies(struct rs_fd_paths *p)
{
	const struct rs_fd_reply *r = &p->reply;

	while (p->requester.answer(p->requester.arg, &p->reply)) {
		struct known *k = r->pid > 0 && r->fd >= 0 ? fd_paths_find(p, r->pid, r->fd) : NULL;

		/* the reply may be about the file before: another one will come */
		if (k && !k->ended_ns && r->read_ns >= k->since_ns)
			fd_paths_accept_reply(p, k, r);
	}
}

void rs_fd_paths_send_requests(struct rs_fd_paths *p, uint64_t now_ns)
{
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
