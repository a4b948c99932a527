// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-picture.c - asks the engines of all machines at once, checks the answers to "tracks" and "spans",
 * and puts them into one picture
 *
 * An engine knows only its own tracks, so "task:42.0" may exist on each machine. Here track names begin with
 * the machine, "1/task:42.0", if there are several; requests drop this prefix, answers add it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "base/buf.h"
#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

/* ---- names ---- */

void rs_timeline_put_name(const struct rs_tui_machine *machine, const char *track, char *name)
{
	const struct rs_app *app = machine->app;

	if (!track || strlen(track) >= RS_TL_ENGINE_NAME)
		track = "";
	if (app->nr_machines == 1 || !*track)
		rs_copy(name, RS_TL_NAME, track);
	else
		snprintf(name, RS_TL_NAME, "%u/%.36s", (unsigned int)(machine - app->machines), track);
}

struct rs_tui_machine *rs_timeline_machine(const struct rs_timeline_screen *t, const char *name)
{
	struct rs_app *app = t->screen.app;
	char *end;
	unsigned long at = strtoul(name, &end, 10);

	return strchr(end, '/') && at < app->nr_machines ? &app->machines[at] : t->screen.machine;
}

const char *rs_timeline_engine_name(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash ? slash + 1 : name;
}

void rs_timeline_put_heading(const struct rs_tui_machine *machine, char *name)
{
	name[0] = '\0';
	if (machine->name)
		snprintf(name, RS_TL_NAME, "%u/", (unsigned int)(machine - machine->app->machines));
}

bool rs_timeline_is_heading(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash && !slash[1];
}

size_t rs_timeline_list_tracks(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine,
			       size_t first, size_t nr, const char **tracks)
{
	size_t found = 0;

	for (const struct rs_tl_track *track = t->tracks + first; track < t->tracks + first + nr; track++)
		if (rs_timeline_machine(t, track->name) == machine && !rs_timeline_is_heading(track->name))
			tracks[found++] = rs_timeline_engine_name(track->name);
	return found;
}

/* Cycles through brief, all rows, folded. */
bool rs_timeline_fold(struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;
	unsigned int machine = (unsigned int)(rs_timeline_machine(t, t->at_track) - app->machines);
	uint32_t group = rs_tl_group(machine, strchr(t->at_track, 't'));

	if (rs_timeline_quiet_is_heading(t->at_track))
		return rs_timeline_quiet_toggle(t);
	if (!rs_timeline_is_heading(t->at_track))
		return false;
	if (t->brief & group) {
		t->whole |= group;
	} else {
		t->folded ^= group;
		t->whole &= ~group;
	}
	rs_timeline_ask_tracks(t);
	return true;
}

#define ROWS_A_TRACK 3 /* a CPU, its softirqs and its interrupts, usually */

/* Returns the lines for the headings and `share` tracks of each machine. */
static size_t rows_of_share(const size_t *nr, unsigned int nr_machines, size_t share)
{
	size_t rows = nr_machines;

	for (unsigned int i = 0; i < nr_machines; i++)
		rows += nr[i] < share ? nr[i] : share;
	return rows;
}

/*
 * Returns how many CPUs and disks of each machine fit, so that all are visible without scrolling. nr: their
 * number, by machine. If they do not fit with all rows, each track gets one row (t->brief).
 */
static size_t picture_make_room(struct rs_timeline_screen *t, const size_t *nr)
{
	unsigned int nr_machines = t->screen.app->nr_machines;
	size_t room = (size_t)t->rows_height, all = 0, most = 0, share = 0;

	t->brief = 0;
	for (unsigned int i = 0; i < nr_machines; i++) {
		all += nr[i];
		most = nr[i] > most ? nr[i] : most;
	}
	if (nr_machines == 1 || ROWS_A_TRACK * all + nr_machines <= room)
		return most;
	for (unsigned int i = 0; i < nr_machines; i++)
		t->brief |= rs_tl_group(i, false) & ~t->whole & ~t->folded;
	while (share < most && rows_of_share(nr, nr_machines, share + 1) <= room)
		share++;
	return share ? share : 1;
}

