/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name-cells.h - what the tasks of one name did, all together, in so many cells: "tasks:NAME" of the protocol
 *
 * A thousand short-lived tasks have a picture, where that of any one of them is a dot.
 */
#ifndef RS_QUERY_NAME_CELLS_H
#define RS_QUERY_NAME_CELLS_H

#include "query/track-cells.h"

/* Returns the NAME of "tasks:NAME"; NULL: it is another track. */
const char *rs_name_cells_read(const char *track);

struct rs_name_cells_request {
	const char *name;
	const struct rs_track_info *tracks; /* of tasks: those of other names are left out */
	size_t nr_tracks;
	struct rs_cells cells;
	const struct rs_opens *opens;
	rs_track_cells_emit_run *run; /* at depth 0, a run for each cell in which any was; .nr is 1 */
	void *arg;
};

/* Draws their states, as a history: of each cell that of rs_cause_of_piece. False: no memory. */
bool rs_name_cells_draw(struct rs_timelines *t, const struct rs_name_cells_request *ask);

#endif
