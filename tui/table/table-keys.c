// SPDX-License-Identifier: GPL-2.0-or-later
/* table-keys.c - the keys of tables: the cursor, sorting, menus of columns, filters, searching */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/app/menu.h"
#include "tui/table/table-screen.h"

enum {
	OPEN = 1, SORT, SORT_LEFT, SORT_RIGHT, REVERSE, SORT_NTH, SEARCH, NEXT, PREVIOUS,
	COLUMNS, BY, FREEZE, FOLLOW, TOTALS, LEFT, RIGHT, FIRST, LAST, DOWN, UP, CLEAR,
};

const struct rs_key rs_table_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Open",
	  "of a wait, where its time went; else details of the row: the other views, filtered by it",
	  RS_KEY_SELECTION },
	{ { 'S', RS_KEY_F1 + 5 }, SORT, "Sort", "choose the column to sort by" },
	{ { '<' }, SORT_LEFT, "Sort left", "sort by the column to the left", RS_KEY_RARE },
	{ { '>' }, SORT_RIGHT, "Sort right", "sort by the column to the right", RS_KEY_RARE },
	{ { 'R', 'r' }, REVERSE, "Reverse", "reverse the sort order", RS_KEY_RARE },
	{ { '1', '!' }, SORT_NTH, "Sort by column",
	  "1 to 9, with or without Shift: sort by that column; again: reverse", RS_KEY_CURSOR },
	{ { '/', RS_KEY_F1 + 2 }, SEARCH, "Search",
	  "go to the next row that contains a text; Tab: views of that name" },
	{ { 'n' }, NEXT, "Next", "go to the next match", RS_KEY_RARE },
	{ { 'N' }, PREVIOUS, "Previous", "go to the previous match", RS_KEY_RARE },
	{ { 'C', RS_KEY_F1 + 4 }, COLUMNS, "Columns", "choose columns and their order" },
	{ { 'B' }, BY, "Group", "group rows by other columns: comm,syscall", RS_KEY_RARE },
	{ { 'Z' }, FREEZE, "Freeze", "freeze these rows, until Z again" },
	{ { 'F' }, FOLLOW, "Follow", "the selection follows its row, or stays on its line", RS_KEY_RARE },
	{ { 'T' }, TOTALS, "Totals", "show or hide the line of totals", RS_KEY_RARE },
	{ { RS_KEY_LEFT }, LEFT, "Left", "scroll columns left", RS_KEY_CURSOR },
	{ { RS_KEY_RIGHT }, RIGHT, "Right", "scroll columns right", RS_KEY_CURSOR },
	{ { 'j' }, DOWN, "Down", "down, like the arrow; PgDn, Home and the wheel too", RS_KEY_CURSOR },
	{ { 'k' }, UP, "Up", "up", RS_KEY_CURSOR },
	{ { 'g', RS_KEY_HOME }, FIRST, "First", "first row", RS_KEY_CURSOR },
	{ { 'G', RS_KEY_END }, LAST, "Last", "last row; of a log: stay there", RS_KEY_CURSOR },
	{ { RS_KEY_ESCAPE }, CLEAR, "Clear",
	  "clear the search, then what the table was opened with, then close the screen",
	  RS_KEY_RARE },
	{ .help = NULL },
};

/* ---- selection ---- */

/* Makes the cursor's row the selected row. */
static void table_keys_select_row(struct rs_table *t)
{
	t->selected = t->grid.nr > 0 && !rs_table_follows_end(t);
	t->identity = rs_grid_identity(&t->grid, t->list.at);
	if (t->list.top + 2 * t->list.height > t->grid.nr && t->grid.nr < t->grid.nr_total)
		rs_table_ask(&t->screen); /* rows come into view that were not asked for */
	rs_app_redraw(t->screen.app);
}

static void table_keys_go_to_end(struct rs_table *t)
{
	if (t->grid.nr < t->grid.nr_total && t->of->view.kind == RS_VIEW_TABLE) {
		t->everything = true;
		rs_table_ask(&t->screen);
	}
	rs_list_key(&t->list, RS_KEY_END);
	table_keys_select_row(t);
}

struct rs_screen *rs_table_open_selected(struct rs_app *app, const struct rs_screen_selection *selection)
{
	return selection->is_wait ? rs_why_open_wait(app, selection, NULL) : rs_details_new(app, selection);
}

