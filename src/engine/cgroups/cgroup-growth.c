// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-growth - how much the counts of control groups grew since the last reset: was a task throttled? And
 * their limits and weights
 *
 * Live they are read with each sample of /proc, and at the begin; a group that is first seen later begins
 * with its first reading. A recording has two readings: of a part of it they tell only that there was no
 * growth. A daemon's time range has those of cgroup-readings.c.
 */
#include <stdio.h>
#include <string.h>

#include "base/monotonic.h"
#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"

#define CGROUP_GROWTH_SHARE 40 /* reading them takes at most 1/CGROUP_GROWTH_SHARE of the time */

static void cgroup_growth_add_all(struct rs_session *s)
{
	struct rs_cgroup_growth *g = &rs_cgroups_of(s)->growth;

	if (!g->groups.nr)
		rs_cgroup_counts_add_initial(&g->groups, &s->source->info);
	for (; g->nr_moved < rs_cgroups_of(s)->nr; g->nr_moved++)
		rs_cgroup_counts_add(&g->groups, rs_cgroups_of(s)->paths[g->nr_moved]);
}

void rs_cgroup_growth_sample(struct rs_session *s)
{
	struct rs_cgroup_growth *g = &rs_cgroups_of(s)->growth;
	uint64_t begin_ns = rs_monotonic_ns();

	if (!s->source->info.live || !(rs_session_samples(&s->config) & RS_SAMPLE_CGROUPS))
		return;
	g->is_old = begin_ns < g->due_ns;
	if (g->is_old)
		return;
	cgroup_growth_add_all(s);
	rs_cgroup_counts_update(&g->groups, s->source->info.cgroup_root);
	rs_cgroup_readings_add(g, s->source->window, s->now_ns);
	g->due_ns = rs_monotonic_ns() + CGROUP_GROWTH_SHARE * (rs_monotonic_ns() - begin_ns);
}

void rs_cgroup_growth_reset(struct rs_session *s)
{
	struct rs_cgroup_list *groups = &rs_cgroups_of(s)->growth.groups;

	for (size_t i = 0; i < groups->nr; i++)
		groups->row[i].begin = groups->row[i].end;
}

void rs_cgroup_growth_done(struct rs_cgroup_growth *g)
{
	rs_cgroup_readings_done(g);
	rs_cgroup_counts_done(&g->groups);
}

/* ---- what they tell ---- */

static const struct rs_cgroup_row *cgroup_growth_all(const struct rs_session *s, size_t *nr)
{
	const struct rs_trace_info *info = &s->source->info;

	*nr = info->nr_cgroup_rows ? info->nr_cgroup_rows : rs_cgroups_of(s)->growth.groups.nr;
	return info->nr_cgroup_rows ? info->cgroup_rows : rs_cgroups_of(s)->growth.groups.row;
}

static const struct rs_cgroup_row *cgroup_growth_find(const struct rs_session *s, const char *path,
						      size_t len)
{
	size_t nr;
	const struct rs_cgroup_row *row = cgroup_growth_all(s, &nr);

	for (size_t i = 0; i < nr; i++)
		if (!strncmp(row[i].path, path, len) && !row[i].path[len])
			return &row[i];
	return NULL;
}

static uint64_t cgroup_growth_of(const struct rs_cgroup_row *row, enum rs_cgroup_count count)
{
	const struct rs_value *a = &row->begin.value[count], *b = &row->end.value[count];

	return b->known && b->u > a->u ? b->u - a->u : 0;
}

/* Takes the group into account; false: its counts are not known. */
static bool cgroup_growth_judge(const struct rs_session *s, const char *path, size_t len,
				struct rs_throttled *most)
{
	const struct rs_cgroup_row *row = cgroup_growth_find(s, path, len);
	uint64_t ns;

