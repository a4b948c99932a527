// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/stacked-bar.h"

#include <stdio.h>

static const struct {
	enum rs_style_id style_id;
	char letter;
} meanings[RS_NR_MEANINGS] = {
	[RS_MEANS_RUN] = { RS_STYLE_RUN, 'R' },
	[RS_MEANS_RUNNABLE] = { RS_STYLE_RUNNABLE, 'w' },
	[RS_MEANS_PREEMPTED] = { RS_STYLE_PREEMPTED, 'p' },
	[RS_MEANS_IRQ] = { RS_STYLE_IRQ, 'I' },
	[RS_MEANS_DISK] = { RS_STYLE_DISK, 'D' },
	[RS_MEANS_LOCK] = { RS_STYLE_LOCK, 'L' },
	[RS_MEANS_FUTEX] = { RS_STYLE_FUTEX, 'f' },
	[RS_MEANS_MEMORY] = { RS_STYLE_MEMORY, 'M' },
	[RS_MEANS_BLOCKED] = { RS_STYLE_BLOCKED, 'B' },
	[RS_MEANS_SLEEP] = { RS_STYLE_SLEEP, 's' },
	[RS_MEANS_IDLE] = { RS_STYLE_IDLE, ' ' },
	[RS_MEANS_UNKNOWN] = { RS_STYLE_UNKNOWN, '?' },
};

enum rs_style_id rs_stacked_bar_style(enum rs_meaning meaning)
{
	return meanings[meaning].style_id;
}

char rs_stacked_bar_letter(enum rs_meaning meaning)
{
	return meanings[meaning].letter;
}

static uint64_t whole_of(const struct rs_split *split)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < split->nr; i++)
		if (__builtin_add_overflow(ns, split->parts[i].ns, &ns))
			return UINT64_MAX;
	return ns;
}

/* Where a part ends is rounded, not how long it is: so the cells sum to the width. */
void rs_stacked_bar_draw(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width)
{
	uint64_t whole = whole_of(split), ns = 0;
	int at = 0;

	for (unsigned int i = 0; whole && i < split->nr; i++) {
		char letter[2] = { rs_stacked_bar_letter(split->parts[i].meaning), '\0' };
		int to;

		ns += split->parts[i].ns;
		to = (int)(((unsigned __int128)ns * (unsigned int)width + whole / 2) / whole);
		for (; at < to && at < width; at++)
			rs_put(c, y, x + at, 1, rs_stacked_bar_style(split->parts[i].meaning), letter);
	}
}

/* The largest of those not told yet; -1: nothing that is worth a word. */
static int largest(const struct rs_split *split, uint64_t whole, uint32_t told)
{
	int at = -1;

	for (unsigned int i = 0; i < split->nr; i++)
		if (!(told >> i & 1) && split->parts[i].meaning != RS_MEANS_IDLE && split->parts[i].ns > whole / 200 &&
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
		int n = snprintf(text, sizeof text, "%s%s %u%%", used ? "  " : "", rs_meaning_name(split->parts[at].meaning),
				 (unsigned int)(((unsigned __int128)split->parts[at].ns * 100 + whole / 2) / whole));

		if (used + n > width)
			break;
		used += rs_put(c, y, x + used, n, used ? RS_STYLE_DIM : RS_STYLE_TEXT, text);
		told |= 1u << at;
	}
	return used;
}
