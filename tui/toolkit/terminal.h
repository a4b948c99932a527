/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - a canvas on a terminal, and the keys that come from there
 *
 * There is one terminal at a time: signals know no other. It is as it was before on every way out, also when the
 * program is killed, stopped or crashes; only SIGKILL leaves it as it is. SIGINT, SIGTERM and SIGHUP ask the program
 * to end (rs_terminal_ended); the same again, half a second later, ends it at once.
 *
 * The terminal sends SIGINT and SIGTSTP to the whole process group: a child that is to outlive Ctrl-Z ignores them.
 */
#ifndef RS_TUI_TERMINAL_H
#define RS_TUI_TERMINAL_H

#include "base/error.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/keys.h"
#include "tui/toolkit/theme.h"

struct rs_terminal;

struct rs_terminal_options {
	enum rs_theme theme;
	bool ascii;    /* also where it could show more */
	bool no_mouse; /* the terminal's own selecting of text stays */
};

struct rs_terminal *rs_terminal_open(const struct rs_terminal_options *options, struct rs_error *err);
void rs_terminal_close(struct rs_terminal *t);

/* rows and columns as they are now; they change with RS_KEY_RESIZE alone. */
struct rs_area rs_terminal_area(const struct rs_terminal *t);
bool rs_terminal_ascii(const struct rs_terminal *t);

/* For poll: readable when rs_terminal_key has something, or a signal came. Then call it until it gives nothing. */
int rs_terminal_fd(const struct rs_terminal *t);

/*
 * The next key, without waiting; false: none. RS_KEY_RESIZE says that all must be drawn anew: the size is another,
 * or the terminal was away. Ctrl-Z and Ctrl-L are not seen: the first stops here, the second paints anew.
 * The mouse is in rows and columns of the terminal.
 */
bool rs_terminal_key(struct rs_terminal *t, struct rs_key_event *key);

/* 0, or the signal that asked to end; SIGHUP also where the terminal went away. */
int rs_terminal_ended(const struct rs_terminal *t);

/* Only what changed since the last one goes out. */
void rs_terminal_put(struct rs_terminal *t, const struct rs_canvas *c);
void rs_terminal_theme(struct rs_terminal *t, enum rs_theme theme);

#endif
