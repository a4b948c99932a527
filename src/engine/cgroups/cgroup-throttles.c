// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup-throttles - when the quotas of control groups were used up
 *
 * No event tells that the kernel throttles a group. What is known is its cpu.max, and how long its tasks ran.
 * A quota is filled up by a timer that expires each period_ns, at the same moment of each period as long as
 * cpu.max is not written: the kernel forwards it by whole periods, also after a time without tasks. A group
 * whose tasks have run for its quota since then does not run before the timer expires again. So a task is
 * throttled where
 *
 *	- it is runnable at the end of a period, and not on a CPU,
 *	- and since the period's begin the group had run for its quota, less what it ran too long before,
 *
 * from when the quota was used up, or from when it left its CPU if that was later.
 *
 * The moment of the timer follows from slices and waits. In periods that begin elsewhere a group runs for
 * more than its quota now and then, in its own it never does but for a tick. Where several moments are left:
 * what was throttled goes on right after the timer, so the ends of the longest waits stand in the same place
 * of all periods, and the earliest of them is next to it.
 */
#include "engine/cgroups/cgroup-throttles.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bind.h"
#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"

#define THROTTLES_GROUPS 64u       /* with a quota, and tasks that ran */
#define THROTTLES_SLICES 4096u     /* of a group; a power of two */
#define THROTTLES_PLACES 128u      /* of a period */
#define THROTTLES_TRIED 1024u      /* slices by which places are told apart */
#define THROTTLES_WAIT_NS 1000000u /* shorter waits tell nothing of a quota */
#define THROTTLES_SLACK_NS 1000000u /* the kernel keeps so much back on a CPU */
#define THROTTLES_CPU_NS 5000000u  /* and hands out so much to each (sched_cfs_bandwidth_slice_us) */
#define THROTTLES_MOST_PERIODS 64u /* that are looked at for a wait */
#define THROTTLES_CACHED 64u       /* paths; a power of two */

struct throttles_slice {
	uint64_t from_ns, to_ns;
	uint32_t cpu;
};

/* A part of the period: waits that ended in it. */
struct throttles_place {
	uint64_t waited_ns, first_ns;  /* the earliest, from the place's begin */
	uint64_t over_ns;              /* above the quota, if periods began in it */
};

struct throttles_group {
	const char *path;              /* that of its counts */
	uint64_t quota_ns, period_ns;
	uint64_t nr;                   /* slices, ever */
	struct throttles_slice *slices; /* made with the first; NULL: none */
	struct throttles_place places[THROTTLES_PLACES];
	uint64_t waited_ns;            /* of all places */
	uint64_t nr_tried, most_over_ns; /* slices that .over_ns is of; more is too much of it */
};

/* The nearest group with a quota of a path; a path is one text of the session. */
struct throttles_cached {
	const char *path;
	struct throttles_group *group; /* NULL: none */
};

struct throttles {
	struct throttles_group groups[THROTTLES_GROUPS];
	unsigned int nr;
	struct throttles_cached cached[THROTTLES_CACHED];
};

static struct throttles *throttles_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_THROTTLES);
}

/* ---- which groups have a quota ---- */

static struct throttles_group *throttles_find_group(struct throttles *t, const char *path, size_t len)
{
	for (struct throttles_group *g = t->groups; g < t->groups + t->nr; g++)
		if (g->quota_ns && !strncmp(g->path, path, len) && !g->path[len])
			return g;
	return NULL;
}

/* The deepest: it is the smallest where the limits make sense. */
static struct throttles_group *throttles_nearest(struct throttles *t, const char *path)
{
	for (size_t len = strlen(path); len > 1; len--)
		if (!path[len] || path[len] == '/') {
			struct throttles_group *g = throttles_find_group(t, path, len);

			if (g)
				return g;
		}
	return NULL;
}

static struct throttles_group *throttles_group_of(struct throttles *t, const struct rs_task *task)
{
	const char *path = task ? rs_task_cgroup(task, RS_CGROUP_CPU) : NULL;
	struct throttles_cached *cached;

	if (!path || !t->nr)
		return NULL;
	cached = &t->cached[rs_hash_u64((uintptr_t)path) & (THROTTLES_CACHED - 1)];
	if (cached->path != path)
		*cached = (struct throttles_cached){ path, throttles_nearest(t, path) };
	return cached->group;
}

