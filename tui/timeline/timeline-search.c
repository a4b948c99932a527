// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-search.c - goes to a track by a few letters of its name, or by its number */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

static bool timeline_search_matches(const struct rs_tl_track *track, const char *text)
{
	char *end;
	long long number = strtoll(text, &end, 10);

	if (*text && !*end && number > 0 && (track->tid == number || track->pid == number))
		return true;
	return strcasestr(track->label, text) || strcasestr(track->vcpu, text);
}

void rs_timeline_search(struct rs_timeline_screen *t, int step, bool here)
{
	long at = rs_timeline_find_track(t, t->at_track);
	size_t from = at < 0 ? 0 : (size_t)at, nr = t->nr_tracks;

	for (size_t i = here ? 0 : 1; nr && i <= nr; i++) {
		size_t track = (step > 0 ? from + i : from + nr - i % nr) % nr;

		if (rs_timeline_is_heading(t->tracks[track].name) ||
		    !timeline_search_matches(&t->tracks[track], t->find))
			continue;
		rs_timeline_cursor_to(t, t->tracks[track].name, RS_SPAN_STATE, t->cursor_ns);
		rs_app_redraw(t->screen.app);
		return;
	}
	rs_app_say(t->screen.app, RS_STYLE_WARN,
		   "no track here has \"%s\" in its name (the busiest are listed; \\ shows all that match)",
		   t->find);
}

static void timeline_search_on_typed(void *arg, const char *text)
{
	struct rs_timeline_screen *t = arg;

	rs_copy(t->find, sizeof t->find, text);
	if (*t->find)
		rs_timeline_search(t, 1, true);
}

static void timeline_search_on_text(void *arg, const char *text)
{
	struct rs_timeline_screen *t = arg;

	timeline_search_on_typed(t, text ? text : "");
}

static void timeline_search_add_hits(void *arg, const char *text, struct rs_prompt_words *words)
{
	const struct rs_timeline_screen *t = arg;

	for (size_t i = 0; i < t->nr_tracks; i++)
		rs_app_search_add(words, text, t->tracks[i].label);
}

void rs_timeline_search_begin(struct rs_timeline_screen *t)
{
	rs_app_search(t->screen.app, &(struct rs_app_search){
		.done = timeline_search_on_text, .typed = timeline_search_on_typed,
		.hits = timeline_search_add_hits, .arg = t });
}
