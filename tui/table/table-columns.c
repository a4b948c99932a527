// SPDX-License-Identifier: GPL-2.0-or-later
/* table-columns.c - menus of a table's columns: select which are shown, in which order, and the sort column */
#include <stdio.h>
#include <string.h>

#include "tui/toolkit/app.h"
#include "tui/toolkit/menu.h"
#include "tui/table/table-screen.h"

static struct rs_menu_line table_columns_make_line(const struct rs_view *view, unsigned int column, bool on)
{
	struct rs_menu_line l = { .help = view->columns[column].help, .on = on, .id = column };

	snprintf(l.name, sizeof l.name, "%s", view->columns[column].name);
	snprintf(l.heading, sizeof l.heading, "%s", rs_column_heading(&view->columns[column]));
	return l;
}

static bool table_columns_is_shown(const struct rs_grid *g, unsigned int column)
{
	for (unsigned int i = 0; i < g->shown.nr; i++)
		if (g->shown.at[i] == column)
			return true;
	return false;
}

/* Shown columns first, in their order, then the others. */
static size_t table_columns_make_lines(const struct rs_grid *g, struct rs_menu_line lines[RS_MAX_COLUMNS])
{
	size_t nr = 0;

	for (unsigned int i = 0; i < g->shown.nr; i++)
		lines[nr++] = table_columns_make_line(g->view, g->shown.at[i], true);
	for (unsigned int i = 0; i < g->nr_columns; i++)
		if (!table_columns_is_shown(g, i))
			lines[nr++] = table_columns_make_line(g->view, i, false);
	return nr;
}

/* At least one column must remain, or the table would be empty. */
static void table_columns_on_changed(void *arg, const struct rs_menu_line *lines, size_t nr)
{
	struct rs_table *t = arg;
	struct rs_columns shown = { 0 };
	struct rs_buf text = RS_BUF_INIT;

	for (size_t i = 0; i < nr; i++)
		if (lines[i].on)
			shown.at[shown.nr++] = (uint8_t)lines[i].id;
	if (!shown.nr) {
		rs_app_say(t->screen.app, RS_STYLE_WARN, "one column stays");
		return;
	}
	t->grid.shown = shown;
	t->grid.shows_default = false;
	t->first = 0;
	rs_grid_columns_text(&t->grid, &text);
	rs_settings_set_view(rs_app_settings(t->screen.app), t->of->view.name, "columns", text.data);
	rs_app_save_settings(t->screen.app);
	rs_buf_done(&text);
}

void rs_table_choose_columns(struct rs_table *t)
{
	struct rs_menu_line lines[RS_MAX_COLUMNS];
	struct rs_menu menu = {
		.title = "columns", .name = "columns", .checks = true, .changed = table_columns_on_changed, .arg = t,
		.details = "Columns are shown in the order of this list.\n",
	};

	rs_app_push(t->screen.app, rs_menu_new(t->screen.app, &menu, lines, table_columns_make_lines(&t->grid, lines)));
}

static void table_columns_on_selected(void *arg, size_t id)
{
	struct rs_table *t = arg;

	/* Shows the sort column if it is hidden: sorted by a hidden column, rows would look unsorted. */
	for (unsigned int i = 0; i < t->grid.shown.nr; i++)
		if (t->grid.shown.at[i] == id) {
			rs_table_sort_by(t, i);
			return;
		}
	if (t->grid.shown.nr < RS_MAX_COLUMNS) {
		t->grid.shows_default = false;
		t->grid.shown.at[t->grid.shown.nr++] = (uint8_t)id;
		rs_table_sort_by(t, t->grid.shown.nr - 1);
	}
}

void rs_table_choose_sort(struct rs_table *t)
{
	struct rs_menu_line lines[RS_MAX_COLUMNS];
	struct rs_menu menu = { .title = "sort by", .name = "sort", .selected = table_columns_on_selected,
				.arg = t };
	size_t nr = table_columns_make_lines(&t->grid, lines);

	for (size_t i = 0; i < nr; i++)
		if (t->grid.sort.nr && lines[i].id == t->grid.sort.keys[0].column)
			menu.at = i;
	rs_app_push(t->screen.app, rs_menu_new(t->screen.app, &menu, lines, nr));
}
