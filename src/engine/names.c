// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names - a task's name and process: from events, in their order; before the first one from /proc or the
 * file's list
 */
#include "engine/names.h"

#include "base/own-name.h"
#include "engine/first-names.h"
#include "engine/calls/call-abi.h"
#include "engine/internal.h"
#include "engine/session-select.h"
#include "engine/task-args.h"

#include <stdlib.h>

static int names_compare_tid(const void *a, const void *b)
{
	const struct rs_initial_task *x = *(const struct rs_initial_task *const *)a,
	*y = *(const struct rs_initial_task *const *)b;

	return x->tid != y->tid ? (x->tid > y->tid) - (x->tid < y->tid) :
				  (x->ts_ns > y->ts_ns) - (x->ts_ns < y->ts_ns);
}

int rs_names_init(struct rs_session *s)
{
	const struct rs_trace_info *info = &s->source->info;

	free(s->names.snapshot);
	free(s->names.seen);
	s->names.nr_initial = 0;
	s->names.nr_initial_read = info->nr_initial;
	s->names.snapshot = calloc(info->nr_initial + 1, sizeof(struct rs_initial_task *));
	s->names.seen = calloc(info->nr_initial + 1, sizeof *s->names.seen);
	if (!s->names.snapshot || !s->names.seen)
		return -1;
	s->names.of_ringside = info->live || info->of_live;
	for (size_t i = 0; i < info->nr_initial; i++) {
		s->names.of_ringside |= info->snapshot[i].self;
		s->names.snapshot[s->names.nr_initial++] = &info->snapshot[i];
	}
	qsort(s->names.snapshot, s->names.nr_initial, sizeof *s->names.snapshot, names_compare_tid);
	return 0;
}

