// SPDX-License-Identifier: GPL-2.0-or-later
/* output-place - the folder that a file is written in, open, and the file's name there */
#include "base/output-place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/close.h"

#define OUTPUT_PLACE_MAX_LINKS 40 /* as the kernel */

/* rest: what is still to be looked up, from the folder on. */
struct lookup {
	struct rs_output_place *place;
	char rest[PATH_MAX];
	unsigned int nr_links;
};

static bool output_place_is_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool output_place_is_trusted(int folder_fd, const struct stat *link)
{
	struct stat folder;

	if (geteuid() != 0 || link->st_uid == 0)
		return true;
	return fstat(folder_fd, &folder) == 0 && folder.st_uid == 0 &&
	       !(folder.st_mode & (S_IWGRP | S_IWOTH));
}

static int output_place_enter(struct lookup *l, int folder, const char *name)
{
	int fd = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), errnum = errno;

	rs_close(&l->place->folder_fd);
	l->place->folder_fd = fd;
	return fd < 0 ? -errnum : 0;
}

/* The link's text comes in the place of its name. link_fd: so that it is the link that was checked. */
static int output_place_follow(struct lookup *l, int link_fd, const struct stat *link, const char *after)
{
	char text[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(link_fd, "", text, sizeof text - 1);

	if (len < 0)
		return -errno;
	if (!output_place_is_trusted(l->place->folder_fd, link) || ++l->nr_links > OUTPUT_PLACE_MAX_LINKS)
		return -ELOOP;
	text[len] = '\0';
	if ((size_t)snprintf(rest, sizeof rest, "%s%s%s", text, *after ? "/" : "", after) >= sizeof rest)
		return -ENAMETOOLONG;
	strcpy(l->rest, rest);
	return *text == '/' ? output_place_enter(l, AT_FDCWD, "/") : 0;
}

/* One name of the path. 1: it was the last. */
static int output_place_step(struct lookup *l)
{
	struct rs_output_place *p = l->place;
	char *begin = l->rest + strspn(l->rest, "/"), *end = begin + strcspn(begin, "/"),
	     *after = end + strspn(end, "/");
	bool is_last = !*after, is_link, in_proc;
	struct stat st;
	int fd, ret;

	if (begin == end)
		return -EISDIR;
	if ((size_t)(end - begin) >= sizeof p->name)
		return -ENAMETOOLONG;
	snprintf(p->name, sizeof p->name, "%.*s", (int)(end - begin), begin);
	fd = openat(p->folder_fd, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT && is_last ? 1 : -errno;
	is_link = fstat(fd, &st) == 0 && S_ISLNK(st.st_mode);
	in_proc = is_link && output_place_is_proc(fd);
	if (is_last && (!is_link || in_proc)) {
		p->nofollow = in_proc ? 0 : O_NOFOLLOW;
		ret = 1;
	} else if (is_link) {
		ret = output_place_follow(l, fd, &st, after);
	} else {
		ret = output_place_enter(l, p->folder_fd, p->name);
		memmove(l->rest, after, strlen(after) + 1);
	}
	close(fd);
	return ret;
}

int rs_output_place_find(struct rs_output_place *p, const char *path)
{
	struct lookup l = { .place = p };
	int ret;

	*p = (struct rs_output_place){ .folder_fd = -1, .nofollow = O_NOFOLLOW };
	if ((size_t)snprintf(l.rest, sizeof l.rest, "%s", path) >= sizeof l.rest)
		return -ENAMETOOLONG;
	ret = output_place_enter(&l, AT_FDCWD, *path == '/' ? "/" : ".");
	while (!ret)
		ret = output_place_step(&l);
	if (ret < 0)
		rs_close(&p->folder_fd);
	return ret < 0 ? ret : 0;
}
