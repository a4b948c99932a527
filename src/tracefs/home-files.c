// SPDX-License-Identifier: GPL-2.0-or-later
/* home-files - files below the home of a user, opened by who has more rights than the user */
#include "tracefs/home-files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define HOME_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)

/* Opening a file of these waits for nobody on another machine. */
static const char *const home_local_types[] = { "ext2", "ext3",  "ext4", "xfs",     "btrfs", "f2fs",
						"zfs",  "tmpfs", "jfs",  "bcachefs" };

size_t rs_home_files_read(int fd, char *buf, size_t size_bytes)
{
	size_t len = 0;

	while (fd >= 0 && len < size_bytes) {
		struct iovec at = { buf + len, size_bytes - len };
		ssize_t n = preadv2(fd, &at, 1, -1, 0); /* read(2) is not among a guardian's calls */

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (fd >= 0)
		close(fd);
	return len;
}

/* Reads the whole file, and ends it as a text. False: it does not fit, or is not there. */
static bool home_read(const char *root, const char *file, char *buf, size_t size_bytes)
{
	char path[PATH_MAX];
	size_t len;

	snprintf(path, sizeof path, "%s%s", root, file);
	len = rs_home_files_read(open(path, O_RDONLY | O_CLOEXEC), buf, size_bytes - 1);
	buf[len] = '\0';
	return len && len < size_bytes - 1;
}

/* Sets *at to the n-th of the fields of a line, returns its length; 0: there is none. */
static size_t home_field(const char *line, const char *separator, unsigned int n, const char **at)
{
	size_t len = strcspn(line, separator);

	for (; n && line[len] == *separator; n--) {
		line += len + 1;
		len = strcspn(line, separator);
	}
	*at = line;
	return n ? 0 : len;
}

static const char *home_next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* "web:x:1000:1000:,,,:/home/web:/bin/sh". What mountinfo would write in another way is no home. */
static bool home_find(const char *passwd, uint32_t uid, char home[PATH_MAX])
{
	const char *at;

	for (const char *line = passwd; *line; line = home_next_line(line)) {
		size_t len = home_field(line, ":\n", 2, &at);

		if (!len || strtoul(at, NULL, 10) != uid)
			continue;
		len = home_field(line, ":\n", 5, &at);
		if (!len || len >= PATH_MAX || *at != '/')
			return false;
		memcpy(home, at, len);
		home[len] = '\0';
		return !home[strcspn(home, " \t\\")];
	}
	return false;
}

static bool home_is_below(const char *path, const char *mount, size_t len)
{
	return len == 1 || (!strncmp(path, mount, len) && (!path[len] || path[len] == '/'));
}

static bool home_is_local_type(const char *type, size_t len)
{
	for (size_t i = 0; i < sizeof home_local_types / sizeof *home_local_types; i++)
		if (strlen(home_local_types[i]) == len && !memcmp(type, home_local_types[i], len))
			return true;
	return false;
}

/* "36 35 98:0 /root /home rw,noatime master:1 - ext4 /dev/sda1 rw"; what is mounted last is on top. */
static bool home_is_local(const char *mountinfo, const char *home)
{
	const char *mount, *dash, *type;
	size_t max_len = 0;
	bool is_local = false;

	for (const char *line = mountinfo; *line; line = home_next_line(line)) {
		size_t len = home_field(line, " \n", 4, &mount);

		dash = len ? strstr(mount, " - ") : NULL;
		if (!dash || dash > mount + strcspn(mount, "\n") || len < max_len ||
		    !home_is_below(home, mount, len))
			continue;
		max_len = len;
		len = home_field(dash + strlen(" - "), " \n", 0, &type);
		is_local = home_is_local_type(type, len);
	}
	return is_local;
}

/* Opens each folder of the path by itself, so that no link is followed. */
static int home_walk(const char *root, const char *path)
{
	int dir = open(*root ? root : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (dir >= 0 && *path) {
		char name[NAME_MAX + 1];
		size_t len;
		int next;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : 0), path);
		path += len;
		next = *name ? openat(dir, name, HOME_FLAGS | (*path ? O_DIRECTORY : 0)) : -1;
		close(dir);
		dir = next;
	}
	return dir;
}

static bool home_is_own_file(int fd, uint32_t uid)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == uid;
}

int rs_home_files_open(const char *root, uint32_t uid, const char *file, char *buf, size_t size_bytes)
{
	char home[PATH_MAX], path[PATH_MAX];
	int fd, len;

	if (!home_read(root, "/etc/passwd", buf, size_bytes) || !home_find(buf, uid, home) ||
	    !home_read(root, "/proc/self/mountinfo", buf, size_bytes) || !home_is_local(buf, home))
		return -1;
	len = snprintf(path, sizeof path, "%s/%s", home, file);
	fd = len > 0 && (size_t)len < sizeof path ? home_walk(root, path) : -1;
	if (fd >= 0 && !home_is_own_file(fd, uid)) {
		close(fd);
		fd = -1;
	}
	return fd;
}
