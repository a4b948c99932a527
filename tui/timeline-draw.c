// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-draw.c - rows of runs, the axis above them, and below what is selected */
#include <stdio.h>
#include <string.h>

#include "daemon/wire.h"
#include "tui/timeline.h"

#define MAX_LABEL_WIDTH 24
#define MIN_LABEL_WIDTH 9
#define PANEL_LINES 4     /* about what is selected */

/* ---- how a run looks ---- */

static const struct {
	enum rs_look look;
	char letter;
	unsigned int glyph;       /* where there is no letter */
} causes[RS_NR_CAUSES] = {
	[RS_CAUSE_UNKNOWN] = { RS_LOOK_SLEEP, 0, RS_GLYPH_HLINE },
	[RS_CAUSE_DISK] = { RS_LOOK_DISK, 'D', 0 },
	[RS_CAUSE_LOCK] = { RS_LOOK_LOCK, 'L', 0 },
	[RS_CAUSE_FUTEX] = { RS_LOOK_FUTEX, 'F', 0 },
	[RS_CAUSE_RECLAIM] = { RS_LOOK_MEMORY, 'M', 0 },
	[RS_CAUSE_OTHER_D] = { RS_LOOK_BLOCKED, 'B', 0 },
	[RS_CAUSE_IDLE] = { RS_LOOK_IDLE, 0, RS_GLYPH_DOT },
	[RS_CAUSE_SLEEP] = { RS_LOOK_SLEEP, 0, RS_GLYPH_HLINE },
};

static enum rs_look state_look(uint32_t state, unsigned int *glyph, char letter[2])
{
	enum rs_cause cause = rs_state_cause(state);

	letter[0] = letter[1] = '\0';
	*glyph = RS_GLYPH_SHADE + 4;
	switch (rs_state_of(state)) {
	case RS_RUN:
		return RS_LOOK_RUN;
	case RS_DELAY:
		*glyph = RS_GLYPH_SHADE + 3;
		return RS_LOOK_RUNNABLE;
	case RS_PREEMPTED:
		*glyph = RS_GLYPH_SHADE + 2;
		return RS_LOOK_PREEMPTED;
	case RS_BLOCKED:
		break;
	default:
		*letter = '?';
		return RS_LOOK_UNKNOWN;
	}
	cause = cause < RS_NR_CAUSES ? cause : RS_CAUSE_UNKNOWN;
	*letter = causes[cause].letter;
	*glyph = causes[cause].glyph;
	return causes[cause].look;
}

/* The same name has the same look in every row and every answer. */
static enum rs_look slice_look(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label && *label != '/'; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return RS_LOOK_SLICE + (hash >> 13) % (RS_LOOK_SLICE_LAST - RS_LOOK_SLICE + 1);
}

/* Columns of a run in what is shown now. False: none of it is in sight. */
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

static void draw_state(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	unsigned int glyph;
	char letter[2];
	enum rs_look look = state_look(run->state, &glyph, letter);

	for (int i = 0; i < width; i++) {
		if (*letter)
			rs_put(c, y, x + i, 1, look, letter);
		else
			rs_put_glyph(c, y, x + i, look, glyph);
	}
}

/* Little of the cells is taken: shades, the lighter the less. Else the name, and a line to its end. */
static void draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run, const char *label)
{
	enum rs_look look = slice_look(label);
	int used;

	if (run->eighths < 4 && run->nr > 1) {
		for (int i = 0; i < width; i++)
			rs_put_glyph(c, y, x + i, RS_LOOK_DIM, RS_GLYPH_SHADE + 1u + run->eighths / 2u);
		return;
	}
	used = rs_put(c, y, x, width, look, label);
	for (int i = used; i < width; i++)
		rs_put_glyph(c, y, x + i, look, RS_GLYPH_HLINE);
}

static void draw_instant(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		rs_put(c, y, x + i, 1, RS_LOOK_MARKED, run->nr > 9 ? "*" : run->nr > 1 ? "+" : "'");
}

/* ---- a row ---- */

static const char *kind_name(const struct rs_timeline_screen *t, unsigned int number)
{
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(rs_client_catalogue(rs_app_client(t->screen.app)), number);

	return kind ? kind->name : "";
}

/* What most of a row is of. */
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

