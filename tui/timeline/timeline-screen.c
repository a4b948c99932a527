// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-screen.c - the screen: tracks over time, what is asked of the engine, and when */
#include "tui/timeline/timeline-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "tui/app/key-tables.h"

#define TIMELINE_SCREEN_SECOND_NS 1000000000ull
#define LIVE_CELLS_NS (5 * TIMELINE_SCREEN_SECOND_NS) /* initial time range of a live source */
#define TRACKS_EVERY 5                /* refreshes: threads come and go */
#define MARGIN 4                      /* tracks above the visible ones, so that scrolling shows no gap */
#define BUSIEST 64

uint64_t rs_timeline_oldest_ns(const struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;

	return app->now_ns ? rs_app_pin_oldest_ns(app) : 0;
}

/* ---- the shown time range ---- */

/* Aligns the range to multiples of a cell: after scrolling by cells the picture has the same borders. */
void rs_timeline_show(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t cell_ns)
{
	struct rs_axis *a = &t->axis;
	uint64_t now_ns = t->screen.app->now_ns, oldest_ns = rs_timeline_oldest_ns(t);
	uint64_t all_ns = now_ns > oldest_ns ? now_ns - oldest_ns : 1;
	uint64_t most_ns = a->nr_cells ? all_ns / a->nr_cells + all_ns / a->nr_cells / 8 + 2 : 1, width_ns;

	a->cell_ns = cell_ns > most_ns ? most_ns : cell_ns ? cell_ns : 1;
	width_ns = a->cell_ns * a->nr_cells;
	if (from_ns + width_ns > now_ns + width_ns / 16)
		from_ns = now_ns + width_ns / 16 > width_ns ? now_ns + width_ns / 16 - width_ns : 0;
	if (from_ns + width_ns / 16 < oldest_ns)
		from_ns = oldest_ns - width_ns / 16;
	a->from_ns = from_ns - from_ns % a->cell_ns;
	rs_app_redraw(t->screen.app);
}

void rs_timeline_show_range(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t nr = t->axis.nr_cells, duration_ns = to_ns > from_ns ? to_ns - from_ns : 1;

	rs_timeline_show(t, from_ns, duration_ns / nr + (duration_ns % nr != 0));
	t->cursor_ns = t->axis.from_ns + t->axis.cell_ns * nr / 2;
}

/* Takes over the app's time. For "now": live, follows the last seconds; a file, shows all of it. */
static void take_time(struct rs_timeline_screen *t)
{
	const struct rs_shown_time *time = &t->screen.app->time;
	uint64_t now_ns = t->screen.app->now_ns, oldest_ns = rs_timeline_oldest_ns(t);

	t->seen_time = *time;
	t->follows = time->now && t->screen.app->live && !t->goes_to_span;
	if (rs_timeline_cast_show_time(t))
		t->follows = false;
	else if (t->goes_to_span)
		rs_timeline_fit(t);
	else if (!time->now)
		rs_timeline_show_range(t, time->from_ns, time->to_ns);
	else if (t->follows && now_ns > LIVE_CELLS_NS && now_ns - LIVE_CELLS_NS > oldest_ns)
		rs_timeline_show_range(t, now_ns - LIVE_CELLS_NS, now_ns);
	else
		rs_timeline_show_range(t, oldest_ns, now_ns);
}

static bool same_time(const struct rs_shown_time *a, const struct rs_shown_time *b)
{
	return a->now == b->now && (a->now || (a->from_ns == b->from_ns && a->to_ns == b->to_ns));
}

/* ---- asking ---- */

/* Returns the time range of a request: what is shown. */
static struct rs_asked_time asked_time(const struct rs_timeline_screen *t)
{
	return (struct rs_asked_time){ rs_u(t->axis.from_ns),
				       rs_u(t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells) };
}

/*
 * While a file loads, the busiest tracks so far may differ from those of the whole file: its end adds what is
 * in flight there, even without another event.
 */
