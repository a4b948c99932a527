// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracefs-find - finds tracefs, or says why it is not available
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <tracefs.h>
#include <unistd.h>

#include "tracefs/tracefs-file.h"
#include "tracefs/tracefs.h"

#define TRACEFS "/sys/kernel/tracing"

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
	ret = tracefs_tracing_dir_is_mounted(false, &mounted) > 0 && mounted ? use_dir(mounted, err) : mount_own(err);
	return ret < 0 ? NULL : mounted;
}
