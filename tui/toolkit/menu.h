/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * menu.h - a screen of lines to choose from: what is typed narrows them
 *
 * Enter calls chosen() when the menu has closed; Space (where check is given) turns a line on and off, - and + move it.
 */
#ifndef RS_TUI_MENU_H
#define RS_TUI_MENU_H

#include "tui/toolkit/screen.h"

struct rs_menu_line {
	char name[48], heading[32];
	const char *help;        /* lives longer than the menu; NULL none */
	bool on, dim;            /* dim: cannot be chosen, help says why */
	size_t id;               /* the caller's */
};

struct rs_menu {
	const char *title, *name; /* "sort by"; ops' name for the help */
	const char *details;       /* lines for the help; NULL none */
	size_t at;               /* the line that is selected at first */
	bool checks;             /* lines are turned on and off, and moved */
	/* Enter: the line's id. With checks: each change, lines in their order. */
	void (*selected)(void *arg, size_t id);
	void (*changed)(void *arg, const struct rs_menu_line *lines, size_t nr);
	/* The menu has gone, last. May be NULL */
	void (*closed)(void *arg);
	void *arg;
};

/* Copies the lines. NULL: no memory, and closed() was called. */
struct rs_screen *rs_menu_new(struct rs_app *app, const struct rs_menu *menu, const struct rs_menu_line *lines,
			      size_t nr);

#endif
