// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chart.c - draws a time axis; a histogram view, one bar for each power of two, grouped under their keys; and
 * a total with its parts as one bar, each cell with the letter and the color of its part
 */
#include "tui/app/chart.h"

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
static uint64_t step_between(const struct rs_axis *a, unsigned int columns)
{
	uint64_t wanted_ns = a->cell_ns > UINT64_MAX / 10 / columns ? UINT64_MAX / 10 : a->cell_ns * columns,
		 step = 1;

	while (step < wanted_ns / 10)
		step *= 10;
	return wanted_ns <= step     ? step :
	       wanted_ns <= 2 * step ? 2 * step :
	       wanted_ns <= 5 * step ? 5 * step :
				       10 * step;
}

/* Removes zeros after the point that all labels share. */
static void axis_shorten(struct rs_buf *text)
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
static void axis_put_label(struct rs_app *app, struct rs_buf *text, const struct rs_axis *a, uint64_t at_ns,
			   uint64_t step_ns)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_clear(text);
	if (step_ns % US == 0) {
		rs_app_moment(app, at_ns, text);
		axis_shorten(text);
	} else {
		rs_buf_printf(text, "+%s", rs_screen_duration(at_ns - a->from_ns, length));
	}
}

void rs_chart_axis_draw(struct rs_app *app, struct rs_canvas *c, struct rs_area line, const struct rs_axis *a,
		  uint64_t origin_ns)
{
	uint64_t step_ns = step_between(a, LABEL_COLUMNS), off, at_ns;
	struct rs_buf text = RS_BUF_INIT;

	/* marks before the origin count back from it */
	off = a->from_ns >= origin_ns ? (a->from_ns - origin_ns) % step_ns :
					step_ns - 1 - (origin_ns - a->from_ns - 1) % step_ns;
	at_ns = off ? a->from_ns + (step_ns - off) : a->from_ns;
	for (; at_ns >= a->from_ns; at_ns += step_ns) {
		int cell = rs_chart_axis_cell(a, at_ns);

		if (cell >= (int)a->nr_cells)
			break;
		axis_put_label(app, &text, a, at_ns, step_ns);
		rs_put_glyph(c, line.y, line.x + cell, RS_STYLE_DIM, RS_GLYPH_VLINE);
		rs_put(c, line.y, line.x + cell + 1,
		       line.width - cell - 1 < LABEL_COLUMNS - 1 ? line.width - cell - 1 : LABEL_COLUMNS - 1,
		       RS_STYLE_DIM, text.data);
	}
	rs_buf_done(&text);
}

/* ---- bars ---- */

struct bars {
	const struct rs_grid *grid;
	int from, to, count;     /* columns */
};

static bool find_columns(const struct rs_grid *g, struct bars *b)
{
	b->grid = g;
	b->from = rs_column_named(g->view, "from_ns");
	b->to = rs_column_named(g->view, "to_ns");
	b->count = rs_column_named(g->view, "count");
	return b->from >= 0 && b->to >= 0 && b->count >= 0;
}

static uint64_t bars_cell(const struct bars *b, size_t row, int column)
{
	return rs_grid_cell(b->grid, row, (unsigned int)column)->u;
}

static bool same_value(const struct rs_column *c, const struct rs_value *a, const struct rs_value *b)
{
	if (a->known != b->known || !a->known)
		return a->known == b->known;
	return c->type == RS_TYPE_TEXT ? !strcmp(a->s, b->s) : a->u == b->u;
}

/* Returns true if two rows belong to one histogram: all columns before the bucket are the same. */
static bool is_same_group(const struct bars *b, size_t row, size_t other)
{
	for (int i = 0; i < b->from; i++)
		if (!same_value(&b->grid->view->columns[i], rs_grid_cell(b->grid, row, (unsigned int)i),
				rs_grid_cell(b->grid, other, (unsigned int)i)))
			return false;
	return true;
}

static bool is_first(const struct bars *b, size_t row)
{
	return !row || !is_same_group(b, row, row - 1);
}

size_t rs_chart_bars_lines(const struct rs_grid *g)
{
	struct bars b;
	size_t nr = g->nr;

	if (!find_columns(g, &b))
		return 0;
	for (size_t i = 0; i < g->nr; i++)
		nr += is_first(&b, i) ? 1 + (i > 0) : 0;
	return nr;
}

