// SPDX-License-Identifier: GPL-2.0-or-later
/* stacked-disks - which disk lies below another: device mapper, md, loop */
#include "source/live/stacked-disks.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vector.h"
#include "tracefs/tracefs.h"

#define MAX_STACKED 1024

struct stacked_list {
	struct rs_stacked_disk *rows;
	size_t nr, room;
};

/* The number in PATH/FILE, "254:16"; 0: unknown. */
static uint32_t stacked_read_dev(const char *path, const char *file)
{
	char *text = rs_tracefs_read(path, file, NULL);
	unsigned int major, minor;
	uint32_t dev = text && sscanf(text, "%u:%u", &major, &minor) == 2 ? major << 20 | minor : 0;

	free(text);
	return dev;
}

/* The whole disk, if the name is that of a partition: its directory is in the disk's. */
static uint32_t stacked_disk_of(const char *path)
{
	char partition[PATH_MAX + 16];

	snprintf(partition, sizeof partition, "%s/partition", path);
	return stacked_read_dev(path, access(partition, F_OK) == 0 ? "../dev" : "dev");
}

static void stacked_add(struct stacked_list *list, uint32_t above, uint32_t below, const char *label)
{
	if (!below || below == above || list->nr == MAX_STACKED ||
	    !RS_VECTOR_RESERVE(&list->rows, &list->room, list->nr + 1))
		return;
	list->rows[list->nr] = (struct rs_stacked_disk){ .above = above, .below = below };
	rs_copy(list->rows[list->nr++].label, sizeof list->rows->label, label);
}

static void stacked_add_slaves(struct stacked_list *list, const char *sysfs, const struct rs_disk *disk,
			       const char *label)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof path, "%s/class/block/%s/slaves", sysfs, disk->name);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/class/block/%s", sysfs, entry->d_name);
			stacked_add(list, disk->dev, stacked_disk_of(path), label);
		}
	if (dir)
		closedir(dir);
}

/* A loop device is a file: it lies on the disk of its file system. */
static void stacked_add_loop(struct stacked_list *list, const char *sysfs, const struct rs_disk *disk,
			     const char *file)
{
	char path[PATH_MAX];
	struct stat st;

	if (stat(file, &st) < 0)
		return;
	snprintf(path, sizeof path, "%s/dev/block/%u:%u", sysfs, major(st.st_dev), minor(st.st_dev));
	stacked_add(list, disk->dev, stacked_disk_of(path), file);
}

struct rs_stacked_disk *rs_stacked_disks_read(const char *sysfs, const struct rs_disk *disks, size_t nr_disks,
					      size_t *nr)
{
	struct stacked_list list = { 0 };
	char path[PATH_MAX], *label, *file;

	for (size_t i = 0; i < nr_disks; i++) {
		snprintf(path, sizeof path, "%s/class/block/%.31s", sysfs, disks[i].name);
		label = rs_tracefs_read(path, "dm/name", NULL);
		file = rs_tracefs_read(path, "loop/backing_file", NULL);
		if (label)
			label[strcspn(label, "\n")] = '\0';
		if (file)
			file[strcspn(file, "\n")] = '\0';
		stacked_add_slaves(&list, sysfs, &disks[i], label);
		if (file)
			stacked_add_loop(&list, sysfs, &disks[i], file);
		free(label);
		free(file);
	}
	*nr = list.nr;
	return list.rows;
}
