// SPDX-License-Identifier: GPL-2.0-or-later
/* menu.c - a screen with a list of lines to select from; typed text narrows the list */
#include "tui/app/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/key-tables.h"
#include "base/buf.h"
#include "tui/toolkit/fuzzy.h"
#include "tui/toolkit/list.h"

#define MENU_WIDE 72  /* columns of a screen that has room for the groups */
#define MENU_GROUP 14
#define MENU_RANK_TEXT 1000 /* behind all names */
#define MENU_COUNT 10 /* "12,345,678" */

struct menu {
	struct rs_screen screen; /* first */
	struct rs_screen_ops ops;
	struct rs_menu of;
	struct rs_menu_line *lines;
	size_t nr, *seen, nr_seen; /* seen: indices of the lines that match the typed text */
	int *ranks;              /* of all lines, as menu_rank says */
	struct rs_list list;
	char typed[48];
	size_t typed_len;
};

enum { TAKE = 1, CLOSE, TOGGLE, EARLIER, LATER };

const struct rs_key rs_menu_keys[] = {
	{ { RS_KEY_ENTER }, TAKE, "Choose", "take the line", RS_KEY_SELECTION },
	{ { RS_KEY_ESCAPE }, CLOSE, "Back", "clear the text, then close the list" },
	{ .help = NULL },
};

const struct rs_key rs_menu_check_keys[] = {
	{ { ' ', RS_KEY_INSERT }, TOGGLE, "On/off", "show the column or do not", RS_KEY_SELECTION },
	{ { RS_KEY_LEFT, '-' }, EARLIER, "Earlier", "move the column to the left", RS_KEY_SELECTION },
	{ { RS_KEY_RIGHT, '+' }, LATER, "Later", "move the column to the right", RS_KEY_SELECTION },
	{ { RS_KEY_ENTER }, CLOSE, "Done", "back to the table" },
	{ { RS_KEY_ESCAPE }, CLOSE, "Back", "clear the text, then close the list", RS_KEY_RARE },
	{ .help = NULL },
};

/* What is typed after the first word, for a line that takes it; "" otherwise. */
static const char *menu_text_after(const struct menu *m, const struct rs_menu_line *l)
{
	const char *blank = l->takes_text ? strchr(m->typed, ' ') : NULL;

	return blank ? blank + strspn(blank, " ") : "";
}

static bool menu_contains(const char *text, const char *typed)
{
	return text && strcasestr(text, typed);
}

/*
 * Names come first, the best first: a typed name means that name, not a help text that contains it. Returns
 * -1 if the line has nothing of what is typed.
 */
static int menu_rank(const struct menu *m, const struct rs_menu_line *l)
{
	char word[sizeof m->typed];
	int rank = rs_fuzzy_rank(l->name, m->typed);

	if (rank < 0 && *menu_text_after(m, l)) {
		rs_copy(word, sizeof word, m->typed);
		*strchr(word, ' ') = '\0';
		rank = rs_fuzzy_rank(l->name, word);
	}
	if (rank >= 0)
		return rank;
	return menu_contains(l->heading, m->typed) || menu_contains(l->help, m->typed) ||
	       menu_contains(l->group, m->typed) ? MENU_RANK_TEXT : -1;
}

/* Of one rank, lines stay in their order. */
static void menu_narrow_filter(struct menu *m)
{
	m->nr_seen = 0;
	for (size_t i = 0; i < m->nr; i++) {
		size_t at = m->nr_seen;

		m->ranks[i] = m->typed_len ? menu_rank(m, &m->lines[i]) : 0;
		if (m->ranks[i] < 0)
			continue;
		for (; at && m->ranks[m->seen[at - 1]] > m->ranks[i]; at--)
			m->seen[at] = m->seen[at - 1];
		m->seen[at] = i;
		m->nr_seen++;
	}
	rs_list_fit(&m->list, m->nr_seen, m->list.height);
	rs_app_redraw(m->screen.app);
}

static struct rs_menu_line *selected(struct menu *m)
{
	return m->list.at < m->nr_seen ? &m->lines[m->seen[m->list.at]] : NULL;
}

