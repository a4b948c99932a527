// SPDX-License-Identifier: GPL-2.0-or-later
/* name-cells.c - what the tasks of one name did, all together, in so many cells */
#include "query/name-cells.h"

#include <stdlib.h>
#include <string.h>

#define NAME_CELLS_PREFIX "tasks:"

/* Of a cell, in eighths of it: of each cause, and of time that is not known. */
struct name_cell {
	uint64_t eighths[RS_NR_CAUSES];
	uint64_t styles[RS_NR_CAUSES]; /* the last that had the cause */
	uint16_t kind;
};

struct name_picture {
	struct name_cell *cells;
	unsigned int nr;
};

const char *rs_name_cells_read(const char *track)
{
	size_t len = sizeof NAME_CELLS_PREFIX - 1;

	return !strncmp(track, NAME_CELLS_PREFIX, len) && track[len] ? track + len : NULL;
}

static void name_cells_add_run(void *arg, unsigned int depth, const struct rs_cell_run *run)
{
	struct name_picture *p = arg;
	enum rs_cause cause = rs_cause_of_state(rs_state_of(run->style), rs_state_cause(run->style));

	for (unsigned int i = run->from; !depth && i < run->to && i < p->nr; i++) {
		p->cells[i].eighths[cause] += run->eighths;
		p->cells[i].styles[cause] = run->style;
		p->cells[i].kind = run->kind;
	}
}

static void name_cells_emit(const struct rs_name_cells_request *ask, const struct name_picture *p)
{
	for (unsigned int i = 0; i < p->nr; i++) {
		const struct name_cell *c = &p->cells[i];
		unsigned int cause = rs_cause_of_piece(c->eighths);
		uint64_t eighths = cause < RS_NR_CAUSES ? c->eighths[cause] : 0;

		if (eighths)
			ask->run(ask->arg, 0, &(struct rs_cell_run){
				i, i + 1, c->kind, c->styles[cause], 1,
				eighths < 8 ? (unsigned int)eighths : 8 });
	}
}

bool rs_name_cells_draw(struct rs_timelines *t, const struct rs_name_cells_request *ask)
{
	struct name_picture p = { .nr = ask->cells.nr };
	struct rs_track_cells_request of_task = {
		.shape = RS_SPAN_STATE, .is_history = true, .cells = ask->cells, .opens = ask->opens,
		.run = name_cells_add_run, .arg = &p,
	};
	bool ok;

	p.cells = calloc(p.nr, sizeof *p.cells);
	ok = p.cells;
	for (size_t i = 0; ok && i < ask->nr_tracks; i++) {
		if (strcmp(ask->tracks[i].label, ask->name) != 0)
			continue;
		of_task.ref = ask->tracks[i].ref;
		ok = rs_track_cells_draw(t, &of_task);
	}
	if (ok)
		name_cells_emit(ask, &p);
	free(p.cells);
	return ok;
}
