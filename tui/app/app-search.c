// SPDX-License-Identifier: GPL-2.0-or-later
/* app-search.c - a search on any screen finds its rows, and besides views and screens by their names */
#include "tui/app/app-search.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"

#define SEARCH_VIEW "view "

void rs_app_search_add(struct rs_prompt_words *words, const char *text, const char *name)
{
	if (words->nr == RS_PROMPT_WORDS || !strcasestr(name, text) || strlen(name) >= RS_PROMPT_WORD_BYTES)
		return;
	for (unsigned int i = 0; i < words->nr; i++)
		if (!strcmp(words->at[i], name))
			return;
	rs_copy(words->at[words->nr++], RS_PROMPT_WORD_BYTES, name);
}

/* Returns the name in "view futex"; NULL: it is another text. */
static const char *search_view_name(const char *text)
{
	size_t len = strlen(SEARCH_VIEW);

	return text && !strncmp(text, SEARCH_VIEW, len) ? text + len : NULL;
}

static void search_add_view(struct rs_prompt_words *words, const char *text, const char *name)
{
	char word[RS_PROMPT_WORD_BYTES];

	if (!strcasestr(name, text))
		return;
	snprintf(word, sizeof word, SEARCH_VIEW "%s", name);
	rs_app_search_add(words, "", word);
}

static void search_complete(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words)
{
	const struct rs_app *app = arg;
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	const char *name = search_view_name(text);

	words->from = 0;
	if (!*text || cursor < strlen(text))
		return;
	if (!name && app->search.hits)
		app->search.hits(app->search.arg, text, words);
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		if (!row->selects)
			search_add_view(words, name ? name : text, row->name);
	for (size_t i = 0; i < c->nr_views; i++)
		if (!c->views[i].why_off)
			search_add_view(words, name ? name : text, c->views[i].view.name);
}

static void search_on_typed(void *arg, const char *text)
{
	const struct rs_app *app = arg;

	if (app->search.typed && !search_view_name(text))
		app->search.typed(app->search.arg, text);
}

/* Returns false if there is none of that name. */
static bool search_open_view(struct rs_app *app, const char *name)
{
	const struct rs_catalogue_view *view = rs_catalogue_view(
		rs_client_catalogue(app->machine->client), name);
	const struct rs_screen_row *row = rs_screen_row(name);

	if (row && row->name)
		rs_app_open_row(app, row, NULL);
	else if (view)
		rs_app_push(app, rs_table_new(app, view, NULL, NULL));
	return (row && row->name) || view;
}

static void search_on_text(void *arg, const char *text)
{
	struct rs_app *app = arg;
	const char *name = search_view_name(text);

	if (!name) {
		app->search.done(app->search.arg, text);
		return;
	}
	app->search.done(app->search.arg, NULL); /* it does not go on with what was typed before */
	if (!search_open_view(app, name))
		rs_app_prompt_refuse(app, strlen(SEARCH_VIEW), "no view has the name '%.40s' (Tab completes)",
				     name);
}

void rs_app_search(struct rs_app *app, const struct rs_app_search *search)
{
	app->search = *search;
	rs_app_prompt(app, "search:", "", search_on_text, search_on_typed, app);
	rs_prompt_set_complete(&app->prompt, search_complete);
}
