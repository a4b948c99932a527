/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal-parts.h - for the terminal's own files: the only ones that include curses.h
 */
#ifndef RS_TUI_TERMINAL_PARTS_H
#define RS_TUI_TERMINAL_PARTS_H

#define NCURSES_NOMACROS 1 /* "clear" and "move" are words that others may use */
#include <curses.h>

#include <stdio.h>
#include <time.h>

#include "tui/toolkit/canvas-parts.h"
#include "tui/toolkit/terminal.h"

struct rs_terminal {
	struct rs_terminal_options options;
	FILE *out, *in;
	SCREEN *screen;
	WINDOW *input;             /* of its own: reading keys from a window draws it first */
	int epoll_fd;
	struct rs_area area;
	enum rs_depth depth;
	bool ascii;

	struct rs_canvas *shown;   /* what is there now */
	bool repaint;              /* nothing is known of what is there */
	cchar_t *run;              /* as many as a row has */
	cchar_t blank[RS_NR_STYLES];/* a blank of each look */

	struct timespec pressed_at;
	int pressed_y, pressed_x;  /* y < 0: no click yet that another could double */
};

void rs_terminal_styles(struct rs_terminal *t); /* colours and attributes, as theme and terminal have them */
void rs_terminal_fit(struct rs_terminal *t); /* to the size that it has now */
void rs_terminal_suspend(struct rs_terminal *t, bool stop);

#endif
