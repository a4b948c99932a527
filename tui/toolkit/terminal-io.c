// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-io.c - translates keys and mouse events of ncurses; writes the cells that changed on a canvas to
 * the terminal
 *
 * It compares rows with the terminal's content before ncurses sees them: an unchanged frame costs ncurses
 * nothing.
 */
#include "tui/toolkit/terminal-parts.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/escape.h"
#include "base/monotonic.h"

/* ---- keys ---- */

#define CTRL_L 12
#define DOUBLE_CLICK_MS 400

static uint32_t key_of_curses(wint_t code)
{
	static const struct {
		wint_t curses;
		uint32_t key;
	} keys[] = {
		{ KEY_UP, RS_KEY_UP }, { KEY_DOWN, RS_KEY_DOWN }, { KEY_LEFT, RS_KEY_LEFT },
		{ KEY_RIGHT, RS_KEY_RIGHT },
		{ KEY_PPAGE, RS_KEY_PAGE_UP }, { KEY_NPAGE, RS_KEY_PAGE_DOWN },
		{ KEY_HOME, RS_KEY_HOME }, { KEY_FIND, RS_KEY_HOME }, { KEY_A1, RS_KEY_HOME },
		{ KEY_END, RS_KEY_END }, { KEY_SELECT, RS_KEY_END }, { KEY_C1, RS_KEY_END },
		{ KEY_A3, RS_KEY_PAGE_UP }, { KEY_C3, RS_KEY_PAGE_DOWN },
		{ KEY_ENTER, RS_KEY_ENTER }, { KEY_BACKSPACE, RS_KEY_BACKSPACE },
		{ KEY_BTAB, RS_KEY_BACK_TAB },
		{ KEY_DC, RS_KEY_DELETE }, { KEY_IC, RS_KEY_INSERT },
	};

	if (code >= KEY_F(1) && code <= KEY_F(12))
		return RS_KEY_F1 + (code - KEY_F(1));
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (keys[i].curses == code)
			return keys[i].key;
	return 0;
}

static uint32_t key_of_character(wint_t ch)
{
	switch (ch) {
	case '\r':
	case '\n':
		return RS_KEY_ENTER;
	case '\t':
		return RS_KEY_TAB;
	case '\b':
	case 127:
		return RS_KEY_BACKSPACE;
	case 27:
		return RS_KEY_ESCAPE;
	default:
		return (uint32_t)ch;
	}
}

/* ---- the mouse ---- */

#define MOUSE_WHEEL_UP 64
#define MOUSE_WHEEL_DOWN 65

static bool is_second_click(struct rs_terminal *t, int y, int x)
{
	int64_t now_ms = rs_monotonic_ms();
	bool second = t->pressed_y == y && t->pressed_x == x && now_ms - t->pressed_at_ms < DOUBLE_CLICK_MS;

	t->pressed_y = second ? -1 : y; /* a third click starts anew */
	t->pressed_x = x;
	t->pressed_at_ms = now_ms;
	return second;
}

/* Returns the key of a report, 0 for one that means nothing here: other buttons, motion without one. */
static uint32_t mouse_key(struct rs_terminal *t, const struct rs_mouse_report *r)
{
	if (r->button == MOUSE_WHEEL_UP)
		return r->ctrl ? RS_KEY_ZOOM_IN : RS_KEY_WHEEL_UP;
	if (r->button == MOUSE_WHEEL_DOWN)
		return r->ctrl ? RS_KEY_ZOOM_OUT : RS_KEY_WHEEL_DOWN;
	if (r->released && t->is_pressed) {
		t->is_pressed = false;
		return RS_KEY_MOUSE_UP;
	}
	if (r->button || r->released)
		return 0;
	if (r->motion)
		return t->is_pressed ? RS_KEY_MOUSE_DRAG : 0;
	t->is_pressed = true;
	return is_second_click(t, r->y, r->x) ? RS_KEY_MOUSE_DOUBLE : RS_KEY_MOUSE;
}

