// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/table/table-screen.h"

#include <string.h>

#include "base/units.h"
#include "tui/toolkit/app.h"

#define LEAST_SUMMARY 12 /* columns: shorter, the summary is unreadable */

int rs_table_heading_y(const struct rs_table *t)
{
	return *t->refused ? 2 : 1;
}

static void put_grouped(struct rs_buf *out, uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_grouped(text, v));
}

/* "first 1,000 of 2,300 rows", "28 of 868 rows": the rows that are shown, or that pass the filter, and their total. */
static void table_draw_put_rows(const struct rs_table *t, struct rs_buf *out)
{
	const struct rs_grid *g = &t->grid;
	bool cut = g->nr < g->nr_total && t->of->view.kind != RS_VIEW_HIST, filtered = g->nr_unfiltered != g->nr_total;
	uint64_t of = filtered && !cut ? g->nr_unfiltered : g->nr_total;

	if (cut) {
		rs_buf_puts(out, t->of->view.kind == RS_VIEW_STREAM ? "last " : "first ");
		put_grouped(out, g->nr);
		rs_buf_puts(out, " of ");
	} else if (filtered) {
		put_grouped(out, g->nr_total);
		rs_buf_puts(out, " of ");
	}
	put_grouped(out, of);
	rs_buf_puts(out, of == 1 ? " row " : " rows ");
	if (cut && filtered) {
		rs_buf_puts(out, "(");
		put_grouped(out, g->nr_unfiltered);
		rs_buf_puts(out, " without filter) ");
	}
}

static void put_counts(const struct rs_table *t, struct rs_buf *out)
{
	struct rs_buf range = RS_BUF_INIT;

	if (t->frozen)
		rs_buf_puts(out, "FROZEN  ");
	if (t->by_line)
		rs_buf_puts(out, "by line  ");
	if (t->grid.answered && t->of->view.kind != RS_VIEW_HIST && t->list.top + t->list.height < t->grid.nr) {
		put_grouped(out, t->grid.nr - t->list.top - t->list.height);
		rs_buf_puts(out, " below  ");
	}
	if (!t->grid.answered) {
		rs_buf_puts(out, "waiting ");
		return;
	}
	table_draw_put_rows(t, out);
	rs_app_time_put_grid_range(t->screen.app, &t->grid, &range);
	if (range.len)
		rs_buf_printf(out, " %s ", range.data);
	rs_buf_done(&range);
}

/* If no visible heading has the arrow, puts "sorted by ..." at the right. Returns the column where it begins. */
static int draw_sort(const struct rs_table *t, struct rs_canvas *c, int y, int x, int end)
{
	const struct rs_grid *g = &t->grid;
	const char *heading;
	int width;

	if (!g->answered || t->of->view.kind == RS_VIEW_HIST || rs_grid_shows_sort(g, t->first, rs_canvas_area(c).width))
		return end;
	heading = rs_column_heading(&t->of->view.columns[g->sort.keys[0].column]);
	width = (int)strlen("sorted by ") + rs_put_text_columns(heading, rs_canvas_ascii(c)) + 3;
	if (width > end - x)
		return end;
	rs_put_format(c, y, end - width, width, RS_STYLE_TEXT, "sorted by %s", heading);
	rs_put_glyph(c, y, end - 3, RS_STYLE_TEXT, g->sort.keys[0].descends ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	return end - width;
}

static void draw_info(const struct rs_table *t, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf counts = RS_BUF_INIT, where = RS_BUF_INIT;
	int x = line.x + 1, right, end;

	put_counts(t, &counts);
	rs_table_put_where(t, t->where.text, &where);
	right = rs_put_text_columns(counts.data, true);
	rs_put(c, line.y, line.x + line.width - right, right, t->frozen ? RS_STYLE_WARN : RS_STYLE_DIM, counts.data);
	end = draw_sort(t, c, line.y, x + rs_put_text_columns(t->of->view.name, true) + 1, line.x + line.width - right) - 1;
	x += rs_put(c, line.y, x, end - x, RS_STYLE_TITLE, t->of->view.name);
	if (*t->by.text)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, " by %s", t->by.text);
	if (where.len)
		rs_put_format(c, line.y, x, end - x, RS_STYLE_KEY, "  where %s", where.data);
	else if (t->of->view.summary && end - x >= LEAST_SUMMARY)
		rs_put_format(c, line.y, x, end - x, RS_STYLE_DIM, "  %s", t->of->view.summary);
	rs_buf_done(&counts);
	rs_buf_done(&where);
}

