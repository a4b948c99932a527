// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-readings - what control groups counted at some times of a live session: for time ranges of its
 * window, and what is saved of it
 *
 * The latest CGROUP_READINGS_NR readings, CGROUP_READINGS_NS apart or more, so they cover some minutes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "engine/cgroups/cgroups.h"
#include "engine/session.h"

#define CGROUP_READINGS_NS 2000000000u

void rs_cgroup_readings_add(struct rs_cgroup_growth *g, uint64_t now_ns)
{
	const struct rs_cgroup_reading
		*last = g->nr_readings ? &g->readings[(g->nr_readings - 1) % RS_CGROUP_READINGS_NR] : NULL;
	struct rs_cgroup_reading *r = &g->readings[g->nr_readings % RS_CGROUP_READINGS_NR];
	struct rs_cgroup_counts *counts;

	if (!g->groups.nr || (last && now_ns - last->ts_ns < CGROUP_READINGS_NS))
		return;
	counts = realloc(r->counts, g->groups.nr * sizeof *counts);
	if (!counts)
		return;
	for (size_t i = 0; i < g->groups.nr; i++)
		counts[i] = g->groups.row[i].end;
	*r = (struct rs_cgroup_reading){ now_ns, g->groups.nr, counts };
	g->nr_readings++;
}

void rs_cgroup_readings_done(struct rs_cgroup_growth *g)
{
	for (unsigned int i = 0; i < RS_CGROUP_READINGS_NR; i++)
		free(g->readings[i].counts);
}

/*
 * The first and the last reading in the range that know the group; else, of a short range, those around it.
 */
static bool cgroup_readings_find(const struct rs_cgroup_growth *g, size_t group, uint64_t from_ns,
				 uint64_t to_ns, const struct rs_cgroup_reading *found[2])
{
	const struct rs_cgroup_reading *before = NULL, *first = NULL, *last = NULL, *after = NULL;
	uint64_t oldest = g->nr_readings > RS_CGROUP_READINGS_NR ? g->nr_readings - RS_CGROUP_READINGS_NR : 0;

	for (uint64_t i = oldest; i < g->nr_readings; i++) {
		const struct rs_cgroup_reading *r = &g->readings[i % RS_CGROUP_READINGS_NR];

		if (group >= r->nr)
			continue;
		if (r->ts_ns < from_ns)
			before = r;
		else if (r->ts_ns <= to_ns)
			last = r;
		else if (!after)
			after = r;
		first = first ? first : last;
	}
	found[0] = first != last ? first : before;
	found[1] = first != last ? last : after ? after : last;
	return first != last;
}

int rs_cgroup_readings_rows(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
			    struct rs_cgroup_list *rows)
{
	const struct rs_cgroup_growth *g = &rs_cgroups_of(s)->growth;
	const struct rs_cgroup_reading *found[2];

	for (size_t i = 0; g->nr_readings && i < g->groups.nr; i++) {
		struct rs_cgroup_row *row = RS_VECTOR_ADD(&rows->row, &rows->nr, &rows->room);

		if (!row)
			return -1;
		*row = (struct rs_cgroup_row){ .path = strdup(g->groups.row[i].path),
					       .is_around = !cgroup_readings_find(g, i, from_ns, to_ns,
						       found) };
		if (found[0] && found[1]) {
			row->begin = found[0]->counts[i];
			row->end = found[1]->counts[i];
		}
		if (!row->path)
			return rows->nr--, -1;
	}
	return 0;
}
