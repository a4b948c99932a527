// SPDX-License-Identifier: GPL-2.0-or-later
/* prompt.c - a line editor: cursor, history, UTF-8, words that Tab completes, texts that are refused */
#include "tui/toolkit/prompt.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "tui/toolkit/keys.h"

static void prompt_set_text(struct rs_prompt *p, const char *text)
{
	size_t len = strnlen(text, sizeof p->text - 1);

	memmove(p->text, text, len);
	p->text[len] = '\0';
	p->len = p->cursor = len;
}

void rs_prompt_open(struct rs_prompt *p, const char *question, const char *preset,
		    void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text),
		    void *arg)
{
	p->open = true;
	*p->why = '\0';
	p->complete = NULL;
	p->empty = NULL;
	p->words.nr = 0;
	p->cycled = -1;
	snprintf(p->question, sizeof p->question, "%s", question);
	prompt_set_text(p, preset ? preset : "");
	p->recalled = -1;
	p->done = done;
	p->typed = typed;
	p->arg = arg;
}

void rs_prompt_drop(struct rs_prompt *p)
{
	p->open = false;
}

/* ---- history ---- */

static void prompt_remember(struct rs_prompt *p)
{
	struct rs_prompt_entry *first = &p->history[0];

	if (!p->len || (!strcmp(first->text, p->text) && !strcmp(first->question, p->question)))
		return;
	memmove(first + 1, first, sizeof p->history - sizeof *first);
	rs_copy(first->text, sizeof first->text, p->text);
	rs_copy(first->question, sizeof first->question, p->question);
}

static void recall(struct rs_prompt *p, int step)
{
	int at = p->recalled + step;

	while (at >= 0 && at < RS_PROMPT_HISTORY && strcmp(p->history[at].question, p->question))
		at += step;
	if (at >= RS_PROMPT_HISTORY || at < -1)
		return;
	if (p->recalled < 0 && at >= 0)
		memcpy(p->typed_text, p->text, sizeof p->text);
	p->recalled = at;
	prompt_set_text(p, at < 0 ? p->typed_text : p->history[at].text);
}

/* ---- editing ---- */