	if (!row || !row->begin.value[RS_CGROUP_USAGE_NS].known || !row->end.value[RS_CGROUP_USAGE_NS].known)
		return false;
	ns = cgroup_growth_of(row, RS_CGROUP_THROTTLED_NS);
	if (ns && row->is_around)
		return false;
	if (ns > most->ns)
		*most = (struct rs_throttled){ row->path,
					       cgroup_growth_of(row, RS_CGROUP_PERIODS),
					       cgroup_growth_of(row, RS_CGROUP_THROTTLED),
					       ns,
					       row->end.value[RS_CGROUP_QUOTA_NS].u,
					       row->end.value[RS_CGROUP_PERIOD_NS].u };
	return true;
}

/* False: the counts of the group, or of one above it, are not known. */
static bool cgroup_growth_judge_all(const struct rs_session *s, const char *path, struct rs_throttled *most)
{
	bool known = cgroup_growth_judge(s, path, 1, most);

	for (size_t len = 1; known && path[len]; len += path[len] == '/') {
		len += strcspn(path + len, "/");
		known = cgroup_growth_judge(s, path, len, most);
	}
	return known;
}

/* A part of a recording, whose counts are those of the whole. */
static bool cgroup_growth_is_part(const struct rs_session *s)
{
	return s->source->info.nr_cgroup_rows && (s->config.from_ns || s->config.to_ns) &&
	       !s->source->info.cgroup_rows_of_range;
}

bool rs_cgroup_growth_is_known(const struct rs_session *s)
{
	size_t nr;
	const struct rs_cgroup_row *row = cgroup_growth_all(s, &nr);

	for (; nr; nr--, row++)
		if (row->end.value[RS_CGROUP_USAGE_NS].known)
			return true;
	return false;
}

size_t rs_cgroup_growth_rows(const struct rs_ctx *c, struct rs_cgroup_growth_row *rows, size_t max)
{
	size_t nr, nr_known = 0;
	const struct rs_cgroup_row *row = cgroup_growth_all(c->session, &nr);
	bool is_part = cgroup_growth_is_part(c->session);

	for (; nr--; row++) {
		if (!row->begin.value[RS_CGROUP_USAGE_NS].known ||
		    !row->end.value[RS_CGROUP_USAGE_NS].known || nr_known++ >= max)
			continue;
		rows[nr_known - 1].path = row->path;
		for (int i = 0; i < RS_NR_CGROUP_COUNTS; i++) {
			uint64_t growth = cgroup_growth_of(row, (enum rs_cgroup_count)i);
			bool known = row->begin.value[i].known && row->end.value[i].known &&
				     !(growth && (is_part || row->is_around));

			rows[nr_known - 1].value[i] = i >= RS_CGROUP_WEIGHT ? row->end.value[i] :
									      rs_u_if(known, growth);
		}
	}
	return nr_known < max || !rows ? nr_known : max;
}

enum rs_throttling rs_throttling(const struct rs_ctx *c, const struct rs_task *t,
				 struct rs_throttled *throttled)
{
	const struct rs_session *s = c->session;
	bool is_part = cgroup_growth_is_part(s);
	const char *path = rs_task_cgroup(t, RS_CGROUP_CPU);
	struct rs_throttled most = { 0 };

	*throttled = most;
	if (path && !strcmp(path, "/")) /* the root has no quota */
		return RS_NOT_THROTTLED;
	if (!path || !cgroup_growth_judge_all(s, path, &most) ||
	    (most.ns ? is_part : rs_cgroups_of(s)->growth.is_old))
		return RS_THROTTLING_UNKNOWN;
	*throttled = most;
	return most.ns ? RS_THROTTLED : RS_NOT_THROTTLED;
}

