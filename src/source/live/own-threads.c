// SPDX-License-Identifier: GPL-2.0-or-later
/* own-threads - what /proc says of threads of this process: do they run, wait for a CPU, or sleep? */
#include "source/live/own-threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/live/proc.h"

/* "TID (COMM) STATE ..."; COMM may hold anything. */
static char own_threads_read_state(const char *path)
{
	char text[256], *end;

	rs_proc_read(AT_FDCWD, path, text, sizeof text);
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

char rs_own_threads_state(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	return own_threads_read_state(path);
}

char rs_own_threads_process_state(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	return own_threads_read_state(path);
}

/* "CPU_NS WAIT_NS SLICES" */
uint64_t rs_own_threads_wait_ns(pid_t tid)
{
	char path[64], text[128];
	uint64_t wait_ns;

	snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", tid);
	rs_proc_read(AT_FDCWD, path, text, sizeof text);
	return sscanf(text, "%*u %" SCNu64, &wait_ns) == 1 ? wait_ns : 0;
}

/* Names that are no numbers ("." and "..") give 0, which is no thread. */
bool rs_own_threads_any_goes_on(bool (*counts)(const void *arg, pid_t tid), const void *arg)
{
	int dir_fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct dirent64) char entries[2048];
	bool any = false;
	ssize_t len;
	char state;

	while (dir_fd >= 0 && !any && (len = getdents64(dir_fd, entries, sizeof entries)) > 0) {
		for (ssize_t at = 0; at < len && !any; at += ((struct dirent64 *)(entries + at))->d_reclen) {
			pid_t tid = (pid_t)strtol(((struct dirent64 *)(entries + at))->d_name, NULL, 10);

			state = tid > 0 && counts(arg, tid) ? rs_own_threads_state(tid) : 0;
			any = state == 'R' || state == 'D';
		}
	}
	if (dir_fd >= 0)
		close(dir_fd);
	return any;
}
