// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-path.c - the critical path of the selected slice: the tracks of its links are brought together,
 * and its time is highlighted across them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

/* ---- its tracks ---- */

/* A listed track of the thread tells its instance. */
static void timeline_path_name(const struct rs_timeline_screen *t, const struct rs_path_link *link,
			       char *name)
{
	char engine_name[RS_TL_ENGINE_NAME];

	for (size_t i = 0; i < t->nr_tracks; i++)
		if (t->tracks[i].of == RS_TRACK_TASK && t->tracks[i].tid == link->tid &&
		    rs_timeline_machine(t, t->tracks[i].name) == t->path.question.machine &&
		    !rs_timeline_is_heading(t->tracks[i].name)) {
			memcpy(name, t->tracks[i].name, RS_TL_NAME);
			return;
		}
	snprintf(engine_name, sizeof engine_name, "task:%lld.%llu", (long long)link->tid,
		 (unsigned long long)link->instance);
	rs_timeline_put_name(t->path.question.machine, engine_name, name);
}

/* index of the link's track; -1: none */
static long timeline_path_track(const struct rs_timeline_screen *t, unsigned int link)
{
	char name[RS_TL_NAME];

	timeline_path_name(t, &t->path.links[link], name);
	return rs_timeline_find_track(t, name);
}

/* Returns the new index of the track. */
static size_t timeline_path_move(struct rs_timeline_screen *t, size_t from, size_t after)
{
	struct rs_tl_track track = t->tracks[from];
	size_t to = from <= after ? after : after + 1;

	if (from < to)
		memmove(&t->tracks[from], &t->tracks[from + 1], (to - from) * sizeof *t->tracks);
	else
		memmove(&t->tracks[to + 1], &t->tracks[to], (from - to) * sizeof *t->tracks);
	t->tracks[to] = track;
	return to;
}

void rs_timeline_path_arrange(struct rs_timeline_screen *t)
{
	struct rs_tl_track *before = t->path.nr ? calloc(RS_TL_MAX_TRACKS, sizeof *before) : NULL;
	long after = -1;

	if (!before)
		return;
	if (rs_timeline_quiet_any_folded(t)) /* none of the path is */
		rs_timeline_order(t);
	memcpy(before, t->tracks, t->nr_tracks * sizeof *before);
	for (unsigned int i = 0; i < t->path.nr; i++) {
		const struct rs_path_link *link = &t->path.links[i];
		long at = timeline_path_track(t, i);
		char name[RS_TL_NAME];

		timeline_path_name(t, link, name);
		if (at < 0)
			at = rs_timeline_add_track(t, after < 0 ? t->nr_tracks : (size_t)after, name,
						   link->comm);
		else if (after >= 0)
			at = (long)timeline_path_move(t, (size_t)at, (size_t)after);
		after = at < 0 ? after : at;
	}
	rs_timeline_rename_rows(t, before);
	free(before);
}

/* ---- keys ---- */

static void timeline_path_got(void *of, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = of;

	if (rs_app_refused(t->screen.app, reply))
		return;
	rs_path_read(&t->path);
	t->path_at = 0;
	t->path_into_sight = t->path.nr > 0;
	if (!t->path.nr)
		rs_app_say(t->screen.app, RS_STYLE_WARN,
			   "no critical path: its states were not recorded, or are no longer in the window");
	rs_timeline_path_arrange(t);
	rs_timeline_ask(t);
}

static void timeline_path_ask(struct rs_timeline_screen *t, struct rs_tui_machine *machine, int64_t tid,
			      uint64_t from_ns, uint64_t to_ns)
{
	rs_path_done(&t->path); /* an answer without links */
	t->path = (struct rs_path){ .question = {
					    .machine = machine, .answered = timeline_path_got, .of = t } };
	if (!rs_path_ask(&t->path, 0, tid, from_ns, to_ns))
		rs_app_say(t->screen.app, RS_STYLE_WARN, "this engine has no critical paths");
}

void rs_timeline_path_find(struct rs_timeline_screen *t, int64_t tid, uint64_t from_ns, uint64_t to_ns)
{
	timeline_path_ask(t, t->screen.machine, tid, from_ns, to_ns);
}