static bool continues(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t prompt_find_previous(const struct rs_prompt *p, size_t at)
{
	do {
		at -= at > 0;
	} while (at && continues(p->text[at]));
	return at;
}

static size_t after(const struct rs_prompt *p, size_t at)
{
	do {
		at += at < p->len;
	} while (at < p->len && continues(p->text[at]));
	return at;
}

static size_t word_before(const struct rs_prompt *p)
{
	size_t at = p->cursor;

	while (at && p->text[at - 1] == ' ')
		at--;
	while (at && p->text[at - 1] != ' ')
		at--;
	return at;
}

static void prompt_delete_range(struct rs_prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->cursor = from;
}

static void prompt_insert(struct rs_prompt *p, uint32_t key)
{
	char utf8[4];
	size_t nr = rs_keys_utf8(key, utf8);

	if (p->len + nr >= sizeof p->text)
		return;
	memmove(p->text + p->cursor + nr, p->text + p->cursor, p->len - p->cursor + 1);
	memcpy(p->text + p->cursor, utf8, nr);
	p->len += nr;
	p->cursor += nr;
}

/* Returns false if the text did not change. */
static bool edit(struct rs_prompt *p, uint32_t key)
{
	size_t len = p->len;

	switch (key) {
	case RS_KEY_BACKSPACE: case RS_CTRL('h'):
		prompt_delete_range(p, prompt_find_previous(p, p->cursor), p->cursor);
		break;
	case RS_KEY_DELETE: case RS_CTRL('d'):
		prompt_delete_range(p, p->cursor, after(p, p->cursor));
		break;
	case RS_CTRL('u'):
		prompt_delete_range(p, 0, p->cursor);
		break;
	case RS_CTRL('k'):
		prompt_delete_range(p, p->cursor, p->len);
		break;
	case RS_CTRL('w'):
		prompt_delete_range(p, word_before(p), p->cursor);
		break;
	case RS_KEY_UP: case RS_KEY_DOWN:
		recall(p, key == RS_KEY_UP ? 1 : -1);
		return true;
	default:
		if (rs_keys_is_text(key))
			prompt_insert(p, key);
	}
	return p->len != len;
}

static bool prompt_move_cursor(struct rs_prompt *p, uint32_t key)
{
	switch (key) {
	case RS_KEY_LEFT: case RS_CTRL('b'):
		p->cursor = prompt_find_previous(p, p->cursor);
		return true;
	case RS_KEY_RIGHT: case RS_CTRL('f'):
		p->cursor = after(p, p->cursor);
		return true;
	case RS_KEY_HOME: case RS_CTRL('a'):
		p->cursor = 0;
		return true;
	case RS_KEY_END: case RS_CTRL('e'):
		p->cursor = p->len;
		return true;
	default:
		return false;
	}
}

/*
 * Closes the prompt before the callback, which may open another one or refuse the text. A refused text is in
 * the history as well: it may be wanted again on a screen that takes it.
 */
static void prompt_end_of_text(struct rs_prompt *p, bool taken)
{
	char text[RS_PROMPT_BYTES];

	memcpy(text, p->text, p->len + 1);
	if (taken)
		prompt_remember(p);
	p->open = false;
	p->done(p->arg, taken ? text : NULL);
}

void rs_prompt_refuse(struct rs_prompt *p, size_t at, const char *why)
{
	p->open = true;
	p->recalled = -1;
	p->cursor = at < p->len ? at : p->len;
	while (p->cursor && p->cursor < p->len && continues(p->text[p->cursor]))
		p->cursor--;
	rs_copy(p->why, sizeof p->why, why);
	rs_prompt_complete(p);
}

/* ---- completion ---- */

void rs_prompt_words_add(struct rs_prompt_words *words, const char *text, size_t cursor, const char *word)
{
	if (words->nr == RS_PROMPT_WORDS || !*word || strlen(word) >= RS_PROMPT_WORD_BYTES ||
	    strncasecmp(word, text + words->from, cursor - words->from))
		return;
	for (unsigned int i = 0; i < words->nr; i++)
		if (!strcmp(words->at[i], word))
			return;
	rs_copy(words->at[words->nr++], RS_PROMPT_WORD_BYTES, word);
}

void rs_prompt_complete(struct rs_prompt *p)
{
	p->cycled = -1;
	p->words.nr = 0;
	p->words.from = p->cursor;
	p->words.after = NULL;
	if (p->complete)
		p->complete(p->arg, p->text, p->cursor, &p->words);
}

void rs_prompt_set_complete(struct rs_prompt *p,
			    void (*complete)(void *arg, const char *text, size_t cursor,
					     struct rs_prompt_words *words))
{
	p->complete = complete;
	rs_prompt_complete(p);
}

/* Returns how many bytes all words begin with alike, in whole characters. */
static size_t prompt_common_bytes(const struct rs_prompt_words *words)
{
	size_t len = strlen(words->at[0]);

	for (unsigned int i = 1; i < words->nr; i++)
		while (strncasecmp(words->at[0], words->at[i], len))
			len--;
	while (len && continues(words->at[0][len]))
		len--;
	return len;
}

/* Puts it in the place of the word at the cursor. Returns false if it does not fit. */
static bool prompt_put_word(struct rs_prompt *p, const char *word, size_t len, const char *after)
{
	size_t from = p->words.from, rest = p->len - p->cursor, more = after ? strlen(after) : 0;

	if (from + len + more + rest >= sizeof p->text)
		return false;
	memmove(p->text + from + len + more, p->text + p->cursor, rest + 1);
	memcpy(p->text + from, word, len);
	memcpy(p->text + from + len, after ? after : "", more);
	p->cursor = from + len + more;
	p->len = p->cursor + rest;
	return true;
}

/* The only word, or what all have in common; if that is there, one after the other. */
static void prompt_tab(struct rs_prompt *p, int by)
{
	const struct rs_prompt_words *words = &p->words;
	int nr = (int)words->nr;
	size_t common;

	if (!nr)
		return;
	*p->why = '\0';
	common = prompt_common_bytes(words);
	if (p->cycled < 0 && nr > 1 && common > p->cursor - words->from) {
		prompt_put_word(p, words->at[0], common, NULL);
		rs_prompt_complete(p);
	} else if (nr == 1) {
		if (prompt_put_word(p, words->at[0], strlen(words->at[0]), words->after))
			rs_prompt_complete(p);
	} else {
		int at = p->cycled < 0 ? by > 0 ? 0 : nr - 1 : (p->cycled + nr + by) % nr;

		if (prompt_put_word(p, words->at[at], strlen(words->at[at]), NULL))
			p->cycled = at;
	}
}

static void prompt_changed(struct rs_prompt *p)
{
	*p->why = '\0';
	rs_prompt_complete(p);
	if (p->typed)
		p->typed(p->arg, p->text);
}

static bool prompt_is_delete(uint32_t key)
{
	return key == RS_KEY_BACKSPACE || key == RS_CTRL('h');
}

void rs_prompt_key(struct rs_prompt *p, uint32_t key)
{
	if (key == RS_KEY_ENTER || key == '\r' || key == '\n')
		prompt_end_of_text(p, true);
	else if (key == RS_KEY_ESCAPE || key == RS_CTRL('c') || key == RS_CTRL('g'))
		prompt_end_of_text(p, false);
	else if (key == RS_KEY_TAB || key == '\t' || key == RS_KEY_BACK_TAB)
		prompt_tab(p, key == RS_KEY_BACK_TAB ? -1 : 1);
	else if (prompt_is_delete(key) && !p->len && p->empty)
		p->empty(p->arg);
	else if (prompt_move_cursor(p, key))
		rs_prompt_complete(p);
	else if (edit(p, key))
		prompt_changed(p);
}

/* ---- drawing ---- */

/* From the one on that Tab has put in. */
static void prompt_draw_words(const struct rs_prompt *p, struct rs_canvas *c, struct rs_area line)
{
	int x = line.x + 1, end = line.x + line.width - 1;
	unsigned int i = p->cycled > 0 ? (unsigned int)p->cycled : 0;

	rs_canvas_fill(c, line, RS_STYLE_DIM);
	for (; i < p->words.nr && x < end; i++) {
		int width = rs_put_text_columns(p->words.at[i], rs_canvas_ascii(c));

		if (x + width > end)
			break;
		x += rs_put(c, line.y, x, end - x, (int)i == p->cycled ? RS_STYLE_KEY : RS_STYLE_DIM,
			    p->words.at[i]) +
		     2;
	}
	if (i < p->words.nr)
		rs_put_glyph(c, line.y, end, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
}

/* Scrolls the text so that the cursor stays visible. */
static void prompt_draw_text(const struct rs_prompt *p, struct rs_canvas *c, struct rs_area line)
{
	bool ascii = rs_canvas_ascii(c);
	char head[RS_PROMPT_BYTES];
	const char *from = p->text;
	int x, width, columns;

	rs_canvas_fill(c, line, RS_STYLE_TEXT);
	x = line.x + rs_put_format(c, line.y, line.x, line.width, RS_STYLE_KEY, "%s ", p->question);
	width = line.x + line.width - x;
	memcpy(head, p->text, p->cursor);
	head[p->cursor] = '\0';
	while ((columns = rs_put_text_columns(head + (from - p->text), ascii)) >= width && *from)
		from = p->text + after(p, (size_t)(from - p->text));
	rs_put(c, line.y, x, width, RS_STYLE_TEXT, from);
	if (width > 0)
		rs_canvas_set_style(c, (struct rs_area){ line.y, x + columns, 1, 1 }, RS_STYLE_SELECTED);
}

void rs_prompt_draw(const struct rs_prompt *p, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area line = { area.y + area.height - 1, area.x, 1, area.width };

	if (*p->why && line.y > area.y) {
		rs_canvas_fill(c, line, RS_STYLE_BAD);
		rs_put_format(c, line.y, line.x + 1, line.width - 1, RS_STYLE_BAD, "! %s", p->why);
		line.y--;
	}
	prompt_draw_text(p, c, line);
	line.y--;
	if (p->words.nr && line.y >= area.y)
		prompt_draw_words(p, c, line);
}
