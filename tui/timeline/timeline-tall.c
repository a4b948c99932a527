// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-tall.c - on the timeline of a wait, where there is room, the states of the victim and of who held
 * it up are two lines high: a wait fills both, all else is in the lower one, sleep as a thin line
 */
#include <string.h>

#include "base/vector.h"
#include "tui/timeline/timeline-screen.h"

static bool tall_is(const struct rs_timeline_screen *t, const struct rs_tl_row *row)
{
	static const char *const roles[] = { "victim", "holder" };
	const char *role = rs_timeline_cast_role(t, &t->tracks[row->track]);

	if (row->shape != RS_SPAN_STATE || t->tracks[row->track].of != RS_TRACK_TASK)
		return false;
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (!strcmp(role, roles[i]))
			return true;
	return false;
}

static bool tall_add_lower(struct rs_tl_picture *p, size_t upper)
{
	if (!RS_VECTOR_RESERVE(&p->rows, &p->max_rows, p->nr_rows + 1))
		return false;
	memmove(&p->rows[upper + 1], &p->rows[upper], (p->nr_rows - upper) * sizeof *p->rows);
	p->nr_rows++;
	p->rows[upper + 1].lower = true;
	return true;
}

bool rs_timeline_tall_add_rows(const struct rs_timeline_screen *t, struct rs_tl_picture *p)
{
	if (!t->cast.only || 2 * p->nr_rows >= (size_t)t->rows_height)
		return true;
	for (size_t i = 0; i < p->nr_rows; i++)
		if (!p->rows[i].lower && tall_is(t, &p->rows[i]) && !tall_add_lower(p, i))
			return false;
	return true;
}

bool rs_timeline_tall_has_lower(const struct rs_tl_picture *p, const struct rs_tl_row *row)
{
	return row + 1 < p->rows + p->nr_rows && row[1].lower;
}

size_t rs_timeline_tall_upper(const struct rs_tl_picture *p, size_t row)
{
	return row - (row < p->nr_rows && p->rows[row].lower);
}

/* ---- drawing ---- */

void rs_timeline_tall_put_cell(struct rs_canvas *c, int y, int x, bool lower, enum rs_cause cause,
			       const struct rs_ink_task *task, bool begins)
{
	bool letters = rs_canvas_cell_style(c, RS_STYLE_CAUSE) == RS_STYLE_CAUSE;
	enum rs_ink ink = rs_cause_ink(cause, task, NULL);
	enum rs_cause_rank rank = rs_cause_row(cause)->rank;
	bool fills = rank == RS_RANK_WAIT || ink == RS_INK_FULL;

	if (!lower && !fills)
		return;
	if (!fills && !letters && (rank == RS_RANK_CHOICE || rank == RS_RANK_IDLE))
		rs_put_glyph(c, y, x, RS_STYLE_QUIET, RS_GLYPH_SPARK + 1);
	else
		rs_chart_put_cell(c, y, x, cause, task, begins && lower);
}
