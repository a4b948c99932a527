/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overview.h - what the files of the overview share: its blocks, and where each of them is */
#ifndef RS_TUI_OVERVIEW_H
#define RS_TUI_OVERVIEW_H

#include "tui/toolkit/app.h"
#include "tui/overview/widget.h"

#define RS_MAX_WIDGETS 80 /* three of each machine, and the panels */

struct rs_place {
	struct rs_widget *widget;
	struct rs_area area;     /* of its rows; height 0: there is no room, or nothing to show */
};

struct rs_overview {
	struct rs_screen screen; /* first */
	struct rs_place places[RS_MAX_WIDGETS];
	unsigned int nr;
	unsigned int at;         /* which block is selected */
	size_t row;              /* and which of its rows */
	uint64_t identity;       /* of that row; 0: none */
	bool otherwise;          /* no panel has anything: in their place are those that are shown otherwise */
	bool selected;             /* the user has been here: until then it is the first of all, whichever answer comes first */
};

/* overview-layout.c: gives each block its area. */
void rs_overview_arrange(struct rs_overview *o, struct rs_area area);

#endif