/* The first row of a track has its name, the others what they are of. */
static void draw_label(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, size_t at)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = &p->rows[at];
	const struct rs_tl_track *track = &t->tracks[row->track];
	enum rs_look look = at == t->row ? RS_LOOK_SELECTED : RS_LOOK_TEXT;
	char number[24] = "";
	int room = t->label_width - 1, used;

	if (at && p->rows[at - 1].track == row->track) {
		rs_put_padded(c, y, 0, 2, look, "");
		rs_put_padded(c, y, 2, room - 2, at == t->row ? look : RS_LOOK_DIM,
			      row->nr ? kind_name(t, kind_of_row(p, row)) : "");
		return;
	}
	if (track->tid)
		snprintf(number, sizeof number, "%lld", (long long)track->tid);
	used = (int)strlen(number);
	rs_put_padded(c, y, 0, room, look, "");
	rs_put(c, y, 0, room - used - 1, look, track->label);
	rs_put_right(c, y, room - used, used, at == t->row ? look : RS_LOOK_DIM, number);
}

static void draw_runs(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const struct rs_tl_row *row)
{
	const struct rs_tl_picture *p = &t->picture;
	bool states = row->lane == RS_SPAN_STATE && t->tracks[row->track].of == RS_TRACK_TASK;

	for (size_t i = row->first; i < row->first + row->nr; i++) {
		const struct rs_tl_run *run = &p->runs[i];
		int from, to;

		if (!columns_of(&t->axis, run, &from, &to))
			continue;
		if (states)
			draw_state(c, y, t->label_width + from, to - from, run);
		else if (row->lane == RS_SPAN_INSTANT)
			draw_instant(c, y, t->label_width + from, to - from, run);
		else
			draw_slice(c, y, t->label_width + from, to - from, run, p->labels[run->label]);
	}
}

/* Cells at once that are the same slice, in one piece: borders of runs lie where the cover changes. */
static void draw_selected(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, const struct rs_tl_row *row)
{
	const struct rs_tl_span *s = &t->span;
	struct rs_tl_run run = { .from_ns = s->start_ns, .to_ns = s->end_ns + (s->end_ns == s->start_ns) };
	int from, to;

	if (!s->known || row->lane != s->lane || strcmp(t->tracks[row->track].name, s->track) ||
	    t->picture.rows + t->row != row)
		return;
	if (columns_of(&t->axis, &run, &from, &to))
		rs_put_look(c, (struct rs_area){ y, t->label_width + from, 1, to - from }, RS_LOOK_SELECTED);
}

/* ---- over the rows ---- */

/* The line on which a track's first row is; -1: out of sight. */
static int line_of(const struct rs_timeline_screen *t, unsigned int track)
{
	for (size_t i = t->top; i < t->picture.nr_rows && i < t->top + (size_t)t->rows_height; i++)
		if (t->picture.rows[i].track == track && (!i || t->picture.rows[i - 1].track != track))
			return (int)(i - t->top);
	return -1;
}

/* On a row where there are many they would hide what the task is in. */
static bool are_many(const struct rs_timeline_screen *t, unsigned int to)
{
	const struct rs_tl_picture *p = &t->picture;
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_arrows; i++)
		nr += p->arrows[i].to == to;
	return nr > t->axis.nr_cells / 12;
}

