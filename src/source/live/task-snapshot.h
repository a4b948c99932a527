/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-snapshot.h - the initial task snapshot: the tasks that exist when a capture begins, from /proc
 *
 * Read after tracing is on: later tasks are in the events, earlier ones are here, and a task that ends in
 * between is in one of them.
 */
#ifndef RS_SOURCE_LIVE_TASK_SNAPSHOT_H
#define RS_SOURCE_LIVE_TASK_SNAPSHOT_H

#include <sys/types.h>
#include <time.h>

#include "source/source.h"

struct rs_task_snapshot {
	struct rs_initial_task *row;
	size_t nr, room;
	char **cgroups;          /* what the rows' .cgroup point to, see proc.h */
	size_t nr_cgroups, cgroups_room;
	struct rs_initial_wait **waits; /* what the rows' .wait point to */
	size_t nr_waits, waits_room;
};

/* The tasks that the user named: for these it is read where they sleep, even outside of a system call. */
struct rs_initial_waits {
	const int32_t *pids, *tids;
	size_t nr_pids, nr_tids;
	bool abis;               /* and of every process, whether its program is of 32 bits */
};

/*
 * Appends a row for each thread, stamped by *clock; clock NULL, because it cannot be read here: ts_ns 0.
 * Marks rows of own_pids as self. waits NULL: does not read where tasks sleep. Returns -1 without /proc or
 * memory; keeps the rows so far.
 */
int rs_task_snapshot_read(struct rs_task_snapshot *snapshot, const clockid_t *clock, const pid_t *own_pids,
			  size_t nr_own_pids, const struct rs_initial_waits *waits);
/* One more row, all zero; NULL: no memory. */
struct rs_initial_task *rs_task_snapshot_add(struct rs_task_snapshot *snapshot);
int rs_task_snapshot_compare_tid(const void *a, const void *b); /* of rows, for qsort */
void rs_task_snapshot_done(struct rs_task_snapshot *snapshot);

#endif
