/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overview.h - shared by the files of the first screen */
#ifndef RS_TUI_OVERVIEW_H
#define RS_TUI_OVERVIEW_H

#include "tui/overview/widget.h"

#define RS_OVERVIEW_WIDGETS 80 /* three for each machine, and the panels */

struct rs_overview_place {
	struct rs_widget *widget;
	struct rs_area area;     /* of its rows; height 0: no room, or nothing to show */
};

struct rs_overview {
	struct rs_screen screen; /* first */
	struct rs_overview_place places[RS_OVERVIEW_WIDGETS];
	unsigned int nr;
	unsigned int at;         /* the selected widget */
	size_t row;              /* and its selected row */
	uint64_t identity;       /* of that row; 0: none */
	bool folds;              /* processes into their control groups */
	bool otherwise;          /* no panel has data: shows the widgets that replace them */
	/* the user selected a row; before that the first row is selected, whatever answer comes first */
	bool selected;
};

/* overview-layout.c: places the widgets in the area of the screen */
void rs_overview_arrange(struct rs_overview *o, struct rs_area area);
/* overview-copy.c */
void rs_overview_copy(struct rs_screen *s, struct rs_buf *out);

#endif
