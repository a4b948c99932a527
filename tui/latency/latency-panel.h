/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency-panel.h - how long spans of a kind were, as a panel: the distribution, and the slowest beside it or under it */
#ifndef RS_TUI_LATENCY_PANEL_H
#define RS_TUI_LATENCY_PANEL_H

#include "tui/latency/latency.h"
#include "view/cell.h"

#define RS_LATENCY_DIST_BUCKETS 64
#define RS_LATENCY_DIST_SLOWEST 10

struct rs_latency_panel {
	struct rs_app *app;
	struct rs_tui_machine *machine;
	struct rs_latency_of of; /* kind "": of no spans */
	char what[96];           /* "syscall read" */
	unsigned int nr_asked;
	uint64_t from_ns, to_ns; /* that it was asked about; 0: all there is, or the app's time */
	const struct rs_latencies_reply *histogram, *slowest; /* the last answers; NULL: none yet */
	unsigned int nr_buckets, nr_slowest;
};

/*
 * Which spans the row's column is the latency of, and what they are called. False, and nothing written: the view does not
 * say, or has no row.
 */
bool rs_latency_ask_of(const struct rs_catalogue *c, const struct rs_screen_selection *selection, struct rs_latency_of *of,
		       struct rs_buf *what);

void rs_latency_panel_init(struct rs_latency_panel *s, struct rs_app *app,
			   const struct rs_screen_selection *selection);
void rs_latency_panel_done(struct rs_latency_panel *s);
/* From 0 to 0: of the time that the app shows; else of that time: live, of the tables' beside it. */
void rs_latency_panel_ask(struct rs_latency_panel *s, uint64_t from_ns, uint64_t to_ns);
/* How many lines it takes; 0: there is nothing to show. */
int rs_latency_panel_lines(const struct rs_latency_panel *s, int width);
void rs_latency_panel_draw(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area);

#endif