/* The index of the first row for tid, or for a higher tid. */
static size_t names_first_row(const struct rs_session *s, int32_t tid)
{
	size_t lo = 0, hi = s->names.nr_initial;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->names.snapshot[mid]->tid < tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The first row for tid that was read during this instance: an earlier row is about an earlier instance. The
 * first instance of a tid may be older than the trace, unless its birth was seen.
 */
const struct rs_initial_task *rs_names_add_initial(const struct rs_session *s,
						   const struct rs_task_instance *inst)
{
	bool created = inst->task.inst || inst->task.birth_ns || s->names.names_it;
	const struct rs_initial_task *const *snapshot = s->names.snapshot, *weak = NULL;
	size_t nr = s->names.nr_initial;

	for (size_t i = names_first_row(s, inst->task.tid); i < nr && snapshot[i]->tid == inst->task.tid;
	     i++) {
		if (!snapshot[i]->ts_ns) /* from a file's list, which has only names */
			weak = weak ? weak : snapshot[i];
		else if (!created || snapshot[i]->ts_ns >= inst->task.first_ns)
			return snapshot[i];
	}
	return weak;
}

const struct rs_initial_task *rs_names_initial_task(const struct rs_session *s, int32_t tid)
{
	return rs_names_add_initial(s, &(struct rs_task_instance){ .task.tid = tid });
}

/*
 * What ringside starts later, itself or another one, is in no list: in what ringside captures, live or for a
 * file, its name marks it. In a file that another program recorded any task may have that name.
 */
static void names_own(const struct rs_session *s, struct rs_task_instance *inst)
{
	inst->task.self = inst->own || (s->names.of_ringside && rs_own_name(inst->task.comm));
}

void rs_names_new_instance(void *session, struct rs_task_instance *inst)
{
	struct rs_session *s = session;
	const struct rs_initial_task *initial = rs_names_add_initial(s, inst);
	struct rs_names *names = &s->names;
	struct rs_task *t = &inst->task;
	const char *first = NULL;

	for (size_t i = names_first_row(s, t->tid);
	     i < names->nr_initial && names->snapshot[i]->tid == t->tid; i++)
		names->seen[i] = true;
	rs_call_abi_begin(s, inst, initial);
	if (initial) {
		memcpy(t->comm, initial->comm, sizeof t->comm);
		t->comm[sizeof t->comm - 1] = '\0';
		/* a file's list is by tid alone: weak evidence about later instances */
		t->pid = initial->pid;
		t->ppid = initial->ppid;
		t->start_ns = initial->start_ns;
		inst->own = initial->self;
		t->kernel_thread = initial->kernel_thread;
		t->cgroup = initial->cgroup;
		memcpy(t->cgroup_of, initial->cgroup_of, sizeof t->cgroup_of);
	}
	/* the name in the first event is closer to now than that of the list, which is its last name */
	if (!t->inst && !s->names.names_it)
		first = rs_first_names_get(s->names.first, t->tid, s->now_ev, s->config.to_ns);
	if (first)
		memcpy(t->comm, first, sizeof t->comm);
	names_own(s, inst);
	rs_session_select(s, inst);
	rs_task_args_ask(s, inst);
}

void rs_names_comm_text(struct rs_session *s, struct rs_task_instance *inst, const char *comm)
{
	struct rs_task *t = &inst->task;

	if (t->comm_is_from_event && strncmp(t->comm, comm, sizeof t->comm - 1) != 0)
		rs_tasks_note_rename(inst, t->comm, s->now_ns);
	memset(t->comm, 0, sizeof t->comm);
	memcpy(t->comm, comm, strnlen(comm, sizeof t->comm - 1));
	t->comm_is_from_event = true;
	names_own(s, inst);
	rs_session_select(s, inst);
}

void rs_names_comm(struct rs_session *s, struct rs_task_instance *inst, const struct rs_event *ev,
		   const struct rs_field *f)
{
	char comm[RS_COMM_LEN];

	if (!inst || !rs_has(f))
		return;
	/* nearly every event repeats the name: compare two words, no strings */
	if (f->size_bytes == RS_COMM_LEN &&
	    !memcmp(ev->data + f->offset_bytes, inst->task.comm, RS_COMM_LEN)) {
		inst->task.comm_is_from_event = true;
		return;
	}
	if (!rs_str(ev, f, comm, sizeof comm))
		return; /* no name */
	if (!inst->task.comm_is_from_event || strcmp(comm, inst->task.comm) != 0)
		rs_names_comm_text(s, inst, comm);
}

void rs_names_fork(struct rs_session *s, struct rs_task_instance *parent, struct rs_task_instance *child,
		   bool flags_known, uint64_t clone_flags)
{
	struct rs_task *p = &parent->task, *t = &child->task;
	int thread = flags_known ? !!(clone_flags & RS_CLONE_THREAD) :
				   rs_syscall_makes_thread(s->syscalls, p->syscall, p->syscall_args);

	/* kthreadd is tid 2 in every kernel, and all its children are kernel threads */
	if (p->tid == 2 || p->kernel_thread)
		thread = 0;
	t->kernel_thread = p->tid == 2;
	if (!t->cgroup) {
		t->cgroup = p->cgroup;
		memcpy(t->cgroup_of, p->cgroup_of, sizeof t->cgroup_of);
	}
	child->followed = rs_session_select_follows(s, parent);
	rs_call_abi_fork(parent, child);
	if (thread == 0) {
		t->pid = t->tid;
		/* a sibling has the parent of its creator */
		t->ppid = flags_known && clone_flags & RS_CLONE_PARENT ? p->ppid : p->pid;
	} else if (thread == 1) {
		t->pid = p->pid;
		t->ppid = p->ppid;
	}
	rs_session_select(s, child);
}

/*
 * ---- tasks that were there before the capture began: no event tells of them, until one does ----
 *
 * /proc said what they were in while we were root. From the first event about such a task, or in its context,
 * the engine knows what it is in, or that it is unknown.
 */

static bool names_selects(struct rs_session *s, const struct rs_initial_task *initial)
{
	struct rs_task_instance inst = { .task = { .tid = initial->tid, .pid = initial->pid,
						   .self = initial->self, .cgroup = initial->cgroup } };

	memcpy(inst.task.comm, initial->comm, sizeof inst.task.comm);
	rs_session_select(s, &inst);
	return inst.task.selected;
}

/* The call that the task was in, with its table; -1: none, or not known. */
static int64_t names_call_of(const struct rs_initial_task *initial)
{
	int64_t nr = initial->wait ? initial->wait->syscall : -1;

	return nr >= 0 && initial->abi == RS_ABI_COMPAT ? nr | RS_CALL_COMPAT : nr;
}

bool rs_unseen_next(const struct rs_ctx *c, size_t *at, struct rs_unseen *unseen)
{
	struct rs_session *s = c->session;

	while (s->states.on && *at < s->names.nr_initial) {
		const struct rs_initial_task *initial = s->names.snapshot[(*at)++];
		const struct rs_initial_wait *w = initial->wait;
		uint64_t seen_ns = initial->ts_ns ? initial->ts_ns : s->range.begin_ns;

		if (!initial->letter || s->names.seen[*at - 1] || !names_selects(s, initial))
			continue;
		*unseen = (struct rs_unseen){
			.tid = initial->tid, .pid = initial->pid, .comm = initial->comm,
			.cgroup = initial->cgroup, .letter = initial->letter,
			.kernel_thread = initial->kernel_thread, .named = w && w->named,
			.syscall = names_call_of(initial),
			.args = w && w->syscall >= 0 ? w->args : NULL,
			.wchan = w && w->wchan[0] ? w->wchan : NULL,
			.terminal = w && w->terminal,
			.seen_ns = seen_ns, .uncertain = rs_gaps_hit(&s->states.gaps, seen_ns, s->now_ns),
		};
		return true;
	}
	return false;
}
