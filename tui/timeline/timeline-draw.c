// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-draw.c - draws rows of runs, the axis above them, and the cursor's cell and the selected span
 * below them
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

#define MAX_LABEL_WIDTH 24
#define MIN_LABEL_WIDTH 9
#define DRAW_ROLE_COLUMNS 8      /* of those in a wait */
#define DRAW_INVOLVED_COLUMNS 10 /* of all: "same disk" */
#define PANEL_LINES 5     /* the selected span, and the legend */

static const char *kind_name(const struct rs_tui_machine *machine, unsigned int number)
{
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(rs_client_catalogue(machine->client),
								 number);

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
			      row->nr ? kind_name(rs_timeline_machine(t, t->tracks[row->track].name),
						  kind_of_row(row)) :
					"");
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

/* ---- below the rows: the cursor's cell, the selected span, the legend ---- */

static bool put_entry(struct rs_canvas *c, struct rs_area line, int *x, enum rs_cause cause)
{
	const char *legend = rs_cause_row(cause)->legend;

	if (*x + 2 + (int)strlen(legend) > line.x + line.width) { /* no partial word */
		if (*x < line.x + line.width)
			rs_put_glyph(c, line.y, *x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
		return false;
	}
	rs_put(c, line.y, *x, 1, rs_canvas_cell_style(c, RS_STYLE_CAUSE + cause),
	       (char[]){ rs_cause_row(cause)->letter, '\0' });
	*x += 2;
	*x += rs_put(c, line.y, *x, line.x + line.width - *x, RS_STYLE_DIM, legend) + 2;
	return true;
}

static void timeline_draw_legend(struct rs_canvas *c, struct rs_area line)
{
	int x = line.x;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++) {
		const struct rs_cause_row *row = rs_cause_row(cause);

		/* what leaves no ink needs no explanation */
		if (row->legend && row->rank < RS_RANK_IDLE && !put_entry(c, line, &x, cause))
			return;
	}
}

static void put_times(const struct rs_timeline_screen *t, struct rs_buf *out, uint64_t from_ns,
		      uint64_t to_ns, bool open)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_printf(out, "%s%s   ",
		      rs_screen_duration(to_ns > from_ns ? to_ns - from_ns : from_ns - to_ns, length),
		      open ? " and goes on" : "");
	rs_app_moment(t->screen.app, from_ns, out);
}

/* Puts the task that took its CPU, or that woke it. */
static void timeline_panel_put_task_name(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_span_taker *taker = t->selected->taker;
	const struct rs_span_waker *waker = t->selected->waker;
	char length[RS_SCREEN_TEXT];

	if (taker && taker->track) {
		rs_buf_printf(out, "preempted by %s (%lld), which ran for %s   x: go there",
			      taker->comm ? taker->comm : "", (long long)taker->tid,
			      rs_screen_duration(taker->ran_ns, length));
	} else if (waker && waker->tid) {
		rs_buf_printf(out, "woken by %s (%lld)   ", waker->comm && *waker->comm ? waker->comm : "?",
			      (long long)waker->tid);
		rs_app_moment(t->screen.app, waker->at_ns, out);
		rs_buf_puts(out, waker->track && *waker->track ? "   x: go there" : "");
	} else if (waker) {
		rs_buf_puts(out, "woken by an interrupt   ");
		rs_app_moment(t->screen.app, waker->at_ns, out);
	}
}

/* "syscall read"; a kind whose spans all have its name is named once. */
static void put_kind(struct rs_buf *out, const char *kind, const char *label)
{
	rs_buf_puts(out, kind);
	if (label && strcmp(kind, label))
		rs_buf_printf(out, " %s", label);
}

