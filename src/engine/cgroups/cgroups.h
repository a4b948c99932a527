/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroups.h - the control groups of tasks, and what they count: an observer of each session */
#ifndef RS_ENGINE_CGROUPS_CGROUPS_H
#define RS_ENGINE_CGROUPS_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cgroups/container-names.h"
#include "source/live/cgroup-counts.h"

#define RS_CGROUP_READINGS_NR 128u

struct rs_session;
struct rs_window;

struct rs_cgroup_reading {
	uint64_t ts_ns;
	size_t nr;                      /* of the groups: those that the session knew then */
	struct rs_cgroup_counts *counts;
};

/* What control groups counted, see cgroup-growth.c. */
struct rs_cgroup_growth {
	struct rs_cgroup_list groups;
	size_t nr_moved;                /* of rs_cgroups.paths that are among them */
	uint64_t due_ns;                /* CLOCK_MONOTONIC: they are not read again before that */
	bool is_old;                    /* the last sample did not read them */
	/* in the order of time, see cgroup-readings.c */
	struct rs_cgroup_reading readings[RS_CGROUP_READINGS_NR];
	unsigned int nr_readings;
};

struct rs_cgroups {
	char **paths;                   /* that tasks moved to, see cgroups.c */
	size_t nr, room;
	uint64_t nr_moves;
	struct rs_cgroup_growth growth;
	struct rs_container_names containers; /* see container-names.c */
};

struct rs_cgroups *rs_cgroups_of(const struct rs_session *s);

/* As rs_cgroup_names and rs_cgroup_unit; s NULL: from the path alone. */
void rs_cgroup_names_of(const struct rs_session *s, const char *path, struct rs_cgroup_names *names);
const char *rs_cgroup_unit_of(const struct rs_session *s, const char *path, char *buf, size_t size_bytes);

/*
 * Does the glob match the path of a group, one above it, the name of either, or what people call the group
 * (rs_cgroup_unit)? path NULL: unknown, no
 */
bool rs_cgroups_match(const struct rs_session *s, const char *glob, const char *path);

/* Reads the counts of all groups that tasks are in, if an analysis asks for them. */
void rs_cgroup_growth_sample(struct rs_session *s);
void rs_cgroup_growth_reset(struct rs_session *s);
void rs_cgroup_growth_done(struct rs_cgroup_growth *g);

/* window: whose pins keep readings of their time; NULL: there is none. */
void rs_cgroup_readings_add(struct rs_cgroup_growth *g, const struct rs_window *window, uint64_t now_ns);
void rs_cgroup_readings_done(struct rs_cgroup_growth *g);

#endif