/* At the one that was woken: it points from where it came. */
static void draw_arrows(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	const struct rs_tl_picture *p = &t->picture;

	for (size_t i = 0; i < p->nr_arrows && !t->hides_arrows; i++) {
		int cell = rs_axis_cell(&t->axis, p->arrows[i].at_ns), line = line_of(t, p->arrows[i].to);

		if (cell < 0 || cell >= (int)t->axis.nr_cells || line < 0 || are_many(t, p->arrows[i].to))
			continue;
		rs_put_glyph(c, y + line, t->label_width + cell, RS_LOOK_KEY,
			     p->arrows[i].from < p->arrows[i].to ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	}
}

/* From the waker of what is selected to it: a line through what is between, for it is what was asked for. */
static void draw_waker(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	const struct rs_tl_span *s = &t->span;
	long from = s->known && s->waker_known ? rs_tl_find_track(t, s->waker_track) : -1;
	long to = rs_tl_find_track(t, s->track);
	int cell = rs_axis_cell(&t->axis, s->waker_at_ns), a, b;

	if (from < 0 || to < 0 || cell < 0 || cell >= (int)t->axis.nr_cells)
		return;
	a = line_of(t, (unsigned int)from);
	b = line_of(t, (unsigned int)to);
	if (a < 0)
		a = from < to ? 0 : t->rows_height - 1;
	if (b < 0)
		return;
	for (int line = a < b ? a : b; line < (a < b ? b : a); line++)
		if (line != b)
			rs_put_glyph(c, y + line, t->label_width + cell, RS_LOOK_KEY, RS_GLYPH_VLINE);
	rs_put_glyph(c, y + b, t->label_width + cell, RS_LOOK_KEY, a < b ? RS_GLYPH_DOWN : RS_GLYPH_UP);
}

static void draw_moment(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, uint64_t at_ns,
			enum rs_look look, unsigned int glyph)
{
	int cell = rs_axis_cell(&t->axis, at_ns);

	if (cell >= 0 && cell < (int)t->axis.nr_cells)
		rs_put_glyph(c, y, t->label_width + cell, look, glyph);
}

/* ---- the panel ---- */

static void put_times(const struct rs_timeline_screen *t, struct rs_buf *out, uint64_t from_ns, uint64_t to_ns,
		      bool open)
{
	char length[48];

	rs_axis_length(to_ns > from_ns ? to_ns - from_ns : from_ns - to_ns, length);
	rs_buf_printf(out, "%s%s", length, open ? " and goes on" : "");
	rs_buf_puts(out, "   ");
	rs_app_moment(t->screen.app, from_ns, out);
}

/* Who took its CPU, or woke it. */
static void put_who(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_tl_span *s = &t->span;
	char length[48];

	if (*s->taker_track) {
		rs_axis_length(s->taker_ran_ns, length);
		rs_buf_printf(out, "preempted by %s (%lld), which ran for %s   g: go there", s->taker_comm,
			      (long long)s->taker_tid, length);
	} else if (s->waker_known && s->waker_tid) {
		rs_buf_printf(out, "woken by %s (%lld)   ", *s->waker_comm ? s->waker_comm : "?", (long long)s->waker_tid);
		rs_app_moment(t->screen.app, s->waker_at_ns, out);
		rs_buf_puts(out, *s->waker_track ? "   g: go there" : "");
	} else if (s->waker_known) {
		rs_buf_puts(out, "woken by an interrupt   ");
		rs_app_moment(t->screen.app, s->waker_at_ns, out);
	}
}

/* "syscall read   1.23ms   from 12.345678 s   a (10)" */
static void draw_span(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_tl_span *s = &t->span;
	struct rs_buf text = RS_BUF_INIT;
	const char *kind = kind_name(t, s->kind);

	rs_buf_puts(&text, kind);
	if (strcmp(kind, s->label))
		rs_buf_printf(&text, " %s", s->label);
	rs_buf_puts(&text, "   ");
	put_times(t, &text, s->start_ns, s->end_ns, s->open);
	if (*s->comm || s->tid) /* a thread that is forgotten still has its number */
		rs_buf_printf(&text, "   %s (%lld)", *s->comm ? s->comm : "-", (long long)(s->tid ? s->tid : s->pid));
	rs_put(c, area.y, area.x, area.width, RS_LOOK_BOLD, text.data);
	rs_put(c, area.y + 1, area.x, area.width, RS_LOOK_TEXT,
	       s->details_asked ? "its details are being read ..." : s->details.data);
	rs_buf_clear(&text);
	put_who(t, &text);
	rs_put(c, area.y + 2, area.x, area.width, RS_LOOK_TEXT, text.data);
	rs_buf_done(&text);
}

/* What is at the cursor, as far as the picture says it. */
static void draw_cursor_text(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = t->row < p->nr_rows ? &p->rows[t->row] : NULL;
	const struct rs_tl_run *run = row ? rs_tl_run_at(p, row, t->cursor_ns) : NULL;
	struct rs_buf text = RS_BUF_INIT;

	rs_app_moment(t->screen.app, t->cursor_ns, &text);
	if (run && run->nr > 1)
		rs_buf_printf(&text, "   %llu of %s, most %s", (unsigned long long)run->nr, kind_name(t, run->kind),
			      p->labels[run->label]);
	else if (run)
		rs_buf_printf(&text, "   %s %s", kind_name(t, run->kind), p->labels[run->label]);
	if (t->nr_marks) {
		char length[48];
		uint64_t to_ns = t->nr_marks == 2 ? t->marks[1] : t->cursor_ns;

		rs_axis_length(to_ns > t->marks[0] ? to_ns - t->marks[0] : t->marks[0] - to_ns, length);
		rs_buf_printf(&text, "   %s %s", t->nr_marks == 2 ? "between the marks:" : "from the mark:", length);
	}
	rs_put(c, area.y, area.x, area.width, t->nr_marks ? RS_LOOK_MARKED : RS_LOOK_DIM, text.data);
	rs_buf_done(&text);
}

static void draw_nothing(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const char *text = !t->tracks_known ? "..." : t->nr_tracks ? "..." : "nothing is kept of it (it may have gone, or nothing was traced)";

	rs_put(c, area.y + 1, area.x + 2, area.width - 2, RS_LOOK_DIM, text);
}

/* ---- all of it ---- */

static void draw_rows(struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
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
	uint64_t ns;

	return rs_wire_u64_of(rs_client_about(rs_app_client(t->screen.app)), "begin_ns", 0, &ns) ? ns : 0;
}

static void draw_axis(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area line = { area.y, area.x + t->label_width, 1, (int)t->axis.nr_cells };
	char cell[48];

	rs_axis_length(t->axis.cell_ns, cell);
	rs_putf(c, area.y, area.x, t->label_width - 1, RS_LOOK_DIM, "%s a cell", cell);
	rs_axis_draw(t->screen.app, c, line, &t->axis, begin_ns(t));
	for (unsigned int i = 0; i < t->nr_marks; i++)
		draw_moment(t, c, area.y, t->marks[i], RS_LOOK_MARKED, RS_GLYPH_CRUMB);
	draw_moment(t, c, area.y, t->cursor_ns, RS_LOOK_KEY, RS_GLYPH_DOWN);
}

/* Where the cursor's moment is on its row: its glyph stays. */
static void draw_cursor_cell(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	int cell = rs_axis_cell(&t->axis, t->cursor_ns);

	if (t->row < t->top || t->row >= t->top + (size_t)t->rows_height || cell < 0 || cell >= (int)t->axis.nr_cells)
		return;
	rs_put_look(c, (struct rs_area){ y + (int)(t->row - t->top), t->label_width + cell, 1, 1 }, RS_LOOK_SORTED);
}

static void fit(struct rs_timeline_screen *t, struct rs_area area)
{
	unsigned int cells;

	t->label_width = area.width / 4 < MAX_LABEL_WIDTH ? area.width / 4 : MAX_LABEL_WIDTH;
	if (t->label_width < MIN_LABEL_WIDTH)
		t->label_width = MIN_LABEL_WIDTH;
	cells = area.width > t->label_width ? (unsigned int)(area.width - t->label_width) : 1;
	cells = cells > 1000 ? 1000 : cells;
	t->rows_height = area.height - 1 - (area.height > 2 * PANEL_LINES ? PANEL_LINES : 1);
	if (t->rows_height < 1)
		t->rows_height = 1;
	if (cells == t->axis.nr_cells)
		return;
	/* as much of the time as before, in other cells */
	if (t->axis.nr_cells && t->axis.cell_ns) {
		uint64_t width_ns = t->axis.cell_ns * t->axis.nr_cells;

		t->axis.nr_cells = cells;
		rs_tl_show(t, t->axis.from_ns, width_ns / cells + 1);
	}
	t->axis.nr_cells = cells;
	t->screen.ops->ask(&t->screen);
}

void rs_tl_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	struct rs_area panel;

	fit(t, area);
	panel = (struct rs_area){ area.y + 1 + t->rows_height, area.x, area.height - 1 - t->rows_height, area.width };
	if (!t->picture.nr_rows || !t->axis.cell_ns) {
		draw_nothing(t, c, area);
		return;
	}
	draw_axis(t, c, area);
	draw_rows(t, c, (struct rs_area){ area.y + 1, area.x, t->rows_height, area.width });
	draw_cursor_cell(t, c, area.y + 1);
	draw_cursor_text(t, c, panel);
	if (t->span.known && panel.height > 3)
		draw_span(t, c, (struct rs_area){ panel.y + 1, panel.x, panel.height - 1, panel.width });
}