/* Takes a character of a report. Returns false if it is none: a key of its own. */
static bool mouse_take(struct rs_terminal *t, uint32_t ch, struct rs_key_event *key)
{
	struct rs_mouse_report r;
	enum rs_mouse_step step = rs_mouse_feed(&t->mouse, ch, &r);

	if (step == RS_MOUSE_DONE && r.y < t->area.height && r.x < t->area.width)
		*key = (struct rs_key_event){ .key = mouse_key(t, &r), .y = r.y, .x = r.x };
	return step != RS_MOUSE_DROPPED;
}

/* ---- signals as keys ---- */

/* Each of these may change the terminal's content: returns true if all must be drawn again. */
static bool signal_key(struct rs_terminal *t, unsigned int requests)
{
	if (requests & (RS_GUARD_STOP | RS_GUARD_CONTINUED))
		rs_terminal_suspend(t, requests & RS_GUARD_STOP);
	else if (requests)
		rs_terminal_fit(t);
	return requests;
}

/* Readable without data means that the other end is closed. Reading again would loop forever. */
static void notice_hangup(const struct rs_terminal *t)
{
	struct pollfd pfd = { .fd = fileno(t->in), .events = POLLIN };
	int nr_bytes = 0;

	if (poll(&pfd, 1, 0) <= 0)
		return;
	if ((pfd.revents & (POLLHUP | POLLERR | POLLNVAL)) ||
	    ((pfd.revents & POLLIN) && ioctl(pfd.fd, FIONREAD, &nr_bytes) == 0 && !nr_bytes))
		rs_terminal_guard_end(SIGHUP);
}

static bool curses_key(struct rs_terminal *t, struct rs_key_event *key)
{
	wint_t ch;
	int kind;

	for (;;) {
		kind = wget_wch(t->input, &ch);
		if (kind == ERR)
			return false;
		key->key = 0;
		if (kind == KEY_CODE_YES && (ch == RS_CODE_SGR || ch == RS_CODE_X10)) {
			rs_mouse_begin(&t->mouse, ch == RS_CODE_SGR);
			continue;
		}
		if (t->mouse.in != RS_MOUSE_IDLE &&
		    mouse_take(t, kind == KEY_CODE_YES ? UINT32_MAX : (uint32_t)ch, key)) {
			if (key->key)
				return true;
			continue;
		}
		key->key = kind == KEY_CODE_YES ? key_of_curses(ch) : key_of_character(ch);
		if (key->key)
			return true;
	}
}

bool rs_terminal_key(struct rs_terminal *t, struct rs_key_event *key)
{
	struct rs_key_event got = { .key = RS_KEY_RESIZE };
	unsigned int requests = rs_terminal_guard_take();

	if (rs_terminal_guard_ended())
		return false;
	if (!signal_key(t, requests) && !curses_key(t, &got)) {
		notice_hangup(t);
		return false;
	}
	if (got.key == CTRL_L) {
		got.key = RS_KEY_RESIZE;
		t->repaint = true;
	}
	*key = got;
	return true;
}

/* ---- styles ---- */

static attr_t attributes(struct rs_style style)
{
	return (style.attrs & RS_ATTR_BOLD ? WA_BOLD : 0) | (style.attrs & RS_ATTR_DIM ? WA_DIM : 0) |
	       (style.attrs & RS_ATTR_UNDERLINE ? WA_UNDERLINE : 0) |
	       (style.attrs & RS_ATTR_REVERSE ? WA_REVERSE : 0);
}

/* NO_COLOR (no-color.org) turns off colors, not bold and underlined. */
static enum rs_depth depth_of_terminal(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors() || start_color() != OK)
		return RS_DEPTH_MONO;
	if (COLORS >= 256 && COLOR_PAIRS >= 256)
		return RS_DEPTH_256;
	return COLORS >= 8 && COLOR_PAIRS >= 64 ? RS_DEPTH_8 : RS_DEPTH_MONO;
}

/* Without default colors of the terminal, uses white on black. */
static short terminal_put_default_color(short colour, bool own, short otherwise)
{
	return colour < 0 && !own ? otherwise : colour;
}

/*
 * Styles with the same colors share a pair: of 8 colors there are 64 pairs, and fewer are used. Returns the
 * pair's number; 0, the terminal's own colors, if there are no more.
 */
