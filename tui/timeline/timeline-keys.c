// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-keys.c - keys and mouse of the timeline */
#include <stdio.h>
#include <string.h>

#include "tui/latency/latency.h"
#include "tui/timeline/timeline-screen.h"

enum { ZOOM_IN = 1, ZOOM_OUT, PAN_LEFT, PAN_RIGHT, CELL_LEFT, CELL_RIGHT, UP, DOWN, PAGE_UP, PAGE_DOWN, ALL,
       FIRST, LAST, SELECT, NEXT_SLOWEST, PREVIOUS_SLOWEST, NEXT, PREVIOUS, FIT, WAKER, ARROWS, MARK, USE, THREADS, HISTOGRAM, HEAT, CLEAR };

const struct rs_key rs_timeline_keys[] = {
	{ { 'w', '+', '=' }, ZOOM_IN, "Zoom", "zoom in, at the cursor; the wheel too, at the mouse" },
	{ { 's', '-', '_' }, ZOOM_OUT, NULL, "zoom out" },
	{ { 'a' }, PAN_LEFT, NULL, "earlier, by a quarter of what is seen" },
	{ { 'd' }, PAN_RIGHT, "Pan", "later, by a quarter" },
	{ { RS_KEY_LEFT }, CELL_LEFT, NULL, "the cursor a cell to the left" },
	{ { RS_KEY_RIGHT }, CELL_RIGHT, NULL, "the cursor a cell to the right" },
	{ { RS_KEY_UP, 'k' }, UP, NULL, "the row above" },
	{ { RS_KEY_DOWN, 'j' }, DOWN, NULL, "the row below" },
	{ { RS_KEY_PAGE_UP }, PAGE_UP, NULL, "rows further up" },
	{ { RS_KEY_PAGE_DOWN }, PAGE_DOWN, NULL, "rows further down" },
	{ { RS_KEY_HOME }, FIRST, NULL, "where it begins" },
	{ { RS_KEY_END, 'G' }, LAST, NULL, "where it ends; live: on with it" },
	{ { '0' }, ALL, "All", "all that there is" },
	{ { RS_KEY_ENTER }, SELECT, "Select",
	  "what is at the cursor: all that is known of it; again: the other views of its task" },
	{ { 'n' }, NEXT_SLOWEST, "Next longest", "the longest call, wait or request of the machine, or process; again: the next shorter" },
	{ { 'N' }, PREVIOUS_SLOWEST, NULL, "the next longer one" },
	{ { '.', RS_KEY_TAB }, NEXT, NULL, "the next on this row" },
	{ { ',', RS_KEY_BACK_TAB }, PREVIOUS, NULL, "the one before on this row" },
	{ { 'f' }, FIT, NULL, "zoom to what is selected" },
	{ { 'g' }, WAKER, "Waker", "from what is selected to who woke it, or took its CPU, and on from there" },
	{ { 'p' }, THREADS, NULL, "only the threads of the selected process, at the same time" },
	{ { 'm' }, MARK, "Mark", "mark the moment at the cursor; a second mark measures; a third clears" },
	{ { 'h' }, HISTOGRAM, NULL, "how long others of the selected kind and name took" },
	{ { 'H' }, HEAT, NULL, "the same over time" },
	{ { 'u' }, USE, NULL, "the other screens show the time between the marks, or what is seen" },
	{ { 'A' }, ARROWS, NULL, "show or hide wake-ups between the rows" },
	{ { RS_KEY_ESCAPE }, CLEAR, NULL, "clear the selection, then the marks, then close the screen" },
	{ .help = NULL },
};

static void zoom(struct rs_timeline_screen *t, uint64_t at_ns, bool in)
{
	struct rs_axis *a = &t->axis;
	uint64_t before_ns = at_ns > a->from_ns ? at_ns - a->from_ns : 0;
	uint64_t cell_ns = in ? a->cell_ns - a->cell_ns / 3 : a->cell_ns + a->cell_ns / 2;

	if (in && cell_ns == a->cell_ns)
		cell_ns = a->cell_ns > 1 ? a->cell_ns - 1 : 1;
	if (!in && cell_ns == a->cell_ns)
		cell_ns++;
	t->follows = t->follows && rs_axis_cell(a, rs_timeline_now_ns(t)) < (int)a->nr_cells && !in;
	before_ns = (uint64_t)((unsigned __int128)before_ns * cell_ns / a->cell_ns);
	rs_timeline_show(t, at_ns > before_ns ? at_ns - before_ns : 0, cell_ns);
	rs_timeline_ask(t);
}

