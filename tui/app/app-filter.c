// SPDX-License-Identifier: GPL-2.0-or-later
/* app-filter.c - the filter of all screens: short forms, terms, and what they ask of the rows of a view */
#include <stdio.h>
#include <string.h>

#include "ringside/event.h"
#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "view/expression.h"

/* ---- short forms ---- */

#define FILTER_OPERATORS "=!<>~&|()\"'"
#define FILTER_BLANKS " \t"

static size_t filter_trim(const char **text)
{
	size_t len;

	*text += strspn(*text, FILTER_BLANKS);
	len = strlen(*text);
	while (len && strchr(FILTER_BLANKS, (*text)[len - 1]))
		len--;
	return len;
}

void rs_app_filter_put_value(const char *text, struct rs_buf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:/-*?";

	if (*text && !text[strspn(text, plain)] && strcmp(text, "-"))
		rs_buf_puts(out, text);
	else
		rs_expression_put_text(out, text);
}

/*
 * The kernel keeps 15 bytes of a name: a longer one matches nothing. Cuts it there, at a whole character.
 */
static void filter_put_comm(const char *text, size_t len, struct rs_buf *out)
{
	char comm[RS_COMM_LEN];

	if (len >= sizeof comm)
		for (len = sizeof comm - 1; len && (text[len] & 0xc0) == 0x80; len--)
			;
	memcpy(comm, text, len);
	comm[len] = '\0';
	rs_buf_puts(out, "comm ~ ");
	rs_app_filter_put_value(comm, out);
}

static void filter_put_latency(const char *text, size_t len, struct rs_buf *out)
{
	size_t sign = strspn(text, "<>="), blanks = strspn(text + sign, FILTER_BLANKS);

	rs_buf_printf(out, "latency %.*s %.*s", (int)sign, text, (int)(len - sign - blanks),
		      text + sign + blanks);
}

bool rs_app_filter_expand(const char *text, char term[RS_APP_FILTER_BYTES])
{
	struct rs_buf out = RS_BUF_INIT;
	size_t len = filter_trim(&text);
	bool fits;

	if (strspn(text, "0123456789") == len && len)
		rs_buf_printf(&out, "pid == %.*s", (int)len, text);
	else if (*text == '<' || *text == '>')
		filter_put_latency(text, len, &out);
	else if (strcspn(text, FILTER_OPERATORS) >= len && len)
		filter_put_comm(text, len, &out);
	else
		rs_buf_add(&out, text, len);
	fits = out.len && out.len < RS_APP_FILTER_BYTES;
	rs_copy(term, RS_APP_FILTER_BYTES, fits ? out.data : "");
	rs_buf_done(&out);
	return fits;
}

/* ---- terms ---- */

/* Is it a column that names a task? */
static bool filter_is_of_task(const char *column)
{
	return !strcmp(column, "comm") || !strcmp(column, "pid") || !strcmp(column, "tid");
}

/* A screen about a task shows that task, also if the filter names another: its culprit. */
static bool filter_is_decided(const struct rs_expression *e, const struct rs_selection_keys *given)
{
	bool of_task = given && rs_selection_thread(given) > 0;

	for (unsigned int i = 0; given && e->columns[i].name; i++) {
		const char *name = e->columns[i].name;

		if (e->used >> i & 1 && (rs_selection_key(given, name) ||
					 ((of_task || rs_selection_key(given, "comm")) &&
					  filter_is_of_task(name))))
			return true;
	}
	return false;
}

static bool filter_holds_for(const char *term, const struct rs_view *view,
			      const struct rs_selection_keys *given)
{
	struct rs_error ignored = { 0 };
	struct rs_expression e;

	return view && rs_expression_parse(&e, view, NULL, term, &ignored) == 0 &&
	       !filter_is_decided(&e, given);
}

static const struct rs_view *filter_view_of_top(const struct rs_app *app,
						const struct rs_selection_keys **given)
{
	struct rs_screen *top = rs_app_top(app);

	*given = NULL;
	return top && top->ops->filtered ? top->ops->filtered(top, given) : NULL;
}

bool rs_app_filter_holds(const struct rs_app *app, unsigned int nr)
{
	const struct rs_selection_keys *given;
	const struct rs_view *view = filter_view_of_top(app, &given);

	return filter_holds_for(app->filter.terms[nr], view, given);
}

bool rs_app_filter_uses(const struct rs_app *app, const struct rs_view *view,
			const struct rs_selection_keys *given, const char *name)
{
	int column = rs_column_named(view, name);
	struct rs_error ignored = { 0 };
	struct rs_expression e;

	for (unsigned int i = 0; column >= 0 && i < app->filter.nr; i++)
		if (filter_holds_for(app->filter.terms[i], view, given) &&
		    rs_expression_parse(&e, view, NULL, app->filter.terms[i], &ignored) == 0 &&
		    e.used >> column & 1)
			return true;
	return false;
}

void rs_app_filter_where(const struct rs_app *app, const struct rs_view *view,
			 const struct rs_selection_keys *given, const char *own, struct rs_buf *out)
{
	const char *parts[RS_APP_FILTER_TERMS + 1];
	unsigned int nr = 0;

	if (own && *own)
		parts[nr++] = own;
	for (unsigned int i = 0; i < app->filter.nr; i++)
		if (filter_holds_for(app->filter.terms[i], view, given))
			parts[nr++] = app->filter.terms[i];
	for (unsigned int i = 0; i < nr; i++)
		rs_buf_printf(out, "%s%s%s%s", i ? " && " : "", nr > 1 ? "(" : "", parts[i],
			      nr > 1 ? ")" : "");
}