void rs_timeline_follow_cursor(struct rs_timeline_screen *t)
{
	t->screen.machine = rs_timeline_machine(t, t->at_track);
	if (rs_app_top(t->screen.app) == &t->screen)
		rs_machine_set_use(t->screen.app, t->screen.machine);
}

void rs_timeline_go_to_machine(struct rs_screen *s)
{
	struct rs_timeline_screen *t = (struct rs_timeline_screen *)s;
	char heading[RS_TL_NAME];

	rs_timeline_put_heading(s->app->machine, heading);
	if (rs_timeline_find_track(t, heading) >= 0)
		rs_timeline_cursor_to(t, heading, RS_SPAN_STATE, t->cursor_ns);
	else
		rs_app_say(s->app, RS_STYLE_WARN, "%s has nothing here", s->app->machine->name);
	rs_timeline_follow_cursor(t);
}

/* ---- requests to several machines ---- */

void rs_timeline_joint_forget(struct rs_tl_joint *j)
{
	for (unsigned int i = 0; i < RS_TUI_MAX_MACHINES; i++)
		if (j->questions[i].machine)
			rs_question_done(&j->questions[i]);
}

/* If one engine refuses, the answer lacks its tracks; the others are still shown. */
static void joint_got(void *joint, const struct rs_reply *reply)
{
	struct rs_tl_joint *j = joint;

	rs_app_refused(j->timeline->screen.app, reply);
	if (--j->nr_open)
		return;
	j->answered(j->timeline, j);
	for (unsigned int i = 0; i < RS_TUI_MAX_MACHINES; i++)
		rs_question_drop(&j->questions[i]);
}

void rs_timeline_joint_ask(struct rs_tl_joint *j, struct rs_tui_machine *machine, const char *op,
			   const void *request)
{
	struct rs_question *q = &j->questions[machine - machine->app->machines];

	if (q->machine) /* asked anew while its answer is being read: by now that has been copied */
		rs_question_drop(q);
	*q = (struct rs_question){ .machine = machine, .answered = joint_got, .of = j };
	rs_question_ask(q, op, request);
	j->nr_open += q->asked;
}

/* ---- tracks ---- */

static enum rs_track_type timeline_picture_type_of(const char *name)
{
	name = rs_timeline_engine_name(name);
	for (const struct rs_word *w = rs_words_tracks; w->word; w++)
		if (!strncmp(name, w->word, strlen(w->word)) && name[strlen(w->word)] == ':')
			return (enum rs_track_type)w->number;
	return RS_TRACK_TASK;
}

long rs_timeline_find_track(const struct rs_timeline_screen *t, const char *name)
{
	for (size_t i = 0; i < t->nr_tracks; i++)
		if (!strcmp(t->tracks[i].name, name))
			return (long)i;
	return -1;
}

void rs_timeline_rename_rows(struct rs_timeline_screen *t, const struct rs_tl_track *before)
{
	struct rs_tl_picture *p = &t->picture;

	for (size_t i = 0; i < p->nr_rows; i++) {
		long at = rs_timeline_find_track(t, before[p->rows[i].track].name);

		p->rows[i].track = at < 0 ? 0 : (unsigned int)at;
	}
	p->nr_arrows = 0;
}

void rs_timeline_replace_tracks(struct rs_timeline_screen *t, struct rs_tl_track *tracks, size_t nr)
{
	struct rs_tl_track *before = t->tracks;

	t->tracks = tracks;
	t->nr_tracks = nr;
	if (before)
		rs_timeline_rename_rows(t, before);
	free(before);
}

#define IDLE_ACTIVITY 10 /* thousandths of the time: less is idle */

