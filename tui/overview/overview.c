// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overview.c - the first screen: widgets, each with its own request, in one column or two
 *
 * Views declare their panels themselves; no widget knows an analysis.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/overview/overview.h"

/* ---- asking ---- */

static void overview_ask(struct rs_screen *s)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		if (!o->places[i].widget->question.asked)
			o->places[i].widget->ops->ask(o->places[i].widget);
}

/* ---- the selection ---- */

static uint64_t identity_of(struct rs_widget *widget, size_t row)
{
	return widget->ops->identity ? widget->ops->identity(widget, row) : 0;
}

static bool is_selectable(const struct rs_overview_place *p)
{
	return p->area.height && (p->widget->ops->open || p->widget->ops->selection);
}

static size_t nr_selectable(const struct rs_overview_place *p)
{
	return p->widget->whole && p->area.height ? 1 : (size_t)p->area.height;
}

static void set_selection(struct rs_overview *o, unsigned int at, size_t row, uint64_t row_identity)
{
	o->at = at;
	o->row = row;
	o->identity = row_identity;
}

/* The selection follows its row, and stays inside the list. */
static void overview_restore_selection(struct rs_overview *o)
{
	struct rs_overview_place *p;
	size_t height;

	if (!o->selected)
		set_selection(o, 0, 0, 0);
	for (unsigned int i = 0; !is_selectable(&o->places[o->at]) && i < o->nr; i++)
		set_selection(o, (o->at + 1) % o->nr, 0, 0);
	p = &o->places[o->at];
	height = nr_selectable(p);
	for (size_t row = 0; o->identity && row < height; row++)
		if (identity_of(p->widget, row) == o->identity)
			o->row = row;
	if (o->row >= height)
		o->row = height ? height - 1 : 0;
	o->identity = identity_of(p->widget, o->row);
}

static void select_row(struct rs_overview *o, unsigned int at, size_t row)
{
	o->selected = true;
	set_selection(o, at, row, identity_of(o->places[at].widget, row));
	rs_app_redraw(o->screen.app);
}

static void next_widget(struct rs_overview *o, int by, bool last_row)
{
	unsigned int at = o->at;

	for (unsigned int i = 0; i < o->nr; i++) {
		at = (at + o->nr + (unsigned int)by) % o->nr;
		if (is_selectable(&o->places[at])) {
			select_row(o, at, last_row ? nr_selectable(&o->places[at]) - 1 : 0);
			return;
		}
	}
}

static void overview_move_selection(struct rs_overview *o, int by)
{
	long row = (long)o->row + by;

	if (row < 0 || (size_t)row >= nr_selectable(&o->places[o->at]))
		next_widget(o, by, by < 0);
	else
		select_row(o, o->at, (size_t)row);
}

/* ---- drawing ---- */

