// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-draw.c - draws rows of runs, the axis above them and the cursor, and puts the panel below them */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

#define MAX_LABEL_WIDTH 24
#define MIN_LABEL_WIDTH 9
#define DRAW_ROLE_COLUMNS 8      /* of those in a wait */
#define DRAW_INVOLVED_COLUMNS 10 /* of all: "same disk" */

const char *rs_timeline_kind_name(const struct rs_timeline_screen *t, const char *track, unsigned int number)
{
	const struct rs_catalogue *catalogue = rs_client_catalogue(rs_timeline_machine(t, track)->client);
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(catalogue, number);

	return kind ? kind->name : "";
}

/* ---- runs: slices by their names ---- */

enum rs_cause rs_timeline_cause_of(uint32_t state)
{
	return rs_cause_of_state(rs_state_of(state), rs_state_cause(state));
}

enum rs_style_id rs_timeline_slice_style(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label && *label != '/'; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return RS_STYLE_SLICE + (hash >> 13) % (RS_STYLE_SLICE_LAST - RS_STYLE_SLICE + 1);
}

/*
 * Writes "cc1/4242", or only the name. Returns false if neither fits: a cut name would read as another name.
 */
static bool put_name(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id,
		     const char *label, int *used)
{
	char name[72];
	const char *slash = strrchr(label, '/');

	snprintf(name, sizeof name, "%s", label);
	*used = rs_put_text_columns(name, rs_canvas_ascii(c));
	if (*used > width && slash && slash > label) {
		name[slash - label] = '\0';
		*used = rs_put_text_columns(name, rs_canvas_ascii(c));
	}
	if (*used > width)
		return false;
	rs_put(c, y, x, width, style_id, name);
	return true;
}

/* Low coverage of the cells is drawn as shades. Otherwise the name, if it fits, and a line to the end. */
static void draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_wire_run *run,
		       const char *label)
{
	enum rs_style_id style_id = rs_timeline_slice_style(label);
	int used = 0;

	if (run->eighths < 4 && run->nr > 1) {
		for (int i = 0; i < width; i++)
			rs_put_glyph(c, y, x + i, RS_STYLE_DIM, RS_GLYPH_SHADE + 1u + run->eighths / 2u);
		return;
	}
	if (!put_name(c, y, x, width, style_id, label, &used)) {
		/* the start of the next one */
		rs_put_glyph(c, y, x, style_id, width > 1 ? RS_GLYPH_VLINE : RS_GLYPH_HLINE);
		used = 1;
	}
	for (int i = used; i < width; i++)
		rs_put_glyph(c, y, x + i, style_id, RS_GLYPH_HLINE);
}

static void draw_instant(struct rs_canvas *c, int y, int x, int width, const struct rs_wire_run *run)
{
	for (int i = 0; i < width; i++)
		rs_put(c, y, x + i, 1, RS_STYLE_MARKED, run->nr > 9 ? "*" : run->nr > 1 ? "+" : "'");
}

bool rs_timeline_columns(const struct rs_axis *a, uint64_t from_ns, uint64_t to_ns, int *from, int *to)
{
	*from = rs_chart_axis_cell(a, from_ns);
	*to = rs_chart_axis_cell(a, to_ns - 1) + 1;
	if (*from < 0)
		*from = 0;
	if (*to > (int)a->nr_cells)
		*to = (int)a->nr_cells;
	return *from < *to;
}

/* ---- a row ---- */

/* Returns the kind of span that fills most of a row. */
static unsigned int kind_of_row(const struct rs_tl_row *row)
{
	uint64_t cells[16] = { 0 };
	unsigned int kinds[16], nr = 0, best = 0;

	for (const struct rs_wire_run *run = row->runs; run < row->runs + row->nr; run++) {
		unsigned int k = 0;

		while (k < nr && kinds[k] != run->kind)
			k++;
		if (k == nr && nr < 16)
			kinds[nr++] = run->kind;
		if (k < nr && (cells[k] += run->to - run->from) > cells[best])
			best = k;
	}
	return kinds[best];
}

