// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-keys.c - the cursor, keys and mouse of the timeline */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tui/app/key-tables.h"
#include "tui/latency/latency.h"
#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

enum {
	ZOOM_IN = 1,
	ZOOM_OUT,
	PAN_LEFT,
	PAN_RIGHT,
	CELL_LEFT,
	CELL_RIGHT,
	UP,
	DOWN,
	PAGE_UP,
	PAGE_DOWN,
	ALL,
	FIRST,
	LAST,
	SELECT,
	SEARCH,
	NEXT_SLOWEST,
	PREVIOUS_SLOWEST,
	NEXT,
	PREVIOUS,
	FIT,
	WAKER,
	PATH,
	PATH_NEXT,
	PATH_BACK,
	ARROWS,
	QUIET,
	MARK,
	MARK_DRAGGED,
	USE,
	COMPARE,
	THREADS,
	HISTOGRAM,
	HEAT,
	CLEAR
};

const struct rs_key rs_timeline_keys[] = {
	{ { RS_KEY_ENTER }, SELECT, "Select",
	  "what is at the cursor: all that is known of it; again: the other views of its task",
	  RS_KEY_SELECTION },
	{ { 'x' }, WAKER, "Waker",
	  "from what is selected to who woke it, or took its CPU, and on from there", RS_KEY_SELECTION },
	{ { 'c' }, PATH, "Path",
	  "the critical path of what is selected, link by link; again: off", RS_KEY_SELECTION },
	{ { 'v' }, FIT, "Fit", "zoom so that what is selected fills the middle", RS_KEY_SELECTION },
	{ { 'n' }, NEXT_SLOWEST, "Next",
	  "the slowest call, wait or request, again: the next shorter; of a search: the next track" },
	{ { 'N' }, PREVIOUS_SLOWEST, "Previous", "the next slower one; of a search: the track before",
	  RS_KEY_RARE },
	{ { '/', RS_KEY_F1 + 2 }, SEARCH, "Search",
	  "go to a track by a few letters, or by its PID; Tab: all hits, also views" },
	{ { 'w', '+', '=' }, ZOOM_IN, "Zoom", "zoom in, at the cursor; the wheel too, at the mouse" },
	{ { RS_KEY_MOUSE_DRAG }, MARK_DRAGGED, "Mark", "mark the time from where the button was pressed",
	  RS_KEY_CURSOR },
	{ { 's', '-', '_' }, ZOOM_OUT, "Zoom out", "zoom out", RS_KEY_RARE },
	{ { 'a' }, PAN_LEFT, "Pan left", "earlier, by a quarter of what is seen", RS_KEY_CURSOR },
	{ { 'd' }, PAN_RIGHT, "Pan right", "later, by a quarter", RS_KEY_CURSOR },
	{ { '0' }, ALL, "All", "of a wait: all tracks; then all time" },
	{ { 'm' }, MARK, "Mark", "mark the moment at the cursor; a second mark measures; a third clears" },
	{ { 'u' }, USE, "Use time", "the other screens show the time between the marks, or what is seen",
	  RS_KEY_RARE },
	{ { 'D' }, COMPARE, "Compare",
	  "what changed: from the time between the marks, or what is seen, to that of the next D" },
	{ { RS_KEY_LEFT }, CELL_LEFT, "Left", "the cursor a cell to the left", RS_KEY_CURSOR },
	{ { RS_KEY_RIGHT }, CELL_RIGHT, "Right", "the cursor a cell to the right", RS_KEY_CURSOR },
	{ { RS_KEY_UP, 'k' }, UP, "Up", "the row above", RS_KEY_CURSOR },
	{ { RS_KEY_DOWN, 'j' }, DOWN, "Down", "the row below", RS_KEY_CURSOR },
	{ { RS_KEY_PAGE_UP }, PAGE_UP, "Page up", "rows further up", RS_KEY_CURSOR },
	{ { RS_KEY_PAGE_DOWN }, PAGE_DOWN, "Page down", "rows further down", RS_KEY_CURSOR },
	{ { RS_KEY_HOME, 'g' }, FIRST, "First", "where it begins", RS_KEY_CURSOR },
	{ { RS_KEY_END, 'G' }, LAST, "Last", "where it ends; live: on with it", RS_KEY_CURSOR },
	{ { '.', RS_KEY_TAB }, NEXT, "Next slice", "the next on this row", RS_KEY_CURSOR },
	{ { ',', RS_KEY_BACK_TAB }, PREVIOUS, "Slice before", "the one before on this row", RS_KEY_CURSOR },
	{ { '>' }, PATH_NEXT, "Path on", "along the critical path: what this waited for", RS_KEY_CURSOR },
	{ { '<' }, PATH_BACK, "Path back", "back along it", RS_KEY_CURSOR },
	{ { 'p' }, THREADS, "Threads", "only the threads of the selected process, at the same time",
	  RS_KEY_SELECTION | RS_KEY_RARE },
	{ { 'h' }, HISTOGRAM, "Histogram", "how long others of the selected kind and name took",
	  RS_KEY_SELECTION | RS_KEY_RARE },
	{ { 'H' }, HEAT, "Heat map", "the same over time", RS_KEY_RARE },
	{ { 'L' }, ARROWS, "Wake-up lines", "show or hide the lines of wake-ups between the rows",
	  RS_KEY_RARE },
	{ { 'O' }, QUIET, "Quiet", "show the quiet tracks, or fold them into a line", RS_KEY_RARE },
	{ { RS_KEY_ESCAPE }, CLEAR, "Clear",
	  "clear the search, the selection, then the marks, then close the screen", RS_KEY_RARE },
	{ .help = NULL },
};

