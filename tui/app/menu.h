/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * menu.h - a screen with a list of lines to select from; typed text narrows the list
 *
 * Enter calls selected() after the menu has closed. With .checks, Space turns a line on and off, - and + move
 * it.
 */
#ifndef RS_TUI_APP_MENU_H
#define RS_TUI_APP_MENU_H

#include "tui/app/screen.h"

struct rs_menu_line {
	char name[48], heading[32];
	const char *help;        /* must outlive the menu; NULL: none */
	/* lines of one group stand together, under this word; must outlive the menu. NULL: none */
	const char *group;
	char count[16];          /* how much is in it, right-aligned; "": no menu line has one */
	bool empty;              /* nothing is in it: drawn dim, and selectable */
	bool on, dim;            /* dim: not selectable, help tells why */
	size_t id;               /* for the caller */
	bool takes_text;         /* with .run: what is typed after its name goes to run */
};

struct rs_menu {
	const char *title, *name; /* "sort by"; ops' name for the help */
	const char *details;       /* lines for the help; NULL: none */
	size_t at;               /* the line that is selected at first */
	bool checks;             /* lines can be turned on and off, and moved */
	/*
	 * Called on Enter, with the line's id. With .checks, changed is called after each change, with all
	 * lines in order.
	 */
	void (*selected)(void *arg, size_t id);
	void (*changed)(void *arg, const struct rs_menu_line *lines, size_t nr);
	/* Likewise, instead of selected: blanks are typed, too. text: after the name; "": none */
	void (*run)(void *arg, size_t id, const char *text);
	void *arg;
	/* Called when answers are due, and may change lines by rs_menu_line. NULL: lines never change. */
	void (*ask)(void *arg);
	void (*free)(void *arg); /* NULL: arg is not the menu's */
};

/* Copies the lines. Returns NULL without memory. */
struct rs_screen *rs_menu_new(struct rs_app *app, const struct rs_menu *menu,
			      const struct rs_menu_line *lines, size_t nr);
/* The n-th of the lines that it was made with, to be changed; draw it by rs_app_redraw. */
struct rs_menu_line *rs_menu_line(struct rs_screen *menu, size_t n);

#endif
