// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-keys.c - translates keys and mouse events of ncurses
 */
#include "tui/toolkit/terminal-parts.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>


#define CTRL_L 12
#define DOUBLE_CLICK_MS 400

static uint32_t key_of_curses(wint_t code)
{
	static const struct {
		wint_t curses;
		uint32_t key;
	} keys[] = {
		{ KEY_UP, RS_KEY_UP }, { KEY_DOWN, RS_KEY_DOWN }, { KEY_LEFT, RS_KEY_LEFT }, { KEY_RIGHT, RS_KEY_RIGHT },
		{ KEY_PPAGE, RS_KEY_PAGE_UP }, { KEY_NPAGE, RS_KEY_PAGE_DOWN },
		{ KEY_HOME, RS_KEY_HOME }, { KEY_FIND, RS_KEY_HOME }, { KEY_A1, RS_KEY_HOME },
		{ KEY_END, RS_KEY_END }, { KEY_SELECT, RS_KEY_END }, { KEY_C1, RS_KEY_END },
		{ KEY_A3, RS_KEY_PAGE_UP }, { KEY_C3, RS_KEY_PAGE_DOWN },
		{ KEY_ENTER, RS_KEY_ENTER }, { KEY_BACKSPACE, RS_KEY_BACKSPACE }, { KEY_BTAB, RS_KEY_BACK_TAB },
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

static bool is_second_click(struct rs_terminal *t, int y, int x)
{
	struct timespec now;
	int64_t ms;
	bool second;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (int64_t)(now.tv_sec - t->pressed_at.tv_sec) * 1000 + (now.tv_nsec - t->pressed_at.tv_nsec) / 1000000;
	second = t->pressed_y == y && t->pressed_x == x && ms < DOUBLE_CLICK_MS;
	t->pressed_y = second ? -1 : y; /* a third click starts anew */
	t->pressed_x = x;
	t->pressed_at = now;
	return second;
}

static bool mouse_key(struct rs_terminal *t, struct rs_key_event *key)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return false;
	key->y = event.y;
	key->x = event.x;
	if (event.bstate & BUTTON4_PRESSED)
		key->key = RS_KEY_WHEEL_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		key->key = RS_KEY_WHEEL_DOWN;
	else if (event.bstate & BUTTON1_PRESSED)
		key->key = is_second_click(t, event.y, event.x) ? RS_KEY_MOUSE_DOUBLE : RS_KEY_MOUSE;
	else
		return false;
	return true;
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
		if (kind == KEY_CODE_YES && ch == KEY_MOUSE) {
			if (mouse_key(t, key))
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