/* The selected span; without one what is at the cursor, if that is one span. Returns its thread; 0: none. */
static int64_t timeline_path_asked(const struct rs_timeline_screen *t, const char **track, uint64_t *from_ns,
				   uint64_t *to_ns)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = t->row < p->nr_rows ? &p->rows[t->row] : NULL;
	const struct rs_wire_run *run = row ? rs_timeline_run_at(p, row, t->cursor_ns) : NULL;
	const struct rs_wire_span *s = rs_tl_selected(t);

	if (s) {
		*track = t->span_track;
		*from_ns = s->start_ns;
		*to_ns = s->end_ns;
		return s->tid;
	}
	if (!run || run->nr > 1 || row->track >= t->nr_tracks)
		return 0;
	*track = t->tracks[row->track].name;
	*from_ns = p->axis.from_ns + run->from * p->axis.cell_ns;
	*to_ns = p->axis.from_ns + run->to * p->axis.cell_ns;
	return t->tracks[row->track].tid;
}

void rs_timeline_path_toggle(struct rs_timeline_screen *t)
{
	uint64_t from_ns = 0, to_ns = 0, oldest_ns;
	const char *track = "";
	int64_t tid;

	if (t->path.nr || t->path.question.asked) {
		rs_path_done(&t->path);
		rs_app_redraw(t->screen.app);
		return;
	}
	tid = timeline_path_asked(t, &track, &from_ns, &to_ns);
	if (tid <= 0 || from_ns >= to_ns) {
		rs_app_say(t->screen.app, RS_STYLE_WARN,
			   "select a call or a wait of a thread first (Enter; n: the longest)");
		return;
	}
	oldest_ns = rs_timeline_oldest_ns(t);
	if (from_ns < oldest_ns && to_ns > oldest_ns) /* the window has a part of it, and moves on */
		from_ns = oldest_ns + (to_ns - oldest_ns) / 16;
	t->follows = false;
	timeline_path_ask(t, rs_timeline_machine(t, track), tid, from_ns, to_ns);
}

void rs_timeline_path_step(struct rs_timeline_screen *t, bool back)
{
	const struct rs_path_link *link;
	char name[RS_TL_NAME];

	if (!t->path.nr) {
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "no critical path is shown (c)");
		return;
	}
	if (back ? t->path_at : t->path_at + 1 < t->path.nr)
		t->path_at += back ? -1u : 1;
	link = &t->path.links[t->path_at];
	timeline_path_name(t, link, name);
	rs_timeline_cursor_to(t, name, RS_SPAN_STATE, link->from_ns + (link->to_ns - link->from_ns) / 2);
	rs_app_redraw(t->screen.app);
}

/* Scrolls to the first link, where the last one would be below the screen. After an answer. */
void rs_timeline_path_into_sight(struct rs_timeline_screen *t)
{
	long first = t->path.nr ? timeline_path_track(t, 0) : -1;
	const struct rs_tl_picture *p = &t->picture;
	size_t row = 0, last = 0;

	if (!t->path_into_sight || first < 0)
		return;
	t->path_into_sight = false;
	while (row < p->nr_rows && p->rows[row].track != (unsigned int)first)
		row++;
	for (last = row; last < p->nr_rows && p->rows[last].track < (unsigned int)first + t->path.nr; last++)
		;
	if (last > t->top + (size_t)t->rows_height || row < t->top)
		t->top = row;
	if (t->row < t->top || t->row >= t->top + (size_t)t->rows_height)
		rs_timeline_cursor_to(t, t->tracks[first].name, RS_SPAN_STATE, t->cursor_ns);
	else
		rs_timeline_ask(t);
}

/* ---- drawing ---- */

/* Marks the cells, which keep their letters and their color, from one cell up to another. */
static void timeline_path_mark(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, int from,
			       int to, enum rs_cause cause)
{
	from = from < 0 ? 0 : from;
	to = to > (int)t->axis.nr_cells ? (int)t->axis.nr_cells : to;
	if (from < to)
		rs_canvas_set_style(c, (struct rs_area){ y, t->label_width + from, 1, to - from },
				    RS_STYLE_ON_PATH + cause);
}