static void table_keys_open_row(struct rs_table *t)
{
	struct rs_screen_selection selection;

	if (!t->screen.ops->selection(&t->screen, &selection) || !selection.keys.nr)
		rs_app_say(t->screen.app, RS_STYLE_WARN, "this row names no task, CPU, device or event");
	else
		rs_app_push(t->screen.app, rs_table_open_selected(t->screen.app, &selection));
}

/* ---- sort ---- */

static void table_keys_save_sort(struct rs_table *t)
{
	struct rs_buf text = RS_BUF_INIT;

	rs_grid_sort_text(&t->grid, &text);
	rs_settings_set_view(&t->screen.app->settings, t->of->view.name, "sort", text.len ? text.data : NULL);
	rs_app_save_settings(t->screen.app);
	rs_buf_done(&text);
	rs_app_refresh(t->screen.app);
}

/* Sorts numbers from the largest down, names from the first up. */
static void sort_by_column(struct rs_table *t, unsigned int column)
{
	const struct rs_column *c = &t->of->view.columns[column];
	struct rs_sort *sort = &t->grid.sort;
	bool same = sort->nr && sort->keys[0].column == column;
	bool is_size = c->type != RS_TYPE_TEXT && c->type != RS_TYPE_ID && c->type != RS_TYPE_TIME;
	bool descends = same ? !sort->keys[0].descends : is_size;

	if (t->of->view.kind == RS_VIEW_HIST) {
		rs_app_say(t->screen.app, RS_STYLE_WARN, "a distribution has its own order");
		return;
	}
	sort->nr = 1;
	sort->keys[0] = (struct rs_sort_key){ (uint8_t)column, descends };
	table_keys_save_sort(t);
}

/* Sorts by the n-th shown column; the second time reverses the order. */
static void table_keys_sort_by(struct rs_table *t, unsigned int shown)
{
	if (shown < t->grid.shown.nr)
		sort_by_column(t, t->grid.shown.at[shown]);
}

static void move_sort(struct rs_table *t, int by)
{
	const struct rs_grid *g = &t->grid;
	unsigned int at = 0;

	while (g->sort.nr && at < g->shown.nr && g->shown.at[at] != g->sort.keys[0].column)
		at++;
	if (!g->sort.nr || at == g->shown.nr)
		table_keys_sort_by(t, 0);
	else if (at + (unsigned int)by < g->shown.nr)
		table_keys_sort_by(t, at + (unsigned int)by);
}

static void table_keys_reverse_sort(struct rs_table *t)
{
	if (t->grid.sort.nr)
		sort_by_column(t, t->grid.sort.keys[0].column);
}

/* ---- menus of columns: which are shown, in which order, and the sort column ---- */

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
	rs_settings_set_view(&t->screen.app->settings, t->of->view.name, "columns", text.data);
	rs_app_save_settings(t->screen.app);
	rs_buf_done(&text);
}

static void table_keys_choose_columns(struct rs_table *t)
{
	struct rs_menu_line lines[RS_MAX_COLUMNS];
	struct rs_menu menu = {
		.title = "columns", .name = "columns", .checks = true, .changed = table_columns_on_changed,
		.arg = t,
		.details = "Columns are shown in the order of this list.\n",
	};

	rs_app_push(t->screen.app,
		    rs_menu_new(t->screen.app, &menu, lines, table_columns_make_lines(&t->grid, lines)));
}

static void table_columns_on_selected(void *arg, size_t id)
{
	struct rs_table *t = arg;

	/* Shows the sort column if it is hidden: sorted by a hidden column, rows would look unsorted. */
	for (unsigned int i = 0; i < t->grid.shown.nr; i++)
		if (t->grid.shown.at[i] == id) {
			table_keys_sort_by(t, i);
			return;
		}
	if (t->grid.shown.nr < RS_MAX_COLUMNS) {
		t->grid.shows_default = false;
		t->grid.shown.at[t->grid.shown.nr++] = (uint8_t)id;
		table_keys_sort_by(t, t->grid.shown.nr - 1);
	}
}

static void table_keys_choose_sort(struct rs_table *t)
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

/* ---- filter and search ---- */

static void table_keys_set(struct rs_table *t, char *to, const char *text)
{
	rs_copy(to, RS_WHERE_BYTES, text);
	*t->refused = '\0';
	rs_app_refresh(t->screen.app);
}