static void read_track(const struct rs_tui_machine *machine, const struct rs_wire_track *from,
		       struct rs_tl_track *track)
{
	*track = (struct rs_tl_track){ .of = timeline_picture_type_of(from->track), .pid = from->pid,
				       .tid = from->tid, .kernel_thread = from->kernel_thread,
				       .nr_spans = from->nr_spans,
				       .idle = from->activity.known && from->activity.u < IDLE_ACTIVITY };
	rs_timeline_put_name(machine, from->track, track->name);
	rs_copy(track->label, sizeof track->label, from->label);
	rs_copy(track->involved, sizeof track->involved, from->involved);
	rs_copy(track->vcpu, sizeof track->vcpu, from->vcpu);
}

static bool is_in_group(const struct rs_wire_track *track, bool of_tasks)
{
	return *track->track && strlen(track->track) < RS_TL_ENGINE_NAME &&
	       (timeline_picture_type_of(track->track) == RS_TRACK_TASK) == of_tasks;
}

/* Adds a machine's name before each group of its tracks; nothing if there is only one machine. */
static bool add_heading(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine,
			bool of_tasks, struct rs_tl_track *track)
{
	unsigned int at = (unsigned int)(machine - machine->app->machines);
	bool folded = t->folded & rs_tl_group(at, of_tasks);

	if (!machine->name)
		return false;
	*track = (struct rs_tl_track){ .of = of_tasks ? RS_TRACK_TASK : RS_TRACK_CPU };
	snprintf(track->name, sizeof track->name, "%u%s/", at, of_tasks ? "t" : "");
	snprintf(track->label, sizeof track->label, "%.40s%s%s", machine->name, of_tasks ? ": threads" : "",
		 folded                               ? " (Enter unfolds)" :
		 t->brief & rs_tl_group(at, of_tasks) ? " (Enter: all rows)" :
							"");
	return true;
}

static size_t count_group(const struct rs_tracks_reply *reply, bool of_tasks)
{
	size_t nr = 0;

	for (size_t i = 0; reply && i < reply->nr_tracks; i++)
		nr += is_in_group(&reply->tracks[i], of_tasks);
	return nr;
}

/* Returns how many CPUs and disks of each machine fit. */
static size_t timeline_picture_make_room(struct rs_timeline_screen *t, const struct rs_tl_joint *answers)
{
	size_t nr[RS_TUI_MAX_MACHINES] = { 0 };

	for (unsigned int i = 0; i < t->screen.app->nr_machines; i++)
		nr[i] = count_group(answers->questions[i].answer, false);
	return picture_make_room(t, nr);
}

/* Adds one group of a machine's tracks, in brief only as many as fit. Returns the new number of tracks. */
static size_t timeline_picture_add_group(const struct rs_timeline_screen *t,
					 const struct rs_tui_machine *machine,
					 const struct rs_tracks_reply *reply, bool of_tasks, size_t fit,
					 struct rs_tl_track *tracks, size_t nr)
{
	uint32_t group = rs_tl_group((unsigned int)(machine - machine->app->machines), of_tasks);
	bool any = false;

	for (size_t i = 0; reply && i < reply->nr_tracks; i++) {
		if (!is_in_group(&reply->tracks[i], of_tasks) || nr + 1 >= RS_TL_MAX_TRACKS)
			continue;
		if (!any && add_heading(t, machine, of_tasks, &tracks[nr]))
			nr++;
		any = true;
		if (t->folded & group || (t->brief & group && !fit))
			continue;
		read_track(machine, &reply->tracks[i], &tracks[nr++]);
		fit--;
	}
	return nr;
}

/* The CPUs and disks of all machines come first, so that activity on one can be compared with the others. */
bool rs_timeline_read_tracks(struct rs_timeline_screen *t, const struct rs_tl_joint *answers)
{
	struct rs_tl_track *tracks = calloc(RS_TL_MAX_TRACKS, sizeof *tracks);
	const struct rs_app *app = t->screen.app;
	size_t nr = 0, fit = timeline_picture_make_room(t, answers);
	bool any = false;

	for (unsigned int i = 0; tracks && i < 2 * app->nr_machines; i++) {
		unsigned int machine = i % app->nr_machines;
		const struct rs_tracks_reply *reply = answers->questions[machine].answer;

		any |= reply != NULL;
		nr = timeline_picture_add_group(t, &app->machines[machine], reply, i >= app->nr_machines, fit,
						tracks, nr);
	}
	if (!any) {
		free(tracks);
		return false;
	}
	rs_timeline_replace_tracks(t, tracks, nr);
	t->tracks_known = true;
	return true;
}

