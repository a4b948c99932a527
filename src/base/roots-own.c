// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/roots-own.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int roots_own_check(const char *path, struct rs_error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return rs_fail(err, "cannot examine '%s': %s", path, strerror(errno));
	if (st.st_uid)
		return rs_fail(err, "'%s' is not root's, and root would run it (chown root, or install it)", path);
	if (st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid))
		return rs_fail(err, "'%s' can be written by others, and root would run it (chmod go-w, or install it)", path);
	return 0;
}

int rs_roots_own(const char *path, struct rs_error *err)
{
	char part[PATH_MAX];

	if (roots_own_check("/", err) < 0)
		return -1;
	for (const char *at = path + 1; *at; at += *at == '/') {
		at += strcspn(at, "/");
		if ((size_t)snprintf(part, sizeof part, "%.*s", (int)(at - path), path) >= sizeof part)
			return rs_fail(err, "the name is too long");
		if (roots_own_check(part, err) < 0)
			return -1;
	}
	return 0;
}