/* ---- the cursor, a row and a moment: it keeps both when a new answer has other rows ---- */

static bool is_at(const struct rs_timeline_screen *t, const struct rs_tl_row *row, const char *track)
{
	return row->track < t->nr_tracks && !strcmp(t->tracks[row->track].name, track);
}

/* Finds that row; otherwise the last row of its track above it; otherwise the first row. */
static size_t timeline_cursor_find(const struct rs_timeline_screen *t, const char *track,
				   enum rs_span_shape shape, unsigned int depth)
{
	const struct rs_tl_picture *p = &t->picture;
	size_t found = 0;
	bool any = false;

	for (size_t i = 0; i < p->nr_rows; i++) {
		if (!is_at(t, &p->rows[i], track))
			continue;
		if (!any || (p->rows[i].shape == shape && p->rows[i].depth <= depth && !p->rows[i].lower))
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

/* No line is left empty below the last row while there are rows above the first one. */
static void into_sight(struct rs_timeline_screen *t)
{
	size_t height = t->rows_height > 0 ? (size_t)t->rows_height : 1, nr = t->picture.nr_rows;

	if (t->top + height > nr)
		t->top = nr > height ? nr - height : 0;
	if (t->row < t->top)
		t->top = t->row;
	if (t->row >= t->top + height)
		t->top = t->row - height + 1;
}

void rs_timeline_cursor_row(struct rs_timeline_screen *t)
{
	t->row = timeline_cursor_find(t, t->at_track, t->at_shape, t->at_depth);
	into_sight(t);
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

static void cursor_row(struct rs_timeline_screen *t, long by)
{
	size_t nr = t->picture.nr_rows;
	long to = (long)t->row + by;

	if (!nr)
		return;
	t->row = to < 0 ? 0 : (size_t)to < nr ? (size_t)to : nr - 1;
	if (by > 0 && t->picture.rows[t->row].lower && t->row + 1 < nr)
		t->row++; /* both lines are one row */
	t->row = rs_timeline_tall_upper(&t->picture, t->row);
	timeline_cursor_remember(t);
	into_sight(t);
	rs_timeline_ask(t);
}

void rs_timeline_cursor_to(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape,
			   uint64_t at_ns)
{
	struct rs_axis *a = &t->axis;
	int cell = rs_chart_axis_cell(a, at_ns);

	memset(t->at_track, 0, sizeof t->at_track);
	memcpy(t->at_track, track, strnlen(track, sizeof t->at_track - 1));
	t->at_shape = shape;
	t->at_depth = UINT32_MAX; /* a span of the lowest depth ended last */
	rs_timeline_follow_cursor(t);
	rs_timeline_quiet_bring_back(t, track);
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

static void cursor_cell(struct rs_timeline_screen *t, int by)
{
	struct rs_axis *a = &t->axis;
	uint64_t step = a->cell_ns * (uint64_t)(by < 0 ? -by : by);

	t->cursor_ns = by < 0 ? t->cursor_ns - (t->cursor_ns < step ? t->cursor_ns : step) :
				t->cursor_ns + step;
	if (t->cursor_ns > t->screen.app->now_ns)
		t->cursor_ns = t->screen.app->now_ns;
	if (t->cursor_ns < rs_timeline_oldest_ns(t))
		t->cursor_ns = rs_timeline_oldest_ns(t);
	if (rs_chart_axis_cell(a, t->cursor_ns) < 0 ||
	    rs_chart_axis_cell(a, t->cursor_ns) >= (int)a->nr_cells) {
		t->follows = false;
		rs_timeline_show(t, by < 0 ? t->cursor_ns : a->from_ns + step, a->cell_ns);
		rs_timeline_ask(t);
	}
	rs_app_redraw(t->screen.app);
}

/* ---- the shown time ---- */

static void zoom(struct rs_timeline_screen *t, uint64_t at_ns, bool in)
{
	struct rs_axis *a = &t->axis;
	uint64_t before_ns = at_ns > a->from_ns ? at_ns - a->from_ns : 0;
	uint64_t cell_ns = in ? a->cell_ns - a->cell_ns / 3 : a->cell_ns + a->cell_ns / 2;

	if (in && cell_ns == a->cell_ns)
		cell_ns = a->cell_ns > 1 ? a->cell_ns - 1 : 1;
	if (!in && cell_ns == a->cell_ns)
		cell_ns++;
	t->follows = t->follows && rs_chart_axis_cell(a, t->screen.app->now_ns) < (int)a->nr_cells && !in;
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
	t->follows = last && t->screen.app->live;
	rs_timeline_show(t, last ? t->screen.app->now_ns : rs_timeline_oldest_ns(t), t->axis.cell_ns);
	t->cursor_ns = last ? t->screen.app->now_ns : rs_timeline_oldest_ns(t);
	rs_timeline_ask(t);
}

static void timeline_keys_show_all(struct rs_timeline_screen *t)
{
	uint64_t cursor_ns = t->cursor_ns;

	t->follows = false;
	rs_timeline_show_range(t, rs_timeline_oldest_ns(t), t->screen.app->now_ns);
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

/* From where the button was pressed to where the mouse is; the row does not matter. */
static void mark_dragged(struct rs_timeline_screen *t, const struct rs_key_event *at)
{
	long cell = at->x - t->label_width, last = (long)t->axis.nr_cells - 1;

	if (t->pressed_ns == UINT64_MAX)
		return;
	cell = cell < 0 ? 0 : cell > last ? last : cell;
	t->cursor_ns = t->axis.from_ns + t->axis.cell_ns * (uint64_t)cell;
	t->marks[0] = t->pressed_ns;
	t->marks[1] = t->cursor_ns;
	t->nr_marks = t->pressed_ns == t->cursor_ns ? 0 : 2;
	t->follows = false;
}

static void use(struct rs_timeline_screen *t)
{
	struct rs_shown_time time;

	if (!rs_timeline_time(t, &time))
		return;
	t->seen_time = time;
	t->follows = false;
	rs_app_show_time(t->screen.app, &time);
	rs_app_say(t->screen.app, RS_STYLE_TEXT,
		   "the other screens show this time now (l: live again, or all of the file)");
}

/* The first time is remembered, and compared with each one after it; again on the same time: no more. */
static void timeline_keys_compare(struct rs_timeline_screen *t)
{
	struct rs_app *app = t->screen.app;
	struct rs_shown_time time, *before = &app->compared;

	if (!rs_timeline_time(t, &time))
		return;
	if (before->from_ns == time.from_ns && before->to_ns == time.to_ns) {
		*before = (struct rs_shown_time){ 0 };
		rs_app_say(app, RS_STYLE_TEXT, "no time is compared with others any more");
	} else if (before->to_ns) {
		rs_app_push(app, rs_compare_screen_new(app, before, &time));
	} else {
		*before = time;
		t->nr_marks = 0;
		rs_app_say(app, RS_STYLE_TEXT,
			   "this is A: go to another time, or mark one, and D compares it");
	}
}

/* Returns true if the cursor's cell is in the selected span. */
static bool is_selected(const struct rs_timeline_screen *t)
{
	const struct rs_wire_span *s = rs_tl_selected(t);

	return s && !strcmp(t->span_track, t->at_track) && s->shape == t->at_shape &&
	       s->start_ns <= t->cursor_ns + t->axis.cell_ns && s->end_ns >= t->cursor_ns;
}

static bool is_of_task(const struct rs_timeline_screen *t, long track)
{
	return t->selected ? rs_tl_selected(t)->tid > 0 : track >= 0 && t->tracks[track].tid > 0;
}

static void open_task(struct rs_timeline_screen *t, bool threads)
{
	struct rs_screen_selection of;
	const struct rs_wire_span *s = rs_tl_selected(t);
	int64_t pid = s ? s->pid : 0;
	long track = rs_timeline_find_track(t, t->at_track);

	if (!pid && track >= 0)
		pid = t->tracks[track].pid;
	if (threads && pid && pid == t->pid)
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "these are its threads");
	else if (threads && pid)
		rs_timeline_open_tracks(t, pid,
					s && s->pid == pid ? s->comm ? s->comm : "" : t->tracks[track].label);
	else if (!threads && rs_timeline_selection(&t->screen, &of))
		rs_app_push(t->screen.app, rs_details_new(t->screen.app, &of));
	else
		rs_app_say(t->screen.app, RS_STYLE_WARN, "%s",
			   !s && track < 0      ? "nothing is selected" :
			   is_of_task(t, track) ? "unknown process: it is not in the recording" :
						  "this slice has no task");
}

/* Opens the spans with the same kind, name and task. */
static bool open_distribution(struct rs_timeline_screen *t, bool heat)
{
	struct rs_latency_of of;

	if (!rs_timeline_latency_of(t, &of))
		return false;
	rs_latency_cover(t->screen.app, &of, t->axis.from_ns,
			 t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells);
	rs_app_push(t->screen.app, heat ? rs_heat_map_new(t->screen.app, &of, false) :
					  rs_latency_histogram_new(t->screen.app, &of));
	return true;
}

static bool timeline_keys_clear(struct rs_timeline_screen *t)
{
	t->steps.nr = 0;
	if (t->selected)
		rs_timeline_unselect(t);
	else if (t->nr_marks)
		t->nr_marks = 0;
	else
		return false;
	return true;
}

static bool act_on_span(struct rs_timeline_screen *t, int action, const struct rs_key_event *key)
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
	case PATH:
		rs_timeline_path_toggle(t);
		break;
	case PATH_NEXT: case PATH_BACK:
		rs_timeline_path_step(t, action == PATH_BACK);
		break;
	case THREADS:
		open_task(t, true);
		break;
	case HISTOGRAM: case HEAT:
		return open_distribution(t, action == HEAT);
	case ARROWS:
		t->hides_arrows = !t->hides_arrows;
		break;
	case QUIET:
		if (!rs_timeline_quiet_toggle(t))
			rs_app_say(t->screen.app, RS_STYLE_TEXT, "no tracks are folded here");
		break;
	case MARK:
		mark(t);
		break;
	case MARK_DRAGGED:
		mark_dragged(t, key);
		break;
	case USE:
		use(t);
		break;
	case COMPARE:
		timeline_keys_compare(t);
		break;
	case CLEAR:
		return timeline_keys_clear(t);
	}
	rs_app_redraw(t->screen.app);
	return true;
}

bool rs_timeline_can(const struct rs_screen *s, int action)
{
	const struct rs_timeline_screen *t = (const struct rs_timeline_screen *)s;

	switch (action) {
	case WAKER: case FIT: case HISTOGRAM: case HEAT:
		return rs_tl_selected(t);
	case PATH:
		return rs_tl_selected(t) || t->path.nr;
	case PATH_NEXT: case PATH_BACK:
		return t->path.nr;
	case SELECT: case THREADS: case NEXT: case PREVIOUS:
		return t->picture.nr_rows;
	case CLEAR:
		return t->selected || t->nr_marks;
	}
	return true;
}

bool rs_timeline_act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	long page = t->rows_height > 1 ? t->rows_height - 1 : 1;

	if (action == SEARCH) {
		rs_timeline_search_begin(t);
		return true;
	}
	if (action == CLEAR && *t->find) {
		*t->find = '\0';
		return true;
	}
	if (*t->find && (action == NEXT_SLOWEST || action == PREVIOUS_SLOWEST)) {
		rs_timeline_search(t, action == NEXT_SLOWEST ? 1 : -1, false);
		return true;
	}
	/* also without a picture: the step waits for it */
	if (action == NEXT_SLOWEST || action == PREVIOUS_SLOWEST)
		return act_on_span(t, action, key);
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
		cursor_cell(t, action == CELL_LEFT ? -1 : 1);
		return true;
	case UP: case DOWN: case PAGE_UP: case PAGE_DOWN:
		cursor_row(t, action == UP ? -1 : action == DOWN ? 1 : action == PAGE_UP ? -page : page);
		return true;
	case FIRST: case LAST:
		show_end(t, action == LAST);
		return true;
	case ALL:
		if (!rs_timeline_cast_show_all(t))
			timeline_keys_show_all(t);
		return true;
	}
	return act_on_span(t, action, key);
}

