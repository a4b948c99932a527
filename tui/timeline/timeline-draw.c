// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-draw.c - draws rows of runs, and the axis above them */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/timeline-screen.h"

#define MAX_LABEL_WIDTH 24
#define MIN_LABEL_WIDTH 9
#define PANEL_LINES 5     /* the selected span, and the legend */

/* Returns the columns of a run in the shown time range. False: it is outside. */
static bool columns_of(const struct rs_axis *a, const struct rs_tl_run *run, int *from, int *to)
{
	*from = rs_axis_cell(a, run->from_ns);
	*to = rs_axis_cell(a, run->to_ns - 1) + 1;
	if (*from < 0)
		*from = 0;
	if (*to > (int)a->nr_cells)
		*to = (int)a->nr_cells;
	return *from < *to;
}

/* ---- a row ---- */

/* Returns the kind of span that fills most of a row. */
static unsigned int kind_of_row(const struct rs_tl_picture *p, const struct rs_tl_row *row)
{
	uint64_t ns[16] = { 0 };
	unsigned int kinds[16], nr = 0, best = 0;

	for (size_t i = row->first; i < row->first + row->nr; i++) {
		const struct rs_tl_run *run = &p->runs[i];
		unsigned int k = 0;

		while (k < nr && kinds[k] != run->kind)
			k++;
		if (k == nr && nr < 16)
			kinds[nr++] = run->kind;
		if (k < nr && (ns[k] += run->to_ns - run->from_ns) > ns[best])
			best = k;
	}
	return kinds[best];
}

/* Draws the name of a machine, above its tracks. */
static void draw_heading(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const char *name, bool selected)
{
	int width = t->label_width + (int)t->axis.nr_cells, x = rs_put(c, y, 0, width - 1, RS_STYLE_TITLE, name) + 1;

	for (; x < width; x++)
		rs_put_glyph(c, y, x, RS_STYLE_DIM, RS_GLYPH_HLINE);
	if (selected)
		rs_canvas_set_style(c, (struct rs_area){ y, 0, 1, t->label_width - 1 }, RS_STYLE_SELECTED);
}

/* The first row of a track has the track's name, the others their kind. */
static void draw_label(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, size_t at)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = &p->rows[at];
	const struct rs_tl_track *track = &t->tracks[row->track];
	enum rs_style_id style_id = at == t->row ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	char number[24] = "";
	int room = t->label_width - 1, used;

	if (rs_timeline_is_heading(track->name)) {
		draw_heading(t, c, y, track->label, at == t->row);
		return;
	}
	if (at && p->rows[at - 1].track == row->track) {
		rs_put_padded(c, y, 0, 2, style_id, "");
		rs_put_padded(c, y, 2, room - 2, at == t->row ? style_id : RS_STYLE_DIM,
			      row->nr ? rs_timeline_kind_name(rs_timeline_machine_of_row(t, row), kind_of_row(p, row)) : "");
		return;
	}
	if (track->tid)
		snprintf(number, sizeof number, "%lld", (long long)track->tid);
	used = (int)strlen(number);
	rs_put_padded(c, y, 0, room, style_id, "");
	rs_put(c, y, 0, room - used - 1, style_id, *track->vcpu ? track->vcpu : track->label);
	rs_put_right(c, y, room - used, used, at == t->row ? style_id : RS_STYLE_DIM, number);
}

static void draw_runs(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const struct rs_tl_row *row)
{
	const struct rs_tl_picture *p = &t->picture;
	bool states = row->shape == RS_SPAN_STATE && t->tracks[row->track].of == RS_TRACK_TASK;

	for (size_t i = row->first; i < row->first + row->nr; i++) {
		const struct rs_tl_run *run = &p->runs[i];
		int from, to;

		if (!columns_of(&t->axis, run, &from, &to))
			continue;
		if (states)
			rs_timeline_draw_state(c, y, t->label_width + from, to - from, run);
		else if (row->shape == RS_SPAN_INSTANT)
			rs_timeline_draw_instant(c, y, t->label_width + from, to - from, run);
		else
			rs_timeline_draw_slice(c, y, t->label_width + from, to - from, run,
					       p->labels[run->label]);
	}
}

