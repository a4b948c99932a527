// SPDX-License-Identifier: GPL-2.0-or-later
/* bars.c - draws a histogram view: one bar for each power of two, grouped under their keys */
#include "tui/app/bars.h"

#include <string.h>

#include "base/units.h"
#include "tui/toolkit/chart.h"

struct bars {
	const struct rs_grid *grid;
	int from, to, count;     /* columns */
};

static bool bars_find_columns(const struct rs_grid *g, struct bars *b)
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

static bool bars_is_same_value(const struct rs_column *c, const struct rs_value *a, const struct rs_value *b)
{
	if (a->known != b->known || !a->known)
		return a->known == b->known;
	return c->type == RS_TYPE_TEXT ? !strcmp(a->s, b->s) : a->u == b->u;
}

/* Returns true if two rows belong to one histogram: all columns before the bucket are the same. */
static bool bars_is_same_group(const struct bars *b, size_t row, size_t other)
{
	for (int i = 0; i < b->from; i++)
		if (!bars_is_same_value(&b->grid->view->columns[i],
					rs_grid_cell(b->grid, row, (unsigned int)i),
					rs_grid_cell(b->grid, other, (unsigned int)i)))
			return false;
	return true;
}

static bool bars_is_first(const struct bars *b, size_t row)
{
	return !row || !bars_is_same_group(b, row, row - 1);
}

size_t rs_bars_lines(const struct rs_grid *g)
{
	struct bars b;
	size_t nr = g->nr;

	if (!bars_find_columns(g, &b))
		return 0;
	for (size_t i = 0; i < g->nr; i++)
		nr += bars_is_first(&b, i) ? 1 + (i > 0) : 0;
	return nr;
}

static void bars_put_group(const struct bars *b, const struct rs_cell_style *style, size_t row,
			   struct rs_buf *out)
{
	char buf[RS_UNIT_TEXT + 2];

	for (int i = 0; i < b->from; i++)
		if (rs_grid_cell(b->grid, row, (unsigned int)i)->known)
			rs_buf_printf(out, "%s%s", out->len ? "  " : "",
				      rs_grid_text(b->grid, style, row, (unsigned int)i, buf));
}

static void bars_draw_group(const struct bars *b, const struct rs_cell_style *style, struct rs_canvas *c,
			    struct rs_area line, size_t row)
{
	struct rs_buf text = RS_BUF_INIT;
	uint64_t sum = 0;

	for (size_t i = row; i < b->grid->nr && (i == row || !bars_is_first(b, i)); i++)
		sum += bars_cell(b, i, b->count);
	bars_put_group(b, style, row, &text);
	rs_put_format(c, line.y, line.x + 1, line.width - 1, RS_STYLE_HEADING, "%s%s%llu in all", text.data,
		      text.len ? "  " : "", (unsigned long long)sum);
	rs_buf_done(&text);
}

static uint64_t bars_most_of(const struct bars *b, size_t row)
{
	uint64_t most = 1;

	while (row && !bars_is_first(b, row))
		row--;
	for (size_t i = row; i < b->grid->nr && (i == row || !bars_is_first(b, i)); i++)
		if (bars_cell(b, i, b->count) > most)
			most = bars_cell(b, i, b->count);
	return most;
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
				  RS_STYLE_RUN, nr, bars_most_of(b, row));
}

void rs_bars_draw(const struct rs_grid *g, const struct rs_cell_style *style, struct rs_canvas *c,
		  struct rs_area area, size_t top)
{
	long y = -(long)top;
	struct bars b;

	if (!bars_find_columns(g, &b))
		return;
	for (size_t i = 0; i < g->nr && y < area.height; i++, y++) {
		if (bars_is_first(&b, i)) {
			y += i > 0;
			if (y >= 0 && y < area.height)
				bars_draw_group(&b, style, c,
					   (struct rs_area){ area.y + (int)y, area.x, 1, area.width }, i);
			y++;
		}
		if (y >= 0 && y < area.height)
			bars_draw_bucket(&b, c, (struct rs_area){ area.y + (int)y, area.x, 1, area.width },
					 i);
	}
}