long rs_timeline_add_track(struct rs_timeline_screen *t, size_t after, const char *name, const char *label)
{
	struct rs_tl_track *track;

	if (t->nr_tracks >= RS_TL_MAX_TRACKS || !t->tracks)
		return -1;
	after = after < t->nr_tracks ? after + 1 : t->nr_tracks;
	memmove(&t->tracks[after + 1], &t->tracks[after], (t->nr_tracks - after) * sizeof *t->tracks);
	track = &t->tracks[after];
	t->nr_tracks++;
	*track = (struct rs_tl_track){ .of = timeline_picture_type_of(name) };
	rs_copy(track->name, sizeof track->name, name);
	rs_copy(track->label, sizeof track->label, label && *label ? label : rs_timeline_engine_name(name));
	/* a heading is no track, and may be shorter than "task:" */
	if (track->of == RS_TRACK_TASK && !rs_timeline_is_heading(name))
		track->tid = strtol(rs_timeline_engine_name(name) + 5, NULL, 10);
	return (long)after;
}

/* ---- runs ---- */

void rs_timeline_picture_done(struct rs_tl_picture *p)
{
	for (unsigned int i = 0; i < RS_TUI_MAX_MACHINES; i++)
		rs_message_drop(p->replies[i]);
	free(p->rows);
	free(p->arrows);
	*p = (struct rs_tl_picture){ .nr_rows = 0 };
}

/* from: NULL: a row without runs. */
static bool add_row(struct rs_tl_picture *p, unsigned int track, const struct rs_spans_row *from,
		    const char *const *labels)
{
	if (!RS_VECTOR_RESERVE(&p->rows, &p->max_rows, p->nr_rows + 1))
		return false;
	p->rows[p->nr_rows++] = from ? (struct rs_tl_row){ track,      from->shape,   from->depth,
							   from->runs, from->nr_runs, labels } :
				       (struct rs_tl_row){ .track = track, .shape = RS_SPAN_STATE };
	return true;
}

/* A task's states come above its slices. */
static bool timeline_picture_read_tracks(struct rs_tl_picture *p, unsigned int track,
					 const struct rs_spans_track *from, const char *const *labels)
{
	static const enum rs_span_shape order[] = { RS_SPAN_STATE, RS_SPAN_SAMPLE,  RS_SPAN_SLICE,
						    RS_SPAN_ASYNC, RS_SPAN_INSTANT, RS_SPAN_COUNTER };
	size_t before = p->nr_rows;

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (size_t row = 0; row < from->nr_rows; row++)
			if (from->rows[row].shape == order[i] && !add_row(p, track, &from->rows[row], labels))
				return false;
	return p->nr_rows > before || add_row(p, track, NULL, NULL);
}

static long timeline_picture_find_end(const struct rs_timeline_screen *t,
				      const struct rs_tui_machine *machine, const char *track)
{
	char name[RS_TL_NAME];

	rs_timeline_put_name(machine, track, name);
	return rs_timeline_find_track(t, name);
}

static bool read_arrows(const struct rs_timeline_screen *t, struct rs_tl_picture *p,
			const struct rs_tui_machine *machine, const struct rs_spans_reply *reply)
{
	struct rs_tl_arrow *arrows = realloc(p->arrows,
					     (p->nr_arrows + reply->nr_arrows + 1) * sizeof *arrows);

	if (!arrows)
		return false;
	p->arrows = arrows;
	for (const struct rs_wire_arrow *at = reply->arrows; at < reply->arrows + reply->nr_arrows; at++) {
		long from = timeline_picture_find_end(t, machine, at->from),
		     to = timeline_picture_find_end(t, machine, at->to);

		if (from >= 0 && to >= 0)
			p->arrows[p->nr_arrows++] = (struct rs_tl_arrow){ (unsigned int)from,
									  (unsigned int)to, at->at_ns };
	}
	return true;
}

