// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * find - where tracefs is, or why it cannot be had
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tracefs/file.h"
#include "tracefs/tracefs.h"

#define TRACEFS "/sys/kernel/tracing"
#define DEBUGFS "/sys/kernel/debug"

static char found[PATH_MAX];

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
	int fd = rs_file_open(path, "instances", O_RDONLY | O_DIRECTORY);

	if (fd >= 0) {
		close(fd);
		fd = rs_file_open(path, "events/header_page", O_RDONLY);
	}
	if (fd < 0)
		return fail_closed(err, path, -fd);
	close(fd);
	return 0;
}

/* A debugfs mounts tracefs by itself when its "tracing" folder is walked into. */
static bool candidate(const struct mntent *m, char *path, size_t size)
{
	int len = -1;

	if (!strcmp(m->mnt_type, "tracefs"))
		len = snprintf(path, size, "%s", m->mnt_dir);
	else if (!strcmp(m->mnt_type, "debugfs"))
		len = snprintf(path, size, "%s/tracing", m->mnt_dir);
	return len > 0 && (size_t)len < size;
}

/* The first mount that works; err holds why the first one did not. */
static bool find_mounted(struct rs_error *err)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char line[2 * PATH_MAX], path[PATH_MAX];
	struct mntent m;
	bool ok = false;

	while (mounts && !ok && getmntent_r(mounts, &m, line, sizeof line)) {
		if (!candidate(&m, path, sizeof path))
			continue;
		ok = check_usable(path, err) == 0;
		if (ok)
			memcpy(found, path, sizeof found);
	}
	if (mounts)
		endmntent(mounts);
	return ok;
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
 * Our mount is for us alone, in a mount namespace of our own, so that none stays
 * behind. "Slave", not "private": what the host mounts later is still seen by a
 * command that is launched from here; what we mount never reaches the host.
 */
static int mount_own(struct rs_error *err)
{
	const char *type = "tracefs", *at = TRACEFS;

	if (unshare(CLONE_NEWNS) < 0)
		return fail_mount(err, "unshare", errno);
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return fail_mount(err, "private mounts", errno);
	if (access(at, F_OK) < 0) {
		type = "debugfs";
		at = DEBUGFS;
	}
	if (mount(type, at, type, MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL) < 0 && errno != EBUSY)
		return fail_mount(err, at, errno);
	snprintf(found, sizeof found, "%s%s", at, strcmp(at, TRACEFS) ? "/tracing" : "");
	if (check_usable(found, err) == 0)
		return 0;
	found[0] = '\0';
	return -1;
}

const char *rs_tracefs_find(struct rs_error *err)
{
	struct rs_error why = { 0 };

	if (found[0])
		return found;
	if (find_mounted(&why))
		return found;
	if (why.status) {
		rs_fail(err, "%s", why.text);
		return NULL;
	}
	return mount_own(err) < 0 ? NULL : found;
}
