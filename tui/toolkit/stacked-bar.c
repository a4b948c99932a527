// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/stacked-bar.h"

#include <stdio.h>

static uint64_t whole_of(const struct rs_split *split)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < split->nr; i++)
		if (__builtin_add_overflow(ns, split->parts[i].ns, &ns))
			return UINT64_MAX;
	return ns;
}

/* Rounds the ends of the parts, not their lengths, so that the cells add up to the width. */
void rs_stacked_bar_draw(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width)
{
	uint64_t whole = whole_of(split), ns = 0;
	int at = 0;

	for (unsigned int i = 0; whole && i < split->nr; i++) {
		enum rs_cause cause = split->parts[i].cause;
		char letter[2] = { rs_cause_row(cause)->letter, '\0' };
		int to;

		ns += split->parts[i].ns;
		to = (int)(((unsigned __int128)ns * (unsigned int)width + whole / 2) / whole);
		for (; at < to && at < width; at++)
			rs_put(c, y, x + at, 1, RS_STYLE_CAUSE + cause, letter);
	}
}

/* Returns the largest part that was not named yet; -1: the others are too small. */
static int largest(const struct rs_split *split, uint64_t whole, uint32_t told)
{
	int at = -1;

	for (unsigned int i = 0; i < split->nr; i++)
		if (!(told >> i & 1) && split->parts[i].cause != RS_CAUSE_IDLE && split->parts[i].ns > whole / 200 &&
		    (at < 0 || split->parts[i].ns > split->parts[at].ns))
			at = (int)i;
	return at;
}

int rs_stacked_bar_words(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width)
{
	uint64_t whole = whole_of(split);
	uint32_t told = 0;
	char text[48];
	int used = 0, at;

	while ((at = largest(split, whole, told)) >= 0) {
		int n = snprintf(text, sizeof text, "%s%s %u%%", used ? "  " : "", rs_cause_row(split->parts[at].cause)->word,
				 (unsigned int)(((unsigned __int128)split->parts[at].ns * 100 + whole / 2) / whole));

		if (used + n > width)
			break;
		used += rs_put(c, y, x + used, n, used ? RS_STYLE_DIM : RS_STYLE_TEXT, text);
		told |= 1u << at;
	}
	return used;
}
