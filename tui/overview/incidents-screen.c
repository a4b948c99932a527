// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * incidents-screen.c - findings over time, the newest first: when each began, how often it came, how
 * slow it was
 *
 * Live the list is asked for again and again, and stays where it is while new ones come: the selected
 * one keeps its line. Of a file or a time range it is asked for once, for the engine reads all of it
 * for that.
 */
#include <stdlib.h>

#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/app/question.h"
#include "tui/overview/incident-rows.h"
#include "tui/toolkit/list.h"

#define INCIDENTS_TOP 2           /* lines above the list */
#define INCIDENTS_BEGAN 18        /* columns */
#define INCIDENTS_LASTED 9
#define INCIDENTS_OFTEN 34
#define INCIDENTS_OFTEN_FROM 110  /* columns of a screen with room for how often */

struct incidents {
	struct rs_screen screen;   /* first */
	struct rs_question question;
	struct rs_list list;
	uint64_t number;           /* of the selected one; 0: none yet */
	struct rs_shown_time of;   /* the time that was asked about */
	unsigned int filter_changes; /* of the app's filter, at that time */
	bool asked, is_filtered;
};

static const struct rs_incidents_reply *incidents_reply(const struct incidents *s)
{
	return s->question.answer;
}

/* The newest is the first. */
static const struct rs_wire_incident *incidents_at(const struct incidents *s, size_t at)
{
	const struct rs_incidents_reply *a = incidents_reply(s);

	return a && at < a->nr_incidents ? &a->incidents[a->nr_incidents - 1 - at] : NULL;
}

static void incidents_note_selected(struct incidents *s)
{
	const struct rs_wire_incident *i = incidents_at(s, s->list.at);

	s->number = i ? i->number : 0;
}

/* The selected one keeps its line on the screen. */
static void incidents_follow(struct incidents *s)
{
	const struct rs_wire_incident *i;
	size_t line = s->list.at - s->list.top, at = 0;

	while ((i = incidents_at(s, at)) && i->number != s->number)
		at++;
	if (i) {
		s->list.at = at;
		s->list.top = at > line ? at - line : 0;
	}
}

static void incidents_on_answer(void *screen, const struct rs_reply *reply)
{
	struct incidents *s = screen;

	if (rs_app_refused(s->screen.app, reply))
		return;
	if (s->number)
		incidents_follow(s);
	rs_list_fit(&s->list, incidents_reply(s)->nr_incidents, s->list.height);
	incidents_note_selected(s);
	rs_app_redraw(s->screen.app);
}

/* What was asked last, and what its answer is about, is the same. */
static bool incidents_is_asked(const struct incidents *s)
{
	const struct rs_shown_time *time = &s->screen.app->time;

	return s->asked && s->filter_changes == s->screen.app->filter.changes && time->now == s->of.now &&
	       (time->now || (time->from_ns == s->of.from_ns && time->to_ns == s->of.to_ns));
}

static void incidents_ask(struct rs_screen *screen)
{
	struct incidents *s = (struct incidents *)screen;
	struct rs_app *app = screen->app;

	if (app->loading || (incidents_is_asked(s) && !(app->live && app->time.now)))
		return;
	s->asked = true;
	s->of = app->time;
	s->filter_changes = app->filter.changes;
	s->is_filtered = rs_incident_rows_ask(app, &s->question);
}

static const struct rs_view *incidents_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	*given = NULL;
	return rs_filter_view(RS_FILTER_FINDINGS);
}

/* ---- drawing ---- */

