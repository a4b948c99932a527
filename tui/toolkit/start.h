/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start.h - before the first screen and after the last: the engine begins, or ends, and the terminal is ours already,
 * or still, so that no key that is typed meanwhile is left for the shell
 */
#ifndef RS_TUI_START_H
#define RS_TUI_START_H

#include "tui/toolkit/terminal.h"
#include "tui/toolkit/tui.h"

#define RS_START_KEYS 32

struct rs_start {
	struct rs_terminal *terminal;
	struct rs_canvas *canvas;
	/* what was typed and not taken: for the first screen */
	struct rs_key_event keys[RS_START_KEYS];
	unsigned int nr_keys;
};

/* Until the engines have answered. 1: the user leaves; -1: err is set. A client that has said hello comes back at once. */
int rs_start_wait(struct rs_start *s, const struct rs_tui_engine *engine, struct rs_error *err);
/* Until it has ended, whose client has been freed. */
void rs_start_end(struct rs_start *s, const struct rs_tui_engine *engine);

#endif
