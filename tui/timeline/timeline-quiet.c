// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-quiet.c - tracks with nothing but sleep and idleness in the shown time: they come last, and are
 * one line, "14 quiet: kworker/0:1, rcu_preempt ...", until the user shows them
 */
#include <stdio.h>
#include <string.h>

#include "base/own-name.h"
#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

#define QUIET_HEADING "quiet/" /* a heading by its slash, see rs_timeline_is_heading */
#define QUIET_LEAST 4          /* fewer stay as they are */

/* ---- which ones ---- */

/* Of a process, a wait and a filter the user asked for each track; machines have their own headings. */
static bool quiet_may_fold(const struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;

	return app->nr_machines == 1 && !t->pid && !t->tid && !t->cast.only && !app->filter.nr;
}

/* The user is there, or went there. */
static bool quiet_is_wanted(const struct rs_timeline_screen *t, const struct rs_tl_track *track)
{
	if (!strcmp(track->name, t->at_track) || !strcmp(track->name, t->wanted) ||
	    *rs_timeline_cast_role(t, track))
		return true;
	for (unsigned int i = 0; i < t->path.nr; i++)
		if (track->tid && t->path.links[i].tid == track->tid)
			return true;
	return false;
}

/* ringside's own are dim whatever they do. */
static bool quiet_is(const struct rs_timeline_screen *t, const struct rs_tl_track *track)
{
	return (track->idle || rs_own_name(track->label)) && !track->inked && !quiet_is_wanted(t, track) &&
	       !rs_pains_find(&rs_timeline_machine(t, track->name)->pains, track->pid, track->label);
}

bool rs_timeline_quiet_is_heading(const char *name)
{
	return !strcmp(name, QUIET_HEADING);
}

/* Without any other track there is nothing else to show. */
bool rs_timeline_quiet_list(const struct rs_timeline_screen *t, bool quiet[RS_TL_MAX_TRACKS])
{
	size_t nr = 0, others = 0;

	for (size_t i = 0; i < t->nr_tracks; i++) {
		quiet[i] = !rs_timeline_is_heading(t->tracks[i].name) && quiet_is(t, &t->tracks[i]);
		nr += quiet[i];
		others += !quiet[i] && !rs_timeline_is_heading(t->tracks[i].name);
	}
	return quiet_may_fold(t) && nr >= QUIET_LEAST && others;
}

void rs_timeline_quiet_add_heading(struct rs_timeline_screen *t)
{
	if (rs_timeline_find_track(t, QUIET_HEADING) < 0)
		rs_timeline_add_track(t, t->nr_tracks, QUIET_HEADING, "quiet");
}

/* Returns the index of the heading; the number of tracks: there is none. */
static size_t quiet_heading(const struct rs_timeline_screen *t)
{
	long at = rs_timeline_find_track(t, QUIET_HEADING);

	return at < 0 ? t->nr_tracks : (size_t)at;
}

bool rs_timeline_quiet_is_folded(const struct rs_timeline_screen *t, size_t track)
{
	return !t->shows_quiet && track > quiet_heading(t);
}

bool rs_timeline_quiet_any_folded(const struct rs_timeline_screen *t)
{
	return !t->shows_quiet && quiet_heading(t) < t->nr_tracks;
}

/* ---- one that is not quiet any more, or that the user looks for ---- */

bool rs_timeline_quiet_has_ink(const struct rs_timeline_screen *t, const struct rs_tl_row *rows, size_t nr)
{
	for (const struct rs_tl_row *row = rows; row < rows + nr; row++) {
		const struct rs_tl_track *track = &t->tracks[row->track];
		struct rs_ink_task task = rs_pains_of(&rs_timeline_machine(t, track->name)->pains, track->pid,
						      track->label);

		for (size_t i = 0; row->shape == RS_SPAN_STATE && i < row->nr; i++)
			if (rs_cause_ink(rs_timeline_cause_of(row->runs[i].state), &task, NULL) > RS_INK_DIM)
				return true;
	}
	return false;
}

bool rs_timeline_quiet_wake(struct rs_timeline_screen *t)
{
	bool any = false;

	for (size_t i = quiet_heading(t); i < t->nr_tracks; i++)
		any |= t->tracks[i].inked;
	if (any)
		rs_timeline_order_anew(t);
	return any;
}

void rs_timeline_quiet_bring_back(struct rs_timeline_screen *t, const char *name)
{
	long at = rs_timeline_find_track(t, name);

	if (at < 0 || !rs_timeline_quiet_is_folded(t, (size_t)at))
		return;
	rs_copy(t->wanted, sizeof t->wanted, name);
	rs_timeline_order(t);
}

/* ---- the line ---- */

bool rs_timeline_quiet_toggle(struct rs_timeline_screen *t)
{
	if (quiet_heading(t) == t->nr_tracks)
		return false;
	t->shows_quiet = !t->shows_quiet;
	rs_copy(t->at_track, sizeof t->at_track, QUIET_HEADING);
	rs_timeline_cursor_row(t); /* so that it stays on its line */
	rs_timeline_ask(t);
	return true;
}

void rs_timeline_quiet_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, bool selected)
{
	size_t at = quiet_heading(t), nr = at < t->nr_tracks ? t->nr_tracks - at - 1 : 0;
	struct rs_area line = { y, 0, 1, t->label_width + (int)t->axis.nr_cells };
	struct rs_buf text = RS_BUF_INIT;

	rs_buf_printf(&text, "%zu quiet%s", nr, t->shows_quiet ? " (Enter folds them)" : "");
	for (size_t i = at + 1; !t->shows_quiet && i < t->nr_tracks && text.len < 400; i++)
		rs_buf_printf(&text, "%s%s", i == at + 1 ? ": " : ", ", t->tracks[i].label);
	rs_put_cut(c, y, line.x, line.width, RS_STYLE_DIM, text.data);
	if (selected)
		rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	rs_buf_done(&text);
}