/* Draws "12 more" and an arrow at the end of the title line, if rows are hidden. Returns its width. */
static int draw_more(const struct rs_overview_place *p, struct rs_canvas *c, struct rs_area line)
{
	struct rs_widget *widget = p->widget;
	uint64_t nr = widget->ops->nr_all ? widget->ops->nr_all(widget) : widget->nr_rows;
	char text[40];
	int width;

	if (nr <= (uint64_t)p->area.height)
		return 0;
	width = snprintf(text, sizeof text, " %llu more ",
			 (unsigned long long)(nr - (uint64_t)p->area.height)) +
		1;
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
static int draw_range(const struct rs_overview_place *p, const char *title, struct rs_canvas *c,
		      struct rs_area line)
{
	struct rs_widget *widget = p->widget;
	struct rs_buf range = RS_BUF_INIT;
	int width, used = rs_put_text_columns(title, true),
		   headings = widget->ops->headings_width ? widget->ops->headings_width(widget, c) : 0;

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

static void draw_widget(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct rs_area line = { area.y, area.x, 1, area.width };

	if (widget->ops->draw)
		widget->ops->draw(widget, c, area, selected);
	for (size_t row = 0; widget->ops->draw_row && row < (size_t)area.height && row < widget->nr_rows;
	     row++, line.y++) {
		widget->ops->draw_row(widget, c, line, row);
		if ((long)row == selected)
			rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	}
}

static void overview_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_overview *o = (struct rs_overview *)s;
	bool any = false;

	for (unsigned int i = 0; i < o->nr; i++)
		if (o->places[i].widget->ops->choose)
			o->places[i].widget->ops->choose(o->places[i].widget);
	rs_overview_arrange(o, area);
	overview_restore_selection(o);
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_overview_place *p = &o->places[i];
		struct rs_area line = { p->area.y - 1, p->area.x, 1, p->area.width };
		char title[80];

		if (!p->area.height)
			continue;
		any = true;
		p->widget->width = p->area.width;
		overview_put_title(p->widget, title, sizeof title);
		line.width -= draw_more(p, c, line);
		line.width -= draw_range(p, title, c, line);
		if (p->widget->ops->aside)
			p->widget->ops->aside(p->widget, c, line, rs_put_text_columns(title, true) + 2);
		rs_put(c, line.y, line.x, line.width, RS_STYLE_TITLE, title);
		draw_widget(p->widget, c, p->area, i == o->at ? (long)o->row : -1);
	}
	if (!any)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_DIM, "waiting for the first numbers");
}

/* ---- keys ---- */

enum { OPEN = 1, SEARCH, UP, DOWN, NEXT, BACK, LINK_NEXT, LINK_BACK, FOLD };

const struct rs_key rs_overview_keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, OPEN, "Open",
	  "all about the selected row; of a sentence: what shows why, the cause first", RS_KEY_SELECTION },
	{ { '/', RS_KEY_F1 + 2 }, SEARCH, "Search",
	  "go to a process by a few letters, or to the table that has it; Tab: all hits, also views" },
	{ { RS_KEY_DOWN, 'j', RS_KEY_WHEEL_DOWN }, DOWN, "Down", "the next row", RS_KEY_CURSOR },
	{ { RS_KEY_UP, 'k', RS_KEY_WHEEL_UP }, UP, "Up", "the row before", RS_KEY_CURSOR },
	{ { RS_KEY_TAB, '\t' }, NEXT, "Panel", "the next block; of the chain its next link" },
	{ { RS_KEY_BACK_TAB }, BACK, "Panel before", "the block before, or the link before", RS_KEY_RARE },
	{ { RS_KEY_RIGHT }, LINK_NEXT, "Right", "the next link of the chain in the first line",
	  RS_KEY_CURSOR },
	{ { RS_KEY_LEFT }, LINK_BACK, "Left", "the link before", RS_KEY_CURSOR },
	{ { 'U' }, FOLD, "Units",
	  "fold the processes into their control groups (services, containers, pods), or unfold them",
	  RS_KEY_RARE },
	{ .help = NULL },
};

static void overview_open_row(struct rs_overview *o)
{
	struct rs_widget *widget = o->places[o->at].widget;
	struct rs_screen_selection selection;

	if (!o->places[o->at].area.height || o->row >= widget->nr_rows) /* a new answer may have fewer rows */
		return;
	/* screens that open from it belong to the same machine */
	rs_machine_set_use(o->screen.app, widget->machine);
	if (widget->ops->open)
		rs_app_push(o->screen.app, widget->ops->open(widget, o->row));
	else if (widget->ops->selection && widget->ops->selection(widget, o->row, &selection))
		rs_app_push(o->screen.app, rs_details_new(o->screen.app, &selection));
	rs_machine_set_use(o->screen.app, rs_app_top(o->screen.app)->machine);
}

/* What Enter opens; of a process, which has many waits, all about it. */
static struct rs_screen *overview_detail(struct rs_screen *s)
{
	struct rs_overview *o = (struct rs_overview *)s;
	struct rs_widget *widget = o->places[o->at].widget;
	struct rs_screen_selection selection;

