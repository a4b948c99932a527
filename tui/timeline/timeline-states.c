// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-states.c - draws the states of a task by color and letter, and in words what is looked at */
#include <stdio.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

/* A track is called by the name of its thread. */
static struct rs_ink_task states_ink_task(const struct rs_timeline_screen *t, unsigned int track)
{
	const struct rs_tl_track *at = &t->tracks[track];

	return rs_pains_of(&rs_timeline_machine(t, at->name)->pains, at->pid, at->label);
}

/* Runs of one cause end where the state letter changes. */
static bool states_cause_begins(const struct rs_tl_row *row, const struct rs_wire_run *run)
{
	return run == row->runs || run[-1].to != run->from ||
	       rs_timeline_cause_of(run[-1].state) != rs_timeline_cause_of(run->state);
}

/*
 * Returns the length of a run that is one state, or, but for what the cells at its ends have beside, the wait
 * that the screen was opened on; 0: it is several.
 */
static uint64_t states_run_ns(const struct rs_timeline_screen *t, const struct rs_tl_row *row,
			      const struct rs_wire_run *run)
{
	const struct rs_axis *a = &t->picture.axis;
	const struct rs_tl_cast *cast = &t->cast;
	uint64_t from_ns = a->from_ns + run->from * a->cell_ns, to_ns = a->from_ns + run->to * a->cell_ns;

	if (run->nr <= 1)
		return to_ns - from_ns;
	if (t->tracks[row->track].tid != cast->tid || from_ns + a->cell_ns < cast->from_ns ||
	    from_ns > cast->from_ns + 2 * a->cell_ns || to_ns + 2 * a->cell_ns < cast->to_ns ||
	    to_ns > cast->to_ns + a->cell_ns)
		return 0;
	return cast->to_ns - cast->from_ns;
}

/* " run-queue wait 447ms " in the middle of a wait, where there is room. */
static void states_draw_words(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area line,
			      const struct rs_tl_row *row, const struct rs_wire_run *run)
{
	const struct rs_cause_row *cause = rs_cause_row(rs_timeline_cause_of(run->state));
	uint64_t ns = states_run_ns(t, row, run);
	char words[64], length[RS_SCREEN_TEXT];
	int columns;

	if (!cause->legend || cause->rank == RS_RANK_WORK || cause->rank == RS_RANK_UNKNOWN)
		return;
	columns = snprintf(words, sizeof words, " %s%s%s ", cause->legend, ns ? " " : "",
			   ns ? rs_screen_duration(ns, length) : "");
	if (columns + 4 <= line.width)
		rs_put(c, line.y, line.x + (line.width - columns) / 2, columns, RS_STYLE_BOLD, words);
}

void rs_timeline_states_draw_run(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				 const struct rs_tl_row *row, const struct rs_wire_run *run, int from, int to)
{
	bool tall = row->lower || rs_timeline_tall_has_lower(&t->picture, row),
	     begins = states_cause_begins(row, run);
	struct rs_ink_task task = states_ink_task(t, row->track);
	enum rs_cause cause = rs_timeline_cause_of(run->state);
	int x = t->label_width;

	for (int cell = from; cell < to; cell++)
		if (tall)
			rs_timeline_tall_put_cell(c, y, x + cell, row->lower, cause, &task,
						  begins && cell == from);
		else
			rs_chart_put_cell(c, y, x + cell, cause, &task, begins && cell == from);
	if (t->cast.only && !row->lower)
		states_draw_words(t, c, (struct rs_area){ y, x + from, 1, to - from }, row, run);
}

/* ---- slices beside the states ---- */

/* The states are the first row of a track; NULL: of a CPU, a disk, or without states. */
static const struct rs_tl_row *states_row_of(const struct rs_timeline_screen *t, const struct rs_tl_row *row)
{
	if (t->tracks[row->track].of != RS_TRACK_TASK)
		return NULL;
	for (const struct rs_tl_row *at = row; at-- > t->picture.rows && at->track == row->track;)
		if (at->shape == RS_SPAN_STATE && !at->lower)
			return at;
	return NULL;
}

void rs_timeline_states_dim_slice(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				  const struct rs_tl_row *row, const struct rs_wire_run *run)
{
	const struct rs_axis *a = &t->picture.axis;
	const struct rs_tl_row *states = states_row_of(t, row);
	struct rs_ink_task task = states_ink_task(t, row->track);

	for (size_t i = 0; states && i < states->nr; i++) {
		const struct rs_wire_run *at = &states->runs[i];
		uint64_t first = at->from > run->from ? at->from : run->from,
			 end = at->to < run->to ? at->to : run->to;
		enum rs_ink ink = rs_cause_ink(rs_timeline_cause_of(at->state), &task, NULL);
		int from, to;

		if (first >= end || ink > RS_INK_DIM ||
		    !rs_timeline_columns(&t->axis, a->from_ns + first * a->cell_ns,
					 a->from_ns + end * a->cell_ns, &from, &to))
			continue;
		rs_canvas_set_style(c, (struct rs_area){ y, t->label_width + from, 1, to - from },
				    RS_STYLE_DIM);
	}
}
