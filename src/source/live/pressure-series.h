/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pressure-series.h - the pressure of control groups over time, as it is read while a recording is made
 *
 * At first a reading each second. When there is no room for one more, every second one goes, and from then on
 * they are twice as far apart: so they reach over any time. They take at most 1/PRESSURE_SHARE of it.
 */
#ifndef RS_SOURCE_LIVE_PRESSURE_SERIES_H
#define RS_SOURCE_LIVE_PRESSURE_SERIES_H

#include "base/message.h"
#include "source/live/cgroup-counts.h"

#define RS_PRESSURE_READINGS 128u

struct rs_pressure_series {
	struct rs_pressure_taken {
		uint64_t ts_ns;
		size_t nr;                     /* groups that the list had then */
		struct rs_value (*ns)[RS_NR_PRESSURES];
	} at[RS_PRESSURE_READINGS];
	unsigned int nr;
	uint64_t each_ns, due_ns;              /* due_ns: CLOCK_MONOTONIC */
};

/* Reads all groups of the list if a reading is due, or last; now_ns: in the trace's clock. */
void rs_pressure_series_take(struct rs_pressure_series *s, const struct rs_cgroup_list *groups,
			     const char *root, uint64_t now_ns, bool last);
/*
 * Returns rows of all readings, in order of time: those of "/", of other groups only what changed. Their
 * paths are those of the list; the caller frees the rows. NULL: no readings, or no memory.
 */
struct rs_pressure_reading *rs_pressure_series_rows(const struct rs_pressure_series *s,
						    const struct rs_cgroup_list *groups, size_t *nr);
void rs_pressure_series_done(struct rs_pressure_series *s);

/* The row in a trailer: [when, "/a", ns of each pressure ...], null where unknown. */
extern const struct rs_message rs_pressure_reading_message;

#endif
