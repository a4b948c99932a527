// SPDX-License-Identifier: GPL-2.0-or-later
/* process-follow - waits for input that another process made longer count, through chains of processes */
#include "compare/process-parts.h"

#include <stdlib.h>
#include <string.h>

static int process_compare_comm(const void *comm, const void *p)
{
	return strcmp(comm, ((const struct rs_process_change *)p)->comm);
}

/* Does what this one waits for take longer itself, or faster, or is it new, or gone? */
static bool process_is_changed(const struct rs_process_list *list, const struct rs_process_sides *sides,
			       const char *comm)
{
	const struct rs_process_change *p =
		list->nr ? bsearch(comm, list->at, list->nr, sizeof *list->at, process_compare_comm) : NULL;

	if (p)
		return rs_process_has_verdict(p);
	return rs_row_index_has(&sides->why_a, comm) != rs_row_index_has(&sides->why_b, comm);
}

/*
 * Returns true if a wait for input counts now that did not before. A server that waits longer for its client
 * takes no longer for that.
 */
static bool process_follow_one(const struct rs_process_list *list, struct rs_process_change *p,
			       const struct rs_process_sides *sides)
{
	bool more = false;

	for (size_t i = 0; i < p->nr_parts; i++) {
		struct rs_process_part *part = &p->parts[i];

		if (part->counts || !part->is_told || !rs_process_part_may_follow(part) ||
		    !strcmp(part->culprit, p->comm) || !process_is_changed(list, sides, part->culprit) ||
		    rs_process_answers_asks(sides, part->culprit, p->comm))
			continue;
		part->counts = part->is_followed = more = true;
	}
	if (more)
		rs_process_judge(p, sides);
	return more;
}

/* Is at least half of what it takes longer its own doing, or of what it wants and others have? */
static bool process_is_root(const struct rs_process_change *p)
{
	double own = 0;

	for (size_t i = 0; i < p->nr_parts; i++)
		if (rs_process_judge_is_sure(&p->parts[i]) && !p->parts[i].is_followed)
			own += p->parts[i].change.value;
	return p->verdict == RS_PROCESS_SLOWER && own > p->change.value / 2;
}

void rs_process_follow(struct rs_process_list *list, const struct rs_process_sides *sides)
{
	bool more = true;

	/* each round reaches one process further */
	for (unsigned int round = 0; more && round < RS_MAX_LINKS; round++) {
		more = false;
		for (size_t i = 0; i < list->nr; i++)
			more |= process_follow_one(list, &list->at[i], sides);
	}
	for (size_t i = 0; i < list->nr; i++)
		list->at[i].is_root = process_is_root(&list->at[i]);
}
