/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track-cells.h - what a row of a track looks like in so many cells
 *
 * A row whose spans are few is walked over. Of one with many in each cell it is looked up what is there at
 * some moments of each cell, which are the same for the same cells: the picture does not flicker as it moves,
 * and costs the same however much there is.
 */
#ifndef RS_QUERY_TRACK_CELLS_H
#define RS_QUERY_TRACK_CELLS_H

#include "query/tracks.h"

#define RS_TRACK_DEPTHS 4    /* what is deeper is counted in the last */
#define RS_MAX_CELLS 1024
#define RS_TRACK_CELL_SPANS 32     /* spans in a cell, on average, that are walked over */

struct rs_cells {
	uint64_t from_ns, cell_ns; /* cell_ns is not 0; from_ns + nr * cell_ns does not wrap */
	unsigned int nr;           /* at most RS_MAX_CELLS */
};

/* So many cells from from_ns on that to_ns is within, or at the end of, the last. */
struct rs_cells rs_track_cells_count(uint64_t from_ns, uint64_t to_ns, unsigned int nr);

/* Cells beside each other that look the same. */
struct rs_cell_run {
	unsigned int from, to;     /* cells; to is exclusive */
	uint16_t kind;             /* of what takes most of the time */
	uint64_t style;             /* of its arg: what the label is made of */
	/* how many spans are in it; below depth 0 of a row that was not walked over: 1 */
	uint64_t nr;
	unsigned int eighths;      /* 1 to 8: how much of the time is covered by spans */
};

/* What is open on the track, in no order; NULL none. */
struct rs_open_span {
	uint32_t type;
	uint64_t id;
	struct rs_timeline_span span;
};

struct rs_opens {
	struct rs_open_span *spans; /* by type and id, then by their start */
	size_t nr, max;
	bool failed;               /* no memory: some are missing */
};

/* Of all tracks. False: no memory. */
bool rs_track_cells_add_in_flight(struct rs_opens *o, struct rs_timelines *t, struct rs_session *s);
void rs_track_cells_free_in_flight(struct rs_opens *o);
/* Those of a row of a track, outermost first. */
const struct rs_open_span *rs_track_cells_in_flight(const struct rs_opens *o, const struct rs_track_ref *ref,
						    enum rs_span_shape shape, size_t *nr);

typedef void rs_track_cells_emit_run(void *arg, unsigned int depth, const struct rs_cell_run *run);
/* Gets each span of a row that is walked over. */
typedef void rs_track_cells_emit_span(void *arg, const struct rs_timeline_span *span);

struct rs_track_cells_request {
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	/* of a task's states: a cell shows that of rs_cause_of_piece; false: what took most of it */
	bool is_history;
	struct rs_cells cells;
	const struct rs_opens *opens;
	rs_track_cells_emit_span *span;        /* NULL: none */
	rs_track_cells_emit_run *run;          /* by depth, in each in the order of time */
	void *arg;
};

/* False: no memory. */
bool rs_track_cells_draw(struct rs_timelines *t, const struct rs_track_cells_request *ask);

/* The bits of a span's argument that decide its style and its label. */
uint64_t rs_track_cells_span_style(const struct rs_timelines *t, const struct rs_timeline_span *span);

#endif
