/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app-pane.h - beside a screen on a wide terminal: the details of what is selected there
 *
 * A screen has a pane if it has the op .detail. The screen in the pane takes no keys: Enter opens it whole.
 */
#ifndef RS_TUI_APP_PANE_H
#define RS_TUI_APP_PANE_H

#include "tui/app/screen.h"

struct rs_app_pane {
	bool has_room;               /* the last frame had room for it */
	const struct rs_screen *of;  /* the screen whose selection it shows; NULL: none */
	bool is_selected;            /* something is, there: */
	struct rs_screen_selection selection;
	struct rs_screen *screen;    /* owned: its details; NULL: none are known */
	uint64_t next_ns;            /* CLOCK_MONOTONIC: when another selection may be shown */
};

/* Follows the selection of the top screen. Returns the time of its next step, in ns; UINT64_MAX: none. */
uint64_t rs_app_pane_tick(struct rs_app *app, uint64_t now_ns);
/* Asks what it shows; called when the top screen asks. */
void rs_app_pane_ask(struct rs_app *app);
/* Draws it, if there is room, at the right of the area. Returns the columns that it took. */
int rs_app_pane_draw(struct rs_app *app, struct rs_canvas *c, struct rs_area area);
/* Closes it if it is of this screen; NULL: whatever it is of. */
void rs_app_pane_close(struct rs_app *app, const struct rs_screen *of);

#endif
