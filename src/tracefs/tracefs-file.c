// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracefs/tracefs-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/buf.h"
#include "tracefs/tracefs.h"

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
