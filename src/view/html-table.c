// SPDX-License-Identifier: GPL-2.0-or-later
/* html-table.c - rows as a table of an HTML page (export/html/html.h) */
#include "view/html-table.h"

#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

void rs_html_table_put_heading(struct rs_buf *out, const struct rs_cell_style *style,
			       const struct rs_column *c)
{
	char room[RS_HEADING_BYTES];

	rs_buf_printf(out, "<th%s title=\"", rs_column_is_left(c) ? "" : " class=\"n\"");
	rs_escape_xml(out, c->help ? c->help : c->name);
	rs_buf_puts(out, "\">");
	rs_escape_xml(out, rs_cell_heading(style, c, room));
	rs_buf_puts(out, "</th>");
}

static void html_table_put_header(struct rs_printer *p)
{
	rs_buf_puts(p->out, "<table class=\"rows\"><thead><tr>");
	for (unsigned int i = 0; i < p->columns.nr; i++)
		rs_html_table_put_heading(p->out, &p->style, &p->view->columns[p->columns.at[i]]);
	rs_buf_puts(p->out, "</tr></thead><tbody>\n");
}

static bool html_table_has_unit(const struct rs_column *c)
{
	return c->type == RS_TYPE_BYTES || (c->type == RS_TYPE_DURATION && c->unit == RS_UNIT_AUTO);
}

void rs_html_table_put_cell(struct rs_buf *out, const struct rs_cell_style *style, const struct rs_column *c,
			    const struct rs_value *value)
{
	char number[RS_UNIT_TEXT + 1];

	rs_buf_puts(out, rs_column_is_left(c) ? "<td" : "<td class=\"n\"");
	if (c->type == RS_TYPE_TEXT) {
		rs_buf_putc(out, '>');
		rs_escape_xml(out, value->known ? value->s : "-");
	} else {
		if (value->known && html_table_has_unit(c)) {
			rs_buf_puts(out, " data-v=\"");
			rs_buf_add(out, number,
				   c->flags & RS_COLUMN_SIGNED ? rs_units_put_i64(number, value->i) :
								 rs_units_put_u64(number, value->u));
			rs_buf_putc(out, '"');
		}
		rs_buf_putc(out, '>');
		rs_buf_add(out, number, rs_cell_number(style, c, value, number));
	}
	rs_buf_puts(out, "</td>");
}

static void html_table_put_row(struct rs_printer *p, const struct rs_value *values)
{
	rs_buf_puts(p->out, "<tr>");
	for (unsigned int i = 0; i < p->columns.nr; i++)
		rs_html_table_put_cell(p->out, &p->style, &p->view->columns[p->columns.at[i]],
				       &values[p->columns.at[i]]);
	rs_buf_puts(p->out, "</tr>\n");
}

static void html_table_finish(struct rs_printer *p)
{
	rs_buf_puts(p->out, "</tbody></table>\n");
}

const struct rs_formatter rs_formatter_html = {
	.name = "html", .has_text_columns = true, .header = html_table_put_header, .row = html_table_put_row,
	.finish = html_table_finish,
};
