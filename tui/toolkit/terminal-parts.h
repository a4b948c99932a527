/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal-parts.h - shared by the files of the terminal, the only ones that include curses.h
 */
#ifndef RS_TUI_TERMINAL_PARTS_H
#define RS_TUI_TERMINAL_PARTS_H

#define NCURSES_NOMACROS 1 /* the names "clear" and "move" stay free for other code */
#include <curses.h>

#include <stdio.h>

#include "tui/toolkit/canvas-parts.h"
#include "tui/toolkit/mouse.h"
#include "tui/toolkit/terminal.h"

struct rs_terminal {
	struct rs_terminal_options options;
	FILE *out, *in;
	SCREEN *screen;
	WINDOW *input;             /* a separate pad: reading keys from a window would refresh it */
	int epoll_fd;
	struct rs_area area;
	enum rs_depth depth;
	bool ascii;

	struct rs_canvas *shown;   /* what the terminal shows */
	bool repaint;              /* the terminal's content is unknown */
	cchar_t *run;              /* room for one row */
	cchar_t blank[RS_NR_STYLES];/* a blank cell of each style */

	int64_t pressed_at_ms;     /* CLOCK_MONOTONIC */
	int pressed_y, pressed_x;  /* y < 0: no click that a second one could double */
	bool is_pressed;           /* the first button is down */
	bool has_mouse;            /* the terminal has one, as terminfo says */
	struct rs_mouse_parser mouse;
};

/*
 * What ncurses returns for the introducers of mouse reports, in place of KEY_MOUSE: its own parser does not
 * know the wheel with Ctrl, and waits for the rest of a report that is cut off.
 */
enum { RS_CODE_SGR = 2000, RS_CODE_X10 };

/* sets colors and attributes from the theme and the terminal's abilities */
void rs_terminal_styles(struct rs_terminal *t);
void rs_terminal_fit(struct rs_terminal *t); /* adapts to the current size */
void rs_terminal_suspend(struct rs_terminal *t, bool stop);

/* ---- terminal-guard.c ---- */

/*
 * leave: the bytes that restore the terminal, prepared beforehand, because a signal handler cannot query
 * terminfo. fd: the terminal. Reads the terminal's modes, so call this before changing them.
 */
int rs_terminal_guard_open(int fd, const char *leave, size_t len, struct rs_error *err);
void rs_terminal_guard_close(void);
void rs_terminal_guard_active(bool active); /* true: from now on the terminal must be restored */

int rs_terminal_guard_fd(void);   /* readable after a signal */
int rs_terminal_guard_ended(void);
void rs_terminal_guard_end(int sig); /* as if that signal had arrived */

/* Returns the requests that arrived since the last call, and makes the descriptor unreadable. */
enum { RS_GUARD_RESIZED = 1, RS_GUARD_CONTINUED = 2, RS_GUARD_STOP = 4 };
unsigned int rs_terminal_guard_take(void);

void rs_terminal_guard_stop_now(void); /* raises SIGTSTP with its default action; returns when continued */

#endif
