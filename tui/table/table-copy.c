// SPDX-License-Identifier: GPL-2.0-or-later
/* table-copy.c - the rows of a table that are seen, as a table of Markdown */
#include "base/units.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"
#include "tui/table/table-screen.h"

#define TABLE_COPY_HIST_ROWS 100 /* bars have no list of rows that are seen */

static void table_copy_put_heading(const struct rs_grid *g, struct rs_buf *out)
{
	for (unsigned int i = 0; i < g->shown.nr; i++) {
		rs_buf_puts(out, "| ");
		rs_markdown_text(out, rs_column_heading(&g->view->columns[g->shown.at[i]]));
		rs_buf_putc(out, ' ');
	}
	rs_buf_puts(out, "|\n");
	for (unsigned int i = 0; i < g->shown.nr; i++)
		rs_buf_puts(out, g->view->columns[g->shown.at[i]].type == RS_TYPE_TEXT ? "| --- " :
											 "| ---: ");
	rs_buf_puts(out, "|\n");
}

static void table_copy_put_row(const struct rs_table *t, size_t row, struct rs_buf *out)
{
	char text[RS_UNIT_TEXT + 2];

	for (unsigned int i = 0; i < t->grid.shown.nr; i++) {
		rs_buf_puts(out, "| ");
		rs_markdown_text(out, rs_grid_text(&t->grid, &t->screen.app->style, row, t->grid.shown.at[i],
						   text));
		rs_buf_putc(out, ' ');
	}
	rs_buf_puts(out, "|\n");
}

void rs_table_copy(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_table *t = (const struct rs_table *)s;
	size_t nr = t->of->view.kind == RS_VIEW_HIST ? TABLE_COPY_HIST_ROWS : t->list.height;
	struct rs_buf where = RS_BUF_INIT, sort = RS_BUF_INIT;

	if (!t->grid.nr)
		return;
	table_copy_put_heading(&t->grid, out);
	for (size_t i = t->list.top; i < t->grid.nr && i < t->list.top + nr; i++)
		table_copy_put_row(t, i, out);
	rs_table_screen_put_where(t, &where);
	rs_grid_sort_text(&t->grid, &sort);
	rs_markdown_command(s->app, t->of->view.name, where.data, t->by, sort.data, out);
	rs_buf_done(&where);
	rs_buf_done(&sort);
}
