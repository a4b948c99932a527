// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fired-screen.c - the conditions of a daemon that fired, the newest first: when, what it was, what was kept
 *
 * Enter shows the time in which one fired, on all screens, or where the window has passed it its recording.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/toolkit/list.h"

#define FIRED_TOP 2                /* lines above the list */
#define FIRED_BOTTOM 2             /* and below it, about the selected one */
#define FIRED_TIME 18              /* columns */
#define FIRED_HELD 9
#define FIRED_CONDITION 34
#define FIRED_CONDITION_FROM 110   /* columns of a screen with room for the condition */
#define FIRED_MOST_NS 60000000000u /* of a condition that held for longer, the end is shown */

struct fired {
	struct rs_screen screen; /* first */
	struct rs_list list;
	uint64_t number;         /* of the selected one; 0: none yet */
};

/* The newest is the first. */
static const struct rs_wire_alarm *fired_at(const struct fired *s, size_t at)
{
	const struct rs_alarms_reply *a = rs_fired_list(s->screen.machine);

	return a && at < a->nr_alarms ? &a->alarms[a->nr_alarms - 1 - at] : NULL;
}

static void fired_note_selected(struct fired *s)
{
	const struct rs_wire_alarm *a = fired_at(s, s->list.at);

	s->number = a ? a->number : 0;
}

/* The selected one keeps its line on the screen. */
static void fired_follow(struct fired *s)
{
	size_t line = s->list.at - s->list.top, at = 0;
	const struct rs_wire_alarm *a;

	while ((a = fired_at(s, at)) && a->number != s->number)
		at++;
	if (a) {
		s->list.at = at;
		s->list.top = at > line ? at - line : 0;
	}
}

static void fired_ask(struct rs_screen *screen)
{
	rs_fired_ask(screen->machine, true);
}

/* The time in which it fired, as far as there is data of it. Returns false if it has expired. */
static bool fired_time(const struct fired *s, const struct rs_wire_alarm *a, struct rs_shown_time *time)
{
	const struct rs_app *app = s->screen.app;
	uint64_t held_ns = a->to_ns - a->from_ns;

	held_ns = held_ns > FIRED_MOST_NS ? FIRED_MOST_NS : held_ns;
	held_ns = held_ns < app->interval_ns ? app->interval_ns : held_ns;
	*time = (struct rs_shown_time){ .from_ns = a->to_ns > held_ns ? a->to_ns - held_ns : 0,
					.to_ns = a->to_ns };
	if (time->from_ns < app->oldest_ns)
		time->from_ns = app->oldest_ns;
	return app->live && time->from_ns < time->to_ns;
}

/* ---- drawing ---- */

static void fired_draw_conditions(const struct fired *s, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_alarms_reply *a = rs_fired_list(s->screen.machine);
	const struct rs_wire_condition *bad = NULL;
	size_t nr_on = 0;

	for (size_t i = 0; a && i < a->nr_conditions; i++) {
		nr_on += a->conditions[i].on;
		bad = bad || !a->conditions[i].why ? bad : &a->conditions[i];
	}
	if (!a)
		rs_put(c, line.y, line.x, line.width, RS_STYLE_DIM, "...");
	else if (bad)
		rs_put_format(c, line.y, line.x, line.width, RS_STYLE_WARN, "'%s' cannot be judged: %s",
			      bad->name ? bad->name : bad->text, bad->why);
	else if (a->nr_conditions)
		rs_put_format(c, line.y, line.x, line.width, RS_STYLE_DIM, "%zu condition%s, %zu hold%s now",
			      a->nr_conditions, a->nr_conditions == 1 ? "" : "s", nr_on,
			      nr_on == 1 ? "s" : "");
	else
		rs_put(c, line.y, line.x, line.width, RS_STYLE_DIM,
		       "no conditions are judged (a daemon with --when does)");
}

static void fired_draw_row(const struct fired *s, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct rs_wire_alarm *a = fired_at(s, at);
	enum rs_style_id style_id = at == s->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	int condition = line.width >= FIRED_CONDITION_FROM ? FIRED_CONDITION : 0,
	    x = line.x + FIRED_TIME + FIRED_HELD + 2;
	struct rs_buf text = RS_BUF_INIT;
	char held[RS_SCREEN_TEXT];

	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_app_moment(s->screen.app, a->to_ns, &text);
	rs_put_right(c, line.y, line.x, FIRED_TIME, style_id, text.data);
	rs_put_right(c, line.y, line.x + FIRED_TIME, FIRED_HELD, style_id,
		     rs_screen_duration(a->to_ns - a->from_ns, held));
	if (condition)
		rs_put_cut(c, line.y, x, condition, style_id, a->name ? a->name : a->when);
	x += condition + (condition > 0);
	rs_buf_clear(&text);
	rs_buf_printf(&text, "%s%s%s", a->name && !condition ? a->name : "",
		      a->name && !condition ? ": " : "", a->sentence);
	rs_put_cut(c, line.y, x, line.x + line.width - x, style_id, text.data);
	rs_buf_done(&text);
}

/* Its condition, and what Enter opens. */
static void fired_draw_selected(const struct fired *s, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_wire_alarm *a = fired_at(s, s->list.at);
	struct rs_shown_time time;

	if (!a)
		return;
	rs_put_cut(c, area.y, area.x, area.width, RS_STYLE_TEXT, a->when);
	if (fired_time(s, a, &time))
		rs_put_format(c, area.y + 1, area.x, area.width, RS_STYLE_DIM, "in the window%s%s",
			      a->recording ? ", and kept as " : "", a->recording ? a->recording : "");
	else
		rs_put_format(c, area.y + 1, area.x, area.width, RS_STYLE_DIM, "%s%s",
			      a->recording ? "expired, but kept as " : "expired, and no recording was kept",
			      a->recording ? a->recording : "");
}