/* Returns false, with what is wrong with a name and where it begins. */
static bool table_keys_check_by(const struct rs_view *view, const char *text, size_t *at, char *why,
				size_t size)
{
	struct rs_table_by by;

	rs_table_screen_split_by(text, &by);
	for (size_t i = 0; i < by.nr; i++) {
		int column = rs_column_named(view, by.list[i]);

		if (column >= 0 && view->columns[column].flags & RS_COLUMN_KEY)
			continue;
		*at = (size_t)(by.list[i] - by.names);
		snprintf(why, size, "%s does not group by '%.40s'", view->name, by.list[i]);
		return false;
	}
	return true;
}

static void got_by(void *arg, const char *text)
{
	struct rs_table *t = arg;
	char why[128];
	size_t at;

	if (text && !table_keys_check_by(&t->of->view, text, &at, why, sizeof why))
		rs_app_prompt_refuse(t->screen.app, at, "%s", why);
	else if (text)
		table_keys_set(t, t->by, text);
}

static void table_keys_complete_by(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words)
{
	const struct rs_table *t = arg;

	words->from = cursor;
	while (words->from && text[words->from - 1] != ',' && text[words->from - 1] != ' ')
		words->from--;
	for (const struct rs_column *c = t->of->view.columns; c->name; c++)
		if (c->flags & RS_COLUMN_KEY)
			rs_prompt_words_add(words, text, cursor, c->name);
}

static void ask_by(struct rs_table *t)
{
	const struct rs_view *view = &t->of->view;
	bool any = false;

	for (const struct rs_column *c = view->columns; c->name; c++)
		any |= (c->flags & RS_COLUMN_KEY) != 0;
	if (!any) {
		rs_app_say(t->screen.app, RS_STYLE_WARN, "%s has one way of grouping", view->name);
		return;
	}
	rs_app_prompt(t->screen.app, "by:", t->by, got_by, NULL, t);
	rs_prompt_set_complete(&t->screen.app->prompt, table_keys_complete_by);
}

void rs_table_search(struct rs_table *t, int step, bool here)
{
	const struct rs_cell_style *style = &t->screen.app->style;
	const char *text = *t->search ? t->search : t->mark;
	size_t nr = t->grid.nr, at = t->list.at;

	for (size_t i = here ? 0 : 1; *text && i <= nr && nr; i++) {
		size_t row = (step > 0 ? at + i : at + nr - i % nr) % nr;

		if (rs_grid_row_contains(&t->grid, style, row, text)) {
			rs_list_to(&t->list, row);
			table_keys_select_row(t);
			t->searching = false;
			return;
		}
	}
	t->searching = *text && t->question.asked; /* the match may be in the rows that are to come */
	if (*text && !t->question.asked)
		rs_app_say(t->screen.app, RS_STYLE_WARN, "no row has \"%s\" in it", text);
}

/* If the match is not among the rows here, it may be among those not loaded yet. */
static void typed_search(void *arg, const char *text)
{
	struct rs_table *t = arg;

	snprintf(t->search, sizeof t->search, "%s", text);
	snprintf(t->mark, sizeof t->mark, "%s", text);
	if (!t->everything && t->grid.nr < t->grid.nr_total) {
		t->everything = true;
		rs_table_ask(&t->screen);
	}
	rs_table_search(t, 1, true);
	rs_app_redraw(t->screen.app);
}

static void got_search(void *arg, const char *text)
{
	struct rs_table *t = arg;

	if (text && *text)
		typed_search(t, text);
	else
		*t->mark = '\0';
	*t->search = '\0';
	t->searching &= *t->mark != '\0';
	rs_app_redraw(t->screen.app);
}

static bool table_keys_clear(struct rs_table *t)
{
	if (*t->mark)
		*t->mark = '\0';
	else if (*t->where)
		table_keys_set(t, t->where, "");
	else
		return false;
	rs_app_redraw(t->screen.app);
	return true;
}

/* ---- keys ---- */

static bool sort_nth(struct rs_table *t, uint32_t key)
{
	static const char shifted[] = "!@#$%^&*(";
	const char *at = key > 0 && key < 0x80 ? strchr(shifted, (int)key) : NULL;

	if (key >= '1' && key <= '9')
		table_keys_sort_by(t, key - '1');
	else if (at)
		table_keys_sort_by(t, (unsigned int)(at - shifted));
	else
		return false;
	return true;
}

/*
 * COMM stays at the left: to begin with the column right after it would scroll nothing, so skips that step.
 */