static void put_group(const struct bars *b, const struct rs_cell_style *style, size_t row, struct rs_buf *out)
{
	char buf[RS_UNIT_TEXT + 2];

	for (int i = 0; i < b->from; i++)
		if (rs_grid_cell(b->grid, row, (unsigned int)i)->known)
			rs_buf_printf(out, "%s%s", out->len ? "  " : "",
				      rs_grid_text(b->grid, style, row, (unsigned int)i, buf));
}

static void draw_group(const struct bars *b, const struct rs_cell_style *style, struct rs_canvas *c,
		       struct rs_area line, size_t row)
{
	struct rs_buf text = RS_BUF_INIT;
	uint64_t sum = 0;

	for (size_t i = row; i < b->grid->nr && (i == row || !is_first(b, i)); i++)
		sum += bars_cell(b, i, b->count);
	put_group(b, style, row, &text);
	rs_put_format(c, line.y, line.x + 1, line.width - 1, RS_STYLE_HEADING, "%s%s%llu in all", text.data,
		      text.len ? "  " : "", (unsigned long long)sum);
	rs_buf_done(&text);
}

static uint64_t most_of(const struct bars *b, size_t row)
{
	uint64_t most = 1;

	while (row && !is_first(b, row))
		row--;
	for (size_t i = row; i < b->grid->nr && (i == row || !is_first(b, i)); i++)
		if (bars_cell(b, i, b->count) > most)
			most = bars_cell(b, i, b->count);
	return most;
}

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

static void bars_draw_bucket(const struct bars *b, struct rs_canvas *c, struct rs_area line, size_t row)
{
	uint64_t nr = bars_cell(b, row, b->count);
	char text[RS_SCREEN_TEXT];
	int used = 30;

	rs_put_right(c, line.y, line.x + 1, 7, RS_STYLE_TEXT,
		     rs_screen_duration(bars_cell(b, row, b->from), text));
	rs_put(c, line.y, line.x + 9, 2, RS_STYLE_DIM, "to");
	rs_put_right(c, line.y, line.x + 12, 7, RS_STYLE_TEXT,
		     rs_screen_duration(bars_cell(b, row, b->to), text));
	rs_put_right(c, line.y, line.x + 20, 9, RS_STYLE_TEXT, rs_screen_grouped(nr, text));
	if (line.width > used)
		rs_chart_bars_put(c, (struct rs_area){ line.y, line.x + used, 1, line.width - used - 1 },
				  RS_STYLE_RUN, nr, most_of(b, row));
}

void rs_chart_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c,
			struct rs_area area, size_t top)
{
	long y = -(long)top;
	struct bars b;

	if (!find_columns(g, &b))
		return;
	for (size_t i = 0; i < g->nr && y < area.height; i++, y++) {
		if (is_first(&b, i)) {
			y += i > 0;
			if (y >= 0 && y < area.height)
				draw_group(&b, style, c,
					   (struct rs_area){ area.y + (int)y, area.x, 1, area.width }, i);
			y++;
		}
		if (y >= 0 && y < area.height)
			bars_draw_bucket(&b, c, (struct rs_area){ area.y + (int)y, area.x, 1, area.width },
					 i);
	}
}

/* ---- a total and its parts ---- */

static uint64_t whole_of(const struct rs_split *split)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < split->nr; i++)
		if (__builtin_add_overflow(ns, split->parts[i].ns, &ns))
			return UINT64_MAX;
	return ns;
}

/* Rounds the ends of the parts, not their lengths, so that the cells add up to the width. */
void rs_chart_draw_split(const struct rs_split *split, struct rs_canvas *c, int y, int x, int width)
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
			rs_put(c, y, x + at, 1, rs_canvas_cell_style(c, RS_STYLE_CAUSE + cause), letter);
	}
}

/* Returns the largest part that was not named yet; -1: the others are too small. */
static int largest(const struct rs_split *split, uint64_t whole, uint32_t told)
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
	uint64_t whole = whole_of(split);
	uint32_t told = 0;
	char text[48];
	int used = 0, at;

	while ((at = largest(split, whole, told)) >= 0) {
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
