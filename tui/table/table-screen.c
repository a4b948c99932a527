// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table-screen.c - a view as a screen: asks for its rows, keeps the selection on its row
 *
 * The engine sorts, filters and limits rows: of 10,000 tasks it sends only those that the screen shows. When rows
 * move, the user's selection follows its row; it does not stay on its line.
 */
#include "tui/table/table-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/toolkit/app.h"

#define TABLE_SCREEN_ROWS 500          /* of the first request: more than a screen has lines */
#define LOG_ROWS 1000     /* the last rows of a stream */
#define TABLE_SCREEN_MAX_ROWS 100000   /* the engine's limit */

static size_t table_screen_limit(const struct rs_table *t)
{
	size_t need = t->list.top + 2 * t->list.height;

	if (t->of->view.kind == RS_VIEW_STREAM)
		return LOG_ROWS;
	if (t->everything)
		return TABLE_SCREEN_MAX_ROWS;
	return need > TABLE_SCREEN_ROWS ? need : TABLE_SCREEN_ROWS;
}

/* ---- requests ---- */

void rs_table_put_where(const struct rs_table *t, const char *filter, struct rs_buf *out)
{
	struct rs_buf keys = RS_BUF_INIT;
	bool any = rs_selection_where(&t->keys, &t->of->view, &keys);

	if (any && *filter)
		rs_buf_printf(out, "(%s) && (%s)", keys.data, filter);
	else
		rs_buf_puts(out, any ? keys.data : filter);
	rs_buf_done(&keys);
}

void rs_table_screen_split_by(const char *by, struct rs_table_by *to)
{
	char *rest = to->names;

	snprintf(to->names, sizeof to->names, "%s", by);
	to->nr = 0;
	for (char *name; to->nr < RS_MAX_BY && (name = strsep(&rest, ", "));)
		if (*name)
			to->list[to->nr++] = name;
}

static const char *typed_begin_request(struct rs_typed *t)
{
	t->sent = t->pending;
	return t->pending ? t->newer : t->text;
}

static void typed_refuse(struct rs_typed *t)
{
	t->pending = t->pending && !t->sent;
}

static void typed_accept(struct rs_typed *t)
{
	if (!t->sent)
		return;
	memcpy(t->text, t->newer, sizeof t->text);
	*t->newer = '\0';
	t->pending = t->sent = false;
}

static void got_rows(void *arg, const struct rs_reply *reply);

static void table_screen_send_request(struct rs_table *t)
{
	struct rs_buf where = RS_BUF_INIT, sort = RS_BUF_INIT;
	struct rs_table_by by;

	rs_table_screen_split_by(typed_begin_request(&t->by), &by);
	rs_table_put_where(t, typed_begin_request(&t->where), &where);
	rs_grid_sort_text(&t->grid, &sort);
	t->asked = rs_client_ask(t->screen.machine->client, "rows", &(struct rs_rows_request){
		.view = t->of->view.name, .where = where.len ? where.data : NULL, .sort = sort.len ? sort.data : NULL,
		.by = by.nr ? by.list : NULL, .nr_by = by.nr, .limit = table_screen_limit(t), .time = rs_app_asked_time(t->screen.app),
	}, got_rows, t) != 0;
	rs_buf_done(&where);
	rs_buf_done(&sort);
}

void rs_table_ask(struct rs_screen *s)
{
	struct rs_table *t = (struct rs_table *)s;

	if (t->frozen && t->grid.answered)
		return;
	t->ask_again = t->asked;
	if (!t->asked)
		table_screen_send_request(t);
}

/* ---- answers ---- */

bool rs_table_follows_end(const struct rs_table *t)
{
	return t->of->view.kind == RS_VIEW_STREAM && !t->grid.sort.nr && t->list.at + 1 >= t->list.nr;
}

/* Tries the current line first: most rows do not move. */
static bool table_screen_find(const struct rs_table *t, uint64_t identity, size_t *at)
{
	if (t->list.at < t->grid.nr && rs_grid_identity(&t->grid, t->list.at) == identity) {
		*at = t->list.at;
		return true;
	}
	for (size_t i = 0; i < t->grid.nr; i++)
		if (rs_grid_identity(&t->grid, i) == identity) {
			*at = i;
			return true;
		}
	return false;
}

/* In a stream the selected row scrolls with the others: keeps both the row and its line. */
static void table_screen_restore_selection(struct rs_table *t, bool stick)
{
	size_t at = t->list.at, line = t->list.at - t->list.top;

	if (t->of->view.kind == RS_VIEW_HIST) {
		rs_list_fit(&t->list, rs_bars_lines(&t->grid), t->list.height);
		return;
	}
	if (stick)
		at = t->grid.nr ? t->grid.nr - 1 : 0;
	else if (t->selected && !t->by_line)
		table_screen_find(t, t->identity, &at);
	t->list.at = at;
	if (t->of->view.kind == RS_VIEW_STREAM && !stick)
		t->list.top = at > line ? at - line : 0;
	rs_list_fit(&t->list, t->grid.nr, t->list.height);
}

/* Keeps the rows and the title of the last request that succeeded. */
static void table_screen_refuse(struct rs_table *t, const struct rs_reply *reply)
{
	typed_refuse(&t->where);
	typed_refuse(&t->by);
	snprintf(t->refused, sizeof t->refused, "%s", reply->error);
}

/* Keeps the message of a refused text until the user corrects the text. */
static void table_screen_accept(struct rs_table *t)
{
	typed_accept(&t->where);
	typed_accept(&t->by);
	if (!*t->where.newer && !*t->by.newer)
		*t->refused = '\0';
}