/* Draws the name of a machine, above its tracks. */
static void draw_heading(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const char *name,
			 bool selected)
{
	int width = t->label_width + (int)t->axis.nr_cells,
	    x = rs_put(c, y, 0, width - 1, RS_STYLE_TITLE, name) + 1;

	for (; x < width; x++)
		rs_put_glyph(c, y, x, RS_STYLE_DIM, RS_GLYPH_HLINE);
	if (selected)
		rs_canvas_set_style(c, (struct rs_area){ y, 0, 1, t->label_width - 1 }, RS_STYLE_SELECTED);
}

static int draw_role_columns(const struct rs_timeline_screen *t)
{
	return t->cast.only ? DRAW_ROLE_COLUMNS : t->cast.nr ? DRAW_INVOLVED_COLUMNS : 0;
}

/* The first row of a track has the track's name, the others their kind. */
static void draw_label(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, size_t at)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = &p->rows[at];
	const struct rs_tl_track *track = &t->tracks[row->track];
	enum rs_style_id style_id = at == t->row ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	const char *role = rs_timeline_cast_role(t, track);
	char number[24] = "";
	int room = t->label_width - (t->path.nr ? 2 : 1), used, x = 0; /* the path has its number there */

	if (rs_timeline_quiet_is_heading(track->name)) {
		rs_timeline_quiet_draw(t, c, y, at == t->row);
		return;
	}
	if (rs_timeline_is_heading(track->name)) {
		draw_heading(t, c, y, track->label, at == t->row);
		return;
	}
	if (row->lower) {
		rs_put_padded(c, y, 0, room, style_id, "");
		return;
	}
	if (at && p->rows[at - 1].track == row->track) {
		rs_put_padded(c, y, 0, 2, style_id, "");
		rs_put_padded(c, y, 2, room - 2, at == t->row ? style_id : RS_STYLE_DIM,
			      row->nr ? rs_timeline_kind_name(t, track->name, kind_of_row(row)) : "");
		return;
	}
	if (t->label_width > MAX_LABEL_WIDTH || *role) {
		x = draw_role_columns(t);
		rs_put_padded(c, y, 0, x, RS_STYLE_KEY, role);
		room -= x;
	}
	if (track->tid)
		snprintf(number, sizeof number, "%lld", (long long)track->tid);
	used = (int)strlen(number);
	rs_put_padded(c, y, x, room, style_id, "");
	rs_put(c, y, x, room - used - 1, style_id, *track->vcpu ? track->vcpu : track->label);
	rs_put_right(c, y, x + room - used, used, at == t->row ? style_id : RS_STYLE_DIM, number);
}

static void draw_runs(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
		      const struct rs_tl_row *row)
{
	const struct rs_axis *a = &t->picture.axis;
	bool is_state = row->shape == RS_SPAN_STATE,
	     states = is_state && t->tracks[row->track].of == RS_TRACK_TASK,
	     queue = is_state && t->tracks[row->track].of == RS_TRACK_DISK;

	for (const struct rs_wire_run *run = row->runs; run < row->runs + row->nr; run++) {
		int from, to;

		if (!rs_timeline_columns(&t->axis, a->from_ns + run->from * a->cell_ns,
				a->from_ns + run->to * a->cell_ns, &from, &to))
			continue;
		if (states) {
			rs_timeline_states_draw_run(t, c, y, row, run, from, to);
		} else if (queue) {
			rs_timeline_queue_draw_run(t, c, y, row, run, from, to);
		} else if (rs_span_has_no_length(row->shape)) {
			draw_instant(c, y, t->label_width + from, to - from, run);
		} else {
			draw_slice(c, y, t->label_width + from, to - from, run, row->labels[run->label]);
			rs_timeline_states_dim_slice(t, c, y, row, run);
		}
	}
	if (queue && t->cast.only)
		rs_timeline_queue_draw_ahead(t, c, y, row);
}

/* Draws cells of the same slice in one piece, though runs end where the coverage changes. */
static void draw_selected(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
			  const struct rs_tl_row *row)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	int from, to;

	if (!s || row->shape != s->shape || strcmp(t->tracks[row->track].name, t->span_track) ||
	    rs_timeline_tall_upper(&t->picture, t->row) !=
		    rs_timeline_tall_upper(&t->picture, (size_t)(row - t->picture.rows)))
		return;
	if (rs_timeline_columns(&t->axis, s->start_ns, s->end_ns + (s->end_ns == s->start_ns), &from, &to))
		rs_canvas_set_style(c, (struct rs_area){ y, t->label_width + from, 1, to - from },
				    RS_STYLE_SELECTED);
}

