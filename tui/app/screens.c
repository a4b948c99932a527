// SPDX-License-Identifier: GPL-2.0-or-later
/* screens.c - the kinds of screens; the picker, which lists them, and all views with their help */
#include "tui/app/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "tui/app/menu.h"

const struct rs_screen_row rs_screens[] = {
	{ "overview", 'o', NULL, "the overview: what goes on, and what is stuck", true, rs_overview_new },
	{ "timeline", 't', "Timeline", "timeline of the selected process, else of CPUs, disks and threads",
	  false, rs_timeline_open },
	{ "histogram", 'h', "Histogram", "latency distribution of the selected column", false,
	  rs_latency_histogram_open },
	{ "why", 'W', "Why",
	  "where the time of the selected wait went, as a tree; of a process, its slowest call or wait",
	  false, rs_why_open_selection },
	{ "antagonists", 'A', NULL, "what took the CPU, the disk, locks from the selected process", false,
	  rs_why_table_open_antagonists },
	{ "heat", 'H', NULL, "the same over time: a heat map", false, rs_heat_map_open },
	{ "flame", 'f', "Flame",
	  "flame graph of the selected process, CPU or time: which code ran, and what it waited for", false,
	  rs_flame_open },
	{ .name = NULL },
};

const struct rs_screen_row *rs_screen_row(const char *name)
{
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

void *rs_screen_new(struct rs_app *app, const struct rs_screen_ops *ops, size_t bytes)
{
	struct rs_screen *s = calloc(1, bytes);

	if (s)
		*s = (struct rs_screen){ .ops = ops, .app = app, .machine = app->machine };
	else
		rs_app_say(app, RS_STYLE_BAD, "out of memory");
	return s;
}

const char *rs_screen_duration(uint64_t ns, char *text)
{
	text[rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1)] = '\0';
	return text;
}

const char *rs_screen_grouped(uint64_t v, char *text)
{
	text[rs_units_put_grouped(text, v)] = '\0';
	return text;
}

/* ---- the picker ---- */

size_t rs_screens_nr(void)
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
	struct rs_menu_line l = { .help = v->why_off ? v->why_off : v->view.summary, .dim = v->why_off,
				  .id = id };

	snprintf(l.name, sizeof l.name, "%s", v->view.name);
	snprintf(l.heading, sizeof l.heading, "%s", kinds[v->view.kind]);
	return l;
}

static void picker_on_selected(void *arg, size_t id)
{
	struct rs_app *app = arg;
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	size_t screens = rs_screens_nr();

	if (id < screens)
		rs_app_open_row(app, &rs_screens[id], NULL);
	else if (id - screens < c->nr_views)
		rs_app_push(app, rs_table_new(app, &c->views[id - screens], NULL, NULL));
}

struct rs_screen *rs_screens_pick(struct rs_app *app)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	struct rs_menu menu = { .title = "views", .name = "views", .selected = picker_on_selected,
				.arg = app };
	size_t screens = rs_screens_nr();
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