/* A new quota or period: what was learned of the old one does not hold. */
static void throttles_set(struct throttles *t, const struct rs_cgroup_row *row)
{
	const struct rs_value *quota = &row->end.value[RS_CGROUP_QUOTA_NS],
			      *period = &row->end.value[RS_CGROUP_PERIOD_NS];
	bool has_quota = quota->known && period->known && quota->u && period->u >= THROTTLES_PLACES;
	struct throttles_group *g = t->groups;

	while (g < t->groups + t->nr && strcmp(g->path, row->path) != 0)
		g++;
	if (g == t->groups + t->nr && (!has_quota || t->nr == THROTTLES_GROUPS))
		return;
	if (g < t->groups + t->nr && g->quota_ns == (has_quota ? quota->u : 0) &&
	    (!has_quota || g->period_ns == period->u))
		return;
	t->nr += g == t->groups + t->nr;
	free(g->slices);
	*g = (struct throttles_group){ .path = row->path };
	if (has_quota) {
		g->quota_ns = quota->u;
		g->period_ns = period->u;
	}
	memset(t->cached, 0, sizeof t->cached);
}

static void throttles_update(struct rs_session *s)
{
	const struct rs_trace_info *info = &s->source->info;
	const struct rs_cgroup_list *live = &rs_cgroups_of(s)->growth.groups;
	size_t nr = info->nr_cgroup_rows ? info->nr_cgroup_rows : live->nr;
	const struct rs_cgroup_row *row = info->nr_cgroup_rows ? info->cgroup_rows : live->row;

	for (; nr; nr--, row++)
		throttles_set(throttles_of(s), row);
}

/* ---- what its tasks did ---- */

static void throttles_add_slice(struct throttles_group *g, const struct rs_interval *iv)
{
	if (!g->slices)
		g->slices = calloc(THROTTLES_SLICES, sizeof *g->slices);
	if (g->slices)
		g->slices[g->nr++ & (THROTTLES_SLICES - 1)] =
			(struct throttles_slice){ iv->from_ns, iv->to_ns, iv->cpu };
}

/* Old waits count less and less: a trace may last for long. */
static void throttles_add_wait(struct throttles_group *g, const struct rs_interval *iv)
{
	uint64_t at_ns = iv->to_ns % g->period_ns, place_ns = g->period_ns / THROTTLES_PLACES + 1,
		 waited_ns = iv->to_ns - iv->from_ns;
	struct throttles_place *place = &g->places[at_ns / place_ns];

	if (!place->waited_ns || at_ns % place_ns < place->first_ns)
		place->first_ns = at_ns % place_ns;
	place->waited_ns += waited_ns;
	g->waited_ns += waited_ns;
	if (g->waited_ns < 256 * g->period_ns)
		return;
	g->waited_ns = 0;
	for (place = g->places; place < g->places + THROTTLES_PLACES; place++)
		g->waited_ns += place->waited_ns /= 2;
}

static void throttles_on_interval(struct rs_session *s, const struct rs_interval *iv)
{
	struct throttles *t = throttles_of(s);
	struct throttles_group *g = t->nr && !iv->discarded ? throttles_group_of(t, iv->task) : NULL;

	if (!g)
		return;
	if (iv->kind == RS_RUN)
		throttles_add_slice(g, iv);
	else if ((iv->kind == RS_DELAY || iv->kind == RS_PREEMPTED) && !iv->in_flight &&
		 iv->to_ns - iv->from_ns >= THROTTLES_WAIT_NS)
		throttles_add_wait(g, iv);
}

/* ---- what that tells ---- */

static uint64_t throttles_place_ns(const struct throttles_group *g, unsigned int place)
{
	return place * (g->period_ns / THROTTLES_PLACES + 1);
}

static const struct throttles_slice *throttles_slice(const struct throttles_group *g, uint64_t number)
{
	return &g->slices[(number - 1) & (THROTTLES_SLICES - 1)];
}

/* How much the last slices are above the quota, in periods that begin there; a slice counts where it ends. */
static uint64_t throttles_over_ns(const struct throttles_group *g, uint64_t phase_ns, uint64_t *sum_ns)
{
	uint64_t over_ns = 0, used_ns = 0, period = 0;

	*sum_ns = 0;
	for (uint64_t n = g->nr > THROTTLES_TRIED ? g->nr - THROTTLES_TRIED + 1 : 1; n <= g->nr; n++) {
		const struct throttles_slice *slice = throttles_slice(g, n);
		uint64_t in = (slice->to_ns + g->period_ns - phase_ns) / g->period_ns;

		if (in != period) {
			over_ns += used_ns > g->quota_ns ? used_ns - g->quota_ns : 0;
			used_ns = 0;
			period = in;
		}
		used_ns += slice->to_ns - slice->from_ns;
		*sum_ns += slice->to_ns - slice->from_ns;
	}
	return over_ns + (used_ns > g->quota_ns ? used_ns - g->quota_ns : 0);
}

