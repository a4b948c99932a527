// SPDX-License-Identifier: GPL-2.0-or-later
/* cgroup-culprits - pairs of control groups, of which one had what the other waited for */
#include <string.h>

#include "plugins/parts/cgroup-culprits.h"

static bool cgroup_pairs_is_disturbance(enum rs_time_part part)
{
	enum rs_category category = rs_part_cause(part)->category;

	return category == RS_CATEGORY_QUEUE || category == RS_CATEGORY_LOCK ||
	       category == RS_CATEGORY_DISK || category == RS_CATEGORY_MEMORY;
}

static const char *cgroup_pairs_culprit(const struct rs_culprit *k)
{
	return k->kind == RS_CULPRIT_TASK && k->name && k->name->task ? k->name->task->cgroup : NULL;
}

static void cgroup_pairs_add(struct rs_cgroup_pairs *pairs, const char *victim,
				    const struct rs_culprits *culprits)
{
	for (const struct rs_culprit *k = culprits->at; k < culprits->at + culprits->nr; k++) {
		const char *culprit = cgroup_pairs_culprit(k);

		if (!culprit || !k->ns || !strcmp(culprit, victim) || !cgroup_pairs_is_disturbance(k->part))
			continue;
		rs_frequent_add(pairs->pair, CGROUP_PAIRS,
				(unsigned int)rs_hash_u64((uintptr_t)victim ^ (uintptr_t)culprit << 8),
				(uintptr_t)victim, (uintptr_t)culprit, k->ns);
	}
}

/* From the last reset on: the part before is in the rows of the interval before. */
void rs_cgroup_culprits_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint64_t since_ns = rs_since_ns(c), from_ns = iv->from_ns < since_ns ? since_ns : iv->from_ns;
	struct rs_culprits culprits;

	if (iv->discarded || from_ns >= iv->to_ns || !iv->task || !iv->task->cgroup || !rs_shown(c, iv->task))
		return;
	rs_culprits_find(c, iv->task, from_ns, iv->to_ns, &culprits);
	cgroup_pairs_add(c->state, iv->task->cgroup, &culprits);
}

void rs_cgroup_culprits_on_wait(struct rs_ctx *c, const struct rs_wait *wait)
{
	rs_cgroup_culprits_on_interval(c, wait->interval);
}

void rs_cgroup_culprits_add_open(struct rs_ctx *c, struct rs_cgroup_pairs *pairs)
{
	uint64_t now_ns = rs_last_event_ns(c), since_ns = rs_since_ns(c);
	struct rs_culprits culprits;

	for (struct rs_task *t = c->range_ended ? NULL : rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		uint64_t open_ns = 0, from_ns;
		enum rs_state state = rs_task_state(c, t, &open_ns);

		if ((state != RS_DELAY && state != RS_PREEMPTED && state != RS_BLOCKED) || !t->cgroup ||
		    open_ns == RS_AGE_UNKNOWN || !rs_shown(c, t))
			continue;
		from_ns = now_ns - open_ns > since_ns ? now_ns - open_ns : since_ns;
		if (from_ns >= now_ns)
			continue;
		rs_culprits_find(c, t, from_ns, now_ns, &culprits);
		cgroup_pairs_add(pairs, t->cgroup, &culprits);
	}
}

void rs_cgroup_culprits_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct rs_cgroup_pairs));
}

static bool cgroup_pairs_is_below(const char *path, const char *group)
{
	size_t len = strlen(group);

	return !strcmp(group, "/") || (!strncmp(path, group, len) && (!path[len] || path[len] == '/'));
}

struct rs_cgroup_quarrel rs_cgroup_culprits_of(const struct rs_cgroup_pairs *pairs, const char *group)
{
	struct rs_cgroup_quarrel q = { 0 };
	uint64_t most_by = 0, most_of = 0;

	for (const struct rs_frequent *p = pairs->pair; p < pairs->pair + CGROUP_PAIRS; p++) {
		const char *victim = (const char *)(uintptr_t)p->key0,
			   *culprit = (const char *)(uintptr_t)p->key1;
		bool of_victim = p->sum && cgroup_pairs_is_below(victim, group),
		     of_culprit = p->sum && cgroup_pairs_is_below(culprit, group);

		if (of_victim == of_culprit)
			continue;
		if (of_victim) {
			q.disturbed_ns += p->sum;
			q.disturbed_by = p->sum > most_by ? culprit : q.disturbed_by;
			most_by = p->sum > most_by ? p->sum : most_by;
		} else {
			q.disturbs_ns += p->sum;
			q.disturbs = p->sum > most_of ? victim : q.disturbs;
			most_of = p->sum > most_of ? p->sum : most_of;
		}
	}
	return q;
}
