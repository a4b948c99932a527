/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency-panel.h - a latency distribution as a panel, with the slowest spans beside or below it */
#ifndef RS_TUI_LATENCY_PANEL_H
#define RS_TUI_LATENCY_PANEL_H

#include "tui/latency/latency.h"
#include "view/cell.h"

#define RS_LATENCY_DIST_BUCKETS 64
#define RS_LATENCY_DIST_SLOWEST 10

struct rs_latency_panel {
	struct rs_app *app;
	struct rs_tui_machine *machine;
	struct rs_latency_of of; /* kind "": no spans */
	char what[96];           /* "syscall read" */
	unsigned int nr_asked;
	uint64_t from_ns, to_ns; /* of the last request; 0: all data, or the app's time */
	const struct rs_latencies_reply *histogram, *slowest; /* the last answers; NULL: none yet */
	unsigned int nr_buckets, nr_slowest;
};

void rs_latency_panel_init(struct rs_latency_panel *s, struct rs_app *app,
			   const struct rs_screen_selection *selection);
void rs_latency_panel_done(struct rs_latency_panel *s);
/* Asks for a time range; from 0 to 0: the app's time. Live, pass the range of the tables beside the panel. */
void rs_latency_panel_ask(struct rs_latency_panel *s, uint64_t from_ns, uint64_t to_ns);
/* Returns the number of lines; 0: nothing to show. */
int rs_latency_panel_lines(const struct rs_latency_panel *s, int width);
void rs_latency_panel_draw(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area);

#endif
