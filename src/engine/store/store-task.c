// SPDX-License-Identifier: GPL-2.0-or-later
/* store-task - tasks as keys of rows: --by comm, pid, tid */
#include "engine/store/store-task.h"

#include "base/buf.h"
#include "ringside/plugin.h"

/* A process has the name of its first thread, a thread its own. */
static const char *store_comm_of(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t)
{
	return by->pid && !by->tid ? rs_task_process_comm(c, t) : t->comm;
}

void rs_store_task_key(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t,
		       struct rs_group_key *k)
{
	if (!t) {
		if (by->comm || by->pid || by->tid)
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
}

struct rs_store_task rs_store_task_of(const struct rs_store_by_task *by, struct rs_ctx *c,
				      const struct rs_task *t)
{
	struct rs_store_task task = { .pid = t ? t->pid : 0, .tid = t ? t->tid : 0 };

	if (t)
		rs_copy(task.comm, sizeof task.comm, store_comm_of(by, c, t));
	return task;
}

void rs_store_task_values(const struct rs_store_by_task *by, const struct rs_store_task *task,
			  struct rs_value values[3])
{
	/* one process, or one thread, has one name: it is shown though it is no key of its own */
	values[0] = by->comm || by->pid || by->tid ? rs_s(task->comm) : rs_null();
	values[1] = rs_u_if((by->pid || by->tid) && task->pid, (uint64_t)task->pid);
	values[2] = rs_u_if(task->tid && (by->tid || (by->pid && !task->pid)), (uint64_t)task->tid);
}
