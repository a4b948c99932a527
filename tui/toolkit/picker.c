// SPDX-License-Identifier: GPL-2.0-or-later
/* picker.c - lists all views with their help, and the screens that do not belong to one view */
#include <stdio.h>
#include <stdlib.h>

#include "tui/toolkit/app.h"
#include "tui/toolkit/menu.h"

static size_t nr_screens(void)
{
	size_t nr = 0;

	while (rs_screens[nr].name)
		nr++;
	return nr;
}

static struct rs_menu_line screen_line(size_t at)
{
	struct rs_menu_line l = { .help = rs_screens[at].help, .id = at };

	snprintf(l.name, sizeof l.name, "%s", rs_screens[at].name);
	snprintf(l.heading, sizeof l.heading, "screen");
	return l;
}

static struct rs_menu_line view_line(const struct rs_catalogue_view *v, size_t id)
{
	static const char *const kinds[] = {
		[RS_VIEW_TABLE] = "table", [RS_VIEW_STREAM] = "log", [RS_VIEW_HIST] = "histogram",
	};
	struct rs_menu_line l = { .help = v->why_off ? v->why_off : v->view.summary, .dim = v->why_off, .id = id };

	snprintf(l.name, sizeof l.name, "%s", v->view.name);
	snprintf(l.heading, sizeof l.heading, "%s", kinds[v->view.kind]);
	return l;
}

static void picker_on_selected(void *arg, size_t id)
{
	struct rs_app *app = arg;
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	size_t screens = nr_screens();

	if (id < screens)
		rs_app_open_row(app, &rs_screens[id], NULL);
	else if (id - screens < c->nr_views)
		rs_app_push(app, rs_table_new(app, &c->views[id - screens], NULL, NULL));
}

struct rs_screen *rs_picker_new(struct rs_app *app)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	struct rs_menu menu = { .title = "views", .name = "views", .selected = picker_on_selected,
				.arg = app };
	size_t screens = nr_screens();
	struct rs_menu_line *lines = calloc(screens + c->nr_views + 1, sizeof *lines);
	struct rs_screen *s;

	if (!lines)
		return NULL;
	for (size_t i = 0; i < screens; i++)
		lines[i] = screen_line(i);
	for (size_t i = 0; i < c->nr_views; i++)
		lines[screens + i] = view_line(&c->views[i], screens + i);
	s = rs_menu_new(app, &menu, lines, screens + c->nr_views);
	free(lines);
	return s;
}
