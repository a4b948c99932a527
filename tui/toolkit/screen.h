/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a kind of screen: const ops over what it keeps; the app owns header, footer, time and keys
 *
 * Screens lie on a stack: what is opened comes on top, Backspace goes back. A screen asks the client for what
 * it shows (ask: at each refresh, and when it asked for it by rs_app_refresh), keeps the answer, and draws from that alone. Keys
 * become actions by the rows of its key table; what it returns as not its own is the app's. Footer, help and the
 * manual are made from the same rows.
 */
#ifndef RS_TUI_SCREEN_H
#define RS_TUI_SCREEN_H

#include "base/buf.h"
#include "rpc/client.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/keys.h"
#include "tui/toolkit/machine-set.h"

struct rs_app;
struct rs_screen;
struct rs_screen_selection;   /* tui/toolkit/screens.h */

struct rs_key {
	uint32_t keys[4];        /* any of them; ends with 0 */
	int action;              /* the screen's own enum; of the app: enum rs_app_action */
	const char *label;       /* footer: "Sort"; NULL: in the help alone */
	const char *help;        /* one line, no full stop */
};

struct rs_screen_ops {
	const char *name;        /* "table": for settings and help */
	const struct rs_key *keys; /* ends with a NULL help */
	bool types;              /* letters are typed into it: those of the app are no keys here */
	void (*ask)(struct rs_screen *s);
	void (*draw)(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);
	bool (*act)(struct rs_screen *s, int action, const struct rs_key_event *key);
	/* A key that no row of keys has: a character typed into it, the mouse. May be NULL */
	bool (*key)(struct rs_screen *s, const struct rs_key_event *key);
	void (*title)(struct rs_screen *s, struct rs_buf *out);   /* its word in the breadcrumb */
	void (*help)(struct rs_screen *s, struct rs_buf *out);    /* lines after the keys: its columns. May be NULL */
	/* What is selected, for the screens that open on it; false: nothing. May be NULL */
	bool (*selection)(struct rs_screen *s, struct rs_screen_selection *out);
	/* The same of the app's current machine, which is another: of no process, CPU or disk. NULL: it is of one */
	struct rs_screen *(*anew)(struct rs_screen *s);
	/* Shows all machines: goes to what it has of the app's current one, instead. May be NULL */
	void (*go_to_machine)(struct rs_screen *s);
	void (*free)(struct rs_screen *s);
};

/* First in what each screen keeps. */
struct rs_screen {
	const struct rs_screen_ops *ops;
	struct rs_app *app;
	struct rs_tui_machine *machine;  /* which it is of: whose engine it asks */
};

/* A screen of the app's current machine. */
struct rs_screen rs_app_screen_of(struct rs_app *app, const struct rs_screen_ops *ops);

/* The time that is shown, the same for every screen of the stack. */
struct rs_shown_time {
	bool now;                /* live: the last interval; a file: all of it. Else from_ns to to_ns */
	uint64_t from_ns, to_ns; /* trace clock */
};

/* ---- what the app does for screens ---- */

struct rs_client *rs_app_client(struct rs_app *app); /* of the current machine */
const struct rs_shown_time *rs_app_time(const struct rs_app *app);
void rs_app_show_time(struct rs_app *app, const struct rs_shown_time *time); /* and refreshes */
/* The same for a request. */
struct rs_asked_time rs_app_asked_time(const struct rs_app *app);
const struct rs_state_reply *rs_app_state(const struct rs_app *app); /* the last answer to "state" of the current machine; NULL: none yet */
bool rs_app_paused(const struct rs_app *app);
void rs_app_push(struct rs_app *app, struct rs_screen *s);  /* owns it from now on; NULL: nothing happens */
void rs_app_pop(struct rs_app *app);
void rs_app_redraw(struct rs_app *app);   /* something changed: soon */
void rs_app_refresh(struct rs_app *app);  /* asks, and draws when the answer comes */
/* One line above the footer, until the next key. */
void rs_app_say(struct rs_app *app, enum rs_style_id style_id, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Asks for a line there; done(text) once: NULL where it was given up. preset may be NULL. */
void rs_app_prompt(struct rs_app *app, const char *question, const char *preset,
		   void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text), void *arg);
/* A reply that is a refusal: said, and true. */
bool rs_app_refused(struct rs_app *app, const struct rs_reply *reply);

/* "12.345 s", "14:03:07.123": a moment as the user chose to read times. */
void rs_app_moment(const struct rs_app *app, uint64_t ts_ns, struct rs_buf *out);

#endif
