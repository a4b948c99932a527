// SPDX-License-Identifier: GPL-2.0-or-later
/* stream-cells - the last columns of a stream, RS_STREAM_CGROUP_COLUMNS: the engine knows the row's task */
#include "engine/stream-cells.h"

#include <string.h>

#include "ringside/plugin.h"

/* The number in the row's column of that name; 0: it has none. */
static int32_t stream_cells_id(const struct rs_view *view, const struct rs_value *values, const char *name,
			       unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(view->columns[i].name, name))
			return values[i].known ? (int32_t)values[i].u : 0;
	return 0;
}

static const char *stream_cells_cgroup(struct rs_ctx *c, const struct rs_view *view,
				       const struct rs_value *values, unsigned int nr)
{
	int32_t tid = stream_cells_id(view, values, "tid", nr);
	int32_t id = tid ? tid : stream_cells_id(view, values, "pid", nr);
	const struct rs_task *t = id ? rs_task_find(c, id) : NULL;

	return t ? t->cgroup : NULL;
}

void rs_stream_cells_put(struct rs_ctx *c, const struct rs_view *view, const struct rs_value *values,
			 struct rs_sink *sink)
{
	struct rs_value all[RS_MAX_COLUMNS];
	char names[RS_KEY_POD + 1][RS_CELL_TEXT_BYTES];
	const char *cgroup;
	unsigned int nr = 0;

	while (view->columns[nr].name && !view->columns[nr].key)
		nr++;
	if (!view->columns[nr].name) {
		sink->row(sink, values);
		return;
	}
	memcpy(all, values, nr * sizeof *all);
	cgroup = stream_cells_cgroup(c, view, values, nr);
	for (; view->columns[nr].name; nr++)
		all[nr] = rs_cgroup_value(c, cgroup, view->columns[nr].key, names[view->columns[nr].key]);
	sink->row(sink, all);
}