static bool has_totals(const struct rs_table *t)
{
	if (!t->totals || !t->grid.has_totals)
		return false;
	for (unsigned int i = 0; i < t->grid.shown.nr; i++)
		if (t->grid.totals[t->grid.shown.at[i]].known)
			return true;
	return false;
}

static void table_draw_nothing(const struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	const char *why = t->grid.nr_unfiltered ? "no row passes the filter" : "nothing yet";

	if (!rs_app_time(t->screen.app)->now && !t->grid.nr_unfiltered)
		why = "nothing in this time";
	if (t->grid.answered && area.height > 0)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_DIM, why);
}

/* Labels the line of totals in its first column, unless that has a total. */
static void draw_totals(struct rs_table *t, struct rs_canvas *c, struct rs_area line, const struct rs_grid_style *style)
{
	unsigned int first = t->grid.shown.at[rs_grid_leftmost(&t->grid, style->first)];
	int width = t->grid.widths[first];

	rs_grid_draw_totals(&t->grid, c, line, style);
	if (!t->grid.totals[first].known)
		rs_put(c, line.y, line.x, width, RS_STYLE_BOLD, width < 5 ? "sum" : "total");
}

static void draw_grid(struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	bool totals = has_totals(t) && area.height > 4;
	struct rs_area rows = { area.y + 1, area.x, area.height - 1 - totals, area.width };
	struct rs_grid_style style = {
		.cell = *rs_app_style(t->screen.app), .first = t->first, .selected = (long)t->list.at,
		.ascii = rs_canvas_ascii(c), .mark = *t->mark ? t->mark : NULL,
	};
	bool stick = rs_table_follows_end(t);

	if (rows.height < 0)
		rows.height = 0;
	rs_list_fit(&t->list, t->grid.nr, (size_t)rows.height);
	if (stick)
		rs_list_to(&t->list, t->grid.nr ? t->grid.nr - 1 : 0);
	style.selected = (long)t->list.at;
	rs_grid_measure(&t->grid, t->list.top, t->list.height, &style);
	rs_grid_draw_heading(&t->grid, c, (struct rs_area){ area.y, area.x, 1, area.width }, &style);
	rs_grid_draw_rows(&t->grid, c, rows, t->list.top, &style);
	if (!t->grid.nr)
		table_draw_nothing(t, c, rows);
	if (totals)
		draw_totals(t, c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width },
			    &style);
}

static void table_draw_bars(struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	rs_list_fit(&t->list, rs_bars_lines(&t->grid), (size_t)area.height);
	rs_bars_draw(&t->grid, rs_app_style(t->screen.app), c, area, t->list.top);
	if (!t->grid.nr)
		table_draw_nothing(t, c, area);
}

void rs_table_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_table *t = (struct rs_table *)s;
	int heading = rs_table_heading_y(t);
	struct rs_area rest = { area.y + heading, area.x, area.height - heading, area.width };

	if (*t->refused)
		rs_put_format(c, area.y + 1, area.x + 1, area.width - 1, RS_STYLE_BAD, "! %s", t->refused);
	if (rest.height > 0 && t->of->view.kind == RS_VIEW_HIST)
		table_draw_bars(t, c, rest);
	else if (rest.height > 0)
		draw_grid(t, c, rest);
	/* after the grid, which determines the visible rows */
	draw_info(t, c, (struct rs_area){ area.y, area.x, 1, area.width });
}
