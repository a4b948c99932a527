/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * details.h - what the files of this screen share: panels of several views, each filtered by what the screen is about
 */
#ifndef RS_TUI_DETAILS_H
#define RS_TUI_DETAILS_H

#include "tui/table/grid.h"
#include "tui/latency/latency-panel.h"
#include "tui/table/table-screen.h"

#define RS_DETAILS_SENTENCE 240

struct rs_details;

struct rs_details_panel {
	struct rs_details *details;
	const struct rs_catalogue_view *of;
	char where[512], by[128]; /* of the question; "": none */
	struct rs_grid grid;
	bool asked;
	char refused[200];       /* why there are no rows; "": there are */
	int y, height;           /* in the picture of all panels */
};

/* Of a task that has ended nothing is there now: what the window has of it is looked for. */
enum rs_details_time { RS_DETAILS_NOW, RS_DETAILS_TRIES, RS_DETAILS_ENDED, RS_DETAILS_UNKNOWN };

struct rs_details {
	struct rs_screen screen; /* first */
	struct rs_selection_keys keys;
	char sentence[RS_DETAILS_SENTENCE]; /* that the panels are the evidence of; "": all about keys */
	struct rs_latency_panel latency; /* of the spans that the row sums up: above the panels */
	struct rs_details_panel *panels;
	unsigned int nr, at;     /* at: which has the keys */
	unsigned int next;       /* to ask in this round */
	bool to_last;            /* End was pressed: the last panel with rows stays selected while answers come */
	int top;                 /* first line in sight */
	bool answered;           /* all panels, once */
	enum rs_details_time ended_state;
	char track[40];          /* of the task, while it is looked for */
	uint64_t from_ns, to_ns; /* ENDED: what the window has of it */
};

bool rs_details_is_empty(const struct rs_details_panel *p);
bool rs_details_is_answered(const struct rs_details_panel *p);
void rs_details_move(struct rs_details *d, int by);          /* to the next panel that has rows */
void rs_details_ask_again(struct rs_details *d);             /* all panels, from the first on */

/* about-draw.c */
void rs_details_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

/* about-ended.c: begins to look where the task was seen, where nothing is there now. */
void rs_details_ended_find(struct rs_details *d);

#endif
