// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overview.c - the first screen: widgets, each with its own request, in one column or two
 *
 * Views declare their panels themselves; no widget knows an analysis.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tui/overview/overview.h"

/* ---- asking ---- */

static void overview_ask(struct rs_screen *s)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		if (!o->places[i].widget->asked)
			o->places[i].widget->ops->ask(o->places[i].widget);
}

/* ---- the selection ---- */

/* The selection follows its row, and stays inside the list. */
static void overview_restore_selection(struct rs_overview *o)
{
	struct rs_place *p;
	struct rs_widget *widget;

	if (!o->selected) {
		o->at = 0;
		o->row = 0;
		o->identity = 0;
	}
	p = &o->places[o->at];
	widget = p->widget;
	for (unsigned int i = 0; !p->area.height && i < o->nr; i++) {
		o->at = (o->at + 1) % o->nr;
		o->row = 0;
		o->identity = 0;
		p = &o->places[o->at];
		widget = p->widget;
	}
	for (size_t row = 0; widget->ops->identity && o->identity && row < (size_t)p->area.height; row++)
		if (widget->ops->identity(widget, row) == o->identity)
			o->row = row;
	if (o->row >= (size_t)p->area.height)
		o->row = p->area.height ? (size_t)p->area.height - 1 : 0;
	o->identity = widget->ops->identity ? widget->ops->identity(widget, o->row) : 0;
}

static void select_row(struct rs_overview *o, unsigned int at, size_t row)
{
	struct rs_widget *widget = o->places[at].widget;

	o->selected = true;
	o->at = at;
	o->row = row;
	o->identity = widget->ops->identity ? widget->ops->identity(widget, row) : 0;
	rs_app_redraw(o->screen.app);
}

static void next_widget(struct rs_overview *o, int by, bool last_row)
{
	unsigned int at = o->at;

	for (unsigned int i = 0; i < o->nr; i++) {
		at = (at + o->nr + (unsigned int)by) % o->nr;
		if (o->places[at].area.height) {
			select_row(o, at, last_row ? (size_t)o->places[at].area.height - 1 : 0);
			return;
		}
	}
}

static void overview_move_selection(struct rs_overview *o, int by)
{
	long row = (long)o->row + by;

	if (row < 0 || row >= o->places[o->at].area.height)
		next_widget(o, by, by < 0);
	else
		select_row(o, o->at, (size_t)row);
}

/* ---- drawing ---- */

/* Draws "12 more" and an arrow at the end of the title line, if rows are hidden. Returns its width. */
static int draw_more(const struct rs_place *p, struct rs_canvas *c, struct rs_area line)
{
	struct rs_widget *widget = p->widget;
	uint64_t nr = widget->ops->nr_all ? widget->ops->nr_all(widget) : widget->ops->nr_rows(widget);
	char text[40];
	int width;

	if (nr <= (uint64_t)p->area.height)
		return 0;
	width = snprintf(text, sizeof text, " %llu more ", (unsigned long long)(nr - (uint64_t)p->area.height)) + 1;
	if (width * 2 > line.width)
		return 0;
	rs_put(c, line.y, line.x + line.width - width, width, RS_STYLE_KEY, text);
	rs_put_glyph(c, line.y, line.x + line.width - 1, RS_STYLE_KEY, RS_GLYPH_DOWN);
	return width;
}

/* "Verdict: web" for widgets of every machine. A panel belongs to the machine that the header names. */
static void overview_put_title(const struct rs_widget *widget, char *title, size_t size)
{
	const char *name = widget->ops->has_data ? NULL : widget->machine->name;

	snprintf(title, size, "%s%s%s", widget->title, name ? ": " : "", name ? name : "");
}

/* Draws the time range of the answer before that, if title and headings leave room. Returns its width. */
static int draw_range(const struct rs_place *p, const char *title, struct rs_canvas *c, struct rs_area line)
{
	struct rs_widget *widget = p->widget;
	struct rs_buf range = RS_BUF_INIT;
	int width, used = rs_put_text_columns(title, true), headings = widget->ops->headings_width ? widget->ops->headings_width(widget, c) : 0;

	rs_app_time_put_range(widget->app, widget->from_ns, widget->to_ns, &range);
	width = range.len ? rs_put_text_columns(range.data, true) + 2 : 0;
	if (width && width + (headings > used ? headings : used) <= line.width)
		rs_put_format(c, line.y, line.x + line.width - width, width, RS_STYLE_DIM, " %s ",
			      range.data);
	else
		width = 0;
	rs_buf_done(&range);
	return width;
}

static void overview_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_overview *o = (struct rs_overview *)s;
	bool any = false;

	rs_overview_arrange(o, area);
	overview_restore_selection(o);
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_place *p = &o->places[i];
		struct rs_area line = { p->area.y - 1, p->area.x, 1, p->area.width };
		char title[80];

		if (!p->area.height)
			continue;
		any = true;
		overview_put_title(p->widget, title, sizeof title);
		line.width -= draw_more(p, c, line);
		line.width -= draw_range(p, title, c, line);
		if (p->widget->ops->aside)
			p->widget->ops->aside(p->widget, c, line, rs_put_text_columns(title, true) + 2);
		rs_put(c, line.y, line.x, line.width, RS_STYLE_TITLE, title);
		p->widget->ops->draw(p->widget, c, p->area, i == o->at ? (long)o->row : -1);
	}
	if (!any)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_DIM, "waiting for the first numbers");
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, NEXT, BACK };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, OPEN, "Open", "all about the selected row; of a sentence: what shows why, the cause first" },
	{ { RS_KEY_DOWN, 'j', RS_KEY_WHEEL_DOWN }, DOWN, NULL, "the next row" },
	{ { RS_KEY_UP, 'k', RS_KEY_WHEEL_UP }, UP, NULL, "the row before" },
	{ { RS_KEY_TAB, '\t' }, NEXT, "Next", "the next block" },
	{ { RS_KEY_BACK_TAB }, BACK, NULL, "the block before" },
	{ .help = NULL },
};

