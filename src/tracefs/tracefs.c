// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracefs - finds tracefs or says why it is not available, its control files, and instances that sessions
 * have left
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/buf.h"
#include "tracefs/tracefs-file.h"
#include "tracefs/tracefs.h"

#define TRACEFS "/sys/kernel/tracing"

/* ---- control files ---- */

int rs_tracefs_file_open(struct tracefs_instance *tracefs, const char *file, int flags)
{
	int fd;

	do {
		errno = ENOMEM; /* the library leaves errno unset where it cannot build the path */
		fd = tracefs_instance_file_open(tracefs, file, flags | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

int rs_tracefs_file_write(struct tracefs_instance *tracefs, const char *file, const char *text)
{
	int n;

	errno = ENOMEM;
	n = tracefs_instance_file_write(tracefs, file, text);
	if (n < 0)
		return -errno;
	return (size_t)n == strlen(text) ? 0 : -EIO;
}

int rs_tracefs_file_write_fd(int fd, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EIO;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/* DIR/FILE, and whether it fits. */
static bool file_path(char *path, size_t size, const char *dir, const char *file)
{
	int len = snprintf(path, size, "%s/%s", dir, file);

	return len > 0 && (size_t)len < size;
}

bool rs_tracefs_file_exists(const char *dir, const char *file)
{
	char path[PATH_MAX];

	return file_path(path, sizeof path, dir, file) && access(path, F_OK) == 0;
}

/* These files say size 0 in stat: read until there is no more. */
char *rs_tracefs_read(const char *tracefs, const char *file, size_t *len)
{
	struct rs_buf b = RS_BUF_INIT;
	char path[PATH_MAX];
	ssize_t n;
	int fd = file_path(path, sizeof path, tracefs, file) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return NULL;
	do {
		if (!rs_buf_reserve(&b, 4096)) {
			n = -1;
			break;
		}
		n = read(fd, b.data + b.len, 4096);
		if (n > 0)
			b.len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	close(fd);
	if (n < 0) {
		rs_buf_done(&b);
		return NULL;
	}
	b.data[b.len] = '\0';
	if (len)
		*len = b.len;
	return b.data;
}

bool rs_tracefs_has_event(const char *tracefs, const char *system, const char *name)
{
	char file[256], path[PATH_MAX];
	int len = snprintf(file, sizeof file, "events/%s/%s/enable", system, name);

	/* "enable" and not the folder: ftrace's own pseudo events have a folder and cannot be enabled. */
	return len > 0 && (size_t)len < sizeof file && !strchr(name, '/') && !strchr(system, '/') &&
	       file_path(path, sizeof path, tracefs, file) && access(path, F_OK) == 0;
}

/* ---- where it is ---- */

/* The library's string. Version 1.6.4 never frees it; a later one keeps it itself. Do not free it. */
static const char *mounted;
static bool usable;

/* The mode in brackets: "none [integrity] confidentiality". */
static bool locked_down(void)
{
	char *text = rs_tracefs_read("/sys/kernel/security", "lockdown", NULL);
	bool yes = text && strchr(text, '[') && !strstr(text, "[none]");

	free(text);
	return yes;
}

static int fail_closed(struct rs_error *err, const char *path, int errnum)
{
	if (geteuid() != 0 && (errnum == EACCES || errnum == EPERM))
		return rs_fail(err, "cannot open '%s': %s (run as root, with sudo)", path, strerror(errnum));
	if (locked_down() || errnum == EPERM)
		return rs_fail(err, "cannot open '%s': %s: the kernel is locked down and hides its "
			       "tracepoints (boot without Secure Boot, or with lockdown=none)",
			       path, strerror(errnum));
	if (errnum == ENOENT)
		return rs_fail(err, "'%s' is empty: the kernel shows no tracing there (in a container, pass "
			       "the host's " TRACEFS " in; else boot a kernel with CONFIG_FTRACE, "
			       "not locked down)", path);
	return rs_fail(err, "cannot open '%s': %s (see 'ringside doctor')", path, strerror(errnum));
}

/* Under lockdown the mount is there and empty, or full of files that refuse to be opened. */
static int check_usable(const char *path, struct rs_error *err)
{
	int fd = rs_tracefs_file_open(NULL, "instances", O_RDONLY | O_DIRECTORY);

	if (fd >= 0) {
		close(fd);
		fd = rs_tracefs_file_open(NULL, "events/header_page", O_RDONLY);
	}
	if (fd < 0)
		return fail_closed(err, path, -fd);
	close(fd);
	return 0;
}

/* From here on the library uses this directory. By itself it would mount tracefs for the whole machine. */
static int use_dir(const char *dir, struct rs_error *err)
{
	if (tracefs_set_tracing_dir((char *)dir) < 0)
		return rs_fail(err, "cannot use tracefs: out of memory");
	if (check_usable(dir, err) < 0)
		return -1;
	usable = true;
	return 0;
}

static int fail_mount(struct rs_error *err, const char *what, int errnum)
{
	if (errnum == ENODEV)
		return rs_fail(err, "this kernel has no tracefs (boot one built with CONFIG_FTRACE and "
			       "CONFIG_EVENT_TRACING, as the distributions' are)");
	if (errnum == EPERM && geteuid() != 0)
		return rs_fail(err, "tracefs is not mounted, and only root may mount it "
			       "(run as root, with sudo)");
	return rs_fail(err, "cannot mount tracefs: %s: %s (in a container, pass the host's " TRACEFS " in; "
		       "else as root: mount -t tracefs tracefs " TRACEFS ")", what, strerror(errnum));
}

/*
 * The mount is in a mount namespace of its own, so that nothing stays
 * behind. "Slave", not "private": what the host mounts later is still seen by a
 * command that is launched from here; what we mount never reaches the host.
 */
static int mount_own(struct rs_error *err)
{
	if (unshare(CLONE_NEWNS) < 0)
		return fail_mount(err, "unshare", errno);
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return fail_mount(err, "private mounts", errno);
	errno = 0;
	if (tracefs_tracing_dir_is_mounted(true, &mounted) < 0 || !mounted)
		return fail_mount(err, TRACEFS, errno);
	return use_dir(mounted, err);
}

const char *rs_tracefs_find(struct rs_error *err)
{
	int ret;

	if (usable)
		return mounted;
	ret = tracefs_tracing_dir_is_mounted(false, &mounted) > 0 && mounted ? use_dir(mounted, err) :
									       mount_own(err);
	return ret < 0 ? NULL : mounted;
}

/*
 * ---- instances that a session left when all its processes were killed at once ----
 *
 * rmdir is the test: the kernel says EBUSY while any process holds a file of the instance. No pid is
 * compared: pids are reused and belong to namespaces.
 */

/* 1: removed; 0: busy, or another was quicker. */
static int remove_instance(const char *name, unsigned int *nr_busy)
{
	struct tracefs_instance *in = tracefs_instance_alloc(NULL, name);
	int ret = in ? tracefs_instance_destroy(in) : -1, why = errno;

	tracefs_instance_free(in);
	if (in && ret < 0 && why == EBUSY)
		(*nr_busy)++;
	return in && !ret;
}

int rs_tracefs_cleanup(unsigned int *nr_busy)
{
	char **names = tracefs_instances(NULL); /* of a pattern 1.6.4 frees nothing */
	int nr_closed = 0;

	*nr_busy = 0;
	for (char **name = names; name && *name; name++)
		if (!strncmp(*name, "ringside-", 9))
			nr_closed += remove_instance(*name, nr_busy);
	tracefs_list_free(names);
	if (mounted)
		rs_dynamic_events_cleanup(mounted);
	return nr_closed;
}
