// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/proc-cgroups.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vector.h"

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

const char *rs_proc_cgroup_path(char *text)
{
	const char *best = NULL;
	char *save = NULL;
	int best_rank = 0;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
		int rank;

		if (!path || path[1] != '/')
			continue;
		*path++ = '\0';
		rank = rank_of(controllers + 1, path);
		if (rank > best_rank) {
			best_rank = rank;
			best = path;
		}
	}
	return best;
}

/* One copy of each path: there are a few, and many tasks in each. */
static const char *proc_cgroups_cache_path(struct rs_task_snapshot *snapshot, const char *path)
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

static const char *read_cgroup(struct rs_task_snapshot *snapshot, const char *proc, int32_t pid)
{
	char path[256], text[8192];
	const char *group;
	ssize_t len;
	int fd;

	snprintf(path, sizeof path, "%s/%d/cgroup", proc, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = read(fd, text, sizeof text - 1);
	close(fd);
	if (len <= 0)
		return NULL;
	text[len] = '\0';
	group = rs_proc_cgroup_path(text);
	return group ? proc_cgroups_cache_path(snapshot, group) : NULL;
}

/* The threads of a process come behind its first one, and are where that is. */
void rs_proc_cgroups(struct rs_task_snapshot *snapshot, const char *proc)
{
	const char *group = NULL;
	int32_t pid = 0;

	for (size_t i = 0; i < snapshot->nr; i++) {
		struct rs_initial_task *row = &snapshot->row[i];

		if (row->pid != pid) {
			pid = row->pid;
			group = read_cgroup(snapshot, proc, pid);
		}
		row->cgroup = group;
	}
}
