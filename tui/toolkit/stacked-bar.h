/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacked-bar.h - draws a total and its parts as a bar: each cell has the letter and the color of its part
 */
#ifndef RS_TUI_STACKED_BAR_H
#define RS_TUI_STACKED_BAR_H

#include "ringside/panel.h"
#include "tui/toolkit/canvas.h"

struct rs_split {
	unsigned int nr;
	struct { enum rs_cause cause; uint64_t ns; } parts[RS_MAX_PARTS];
};

/* The cells of all parts add up to the width; a part below half a cell may get no cell. A total of 0 draws nothing. */
void rs_stacked_bar_draw(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);
/* Writes the largest parts that are not idle, as many as fit: "disk 71%  run 12%". Returns the columns taken. */
int rs_stacked_bar_words(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width);

#endif