static void pan(struct rs_timeline_screen *t, bool left)
{
	struct rs_axis *a = &t->axis;
	uint64_t by_ns = a->cell_ns * (a->nr_cells / 4 + 1), from_ns = a->from_ns;

	t->follows = false;
	rs_timeline_show(t, left ? from_ns - (from_ns < by_ns ? from_ns : by_ns) : from_ns + by_ns,
			 a->cell_ns);
	t->cursor_ns = left ? t->cursor_ns - (from_ns - a->from_ns) : t->cursor_ns + (a->from_ns - from_ns);
	rs_timeline_ask(t);
}

static void show_end(struct rs_timeline_screen *t, bool last)
{
	t->follows = last && rs_timeline_is_live(t);
	rs_timeline_show(t, last ? rs_timeline_now_ns(t) : rs_timeline_oldest_ns(t), t->axis.cell_ns);
	t->cursor_ns = last ? rs_timeline_now_ns(t) : rs_timeline_oldest_ns(t);
	rs_timeline_ask(t);
}

static void timeline_keys_show_all(struct rs_timeline_screen *t)
{
	uint64_t cursor_ns = t->cursor_ns;

	t->follows = false;
	rs_timeline_show_range(t, rs_timeline_oldest_ns(t), rs_timeline_now_ns(t));
	t->cursor_ns = cursor_ns;
	rs_timeline_ask(t);
}

static void mark(struct rs_timeline_screen *t)
{
	if (t->nr_marks == 2) {
		t->nr_marks = 0;
		return;
	}
	t->marks[t->nr_marks++] = t->cursor_ns;
}

static void use(struct rs_timeline_screen *t)
{
	struct rs_shown_time time = { .from_ns = t->axis.from_ns };

	time.to_ns = t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells;
	if (t->nr_marks == 2) {
		time.from_ns = t->marks[0] < t->marks[1] ? t->marks[0] : t->marks[1];
		time.to_ns = t->marks[0] < t->marks[1] ? t->marks[1] : t->marks[0];
	}
	if (time.from_ns < rs_timeline_oldest_ns(t))
		time.from_ns = rs_timeline_oldest_ns(t);
	if (time.to_ns > rs_timeline_now_ns(t))
		time.to_ns = rs_timeline_now_ns(t);
	if (time.from_ns >= time.to_ns)
		return;
	t->seen_time = time;
	t->follows = false;
	rs_app_show_time(t->screen.app, &time);
	rs_app_say(t->screen.app, RS_STYLE_TEXT,
		   "the other screens show this time now (l: live again, or all of the file)");
}

/* Returns true if the cursor's cell is in the selected span. */
static bool is_selected(const struct rs_timeline_screen *t)
{
	const struct rs_tl_span *s = &t->span;

	return s->known && !strcmp(s->track, t->at_track) && s->shape == t->at_shape &&
	       s->start_ns <= t->cursor_ns + t->axis.cell_ns && s->end_ns >= t->cursor_ns;
}

static bool is_of_task(const struct rs_timeline_screen *t, long track)
{
	return t->span.known ? t->span.tid > 0 : track >= 0 && t->tracks[track].tid > 0;
}

static void open_task(struct rs_timeline_screen *t, bool threads)
{
	struct rs_screen_selection of;
	int64_t pid = t->span.known && t->span.pid ? t->span.pid : 0;
	long track = rs_timeline_find_track(t, t->at_track);

	if (!pid && track >= 0)
		pid = t->tracks[track].pid;
	if (threads && pid && pid == t->pid)
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "these are its threads");
	else if (threads && pid)
		rs_timeline_open_tracks(t, pid, t->span.known && t->span.pid == pid ? t->span.comm : t->tracks[track].label);
	else if (!threads && rs_timeline_selection(&t->screen, &of))
		rs_app_push(t->screen.app, rs_details_new(t->screen.app, &of));
	else
		rs_app_say(t->screen.app, RS_STYLE_WARN, "%s", !t->span.known && track < 0 ? "nothing is selected" :
			   is_of_task(t, track) ? "unknown process: it is not in the recording" : "this slice has no task");
}

/*
 * Opens the spans with the same kind, name and task. If the name is a task or a size, which differs for each span,
 * uses all names.
 */