static bool are_tracks_outdated(const struct rs_timeline_screen *t)
{
	return t->tracks_of_part && t->screen.app->ended;
}

static void timeline_screen_on_tracks(struct rs_timeline_screen *t, struct rs_tl_joint *answers)
{
	long at = rs_timeline_find_track(t, t->at_track);
	char label[sizeof t->tracks->label] = "";

	if (at >= 0)
		memcpy(label, t->tracks[at].label, sizeof label);
	if (!rs_timeline_read_tracks(t, answers))
		return;
	if (*t->at_track && rs_timeline_find_track(t, t->at_track) < 0 && (t->goes_to_span || *label))
		rs_timeline_add_track(t, t->nr_tracks, t->at_track, label); /* the cursor's track stays */
	rs_timeline_order(t);
	rs_timeline_path_arrange(t);
	if (!t->nr_tracks)
		rs_app_redraw(t->screen.app);
	if (are_tracks_outdated(t)) /* asks for them once more, of the whole file */
		rs_app_refresh(t->screen.app);
	else
		rs_timeline_ask(t);
}

static const struct rs_view *timeline_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;

	t->given.nr = 0;
	rs_selection_add_task(&t->given, NULL, t->pid, t->tid);
	*given = &t->given;
	return t->cast.only ? NULL : rs_filter_view(RS_FILTER_TRACKS);
}

static void ask_tracks_of(struct rs_timeline_screen *t, struct rs_tui_machine *machine)
{
	const struct rs_selection_keys *given;
	const struct rs_view *view = timeline_filtered(&t->screen, &given);
	struct rs_buf where = RS_BUF_INIT;
	struct rs_tracks_request request = { .limit = t->pid ? RS_TL_MAX_TRACKS : BUSIEST,
					     .near_to_ns = UINT64_MAX };
	const char *near[RS_TL_ROLES];

	if (t->pid || t->tid) {
		request.pid = (int32_t)t->pid;
		request.tid = t->pid ? 0 : (int32_t)t->tid;
		request.of = rs_u(RS_TRACK_TASK);
	} else { /* the busiest tracks of the shown time range */
		request.time = asked_time(t);
	}
	rs_timeline_cast_add_near(t, machine, &request, near);
	rs_app_filter_where(t->screen.app, view, given, NULL, &where);
	request.where = where.len ? where.data : NULL;
	rs_timeline_joint_ask(&t->tracks_question, machine, "tracks", &request);
	rs_buf_done(&where);
}

/* The tracks of a process are on one machine. */
void rs_timeline_ask_tracks(struct rs_timeline_screen *t)
{
	struct rs_app *app = t->screen.app;

	if (t->tracks_question.nr_open || t->cast.only)
		return;
	t->tracks_from_ns = t->axis.from_ns;
	t->tracks_to_ns = t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells;
	t->tracks_of_part = !app->ended;
	t->age = 0;
	t->filter_changes = app->filter.changes;
	if (t->pid || t->tid)
		ask_tracks_of(t, t->screen.machine);
	for (unsigned int i = 0; !t->pid && !t->tid && i < app->nr_machines; i++)
		ask_tracks_of(t, &app->machines[i]);
}

static void got_spans(struct rs_timeline_screen *t, struct rs_tl_joint *answers)
{
	if (rs_timeline_read_picture(t, answers)) {
		if (rs_timeline_quiet_wake(t)) /* the rows have another order than the tracks until then */
			t->asks_again = true;
		else
			rs_timeline_cursor_find(t);
	}
	rs_timeline_path_into_sight(t);
	rs_app_redraw(t->screen.app);
	if (t->goes_to_span && t->picture.nr_rows)
		rs_timeline_select_span(t);
	rs_timeline_step_on(t);
	if (t->asks_again)
		rs_timeline_ask(t);
}

