/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start.h - holds the terminal before the first screen and after the last, while the engine starts or ends, so that
 * the shell does not get the keys typed meanwhile
 */
#ifndef RS_TUI_START_H
#define RS_TUI_START_H

#include "tui/toolkit/terminal.h"
#include "tui/toolkit/tui.h"

#define RS_START_KEYS 32

struct rs_start {
	struct rs_terminal *terminal;
	struct rs_canvas *canvas;
	/* typed, not handled yet: for the first screen */
	struct rs_key_event keys[RS_START_KEYS];
	unsigned int nr_keys;
};

/*
 * Waits until the engines have answered. Returns 1 if the user quits, -1 with err. Returns at once if all clients
 * have answered "hello".
 */
int rs_start_wait(struct rs_start *s, const struct rs_tui_engine *engine, struct rs_error *err);
/* Waits until the engine has ended, after its client was freed. */
void rs_start_end(struct rs_start *s, const struct rs_tui_engine *engine);

#endif
