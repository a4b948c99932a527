// SPDX-License-Identifier: GPL-2.0-or-later
/* picker - the list of screens, and of views by the question that they answer, with what is in each now */
#include <stdio.h>
#include <stdlib.h>

#include "tui/app/app.h"
#include "tui/app/picker.h"
#include "tui/app/question.h"

#define PICKER_AT_ONCE 4 /* questions: the screen that is opened next does not wait behind all of them */

struct picker;

struct picker_view {
	struct picker *of;
	const struct rs_catalogue_view *view;
	struct rs_question question;
	size_t line;             /* of the menu */
};

struct picker {
	struct rs_app *app;
	struct rs_screen *menu;
	struct rs_tui_machine *machine;
	size_t nr, next;         /* views; the one that is asked next */
	uint64_t interval;       /* that was counted last */
	bool counted;
	struct picker_view views[];
};

/* ---- how much is in each ---- */

/*
 * Not counted: what costs an analysis of its own, or as much as the trace itself; streams of a file, which is
 * read again for them.
 */
static bool picker_is_counted(const struct picker *p, const struct rs_catalogue_view *v)
{
	return !v->why_off && !v->on_demand && !v->view.by_name &&
	       (v->view.kind != RS_VIEW_STREAM || p->app->live);
}

static void picker_on_answer(void *of, const struct rs_reply *reply);

/* A time range would be read again for each view: then nothing is counted. */
static void picker_ask_on(struct picker *p)
{
	unsigned int nr_asked = 0;

	for (size_t i = 0; i < p->nr; i++)
		nr_asked += p->views[i].question.asked;
	while (p->next < p->nr && nr_asked < PICKER_AT_ONCE && p->app->time.now) {
		struct picker_view *v = &p->views[p->next++];

		if (!picker_is_counted(p, v->view))
			continue;
		rs_question_ask(&v->question, "rows",
				&(struct rs_rows_request){ .view = v->view->view.name, .limit = 1 });
		nr_asked += v->question.asked;
	}
}

/* Rows of a table; of a live stream the events that came, of which it keeps the last. */
static void picker_on_answer(void *of, const struct rs_reply *reply)
{
	struct picker_view *v = of;
	const struct rs_rows_reply *rows = reply->message;
	struct rs_menu_line *l = rs_menu_line(v->of->menu, v->line);

	if (rows && (v->view->view.kind == RS_VIEW_STREAM || rows->nr_of.known)) {
		uint64_t nr = v->view->view.kind == RS_VIEW_STREAM ? rows->interval : rows->nr_of.u;
		char text[RS_SCREEN_TEXT];

		snprintf(l->count, sizeof l->count, "%.15s", rs_screen_grouped(nr, text));
		l->empty = !nr;
	}
	picker_ask_on(v->of);
}

static void picker_forget_counts(struct picker *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct rs_menu_line *l = rs_menu_line(p->menu, p->views[i].line);

		snprintf(l->count, sizeof l->count, "-");
		l->empty = false;
	}
}

/* Each interval has rows of its own; of a file there is one, which grows while it is read. */
static void picker_ask(void *arg)
{
	struct picker *p = arg;
	const struct rs_state_reply *state = p->machine->state;

	if (!p->app->time.now) {
		picker_forget_counts(p);
		p->counted = false;
		return;
	}
	if (p->counted && state && state->interval == p->interval && !p->app->loading && !p->app->live)
		return;
	p->counted = true;
	p->interval = state ? state->interval : 0;
	if (p->next >= p->nr)
		p->next = 0;
	picker_ask_on(p);
}

static void picker_free(void *arg)
{
	struct picker *p = arg;

	for (size_t i = 0; i < p->nr; i++)
		rs_question_done(&p->views[i].question);
	free(p);
}

/* ---- the lines ---- */

static struct rs_menu_line picker_screen_line(size_t at)
{
	struct rs_menu_line l = { .help = rs_screens[at].help, .id = at, .group = "screens" };

	snprintf(l.name, sizeof l.name, "%s", rs_screens[at].name);
	snprintf(l.heading, sizeof l.heading, "screen");
	return l;
}

struct rs_menu_line rs_picker_view_line(const struct rs_catalogue_view *v, size_t id)
{
	static const char *const kinds[] = {
		[RS_VIEW_TABLE] = "table", [RS_VIEW_STREAM] = "log", [RS_VIEW_HIST] = "histogram",
	};
	struct rs_menu_line l = { .help = v->why_off ? v->why_off : v->view.summary, .dim = v->why_off,
				  .id = id, .group = rs_topic_row(v->view.topic)->word, .count = "-" };

	snprintf(l.name, sizeof l.name, "%s", v->view.name);
	snprintf(l.heading, sizeof l.heading, "%s", kinds[v->view.kind]);
	return l;
}

static void picker_on_selected(void *arg, size_t id)
{
	struct picker *p = arg;
	size_t screens = rs_screens_nr();

	if (id < screens)
		rs_app_open_row(p->app, &rs_screens[id], NULL);
	else if (id - screens < p->nr)
		rs_app_push(p->app, rs_table_new(p->app, p->views[id - screens].view, NULL, NULL));
}

static struct picker *picker_new(struct rs_app *app)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	struct picker *p = calloc(1, sizeof *p + c->nr_views * sizeof *p->views);

	if (!p)
		return NULL;
	*p = (struct picker){ .app = app, .machine = app->machine };
	for (unsigned int topic = 0; topic < RS_NR_TOPICS; topic++)
		for (size_t i = 0; i < c->nr_views; i++)
			if (c->views[i].view.topic == rs_topic_nth(topic)) {
				struct picker_view *v = &p->views[p->nr];

				*v = (struct picker_view){ .of = p, .view = &c->views[i],
							   .line = rs_screens_nr() + p->nr };
				v->question = (struct rs_question){ .machine = app->machine,
								    .answered = picker_on_answer, .of = v };
				p->nr++;
			}
	return p;
}

struct rs_screen *rs_picker_new(struct rs_app *app)
{
	size_t screens = rs_screens_nr();
	struct picker *p = picker_new(app);
	struct rs_menu_line *lines = p ? calloc(screens + p->nr + 1, sizeof *lines) : NULL;
	struct rs_menu menu = { .title = "views", .name = "views", .selected = picker_on_selected,
				.arg = p, .ask = picker_ask, .free = picker_free };

	for (size_t i = 0; lines && i < screens; i++)
		lines[i] = picker_screen_line(i);
	for (size_t i = 0; lines && i < p->nr; i++)
		lines[screens + i] = rs_picker_view_line(p->views[i].view, screens + i);
	if (lines)
		p->menu = rs_menu_new(app, &menu, lines, screens + p->nr);
	free(lines);
	if (p && !p->menu) {
		free(p);
		return NULL;
	}
	return p ? p->menu : NULL;
}
