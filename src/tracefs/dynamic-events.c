// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dynamic-events - events that a session defines: eprobes, and probes of a program's functions
 *
 * Such an event belongs to no instance: its group is ringside_PID_TIME, so that no two sessions share one.
 * Who can remove instances removes the group with them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "tracefs/tracefs-file.h"

#define DYNAMIC_EVENTS "dynamic_events"
#define GROUP_PREFIX "ringside_"
#define DYNAMIC_YOUNG_MS 10000u   /* a session makes its instance within that time */
#define DYNAMIC_BUSY_TRIES 100 /* of 10 ms: the kernel closes the files of a process that ends one by one */

static uint32_t dynamic_now_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint32_t)((uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000);
}

/* Never with O_TRUNC, which removes the probes of everybody. 0 or -errno. */
static int dynamic_write(int tracefs_fd, const char *file, const char *text)
{
	int fd = openat(tracefs_fd, file, O_WRONLY | O_APPEND | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = rs_tracefs_file_write_fd(fd, text);
	close(fd);
	return ret;
}

int rs_dynamic_events_add(const char *tracefs, struct rs_dynamic_events *d, char type, const char *name,
			  const char *definition)
{
	char text[RS_DYNAMIC_TEXT_BYTES];
	int fd, ret, len;

	if (!d->nr)
		snprintf(d->group, sizeof d->group, GROUP_PREFIX "%d_%u", (int)getpid(),
			 (unsigned int)dynamic_now_ms());
	if (d->nr == RS_MAX_DYNAMIC_EVENTS || strlen(name) >= sizeof d->names[0])
		return -ENOSPC;
	len = snprintf(text, sizeof text, "%c:%s/%s %s", type, d->group, name, definition);
	fd = len > 0 && (size_t)len < sizeof text ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0)
		return -ENAMETOOLONG;
	ret = dynamic_write(fd, DYNAMIC_EVENTS, text);
	close(fd);
	if (!ret && (!d->nr || strcmp(d->names[d->nr - 1], name) != 0)) /* an event may have several probes */
		strcpy(d->names[d->nr++], name);
	RS_LOG(RS_LOG_TRACEFS, "event '%s': %s", text, ret ? strerror(-ret) : "made");
	return ret;
}

/*
 * Allocates nothing: guardians call it. EBUSY while the event is on, in an instance or a process that ends.
 */
static void dynamic_remove(int tracefs_fd, const char *file, const char *group, const char *name,
			   int nr_tries)
{
	char text[96];

	snprintf(text, sizeof text, "-:%s/%s", group, name);
	while (dynamic_write(tracefs_fd, file, text) == -EBUSY && --nr_tries > 0)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

void rs_dynamic_events_remove(int instances_fd, const struct rs_dynamic_events *d)
{
	for (unsigned int i = 0; d && i < d->nr; i++)
		dynamic_remove(instances_fd, "../" DYNAMIC_EVENTS, d->group, d->names[i], DYNAMIC_BUSY_TRIES);
}

/* ---- what a session left when all its processes were killed at once ---- */

static bool dynamic_has_instance(const char *tracefs, int pid)
{
	char path[64];

	snprintf(path, sizeof path, "instances/ringside-%d", pid);
	for (unsigned int suffix = 1; suffix <= 3; suffix++) {
		if (rs_tracefs_file_exists(tracefs, path))
			return true;
		snprintf(path, sizeof path, "instances/ringside-%d.%u", pid, suffix);
	}
	return false;
}

/* A session has its events before its instance. */
void rs_dynamic_events_cleanup(const char *tracefs)
{
	char *list = rs_tracefs_read(tracefs, DYNAMIC_EVENTS, NULL), name[RS_DYNAMIC_NAME_BYTES],
	     group[RS_DYNAMIC_GROUP_BYTES];
	int fd = list && strstr(list, ":" GROUP_PREFIX) ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) :
							  -1;
	unsigned int ms;
	int pid;

	for (const char *line = list; fd >= 0 && line; line = strchr(line, '\n'), line += line != NULL) {
		if (sscanf(line, "%*[epr]:" GROUP_PREFIX "%d_%u/%23[^ \n]", &pid, &ms, name) != 3 ||
		    dynamic_has_instance(tracefs, pid) || dynamic_now_ms() - ms < DYNAMIC_YOUNG_MS)
			continue;
		snprintf(group, sizeof group, GROUP_PREFIX "%d_%u", pid, ms);
		dynamic_remove(fd, DYNAMIC_EVENTS, group, name, 1);
	}
	if (fd >= 0)
		close(fd);
	free(list);
}
