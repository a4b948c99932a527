/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why-changes.h - what would have made a wait shorter, as the engine answers it: the view what-if of that
 * wait
 */
#ifndef RS_TUI_WHY_CHANGES_H
#define RS_TUI_WHY_CHANGES_H

#include "tui/app/screen.h"
#include "tui/table/why-nodes.h"

#define RS_WHY_CHANGES 6

/* Texts live as long as the answer. */
struct rs_why_change {
	const char *culprit, *change;  /* "encode", "gone"; "vda", "twice as fast" */
	uint64_t after_ns, saved_ns;   /* how long the wait would have taken; how much less that is */
};

struct rs_why_changes {
	bool shown;
	struct rs_question question;   /* .answered calls rs_why_changes_read */
	struct rs_why_change at[RS_WHY_CHANGES]; /* that save most, the most first */
	size_t nr;
};

/* Asks for the changes of that wait. False: this engine knows none. */
bool rs_why_changes_ask(struct rs_why_changes *c, const struct rs_why_node *wait);
/* Reads the answer; no changes without one. */
void rs_why_changes_read(struct rs_why_changes *c);
/* How many lines they take, of so many that the tree and they have; 0: they are not shown. */
int rs_why_changes_height(const struct rs_why_changes *c, int lines);
/* selected: a line of the tree, whose changes stand out. */
void rs_why_changes_draw(const struct rs_why_changes *c, const struct rs_why_node *selected,
			 struct rs_canvas *canvas, struct rs_area area);

#endif
