/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacked-bar.h - a whole and its parts as a bar: each cell has the letter and the color of its part
 */
#ifndef RS_TUI_STACKED_BAR_H
#define RS_TUI_STACKED_BAR_H

#include "ringside/panel.h"
#include "tui/toolkit/canvas.h"

struct rs_split {
	unsigned int nr;
	struct { enum rs_cause cause; uint64_t ns; } parts[RS_MAX_PARTS];
};

/* Cells are shared out so that they sum to the width; a part of half a cell may have none. Of nothing no cell. */
void rs_stacked_bar_draw(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);
/* "disk 71%  run 12%": the largest parts that are no idleness, as many as fit. Returns the columns taken. */
int rs_stacked_bar_words(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);

#endif
