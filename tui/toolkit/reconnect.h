/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconnect.h - waits for a daemon that restarts: the screens keep their data, and continue with the new daemon
 */
#ifndef RS_TUI_RECONNECT_H
#define RS_TUI_RECONNECT_H

#include "tui/toolkit/app.h"

struct rs_reconnect {
	int (*connect)(void *arg);    /* returns a socket, or -1: not there yet. NULL: it does not come back */
	void *arg;
	struct rs_client *fresh;      /* "hello" sent, answer pending */
	uint64_t next_ns;             /* CLOCK_MONOTONIC: time of the next try */
};

/* Handles the end of the app's client. Returns false if it does not come back. */
bool rs_reconnect_lose(struct rs_reconnect *a, struct rs_app *app);
/* Call about ten times a second. Returns -1 with err if the new daemon cannot be used. */
int rs_reconnect_tick(struct rs_reconnect *a, struct rs_app *app, uint64_t now_ns, struct rs_error *err);
void rs_reconnect_done(struct rs_reconnect *a);

#endif