static bool open_distribution(struct rs_timeline_screen *t, bool heat)
{
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(rs_client_catalogue(rs_timeline_machine(t, t->span.track)->client), t->span.kind);
	struct rs_latency_of of = { .nr_labels = 0 };

	if (!t->span.known || !kind)
		return false;
	snprintf(of.kind, sizeof of.kind, "%s", kind->name);
	if (kind->track == RS_TRACK_TASK) {
		of.nr_labels = 1;
		snprintf(of.labels[0], sizeof of.labels[0], "%s", t->span.label);
		of.tid = t->span.tid;
		snprintf(of.owner, sizeof of.owner, "%.40s (%lld)", t->span.comm, (long long)t->span.tid);
	} else {
		snprintf(of.track, sizeof of.track, "%s", rs_timeline_engine_name(t->span.track));
		snprintf(of.owner, sizeof of.owner, "%s", of.track);
	}
	rs_latency_cover(t->screen.app, &of, t->axis.from_ns, t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells);
	rs_app_push(t->screen.app, heat ? rs_heat_map_new(t->screen.app, &of, false) : rs_latency_histogram_new(t->screen.app, &of));
	return true;
}

static bool timeline_keys_clear(struct rs_timeline_screen *t)
{
	t->steps.nr = 0;
	if (t->span.known)
		rs_timeline_span_done(&t->span);
	else if (t->nr_marks)
		t->nr_marks = 0;
	else
		return false;
	return true;
}

static bool act_on_span(struct rs_timeline_screen *t, int action)
{
	switch (action) {
	case SELECT:
		if (rs_timeline_fold(t))
			break;
		if (is_selected(t))
			open_task(t, false);
		else
			rs_timeline_select(t);
		break;
	case NEXT_SLOWEST: case PREVIOUS_SLOWEST:
		t->touched = true;
		rs_timeline_step(t, action == PREVIOUS_SLOWEST, true);
		break;
	case NEXT: case PREVIOUS:
		rs_timeline_step(t, action == PREVIOUS, false);
		break;
	case FIT:
		rs_timeline_fit(t);
		break;
	case WAKER:
		rs_timeline_to_waker(t);
		break;
	case THREADS:
		open_task(t, true);
		break;
	case HISTOGRAM: case HEAT:
		return open_distribution(t, action == HEAT);
	case ARROWS:
		t->hides_arrows = !t->hides_arrows;
		break;
	case MARK:
		mark(t);
		break;
	case USE:
		use(t);
		break;
	case CLEAR:
		return timeline_keys_clear(t);
	}
	rs_app_redraw(t->screen.app);
	return true;
}

bool rs_timeline_act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	long page = t->rows_height > 1 ? t->rows_height - 1 : 1;

	(void)key;
	if (action == NEXT_SLOWEST || action == PREVIOUS_SLOWEST) /* also without a picture: the step waits for it */
		return act_on_span(t, action);
	if (!t->axis.nr_cells || !t->axis.cell_ns)
		return action != CLEAR;
	t->touched = true;
	switch (action) {
	case ZOOM_IN: case ZOOM_OUT:
		zoom(t, t->cursor_ns, action == ZOOM_IN);
		return true;
	case PAN_LEFT: case PAN_RIGHT:
		pan(t, action == PAN_LEFT);
		return true;
	case CELL_LEFT: case CELL_RIGHT:
		rs_timeline_cursor_cell(t, action == CELL_LEFT ? -1 : 1);
		return true;
	case UP: case DOWN: case PAGE_UP: case PAGE_DOWN:
		rs_timeline_cursor_row(t, action == UP ? -1 : action == DOWN ? 1 : action == PAGE_UP ? -page : page);
		return true;
	case FIRST: case LAST:
		show_end(t, action == LAST);
		return true;
	case ALL:
		timeline_keys_show_all(t);
		return true;
	}
	return act_on_span(t, action);
}

/* The wheel zooms at the mouse; a click moves the cursor there and selects. */
bool rs_timeline_key(struct rs_screen *s, const struct rs_key_event *event)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	long cell = event->x - t->label_width, row = (long)t->top + event->y - 1;
	bool inside = cell >= 0 && cell < (long)t->axis.nr_cells && t->axis.cell_ns;
	uint64_t at_ns = inside ? t->axis.from_ns + t->axis.cell_ns * (uint64_t)cell : 0;

	t->touched = true;
	switch (event->key) {
	case RS_KEY_WHEEL_UP: case RS_KEY_WHEEL_DOWN:
		if (inside)
			zoom(t, at_ns, event->key == RS_KEY_WHEEL_UP);
		else
			rs_timeline_cursor_row(t, event->key == RS_KEY_WHEEL_UP ? -3 : 3);
		return true;
	case RS_KEY_MOUSE: case RS_KEY_MOUSE_DOUBLE:
		if (event->y < 1 || event->y > t->rows_height || (size_t)row >= t->picture.nr_rows)
			return true;
		rs_timeline_cursor_row(t, row - (long)t->row);
		if (inside) {
			t->cursor_ns = at_ns;
			rs_timeline_select(t);
		}
		return true;
	}
	return false;
}
