/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group-by.h - the part of a group's key that is a task: --by comm, pid, tid
 */
#ifndef RS_ENGINE_GROUP_BY_H
#define RS_ENGINE_GROUP_BY_H

#include "model/group.h"
#include "ringside/plugin.h"

struct rs_group_by {
	bool comm, pid, tid;   /* which of them are keys */
};

/* The first task of a group. */
struct rs_group_task {
	char comm[RS_COMM_LEN];
	int32_t pid, tid;      /* pid 0: unknown */
};

/*
 * Adds the task's part of the key; t NULL: an evicted task, whose comm, pid and tid are null. A process whose pid is unknown
 * is kept apart by its tid: tasks are not merged unless they are known to be of one process.
 */
void rs_group_by_key(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t, struct rs_group_key *k);
struct rs_group_task rs_group_by_task(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t);
/* Three values: comm, pid, tid. */
void rs_group_by_values(const struct rs_group_by *by, const struct rs_group_task *task, struct rs_value values[3]);

#endif
