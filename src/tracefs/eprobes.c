// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * eprobes - events of a session's own, which read the names of files as they are opened
 *
 * sys_enter tells where a file's name lies in the memory of the process. An eprobe (kernels 5.15 and later, if built with probes)
 * is attached to that event, and reads the name in the kernel, at once. From Linux 6.0 on, and in 6.1 still, it took one byte of the
 * pointer for the whole: there, and where there are no eprobes, a kprobe at the function behind these calls reads it. A probe belongs to
 * no instance: its group is ringside_PID_TIME, so that no two sessions share one. Who can remove instances removes the group with them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "tracefs/tracefs-file.h"

#define DYNAMIC_EVENTS "dynamic_events"
#define EPROBES_PREFIX "ringside_"
#define EPROBES_YOUNG_MS 10000u /* a session makes its instance within that time */

/* The calls that open a file by its name, and which field of syscalls:sys_enter_CALL points to it. */
static const struct { const char *call, *field; } eprobes_calls[RS_NR_EPROBES] = {
	{ "openat", "filename" }, { "open", "filename" }, { "openat2", "filename" }, { "creat", "pathname" },
};

static uint32_t eprobes_now_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint32_t)((uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000);
}

/* Never with O_TRUNC, which removes the probes of everybody. 0 or -errno. */
static int eprobes_write(int tracefs_fd, const char *file, const char *text)
{
	int fd = openat(tracefs_fd, file, O_WRONLY | O_APPEND | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = rs_tracefs_file_write_fd(fd, text);
	close(fd);
	return ret;
}

static bool eprobes_kernel_is(unsigned int from, unsigned int before)
{
	struct utsname u;
	unsigned int major, minor;

	return uname(&u) == 0 && sscanf(u.release, "%u.%u", &major, &minor) == 2 && major * 100 + minor >= from && major * 100 + minor < before;
}

static void eprobes_add(int tracefs_fd, struct rs_eprobes *probes, const char *name, const char *text)
{
	int ret = eprobes_write(tracefs_fd, DYNAMIC_EVENTS, text);

	if (!ret)
		probes->names[probes->nr++] = name;
	RS_LOG(RS_LOG_TRACEFS, "probe '%s': %s", text, ret ? strerror(-ret) : "made");
}

static void eprobes_add_calls(const char *tracefs, int tracefs_fd, struct rs_eprobes *probes)
{
	char name[64], text[160];

	for (int i = 0; i < RS_NR_EPROBES; i++) {
		snprintf(name, sizeof name, "sys_enter_%s", eprobes_calls[i].call);
		snprintf(text, sizeof text, "e:%s/%s syscalls/%s filename=+0($%s):ustring", probes->group, eprobes_calls[i].call, name, eprobes_calls[i].field);
		if (rs_tracefs_has_event(tracefs, "syscalls", name))
			eprobes_add(tracefs_fd, probes, eprobes_calls[i].call, text);
	}
}

/* README lists the syntax of what the kernel can. */
unsigned int rs_eprobes_make(const char *tracefs, struct rs_eprobes *probes)
{
	char *readme = rs_tracefs_read(tracefs, "README", NULL), text[160];
	int fd = readme && strstr(readme, "ustring") ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	*probes = (struct rs_eprobes){ 0 };
	snprintf(probes->group, sizeof probes->group, EPROBES_PREFIX "%d_%u", (int)getpid(), (unsigned int)eprobes_now_ms());
	if (fd >= 0 && strstr(readme, "<attached-group>.<attached-event>") && !eprobes_kernel_is(600, 612))
		eprobes_add_calls(tracefs, fd, probes);
	snprintf(text, sizeof text, "p:%s/%s do_sys_openat2 filename=+0($arg2):ustring", probes->group, eprobes_calls->call);
	if (fd >= 0 && !probes->nr && strstr(readme, "$arg<N>"))
		eprobes_add(fd, probes, eprobes_calls->call, text);
	if (fd >= 0)
		close(fd);
	free(readme);
	return probes->nr;
}

/* Allocates nothing: guardians call it. EBUSY while the event is on, in an instance that is not removed yet. */
static void eprobes_remove(int tracefs_fd, const char *file, const char *group)
{
	char text[96];

	for (int i = 0; i < RS_NR_EPROBES; i++) {
		snprintf(text, sizeof text, "-:%s/%s", group, eprobes_calls[i].call);
		eprobes_write(tracefs_fd, file, text);
	}
}

void rs_eprobes_remove(int instances_fd, const struct rs_eprobes *probes)
{
	if (probes && probes->nr)
		eprobes_remove(instances_fd, "../" DYNAMIC_EVENTS, probes->group);
}

/* ---- what a session left when all its processes were killed at once ---- */

static bool eprobes_has_instance(const char *tracefs, int pid)
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

/* A session has its probes before its instance. */
void rs_eprobes_cleanup(const char *tracefs)
{
	char *list = rs_tracefs_read(tracefs, DYNAMIC_EVENTS, NULL), group[RS_EPROBE_GROUP_BYTES];
	int fd = list && strstr(list, ":" EPROBES_PREFIX) ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	unsigned int ms;
	int pid;

	for (const char *line = list; fd >= 0 && line; line = strchr(line, '\n'), line += line != NULL) {
		if (sscanf(line, "%*[ep]:" EPROBES_PREFIX "%d_%u/", &pid, &ms) != 2 || eprobes_has_instance(tracefs, pid) ||
		    eprobes_now_ms() - ms < EPROBES_YOUNG_MS)
			continue;
		snprintf(group, sizeof group, EPROBES_PREFIX "%d_%u", pid, ms);
		eprobes_remove(fd, DYNAMIC_EVENTS, group);
	}
	if (fd >= 0)
		close(fd);
	free(list);
}