/* Draws cells of the same slice in one piece, though runs end where the coverage changes. */
static void draw_selected(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const struct rs_tl_row *row)
{
	const struct rs_tl_span *s = &t->span;
	struct rs_tl_run run = { .from_ns = s->start_ns, .to_ns = s->end_ns + (s->end_ns == s->start_ns) };
	int from, to;

	if (!s->known || row->shape != s->shape || strcmp(t->tracks[row->track].name, s->track) ||
	    t->picture.rows + t->row != row)
		return;
	if (columns_of(&t->axis, &run, &from, &to))
		rs_canvas_set_style(c, (struct rs_area){ y, t->label_width + from, 1, to - from },
				    RS_STYLE_SELECTED);
}

/* ---- overlays ---- */

/* Returns the line of a track's first row; -1: not visible. */
static int timeline_draw_find_line(const struct rs_timeline_screen *t, unsigned int track)
{
	for (size_t i = t->top; i < t->picture.nr_rows && i < t->top + (size_t)t->rows_height; i++)
		if (t->picture.rows[i].track == track && (!i || t->picture.rows[i - 1].track != track))
			return (int)(i - t->top);
	return -1;
}

/* Many arrows on a row would hide the task's states. */
static bool are_many(const struct rs_timeline_screen *t, unsigned int to)
{
	const struct rs_tl_picture *p = &t->picture;
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_arrows; i++)
		nr += p->arrows[i].to == to;
	return nr > t->axis.nr_cells / 12;
}