/*
 * Parses with the columns of the screen, else with those of any other: a term may be for another screen. The
 * message is that of the screen's.
 */
static int filter_check(const struct rs_app *app, const char *term, size_t *at, struct rs_error *err)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	const struct rs_selection_keys *given;
	const struct rs_view *view = filter_view_of_top(app, &given);
	struct rs_error ignored = { 0 };
	struct rs_expression e;

	if (rs_expression_parse(&e, view ? view : rs_filter_view(RS_FILTER_SPANS), NULL, term, err) == 0)
		return 0;
	*at = e.error_at;
	for (int i = 0; i < RS_NR_FILTER_VIEWS; i++)
		if (rs_expression_parse(&e, rs_filter_view((enum rs_filter_view)i), NULL, term,
					&ignored) == 0)
			return 0;
	for (size_t i = 0; i < c->nr_views; i++)
		if (rs_expression_parse(&e, &c->views[i].view, NULL, term, &ignored) == 0)
			return 0;
	return -1;
}

/*
 * Returns the bytes up to the next && that joins two terms. Where || is outside of parentheses there is none:
 * && binds closer.
 */
static size_t filter_term_len(const char *text)
{
	size_t depth = 0, first = 0;
	char quote = '\0';

	for (size_t i = 0; text[i]; i++) {
		if (quote && text[i] == '\\' && text[i + 1])
			i++;
		else if (quote)
			quote = text[i] == quote ? '\0' : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (text[i] == '(')
			depth++;
		else if (text[i] == ')')
			depth -= depth > 0;
		else if (!depth && !strncmp(text + i, "||", 2))
			return strlen(text);
		else if (!depth && !first && !strncmp(text + i, "&&", 2))
			first = i;
	}
	return first ? first : strlen(text);
}

static int filter_add_term(struct rs_app *app, const char *text, size_t len, size_t *at, struct rs_error *err)
{
	struct rs_app_filter *f = &app->filter;
	char typed[RS_PROMPT_BYTES], term[RS_APP_FILTER_BYTES];
	size_t in_term = 0;

	snprintf(typed, sizeof typed, "%.*s", (int)len, text);
	*at = strspn(typed, FILTER_BLANKS);
	if (!typed[*at])
		return rs_fail_usage(err, "a comparison is missing (such as cart, 4711, >1ms, dev == 8,0)");
	if (!rs_app_filter_expand(typed, term))
		return rs_fail_usage(err, "more than %d bytes", RS_APP_FILTER_BYTES - 1);
	if (f->nr == RS_APP_FILTER_TERMS)
		return rs_fail_usage(err, "more than %d filters (Backspace removes the last, | all)",
				     RS_APP_FILTER_TERMS);
	if (filter_check(app, term, &in_term, err) < 0) {
		*at += !strcmp(term, typed + *at) ? in_term : 0;
		return -1;
	}
	for (unsigned int i = 0; i < f->nr; i++)
		if (!strcmp(f->terms[i], term))
			return 0;
	rs_copy(f->terms[f->nr++], RS_APP_FILTER_BYTES, term);
	return 0;
}

static void filter_changed(struct rs_app *app)
{
	app->filter.changes++;
	rs_app_refresh(app);
}

int rs_app_filter_add(struct rs_app *app, const char *text, size_t *at, struct rs_error *err)
{
	unsigned int before = app->filter.nr;
	const char *from = text;

	do {
		size_t len = filter_term_len(from);

		if (filter_add_term(app, from, len, at, err) < 0) {
			*at += (size_t)(from - text);
			app->filter.nr = before;
			return -1;
		}
		from += len;
		from += *from ? 2 : 0;
	} while (*from || (from > text && from[-1] == '&'));
	filter_changed(app);
	return 0;
}

void rs_app_filter_remove(struct rs_app *app, unsigned int nr)
{
	struct rs_app_filter *f = &app->filter;

	if (nr >= f->nr)
		return;
	f->nr--;
	memmove(f->terms[nr], f->terms[nr + 1], (f->nr - nr) * sizeof f->terms[0]);
	filter_changed(app);
}

void rs_app_filter_clear(struct rs_app *app)
{
	app->filter.nr = 0;
	filter_changed(app);
}

/* ---- the prompt ---- */

static void filter_got(void *arg, const char *text)
{
	struct rs_app *app = arg;
	struct rs_error err = { 0 };
	size_t at;

	if (text && *text && rs_app_filter_add(app, text, &at, &err) < 0)
		rs_app_prompt_refuse(app, at, "%s", err.text);
}

static bool filter_remove_last(void *arg)
{
	struct rs_app *app = arg;

	if (!app->filter.nr)
		return false;
	rs_app_filter_remove(app, app->filter.nr - 1);
	return true;
}

void rs_app_filter_prompt(struct rs_app *app)
{
	rs_app_prompt(app, "filter:", "", filter_got, NULL, app);
	app->prompt.empty = filter_remove_last;
	rs_filter_words_begin(app);
}
