// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/proc-args.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t proc_args_read_file(int dir_fd, const char *name, char *buf, size_t size_bytes)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, buf, size_bytes);

	if (fd >= 0)
		close(fd);
	return len > 0 ? (size_t)len : 0;
}

/* The name and a newline, which the name itself may hold too. */
static bool proc_args_is_called(int dir_fd, const char *comm)
{
	char text[64];
	size_t len = proc_args_read_file(dir_fd, "comm", text, sizeof text);

	return len == strlen(comm) + 1 && !memcmp(text, comm, len - 1);
}

/* Each word ends in NUL; a process that overwrites its own arguments leaves more NULs behind the last. */
static size_t proc_args_join_args(char *words, size_t len)
{
	while (len && !words[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		if (!words[i])
			words[i] = ' ';
	words[len] = '\0';
	return len;
}

size_t rs_proc_args(int32_t pid, const char *comm, char *buf, size_t size_bytes)
{
	char path[32];
	size_t len;
	int dir_fd;

	buf[0] = '\0';
	snprintf(path, sizeof path, "/proc/%d", pid);
	/* the open directory is this process for ever: one that gets its number later is not read through it */
	dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return 0;
	len = proc_args_read_file(dir_fd, "cmdline", buf, size_bytes - 1);
	/* asked afterwards: an exec in between has changed the name */
	len = len && proc_args_is_called(dir_fd, comm) ? proc_args_join_args(buf, len) : 0;
	close(dir_fd);
	buf[len] = '\0';
	return len;
}
