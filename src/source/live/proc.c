// SPDX-License-Identifier: GPL-2.0-or-later
/* proc - files of /proc: a process' arguments and control group, and the memory of the machine */
#include "source/live/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/args-mask.h"
#include "base/comma-list.h"
#include "base/vector.h"
#include "source/process-args.h"
#include "source/trace-clock.h"
#include "tracefs/tracefs.h"

size_t rs_proc_read(int dir_fd, const char *path, char *text, size_t size_bytes)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, text, size_bytes - 1);

	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0 ? (size_t)len : 0;
}

/* ---- arguments ---- */

/* The name and a newline, which the name itself may hold too. */
static bool proc_is_called(int dir_fd, const char *comm)
{
	char text[64];
	size_t len = rs_proc_read(dir_fd, "comm", text, sizeof text);

	return len == strlen(comm) + 1 && !memcmp(text, comm, len - 1);
}

size_t rs_proc_args(int32_t pid, const char *comm, bool plain, char *buf, size_t size_bytes)
{
	char path[32], words[RS_PROCESS_ARGS_BYTES + 1];
	size_t len;
	int dir_fd;

	buf[0] = '\0';
	snprintf(path, sizeof path, "/proc/%d", pid);
	/*
	 * the open directory is this process for ever: one that gets its number later is not read through it
	 */
	dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return 0;
	len = rs_proc_read(dir_fd, "cmdline", words, sizeof words);
	/* asked afterwards: an exec in between has changed the name */
	len = len && proc_is_called(dir_fd, comm) ? rs_args_mask_put(words, len, !plain, buf, size_bytes) : 0;
	close(dir_fd);
	return len;
}

/* ---- control groups ---- */

/* Ranks a line "ID:CONTROLLERS:PATH"; with version 1 each controller may have a path of its own. */
static int rank_of(const char *controllers, const char *path)
{
	if (!strcmp(path, "/"))
		return 1;
	if (!*controllers)
		return 5;
	if (!strcmp(controllers, "name=systemd"))
		return 4;
	return !strcmp(controllers, "memory") ? 3 : 2;
}

/* A controller is in the unified hierarchy if it is in none of version 1. */
static void proc_add_controllers(const char *controllers, const char *path, struct rs_proc_cgroup *found,
				 const char **unified)
{
	static const char *const names[] = {
		[RS_CGROUP_CPU] = "cpu", [RS_CGROUP_MEMORY] = "memory", [RS_CGROUP_IO] = "blkio"
	};

	if (!*controllers)
		*unified = path;
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		if (rs_comma_list_has(controllers, names[i]))
			found->of[i] = path;
}

void rs_proc_cgroup_paths(char *text, struct rs_proc_cgroup *found)
{
	const char *unified = NULL;
	char *save = NULL;
	int best_rank = 0;

	*found = (struct rs_proc_cgroup){ 0 };
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':'),
		     *path = controllers ? strchr(controllers + 1, ':') : NULL;
		int rank;

		if (!path || path[1] != '/')
			continue;
		*path++ = '\0';
		proc_add_controllers(controllers + 1, path, found, &unified);
		rank = rank_of(controllers + 1, path);
		if (rank > best_rank) {
			best_rank = rank;
			found->path = path;
		}
	}
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		found->of[i] = found->of[i] ? found->of[i] : unified;
}

/* One copy of each path: there are a few, and many tasks in each. */
static const char *proc_cache_path(struct rs_task_snapshot *snapshot, const char *path)
{
	char *copy;

	for (size_t i = snapshot->nr_cgroups; i; i--)
		if (!strcmp(snapshot->cgroups[i - 1], path))
			return snapshot->cgroups[i - 1];
	if (!RS_VECTOR_RESERVE(&snapshot->cgroups, &snapshot->cgroups_room, snapshot->nr_cgroups + 1))
		return NULL;
	copy = strdup(path);
	if (copy)
		snapshot->cgroups[snapshot->nr_cgroups++] = copy;
	return copy;
}

