// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-table.c - rows as a table of an HTML page (export/html.h)
 *
 * A cell that is shown with its unit, "4.51ms", has the number in data-v, by which a script sorts.
 */
#include "base/escape.h"
#include "base/units.h"
#include "view/cell.h"
#include "view/printer.h"

static void html_table_put_header(struct rs_printer *p)
{
	char room[RS_HEADING_BYTES];

	rs_buf_puts(p->out, "<table class=\"rows\"><thead><tr>");
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_column *c = &p->view->columns[p->columns.at[i]];

		rs_buf_printf(p->out, "<th%s title=\"", rs_column_is_left(c) ? "" : " class=\"n\"");
		rs_escape_xml(p->out, c->help ? c->help : c->name);
		rs_buf_puts(p->out, "\">");
		rs_escape_xml(p->out, rs_cell_heading(&p->style, c, room));
		rs_buf_puts(p->out, "</th>");
	}
	rs_buf_puts(p->out, "</tr></thead><tbody>\n");
}

static bool html_table_has_unit(const struct rs_column *c)
{
	return c->type == RS_TYPE_BYTES || (c->type == RS_TYPE_DURATION && c->unit == RS_UNIT_AUTO);
}

static void html_table_put_number(struct rs_printer *p, const struct rs_column *c, const struct rs_value *value)
{
	char number[RS_UNIT_TEXT + 1];

	rs_buf_puts(p->out, rs_column_is_left(c) ? "<td" : "<td class=\"n\"");
	if (value->known && html_table_has_unit(c)) {
		rs_buf_puts(p->out, " data-v=\"");
		rs_buf_add(p->out, number, c->flags & RS_COLUMN_SIGNED ? rs_units_put_i64(number, value->i) : rs_units_put_u64(number, value->u));
		rs_buf_putc(p->out, '"');
	}
	rs_buf_putc(p->out, '>');
	rs_buf_add(p->out, number, rs_cell_number(&p->style, c, value, number));
	rs_buf_puts(p->out, "</td>");
}

static void html_table_put_row(struct rs_printer *p, const struct rs_value *values)
{
	rs_buf_puts(p->out, "<tr>");
	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_column *c = &p->view->columns[p->columns.at[i]];
		const struct rs_value *value = &values[p->columns.at[i]];

		if (c->type != RS_TYPE_TEXT) {
			html_table_put_number(p, c, value);
			continue;
		}
		rs_buf_puts(p->out, "<td>");
		rs_escape_xml(p->out, value->known ? value->s : "-");
		rs_buf_puts(p->out, "</td>");
	}
	rs_buf_puts(p->out, "</tr>\n");
}

static void html_table_finish(struct rs_printer *p)
{
	rs_buf_puts(p->out, "</tbody></table>\n");
}

const struct rs_formatter rs_formatter_html = {
	.name = "html", .has_text_columns = true, .header = html_table_put_header, .row = html_table_put_row, .finish = html_table_finish,
};