static size_t most_at_once(const struct rs_timeline_screen *t)
{
	size_t most = RS_TL_ASK_CELLS / t->axis.nr_cells;

	return most < RS_TL_ASK_TRACKS ? RS_TL_ASK_TRACKS :
	       most > RS_MAX_SPANS_TRACKS ? RS_MAX_SPANS_TRACKS : most;
}

/* Returns the tracks to ask for: visible ones and some around them; without a picture, the first ones. */
static void in_sight(const struct rs_timeline_screen *t, size_t *first, size_t *nr)
{
	const struct rs_tl_picture *p = &t->picture;
	/* the order may have changed since the picture: what stood first there need not be the first track */
	size_t top = t->top && t->top < p->nr_rows ? p->rows[t->top].track : 0;
	long at = rs_timeline_find_track(t, t->at_track);

	if (at >= 0 && ((size_t)at < top || (size_t)at > top + (size_t)t->rows_height))
		top = (size_t)at;
	*first = top > MARGIN ? top - MARGIN : 0;
	*nr = (size_t)(t->rows_height > 0 ? t->rows_height : 1) + 2 * MARGIN;
	if (*nr > RS_TL_ASK_TRACKS)
		*nr = RS_TL_ASK_TRACKS;
	if (*first >= t->nr_tracks)
		*first = 0;
	if (rs_timeline_quiet_any_folded(t)) /* are they still quiet? */
		*nr = most_at_once(t);
	if (*nr > t->nr_tracks - *first)
		*nr = t->nr_tracks - *first;
}

/* Returns true if the shown time range no longer overlaps the one that the tracks were requested for. */
static bool timeline_screen_is_elsewhere(const struct rs_timeline_screen *t)
{
	uint64_t to_ns = t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells;

	return !t->pid && !t->tid && (t->axis.from_ns >= t->tracks_to_ns || to_ns <= t->tracks_from_ns);
}

/* Asks a machine for the spans of those tracks that belong to it. */
static void ask_spans_of(struct rs_timeline_screen *t, struct rs_tui_machine *machine)
{
	const char *tracks[RS_MAX_SPANS_TRACKS];
	size_t nr = rs_timeline_list_tracks(t, machine, t->asked_first, t->asked_nr, tracks);

	if (nr)
		rs_timeline_joint_ask(&t->spans_question, machine, "spans", &(struct rs_spans_request){
			.tracks = tracks, .nr_tracks = nr, .time = asked_time(t),
			.cells = t->axis.nr_cells });
}

static void timeline_screen_ask_pressure(struct rs_timeline_screen *t)
{
	long at = rs_timeline_find_track(t, t->at_track);

	rs_timeline_pressure_ask(&t->pressure, t->screen.machine, at >= 0 ? t->tracks[at].tid : 0);
}

void rs_timeline_ask(struct rs_timeline_screen *t)
{
	struct rs_app *app = t->screen.app;

	timeline_screen_ask_pressure(t);
	if (t->tracks_known && timeline_screen_is_elsewhere(t) && !t->goes_to_span)
		rs_timeline_ask_tracks(t);

	t->asks_again = t->spans_question.nr_open > 0;
	if (t->asks_again || !t->nr_tracks || !t->axis.nr_cells || !t->axis.cell_ns)
		return;
	in_sight(t, &t->asked_first, &t->asked_nr);
	for (unsigned int i = 0; i < app->nr_machines; i++)
		ask_spans_of(t, &app->machines[i]);
}

static void timeline_screen_follow(struct rs_timeline_screen *t)
{
	uint64_t now_ns = t->screen.app->now_ns, width_ns = t->axis.cell_ns * t->axis.nr_cells;
	int cell = rs_chart_axis_cell(&t->axis, t->cursor_ns);

	rs_timeline_show(t, now_ns > width_ns ? now_ns - width_ns : 0, t->axis.cell_ns);
	if (cell >= 0)
		t->cursor_ns = t->axis.from_ns + t->axis.cell_ns * (unsigned int)cell;
}

