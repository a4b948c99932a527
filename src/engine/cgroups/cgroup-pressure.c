// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-pressure - the pressure of a control group over time: by the readings of a live session, see
 * cgroup-readings.c, or those that a recording has
 */
#include <string.h>

#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"

#define PRESSURE_LINE 60u          /* digits */
#define PRESSURE_LIVE_STEPS 30u    /* a minute */

/* One after the other, by the pressure that the next reading has come to. */
struct pressure_walk {
	const struct rs_session *s;
	struct rs_pressure_step *steps;
	size_t nr, max;
	unsigned int nr_each, nr_joined;  /* steps that become one; of those, in the last */
	struct rs_value last;
	uint64_t last_ns;
};

static bool pressure_is_in_range(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > s->config.from_ns && (!s->config.to_ns || from_ns < s->config.to_ns);
}

/* When there is no room for one more each two are one. */
static void pressure_halve_steps(struct pressure_walk *w)
{
	size_t nr = 0;

	for (size_t i = 0; i < w->nr; i += 2) {
		struct rs_pressure_step step = w->steps[i];

		if (i + 1 < w->nr) {
			step.to_ns = w->steps[i + 1].to_ns;
			step.ns += w->steps[i + 1].ns;
		}
		w->steps[nr++] = step;
	}
	w->nr_joined = w->nr % 2 ? w->nr_joined : w->nr_each + w->nr_joined;
	w->nr = nr;
	w->nr_each *= 2;
}

static void pressure_add_step(struct pressure_walk *w, const struct rs_pressure_step *step)
{
	struct rs_pressure_step *last = w->nr ? &w->steps[w->nr - 1] : NULL;

	if (last && w->nr_joined < w->nr_each && last->to_ns == step->from_ns) {
		last->to_ns = step->to_ns;
		last->ns += step->ns;
		w->nr_joined++;
		return;
	}
	if (w->nr == w->max) {
		pressure_halve_steps(w);
		pressure_add_step(w, step);
		return;
	}
	w->steps[w->nr++] = *step;
	w->nr_joined = 1;
}

static void pressure_add(struct pressure_walk *w, uint64_t ts_ns, const struct rs_value *is)
{
	uint64_t grown = is->u > w->last.u ? is->u - w->last.u : 0, len_ns = ts_ns - w->last_ns;

	if (w->last_ns && ts_ns > w->last_ns && is->known && w->last.known &&
	    pressure_is_in_range(w->s, w->last_ns, ts_ns))
		pressure_add_step(w, &(struct rs_pressure_step){ w->last_ns, ts_ns,
								 grown < len_ns ? grown : len_ns });
	w->last = *is;
	w->last_ns = ts_ns;
}

static void pressure_add_live(struct pressure_walk *w, const char *path, enum rs_cgroup_count which)
{
	const struct rs_cgroup_growth *g = &rs_cgroups_of(w->s)->growth;
	size_t group = 0;

	while (group < g->groups.nr && strcmp(g->groups.row[group].path, path) != 0)
		group++;
	for (unsigned int i = 0; group < g->groups.nr && i < g->nr_readings; i++)
		if (group < g->readings[i].nr)
			pressure_add(w, g->readings[i].ts_ns, &g->readings[i].counts[group].value[which]);
}

/* What did not change has no row, but that of "/" tells when it was read. */
static void pressure_add_recorded(struct pressure_walk *w, const char *path, enum rs_cgroup_count which)
{
	const struct rs_trace_info *info = &w->s->source->info;
	const struct rs_pressure_reading *of = NULL;

	for (size_t i = 0; i < info->nr_pressure; i++) {
		const struct rs_pressure_reading *row = &info->pressure[i];

		if (!strcmp(row->path, path))
			of = row;
		if (of && (i + 1 == info->nr_pressure || row[1].ts_ns != row->ts_ns))
			pressure_add(w, row->ts_ns, &of->ns[which - RS_CGROUP_CPU_PRESSURE_NS]);
	}
}

size_t rs_cgroup_pressure_steps(const struct rs_ctx *c, const char *path, enum rs_cgroup_count which,
				struct rs_pressure_step *steps, size_t max)
{
	struct pressure_walk w = { .s = c->session, .steps = steps, .max = max, .nr_each = 1 };

	if (c->session->source->info.nr_pressure)
		pressure_add_recorded(&w, path, which);
	else
		pressure_add_live(&w, path, which);
	return w.nr;
}

/* In tenths of its time. */
static char pressure_digit(const struct rs_pressure_step *step)
{
	uint64_t len_ns = step->to_ns - step->from_ns, tenths = step->ns / (len_ns / 10 + 1);

	return step->ns < len_ns / 100 ? '.' : (char)('0' + (tenths > 9 ? 9 : tenths));
}

const char *rs_cgroup_pressure_line(const struct rs_ctx *c, const char *path, enum rs_cgroup_count pressure,
				    char *buf, size_t size_bytes)
{
	const struct rs_session *s = c->session;
	struct rs_pressure_step steps[RS_CGROUP_READINGS_NR];
	bool is_recorded = s->source->info.nr_pressure > 0;
	size_t max = is_recorded ? PRESSURE_LINE : RS_CGROUP_READINGS_NR, len = 0,
	       nr = rs_cgroup_pressure_steps(c, path, pressure, steps, max),
	       first = !is_recorded && nr > PRESSURE_LIVE_STEPS ? nr - PRESSURE_LIVE_STEPS : 0;

	for (size_t i = first; i < nr && len + 1 < size_bytes; i++)
		buf[len++] = pressure_digit(&steps[i]);
	buf[len] = '\0';
	return len ? buf : NULL;
}
