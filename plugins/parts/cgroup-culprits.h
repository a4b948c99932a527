/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup-culprits.h - whose tasks had what the tasks of another control group waited for: a CPU, a disk, a
 * lock, memory. A wait for a peer, or by own choice, is no one's fault
 *
 * Pairs of groups are kept in a few places: one that has more than one in CGROUP_PAIRS of all that time is
 * always among them.
 */
#ifndef RS_PLUGINS_PARTS_CGROUP_CULPRITS_H
#define RS_PLUGINS_PARTS_CGROUP_CULPRITS_H

#include "ringside/plugin.h"

#define CGROUP_PAIRS 256u

/* The state of an analysis: keys are the paths, of the victim and of the culprit. */
struct rs_cgroup_pairs {
	struct rs_frequent pair[CGROUP_PAIRS];
};

/* What others did to the tasks of a group, and those below it, and these to others. */
struct rs_cgroup_quarrel {
	uint64_t disturbed_ns, disturbs_ns;
	const char *disturbed_by, *disturbs; /* who had most of that; NULL: nobody */
};

/* Callbacks, and .reset, of an analysis whose state is a struct rs_cgroup_pairs. */
void rs_cgroup_culprits_on_interval(struct rs_ctx *c, const struct rs_interval *iv);
void rs_cgroup_culprits_on_wait(struct rs_ctx *c, const struct rs_wait *wait);
void rs_cgroup_culprits_reset(struct rs_ctx *c);

/*
 * What its tasks wait for now: one that is starved has waited for longer than any wait that ended. After the
 * end of a time range that is among those that ended.
 */
void rs_cgroup_culprits_add_open(struct rs_ctx *c, struct rs_cgroup_pairs *pairs);

/* Between the tasks of the group, with those of the groups below it, and all others. */
struct rs_cgroup_quarrel rs_cgroup_culprits_of(const struct rs_cgroup_pairs *pairs, const char *group);

#endif
