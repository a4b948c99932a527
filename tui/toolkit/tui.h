/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tui.h - the screens, over a client; one that has not said hello yet says it when the terminal is ours */
#ifndef RS_TUI_TUI_H
#define RS_TUI_TUI_H

#include "rpc/client.h"
#include "view/cell.h"

struct rs_tui_options {
	const char *screen;   /* the first one: a row of rs_screens, or a view; NULL: the first row */
	const char *where;    /* of a view: its filter; NULL none */
	bool all_at_end;      /* when the live source ends, all that it had is shown */
	bool batch;           /* text to stdout, no terminal */
	bool svg;             /* batch: the last frame as a picture instead */
	uint64_t nr;          /* batch: frames; 0: one of a file, without end of a live source */
	bool ascii;
	const char *theme;    /* NULL: as the settings have it */
	uint64_t refresh_ns;  /* 0: as the settings have it */
	bool no_settings;     /* neither read nor written: tests, pictures */
};

#define RS_TUI_MAX_MACHINES 16

/* Who is asked: of several recordings, of a host and its guests, one each. */
struct rs_tui_engine {
	struct rs_client *clients[RS_TUI_MAX_MACHINES]; /* freed by rs_run_screens, on every way */
	const char *names[RS_TUI_MAX_MACHINES];         /* of each machine; NULL where there is one */
	unsigned int nr;
	int (*again)(void *arg);      /* it has gone: a socket to its successor; -1: none yet. NULL: it does not come again */
	bool (*has_ended)(void *arg); /* it ends with its client: has it? NULL: it goes on without us */
	void *arg;
};

/* Until the user leaves. 0, or -1 with err set. */
int rs_run_screens(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
		   struct rs_error *err);

/* What the keys do everywhere, and in tables: from the rows that the screens' help is made of. */
void rs_help_screen_keys(struct rs_buf *out);

#endif
