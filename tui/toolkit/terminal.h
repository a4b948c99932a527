/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - shows a canvas on a terminal, and reads its keys
 *
 * A process has one terminal at a time, because signal handlers are global. The terminal is restored however
 * the program ends, also when it is killed, stopped or crashes; only SIGKILL prevents that. SIGINT, SIGTERM
 * and SIGHUP ask the program to end (rs_terminal_ended); a second one, half a second later, ends it at once.
 *
 * The terminal sends SIGINT and SIGTSTP to the whole process group: a child that must survive Ctrl-Z has to
 * ignore them.
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
	bool ascii;    /* even if the terminal supports UTF-8 */
	bool no_mouse; /* leaves text selection to the terminal */
};

struct rs_terminal *rs_terminal_open(const struct rs_terminal_options *options, struct rs_error *err);
void rs_terminal_close(struct rs_terminal *t);

/* Size in rows and columns. It changes only with RS_KEY_RESIZE. */
struct rs_area rs_terminal_area(const struct rs_terminal *t);
bool rs_terminal_ascii(const struct rs_terminal *t);

/* For poll: readable if rs_terminal_key has a key, or after a signal. Then call it until it returns false. */
int rs_terminal_fd(const struct rs_terminal *t);

/*
 * Returns the next key without waiting; false: none. RS_KEY_RESIZE means that everything must be drawn again:
 * the size changed, or the program was stopped. Ctrl-Z and Ctrl-L are handled here: the first stops the
 * program, the second repaints. Mouse events have rows and columns of the terminal.
 */
bool rs_terminal_key(struct rs_terminal *t, struct rs_key_event *key);

/* Returns the signal that asked to end, or 0; SIGHUP also if the terminal closed. */
int rs_terminal_ended(const struct rs_terminal *t);

/* Writes only the cells that changed since the last call. */
void rs_terminal_put(struct rs_terminal *t, const struct rs_canvas *c);
/* Puts text on the clipboard of the user's terminal, as far as it allows that. */
void rs_terminal_copy(struct rs_terminal *t, const char *text);
/* Off: the terminal selects text with the mouse. */
void rs_terminal_mouse(struct rs_terminal *t, bool on);
/* Another program has the terminal until use() returns. Then all is drawn again, and its size may differ. */
void rs_terminal_lend(struct rs_terminal *t, void (*use)(void *arg), void *arg);
void rs_terminal_theme(struct rs_terminal *t, enum rs_theme theme);

#endif