/* Again when there are half as many more, and at last with each half of those that are used. */
static void throttles_try_places(struct throttles_group *g)
{
	uint64_t least_ns = UINT64_MAX, sum_ns = 0;

	if (g->nr - g->nr_tried < (g->nr < THROTTLES_TRIED ? g->nr : THROTTLES_TRIED) / 3)
		return;
	g->nr_tried = g->nr;
	for (unsigned int i = 0; i < THROTTLES_PLACES; i++) {
		g->places[i].over_ns = throttles_over_ns(g, throttles_place_ns(g, i), &sum_ns);
		least_ns = g->places[i].over_ns < least_ns ? g->places[i].over_ns : least_ns;
	}
	g->most_over_ns = least_ns + sum_ns / 64;
}

static bool throttles_is_possible(const struct throttles_group *g, const struct throttles_place *place)
{
	return place->over_ns <= g->most_over_ns;
}

/* When in its periods the timer expires. False: nothing waited yet. */
static bool throttles_phase(struct throttles_group *g, uint64_t *phase_ns)
{
	const struct throttles_place *most = NULL, *before;
	unsigned int at;

	throttles_try_places(g);
	for (const struct throttles_place *p = g->places; p < g->places + THROTTLES_PLACES; p++)
		if (p->waited_ns && throttles_is_possible(g, p) && (!most || p->waited_ns > most->waited_ns))
			most = p;
	if (!most)
		return false;
	at = (unsigned int)(most - g->places);
	before = &g->places[(at + THROTTLES_PLACES - 1) % THROTTLES_PLACES];
	if (before->waited_ns >= most->waited_ns / 8) /* it expires near the border of two */
		most = before;
	*phase_ns = throttles_place_ns(g, (unsigned int)(most - g->places)) + most->first_ns;
	return true;
}

/* What ran in a time. */
struct throttles_use {
	uint64_t ns, open_ns;    /* in all; of it in slices that go on */
	uint64_t cpus;           /* bit n: on the CPUs n, n + 64 ... */
	bool is_whole;           /* the slices reach back to the time's begin */
};

static uint64_t throttles_inside_ns(const struct throttles_slice *slice, uint64_t from_ns, uint64_t to_ns)
{
	if (slice->to_ns <= from_ns || slice->from_ns >= to_ns)
		return 0;
	return rs_part_ns(from_ns, slice->from_ns, slice->to_ns < to_ns ? slice->to_ns : to_ns);
}

static void throttles_add_open(const struct rs_session *s, const struct throttles_group *g, uint64_t from_ns,
			       uint64_t to_ns, struct throttles_use *use)
{
	for (unsigned int cpu = 0; cpu < s->states.nr_cpus; cpu++) {
		const struct rs_task_instance *inst = s->states.cpus[cpu].inst;
		uint64_t ns;

		/* the end of a wait is told before the slice begins */
		if (!inst || inst->task.state != RS_RUN ||
		    throttles_group_of(throttles_of(s), &inst->task) != g)
			continue;
		ns = throttles_inside_ns(&(struct throttles_slice){ inst->task.since_ns, s->now_ns, cpu },
					 from_ns, to_ns);
		use->open_ns += ns;
		use->cpus |= (uint64_t)(ns > 0) << (cpu & 63);
	}
	use->ns += use->open_ns;
}

static struct throttles_use throttles_sum(const struct rs_session *s, const struct throttles_group *g,
					  uint64_t from_ns, uint64_t to_ns)
{
	struct throttles_use use = { .is_whole = g->nr < THROTTLES_SLICES };

	throttles_add_open(s, g, from_ns, to_ns, &use);
	for (uint64_t n = g->nr; n && g->nr - n < THROTTLES_SLICES; n--) {
		const struct throttles_slice *slice = throttles_slice(g, n);
		uint64_t ns = throttles_inside_ns(slice, from_ns, to_ns);

		use.ns += ns;
		use.cpus |= (uint64_t)(ns > 0) << (slice->cpu & 63);
		if (slice->to_ns <= from_ns) {
			use.is_whole = true;
			break;
		}
	}
	return use;
}

/* When they had run for need_ns: by slices in the order of their ends, so to some ms on several CPUs. */
static uint64_t throttles_reached_ns(const struct throttles_group *g, uint64_t from_ns, uint64_t to_ns,
				     const struct throttles_use *use, uint64_t need_ns)
{
	uint64_t left_ns = use->ns - use->open_ns;

	if (left_ns < need_ns)
		return to_ns - (use->ns - need_ns < to_ns - from_ns ? use->ns - need_ns : 0);
	for (uint64_t n = g->nr; n && g->nr - n < THROTTLES_SLICES; n--) {
		const struct throttles_slice *slice = throttles_slice(g, n);
		uint64_t ns = throttles_inside_ns(slice, from_ns, to_ns);

		if (ns && left_ns - ns < need_ns)
			return (slice->to_ns < to_ns ? slice->to_ns : to_ns) - (left_ns - need_ns);
		left_ns -= ns;
	}
	return from_ns;
}

