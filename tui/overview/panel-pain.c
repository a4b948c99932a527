// SPDX-License-Identifier: GPL-2.0-or-later
/* panel-pain.c - the pain of rows: its sum, the order that it gives, its words */
#include "tui/overview/panel-pain.h"

#include <stdio.h>

#include "ringside/culprit.h"

#define PANEL_PAIN_BAD 250
#define PANEL_PAIN_BUSY 50   /* who runs that much may be what others wait for */

/* What cost, by category, and the whole time: what is unknown cost nothing that is known. */
struct panel_pain {
	uint64_t ns[RS_NR_CATEGORIES], sum_ns, all_ns;
};

static struct panel_pain panel_pain_sum(const struct rs_split *split, const struct rs_ink_task *task)
{
	struct panel_pain pain = { .all_ns = 0 };

	for (unsigned int i = 0; i < split->nr; i++) {
		enum rs_cause cause = split->parts[i].cause;

		pain.all_ns += split->parts[i].ns;
		if (rs_cause_ink(cause, task, NULL) != RS_INK_FULL)
			continue;
		pain.ns[rs_cause_row(cause)->category] += split->parts[i].ns;
		pain.sum_ns += split->parts[i].ns;
	}
	return pain;
}

uint32_t rs_panel_pain_of(const struct rs_split *split, const struct rs_ink_task *task)
{
	struct panel_pain pain = panel_pain_sum(split, task);

	return pain.all_ns ? (uint32_t)((unsigned __int128)pain.sum_ns * 1000 / pain.all_ns) : UINT32_MAX;
}

/* Thousandths of the row's time. */
static uint32_t panel_pain_work_of(const struct rs_split *split)
{
	uint64_t all_ns = 0, run_ns = 0;

	for (unsigned int i = 0; i < split->nr; i++) {
		all_ns += split->parts[i].ns;
		if (rs_cause_row(split->parts[i].cause)->rank == RS_RANK_WORK)
			run_ns += split->parts[i].ns;
	}
	return all_ns ? (uint32_t)((unsigned __int128)run_ns * 1000 / all_ns) : 0;
}

bool rs_panel_pain_is_busy(const struct rs_split *split)
{
	return panel_pain_work_of(split) >= PANEL_PAIN_BUSY;
}

static bool panel_pain_is_loud(uint32_t pain)
{
	return pain >= RS_PANEL_PAIN_LEAST && pain != UINT32_MAX;
}

size_t rs_panel_pain_sort(const uint32_t *pains, size_t nr, uint16_t *order)
{
	size_t loud = 0, quiet;

	for (size_t i = 0; i < nr; i++) {
		size_t at = loud;

		if (!panel_pain_is_loud(pains[i]))
			continue;
		for (loud++; at && pains[order[at - 1]] < pains[i]; at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
	}
	quiet = loud;
	for (size_t i = 0; i < nr; i++)
		if (!panel_pain_is_loud(pains[i]))
			order[quiet++] = (uint16_t)i;
	return loud;
}

static int panel_pain_largest(const struct panel_pain *pain, uint32_t told)
{
	uint64_t most_ns = pain->all_ns / 100;
	int largest = -1;

	for (int i = 0; i < RS_NR_CATEGORIES; i++)
		if (!(told & 1u << i) && pain->ns[i] > most_ns) {
			most_ns = pain->ns[i];
			largest = i;
		}
	return largest;
}

/* Of the run queue as trees and tables call it, which has no other part. */
static const char *panel_pain_name(enum rs_category category)
{
	return category == RS_CATEGORY_QUEUE ? rs_part_row(RS_PART_QUEUE)->name :
					       rs_category_row(category)->name;
}

/* The first is cut where it does not fit, each that follows is left out. */
static void panel_pain_put_words(const struct panel_pain *pain, const struct rs_panel_pain_words *words,
				 struct rs_canvas *c, struct rs_area line)
{
	int x = line.x, end = line.x + line.width, at;
	uint32_t told = 0;

	while ((at = panel_pain_largest(pain, told)) >= 0) {
		const struct rs_category_row *category = rs_category_row((enum rs_category)at);
		const char *name = words->culprit(words->arg, (enum rs_category)at);
		char text[80];

		snprintf(text, sizeof text, "%s %u%%%s%s%s", panel_pain_name((enum rs_category)at),
			 (unsigned int)(((unsigned __int128)pain->ns[at] * 100 + pain->all_ns / 2) /
					pain->all_ns),
			 *name ? " (" : "", name, *name ? ")" : "");
		if (told && x + rs_put_text_columns(text, true) > end)
			return;
		x += rs_put_cut(c, line.y, x, end - x, RS_STYLE_CAUSE + category->color, text) + 2;
		told |= 1u << at;
		if (x >= end)
			return;
	}
	if (words->last && x + rs_put_text_columns(words->last, true) <= end)
		rs_put(c, line.y, x, end - x, RS_STYLE_DIM, words->last);
}

void rs_panel_pain_draw(const struct rs_split *split, const struct rs_ink_task *task,
			const struct rs_panel_pain_words *words, struct rs_canvas *c, struct rs_area line)
{
	struct panel_pain pain = panel_pain_sum(split, task);
	uint32_t milli = rs_panel_pain_of(split, task);
	enum rs_style_id style_id = milli >= PANEL_PAIN_BAD ? RS_STYLE_BOLD : RS_STYLE_TEXT;

	if (!panel_pain_is_loud(milli)) {
		rs_put_right(c, line.y, line.x, RS_PANEL_PAIN_COLUMNS - 1, RS_STYLE_DIM, "-");
		if (rs_panel_pain_is_busy(split))
			rs_put_format(c, line.y, line.x + RS_PANEL_PAIN_COLUMNS,
				      line.width - RS_PANEL_PAIN_COLUMNS, RS_STYLE_DIM, "runs %u%%",
				      (panel_pain_work_of(split) + 5) / 10);
		return;
	}
	rs_put_format(c, line.y, line.x, RS_PANEL_PAIN_COLUMNS, style_id, "%3u%%", (milli + 5) / 10);
	line.x += RS_PANEL_PAIN_COLUMNS;
	line.width -= RS_PANEL_PAIN_COLUMNS;
	panel_pain_put_words(&pain, words, c, line);
}
