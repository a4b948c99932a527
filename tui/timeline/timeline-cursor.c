// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-cursor.c - the cursor, a row and a moment: it keeps both when a new answer has other rows */
#include <string.h>

#include "tui/timeline/timeline-screen.h"

static bool is_at(const struct rs_timeline_screen *t, const struct rs_tl_row *row, const char *track)
{
	return row->track < t->nr_tracks && !strcmp(t->tracks[row->track].name, track);
}

/* Finds that row; otherwise the last row of its track above it; otherwise the first row. */
static size_t timeline_cursor_find(const struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape, unsigned int depth)
{
	const struct rs_tl_picture *p = &t->picture;
	size_t found = 0;
	bool any = false;

	for (size_t i = 0; i < p->nr_rows; i++) {
		if (!is_at(t, &p->rows[i], track))
			continue;
		if (!any || (p->rows[i].shape == shape && p->rows[i].depth <= depth))
			found = i;
		any = true;
	}
	return found;
}

static void timeline_cursor_remember(struct rs_timeline_screen *t)
{
	const struct rs_tl_row *row = &t->picture.rows[t->row];

	if (t->row >= t->picture.nr_rows || row->track >= t->nr_tracks)
		return;
	memcpy(t->at_track, t->tracks[row->track].name, sizeof t->at_track);
	t->at_shape = row->shape;
	t->at_depth = row->depth;
	rs_timeline_follow_cursor(t);
}

static void into_sight(struct rs_timeline_screen *t)
{
	size_t height = t->rows_height > 0 ? (size_t)t->rows_height : 1;

	if (t->row < t->top)
		t->top = t->row;
	if (t->row >= t->top + height)
		t->top = t->row - height + 1;
}

/* Keeps the cursor's row on its line. */
void rs_timeline_cursor_find(struct rs_timeline_screen *t)
{
	size_t line = t->row >= t->top ? t->row - t->top : 0;

	t->row = timeline_cursor_find(t, t->at_track, t->at_shape, t->at_depth);
	t->top = t->placed && t->row > line ? t->row - line : 0;
	t->placed = true;
	if (!*t->at_track)
		timeline_cursor_remember(t);
	into_sight(t);
}

void rs_timeline_cursor_row(struct rs_timeline_screen *t, long by)
{
	size_t nr = t->picture.nr_rows;
	long to = (long)t->row + by;

	if (!nr)
		return;
	t->row = to < 0 ? 0 : (size_t)to < nr ? (size_t)to : nr - 1;
	timeline_cursor_remember(t);
	into_sight(t);
	rs_timeline_ask(t);
}

void rs_timeline_cursor_to(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape,
			   uint64_t at_ns)
{
	struct rs_axis *a = &t->axis;
	int cell = rs_axis_cell(a, at_ns);

	memset(t->at_track, 0, sizeof t->at_track);
	memcpy(t->at_track, track, strnlen(track, sizeof t->at_track - 1));
	t->at_shape = shape;
	t->at_depth = UINT32_MAX; /* a span of the lowest depth ended last */
	rs_timeline_follow_cursor(t);
	t->row = timeline_cursor_find(t, t->at_track, t->at_shape, t->at_depth);
	if (t->row < t->top || t->row >= t->top + (size_t)t->rows_height) /* with the rows around it */
		t->top = t->row > (size_t)t->rows_height / 2 ? t->row - (size_t)t->rows_height / 2 : 0;
	t->cursor_ns = at_ns;
	t->follows = false;
	if (cell < 0 || cell >= (int)a->nr_cells)
		rs_timeline_show(t, at_ns > a->cell_ns * a->nr_cells / 2
				 ? at_ns - a->cell_ns * a->nr_cells / 2 : 0,
				 a->cell_ns);
	rs_timeline_ask(t);
}

void rs_timeline_cursor_cell(struct rs_timeline_screen *t, int by)
{
	struct rs_axis *a = &t->axis;
	uint64_t step = a->cell_ns * (uint64_t)(by < 0 ? -by : by);

	t->cursor_ns = by < 0 ? t->cursor_ns - (t->cursor_ns < step ? t->cursor_ns : step) : t->cursor_ns + step;
	if (t->cursor_ns > rs_timeline_now_ns(t))
		t->cursor_ns = rs_timeline_now_ns(t);
	if (t->cursor_ns < rs_timeline_oldest_ns(t))
		t->cursor_ns = rs_timeline_oldest_ns(t);
	if (rs_axis_cell(a, t->cursor_ns) < 0 || rs_axis_cell(a, t->cursor_ns) >= (int)a->nr_cells) {
		t->follows = false;
		rs_timeline_show(t, by < 0 ? t->cursor_ns : a->from_ns + step, a->cell_ns);
		rs_timeline_ask(t);
	}
	rs_app_redraw(t->screen.app);
}