/* While a file loads, shows all of it as it grows, until the user zooms or scrolls. */
static bool is_longer_now(const struct rs_timeline_screen *t)
{
	return !t->touched && t->seen_time.now && !t->screen.app->live && !t->goes_to_span &&
	       t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells < t->screen.app->now_ns;
}

static void timeline_screen_ask_answers(struct rs_screen *s)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	bool still = s->app->paused && !same_time(&t->seen_time, &s->app->time);

	if (still) /* the picture stays as it is */
		t->follows = false;
	if (still)
		t->seen_time = s->app->time;
	if (!t->axis.nr_cells || !s->app->machine->state)
		return; /* the first draw sets the number of cells */
	if (!t->axis.cell_ns || !same_time(&t->seen_time, &s->app->time) || is_longer_now(t))
		take_time(t);
	else if (t->follows)
		timeline_screen_follow(t);
	if (t->filter_changes != s->app->filter.changes)
		*t->at_track = '\0'; /* its track may not pass */
	if (!t->tracks_known || t->filter_changes != s->app->filter.changes || are_tracks_outdated(t) ||
	    (!s->app->ended && ++t->age >= TRACKS_EVERY))
		rs_timeline_ask_tracks(t);
	rs_timeline_ask(t);
	for (unsigned int i = 0; i < s->app->nr_machines; i++)
		rs_pains_ask(&s->app->machines[i]);
	rs_fired_ask(s->machine, false);
	rs_timeline_step_on(t);
}

/* ---- the screen ---- */

static void timeline_screen_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_timeline_screen *t = (const struct rs_timeline_screen *)s;

	rs_buf_puts(out, *t->title ? t->title : "timeline");
}

bool rs_timeline_time(const struct rs_timeline_screen *t, struct rs_shown_time *time)
{
	*time = (struct rs_shown_time){ .from_ns = t->axis.from_ns,
					.to_ns = t->axis.from_ns + t->axis.cell_ns * t->axis.nr_cells };
	if (t->nr_marks == 2) {
		time->from_ns = t->marks[0] < t->marks[1] ? t->marks[0] : t->marks[1];
		time->to_ns = t->marks[0] < t->marks[1] ? t->marks[1] : t->marks[0];
	}
	if (time->from_ns < rs_timeline_oldest_ns(t))
		time->from_ns = rs_timeline_oldest_ns(t);
	if (time->to_ns > t->screen.app->now_ns)
		time->to_ns = t->screen.app->now_ns;
	return time->from_ns < time->to_ns;
}

/* Live, what follows the last event has no time of its own. */
static void timeline_screen_select_time(const struct rs_timeline_screen *t, struct rs_screen_selection *out)
{
	struct rs_shown_time time;

	if ((t->follows && t->nr_marks < 2) || !rs_timeline_time(t, &time))
		return;
	out->from_ns = time.from_ns;
	out->to_ns = time.to_ns;
}

bool rs_timeline_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct rs_timeline_screen *t = (const struct rs_timeline_screen *)s;
	const struct rs_tl_row *row = t->row < t->picture.nr_rows ? &t->picture.rows[t->row] : NULL;
	const struct rs_tl_track *track = row && row->track < t->nr_tracks ? &t->tracks[row->track] : NULL;
	const struct rs_wire_span *span = rs_tl_selected(t);
	int cpu;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (span && (span->pid || span->tid))
		rs_selection_add_task(&out->keys, span->comm, span->pid, span->tid);
	else if (track && (track->pid || track->tid))
		rs_selection_add_task(&out->keys, track->label, track->pid, track->tid);
	else if (track && sscanf(track->name, "cpu:%d", &cpu) == 1)
		rs_selection_add_cpu(&out->keys, cpu);
	timeline_screen_select_time(t, out);
	return out->keys.nr > 0;
}