/*
 * A track outside of the request also gets a row, because the list scrolls over all tracks. In brief, only
 * the first row is shown: the tasks that a CPU ran, not its interrupts. at: for each machine, the first
 * unread track.
 */
static bool read_track_rows(const struct rs_timeline_screen *t, struct rs_tl_picture *p, unsigned int track,
			    size_t *at)
{
	size_t machine = (size_t)(rs_timeline_machine(t, t->tracks[track].name) - t->screen.app->machines);
	bool brief = t->tracks[track].of != RS_TRACK_TASK &&
		     t->brief & rs_tl_group((unsigned int)machine, false);
	const struct rs_spans_reply *reply = p->replies[machine];
	size_t first = p->nr_rows;

	if (!reply || at[machine] == reply->nr_tracks ||
	    strcmp(reply->tracks[at[machine]].track, rs_timeline_engine_name(t->tracks[track].name)))
		return add_row(p, track, NULL, NULL);
	if (!timeline_picture_read_tracks(p, track, &reply->tracks[at[machine]++], reply->labels))
		return false;
	if (brief)
		p->nr_rows = first + 1;
	return true;
}

/* What is folded away has no rows, until there is more of it than sleep. */
static bool picture_read_rows(struct rs_timeline_screen *t, struct rs_tl_picture *p, unsigned int track,
			      size_t *at)
{
	size_t first = p->nr_rows;

	if (!read_track_rows(t, p, track, at))
		return false;
	if (!rs_timeline_quiet_is_folded(t, track))
		return true;
	t->tracks[track].inked = rs_timeline_quiet_has_ink(t, p->rows + first, p->nr_rows - first);
	if (!t->tracks[track].inked)
		p->nr_rows = first;
	return true;
}

/* All machines got a request for the same cells. */
static bool read_answers(struct rs_timeline_screen *t, struct rs_tl_picture *p)
{
	const struct rs_app *app = t->screen.app;
	size_t at[RS_TUI_MAX_MACHINES] = { 0 };

	for (unsigned int i = 0; i < app->nr_machines; i++) {
		const struct rs_spans_reply *reply = p->replies[i];

		if (!reply)
			continue;
		p->axis = (struct rs_axis){ .from_ns = reply->from_ns, .cell_ns = reply->cell_ns,
					    .nr_cells = reply->cells };
		if (!read_arrows(t, p, &app->machines[i], reply))
			return false;
	}
	for (unsigned int i = 0; i < t->nr_tracks; i++)
		if (!picture_read_rows(t, p, i, at))
			return false;
	return rs_timeline_tall_add_rows(t, p) && p->axis.cell_ns;
}

bool rs_timeline_read_picture(struct rs_timeline_screen *t, struct rs_tl_joint *answers)
{
	struct rs_tl_picture p = { .nr_rows = 0 };
	bool good;

	for (unsigned int i = 0; i < RS_TUI_MAX_MACHINES; i++) {
		p.replies[i] = answers->questions[i].answer;
		answers->questions[i].answer = NULL;
	}
	good = read_answers(t, &p);
	rs_timeline_picture_done(good ? &t->picture : &p);
	if (good)
		t->picture = p;
	return good;
}

const struct rs_wire_run *rs_timeline_run_at(const struct rs_tl_picture *p, const struct rs_tl_row *row,
					     uint64_t at_ns)
{
	int cell = rs_chart_axis_cell(&p->axis, at_ns);

	for (size_t i = 0; i < row->nr; i++)
		if ((int)row->runs[i].from <= cell && cell < (int)row->runs[i].to)
			return &row->runs[i];
	return NULL;
}
