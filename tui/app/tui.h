/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tui.h - runs the screens over clients; sends "hello", if not done yet, once the terminal is open */
#ifndef RS_TUI_APP_TUI_H
#define RS_TUI_APP_TUI_H

#include "rpc/client.h"
#include "view/cell.h"

/* What a guided tour says while a screen is on top, above the footer. */
struct rs_tour_step {
	const char *screen;   /* its name in struct rs_screen_ops */
	const char *text;     /* what is seen there, and which key goes on */
};

struct rs_tui_options {
	const char *screen;   /* the first screen: a row of rs_screens, or a view; NULL: the first row */
	const char *where;    /* filter of the view; NULL: none */
	bool all_at_end;      /* when the live source ends, show all of its data */
	bool batch;           /* text to stdout, no terminal */
	bool svg;             /* batch: write the last frame as SVG */
	uint64_t nr;          /* batch: number of frames; 0: one for a file, endless for a live source */
	bool ascii;
	bool no_mouse;        /* the terminal selects text with the mouse */
	bool letters;         /* bars and heat maps of letters and shades, with colors too */
	const char *theme;    /* NULL: from the settings */
	uint64_t refresh_ns;  /* 0: from the settings */
	const struct rs_tour_step *tour; /* in the order of the tour, ends with a NULL text; NULL: none */
	bool no_settings;     /* neither read nor write them: for tests and pictures */
};

#define RS_TUI_MAX_MACHINES 16

/* The engines: one for each recording of a host and its guests, or for each host, otherwise one. */
struct rs_tui_engine {
	struct rs_client *clients[RS_TUI_MAX_MACHINES]; /* rs_run_screens always frees them */
	const char *names[RS_TUI_MAX_MACHINES];         /* of the machines; NULL if there is only one */
	unsigned int nr;
	bool are_hosts;                                 /* each has a clock of its own: one is shown */
	const char *clocks[RS_TUI_MAX_MACHINES];        /* of hosts, in words, for the header; NULL: none */
	/*
	 * that engine has ended: returns a socket to its successor; -1: none yet. NULL: it does not come back
	 */
	int (*again)(void *arg, unsigned int machine);
	bool is_remote;                                 /* by a connection that may break */
	/* the engine ends with its client: returns true when it has. NULL: it goes on without the screens */
	bool (*has_ended)(void *arg);
	/*
	 * shows another recording on the terminal, which is not in use meanwhile, until the user closes it.
	 * Returns -1 with err. NULL: cannot be
	 */
	int (*open_file)(void *arg, const char *path, struct rs_error *err);
	void *arg;
};

/* Runs until the user quits. Returns 0, or -1 with err. */
int rs_run_screens(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
		   struct rs_error *err);

/* Writes the keys of the app and of tables for the manual, from the same rows as the help screen. */
void rs_help_screen_keys(struct rs_buf *out);

#endif
