/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * details.h - shared by the files of the details screen: panels of several views, filtered by the selected
 * row
 */
#ifndef RS_TUI_DETAILS_H
#define RS_TUI_DETAILS_H

#include "tui/app/grid.h"
#include "tui/latency/latency.h"
#include "tui/table/table-screen.h"

#define RS_DETAILS_SENTENCE 720

struct rs_details;

struct rs_details_panel {
	struct rs_details *details;
	const struct rs_catalogue_view *of;
	char where[512], by[128]; /* of the request; "": none */
	struct rs_grid grid;
	struct rs_question question;
	char refused[200];       /* why there are no rows; "": no error */
	int y, height;           /* in the list of all panels */
	bool one_line;           /* in the last frame its name and headings shared a line */
};

/* A task that has ended has no rows now: the screen searches the window for its last time range. */
enum rs_details_time { RS_DETAILS_NOW, RS_DETAILS_TRIES, RS_DETAILS_ENDED, RS_DETAILS_UNKNOWN };

struct rs_details {
	struct rs_screen screen; /* first */
	struct rs_selection_keys keys;
	/* the finding that the panels are evidence of; "": the screen is about keys */
	char sentence[RS_DETAILS_SENTENCE];
	struct rs_latency_panel latency; /* latencies of the row's spans, above the panels */
	struct rs_details_panel *panels;
	unsigned int nr, at;     /* at: the panel that has the keyboard focus */
	unsigned int next;       /* the panel to ask next in this round */
	bool to_last;            /* End was pressed: selects the last panel with rows while answers arrive */
	int top;                 /* first visible line */
	bool answered;           /* all panels have answered once */
	enum rs_details_time ended_state;
	char track[40];          /* of the task, while the search runs */
	uint64_t from_ns, to_ns; /* RS_DETAILS_ENDED: the time range in the window */
};

bool rs_details_is_empty(const struct rs_details_panel *p);
bool rs_details_is_answered(const struct rs_details_panel *p);
void rs_details_move(struct rs_details *d, int by);          /* selects the next panel that has rows */
/* details-draw.c */
void rs_details_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

#endif