static void incidents_draw_judged(const struct incidents *s, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_incidents_reply *a = incidents_reply(s);
	struct rs_buf text = RS_BUF_INIT;

	if (!a || !a->from_ns.known || !a->to_ns.known) {
		rs_put(c, line.y, line.x, line.width, RS_STYLE_DIM,
		       s->screen.app->loading ? "the file is being read ..." :
		       s->question.asked      ? "each second is being judged ..." :
						"no time was judged yet");
		return;
	}
	rs_buf_printf(&text, "%zu of the time from ", a->nr_incidents);
	rs_app_moment(s->screen.app, a->from_ns.u, &text);
	rs_buf_puts(&text, " to ");
	rs_app_moment(s->screen.app, a->to_ns.u, &text);
	rs_put(c, line.y, line.x, line.width, RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

/* The sentence, or in little room its brief form. */
static const char *incidents_sentence(const struct rs_wire_finding *f, int width, bool ascii)
{
	return f->brief && *f->brief && rs_put_text_columns(f->text, ascii) > width ? f->brief : f->text;
}

static void incidents_draw_row(const struct incidents *s, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct rs_wire_incident *i = incidents_at(s, at);
	enum rs_style_id style_id = at == s->list.at ? RS_STYLE_SELECTED :
				    i->is_open	     ? RS_STYLE_BOLD :
						       RS_STYLE_TEXT;
	int often = line.width >= INCIDENTS_OFTEN_FROM ? INCIDENTS_OFTEN : 0,
	    x = line.x + INCIDENTS_BEGAN + INCIDENTS_LASTED + 2;
	struct rs_buf began = RS_BUF_INIT;
	char length[RS_SCREEN_TEXT];

	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_app_moment(s->screen.app, i->begin_ns, &began);
	rs_put_right(c, line.y, line.x, INCIDENTS_BEGAN, style_id, began.data);
	rs_put_right(c, line.y, line.x + INCIDENTS_BEGAN, INCIDENTS_LASTED, style_id,
		     rs_screen_duration(i->end_ns - i->begin_ns, length));
	if (often)
		rs_put_cut(c, line.y, x, often, style_id, i->often ? i->often : "");
	x += often + (often > 0);
	rs_put_cut(c, line.y, x, line.x + line.width - x, style_id,
		   incidents_sentence(i->finding, line.x + line.width - x, rs_canvas_ascii(c)));
	rs_buf_done(&began);
}

static void incidents_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct incidents *s = (struct incidents *)screen;
	int height = area.height > INCIDENTS_TOP ? area.height - INCIDENTS_TOP : 1;
	struct rs_area line = { area.y, area.x, 1, area.width };

	rs_list_fit(&s->list, s->list.nr, (size_t)height);
	incidents_draw_judged(s, c, line);
	line.y++;
	rs_put_padded(c, line.y, line.x, line.width, RS_STYLE_HEADING, "");
	rs_put_right(c, line.y, line.x, INCIDENTS_BEGAN, RS_STYLE_HEADING, "BEGAN");
	rs_put_right(c, line.y, line.x + INCIDENTS_BEGAN, INCIDENTS_LASTED, RS_STYLE_HEADING, "LASTED");
	rs_put(c, line.y, line.x + INCIDENTS_BEGAN + INCIDENTS_LASTED + 2, INCIDENTS_OFTEN + 8,
	       RS_STYLE_HEADING,
	       area.width >= INCIDENTS_OFTEN_FROM ? "HOW OFTEN                          WHAT" : "WHAT");
	for (size_t at = s->list.top; at < s->list.nr && at < s->list.top + (size_t)height; at++) {
		line.y++;
		incidents_draw_row(s, c, line, at);
	}
	if (incidents_reply(s) && !s->list.nr)
		rs_put(c, line.y + 1, line.x, line.width, RS_STYLE_GOOD,
		       s->is_filtered ? "the filter leaves none" : "no rule applied in any of its seconds");
}

/* ---- keys ---- */

enum { INCIDENTS_OPEN = 1 };

const struct rs_key rs_incidents_keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, INCIDENTS_OPEN, "Open",
	  "where the time of its slowest wait went, and what to try", RS_KEY_SELECTION },
	{ .help = NULL },
};

static bool incidents_get_selection(struct rs_screen *screen, struct rs_screen_selection *out)
{
	const struct incidents *s = (const struct incidents *)screen;

	return rs_incident_rows_select(incidents_at(s, s->list.at), out);
}

static struct rs_screen *incidents_open_detail(struct rs_screen *screen)
{
	const struct incidents *s = (const struct incidents *)screen;

	return rs_incident_rows_open(screen->app, incidents_at(s, s->list.at));
}

static void incidents_open(struct incidents *s)
{
	const struct rs_wire_incident *i = incidents_at(s, s->list.at);

	if (i)
		rs_app_push(s->screen.app, rs_incident_rows_open(s->screen.app, i));
}

static bool incidents_act(struct rs_screen *screen, int action, const struct rs_key_event *key)
{
	if (action == INCIDENTS_OPEN)
		incidents_open((struct incidents *)screen);
	return true;
}

static bool incidents_can(const struct rs_screen *screen, int action)
{
	return ((const struct incidents *)screen)->list.nr > 0;
}

static bool incidents_key(struct rs_screen *screen, const struct rs_key_event *event)
{
	struct incidents *s = (struct incidents *)screen;
	bool is_mouse = event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE;
	size_t at = s->list.top + (size_t)(event->y - INCIDENTS_TOP);

	if (!is_mouse && !rs_list_key(&s->list, rs_list_arrow(event->key)))
		return false;
	if (is_mouse && event->y >= INCIDENTS_TOP && at < s->list.nr)
		rs_list_to(&s->list, at);
	incidents_note_selected(s);
	if (event->key == RS_KEY_MOUSE_DOUBLE)
		incidents_open(s);
	rs_app_redraw(screen->app);
	return true;
}

static struct rs_screen *incidents_reopen(struct rs_screen *screen)
{
	return rs_incidents_screen_open(screen->app, NULL);
}

static void incidents_free(struct rs_screen *screen)
{
	rs_question_done(&((struct incidents *)screen)->question);
	free(screen);
}

static const struct rs_screen_ops incidents_ops = {
	.name = "incidents",
	.keys = rs_incidents_keys,
	.ask = incidents_ask,
	.draw = incidents_draw,
	.act = incidents_act,
	.can = incidents_can,
	.key = incidents_key,
	.selection = incidents_get_selection,
	.detail = incidents_open_detail,
	.filtered = incidents_filtered,
	.reopen = incidents_reopen,
	.free = incidents_free,
	.help_text = "Each finding that the time has, the newest first: those of a rule about one victim are "
		     "one, as long as it comes again within a minute. Bold ones go on.\n"
		     "BEGAN is when its first wait began, LASTED the time up to the end of its last one.\n"
		     "HOW OFTEN counts the waits of its kind that took at least half as long as the "
		     "slowest, with their period if they are regular: \"4 times 300ms, every 5.00s\". It "
		     "is empty where that is not known, or where events were lost meanwhile.\n"
		     "Live each second is judged as it passes, of a file each second of it.\n"
		     "A filter of comm or pid leaves those whose victim or culprit it names.\n",
};

struct rs_screen *rs_incidents_screen_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct incidents *s = rs_screen_new(app, &incidents_ops, sizeof *s);

	if (!s)
		return NULL;
	s->question = (struct rs_question){ .machine = s->screen.machine, .answered = incidents_on_answer,
					    .of = s };
	return &s->screen;
}