static void menu_accept_choice(struct menu *m)
{
	const struct rs_menu_line *l = selected(m);
	char text[sizeof m->typed];

	if (!l)
		return;
	rs_copy(text, sizeof text, menu_text_after(m, l));
	if (l->dim) {
		rs_app_say(m->screen.app, RS_STYLE_WARN, "%s: %s", l->name, l->help ? l->help : "not now");
		return;
	}
	rs_app_pop(m->screen.app); /* closes it, and frees it later */
	if (m->of.run)
		m->of.run(m->of.arg, l->id, text);
	else if (m->of.selected)
		m->of.selected(m->of.arg, l->id);
}

static void move_line(struct menu *m, int by)
{
	size_t at = m->list.at, to = at + (size_t)by;
	struct rs_menu_line moved;

	if (m->typed_len || to >= m->nr || at >= m->nr)
		return;
	moved = m->lines[at];
	m->lines[at] = m->lines[to];
	m->lines[to] = moved;
	rs_list_to(&m->list, to);
}

static void close_menu(struct menu *m)
{
	if (m->typed_len) {
		m->typed[m->typed_len = 0] = '\0';
		menu_narrow_filter(m);
	} else {
		rs_app_pop(m->screen.app);
	}
}

static bool menu_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct menu *m = (struct menu *)s;
	struct rs_menu_line *l = selected(m);

	if (action == TAKE)
		menu_accept_choice(m);
	else if (action == CLOSE)
		close_menu(m);
	else if (action == TOGGLE && l)
		l->on = !l->on;
	else if (action == EARLIER || action == LATER)
		move_line(m, action == EARLIER ? -1 : 1);
	if (action >= TOGGLE && m->of.changed)
		m->of.changed(m->of.arg, m->lines, m->nr);
	return true;
}

static bool type(struct menu *m, uint32_t key)
{
	if (key == RS_KEY_BACKSPACE && m->typed_len) {
		do {
			m->typed[--m->typed_len] = '\0';
		} while (m->typed_len && ((unsigned char)m->typed[m->typed_len] & 0xC0) == 0x80);
	} else if (key == RS_CTRL('u')) {
		m->typed[m->typed_len = 0] = '\0';
	} else if (rs_keys_is_text(key)) { /* a letter never is a key of the app here */
		if ((key == ' ' && !m->of.run) || m->typed_len + 5 > sizeof m->typed)
			return true;
		m->typed_len += rs_keys_utf8(key, m->typed + m->typed_len);
		m->typed[m->typed_len] = '\0';
	} else {
		return false;
	}
	m->list.at = 0;
	menu_narrow_filter(m);
	return true;
}

static bool menu_handle_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct menu *m = (struct menu *)s;
	size_t line = m->list.top + (size_t)(key->y - 1);

	if (rs_list_key(&m->list, key->key))
		return true;
	if (key->key == RS_KEY_MOUSE || key->key == RS_KEY_MOUSE_DOUBLE) {
		if (key->y < 1 || line >= m->nr_seen)
			return true;
		rs_list_to(&m->list, line);
		if (key->key == RS_KEY_MOUSE_DOUBLE && !m->of.checks)
			menu_accept_choice(m);
		return true;
	}
	return type(m, key->key);
}

/* Puts a column of at most `columns`, padded, and returns where the next one begins. */
static int menu_put_column(struct rs_canvas *c, struct rs_area line, int x, int columns,
			   enum rs_style_id style_id, const char *text)
{
	int left = line.x + line.width - x;

	return x + rs_put_padded(c, line.y, x, left < columns ? left : columns, style_id, text) + 1;
}

/* The group of a line, where it is another than that of the line above; nothing on a narrow screen. */
static int menu_put_group(struct menu *m, struct rs_canvas *c, struct rs_area line, size_t seen)
{
	const struct rs_menu_line *l = &m->lines[m->seen[seen]];
	const char *above = seen && seen > m->list.top ? m->lines[m->seen[seen - 1]].group : NULL;

	if (!l->group || line.width < MENU_WIDE)
		return line.x + 1;
	return menu_put_column(c, line, line.x + 1, MENU_GROUP, RS_STYLE_HEADING,
			       above && !strcmp(above, l->group) ? "" : l->group);
}