static void timeline_screen_free_screen(struct rs_screen *s)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;

	rs_timeline_joint_forget(&t->tracks_question);
	rs_timeline_joint_forget(&t->spans_question);
	rs_timeline_picture_done(&t->picture);
	rs_timeline_unselect(t);
	rs_path_done(&t->path);
	rs_timeline_cast_done(t);
	rs_timeline_pressure_done(&t->pressure);
	rs_buf_done(&t->details);
	rs_buf_done(&t->stack);
	rs_buf_done(&t->stack_modules);
	free(t->tracks);
	free(t);
}

static struct rs_screen *timeline_reopen(struct rs_screen *s)
{
	const struct rs_timeline_screen *t = (const struct rs_timeline_screen *)s;

	return t->pid || t->tid ? NULL : rs_timeline_open(s->app, NULL);
}

static const struct rs_screen_ops ops = {
	.name = "timeline",
	.keys = rs_timeline_keys,
	.ask = timeline_screen_ask_answers,
	.draw = rs_timeline_draw,
	.act = rs_timeline_act, .can = rs_timeline_can,
	.key = rs_timeline_key,
	.copy = rs_timeline_copy,
	.title = timeline_screen_put_title,
	.selection = rs_timeline_selection,
	.filtered = timeline_filtered,
	.reopen = timeline_reopen,
	.go_to_machine = rs_timeline_go_to_machine,
	.free = timeline_screen_free_screen,
	.help_text =
		"A row for each CPU, disk and thread. What a thread is in, by the letters of the overview: "
		"R runs, w run-queue wait, p preempted, D disk, L kernel lock, f futex, M memory, B blocked "
		"otherwise, s sleeps.\n"
		"Bright is what cost it time; dark are waits that no finding is about; blank is what cost "
		"nothing, or is not known (? where that begins).\n"
		"Below it: system calls and what they wait for, dim where that cost nothing, named where the "
		"name fits, else a line with a bar where it begins. Grey shades: little of the cell is "
		"taken.\n"
		"First are the tracks of the wait that it was opened on, then who woke their tasks, was "
		"woken by them, or used the same disk meanwhile, then processes that findings are about, the "
		"costliest first; CPUs and disks; the other processes, the busiest first; kernel threads "
		"last.\n"
		"Of a wait, where there is room, the states of the victim and of who holds it up are two "
		"lines high: its waits fill both, sleep is a thin line below.\n"
		"Those that only slept or were idle in this time are one line, at the end; O, or Enter "
		"there, shows them, and so does a search.\n"
		"Of several machines each one's tracks stand under its name.\n"
		"A triangle is where one thread woke another; x goes from what is selected to who woke it.\n"
		"Below the tracks: the pressure of the control group of the cursor's thread, else of the "
		"machine, where some task waited for CPU, memory or I/O for 1 % of the time or more; "
		"43/12% is the most in which some, and in which all of them waited.\n"
		"c marks the critical path of what is selected, link by link: underlined, with its letters, "
		"in the color of the state; each link has its number on its track; > and < go along it.\n",
};

static struct rs_timeline_screen *new_screen(struct rs_app *app, int64_t pid)
{
	struct rs_timeline_screen *t = rs_screen_new(app, &ops, sizeof *t);

	if (!t)
		return NULL;
	t->tracks_question = (struct rs_tl_joint){ .timeline = t, .answered = timeline_screen_on_tracks };
	t->spans_question = (struct rs_tl_joint){ .timeline = t, .answered = got_spans };
	t->details = t->stack = t->stack_modules = (struct rs_buf)RS_BUF_INIT;
	t->pid = pid;
	rs_timeline_put_heading(app->machine, t->at_track);
	t->at_shape = RS_SPAN_STATE;
	return t;
}

/* Keeps time range and cursor for another set of rows. */
static void keep_view(struct rs_timeline_screen *to, const struct rs_timeline_screen *from)
{
	to->axis = from->axis;
	to->seen_time = from->seen_time;
	to->cursor_ns = from->cursor_ns;
	to->follows = from->follows;
	to->touched = true;
	memcpy(to->marks, from->marks, sizeof to->marks);
	to->nr_marks = from->nr_marks;
	memcpy(to->at_track, from->at_track, sizeof to->at_track);
	to->at_shape = from->at_shape;
	to->at_depth = from->at_depth;
}