	if (!widget->ops->selection(widget, o->row, &selection))
		return NULL;
	rs_machine_set_use(s->app, widget->machine);
	if (!widget->ops->open || (widget->ops->has_data && rs_selection_key(&selection.keys, "comm")))
		return rs_details_new(s->app, &selection);
	return widget->ops->open(widget, o->row);
}

/* To the next link of a chain. Returns false if the selected row has no more. */
static bool overview_step(struct rs_overview *o, int by)
{
	struct rs_widget *widget = o->places[o->at].widget;

	if (!widget->ops->step || o->row >= widget->nr_rows || !widget->ops->step(widget, o->row, by))
		return false;
	select_row(o, o->at, o->row);
	return true;
}

/* ---- search ---- */

/* The filter compares columns of the panels; that of tasks is the one that most is asked of. */
static const struct rs_view *overview_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	const struct rs_catalogue *c = rs_client_catalogue(s->machine->client);

	for (size_t i = 0; i < c->nr_views; i++) {
		const struct rs_view *view = &c->views[i].view;

		if (view->panel && !c->views[i].why_off && rs_column_named(view, "pid") >= 0)
			return view;
	}
	return NULL;
}

static bool overview_row_contains(struct rs_widget *widget, size_t row, const char *text)
{
	struct rs_screen_selection selection;
	struct rs_buf title = RS_BUF_INIT;
	bool found;

	if (!widget->ops->selection || row >= widget->nr_rows ||
	    !widget->ops->selection(widget, row, &selection))
		return false;
	rs_selection_title(&selection.keys, &title);
	found = title.len && strcasestr(title.data, text);
	rs_buf_done(&title);
	return found;
}

/* Selects the first row in sight that names it: those of panels first, then sentences and lists. */
static bool overview_find(struct rs_overview *o, const char *text)
{
	for (unsigned int i = 0; i < 2 * o->nr; i++) {
		struct rs_overview_place *p = &o->places[i % o->nr];

		if (!is_selectable(p) || (p->widget->ops->has_data != NULL) != (i < o->nr))
			continue;
		for (size_t row = 0; row < nr_selectable(p); row++)
			if (overview_row_contains(p->widget, row, text)) {
				select_row(o, i % o->nr, row);
				return true;
			}
	}
	return false;
}

static void overview_on_typed(void *arg, const char *text)
{
	if (*text)
		overview_find(arg, text);
}

/* What is folded, quiet, or has no room here is a row of the table of the processes. */
static void overview_on_search(void *arg, const char *text)
{
	struct rs_overview *o = arg;
	struct rs_app *app = o->screen.app;
	const struct rs_selection_keys *given = NULL;
	const struct rs_view *view = overview_filtered(&o->screen, &given);
	struct rs_buf where = RS_BUF_INIT;

	if (!text || !*text || overview_find(o, text) || !view)
		return;
	rs_buf_puts(&where, "comm ~ ");
	rs_expression_put_text(&where, text);
	rs_app_push(app, rs_table_new(app, rs_catalogue_view(rs_client_catalogue(o->screen.machine->client),
							     view->name), NULL, where.data));
	rs_buf_done(&where);
}

/* Names of processes and the like, in sight or not: of all rows that a widget has. */
static void overview_add_hits(void *arg, const char *text, struct rs_prompt_words *words)
{
	const struct rs_overview *o = arg;
	struct rs_screen_selection selection;
	const struct rs_selection_key *comm;

	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_widget *widget = o->places[i].widget;

		for (size_t row = 0; widget->ops->selection && row < widget->nr_rows; row++) {
			comm = widget->ops->selection(widget, row, &selection) ?
				       rs_selection_key(&selection.keys, "comm") :
				       NULL;
			if (comm)
				rs_app_search_add(words, text, comm->text);
		}
	}
}

/* Every panel of tasks shows their control groups, until the key comes again. */
static void overview_fold(struct rs_overview *o)
{
	o->folds = !o->folds;
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_widget *widget = o->places[i].widget;

		if (widget->ops->fold)
			widget->ops->fold(widget, o->folds);
	}
}