static void overview_open_row(struct rs_overview *o)
{
	struct rs_widget *widget = o->places[o->at].widget;
	struct rs_screen_selection selection;

	if (!o->places[o->at].area.height)
		return;
	rs_machine_set_use(o->screen.app, widget->machine); /* screens that open from it belong to the same machine */
	if (widget->ops->open)
		rs_app_push(o->screen.app, widget->ops->open(widget, o->row));
	else if (widget->ops->selection && widget->ops->selection(widget, o->row, &selection))
		rs_app_push(o->screen.app, rs_details_new(o->screen.app, &selection));
	rs_machine_set_use(o->screen.app, rs_app_top(o->screen.app)->machine);
}

static bool overview_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_overview *o = (struct rs_overview *)s;

	(void)key;
	if (action == OPEN)
		overview_open_row(o);
	else if (action == UP || action == DOWN)
		overview_move_selection(o, action == UP ? -1 : 1);
	else
		next_widget(o, action == NEXT ? 1 : -1, false);
	return true;
}

static bool overview_handle_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct rs_overview *o = (struct rs_overview *)s;

	if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	for (unsigned int i = 0; i < o->nr; i++) {
		const struct rs_area *area = &o->places[i].area;
		int y = key->y + o->screen.app->area.y - area->y;

		if (y >= 0 && y < area->height && key->x >= area->x && key->x < area->x + area->width)
			select_row(o, i, (size_t)y);
	}
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		overview_open_row(o);
	return true;
}

static bool overview_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_overview *o = (struct rs_overview *)s;
	struct rs_widget *widget = o->places[o->at].widget;

	return o->places[o->at].area.height && widget->ops->selection && widget->ops->selection(widget, o->row, out);
}

/* Explains columns and letters of the visible widgets, in their order. */
static void overview_put_help(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		if (o->places[i].widget->ops->help)
			o->places[i].widget->ops->help(o->places[i].widget, out);
}

static void overview_free_widget(struct rs_widget *widget)
{
	free(widget);
}

static void drop_widget(struct rs_widget *widget)
{
	rs_client_forget(widget->machine->client, widget);
	(widget->ops->free ? widget->ops->free : overview_free_widget)(widget);
}

static void free_overview(struct rs_screen *s)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		drop_widget(o->places[i].widget);
	free(o);
}

static struct rs_screen *overview_reopen(struct rs_screen *s)
{
	return rs_overview_new(s->app, NULL);
}

static const struct rs_screen_ops ops = {
	.name = "overview", .keys = keys, .ask = overview_ask, .draw = overview_draw, .act = overview_run_action, .key = overview_handle_key, .selection = overview_get_selection,
	.help = overview_put_help, .reopen = overview_reopen, .free = free_overview,
};

/* Takes ownership of the widget; frees it if there are too many. */
static void overview_add(struct rs_overview *o, struct rs_widget *widget)
{
	unsigned int at = o->nr;

	if (!widget)
		return;
	if (o->nr == RS_MAX_WIDGETS) {
		drop_widget(widget);
		return;
	}
	while (at && (o->places[at - 1].widget->left < widget->left ||
		      (o->places[at - 1].widget->left == widget->left && o->places[at - 1].widget->place > widget->place))) {
		o->places[at] = o->places[at - 1];
		at--;
	}
	o->places[at] = (struct rs_place){ .widget = widget };
	o->nr++;
}

/* Returns the n-th machine, counted from the current one. */
static struct rs_tui_machine *machine_from(const struct rs_app *app, unsigned int n)
{
	return &app->machines[((size_t)(app->machine - app->machines) + n) % app->nr_machines];
}

/* Verdict and in-flight operations are shown for every machine; CPUs, disks and processes only for the current one. */
static void add_judging(struct rs_overview *o, struct rs_tui_machine *machine)
{
	overview_add(o, rs_widget_findings_new(machine));
	overview_add(o, rs_widget_in_flight_new(machine));
	overview_add(o, rs_widget_slowest_new(machine));
}

struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_screen_selection *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	struct rs_overview *o = rs_screen_new(app, &ops, sizeof *o);

	if (!o)
		return NULL;
	for (unsigned int i = 0; i < app->nr_machines; i++)
		add_judging(o, machine_from(app, i));
	for (size_t i = 0; i < c->nr_views; i++)
		if (c->views[i].view.panel && !c->views[i].why_off)
			overview_add(o, rs_widget_panel_new(app->machine, &c->views[i]));
	if (app->live)
		overview_add(o, rs_widget_rates_new(app->machine));
	if (o->nr)
		return &o->screen;
	free(o);
	return NULL;
}
