/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup-throttles.h - which part of a wait for a CPU was a quota's (cpu.max), and not others'
 *
 * Where a history is kept, and the quota of a group is known. Bounded: of each group the last slices of its
 * tasks; what is older adds nothing.
 */
#ifndef RS_ENGINE_CGROUPS_CGROUP_THROTTLES_H
#define RS_ENGINE_CGROUPS_CGROUP_THROTTLES_H

#include <stdbool.h>
#include <stdint.h>

struct rs_session;
struct rs_task;

struct rs_throttle {
	uint64_t from_ns, to_ns;
};

/*
 * Of the time in which the task was runnable and not on a CPU: the last part in which the quota of its group,
 * or of one above, was used up. open: the wait has not ended. False: there is none, or it is not known.
 */
bool rs_cgroup_throttles_find(const struct rs_session *s, const struct rs_task *t, uint64_t from_ns,
			      uint64_t to_ns, bool open, struct rs_throttle *found);

/* Does its group, or one above, have a quota that is known? */
bool rs_cgroup_throttles_has_quota(const struct rs_session *s, const struct rs_task *t);

#endif
