/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - files of /proc: a process' arguments and control group, and the memory of the machine
 */
#ifndef RS_SOURCE_LIVE_PROC_H
#define RS_SOURCE_LIVE_PROC_H

#include <time.h>

#include "ringside/sample.h"
#include "source/live/task-snapshot.h"

/*
 * Reads the begin of a file, at most size_bytes - 1, and terminates it. Returns the length; 0 if it cannot be
 * read.
 */
size_t rs_proc_read(int dir_fd, const char *path, char *text, size_t size_bytes);

/*
 * Writes the words of /proc/PID/cmdline with a space between, terminated, and returns the length: cut at
 * RS_PROCESS_ARGS_BYTES; without secrets (base/args-mask.h) unless plain. Returns 0 if the process has gone,
 * may not be read, or is no longer called comm: then it may run another program by now. Hostile bytes.
 */
size_t rs_proc_args(int32_t pid, const char *comm, bool plain, char *buf, size_t size_bytes);

/*
 * Fills in .cgroup and .cgroup_of of the rows that rs_task_snapshot_read made; NULL where nothing can be
 * read. proc is "/proc".
 */
void rs_proc_cgroups(struct rs_task_snapshot *snapshot, const char *proc);

struct rs_proc_cgroup {
	/*
	 * the most specific one: that of the unified hierarchy (0::), or if it is "/", that of systemd, of
	 * the memory controller, or any other
	 */
	const char *path;
	/* of each controller: that of its hierarchy, or of the unified one */
	const char *of[RS_NR_CGROUP_CONTROLLERS];
};

/* Takes the paths from the text of /proc/PID/cgroup, which is written to and lives as long; NULL: no path. */
void rs_proc_cgroup_paths(char *text, struct rs_proc_cgroup *found);

/*
 * The machine's memory, from /proc/meminfo and /proc/vmstat; values that the files lack are null. clock NULL:
 * the trace clock cannot be read here. dir is "/proc".
 */
void rs_proc_gauges(struct rs_gauges *g, const char *dir, const clockid_t *clock);

#endif
