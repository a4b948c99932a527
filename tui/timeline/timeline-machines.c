// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-machines.c - several machines on one timeline: maps track names to machines, and asks all engines at once
 *
 * An engine knows only its own tracks, so "task:42.0" may exist on each machine. Here track names begin with the
 * machine, "1/task:42.0", if there are several; requests drop this prefix, answers add it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/toolkit/app.h"
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

/* Cycles through brief, all rows, folded. */
bool rs_timeline_fold(struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;
	unsigned int machine = (unsigned int)(rs_timeline_machine(t, t->at_track) - app->machines);
	uint32_t group = rs_tl_group(machine, strchr(t->at_track, 't'));

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

size_t rs_timeline_make_room(struct rs_timeline_screen *t, const size_t *nr)
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

struct rs_tui_machine *rs_timeline_machine_of_row(const struct rs_timeline_screen *t,
						  const struct rs_tl_row *row)
{
	return rs_timeline_machine(t, t->tracks[row->track].name);
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

void rs_timeline_joint_done(struct rs_tl_joint *j)
{
	for (unsigned int i = 0; i < RS_TUI_MAX_MACHINES; i++) {
		rs_message_drop(j->answers[i].reply);
		j->answers[i].reply = NULL;
	}
}

void rs_timeline_joint_forget(struct rs_tl_joint *j, struct rs_app *app)
{
	for (unsigned int i = 0; i < app->nr_machines; i++)
		rs_machine_set_forget(app, &j->answers[i]);
	rs_timeline_joint_done(j);
}

/* If one engine refuses, the answer lacks its tracks; the others are still shown. */
static void joint_got(void *arg, const struct rs_reply *reply)
{
	struct rs_tl_answer *a = arg;
	struct rs_tl_joint *j = a->of;

	if (!rs_app_refused(j->timeline->screen.app, reply))
		a->reply = rs_client_keep(a->client, reply);
	if (--j->nr_open)
		return;
	j->answered(j->timeline, j);
	rs_timeline_joint_done(j);
}

void rs_timeline_joint_ask(struct rs_tl_joint *j, struct rs_tui_machine *machine, const char *op, const void *request)
{
	struct rs_tl_answer *a = &j->answers[machine - machine->app->machines];

	a->of = j;
	a->client = machine->client;
	j->nr_open += rs_client_ask(machine->client, op, request, joint_got, a) != 0;
}
