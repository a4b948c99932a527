/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup-counts.h - what the kernel counts for a control group of version 2: cpu.stat, the time of its
 * pressure files, its limits
 *
 * Everybody may read these files, so the engine does it without rights.
 */
#ifndef RS_SOURCE_LIVE_CGROUP_COUNTS_H
#define RS_SOURCE_LIVE_CGROUP_COUNTS_H

#include "base/message.h"
#include "source/source.h"

#define RS_CGROUP_COUNTS_MAX 512u /* groups of one list */

struct rs_cgroup_list {
	struct rs_cgroup_row *row;
	size_t nr, room;
};

/*
 * Returns mount ("/sys/fs/cgroup") if version 2 is mounted there with the controller "cpu"; NULL: version 1
 * has it, or nothing.
 */
const char *rs_cgroup_counts_root(const char *mount);
/* Those of the initial tasks, and those above them. */
void rs_cgroup_counts_add_initial(struct rs_cgroup_list *list, const struct rs_trace_info *info);
/* Adds the group and those above it that the list lacks, as far as there is room. */
void rs_cgroup_counts_add(struct rs_cgroup_list *list, const char *path);
/* Reads .end of each group, and .begin with the first reading. What cannot be read is unknown. */
void rs_cgroup_counts_update(struct rs_cgroup_list *list, const char *root);
/* Reads what the pressure of a group has come to; null where it cannot be read. */
void rs_cgroup_counts_read_pressure(const char *root, const char *path, struct rs_value ns[RS_NR_PRESSURES]);
void rs_cgroup_counts_done(struct rs_cgroup_list *list);

/* The row in a trailer: ["/a", counts at the begin ..., at the end ...], null where unknown. */
extern const struct rs_message rs_cgroup_row_message;

#endif