/* ---- overlays ---- */

int rs_timeline_find_line(const struct rs_timeline_screen *t, unsigned int track)
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
		int cell = rs_chart_axis_cell(&t->axis, p->arrows[i].at_ns),
		line = rs_timeline_find_line(t, p->arrows[i].to);

		if (cell < 0 || cell >= (int)t->axis.nr_cells || line < 0 || are_many(t, p->arrows[i].to))
			continue;
		rs_put_glyph(c, y + line, t->label_width + cell, RS_STYLE_KEY,
			     p->arrows[i].from < p->arrows[i].to ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	}
}

void rs_timeline_draw_connection(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				 uint64_t at_ns, int from, int to)
{
	int cell = rs_chart_axis_cell(&t->axis, at_ns);

	if (cell < 0 || cell >= (int)t->axis.nr_cells)
		return;
	for (int line = from < to ? from : to; line < (from < to ? to : from); line++)
		if (line != to)
			rs_put_glyph(c, y + line, t->label_width + cell, RS_STYLE_KEY, RS_GLYPH_VLINE);
	rs_put_glyph(c, y + to, t->label_width + cell, RS_STYLE_KEY, from < to ? RS_GLYPH_DOWN : RS_GLYPH_UP);
}

/* Draws a line from the waker of the selected span to the span, across the rows between. */
static void draw_waker(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	const struct rs_span_waker *waker = t->selected ? t->selected->waker : NULL;
	char name[RS_TL_NAME];
	long from, to = rs_timeline_find_track(t, t->span_track);
	int a, b;

	if (to < 0 || !waker)
		return;
	rs_timeline_put_name(rs_timeline_machine(t, t->span_track), waker->track, name);
	from = rs_timeline_find_track(t, name);
	if (from < 0)
		return;
	a = rs_timeline_find_line(t, (unsigned int)from);
	b = rs_timeline_find_line(t, (unsigned int)to);
	if (a < 0)
		a = from < to ? 0 : t->rows_height - 1;
	if (b >= 0)
		rs_timeline_draw_connection(t, c, y, waker->at_ns, a, b);
}

static void draw_moment(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, uint64_t at_ns,
			enum rs_style_id style_id, unsigned int glyph)
{
	int cell = rs_chart_axis_cell(&t->axis, at_ns);

	if (cell >= 0 && cell < (int)t->axis.nr_cells)
		rs_put_glyph(c, y, t->label_width + cell, style_id, glyph);
}

static void timeline_draw_nothing(const struct rs_timeline_screen *t, struct rs_canvas *c,
				  struct rs_area area)
{
	const char *text = !t->tracks_known ? "..." :
			   t->nr_tracks     ? "..." :
					      "no data (it ended too long ago, or was not traced)";

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
	if (t->path.nr)
		rs_timeline_path_draw(t, c, area.y);
	else
		draw_waker(t, c, area.y);
}

/* Where conditions of the daemon fired. */
static void timeline_draw_fired(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_alarms_reply *a = rs_fired_list(t->screen.machine);

	for (size_t i = 0; a && i < a->nr_alarms; i++) {
		int cell = rs_chart_axis_cell(&t->axis, a->alarms[i].to_ns);

		if (cell >= 0 && cell < (int)t->axis.nr_cells)
			rs_put(c, area.y, area.x + t->label_width + cell, 1, RS_STYLE_BAD, "!");
	}
}

/* Where the time begins and ends that the next one is compared with. */
static void timeline_draw_compared(const struct rs_timeline_screen *t, struct rs_canvas *c,
				   struct rs_area area)
{
	const struct rs_shown_time *time = &t->screen.app->compared;
	int from, to;

	if (!time->to_ns || !rs_timeline_columns(&t->axis, time->from_ns, time->to_ns, &from, &to))
		return;
	rs_put(c, area.y, area.x + t->label_width + from, 1, RS_STYLE_MARKED, "A");
	rs_put(c, area.y, area.x + t->label_width + to - 1, 1, RS_STYLE_MARKED, "A");
}

