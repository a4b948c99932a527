/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group-by.h - tasks that merge under --by comm, pid, tid: key and key columns, the same for every view
 *
 *	struct sum { struct rs_group_task who; uint64_t calls; };
 *
 *	struct rs_group_by by = rs_group_by_of(query, (struct rs_group_by){ .pid = true });
 *	struct sum *s = rs_group_by_find(&by, ctx, groups, task);
 *	...
 *	rs_group_by_values(&by, &s->who, values);         // comm, pid, tid; null where merged
 */
#ifndef RINGSIDE_GROUP_BY_H
#define RINGSIDE_GROUP_BY_H

#include "group.h"
#include "plugin.h"

struct rs_group_by {
	bool comm, pid, tid;   /* keys that are kept */
	bool syscall, dev, type, lock_addr;
};

/* Who a group is, taken from its first task. */
struct rs_group_task {
	bool set;
	char comm[RS_COMM_LEN];
	int32_t pid, tid;      /* pid 0: unknown */
};

/* The keys of --by, or those of fallback where the user named none. */
struct rs_group_by rs_group_by_of(const struct rs_query *q, struct rs_group_by fallback);

/*
 * The task's group. It begins with a struct rs_group_task, which says whose it is; the rest is zeroed the first time.
 * t NULL: all that were evicted, one group of which comm, pid and tid are null. NULL: no memory.
 */
void *rs_group_by_find(const struct rs_group_by *by, struct rs_ctx *c, struct rs_groups *groups, const struct rs_task *t);

/*
 * The two of which that is made, for who groups by more. rs_group_by_key adds the task's part of the key. A process that
 * is not known is kept apart by its tid: what cannot be said to be one process is not merged.
 */
void rs_group_by_key(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t,
		     struct rs_group_key *k);
void rs_group_by_set_task(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t,
			  struct rs_group_task *task_of_group);
/* Three values: comm, pid, tid. */
void rs_group_by_values(const struct rs_group_by *by, const struct rs_group_task *task_of_group,
			struct rs_value values[3]);
/* "comm = x, pid = 3", "" where all is merged. */
void rs_group_by_label(const struct rs_group_by *by, const struct rs_group_task *task_of_group, char *buf,
		       size_t size_bytes);

/* Key columns for a view's table: comm, pid, tid. */
#define RS_GROUP_BY_COLUMNS \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "name of the process, or of the thread under --by tid", .key = RS_KEY_COMM }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID }, \
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID }

#endif