/* Of the period that begins at begin_ns: from when on its quota was used up, until to_ns; 0: it was not. */
static uint64_t throttles_used_up_ns(const struct rs_session *s, const struct throttles_group *g,
				     uint64_t begin_ns, uint64_t to_ns)
{
	struct throttles_use use = throttles_sum(s, g, begin_ns, to_ns), before;
	uint64_t need_ns = g->quota_ns, too_long_ns, slack_ns;

	if (!use.is_whole || use.ns < need_ns / 4)
		return 0;
	before = throttles_sum(s, g, begin_ns > g->period_ns ? begin_ns - g->period_ns : 0, begin_ns);
	too_long_ns = before.ns > need_ns ? before.ns - need_ns : 0;
	need_ns -= too_long_ns < need_ns / 2 ? too_long_ns : need_ns / 2;
	slack_ns = THROTTLES_SLACK_NS;
	if (use.cpus)
		slack_ns += (uint64_t)(__builtin_popcountll(use.cpus) - 1) * THROTTLES_CPU_NS;
	need_ns -= slack_ns < need_ns / 4 ? slack_ns : need_ns / 4;
	return use.ns >= need_ns ? throttles_reached_ns(g, begin_ns, to_ns, &use, need_ns) : 0;
}

static bool throttles_find_in(const struct rs_session *s, const struct throttles_group *g, uint64_t from_ns,
			      uint64_t to_ns, uint64_t begin_ns, struct rs_throttle *found)
{
	uint64_t end_ns = begin_ns + g->period_ns < to_ns ? begin_ns + g->period_ns : to_ns,
		 at_ns = begin_ns >= end_ns ? 0 :
			 throttles_used_up_ns(s, g, begin_ns, end_ns);

	if (!at_ns)
		return false;
	*found = (struct rs_throttle){ at_ns > from_ns ? at_ns : from_ns, end_ns };
	return found->from_ns < end_ns;
}

bool rs_cgroup_throttles_find(const struct rs_session *s, const struct rs_task *task, uint64_t from_ns,
			      uint64_t to_ns, bool open, struct rs_throttle *found)
{
	struct throttles *t = throttles_of(s);
	struct throttles_group *g = t ? throttles_group_of(t, task) : NULL;
	uint64_t phase_ns, begin_ns, until_ns;

	if (!g || to_ns - from_ns < THROTTLES_WAIT_NS || to_ns < 2 * g->period_ns ||
	    !throttles_phase(g, &phase_ns))
		return false;
	/* a wait that ended was not throttled in that period, or it ended with the one before */
	until_ns = open ? to_ns : to_ns + g->period_ns / THROTTLES_PLACES;
	begin_ns = until_ns - (until_ns % g->period_ns + g->period_ns - phase_ns) % g->period_ns;
	begin_ns -= open ? 0 : g->period_ns;
	for (unsigned int i = 0; i < THROTTLES_MOST_PERIODS && begin_ns + g->period_ns > from_ns;
	     i++, begin_ns -= g->period_ns) {
		if (throttles_find_in(s, g, from_ns, to_ns, begin_ns, found))
			return true;
		if (begin_ns < 2 * g->period_ns)
			break;
	}
	return false;
}

bool rs_cgroup_throttles_has_quota(const struct rs_session *s, const struct rs_task *task)
{
	struct throttles *t = throttles_of(s);

	return t && throttles_group_of(t, task);
}

/* ---- the observer ---- */

static int throttles_begin(struct rs_session *s)
{
	struct throttles *t;

	if (!rs_bind_keeps_history(s))
		return 0;
	t = calloc(1, sizeof *t);
	if (!t)
		return -1;
	rs_observer_set(s, RS_OBSERVER_THROTTLES, t);
	throttles_update(s);
	return 0;
}

static void throttles_free(struct rs_session *s, void *state)
{
	struct throttles *t = state;

	for (unsigned int i = 0; i < t->nr; i++)
		free(t->groups[i].slices);
	free(t);
}

const struct rs_observer rs_observer_throttles = {
	.name = "throttles",
	.begin = throttles_begin,
	.free = throttles_free,
	.interval = throttles_on_interval,
	.sample = throttles_update,
};
