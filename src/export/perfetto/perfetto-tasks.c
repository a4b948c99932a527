// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-tasks.c - processes and threads: when each began, and what it is called
 *
 * Readers make a thread of each task_newtask, and find it by its tid at that time: what is said of a tid
 * before its birth is another thread's, so that all that describes a thread bears the time of its birth. As
 * its name they take the latest that an event of the scheduler says, unless the process tree or a track has
 * one, which is final (cmdline_is_comm is one, too). So these name a thread only where no event does, and
 * this is known when the task has ended.
 *
 * A process has the parent that its task_newtask says; one that the process tree says makes another process,
 * if it differs.
 */
#include "export/perfetto/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"

/* Readers take what is no event of the kernel first where times are equal. */
uint64_t rs_perfetto_birth_ns(const struct rs_perfetto *pf, const struct rs_task *t)
{
	return t->birth_ns >= pf->scene.begin_ns ? t->birth_ns + 1 : pf->scene.begin_ns;
}

/* ---- the process tree ---- */

static char *tasks_put_process(char *p, const struct rs_initial_task *t, const char *args)
{
	char *process;

	p = process = rs_proto_open(p, PF_TREE_PROCESSES);
	p = rs_proto_uint(p, PF_PROCESS_PID, (uint32_t)t->pid);
	if (t->ppid)
		p = rs_proto_uint(p, PF_PROCESS_PPID, (uint32_t)t->ppid);
	p = rs_proto_text(p, PF_PROCESS_CMDLINE, args ? args : t->comm, strlen(args ? args : t->comm));
	if (t->kernel_thread)
		p = rs_proto_uint(p, PF_PROCESS_IS_KTHREAD, 1);
	return rs_proto_close(process, p);
}

static char *tasks_put_thread(char *p, const struct rs_initial_task *t, bool with_name)
{
	char *thread;

	p = thread = rs_proto_open(p, PF_TREE_THREADS);
	p = rs_proto_uint(p, PF_THREAD_TID, (uint32_t)t->tid);
	if (with_name)
		p = rs_proto_text(p, PF_THREAD_NAME, t->comm, strlen(t->comm));
	p = rs_proto_uint(p, PF_THREAD_TGID, (uint32_t)t->pid);
	return rs_proto_close(thread, p);
}

enum tasks_part { TASKS_PROCESS = 1, TASKS_THREAD = 2, TASKS_NAMED = 4 };

static void tasks_put_tree(struct rs_perfetto *pf, uint64_t ts_ns, const struct rs_initial_task *t,
			   unsigned int parts)
{
	const char *args = parts & TASKS_PROCESS ? rs_process_cmdline(pf->scene.c, t->pid, t->comm) : NULL;
	char *p = rs_perfetto_open(pf, ts_ns, RS_PROTO_TEXT((args ? strlen(args) : 0) + 2 * RS_COMM_LEN)),
	     *tree;

	if (!p)
		return;
	p = tree = rs_proto_open(p, PF_PACKET_PROCESS_TREE);
	if (parts & TASKS_PROCESS)
		p = tasks_put_process(p, t, args);
	if (parts & TASKS_THREAD)
		p = tasks_put_thread(p, t, parts & TASKS_NAMED);
	rs_perfetto_close(pf, rs_proto_close(tree, p));
}

/* As in the other formats: readers leave out what has no name. */
static void tasks_set_comm(struct rs_initial_task *row, const char *comm)
{
	rs_copy(row->comm, sizeof row->comm, *comm ? comm : "[unknown]");
}

static struct rs_initial_task tasks_row(const struct rs_task *t)
{
	struct rs_initial_task row = { .tid = t->tid, .pid = t->pid ? t->pid : t->tid, .ppid = t->ppid,
				       .kernel_thread = t->kernel_thread };

	tasks_set_comm(&row, t->comm);
	return row;
}

/* The process of a thread has the name of its first thread, which need not be drawn, or known. */
static void tasks_list_process(struct rs_perfetto *pf, const struct rs_task *t)
{
	struct rs_task *leader = rs_task_find(pf->scene.c, t->pid);
	struct rs_initial_task row = { .tid = t->pid, .pid = t->pid, .ppid = t->ppid };

	if (leader && leader->pid == leader->tid) {
		rs_perfetto_list_task(pf, rs_scene_task_own(&pf->scene, leader), leader);
		return;
	}
	tasks_set_comm(&row, rs_task_process_comm(pf->scene.c, t));
	tasks_put_tree(pf, rs_perfetto_birth_ns(pf, t), &row, TASKS_PROCESS);
}