static void draw_axis(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area line = { area.y, area.x + t->label_width, 1, (int)t->axis.nr_cells };
	char cell[RS_SCREEN_TEXT];

	rs_put_format(c, area.y, area.x, t->label_width - 1, RS_STYLE_DIM, "%s a cell",
		      rs_screen_duration(t->axis.cell_ns, cell));
	rs_app_draw_axis(t->screen.app, c, line, &t->axis,
			 rs_client_hello_reply(t->screen.machine->client)->begin_ns);
	timeline_draw_fired(t, c, area);
	timeline_draw_compared(t, c, area);
	for (unsigned int i = 0; i < t->nr_marks; i++)
		draw_moment(t, c, area.y, t->marks[i], RS_STYLE_MARKED, RS_GLYPH_CRUMB);
	draw_moment(t, c, area.y, t->cursor_ns, RS_STYLE_KEY, RS_GLYPH_DOWN);
}

/* Highlights the cursor's cell on its row, and keeps its glyph. */
static void draw_cursor_cell(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	int cell = rs_chart_axis_cell(&t->axis, t->cursor_ns);

	if (t->row < t->top || t->row >= t->top + (size_t)t->rows_height || cell < 0 ||
	    cell >= (int)t->axis.nr_cells)
		return;
	rs_canvas_set_style(c, (struct rs_area){ y + (int)(t->row - t->top), t->label_width + cell, 1, 1 },
			    RS_STYLE_SORTED);
}

static void timeline_draw_fit_width(struct rs_timeline_screen *t, struct rs_area area)
{
	int rows_before = t->rows_height;
	unsigned int cells;

	t->label_width = area.width / 4 < MAX_LABEL_WIDTH ? area.width / 4 : MAX_LABEL_WIDTH;
	if (t->label_width < MIN_LABEL_WIDTH)
		t->label_width = MIN_LABEL_WIDTH;
	if (area.width >= 80)
		t->label_width += draw_role_columns(t);
	cells = area.width > t->label_width ? (unsigned int)(area.width - t->label_width) : 1;
	cells = cells > 1000 ? 1000 : cells;
	t->rows_height = area.height - 2;
	if (area.height > 2 * RS_TL_PANEL_LINES)
		t->rows_height = area.height - 1 - RS_TL_PANEL_LINES -
				 rs_timeline_stack_lines(t, area.height - 1 - RS_TL_PANEL_LINES) -
				 rs_timeline_pressure_lines(&t->pressure, &t->axis);
	if (t->rows_height < 1)
		t->rows_height = 1;
	/* a stack takes lines: the cursor stays in sight */
	if (t->rows_height < rows_before && t->row >= t->top + (size_t)t->rows_height)
		t->top = t->row - (size_t)t->rows_height + 1;
	if (t->rows_height != rows_before && t->nr_tracks && rs_timeline_is_heading(t->tracks[0].name))
		rs_timeline_ask_tracks(t); /* several machines share the lines */
	if (t->rows_height != rows_before && t->cast.only)
		rs_timeline_ask(t); /* is there room for two lines of a wait? */
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
	if (rs_timeline_order_again(t))
		rs_timeline_ask(t);
	panel = (struct rs_area){ area.y + 1 + t->rows_height, area.x, area.height - 1 - t->rows_height,
				  area.width };
	if (!t->picture.nr_rows || !t->axis.cell_ns) {
		timeline_draw_nothing(t, c, area);
		return;
	}
	draw_axis(t, c, area);
	timeline_draw_rows(t, c, (struct rs_area){ area.y + 1, area.x, t->rows_height, area.width });
	draw_cursor_cell(t, c, area.y + 1);
	if (area.height > 2 * RS_TL_PANEL_LINES) {
		int lines = rs_timeline_pressure_lines(&t->pressure, &t->axis);

		rs_timeline_pressure_draw(&t->pressure, &t->axis, c,
					  (struct rs_area){ panel.y, panel.x, lines, panel.width },
					  t->label_width);
		panel.y += lines;
		panel.height -= lines;
	}
	rs_timeline_panel_draw(t, c, panel);
}