static void got_rows(void *arg, const struct rs_reply *reply)
{
	struct rs_table *t = arg;
	bool stick = !t->grid.answered || rs_table_follows_end(t);

	stick = stick && t->of->view.kind == RS_VIEW_STREAM && !t->grid.sort.nr;
	t->asked = false;
	if (!reply->message) {
		table_screen_refuse(t, reply);
	} else if (!rs_grid_read(&t->grid, reply->message)) {
		snprintf(t->refused, sizeof t->refused, "%s: malformed answer", t->of->view.name);
	} else {
		table_screen_accept(t);
		rs_app_note_rows(t->screen.app, reply->message);
		table_screen_restore_selection(t, stick);
		if (t->searching)
			rs_table_search(t, 1, true);
	}
	rs_app_redraw(t->screen.app);
	if (t->ask_again)
		rs_table_ask(&t->screen);
}

/* ---- screen ops ---- */

static void table_screen_put_title(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_buf_puts(out, t->of->view.name);
}

static void table_screen_put_help(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_buf_printf(out, "%s: %s\n\n", t->of->view.name, t->of->view.summary ? t->of->view.summary : "");
	for (const struct rs_column *c = t->of->view.columns; c->name; c++)
		rs_buf_printf(out, "%-16s %-20s %s\n", rs_column_heading(c), c->name, c->help ? c->help : "");
	rs_buf_puts(out,
		    "\nA filter compares columns by their second names: comm ~ post && p99_ns > 1ms\n"
		    "== != < <= > >=, ~ (has in it, or fits a pattern with * and ?), !~, &&, ||, !, ( )\n"
		    "Units: ns us ms s, B KiB MiB GiB; - is what is not known\n");
}

static bool table_screen_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_table *t = (struct rs_table *)s;

	*out = (struct rs_screen_selection){ .view = t->of, .column = t->grid.sort.nr ? t->grid.sort.keys[0].column : -1 };
	rs_selection_copy(&out->keys, &t->keys);
	if (t->of->view.kind == RS_VIEW_HIST)
		return out->keys.nr > 0;
	out->values = rs_grid_row(&t->grid, t->list.at);
	if (out->values)
		rs_selection_add(&out->keys, &t->of->view, out->values);
	return out->values || out->keys.nr;
}

static void free_table(struct rs_screen *s)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_grid_done(&t->grid);
	free(t);
}

/* Opens the view on the current machine, with the same filter, grouping and sort order. */
static struct rs_screen *table_reopen(struct rs_screen *s)
{
	const struct rs_table *t = (const struct rs_table *)s;
	const struct rs_catalogue_view *view = rs_catalogue_view(rs_client_catalogue(rs_app_client(s->app)), t->of->view.name);

	return t->keys.nr || !view ? NULL : rs_table_new_as(s->app, view, t->where.text, t->by.text, &t->grid.sort);
}

static const struct rs_screen_ops ops = {
	.name = "table", .keys = rs_table_keys, .ask = rs_table_ask, .draw = rs_table_draw, .act = rs_table_act,
	.key = rs_table_key, .title = table_screen_put_title, .help = table_screen_put_help, .selection = table_screen_get_selection, .reopen = table_reopen, .free = free_table,
};

static void group_by_keys(struct rs_table *t)
{
	struct rs_buf by = RS_BUF_INIT;

	if (rs_selection_by(&t->keys, &t->of->view, &by))
		snprintf(t->by.text, sizeof t->by.text, "%s", by.data);
	rs_buf_done(&by);
}

/* Ignores settings whose columns no longer exist in the view. */
static void use_settings(struct rs_table *t)
{
	struct rs_settings *s = rs_app_settings(t->screen.app);
	const char *name = t->of->view.name;
	const char *columns = rs_settings_of_view(s, name, "columns"), *sort = rs_settings_of_view(s, name, "sort");
	struct rs_error err = { 0 };
	struct rs_columns shown;
	struct rs_sort by;

	if (columns && rs_columns_parse(&t->of->view, columns, &shown, &err) == 0 && shown.nr) {
		t->grid.shown = shown;
		t->grid.shows_default = false;
	}
	if (sort && rs_columns_parse_sort(&t->of->view, sort, &by, &err) == 0)
		t->grid.sort = by;
}

struct rs_screen *rs_table_new(struct rs_app *app, const struct rs_catalogue_view *view,
			       const struct rs_selection_keys *keys, const char *where)
{
	struct rs_table *t;

	if (view->why_off) {
		rs_app_say(app, RS_STYLE_WARN, "%s: %s", view->view.name, view->why_off);
		return NULL;
	}
	t = rs_screen_new(app, &ops, sizeof *t);
	if (!t)
		return NULL;
	t->of = view;
	t->totals = true;
	rs_grid_init(&t->grid, &view->view);
	if (view->view.kind == RS_VIEW_STREAM)
		t->grid.sort.nr = 0; /* a stream stays in order of arrival */
	if (keys)
		rs_selection_copy(&t->keys, keys);
	group_by_keys(t);
	snprintf(t->where.text, sizeof t->where.text, "%s", where ? where : "");
	use_settings(t);
	return &t->screen;
}

struct rs_screen *rs_table_new_as(struct rs_app *app, const struct rs_catalogue_view *view, const char *where, const char *by,
				  const struct rs_sort *sort)
{
	struct rs_table *t = (struct rs_table *)rs_table_new(app, view, NULL, where);

	if (!t)
		return NULL;
	snprintf(t->by.text, sizeof t->by.text, "%s", by);
	t->grid.sort = *sort;
	return &t->screen;
}
