// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filter-words.c - what Tab completes in the filter: columns, operators, and values that the engine has seen
 *
 * The values of a column are asked for when one is typed, of a view that has the column, and kept until
 * another column is.
 */
#include <string.h>

#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "view/expression.h"

#define FILTER_SEEN_ROWS 1000

static bool filter_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool filter_is_operator(char c)
{
	return c && strchr("=!<>~", c);
}

/* Where the value at the cursor begins, whether in quotes or not. */
static size_t filter_value_begin(const char *text, size_t cursor)
{
	size_t at = cursor, quotes = 0, last = 0;

	for (size_t i = 0; i < cursor; i++)
		if (text[i] == '"') {
			quotes++;
			last = i;
		}
	if (quotes % 2)
		return last;
	while (at && !strchr(" \t()&|", text[at - 1]) && !filter_is_operator(text[at - 1]))
		at--;
	return at;
}

static size_t filter_skip_back(const char *text, size_t at)
{
	while (at && text[at - 1] == ' ')
		at--;
	return at;
}

/* The name that ends before a place; its length 0: none. */
static size_t filter_name_before(const char *text, size_t at, char *name, size_t size)
{
	size_t end = at;

	while (at && filter_is_word(text[at - 1]))
		at--;
	if (end - at >= size)
		return 0;
	memcpy(name, text + at, end - at);
	name[end - at] = '\0';
	return end - at;
}

/* ---- values ---- */

/* Tables with a panel first: they have what is shown most, and cost no analysis of their own. */
static const struct rs_view *filter_view_with(const struct rs_app *app, const char *column)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	const struct rs_view *found = NULL;

	for (size_t i = 0; i < c->nr_views; i++) {
		const struct rs_view *view = &c->views[i].view;
		int at = rs_column_named(view, column);

		if (c->views[i].why_off || view->kind != RS_VIEW_TABLE || at < 0 ||
		    view->columns[at].type != RS_TYPE_TEXT)
			continue;
		if (view->panel)
			return view;
		found = found ? found : view;
	}
	return found;
}

static void filter_words_on_seen(void *of, const struct rs_reply *reply)
{
	struct rs_app *app = of;

	if (reply->message && app->prompt.open && app->prompt.arg == app)
		rs_prompt_complete(&app->prompt);
}

static void filter_ask_seen(struct rs_app *app, const char *column)
{
	struct rs_app_filter *f = &app->filter;
	const struct rs_view *view = filter_view_with(app, column);

	if (f->seen.asked || !strcmp(f->seen_column, column))
		return;
	if (f->seen.machine)
		rs_question_done(&f->seen);
	rs_copy(f->seen_column, sizeof f->seen_column, column);
	f->seen_view = view;
	f->seen = (struct rs_question){ .machine = app->machine, .answered = filter_words_on_seen,
					.of = app };
	if (view)
		rs_question_ask(&f->seen, "rows", &(struct rs_rows_request){
			.view = view->name, .limit = FILTER_SEEN_ROWS, .time = rs_app_asked_time(app) });
}

static void filter_add_values(struct rs_app *app, const char *column, const char *text, size_t cursor,
			      struct rs_prompt_words *words)
{
	const struct rs_app_filter *f = &app->filter;
	const struct rs_rows_reply *rows;
	int at;

	filter_ask_seen(app, column);
	rows = !strcmp(f->seen_column, column) && f->seen_view ? f->seen.answer : NULL;
	at = rows ? rs_column_named(f->seen_view, column) : -1;
	for (size_t i = 0; rows && at >= 0 && i < rows->nr_rows; i++) {
		const struct rs_wire_row *row = &rows->rows[i];
		struct rs_buf value = RS_BUF_INIT;

		if ((size_t)at >= row->nr_cells || row->cells[at].is != RS_SCALAR_STRING)
			continue;
		rs_app_filter_put_value(row->cells[at].s, &value);
		rs_prompt_words_add(words, text, cursor, value.data);
		rs_buf_done(&value);
	}
}

/* ---- columns and operators ---- */

static const struct rs_view *filter_view_shown(const struct rs_app *app)
{
	struct rs_screen *top = rs_app_top(app);
	const struct rs_selection_keys *given;
	const struct rs_view *view = top && top->ops->filtered ? top->ops->filtered(top, &given) : NULL;

	return view ? view : rs_filter_view(RS_FILTER_SPANS);
}

static void filter_add_columns(const struct rs_app *app, const char *text, size_t cursor,
			       struct rs_prompt_words *words)
{
	const struct rs_view *view = filter_view_shown(app);

	words->after = " ";
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (view->kind != RS_VIEW_HIST || c->flags & RS_COLUMN_KEY)
			rs_prompt_words_add(words, text, cursor, c->name);
	if (rs_column_of_latency(view) >= 0)
		rs_prompt_words_add(words, text, cursor, "latency");
}

/* Those that the type of the column takes. */
static void filter_add_operators(const struct rs_app *app, const char *name, const char *text, size_t cursor,
				 struct rs_prompt_words *words)
{
	static const char *const of_text[] = { "~", "==", "!=", "!~", NULL },
				*const of_numbers[] = { "==", ">", "<", ">=", "<=", "!=", NULL };
	const struct rs_view *view = filter_view_shown(app);
	int column = rs_column_named(view, name);
	bool is_text = column >= 0 && view->columns[column].type == RS_TYPE_TEXT;

	words->after = " ";
	for (const char *const *sign = is_text ? of_text : of_numbers; *sign; sign++)
		rs_prompt_words_add(words, text, cursor, *sign);
}

/* A column, an operator behind one, a value behind that; where a term begins also a name by itself. */
static void filter_words_complete(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words)
{
	struct rs_app *app = arg;
	char name[RS_APP_FILTER_BYTES];
	size_t before;

	words->from = filter_value_begin(text, cursor);
	before = filter_skip_back(text, words->from);
	if (before && filter_is_operator(text[before - 1])) {
		while (before && filter_is_operator(text[before - 1]))
			before--;
		if (filter_name_before(text, filter_skip_back(text, before), name, sizeof name))
			filter_add_values(app, name, text, cursor, words);
	} else if (before && filter_name_before(text, before, name, sizeof name) && words->from > before) {
		filter_add_operators(app, name, text, cursor, words);
	} else {
		filter_add_columns(app, text, cursor, words);
		if (cursor > words->from)
			filter_add_values(app, "comm", text, cursor, words);
	}
}

void rs_filter_words_begin(struct rs_app *app)
{
	*app->filter.seen_column = '\0'; /* what was seen then is old by now */
	rs_prompt_set_complete(&app->prompt, filter_words_complete);
}

void rs_filter_words_done(struct rs_app *app)
{
	if (app->filter.seen.machine)
		rs_question_done(&app->filter.seen);
}
