// SPDX-License-Identifier: GPL-2.0-or-later
/* group-counts - how much the events of a group have counted since its last sample, on its CPU */
#include "decode/group-counts.h"

#include <stdlib.h>

#include "ringside/event.h"

#define GROUPS 4096u                   /* one for each CPU, or of perf.data for each CPU and task */
#define GROUPS_SEARCHED 8u

struct counted_group {
	uint64_t id;                   /* of the leader, or the CPU; 0: free */
	uint32_t cpu;
	bool is_known;                 /* no sample was lost since */
	struct rs_sample_counts last;
};

struct rs_group_counts {
	struct counted_group groups[GROUPS];
};

struct rs_group_counts *rs_group_counts_new(void)
{
	return calloc(1, sizeof(struct rs_group_counts));
}

void rs_group_counts_free(struct rs_group_counts *g)
{
	free(g);
}

/* Of more groups than there are places some are forgotten: their growth is not known. */
static struct counted_group *group_counts_find(struct rs_group_counts *g, uint64_t id)
{
	uint64_t first = rs_hash_u64(id);
	struct counted_group *free_one = NULL;

	for (uint64_t i = first; i < first + GROUPS_SEARCHED; i++) {
		struct counted_group *group = &g->groups[i % GROUPS];

		if (group->id == id)
			return group;
		if (!group->id && !free_one)
			free_one = group;
	}
	free_one = free_one ? free_one : &g->groups[first % GROUPS];
	*free_one = (struct counted_group){ .id = id };
	return free_one;
}

/* All events of a group are on the PMU together. */
static bool group_counts_have_grown(const struct rs_sample_counts *before, const struct rs_sample_counts *now)
{
	if (now->nr != before->nr || now->enabled_ns < before->enabled_ns ||
	    now->running_ns - before->running_ns != now->enabled_ns - before->enabled_ns)
		return false;
	for (unsigned int i = 0; i < now->nr; i++)
		if (now->row[i].value < before->row[i].value)
			return false;
	return true;
}

unsigned int rs_group_counts_add(struct rs_group_counts *g, const struct rs_sample_info *info,
				 const struct rs_sample_event *ev, uint64_t growth[RS_NR_COUNTERS])
{
	struct rs_sample_counts now;
	unsigned int known = 0;
	struct counted_group *group;

	if (!info->nr_counters || !rs_sample_record_counts(info, ev, &now))
		return 0;
	group = group_counts_find(g, now.row[0].id ? now.row[0].id : ev->cpu + 1ull);
	if (group->is_known && group_counts_have_grown(&group->last, &now))
		for (unsigned int i = 0; i < now.nr && i < info->nr_counters; i++) {
			if (info->counters[i] >= RS_NR_COUNTERS)
				continue;
			growth[info->counters[i]] = now.row[i].value - group->last.row[i].value;
			known |= 1u << info->counters[i];
		}
	group->cpu = ev->cpu;
	group->is_known = true;
	group->last = now;
	return known;
}

void rs_group_counts_lost(struct rs_group_counts *g, uint32_t cpu)
{
	for (struct counted_group *group = g->groups; group < g->groups + GROUPS; group++)
		group->is_known &= cpu != UINT32_MAX && group->cpu != cpu;
}