static void proc_read_cgroup(struct rs_task_snapshot *snapshot, const char *proc, struct rs_initial_task *row)
{
	char path[256], text[8192];
	struct rs_proc_cgroup found;

	snprintf(path, sizeof path, "%s/%d/cgroup", proc, row->pid);
	rs_proc_read(AT_FDCWD, path, text, sizeof text);
	rs_proc_cgroup_paths(text, &found);
	row->cgroup = found.path ? proc_cache_path(snapshot, found.path) : NULL;
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		row->cgroup_of[i] = found.of[i] && strcmp(found.of[i], found.path) != 0 ?
					    proc_cache_path(snapshot, found.of[i]) :
					    NULL;
}

/* The threads of a process come behind its first one, and are where that is. */
void rs_proc_cgroups(struct rs_task_snapshot *snapshot, const char *proc)
{
	const struct rs_initial_task *first = NULL;

	for (struct rs_initial_task *row = snapshot->row; row < snapshot->row + snapshot->nr; row++) {
		if (first && first->pid == row->pid) {
			row->cgroup = first->cgroup;
			memcpy(row->cgroup_of, first->cgroup_of, sizeof row->cgroup_of);
			continue;
		}
		proc_read_cgroup(snapshot, proc, row);
		first = row;
	}
}

/* ---- memory of the machine ---- */

/* Both files count KiB; pgpgin and pgpgout too, since the kernel converts sectors for them. */
static const struct {
	const char *file, *key;
	unsigned int unit;
} keys[RS_NR_GAUGES] = {
	[RS_GAUGE_TOTAL] = { "meminfo", "MemTotal:", 1024 },
	[RS_GAUGE_FREE] = { "meminfo", "MemFree:", 1024 },
	[RS_GAUGE_AVAILABLE] = { "meminfo", "MemAvailable:", 1024 },
	[RS_GAUGE_BUFFERS] = { "meminfo", "Buffers:", 1024 },
	[RS_GAUGE_CACHED] = { "meminfo", "Cached:", 1024 },
	[RS_GAUGE_RECLAIMABLE] = { "meminfo", "SReclaimable:", 1024 },
	[RS_GAUGE_COMMITTED] = { "meminfo", "Committed_AS:", 1024 },
	[RS_GAUGE_MAPPED] = { "meminfo", "Mapped:", 1024 },
	[RS_GAUGE_SHARED] = { "meminfo", "Shmem:", 1024 },
	[RS_GAUGE_DIRTY] = { "meminfo", "Dirty:", 1024 },
	[RS_GAUGE_SWAP_TOTAL] = { "meminfo", "SwapTotal:", 1024 },
	[RS_GAUGE_SWAP_FREE] = { "meminfo", "SwapFree:", 1024 },
	[RS_GAUGE_FAULTS] = { "vmstat", "pgfault", 1 },
	[RS_GAUGE_MAJOR_FAULTS] = { "vmstat", "pgmajfault", 1 },
	[RS_GAUGE_PAGE_IN_BYTES] = { "vmstat", "pgpgin", 1024 },
	[RS_GAUGE_PAGE_OUT_BYTES] = { "vmstat", "pgpgout", 1024 },
};

/* The number behind a line's first word, which is the whole of key. */
static bool proc_number_of(const char *text, const char *key, uint64_t *nr)
{
	size_t len = strlen(key);
	char *end;

	for (const char *at = text; at && *at; at = strchr(at, '\n'), at += at != NULL) {
		if (strncmp(at, key, len) || !strchr(" \t", at[len]) || !at[len])
			continue;
		errno = 0;
		*nr = strtoull(at + len, &end, 10);
		return !errno && end != at + len;
	}
	return false;
}

static void proc_read_file(struct rs_gauges *g, const char *dir, const char *file)
{
	char *text = rs_tracefs_read(dir, file, NULL);
	uint64_t nr;

	for (int i = 0; i < RS_NR_GAUGES; i++)
		if (!strcmp(keys[i].file, file))
			g->value[i] = proc_number_of(text, keys[i].key, &nr) ? rs_u(nr * keys[i].unit)
				: rs_null();
	free(text);
}

void rs_proc_gauges(struct rs_gauges *g, const char *dir, const clockid_t *clock)
{
	g->time_ns = clock ? rs_u(rs_trace_clock_ns(*clock)) : rs_null();
	proc_read_file(g, dir, "meminfo");
	proc_read_file(g, dir, "vmstat");
}