static void menu_draw_line(struct menu *m, struct rs_canvas *c, struct rs_area line, size_t seen)
{
	const struct rs_menu_line *l = &m->lines[m->seen[seen]];
	enum rs_style_id style_id = l->dim || l->empty ? RS_STYLE_DIM : RS_STYLE_TEXT;
	int x = menu_put_group(m, c, line, seen), end = line.x + line.width;

	if (m->of.checks)
		x += rs_put(c, line.y, x, end - x, style_id, l->on ? "[x] " : "[ ] ");
	x = menu_put_column(c, line, x, 18, style_id, l->name);
	if (*l->heading)
		x = menu_put_column(c, line, x, m->of.ask ? 9 : 12, style_id, l->heading);
	if (m->of.ask && end - x > MENU_COUNT) {
		rs_put_right(c, line.y, x, MENU_COUNT, style_id, l->count);
		x += MENU_COUNT + 2;
	}
	if (l->help)
		rs_put(c, line.y, x, end - x, RS_STYLE_DIM, l->help);
	if (seen == m->list.at)
		rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
}

static void menu_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct menu *m = (struct menu *)s;

	rs_put_format(c, area.y, area.x, area.width, RS_STYLE_HEADING, " %s  %s%s", m->of.title,
		      m->typed_len ? "contains: " : "(type to narrow)", m->typed);
	rs_list_fit(&m->list, m->nr_seen, area.height > 1 ? (size_t)area.height - 1 : 0);
	for (size_t i = 0; i < m->list.height && m->list.top + i < m->nr_seen; i++)
		menu_draw_line(m, c, (struct rs_area){ area.y + 1 + (int)i, area.x, 1, area.width },
			       m->list.top + i);
	if (!m->nr_seen)
		rs_put(c, area.y + 1, area.x + 1, area.width - 1, RS_STYLE_DIM, "no match");
}

static void menu_put_title(struct rs_screen *s, struct rs_buf *out)
{
	rs_buf_puts(out, ((struct menu *)s)->of.title);
}

static void free_menu(struct rs_screen *s)
{
	struct menu *m = (struct menu *)s;

	if (m->of.free)
		m->of.free(m->of.arg);
	free(m->lines);
	free(m->seen);
	free(m->ranks);
	free(m);
}

static void menu_ask(struct rs_screen *s)
{
	struct menu *m = (struct menu *)s;

	if (m->of.ask)
		m->of.ask(m->of.arg);
}

struct rs_menu_line *rs_menu_line(struct rs_screen *menu, size_t n)
{
	return &((struct menu *)menu)->lines[n];
}

struct rs_screen *rs_menu_new(struct rs_app *app, const struct rs_menu *menu,
			      const struct rs_menu_line *lines, size_t nr)
{
	struct menu *m = rs_screen_new(app, NULL, sizeof *m);

	if (m) {
		m->lines = calloc(nr + 1, sizeof *m->lines);
		m->seen = calloc(nr + 1, sizeof *m->seen);
		m->ranks = calloc(nr + 1, sizeof *m->ranks);
	}
	if (!m || !m->lines || !m->seen || !m->ranks) {
		if (m)
			free_menu(&m->screen);
		return NULL;
	}
	m->of = *menu;
	m->ops = (struct rs_screen_ops){
		.name = menu->name, .keys = menu->checks ? rs_menu_check_keys : rs_menu_keys, .types = true,
		.ask = menu_ask, .draw = menu_draw, .act = menu_run_action, .key = menu_handle_key,
		.title = menu_put_title, .help_text = menu->details, .free = free_menu,
	};
	m->screen.ops = &m->ops;
	m->nr = nr;
	memcpy(m->lines, lines, nr * sizeof *lines);
	m->list.height = nr;
	menu_narrow_filter(m);
	rs_list_to(&m->list, menu->at);
	return &m->screen;
}
