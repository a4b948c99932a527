/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconnect.h - a daemon that goes may come again: what was seen stays, and goes on with the new one
 */
#ifndef RS_TUI_RECONNECT_H
#define RS_TUI_RECONNECT_H

#include "tui/toolkit/app.h"

struct rs_again {
	int (*connect)(void *arg);    /* a socket; -1: it is not there yet. NULL: it does not come again */
	void *arg;
	struct rs_client *fresh;      /* has said hello, and waits for the answer */
	uint64_t next_ns;             /* CLOCK_MONOTONIC: to try once more */
};

/* The app's client has gone. False: for good. */
bool rs_reconnect_lose(struct rs_again *a, struct rs_app *app);
/* What is due, some ten times a second. -1 with err: another daemon has come, that nothing can be shown of. */
int rs_reconnect_tick(struct rs_again *a, struct rs_app *app, uint64_t now_ns, struct rs_error *err);
void rs_reconnect_done(struct rs_again *a);

#endif
