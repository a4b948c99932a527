// SPDX-License-Identifier: GPL-2.0-or-later
/* store-task - tasks as keys of rows: --by comm, pid, tid, cgroup and its names */
#include "engine/store/store-task.h"

#include <string.h>

#include "base/buf.h"
#include "ringside/plugin.h"

/* A process has the name of its first thread, a thread its own. */
static const char *store_comm_of(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t)
{
	return by->pid && !by->tid ? rs_task_process_comm(c, t) : t->comm;
}

static void store_task_add_cgroup(const struct rs_store_by_task *by, struct rs_ctx *c, const char *cgroup,
				  struct rs_group_key *k)
{
	char name[RS_CELL_TEXT_BYTES];

	for (unsigned int i = 0; i < RS_STORE_TASK_NAMES; i++)
		if (by->groups >> i & 1) {
			struct rs_value v = rs_cgroup_value(c, cgroup, RS_KEY_CGROUP + i, name);

			rs_group_key_str(k, v.known ? v.s : "");
		}
}

void rs_store_task_key(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t,
		       struct rs_group_key *k)
{
	if (!t) {
		if (by->comm || by->pid || by->tid || by->groups)
			rs_group_key_u64(k, UINT64_MAX);
		return;
	}
	if (by->comm)
		rs_group_key_str(k, store_comm_of(by, c, t));
	if (by->pid && !t->pid) {
		rs_group_key_u64(k, 1ull << 32 | (uint32_t)t->tid);
		rs_group_key_u64(k, t->inst);
	} else if (by->pid) {
		rs_group_key_u64(k, (uint32_t)t->pid);
	}
	if (by->tid) {
		rs_group_key_u64(k, (uint32_t)t->tid);
		rs_group_key_u64(k, t->inst);
	}
	if (by->groups)
		store_task_add_cgroup(by, c, t->cgroup, k);
}

struct rs_store_task rs_store_task_of(const struct rs_store_by_task *by, struct rs_ctx *c,
				      const struct rs_task *t)
{
	struct rs_store_task task = { .cgroup = NULL };

	if (!t)
		return task;
	task = (struct rs_store_task){ .pid = t->pid, .tid = t->tid, .cgroup = t->cgroup };
	rs_copy(task.comm, sizeof task.comm, store_comm_of(by, c, t));
	return task;
}

void rs_store_task_add(struct rs_store_task *task, const struct rs_task *t)
{
	const char *cgroup = t ? t->cgroup : NULL;

	if (cgroup != task->cgroup && (!cgroup || !task->cgroup || strcmp(cgroup, task->cgroup) != 0))
		task->cgroups_differ = true;
}

void rs_store_task_values(const struct rs_store_by_task *by, struct rs_ctx *c,
			  const struct rs_store_task *task,
			  char names[RS_STORE_TASK_NAMES][RS_CELL_TEXT_BYTES],
			  struct rs_value values[RS_STORE_TASK_COLUMNS])
{
	/* one process, or one thread, has one name: it is shown though it is no key of its own */
	values[0] = by->comm || by->pid || by->tid ? rs_s(task->comm) : rs_null();
	values[1] = rs_u_if((by->pid || by->tid) && task->pid, (uint64_t)task->pid);
	values[2] = rs_u_if(task->tid && (by->tid || (by->pid && !task->pid)), (uint64_t)task->tid);
	/* groups that differ have the name in common that is a key; the path is none of theirs */
	for (unsigned int i = 0; i < RS_STORE_TASK_NAMES; i++)
		values[3 + i] = task->cgroups_differ && (!i || !(by->groups >> i & 1)) ?
					rs_null() :
					rs_cgroup_value(c, task->cgroup, RS_KEY_CGROUP + i, names[i]);
}