static void fired_draw_headings(struct rs_canvas *c, struct rs_area line)
{
	int x = line.x + FIRED_TIME + FIRED_HELD + 2;
	bool wide = line.width >= FIRED_CONDITION_FROM;

	rs_put_padded(c, line.y, line.x, line.width, RS_STYLE_HEADING, "");
	rs_put_right(c, line.y, line.x, FIRED_TIME, RS_STYLE_HEADING, "FIRED");
	rs_put_right(c, line.y, line.x + FIRED_TIME, FIRED_HELD, RS_STYLE_HEADING, "HELD");
	if (wide)
		rs_put(c, line.y, x, FIRED_CONDITION, RS_STYLE_HEADING, "CONDITION");
	x += wide ? FIRED_CONDITION + 1 : 0;
	rs_put(c, line.y, x, line.x + line.width - x, RS_STYLE_HEADING, "WHAT");
}

static void fired_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct fired *s = (struct fired *)screen;
	const struct rs_alarms_reply *a = rs_fired_list(screen->machine);
	int height = area.height > FIRED_TOP + FIRED_BOTTOM ? area.height - FIRED_TOP - FIRED_BOTTOM : 1;
	struct rs_area line = { area.y, area.x, 1, area.width };

	if (s->number)
		fired_follow(s);
	rs_list_fit(&s->list, a ? a->nr_alarms : 0, (size_t)height);
	fired_note_selected(s);
	rs_fired_note_seen(screen->machine);
	fired_draw_conditions(s, c, line);
	line.y++;
	fired_draw_headings(c, line);
	for (size_t at = s->list.top; at < s->list.nr && at < s->list.top + (size_t)height; at++) {
		line.y++;
		fired_draw_row(s, c, line, at);
	}
	if (a && !s->list.nr)
		rs_put(c, line.y + 1, line.x, line.width, RS_STYLE_GOOD, "none has fired");
	fired_draw_selected(s, c, (struct rs_area){ area.y + area.height - FIRED_BOTTOM, area.x, FIRED_BOTTOM,
						    area.width });
}

/* ---- keys ---- */

enum { FIRED_OPEN = 1 };

const struct rs_key rs_fired_keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, FIRED_OPEN, "Open",
	  "the overview of the time in which it fired; where that has expired, its recording",
	  RS_KEY_SELECTION },
	{ .help = NULL },
};

static bool fired_get_selection(struct rs_screen *screen, struct rs_screen_selection *out)
{
	const struct fired *s = (const struct fired *)screen;
	const struct rs_wire_alarm *a = fired_at(s, s->list.at);
	struct rs_shown_time time;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (!a || !fired_time(s, a, &time))
		return false;
	out->from_ns = time.from_ns;
	out->to_ns = time.to_ns;
	return true;
}

static void fired_open(struct fired *s)
{
	const struct rs_wire_alarm *a = fired_at(s, s->list.at);
	struct rs_app *app = s->screen.app;
	struct rs_shown_time time;

	if (a && fired_time(s, a, &time)) {
		rs_app_open_row(app, rs_screen_row("overview"), NULL);
		rs_app_show_time(app, &time);
	} else if (a && a->recording) {
		rs_app_open_file(app, a->recording);
	} else if (a) {
		rs_app_say(app, RS_STYLE_WARN, "its time has expired, and no recording of it was kept");
	}
}

static bool fired_act(struct rs_screen *screen, int action, const struct rs_key_event *key)
{
	if (action == FIRED_OPEN)
		fired_open((struct fired *)screen);
	return true;
}

static bool fired_can(const struct rs_screen *screen, int action)
{
	return ((const struct fired *)screen)->list.nr > 0;
}

static bool fired_key(struct rs_screen *screen, const struct rs_key_event *event)
{
	struct fired *s = (struct fired *)screen;
	bool is_mouse = event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE;
	size_t at = s->list.top + (size_t)(event->y - FIRED_TOP);

	if (!is_mouse && !rs_list_key(&s->list, rs_list_arrow(event->key)))
		return false;
	if (is_mouse && event->y >= FIRED_TOP && at < s->list.nr)
		rs_list_to(&s->list, at);
	fired_note_selected(s);
	if (event->key == RS_KEY_MOUSE_DOUBLE)
		fired_open(s);
	rs_app_redraw(screen->app);
	return true;
}

static struct rs_screen *fired_reopen(struct rs_screen *screen)
{
	return rs_fired_screen_open(screen->app, NULL);
}

static const struct rs_screen_ops fired_ops = {
	.name = "fired",
	.keys = rs_fired_keys,
	.ask = fired_ask,
	.draw = fired_draw,
	.act = fired_act,
	.can = fired_can,
	.key = fired_key,
	.selection = fired_get_selection,
	.reopen = fired_reopen,
	.help_text = "Which conditions of the daemon fired since it began, the newest first, at most the "
		     "last 256: see --when of ringside-daemon(1). Of an earlier daemon \"ringside "
		     "incidents\" lists the recordings that were kept.\n"
		     "FIRED is the end of the interval in which it fired, HELD how long it had held then.\n"
		     "Enter shows that time on all screens, at most the last minute of it; l is live again. "
		     "t opens the timeline there, where each firing is a ! on the axis.\n"
		     "Where the window has passed that time, Enter opens the recording that was kept, in "
		     "screens of its own; q there comes back.\n"
		     "The header counts those that you have not seen here.\n",
};

struct rs_screen *rs_fired_screen_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct fired *s = rs_screen_new(app, &fired_ops, sizeof *s);

	return s ? &s->screen : NULL;
}
