// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chart.c - draws a time axis; bars; and a total with its parts as one bar, each cell with the letter and the
 * color of its part
 */
#include "tui/toolkit/chart.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* ---- the axis ---- */

#define LABEL_COLUMNS 18
#define US 1000ull

int rs_chart_axis_cell(const struct rs_axis *a, uint64_t ts_ns)
{
	uint64_t cell;

	if (ts_ns < a->from_ns)
		return -1;
	cell = (ts_ns - a->from_ns) / a->cell_ns;
	return cell < a->nr_cells ? (int)cell : (int)a->nr_cells;
}

/* Returns the smallest step whose labels, `columns` wide, do not overlap. */
static uint64_t chart_step_between(const struct rs_axis *a, unsigned int columns)
{
	uint64_t most_ns = UINT64_MAX / 10, wanted_ns;

	wanted_ns = a->cell_ns > most_ns / columns ? most_ns : a->cell_ns * columns;
	return rs_units_round_step(wanted_ns, 1);
}

/* Removes zeros after the point that all labels share. */
static void chart_axis_shorten(struct rs_buf *text)
{
	char *point = strchr(text->data, '.'), *end = text->data + text->len;

	if (!point)
		return;
	if (text->len > 2 && !strcmp(end - 2, " s"))
		end -= 2;
	while (end > point + 2 && end[-1] == '0')
		end--;
	text->len = (size_t)(end - text->data);
	*end = '\0';
}

/*
 * Moments are rounded to microseconds. If marks are closer than that, the labels count from the first cell.
 */
static void chart_put_label(const struct rs_axis *a, struct rs_buf *text, uint64_t at_ns, uint64_t step_ns,
			    rs_chart_moment_fn *moment, const void *arg)
{
	char length[RS_UNIT_TEXT];

	rs_buf_clear(text);
	if (step_ns % US == 0) {
		moment(arg, at_ns, text);
		chart_axis_shorten(text);
	} else {
		length[rs_units_put_duration(length, at_ns - a->from_ns, RS_UNIT_AUTO, -1)] = '\0';
		rs_buf_printf(text, "+%s", length);
	}
}

void rs_chart_axis_draw(struct rs_canvas *c, struct rs_area line, const struct rs_axis *a, uint64_t origin_ns,
			rs_chart_moment_fn *moment, const void *arg)
{
	uint64_t step_ns = chart_step_between(a, LABEL_COLUMNS), off, at_ns;
	struct rs_buf text = RS_BUF_INIT;

	/* marks before the origin count back from it */
	off = a->from_ns >= origin_ns ? (a->from_ns - origin_ns) % step_ns :
					step_ns - 1 - (origin_ns - a->from_ns - 1) % step_ns;
	at_ns = off ? a->from_ns + (step_ns - off) : a->from_ns;
	for (; at_ns >= a->from_ns; at_ns += step_ns) {
		int cell = rs_chart_axis_cell(a, at_ns);

		if (cell >= (int)a->nr_cells)
			break;
		chart_put_label(a, &text, at_ns, step_ns, moment, arg);
		rs_put_glyph(c, line.y, line.x + cell, RS_STYLE_DIM, RS_GLYPH_VLINE);
		rs_put(c, line.y, line.x + cell + 1,
		       line.width - cell - 1 < LABEL_COLUMNS - 1 ? line.width - cell - 1 : LABEL_COLUMNS - 1,
		       RS_STYLE_DIM, text.data);
	}
	rs_buf_done(&text);
}

/* ---- bars ---- */

void rs_chart_bars_put(struct rs_canvas *c, struct rs_area line, enum rs_style_id style_id, uint64_t nr,
		       uint64_t most)
{
	uint64_t eighths = (uint64_t)((unsigned __int128)nr * (unsigned int)line.width * 8 / most);

	if (nr && !eighths)
		eighths = 1;
	for (int x = 0; x < line.width && eighths; x++) {
		unsigned int part = eighths > 8 ? 8 : (unsigned int)eighths;

		rs_put_glyph(c, line.y, line.x + x, style_id, RS_GLYPH_BAR + part);
		eighths -= part;
	}
}

/* ---- a total and its parts ---- */

static uint64_t chart_whole_of(const struct rs_split *split)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < split->nr; i++)
		if (__builtin_add_overflow(ns, split->parts[i].ns, &ns))
			return UINT64_MAX;
	return ns;
}

void rs_chart_put_cell(struct rs_canvas *c, int y, int x, enum rs_cause cause, const struct rs_ink_task *task,
		       bool begins)
{
	enum rs_ink ink = rs_cause_ink(cause, task, &cause);
	bool is_marked = begins && rs_cause_row(cause)->rank == RS_RANK_UNKNOWN;
	char letter[2] = { rs_cause_row(cause)->letter, '\0' };

	if (ink == RS_INK_BLANK)
		rs_put(c, y, x, 1, is_marked ? RS_STYLE_DIM : RS_STYLE_TEXT, is_marked ? letter : " ");
	else
		rs_put(c, y, x, 1,
		       rs_canvas_cell_style(c, ink == RS_INK_DIM ? RS_STYLE_QUIET : RS_STYLE_CAUSE + cause),
		       letter);
}

/* Rounds the ends of the parts, not their lengths, so that the cells add up to the width. */
void rs_chart_draw_split(const struct rs_split *split, const struct rs_ink_task *task, struct rs_canvas *c,
			 struct rs_area line)
{
	uint64_t whole = chart_whole_of(split), ns = 0;
	unsigned int width = line.width > 0 ? (unsigned int)line.width : 0;
	int at = 0;

	for (unsigned int i = 0; whole && i < split->nr; i++) {
		int from = at, to;

		ns += split->parts[i].ns;
		to = (int)(((unsigned __int128)ns * width + whole / 2) / whole);
		for (; at < to && at < line.width; at++)
			rs_chart_put_cell(c, line.y, line.x + at, split->parts[i].cause, task, at == from);
	}
}

/* Returns the largest part that was not named yet; -1: the others are too small. */
static int chart_largest(const struct rs_split *split, uint64_t whole, uint32_t told)
{
	int at = -1;

	for (unsigned int i = 0; i < split->nr; i++)
		if (!(told >> i & 1) && split->parts[i].cause != RS_CAUSE_IDLE &&
		    split->parts[i].ns > whole / 200 && (at < 0 || split->parts[i].ns > split->parts[at].ns))
			at = (int)i;
	return at;
}

int rs_chart_put_split(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width)
{
	uint64_t whole = chart_whole_of(split);
	uint32_t told = 0;
	char text[48];
	int used = 0, at;

	while ((at = chart_largest(split, whole, told)) >= 0) {
		int n = snprintf(
			text, sizeof text, "%s%s %u%%", used ? "  " : "",
			rs_cause_row(split->parts[at].cause)->word,
			(unsigned int)(((unsigned __int128)split->parts[at].ns * 100 + whole / 2) / whole));

		if (used + n > width)
			break;
		used += rs_put(c, y, x + used, n, used ? RS_STYLE_DIM : RS_STYLE_TEXT, text);
		told |= 1u << at;
	}
	return used;
}