/* "syscall read   1.23ms   from 12.345678 s   a (10)" */
static void draw_span(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	struct rs_buf text = RS_BUF_INIT;
	const char *kind = kind_name(rs_timeline_machine(t, t->span_track), s->kind);

	put_kind(&text, kind, s->label);
	rs_buf_puts(&text, "   ");
	if (rs_span_has_no_length(s->shape))
		rs_app_moment(t->screen.app, s->start_ns, &text);
	else
		put_times(t, &text, s->start_ns, s->end_ns, s->open);
	if ((s->comm && *s->comm) || s->tid) /* a thread without a known name still has its number */
		rs_buf_printf(&text, "   %s (%lld)", s->comm && *s->comm ? s->comm : "-",
			      (long long)(s->tid ? s->tid : s->pid));
	rs_put(c, area.y, area.x, area.width, RS_STYLE_BOLD, text.data);
	rs_put(c, area.y + 1, area.x, area.width, RS_STYLE_TEXT,
	       t->details_asked ? "reading its details ..." : t->details.data);
	rs_buf_clear(&text);
	timeline_panel_put_task_name(t, &text);
	rs_put(c, area.y + 2, area.x, area.width, RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

/* Describes the cursor's cell with the data of the picture alone. */
static void timeline_panel_draw_cursor_text(const struct rs_timeline_screen *t, struct rs_canvas *c,
					    struct rs_area area)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = t->row < p->nr_rows ? &p->rows[t->row] : NULL;
	const struct rs_wire_run *run = row ? rs_timeline_run_at(p, row, t->cursor_ns) : NULL;
	const char *kind = run ? kind_name(rs_timeline_machine(t, t->tracks[row->track].name), run->kind) :
				 "";
	struct rs_buf text = RS_BUF_INIT;

	rs_app_moment(t->screen.app, t->cursor_ns, &text);
	if (run && run->nr > 1)
		rs_buf_printf(&text, "   %llu spans, mostly ", (unsigned long long)run->nr);
	else if (run)
		rs_buf_puts(&text, "   ");
	if (run)
		put_kind(&text, kind, row->labels[run->label]);
	if (t->nr_marks) {
		char length[RS_SCREEN_TEXT];
		uint64_t to_ns = t->nr_marks == 2 ? t->marks[1] : t->cursor_ns;

		rs_buf_printf(
			&text, "   %s %s", t->nr_marks == 2 ? "between the marks:" : "from the mark:",
			rs_screen_duration(to_ns > t->marks[0] ? to_ns - t->marks[0] : t->marks[0] - to_ns,
					   length));
	}
	rs_put(c, area.y, area.x, area.width, t->nr_marks ? RS_STYLE_MARKED : RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

/* A low screen has room for only the first line. */
static void timeline_draw_panel(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	timeline_panel_draw_cursor_text(t, c, area);
	if (area.height < 5)
		return;
	if (t->path.nr)
		rs_timeline_path_draw_panel(
			t, c, (struct rs_area){ area.y + 1, area.x, area.height - 2, area.width });
	else if (t->selected)
		draw_span(t, c, (struct rs_area){ area.y + 1, area.x, 3, area.width });
	if (area.height > PANEL_LINES)
		rs_timeline_stack_draw(
			t, c, (struct rs_area){ area.y + 4, area.x, area.height - PANEL_LINES, area.width });
	timeline_draw_legend(c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width });
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
	t->rows_height = area.height - 1 -
			 (area.height > 2 * PANEL_LINES ?
				  PANEL_LINES + rs_timeline_stack_lines(t, area.height - 1 - PANEL_LINES) :
				  1);
	if (area.height > 2 * PANEL_LINES)
		t->rows_height -= rs_timeline_pressure_lines(&t->pressure, &t->axis);
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
	if (area.height > 2 * PANEL_LINES) {
		int lines = rs_timeline_pressure_lines(&t->pressure, &t->axis);

		rs_timeline_pressure_draw(&t->pressure, &t->axis, c,
					  (struct rs_area){ panel.y, panel.x, lines, panel.width },
					  t->label_width);
		panel.y += lines;
		panel.height -= lines;
	}
	timeline_draw_panel(t, c, panel);
}