/* The wheel zooms at the mouse; a click moves the cursor there and selects, a double one is Enter there. */
bool rs_timeline_key(struct rs_screen *s, const struct rs_key_event *event)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	long cell = event->x - t->label_width, row = (long)t->top + event->y - 1;
	bool inside = cell >= 0 && cell < (long)t->axis.nr_cells && t->axis.cell_ns;
	uint64_t at_ns = inside ? t->axis.from_ns + t->axis.cell_ns * (uint64_t)cell : 0;

	t->touched = true;
	switch (event->key) {
	case RS_KEY_ZOOM_IN: case RS_KEY_ZOOM_OUT:
		if (inside)
			zoom(t, at_ns, event->key == RS_KEY_ZOOM_IN);
		return true;
	case RS_KEY_WHEEL_UP: case RS_KEY_WHEEL_DOWN:
		if (inside)
			zoom(t, at_ns, event->key == RS_KEY_WHEEL_UP);
		else
			cursor_row(t, event->key == RS_KEY_WHEEL_UP ? -3 : 3);
		return true;
	case RS_KEY_MOUSE: case RS_KEY_MOUSE_DOUBLE:
		t->pressed_ns = UINT64_MAX;
		if (event->y < 1 || event->y > t->rows_height || (size_t)row >= t->picture.nr_rows)
			return true;
		row = (long)rs_timeline_tall_upper(&t->picture, (size_t)row);
		cursor_row(t, row - (long)t->row);
		if (inside) {
			t->cursor_ns = t->pressed_ns = at_ns;
			if (event->key == RS_KEY_MOUSE_DOUBLE)
				return rs_timeline_act(s, SELECT, event);
			rs_timeline_select(t);
		}
		return true;
	}
	return false;
}
