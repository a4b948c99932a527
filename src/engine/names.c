// SPDX-License-Identifier: GPL-2.0-or-later
/* A task's name and process: from events in their order, before the first from /proc or the file's list. */
#include "base/own-name.h"
#include "engine/internal.h"

#include <stdlib.h>

static int names_compare_tid(const void *a, const void *b)
{
	const struct rs_seed *x = *(const struct rs_seed *const *)a, *y = *(const struct rs_seed *const *)b;

	return x->tid != y->tid ? (x->tid > y->tid) - (x->tid < y->tid) : (x->ts_ns > y->ts_ns) - (x->ts_ns < y->ts_ns);
}

int rs_names_init(struct rs_session *s)
{
	const struct rs_trace_info *info = &s->source->info;

	free(s->seeds);
	s->nr_seeds = 0;
	s->nr_seeds_taken = info->nr_seeds;
	s->seeds = calloc(info->nr_seeds + 1, sizeof(struct rs_seed *));
	if (!s->seeds)
		return -1;
	for (size_t i = 0; i < info->nr_seeds; i++)
		s->seeds[s->nr_seeds++] = &info->seeds[i];
	qsort(s->seeds, s->nr_seeds, sizeof *s->seeds, names_compare_tid);
	return rs_initial_tasks_init(s);
}

/* The place of the first row for tid, or of a higher tid's. */
static size_t first_row(const struct rs_session *s, int32_t tid)
{
	size_t lo = 0, hi = s->nr_seeds;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->seeds[mid]->tid < tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The first row for tid that was read in this life: a row of an earlier time tells of an earlier life. The first life
 * of a tid may be older than all that was seen; not so where its birth was.
 */
const struct rs_seed *rs_names_seed(const struct rs_session *s, const struct rs_life *life)
{
	bool born = life->task.life || life->task.birth_ns || s->names_it;
	const struct rs_seed *weak = NULL;

	for (size_t i = first_row(s, life->task.tid); i < s->nr_seeds && s->seeds[i]->tid == life->task.tid; i++) {
		if (!s->seeds[i]->ts_ns) /* of a file's list, which has the name alone */
			weak = weak ? weak : s->seeds[i];
		else if (!born || s->seeds[i]->ts_ns >= life->task.first_ns)
			return s->seeds[i];
	}
	return weak;
}

const struct rs_seed *rs_names_seed_of(const struct rs_session *s, int32_t tid)
{
	return rs_names_seed(s, &(struct rs_life){ .task.tid = tid });
}

/*
 * Another ringside that begins later is in no list; live, and in what is kept of it, its name tells it. In a file that name
 * may be anybody's.
 */
static void names_own(const struct rs_session *s, struct rs_life *life)
{
	bool by_name = s->source && (s->source->info.live || s->source->info.of_live);

	life->task.self = life->own || (by_name && rs_own_name(life->task.comm));
}

void rs_names_new_life(void *session, struct rs_life *life)
{
	struct rs_session *s = session;
	const struct rs_seed *seed = rs_names_seed(s, life);
	struct rs_task *t = &life->task;
	const char *first = NULL;

	if (s->nr_unseen)
		rs_initial_tasks_seen(s, t->tid);
	rs_call_abi_begin(s, life, seed);
	if (seed) {
		memcpy(t->comm, seed->comm, sizeof t->comm);
		t->comm[sizeof t->comm - 1] = '\0';
		/* a file's list names tids alone: one that is weak tells nothing of later lives */
		t->pid = seed->pid;
		t->ppid = seed->ppid;
		life->own = seed->self;
		t->kernel_thread = seed->kernel_thread;
		t->cgroup = seed->cgroup;
	}
	/* what the first event will tell is nearer to it than the list, whose name is the last of all */
	if (!t->life && !s->names_it)
		first = rs_first_names_get(s->first_names, t->tid, s->now_ev, s->config.to_ns);
	if (first)
		memcpy(t->comm, first, sizeof t->comm);
	names_own(s, life);
	rs_session_select(s, life);
}

void rs_names_comm_text(struct rs_session *s, struct rs_life *life, const char *comm)
{
	struct rs_task *t = &life->task;

	memset(t->comm, 0, sizeof t->comm);
	memcpy(t->comm, comm, strnlen(comm, sizeof t->comm - 1));
	t->comm_is_from_event = true;
	names_own(s, life);
	rs_session_select(s, life);
}

void rs_names_comm(struct rs_session *s, struct rs_life *life, const struct rs_event *ev, const struct rs_field *f)
{
	char comm[RS_COMM_LEN];

	if (!life || !rs_has(f))
		return;
	/* nearly every event says what is known: two words compared, no string touched */
	if (f->size_bytes == RS_COMM_LEN && !memcmp(ev->data + f->offset_bytes, life->task.comm, RS_COMM_LEN)) {
		life->task.comm_is_from_event = true;
		return;
	}
	if (!rs_str(ev, f, comm, sizeof comm))
		return; /* it says nothing */
	if (!life->task.comm_is_from_event || strcmp(comm, life->task.comm) != 0)
		rs_names_comm_text(s, life, comm);
}

void rs_names_pid(struct rs_session *s, struct rs_life *life, int32_t pid)
{
	if (life->task.pid == pid)
		return;
	life->task.pid = pid;
	rs_session_select(s, life);
}

void rs_names_fork(struct rs_session *s, struct rs_life *parent, struct rs_life *child, bool flags_known, uint64_t clone_flags)
{
	struct rs_task *p = &parent->task, *t = &child->task;
	int thread = flags_known ? !!(clone_flags & RS_CLONE_THREAD) : rs_syscall_makes_thread(s->syscalls, p->syscall, p->syscall_args);

	/* kthreadd is tid 2 on every kernel, and all that it makes are kernel threads */
	if (p->tid == 2 || p->kernel_thread)
		thread = 0;
	t->kernel_thread = p->tid == 2;
	if (!t->cgroup)
		t->cgroup = p->cgroup;
	child->followed = rs_session_select_follows(s, parent);
	rs_call_abi_fork(parent, child);
	if (thread == 0) {
		t->pid = t->tid;
		/* a sibling is what its maker's parent gets */
		t->ppid = flags_known && clone_flags & RS_CLONE_PARENT ? p->ppid : p->pid;
	} else if (thread == 1) {
		t->pid = p->pid;
		t->ppid = p->ppid;
	}
	rs_session_select(s, child);
}
