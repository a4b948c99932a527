/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mount-points - where a disk's file system is mounted, as far as it has one */
#ifndef RS_SOURCE_LIVE_MOUNT_POINTS_H
#define RS_SOURCE_LIVE_MOUNT_POINTS_H

#include "source/source.h"

/*
 * Sets .mount of each disk: from the text of mountinfo, and sysfs ("/sys"), for the requests of a partition
 * have its disk's number. A disk with several file systems has none: which one a request is for is not known.
 */
void rs_mount_points_read(struct rs_disk *disks, size_t nr_disks); /* of this process */
void rs_mount_points_set(const char *mountinfo, const char *sysfs, struct rs_disk *disks, size_t nr_disks);

#endif