static void timeline_path_draw_time(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				    const struct rs_tl_row *row, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_axis *a = &t->picture.axis;
	int from = rs_chart_axis_cell(&t->axis, from_ns),
	    to = rs_chart_axis_cell(&t->axis, to_ns > from_ns ? to_ns - 1 : from_ns) + 1;

	if (to_ns <= from_ns)
		return;
	timeline_path_mark(t, c, y, from, to, RS_CAUSE_NOT_SEEN);
	for (size_t i = 0; row->shape == RS_SPAN_STATE && i < row->nr; i++) {
		const struct rs_wire_run *run = &row->runs[i];
		int begin = rs_chart_axis_cell(&t->axis, a->from_ns + run->from * a->cell_ns),
		    end = rs_chart_axis_cell(&t->axis, a->from_ns + run->to * a->cell_ns - 1) + 1;

		timeline_path_mark(t, c, y, begin > from ? begin : from, end < to ? end : to,
				   rs_timeline_cause_of(run->state));
	}
}

/*
 * A link's own part of the path: all of its time but that in which it waited for the next one. And its
 * number.
 */
static void timeline_path_draw_link(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				    const struct rs_tl_row *row, unsigned int i)
{
	const struct rs_path_link *link = &t->path.links[i], *next = i + 1 < t->path.nr ? link + 1 : NULL;
	char number[4];

	snprintf(number, sizeof number, "%u", (i + 1) % 10);
	rs_put(c, y, t->label_width - 1, 1, i == t->path_at ? RS_STYLE_PATH : RS_STYLE_KEY, number);
	y += rs_timeline_tall_has_lower(&t->picture, row); /* which has all of its states */
	if (!next) {
		timeline_path_draw_time(t, c, y, row, link->from_ns, link->to_ns);
		return;
	}
	timeline_path_draw_time(t, c, y, row, link->from_ns,
				next->from_ns < link->to_ns ? next->from_ns : link->to_ns);
	timeline_path_draw_time(t, c, y, row, next->to_ns > link->from_ns ? next->to_ns : link->from_ns,
				link->to_ns);
}

void rs_timeline_path_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, int y)
{
	int above = -1;

	for (unsigned int i = 0; i < t->path.nr; i++) {
		long track = timeline_path_track(t, i);
		int line = track < 0 ? -1 : rs_timeline_find_line(t, (unsigned int)track);

		if (line >= 0)
			timeline_path_draw_link(t, c, y + line, &t->picture.rows[t->top + (size_t)line], i);
		if (line >= 0 && above >= 0) {
			rs_timeline_draw_connection(t, c, y, t->path.links[i].from_ns, above, line);
			rs_timeline_draw_connection(t, c, y, t->path.links[i].to_ns, line, above);
		}
		above = line;
	}
}

/* The selected link, all names in a row, and the keys. */
void rs_timeline_path_draw_panel(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	struct rs_buf text = RS_BUF_INIT;
	char words[96] = "";
	int x = area.x;

	rs_buf_printf(&text, "critical path, %u of %u: %s", t->path_at + 1, t->path.nr,
		      t->path.links[t->path_at].text);
	rs_put_cut(c, area.y, area.x, area.width, RS_STYLE_BOLD, text.data);
	for (unsigned int i = 0, next; i < t->path.nr && x < area.x + area.width; i = next) {
		next = rs_path_same_until(&t->path, i);
		rs_path_put_name(&t->path, i, words, sizeof words);
		x += i ? rs_put(c, area.y + 1, x, area.x + area.width - x, RS_STYLE_DIM, " <- ") : 0;
		x += rs_put(c, area.y + 1, x, area.x + area.width - x,
			    i <= t->path_at && t->path_at < next ? RS_STYLE_PATH : RS_STYLE_TEXT, words);
	}
	*words = '\0';
	x = rs_put(c, area.y + 2, area.x, area.width, RS_STYLE_DIM, "> and <: along it   c: off");
	if (t->cast.only)
		rs_timeline_queue_words(&t->cast.queue, true, words, sizeof words);
	if (*words)
		rs_put_format(c, area.y + 2, area.x + x + 3, area.width - x - 3, RS_STYLE_TEXT, "disk: %s",
			      words);
	rs_buf_done(&text);
}