/* Draws an arrow at the task that was woken; it points from the waker's row. */
static void draw_arrows(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	const struct rs_tl_picture *p = &t->picture;

	for (size_t i = 0; i < p->nr_arrows && !t->hides_arrows; i++) {
		int cell = rs_axis_cell(&t->axis, p->arrows[i].at_ns),
		line = timeline_draw_find_line(t, p->arrows[i].to);

		if (cell < 0 || cell >= (int)t->axis.nr_cells || line < 0 || are_many(t, p->arrows[i].to))
			continue;
		rs_put_glyph(c, y + line, t->label_width + cell, RS_STYLE_KEY,
			     p->arrows[i].from < p->arrows[i].to ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	}
}

/* Draws a line from the waker of the selected span to the span, across the rows between. */
static void draw_waker(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	const struct rs_tl_span *s = &t->span;
	long from = s->known && s->waker_known ? rs_timeline_find_track(t, s->waker_track) : -1;
	long to = rs_timeline_find_track(t, s->track);
	int cell = rs_axis_cell(&t->axis, s->waker_at_ns), a, b;

	if (from < 0 || to < 0 || cell < 0 || cell >= (int)t->axis.nr_cells)
		return;
	a = timeline_draw_find_line(t, (unsigned int)from);
	b = timeline_draw_find_line(t, (unsigned int)to);
	if (a < 0)
		a = from < to ? 0 : t->rows_height - 1;
	if (b < 0)
		return;
	for (int line = a < b ? a : b; line < (a < b ? b : a); line++)
		if (line != b)
			rs_put_glyph(c, y + line, t->label_width + cell, RS_STYLE_KEY, RS_GLYPH_VLINE);
	rs_put_glyph(c, y + b, t->label_width + cell, RS_STYLE_KEY, a < b ? RS_GLYPH_DOWN : RS_GLYPH_UP);
}

static void draw_moment(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, uint64_t at_ns,
			enum rs_style_id style_id, unsigned int glyph)
{
	int cell = rs_axis_cell(&t->axis, at_ns);

	if (cell >= 0 && cell < (int)t->axis.nr_cells)
		rs_put_glyph(c, y, t->label_width + cell, style_id, glyph);
}

static void timeline_draw_nothing(const struct rs_timeline_screen *t, struct rs_canvas *c,
				  struct rs_area area)
{
	const char *text = !t->tracks_known ? "..." : t->nr_tracks ? "..." : "no data (it ended too long ago, or was not traced)";

	rs_put(c, area.y + 1, area.x + 2, area.width - 2, RS_STYLE_DIM, text);
}

/* ---- the whole screen ---- */

static void timeline_draw_rows(struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_tl_picture *p = &t->picture;
	int y = area.y;

	for (size_t i = t->top; i < p->nr_rows && y < area.y + t->rows_height; i++, y++) {
		if (p->rows[i].track >= t->nr_tracks)
			break;
		draw_label(t, c, y, i);
		draw_runs(t, c, y, &p->rows[i]);
		draw_selected(t, c, y, &p->rows[i]);
	}
	draw_arrows(t, c, area.y);
	draw_waker(t, c, area.y);
}

static uint64_t begin_ns(const struct rs_timeline_screen *t)
{
	return rs_client_hello_reply(t->screen.machine->client)->begin_ns;
}

static void draw_axis(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area line = { area.y, area.x + t->label_width, 1, (int)t->axis.nr_cells };
	char cell[RS_SCREEN_TEXT];

	rs_put_format(c, area.y, area.x, t->label_width - 1, RS_STYLE_DIM, "%s a cell", rs_screen_duration(t->axis.cell_ns, cell));
	rs_axis_draw(t->screen.app, c, line, &t->axis, begin_ns(t));
	for (unsigned int i = 0; i < t->nr_marks; i++)
		draw_moment(t, c, area.y, t->marks[i], RS_STYLE_MARKED, RS_GLYPH_CRUMB);
	draw_moment(t, c, area.y, t->cursor_ns, RS_STYLE_KEY, RS_GLYPH_DOWN);
}

/* Highlights the cursor's cell on its row, and keeps its glyph. */
static void draw_cursor_cell(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	int cell = rs_axis_cell(&t->axis, t->cursor_ns);

	if (t->row < t->top || t->row >= t->top + (size_t)t->rows_height || cell < 0 || cell >= (int)t->axis.nr_cells)
		return;
	rs_canvas_set_style(c, (struct rs_area){ y + (int)(t->row - t->top), t->label_width + cell, 1, 1 }, RS_STYLE_SORTED);
}

static void timeline_draw_fit_width(struct rs_timeline_screen *t, struct rs_area area)
{
	int rows_before = t->rows_height;
	unsigned int cells;

	t->label_width = area.width / 4 < MAX_LABEL_WIDTH ? area.width / 4 : MAX_LABEL_WIDTH;
	if (t->label_width < MIN_LABEL_WIDTH)
		t->label_width = MIN_LABEL_WIDTH;
	cells = area.width > t->label_width ? (unsigned int)(area.width - t->label_width) : 1;
	cells = cells > 1000 ? 1000 : cells;
	t->rows_height = area.height - 1 - (area.height > 2 * PANEL_LINES ? PANEL_LINES : 1);
	if (t->rows_height < 1)
		t->rows_height = 1;
	if (t->rows_height != rows_before && t->nr_tracks && rs_timeline_is_heading(t->tracks[0].name))
		rs_timeline_ask_tracks(t); /* several machines share the lines */
	if (cells == t->axis.nr_cells)
		return;
	/* keep the time range if the number of cells changes */
	if (t->axis.nr_cells && t->axis.cell_ns) {
		uint64_t width_ns = t->axis.cell_ns * t->axis.nr_cells;

		t->axis.nr_cells = cells;
		rs_timeline_show(t, t->axis.from_ns, width_ns / cells + 1);
	}
	t->axis.nr_cells = cells;
	t->screen.ops->ask(&t->screen);
}

void rs_timeline_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	struct rs_area panel;

	timeline_draw_fit_width(t, area);
	panel = (struct rs_area){ area.y + 1 + t->rows_height, area.x, area.height - 1 - t->rows_height, area.width };
	if (!t->picture.nr_rows || !t->axis.cell_ns) {
		timeline_draw_nothing(t, c, area);
		return;
	}
	draw_axis(t, c, area);
	timeline_draw_rows(t, c, (struct rs_area){ area.y + 1, area.x, t->rows_height, area.width });
	draw_cursor_cell(t, c, area.y + 1);
	rs_timeline_draw_panel(t, c, panel);
}