static void tasks_list(struct rs_perfetto *pf, struct rs_perfetto_task *d, const struct rs_task *t)
{
	const struct rs_initial_task row = tasks_row(t);

	d->is_listed = true;
	d->listed_pid = t->pid;
	if (row.pid != t->tid)
		tasks_list_process(pf, t);
	if (d->parent_tid)
		rs_perfetto_put_newtask(pf, t, d->parent_tid);
	d->is_named |= d->parent_tid != 0;
	d->has_newtask |= d->parent_tid != 0;
	d->parent_tid = 0;
	tasks_put_tree(pf, rs_perfetto_birth_ns(pf, t), &row, TASKS_THREAD);
}

void rs_perfetto_list_task(struct rs_perfetto *pf, struct rs_perfetto_task *d, const struct rs_task *t)
{
	if (t->pid && (!d->is_listed || d->listed_pid != t->pid))
		tasks_list(pf, d, t);
}

/* ---- names of threads that no event has named ---- */

#define TASKS_SEEN_TIDS (1u << 22) /* pid_max is at most this */

static void tasks_note_seen(struct rs_perfetto *pf, int32_t tid)
{
	if (!pf->seen_tids) {
		pf->seen_tids = calloc(TASKS_SEEN_TIDS / 64, sizeof *pf->seen_tids);
		pf->out->failed |= !pf->seen_tids;
	}
	if (pf->seen_tids && tid >= 0 && (uint32_t)tid < TASKS_SEEN_TIDS)
		pf->seen_tids[tid / 64] |= 1ull << tid % 64;
}

static bool tasks_was_seen(const struct rs_perfetto *pf, int32_t tid)
{
	return pf->seen_tids && (uint32_t)tid < TASKS_SEEN_TIDS && pf->seen_tids[tid / 64] >> tid % 64 & 1;
}

/* What was there before the recording is listed whether it is drawn or not. */
static bool tasks_is_needed(const struct rs_perfetto_task *d, const struct rs_task *t)
{
	return d->has_track || d->is_named || d->parent_tid || (!t->inst && !t->birth_ns);
}

/*
 * With its last name, which the arguments are found by. Of a fork readers have the name from events, and know
 * no arguments.
 */
static void tasks_describe_process(struct rs_perfetto *pf, const struct rs_perfetto_task *d,
				   const struct rs_task *t)
{
	struct rs_initial_task row = tasks_row(t);

	if (row.pid != row.tid || (d->has_newtask && !rs_task_cmdline(pf->scene.c, t)))
		return;
	if (d->has_newtask)
		row.ppid = d->forked_by;
	tasks_put_tree(pf, rs_perfetto_birth_ns(pf, t), &row, TASKS_PROCESS);
}

void rs_perfetto_end_task(struct rs_scene *s, const struct rs_scene_track *at)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	const struct rs_task *t = at->task;
	struct rs_perfetto_task *d = at->own;
	const struct rs_initial_task row = tasks_row(t);

	if (!d->is_listed && tasks_is_needed(d, t))
		tasks_list(pf, d, t);
	if (d->is_listed)
		tasks_describe_process(pf, d, t);
	if (d->is_listed && !d->is_named)
		tasks_put_tree(pf, rs_perfetto_birth_ns(pf, t), &row, TASKS_THREAD | TASKS_NAMED);
	d->is_named = true;
	if (!t->inst)
		tasks_note_seen(pf, t->tid);
}

/* Those that no event was about are no tasks of the session. */
void rs_perfetto_list_unseen(struct rs_perfetto *pf)
{
	for (size_t i = 0; i < pf->scene.info->nr_initial; i++) {
		const struct rs_initial_task *t = &pf->scene.info->snapshot[i];
		unsigned int parts = TASKS_THREAD | (t->comm[0] ? TASKS_NAMED : 0) |
				     (t->pid == t->tid ? TASKS_PROCESS : 0);

		if (t->pid > 0 && t->tid > 0 && !tasks_was_seen(pf, t->tid))
			tasks_put_tree(pf, pf->scene.begin_ns, t, parts);
	}
	free(pf->seen_tids);
	pf->seen_tids = NULL;
}
