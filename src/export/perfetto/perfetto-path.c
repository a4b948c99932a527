// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-path.c - critical paths: each link on a track of its own under its thread's, since those of
 * several may overlap
 *
 * Readers take the direction of a flow from the times of its events, so that instants in the slices have
 * them.
 */
#include <stdio.h>

#include "export/scene/path-slices.h"
#include "export/perfetto/perfetto.h"

struct perfetto_path {
	struct rs_perfetto *pf;
	uint64_t tracks[RS_MAX_LINKS + 1]; /* by the number of a link */
};

/*
 * Of a task that is not known any more, by its name; likewise of a link of several tasks, whose longest wait
 * may be older than the one that it is named for: readers would make another thread of what is earlier.
 */
static uint64_t perfetto_path_add_track(struct rs_ctx *c, struct rs_perfetto *pf,
					const struct rs_path_slice *slice)
{
	const struct rs_chain_link *link = slice->link;
	struct rs_task *t = rs_task_find(c, link->tid);
	char name[64];

	if (t && t->inst == link->inst && rs_perfetto_birth_ns(pf, t) <= slice->from_ns)
		return rs_perfetto_add_track(pf, rs_perfetto_task_track(pf, t), t, "critical path");
	snprintf(name, sizeof name, "critical path of %s/%d", link->comm, link->tid);
	return rs_perfetto_add_track(pf, 0, NULL, name);
}

static void perfetto_path_slice(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice)
{
	struct perfetto_path *path = arg;

	path->tracks[slice->number] = perfetto_path_add_track(c, path->pf, slice);
	rs_perfetto_link(path->pf, path->tracks[slice->number], slice);
}

static void perfetto_path_flow(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice, bool begins,
			       bool ends)
{
	const struct perfetto_path *path = arg;

	(void)c;
	path->pf->next_flow += begins;
	if (!begins || !ends)
		rs_perfetto_link_flow(path->pf, path->tracks[slice->number], slice->to_ns - 1, ends);
}

void rs_perfetto_put_paths(struct rs_ctx *c, struct rs_perfetto *pf, const struct rs_chain_list *chains)
{
	struct perfetto_path path = { .pf = pf };

	rs_path_slices_draw(
		c, chains, &(struct rs_path_slices_drawer){ perfetto_path_slice, perfetto_path_flow, &path });
}
