// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-readings - what control groups counted at some times of a live session: for time ranges of its
 * window, and what is saved of it
 *
 * The latest RS_CGROUP_READINGS_NR readings, CGROUP_READINGS_NS apart or more, so they cover some minutes.
 * The first and the last one of a time that a client has pinned stay, and those around it: its range has the
 * same answer as long as it is pinned.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"
#include "source/window-pins.h"

#define CGROUP_READINGS_NS 2000000000u

/* Is it neither the first nor the last inside the time, nor the nearest around it? */
static bool cgroup_readings_is_inner(const struct rs_cgroup_growth *g, unsigned int at, uint64_t from_ns,
				     uint64_t to_ns)
{
	const struct rs_cgroup_reading *r = &g->readings[at];
	bool is_begin = !at || r[-1].ts_ns < from_ns, is_end = at + 1 == g->nr_readings || r[1].ts_ns > to_ns;

	return r->ts_ns < from_ns ? r[1].ts_ns < from_ns :
	       r->ts_ns > to_ns	  ? at > 0 && r[-1].ts_ns > to_ns :
				    !is_begin && !is_end;
}

/* Makes room for one more: the oldest that no answer about a pinned time needs goes. */
static void cgroup_readings_evict(struct rs_cgroup_growth *g, const struct rs_window *window)
{
	uint64_t from_ns, to_ns;
	unsigned int at = 0;

	if (g->nr_readings < RS_CGROUP_READINGS_NR)
		return;
	if (window && rs_window_pins_bounds(window, &from_ns, &to_ns))
		while (at + 1 < g->nr_readings && !cgroup_readings_is_inner(g, at, from_ns, to_ns))
			at++;
	free(g->readings[at].counts);
	g->nr_readings--;
	memmove(&g->readings[at], &g->readings[at + 1], (g->nr_readings - at) * sizeof *g->readings);
}

void rs_cgroup_readings_add(struct rs_cgroup_growth *g, const struct rs_window *window, uint64_t now_ns)
{
	const struct rs_cgroup_reading *last = g->nr_readings ? &g->readings[g->nr_readings - 1] : NULL;
	struct rs_cgroup_counts *counts;

	if (!g->groups.nr || (last && now_ns - last->ts_ns < CGROUP_READINGS_NS))
		return;
	counts = malloc(g->groups.nr * sizeof *counts);
	if (!counts)
		return;
	cgroup_readings_evict(g, window);
	for (size_t i = 0; i < g->groups.nr; i++)
		counts[i] = g->groups.row[i].end;
	g->readings[g->nr_readings++] = (struct rs_cgroup_reading){ now_ns, g->groups.nr, counts };
}

void rs_cgroup_readings_done(struct rs_cgroup_growth *g)
{
	for (unsigned int i = 0; i < g->nr_readings; i++)
		free(g->readings[i].counts);
}

/*
 * The first and the last reading in the range that know the group; else, of a short range, those around it.
 */
static bool cgroup_readings_find(const struct rs_cgroup_growth *g, size_t group, uint64_t from_ns,
				 uint64_t to_ns, const struct rs_cgroup_reading *found[2])
{
	const struct rs_cgroup_reading *before = NULL, *first = NULL, *last = NULL, *after = NULL;

	for (unsigned int i = 0; i < g->nr_readings; i++) {
		const struct rs_cgroup_reading *r = &g->readings[i];

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

/* ---- pressure over time ---- */

static bool cgroup_readings_is_near(const struct rs_cgroup_growth *g, unsigned int at, uint64_t from_ns,
				    uint64_t to_ns)
{
	const struct rs_cgroup_reading *r = &g->readings[at];
	bool ends_before = r->ts_ns < from_ns && at + 1 < g->nr_readings && r[1].ts_ns <= from_ns;

	return !ends_before && (r->ts_ns <= to_ns || !at || r[-1].ts_ns < to_ns);
}

/* As pressure-series.h has them: of "/", which is the first group, at each reading. */
static bool cgroup_readings_is_news(const struct rs_cgroup_reading *was, const struct rs_value *is,
				    size_t group)
{
	const struct rs_value *before;

	if (!group || !was || group >= was->nr)
		return true;
	before = &was->counts[group].value[RS_CGROUP_CPU_PRESSURE_NS];
	for (unsigned int i = 0; i < RS_NR_PRESSURES; i++)
		if (is[i].known != before[i].known || is[i].u != before[i].u)
			return true;
	return false;
}

static int cgroup_readings_add_pressure(const struct rs_cgroup_reading *r,
					const struct rs_cgroup_reading *was,
					const struct rs_cgroup_list *rows,
					struct rs_pressure_list *list)
{
	for (size_t group = 0; group < r->nr && group < rows->nr; group++) {
		const struct rs_value *is = &r->counts[group].value[RS_CGROUP_CPU_PRESSURE_NS];
		struct rs_pressure_reading *row;

		if (!cgroup_readings_is_news(was, is, group))
			continue;
		row = RS_VECTOR_ADD(&list->row, &list->nr, &list->room);
		if (!row)
			return -1;
		row->ts_ns = r->ts_ns;
		row->path = rows->row[group].path;
		memcpy(row->ns, is, sizeof row->ns);
	}
	return 0;
}

int rs_cgroup_readings_pressure(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
				const struct rs_cgroup_list *rows, struct rs_pressure_list *list)
{
	const struct rs_cgroup_growth *g = &rs_cgroups_of(s)->growth;
	const struct rs_cgroup_reading *was = NULL;

	for (unsigned int i = 0; i < g->nr_readings; i++) {
		if (!cgroup_readings_is_near(g, i, from_ns, to_ns))
			continue;
		if (cgroup_readings_add_pressure(&g->readings[i], was, rows, list) < 0)
			return -1;
		was = &g->readings[i];
	}
	return 0;
}
