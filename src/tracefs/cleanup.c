// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cleanup - instances that a session left when all its processes were killed at once
 *
 * rmdir is the test: the kernel says EBUSY while any process holds a file of the
 * instance. No pid is compared, they are reused and belong to namespaces.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tracefs/file.h"
#include "tracefs/tracefs.h"

int rs_tracefs_cleanup(const char *tracefs, unsigned int *nr_busy)
{
	int fd = rs_file_open(tracefs, "instances", O_RDONLY | O_DIRECTORY), nr_gone = 0;
	struct dirent *d;
	DIR *dir;

	if (nr_busy)
		*nr_busy = 0;
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir && (d = readdir(dir))) {
		if (strncmp(d->d_name, "ringside-", 9))
			continue;
		if (unlinkat(fd, d->d_name, AT_REMOVEDIR) == 0)
			nr_gone++;
		else if (errno == EBUSY && nr_busy)
			(*nr_busy)++;
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return nr_gone;
}
