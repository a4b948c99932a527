// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-path.c - critical paths: each link on a track of its own under its thread's, since those of
 * several may overlap
 *
 * Readers take the direction of a flow from the times of its events, so that instants in the slices have
 * them.
 */
#include <stdio.h>

#include "export/perfetto/perfetto.h"

/*
 * Of a task that is not known any more, by its name; likewise of a link of several tasks, whose longest wait
 * may be older than the one that it is named for: readers would make another thread of what is earlier.
 */
static uint64_t perfetto_path_add_track(struct rs_perfetto *pf, const struct rs_path_slice *slice)
{
	const struct rs_chain_link *link = slice->link;
	struct rs_task *t = rs_task_find(pf->scene.c, link->tid);
	char name[64];

	if (t && t->inst == link->inst && rs_perfetto_birth_ns(pf, t) <= slice->from_ns)
		return rs_perfetto_add_track(pf, rs_perfetto_task_track(pf, t), t, "critical path");
	snprintf(name, sizeof name, "critical path of %s/%d", link->comm, link->tid);
	return rs_perfetto_add_track(pf, 0, NULL, name);
}

void rs_perfetto_put_path(struct rs_scene *s, const struct rs_path_slice *slice)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	pf->links[slice->number] = perfetto_path_add_track(pf, slice);
	rs_perfetto_link(pf, pf->links[slice->number], slice);
}

void rs_perfetto_put_path_flow(struct rs_scene *s, const struct rs_path_slice *slice, bool begins, bool ends)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	pf->next_flow += begins;
	if (!begins || !ends)
		rs_perfetto_link_flow(pf, pf->links[slice->number], slice->to_ns - 1, ends);
}