const char *rs_quota_words(const struct rs_ctx *c, const struct rs_throttled *throttled, char *buf,
			   size_t size_bytes)
{
	char value[72] = "", periods[64] = "", quota[32], period[32];

	if (throttled->quota_ns && throttled->period_ns)
		snprintf(value, sizeof value, ", %s of each %s",
			 rs_duration_text(c, throttled->quota_ns, quota, sizeof quota),
			 rs_duration_text(c, throttled->period_ns, period, sizeof period));
	if (throttled->nr_periods)
		snprintf(periods, sizeof periods, ", in %llu of %llu periods",
			 (unsigned long long)throttled->nr_throttled,
			 (unsigned long long)throttled->nr_periods);
	snprintf(buf, size_bytes, "%s (cpu.max)%s", value, periods);
	return buf;
}

/* ---- limits of memory ---- */

/* False: unknown whether the group has a limit. */
static bool cgroup_growth_add_limit(const struct rs_session *s, const char *path, size_t len,
				    struct rs_memory_limit *limit, unsigned int *nr)
{
	const struct rs_cgroup_row *row = cgroup_growth_find(s, path, len);
	const struct rs_value *max, *high;
	bool is_high;

	if (!row || !row->end.value[RS_CGROUP_USAGE_NS].known)
		return false;
	max = &row->end.value[RS_CGROUP_MEMORY_MAX];
	high = &row->end.value[RS_CGROUP_MEMORY_HIGH];
	is_high = high->known && (!max->known || high->u < max->u);
	if (!max->known && !is_high)
		return true;
	*limit = (struct rs_memory_limit){ row->path, is_high ? "memory.high" : "memory.max",
					   is_high ? high->u : max->u };
	++*nr;
	return true;
}

bool rs_cgroup_memory_limit(const struct rs_ctx *c, const struct rs_task *t, struct rs_memory_limit *limit)
{
	const char *path = rs_task_cgroup(t, RS_CGROUP_MEMORY);
	unsigned int nr = 0;
	bool known = path && cgroup_growth_add_limit(c->session, path, 1, limit, &nr);

	for (size_t len = 1; known && path[len]; len += path[len] == '/') {
		len += strcspn(path + len, "/");
		known = cgroup_growth_add_limit(c->session, path, len, limit, &nr);
	}
	return known && nr == 1;
}

/* ---- weights ---- */

#define DEFAULT_WEIGHT 100 /* cpu.weight; also of a task at nice 0 beside groups */

/* Of the group that begins like path and is so long; "": tasks beside groups. */
static bool cgroup_growth_weight(const struct rs_session *s, const char *path, size_t len, uint64_t *weight)
{
	const struct rs_cgroup_row *row = len ? cgroup_growth_find(s, path, len) : NULL;

	*weight = row ? row->end.value[RS_CGROUP_WEIGHT].u : DEFAULT_WEIGHT;
	return !len || (row && row->end.value[RS_CGROUP_WEIGHT].known);
}

/* The length up to the end of the part that at is in; 0: the path ends before it. */
static size_t cgroup_growth_part_end(const char *path, size_t at)
{
	return path[at] ? at + strcspn(path + at, "/") : 0;
}

bool rs_cgroup_weights(const struct rs_ctx *c, const struct rs_task *t, const struct rs_task *other,
		       struct rs_weights *weights)
{
	const char *a = rs_task_cgroup(t, RS_CGROUP_CPU), *b = rs_task_cgroup(other, RS_CGROUP_CPU);
	size_t at = 1, len; /* the first part that differs begins at */

	if (!a || !b || *a != '/' || *b != '/' || !strcmp(a, b))
		return false;
	while ((len = cgroup_growth_part_end(a, at)) && len == cgroup_growth_part_end(b, at) &&
	       !memcmp(a + at, b + at, len - at))
		at = len + (a[len] == '/' && b[len] == '/');
	at += a[at] == '/' || b[at] == '/';
	return cgroup_growth_weight(c->session, a, strlen(a) < at ? 0 : cgroup_growth_part_end(a, at),
				    &weights->own) &&
	       cgroup_growth_weight(c->session, b, strlen(b) < at ? 0 : cgroup_growth_part_end(b, at),
				    &weights->others);
}