static short terminal_pair(struct rs_style *pairs, short *nr, const struct rs_style *style, bool own)
{
	short pair = 1;

	if (style->fg < 0 && style->bg < 0)
		return 0;
	while (pair <= *nr && (pairs[pair].fg != style->fg || pairs[pair].bg != style->bg))
		pair++;
	if (pair <= *nr || pair >= COLOR_PAIRS)
		return pair <= *nr ? pair : 0;
	pairs[pair] = *style;
	*nr = pair;
	init_pair(pair, terminal_put_default_color(style->fg, own, COLOR_WHITE),
		  terminal_put_default_color(style->bg, own, COLOR_BLACK));
	return pair;
}

void rs_terminal_styles(struct rs_terminal *t)
{
	struct rs_style pairs[RS_NR_STYLES + 1];
	short nr_pairs = 0;
	bool own;

	t->depth = t->options.theme == RS_THEME_MONO ? RS_DEPTH_MONO : depth_of_terminal();
	own = t->depth != RS_DEPTH_MONO && use_default_colors() == OK;
	for (short style_id = 0; style_id < RS_NR_STYLES; style_id++) {
		struct rs_style style = rs_theme_style(t->options.theme, t->depth,
						       (enum rs_style_id)style_id);
		short pair = t->depth == RS_DEPTH_MONO ? 0 : terminal_pair(pairs, &nr_pairs, &style, own);

		setcchar(&t->blank[style_id], L" ", attributes(style), pair, NULL);
	}
}

void rs_terminal_theme(struct rs_terminal *t, enum rs_theme theme)
{
	t->options.theme = theme;
	rs_terminal_styles(t);
	t->repaint = true;
}

/* ---- cells ---- */

/* The canvas wrote the cell, so its UTF-8 is valid. */
static cchar_t cchar_of(const struct rs_terminal *t, const struct rs_cell *cell)
{
	cchar_t out = t->blank[cell->style_id];
	size_t len, i = 0, nr = 0;
	uint32_t code;

	if (!cell->text[1]) { /* nearly all cells */
		out.chars[0] = (wchar_t)cell->text[0];
		return out;
	}
	len = strlen(cell->text);
	while (i < len && nr < CCHARW_MAX) {
		i += rs_escape_utf8_next(cell->text + i, len - i, &code);
		out.chars[nr++] = (wchar_t)code;
	}
	return out;
}

/*
 * Writes from the first cell that differs to the last. It never begins inside a wide character, because
 * second halves differ only if first ones do. If it ends inside one, ncurses writes both halves.
 */
static void terminal_put_row(struct rs_terminal *t, const struct rs_cell *row, struct rs_cell *shown, int y,
			     int width)
{
	int from = 0, end = width, nr = 0;

	while (from < width && !memcmp(row + from, shown + from, sizeof *row))
		from++;
	while (end > from && !memcmp(row + end - 1, shown + end - 1, sizeof *row))
		end--;
	for (int x = from; x < end; x++)
		if (row[x].width)
			t->run[nr++] = cchar_of(t, row + x);
	mvwadd_wchnstr(stdscr, y, from, t->run, nr);
	memcpy(shown + from, row + from, (size_t)(end - from) * sizeof *row);
}

static bool terminal_put_rows(struct rs_terminal *t, const struct rs_canvas *c)
{
	int height = c->height < t->shown->height ? c->height : t->shown->height;
	int width = c->width < t->shown->width ? c->width : t->shown->width;
	bool changed = false;

	for (int y = 0; y < height; y++) {
		const struct rs_cell *row = rs_canvas_row(c, y);
		struct rs_cell *shown = rs_canvas_row(t->shown, y);

		if (!memcmp(row, shown, (size_t)width * sizeof *row))
			continue;
		terminal_put_row(t, row, shown, y, width);
		changed = true;
	}
	return changed;
}

void rs_terminal_put(struct rs_terminal *t, const struct rs_canvas *c)
{
	bool changed;

	if (t->repaint) {
		rs_canvas_clear(t->shown);
		werase(stdscr);
		clearok(curscr, TRUE);
	}
	changed = terminal_put_rows(t, c);
	if (!changed && !t->repaint)
		return;
	t->repaint = false;
	wrefresh(stdscr);
}
