// SPDX-License-Identifier: GPL-2.0-or-later
/* pressure-series - the pressure of control groups over time, as it is read while a recording is made */
#include "source/live/pressure-series.h"

#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"
#include "base/time-limit.h"

#define PRESSURE_EACH_NS 1000000000u
#define PRESSURE_SHARE 100u

/* What grows is counted from the same begin in each: the growth from one that stays to the next is whole. */
static void pressure_halve(struct rs_pressure_series *s)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < s->nr; i++)
		if (i % 2)
			free(s->at[i].ns);
		else
			s->at[nr++] = s->at[i];
	s->nr = nr;
	s->each_ns *= 2;
}

static bool pressure_is_due(struct rs_pressure_series *s, uint64_t now_ns, bool last)
{
	if (!s->nr)
		return true;
	if (now_ns <= s->at[s->nr - 1].ts_ns)
		return false;
	return last || (now_ns - s->at[s->nr - 1].ts_ns >= s->each_ns && rs_monotonic_ns() >= s->due_ns);
}

void rs_pressure_series_take(struct rs_pressure_series *s, const struct rs_cgroup_list *groups,
			     const char *root, uint64_t now_ns, bool last)
{
	uint64_t begin_ns = rs_monotonic_ns();
	struct rs_pressure_taken *to;

	s->each_ns = s->each_ns ? s->each_ns : PRESSURE_EACH_NS;
	if (!root || !groups->nr || !now_ns || !pressure_is_due(s, now_ns, last))
		return;
	if (s->nr == RS_PRESSURE_READINGS)
		pressure_halve(s);
	to = &s->at[s->nr];
	*to = (struct rs_pressure_taken){ now_ns, groups->nr, calloc(groups->nr, sizeof *to->ns) };
	if (!to->ns)
		return;
	for (size_t i = 0; i < groups->nr; i++)
		rs_cgroup_counts_read_pressure(root, groups->row[i].path, to->ns[i]);
	s->nr++;
	s->due_ns = rs_monotonic_ns() + PRESSURE_SHARE * (rs_monotonic_ns() - begin_ns);
}

static bool pressure_is_news(const struct rs_pressure_series *s, unsigned int i, size_t group)
{
	const struct rs_pressure_taken *is = &s->at[i], *was = i ? is - 1 : NULL;

	if (!group || !was || group >= was->nr)
		return true;
	for (unsigned int p = 0; p < RS_NR_PRESSURES; p++)
		if (is->ns[group][p].known != was->ns[group][p].known ||
		    is->ns[group][p].u != was->ns[group][p].u)
			return true;
	return false;
}

struct rs_pressure_reading *rs_pressure_series_rows(const struct rs_pressure_series *s,
						    const struct rs_cgroup_list *groups, size_t *nr)
{
	size_t most = 0;
	struct rs_pressure_reading *rows;

	*nr = 0;
	for (unsigned int i = 0; i < s->nr; i++)
		most += s->at[i].nr;
	rows = most ? calloc(most, sizeof *rows) : NULL;
	for (unsigned int i = 0; rows && i < s->nr; i++)
		for (size_t group = 0; group < s->at[i].nr; group++) {
			struct rs_pressure_reading *row = &rows[*nr];

			if (!pressure_is_news(s, i, group))
				continue;
			row->ts_ns = s->at[i].ts_ns;
			row->path = groups->row[group].path;
			memcpy(row->ns, s->at[i].ns[group], sizeof row->ns);
			++*nr;
		}
	return rows;
}

void rs_pressure_series_done(struct rs_pressure_series *s)
{
	for (unsigned int i = 0; i < s->nr; i++)
		free(s->at[i].ns);
	*s = (struct rs_pressure_series){ 0 };
}

RS_MESSAGE(rs_pressure_reading)
	{ "ts_ns", RS_NUMBER, RS_AT(ts_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "path", RS_STRING, RS_AT(path), .required = true },
	{ "cpu_some_ns", RS_MAYBE, RS_AT(ns[0]) },
	{ "cpu_full_ns", RS_MAYBE, RS_AT(ns[1]) },
	{ "memory_some_ns", RS_MAYBE, RS_AT(ns[2]) },
	{ "memory_full_ns", RS_MAYBE, RS_AT(ns[3]) },
	{ "io_some_ns", RS_MAYBE, RS_AT(ns[4]) },
	{ "io_full_ns", RS_MAYBE, RS_AT(ns[5]) },
RS_MESSAGE_END(rs_pressure_reading, RS_TUPLE_OF, NULL)