static void scroll_columns(struct rs_table *t, int by)
{
	unsigned int to = t->first + (unsigned int)by;

	if (to && to <= t->grid.shown.nr && rs_grid_leftmost(&t->grid, to) == to - 1)
		to += (unsigned int)by;
	if (to < t->grid.shown.nr)
		t->first = to;
	rs_app_redraw(t->screen.app);
}

static void table_keys_toggle(struct rs_table *t, bool *what, const char *on, const char *off)
{
	*what = !*what;
	rs_app_say(t->screen.app, RS_STYLE_TEXT, "%s", *what ? on : off);
	rs_app_refresh(t->screen.app);
}

static bool table_keys_move_selection(struct rs_table *t, uint32_t key)
{
	if (!rs_list_key(&t->list, key))
		return false;
	table_keys_select_row(t);
	return true;
}

bool rs_table_can(const struct rs_screen *s, int action)
{
	const struct rs_table *t = (const struct rs_table *)s;

	switch (action) {
	case OPEN: case SEARCH:
		return t->grid.nr;
	case NEXT: case PREVIOUS:
		return t->grid.nr && *t->mark;
	case CLEAR:
		return *t->mark || *t->where;
	case SORT: case SORT_LEFT: case SORT_RIGHT: case REVERSE: case TOTALS: case COLUMNS:
		return t->of->view.kind != RS_VIEW_HIST;
	}
	return true;
}

bool rs_table_act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_table *t = (struct rs_table *)s;

	switch (action) {
	case OPEN:
		table_keys_open_row(t);
		return true;
	case SORT:
		table_keys_choose_sort(t);
		return true;
	case SORT_LEFT: case SORT_RIGHT:
		move_sort(t, action == SORT_LEFT ? -1 : 1);
		return true;
	case REVERSE:
		table_keys_reverse_sort(t);
		return true;
	case SORT_NTH:
		return sort_nth(t, key->key);
	case COLUMNS:
		table_keys_choose_columns(t);
		return true;
	case UP: case DOWN:
		return table_keys_move_selection(t, action == UP ? RS_KEY_UP : RS_KEY_DOWN);
	case FIRST:
		t->selected = t->everything = false; /* all rows are loaded only for a user at their end */
		rs_list_to(&t->list, 0);
		rs_app_redraw(s->app);
		return true;
	case LAST:
		table_keys_go_to_end(t);
		return true;
	case CLEAR:
		return table_keys_clear(t);
	case SEARCH:
		rs_app_search(t->screen.app, &(struct rs_app_search){ .done = got_search, .arg = t,
								      .typed = typed_search });
		break;
	case NEXT: case PREVIOUS:
		rs_table_search(t, action == NEXT ? 1 : -1, false);
		break;
	case BY:
		ask_by(t);
		break;
	case FREEZE:
		table_keys_toggle(t, &t->frozen, "frozen: Z goes on", "goes on");
		break;
	case FOLLOW:
		table_keys_toggle(t, &t->by_line, "what is selected stays on its line",
				  "what is selected stays on its row");
		table_keys_select_row(t);
		break;
	case TOTALS:
		table_keys_toggle(t, &t->totals, "totals where they have a meaning", "no totals");
		break;
	case LEFT: case RIGHT:
		scroll_columns(t, action == LEFT ? -1 : 1);
		break;
	}
	return true;
}

static bool clicked(struct rs_table *t, const struct rs_key_event *key)
{
	int y = key->y - rs_table_heading_y(t), column;

	if (t->of->view.kind == RS_VIEW_HIST)
		return true;
	if (y == 0) {
		column = rs_grid_column_at(&t->grid, t->first, key->x);
		if (column >= 0)
			table_keys_sort_by(t, (unsigned int)column);
		return true;
	}
	if (y < 0 || t->list.top + (size_t)y - 1 >= t->grid.nr || (size_t)y > t->list.height)
		return true;
	rs_list_to(&t->list, t->list.top + (size_t)y - 1);
	table_keys_select_row(t);
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		table_keys_open_row(t);
	return true;
}

bool rs_table_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct rs_table *t = (struct rs_table *)s;

	if (key->key == RS_KEY_MOUSE || key->key == RS_KEY_MOUSE_DOUBLE)
		return clicked(t, key);
	return table_keys_move_selection(t, key->key) || sort_nth(t, key->key);
}
