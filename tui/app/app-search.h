/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app-search.h - a search on any screen finds its rows, and besides views and screens by their names
 *
 *	rs_app_search(app, &(struct rs_app_search){ .done = on_text, .typed = on_typed, .arg = screen });
 *
 * Tab goes through the hits. Those of the screen are first; of a view "view futex", which Enter opens.
 */
#ifndef RS_TUI_APP_APP_SEARCH_H
#define RS_TUI_APP_APP_SEARCH_H

#include "tui/toolkit/prompt.h"

struct rs_app;

/* What the screen does with the text: as of a prompt, see rs_app_prompt, but never called with a view. */
struct rs_app_search {
	void (*done)(void *arg, const char *text);
	void (*typed)(void *arg, const char *text);
	/* Adds hits of the screen with rs_app_search_add; NULL: it has none to list. */
	void (*hits)(void *arg, const char *text, struct rs_prompt_words *words);
	void *arg;
};

void rs_app_search(struct rs_app *app, const struct rs_app_search *search);
/* Adds a name that contains the text, ignoring case, once. */
void rs_app_search_add(struct rs_prompt_words *words, const char *text, const char *name);

#endif
