/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc-cgroups.h - the control group of each process that already lives, from /proc/PID/cgroup
 */
#ifndef RS_SOURCE_PROC_CGROUPS_H
#define RS_SOURCE_PROC_CGROUPS_H

#include "source/task-snapshot.h"

/* Fills in .cgroup of the rows that rs_task_snapshot_read made; where nothing can be read it stays NULL. */
void rs_proc_cgroups(struct rs_task_snapshot *snapshot, const char *proc);

/*
 * Of the text of /proc/PID/cgroup, which is written to, the path that says most: the unified hierarchy's (0::), or
 * where all of that is "/", systemd's, the memory controller's, or any other that is not. NULL: no path in it.
 */
const char *rs_proc_cgroup_path(char *text);

#endif