static bool overview_can(const struct rs_screen *s, int action)
{
	const struct rs_overview *o = (const struct rs_overview *)s;

	return action != OPEN || (o->places[o->at].area.height && o->row < o->places[o->at].widget->nr_rows);
}

static bool overview_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_overview *o = (struct rs_overview *)s;

	if (action == OPEN)
		overview_open_row(o);
	else if (action == SEARCH)
		rs_app_search(s->app, &(struct rs_app_search){ .done = overview_on_search, .arg = o,
			.typed = overview_on_typed, .hits = overview_add_hits });
	else if (action == FOLD)
		overview_fold(o);
	else if (action == UP || action == DOWN)
		overview_move_selection(o, action == UP ? -1 : 1);
	else if (!overview_step(o, action == NEXT || action == LINK_NEXT ? 1 : -1) &&
		 (action == NEXT || action == BACK))
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
			select_row(o, i, o->places[i].widget->whole ? 0 : (size_t)y);
	}
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		overview_open_row(o);
	return true;
}

static bool overview_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_overview *o = (struct rs_overview *)s;
	struct rs_widget *widget = o->places[o->at].widget;

	return o->places[o->at].area.height && widget->ops->selection && o->row < widget->nr_rows &&
	       widget->ops->selection(widget, o->row, out);
}

/* Explains columns and letters of the visible widgets, in their order. */
static void overview_put_help(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_widget *widget = o->places[i].widget;

		if (widget->ops->help_text)
			rs_buf_puts(out, widget->ops->help_text);
		else if (widget->ops->help)
			widget->ops->help(widget, out);
	}
}

static void free_overview(struct rs_screen *s)
{
	struct rs_overview *o = (struct rs_overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		rs_widget_free(o->places[i].widget);
	free(o);
}

static struct rs_screen *overview_reopen(struct rs_screen *s)
{
	return rs_overview_new(s->app, NULL);
}

static const struct rs_screen_ops ops = {
	.name = "overview", .keys = rs_overview_keys, .ask = overview_ask, .draw = overview_draw,
	.act = overview_run_action,
	.can = overview_can, .copy = rs_overview_copy,
	.key = overview_handle_key, .selection = overview_get_selection,
	.detail = overview_detail,
	.help = overview_put_help, .filtered = overview_filtered,
	.reopen = overview_reopen, .free = free_overview,
};

/* Takes ownership of the widget; frees it if there are too many. */
static void overview_add(struct rs_overview *o, struct rs_widget *widget)
{
	unsigned int at = o->nr;

	if (!widget)
		return;
	if (o->nr == RS_OVERVIEW_WIDGETS) {
		rs_widget_free(widget);
		return;
	}
	while (at && (o->places[at - 1].widget->left < widget->left ||
		      (o->places[at - 1].widget->left == widget->left &&
		       o->places[at - 1].widget->place > widget->place))) {
		o->places[at] = o->places[at - 1];
		at--;
	}
	o->places[at] = (struct rs_overview_place){ .widget = widget };
	o->nr++;
}

/* Returns the n-th machine, counted from the current one. */
static struct rs_tui_machine *machine_from(const struct rs_app *app, unsigned int n)
{
	return &app->machines[((size_t)(app->machine - app->machines) + n) % app->nr_machines];
}

/*
 * Verdict and in-flight operations are shown for every machine; CPUs, disks and processes only for the
 * current one.
 */
static void add_judging(struct rs_overview *o, struct rs_tui_machine *machine)
{
	struct rs_widget *slowest = rs_widget_slowest_new(machine),
			 *incidents = o->screen.app->live ? rs_widget_incidents_new(machine) : NULL,
			 *findings = rs_widget_findings_new(machine, slowest, incidents);

	overview_add(o, findings);
	overview_add(o, incidents);
	if (findings && machine == o->screen.app->machine)
		overview_add(o, rs_widget_heat_new(machine, findings));
	overview_add(o, rs_widget_in_flight_new(machine));
	overview_add(o, slowest);
}

struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_screen_selection *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
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
