/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-task.h - tasks as keys of rows: --by comm, pid, tid, cgroup and its names
 */
#ifndef RS_ENGINE_STORE_STORE_TASK_H
#define RS_ENGINE_STORE_STORE_TASK_H

#include "model/group.h"
#include "ringside/plugin.h"

/* Which columns of a task are keys. */
struct rs_store_by_task {
	bool comm, pid, tid;
	unsigned int groups; /* bit n: RS_KEY_CGROUP + n */
};

#define RS_STORE_TASK_COLUMNS (RS_KEY_POD - RS_KEY_COMM + 1)
#define RS_STORE_TASK_NAMES (RS_KEY_POD - RS_KEY_CGROUP + 1)

/* The first task of a group, and whether all others are in its control group. */
struct rs_store_task {
	char comm[RS_COMM_LEN];
	int32_t pid, tid;                 /* pid 0: unknown */
	const char *cgroup;               /* NULL: unknown */
	bool cgroups_differ;
};

/*
 * Adds the task's part of the key; t NULL: an evicted task, of which all columns are null. A process whose
 * pid is unknown is kept apart by its tid: tasks are not merged unless they are known to be of one process.
 */
void rs_store_task_key(const struct rs_store_by_task *by, struct rs_ctx *c, const struct rs_task *t,
		       struct rs_group_key *k);
/* t NULL: an evicted task. */
struct rs_store_task rs_store_task_of(const struct rs_store_by_task *by, struct rs_ctx *c,
				      const struct rs_task *t);
/* Another task of the same group; NULL: an evicted one. */
void rs_store_task_add(struct rs_store_task *task, const struct rs_task *t);
/* Sets the values in the order of enum rs_column_key, from RS_KEY_COMM on. */
void rs_store_task_values(const struct rs_store_by_task *by, struct rs_ctx *c,
			  const struct rs_store_task *task,
			  char names[RS_STORE_TASK_NAMES][RS_CELL_TEXT_BYTES],
			  struct rs_value values[RS_STORE_TASK_COLUMNS]);

#endif
