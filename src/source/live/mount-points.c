// SPDX-License-Identifier: GPL-2.0-or-later
/* mount-points - where a disk's file system is mounted, from mountinfo */
#include "source/live/mount-points.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "tracefs/tracefs.h"

#define MOUNT_POINTS_SEVERAL "*" /* no mount point: they begin with a slash */

static struct rs_disk *mount_points_find(struct rs_disk *disks, size_t nr_disks, uint32_t dev)
{
	for (size_t i = 0; i < nr_disks; i++)
		if (disks[i].dev == dev)
			return &disks[i];
	return NULL;
}

/* The disk of a partition; 0: it is none. */
static uint32_t mount_points_disk_of(const char *sysfs, unsigned int major, unsigned int minor)
{
	char path[PATH_MAX], *text;
	uint32_t dev = 0;

	snprintf(path, sizeof path, "%s/dev/block/%u:%u", sysfs, major, minor);
	text = rs_tracefs_read(path, "partition", NULL);
	free(text);
	if (!text)
		return 0;
	text = rs_tracefs_read(path, "../dev", NULL);
	if (text && sscanf(text, "%u:%u", &major, &minor) == 2)
		dev = major << 20 | minor;
	free(text);
	return dev;
}

/*
 * of_disk: the file system is one of its partitions. The same one may be mounted several times: its root's
 * first place counts.
 */
static void mount_points_add(struct rs_disk *disk, const char *path, bool of_disk)
{
	if (!disk)
		return;
	if (!disk->mount[0])
		rs_copy(disk->mount, sizeof disk->mount, path);
	else if (of_disk && strcmp(disk->mount, path) != 0)
		rs_copy(disk->mount, sizeof disk->mount, MOUNT_POINTS_SEVERAL);
}

/*
 * "36 35 98:0 / /var rw,noatime master:1 - ext3 /dev/root rw"; a subdirectory, as of a bind mount, is not the
 * file system.
 */
static void mount_points_add_line(const char *line, const char *sysfs, struct rs_disk *disks, size_t nr_disks)
{
	char root[8], path[sizeof disks->mount + 1], more;
	unsigned int major, minor;
	struct rs_disk *own;
	bool is_first;

	_Static_assert(sizeof disks->mount == 64, "as many bytes as are read here");
	if (sscanf(line, "%*u %*u %u:%u %7s %64s%c", &major, &minor, root, path, &more) != 5 || more != ' ' ||
	    strcmp(root, "/") != 0 || *path != '/' || strlen(path) >= sizeof disks->mount)
		return;
	own = mount_points_find(disks, nr_disks, major << 20 | minor);
	is_first = own && !own->mount[0];
	mount_points_add(own, path, false);
	if (is_first)
		mount_points_add(
			mount_points_find(disks, nr_disks, mount_points_disk_of(sysfs, major, minor)), path,
			true);
}

void rs_mount_points_set(const char *mountinfo, const char *sysfs, struct rs_disk *disks, size_t nr_disks)
{
	for (const char *line = mountinfo; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
		mount_points_add_line(line, sysfs, disks, nr_disks);
	for (size_t i = 0; i < nr_disks; i++)
		if (!strcmp(disks[i].mount, MOUNT_POINTS_SEVERAL))
			disks[i].mount[0] = '\0';
}

void rs_mount_points_read(struct rs_disk *disks, size_t nr_disks)
{
	char *mountinfo = rs_tracefs_read("/proc/self", "mountinfo", NULL);

	rs_mount_points_set(mountinfo, "/sys", disks, nr_disks);
	free(mountinfo);
}
