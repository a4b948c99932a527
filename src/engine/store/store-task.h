/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-task.h - tasks as keys of rows: --by comm, pid, tid
 */
#ifndef RS_ENGINE_STORE_STORE_TASK_H
#define RS_ENGINE_STORE_STORE_TASK_H

#include "model/group.h"
#include "ringside/plugin.h"

/* Which columns of a task are keys. */
struct rs_store_by_task {
	bool comm, pid, tid;
};

/* The first task of a group. */
struct rs_store_task {
	char comm[RS_COMM_LEN];
	int32_t pid, tid;                 /* pid 0: unknown */
};

/*
 * Adds the task's part of the key; t NULL: an evicted task, whose comm, pid and tid are null. A process whose
 * pid is unknown is kept apart by its tid: tasks are not merged unless they are known to be of one process.
 */
void rs_store_task_key(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t,
		       struct rs_group_key *k);
/* t NULL: an evicted task. */
struct rs_store_task rs_store_task_of(const struct rs_store_by_task *by, struct rs_ctx *c,
				      const struct rs_task *t);
/* Sets three values: comm, pid, tid. */
void rs_store_task_values(const struct rs_store_by_task *by, const struct rs_store_task *task,
			  struct rs_value values[3]);

#endif
