/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stacked-disks - which disk lies below another: device mapper, md, loop */
#ifndef RS_SOURCE_LIVE_STACKED_DISKS_H
#define RS_SOURCE_LIVE_STACKED_DISKS_H

#include "source/source.h"

/*
 * Reads it of each disk, from sysfs: "/sys". Partitions stand for their disk, whose requests have its number.
 * Returns rows to be freed, one for each disk below another; NULL: there are none.
 */
struct rs_stacked_disk *rs_stacked_disks_read(const char *sysfs, const struct rs_disk *disks, size_t nr_disks,
					      size_t *nr);

#endif