void rs_timeline_open_tracks(struct rs_timeline_screen *t, int64_t pid, const char *name)
{
	struct rs_timeline_screen *other = new_screen(t->screen.app, pid);

	if (!other)
		return;
	snprintf(other->title, sizeof other->title, "threads of %.32s (%lld)", name, (long long)pid);
	keep_view(other, t);
	rs_app_push(t->screen.app, &other->screen);
}

/* Views write devices as "8,0". */
static void go_to_track(struct rs_timeline_screen *t, const struct rs_selection_keys *keys)
{
	char name[RS_TL_ENGINE_NAME] = "";
	const struct rs_selection_key *dev = rs_selection_key(keys, "dev");
	int64_t tid = rs_selection_number(keys, "tid"), cpu = rs_selection_number(keys, "cpu");
	unsigned int major, minor;

	if (dev && dev->column->type == RS_TYPE_TEXT && sscanf(dev->text, "%u,%u", &major, &minor) == 2)
		snprintf(name, sizeof name, "disk:%u:%u", major, minor);
	else if (tid > 0)
		snprintf(name, sizeof name, "task:%lld.0", (long long)tid);
	else if (cpu >= 0)
		snprintf(name, sizeof name, "cpu:%lld", (long long)cpu);
	rs_timeline_put_name(t->screen.machine, name, t->at_track);
}

struct rs_screen *rs_timeline_open_at(struct rs_app *app, const char *track, enum rs_span_shape shape,
				      unsigned int kind, uint64_t start_ns, uint64_t end_ns, int64_t pid)
{
	struct rs_timeline_screen *t = new_screen(app, pid);

	if (!t)
		return NULL;
	rs_timeline_put_name(t->screen.machine, track, t->at_track);
	t->at_shape = shape;
	t->at_depth = UINT32_MAX;
	t->goes_to_span = true;
	t->opened_on = (struct rs_wire_span){ .kind = (uint16_t)kind, .start_ns = start_ns,
					      .end_ns = end_ns };
	return &t->screen;
}

/*
 * For a wait of a thread: opens who takes part in it. For a task: the threads of its process. Otherwise:
 * CPUs, disks, and the busiest threads.
 */
struct rs_screen *rs_timeline_open(struct rs_app *app, const struct rs_screen_selection *of)
{
	int64_t pid = of ? rs_selection_number(&of->keys, "pid") : -1;
	struct rs_timeline_screen *t = new_screen(app, pid > 0 ? pid : 0);
	const struct rs_selection_key *comm = of ? rs_selection_key(&of->keys, "comm") : NULL;

	if (!t)
		return NULL;
	if (of && of->is_wait)
		snprintf(t->title, sizeof t->title, "wait of %.32s (%lld)", comm ? comm->text : "",
			 (long long)rs_selection_thread(&of->keys));
	else if (pid > 0 && comm)
		snprintf(t->title, sizeof t->title, "threads of %.32s (%lld)", comm->text, (long long)pid);
	else if (pid > 0)
		snprintf(t->title, sizeof t->title, "threads of %lld", (long long)pid);
	if (pid <= 0 && of && rs_selection_number(&of->keys, "tid") > 0) {
		t->tid = rs_selection_number(&of->keys, "tid");
		if (!of->is_wait)
			snprintf(t->title, sizeof t->title, "thread %.32s (%lld)", comm ? comm->text : "",
				 (long long)t->tid);
	}
	if (of)
		go_to_track(t, &of->keys);
	t->on_first = !of || !*t->at_track;
	if (of && of->to_ns && (of->values || !of->keys.nr))
		rs_timeline_cast_set_time(t, of->from_ns, of->to_ns);
	if (of && of->is_wait)
		rs_timeline_cast_begin(t, rs_selection_thread(&of->keys), of->from_ns, of->to_ns);
	return &t->screen;
}
