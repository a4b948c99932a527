/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * about.h - what the files of this screen share: panels of several views, each filtered by what the screen is about
 */
#ifndef RS_TUI_ABOUT_H
#define RS_TUI_ABOUT_H

#include "tui/grid.h"
#include "tui/spread.h"
#include "tui/table.h"

#define RS_ABOUT_SENTENCE 240

struct rs_about;

struct rs_about_panel {
	struct rs_about *about;
	const struct rs_catalogue_view *of;
	char where[512], by[128]; /* of the question; "": none */
	struct rs_grid grid;
	bool asked;
	char refused[200];       /* why there are no rows; "": there are */
	int y, height;           /* in the picture of all panels */
};

/* Of a task that has ended nothing is there now: what the window has of it is looked for. */
enum rs_about_past { RS_ABOUT_NOW, RS_ABOUT_LOOKS, RS_ABOUT_ENDED, RS_ABOUT_UNKNOWN };

struct rs_about {
	struct rs_screen screen; /* first */
	struct rs_subject_keys keys;
	char sentence[RS_ABOUT_SENTENCE]; /* that the panels are the evidence of; "": all about keys */
	struct rs_spread spread; /* of the spans that the row sums up: above the panels */
	struct rs_about_panel *panels;
	unsigned int nr, at;     /* at: which has the keys */
	unsigned int next;       /* to ask in this round */
	int top;                 /* first line in sight */
	bool answered;           /* all panels, once */
	enum rs_about_past past;
	char track[40];          /* of the task, while it is looked for */
	uint64_t from_ns, to_ns; /* ENDED: what the window has of it */
};

bool rs_details_is_empty(const struct rs_about_panel *p);
bool rs_details_is_answered(const struct rs_about_panel *p);
void rs_details_move(struct rs_about *a, int by);          /* to the next panel that has rows */
void rs_details_ask_again(struct rs_about *a);             /* all panels, from the first on */

/* about-draw.c */
void rs_details_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

/* about-ended.c: begins to look where the task was seen, where nothing is there now. */
void rs_details_ended_find(struct rs_about *a);

#endif
