/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app-filter.h - one filter that all screens obey: terms that a row must all pass, each a chip of the header
 *
 * A term is an expression (view/expression.h). It holds on each screen whose rows have its columns, and is
 * dim in the header of all others. Short forms: cart is comm ~ cart, 4711 is pid == 4711, >1ms is
 * latency > 1ms.
 */
#ifndef RS_TUI_APP_FILTER_H
#define RS_TUI_APP_FILTER_H

#include "base/buf.h"
#include "tui/app/question.h"
#include "tui/app/screen.h"

#define RS_APP_FILTER_TERMS 8
#define RS_APP_FILTER_BYTES 200

struct rs_app_filter {
	unsigned int nr;
	unsigned int changes;    /* how often: screens that do not ask at each refresh compare it */
	char terms[RS_APP_FILTER_TERMS][RS_APP_FILTER_BYTES];
	/* for completion: the texts of a column that an engine has seen */
	struct rs_question seen;
	char seen_column[RS_APP_FILTER_BYTES];
	const struct rs_view *seen_view;
};

/*
 * Writes a typed text as a term: a short form as what it stands for. Returns false if that is too long for a
 * term.
 */
bool rs_app_filter_expand(const char *text, char term[RS_APP_FILTER_BYTES]);
/*
 * Adds a text, at each && that is outside of quotes and parentheses a term of its own. On failure nothing is
 * added; *at is the byte of the mistake.
 */
int rs_app_filter_add(struct rs_app *app, const char *text, size_t *at, struct rs_error *err);
void rs_app_filter_remove(struct rs_app *app, unsigned int nr); /* out of range: does nothing */
void rs_app_filter_clear(struct rs_app *app);
/* Does the n-th term hold on the top screen? */
bool rs_app_filter_holds(const struct rs_app *app, unsigned int nr);
void rs_app_filter_prompt(struct rs_app *app);
/* Appends a text as an expression has it: in quotes where it must be. */
void rs_app_filter_put_value(const char *text, struct rs_buf *out);

/* filter-words.c: completes words of the prompt, which is open */
void rs_filter_words_begin(struct rs_app *app);
void rs_filter_words_done(struct rs_app *app);

#endif
