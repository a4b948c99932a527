// SPDX-License-Identifier: GPL-2.0-or-later
/* save-ranges.c - which time is saved: what is selected, seen, pinned, or all, and about how much that is */
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "tui/app/menu.h"

#define SAVE_RANGES_AROUND 8 /* a wait with an eighth of its length before and after: what led to it */

struct save_range {
	struct save_ranges *of;
	const char *name;
	struct rs_asked_time time;
	size_t at;                 /* its line */
	char help[RS_SCREEN_TEXT];
};

struct save_ranges {
	struct rs_app *app;
	struct rs_screen *menu;
	struct save_range list[4];
	size_t nr;
};

static void save_ranges_add(struct save_ranges *r, const char *name, uint64_t from_ns, uint64_t to_ns)
{
	struct save_range *range = &r->list[r->nr];
	struct rs_buf from = RS_BUF_INIT;

	for (size_t i = 0; i < r->nr; i++)
		if (from_ns == r->list[i].time.from_ns.u && to_ns == r->list[i].time.to_ns.u)
			return;
	*range = (struct save_range){ .of = r, .name = name, .at = r->nr++,
				      .time = { rs_u(from_ns), rs_u(to_ns) } };
	rs_app_moment(r->app, from_ns, &from);
	snprintf(range->help, sizeof range->help, "from %s", from.data ? from.data : "");
	rs_buf_done(&from);
}

static void save_ranges_add_selected(struct save_ranges *r)
{
	struct rs_screen *top = rs_app_top(r->app);
	struct rs_screen_selection of = { .to_ns = 0 };
	uint64_t around_ns;

	if (!top || !top->ops->selection || !top->ops->selection(top, &of) || of.to_ns <= of.from_ns)
		return;
	around_ns = of.is_wait ? (of.to_ns - of.from_ns) / SAVE_RANGES_AROUND : 0;
	save_ranges_add(r, of.is_wait ? "this wait" : "what is seen",
			of.from_ns > around_ns ? of.from_ns - around_ns : 0, of.to_ns + around_ns);
}

/* What is selected comes first: Enter saves it. */
static void save_ranges_find(struct save_ranges *r)
{
	const struct rs_app *app = r->app;

	save_ranges_add_selected(r);
	if (!app->time.now)
		save_ranges_add(r, "the time shown", app->time.from_ns, app->time.to_ns);
	else if (app->live && app->shown_to_ns > app->shown_from_ns)
		save_ranges_add(r, "the last interval", app->shown_from_ns, app->shown_to_ns);
	if (app->pin.known)
		save_ranges_add(r, "what is pinned", app->pin.from_ns, app->pin.to_ns);
	r->list[r->nr] = (struct save_range){ .of = r, .name = "all", .at = r->nr };
	r->nr++;
}

static void got_size(void *arg, const struct rs_reply *reply)
{
	const struct rs_size_reply *size = reply->message;
	struct save_range *range = arg;
	struct rs_menu_line *line = rs_menu_line(range->of->menu, range->at);
	char text[RS_UNIT_TEXT + 1];

	if (!size) /* an engine that cannot tell */
		return;
	text[rs_units_put_bytes(text, size->bytes)] = '\0';
	snprintf(line->count, sizeof line->count, "~%.14s", text);
	rs_app_redraw(range->of->app);
}

static void save_ranges_ask(void *arg)
{
	struct save_ranges *r = arg;

	for (struct save_range *range = r->list; range < r->list + r->nr; range++)
		rs_client_ask(r->app->machine->client, "size", &(struct rs_size_request){ range->time },
			      got_size, range);
}

static void save_ranges_free(void *arg)
{
	struct save_ranges *r = arg;

	for (size_t i = 0; i < r->nr; i++)
		rs_machine_set_forget(r->app, &r->list[i]);
	free(r);
}

static void save_ranges_on_range(void *arg, size_t id)
{
	const struct save_ranges *r = arg;

	rs_save_dialog_begin(r->app, &r->list[id].time, r->list[id].name);
}

static uint64_t save_ranges_length_ns(const struct save_range *range)
{
	uint64_t from_ns = range->time.from_ns.u, to_ns = range->time.to_ns.u;

	if (!range->time.to_ns.known)
		rs_app_time_bounds(range->of->app, &(struct rs_shown_time){ .now = true }, &from_ns, &to_ns);
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void save_ranges_show(struct save_ranges *r)
{
	static const struct rs_menu menu = {
		.title = "save", .name = "save-range", .selected = save_ranges_on_range,
		.ask = save_ranges_ask, .free = save_ranges_free,
		.details = "About how large a trace.dat of it is; other formats differ.\n",
	};
	struct rs_menu of = menu;
	struct rs_menu_line lines[sizeof r->list / sizeof *r->list];
	char length[RS_SCREEN_TEXT];

	of.arg = r;
	for (size_t i = 0; i < r->nr; i++) {
		uint64_t length_ns = save_ranges_length_ns(&r->list[i]);

		lines[i] = (struct rs_menu_line){ .help = r->list[i].help, .id = i };
		snprintf(lines[i].name, sizeof lines[i].name, "%s", r->list[i].name);
		snprintf(lines[i].heading, sizeof lines[i].heading, "%.30s",
			 rs_screen_duration(length_ns, length));
	}
	r->menu = rs_menu_new(r->app, &of, lines, r->nr);
	if (r->menu)
		rs_app_push(r->app, r->menu);
	else
		save_ranges_free(r);
}

void rs_save_ranges_begin(struct rs_app *app)
{
	struct save_ranges *r = calloc(1, sizeof *r);

	if (!r)
		return;
	r->app = app;
	save_ranges_find(r);
	if (r->nr > 1) {
		save_ranges_show(r);
		return;
	}
	rs_save_dialog_begin(app, &r->list[0].time, r->list[0].name);
	free(r);
}
