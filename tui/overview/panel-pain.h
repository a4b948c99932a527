/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * panel-pain.h - how much of its time a row lost: the parts that are drawn in full, see rs_cause_ink
 */
#ifndef RS_TUI_PANEL_PAIN_H
#define RS_TUI_PANEL_PAIN_H

#include "tui/toolkit/chart.h"

#define RS_PANEL_PAIN_LEAST 10 /* thousandths: a row of less is quiet */
#define RS_PANEL_PAIN_COLUMNS 5 /* "100%" and a blank */

/* Thousandths of the row's time; UINT32_MAX: none of it is known. */
uint32_t rs_panel_pain_of(const struct rs_split *split, const struct rs_ink_task *task);
/* Returns true if it runs so much that it may be what others wait for, whatever it lost. */
bool rs_panel_pain_is_busy(const struct rs_split *split);
/*
 * Sorts rows, whose pain is given, by it, the largest first, equal ones as they are; those of less than a
 * hundredth come last, as they are. Returns how many have more.
 */
size_t rs_panel_pain_sort(const uint32_t *pains, size_t nr, uint16_t *order);
struct rs_panel_pain_words {
	/* Returns who had what the row waited for; "": unknown. */
	const char *(*culprit)(const void *arg, enum rs_category category);
	const void *arg;
	const char *last;             /* what else is to be said of the row; NULL: nothing */
};

/* Draws the percentage, of what it is, and whose, as far as there is room: "62% lock 50% (audit)  queue 12%".
 */
void rs_panel_pain_draw(const struct rs_split *split, const struct rs_ink_task *task,
			const struct rs_panel_pain_words *words, struct rs_canvas *c, struct rs_area line);

#endif
